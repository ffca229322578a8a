#include "journal/sqlite/sqlite.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>

#include "base/error.h"
#include "base/log.h"
#include "base/text.h"

namespace agneto::journal {

namespace {

constexpr int patience_with_writers = 30'000;  // milliseconds for which another process may write
constexpr Millis long_wait{500};               // for it, which the log tells of

// Where others write one transaction after the other, there is only a moment between two of them.
// SQLite's own waiting becomes longer each time, and would miss it for seconds.
int wait_for_writers(void* /*unused*/, int tries) {
  constexpr int pause = 1;
  if (tries >= patience_with_writers / pause) return 0;
  sqlite3_sleep(pause);
  return 1;
}

// A commit writes each page that it touches whole, and each run's entries are on pages of their
// own: with small pages a commit that many runs share is short. The log is still moved into the
// database every 4 MB. A journal keeps the page size that it was made with.
constexpr const char* small_pages = "PRAGMA page_size = 1024";
constexpr const char* log_pages = "PRAGMA wal_autocheckpoint = 4000";

// Made before SQLite sees it, so that it is private from its first byte; SQLite gives the files
// beside it the same mode. An existing file must not be opened here: closing it again would drop
// the locks of another connection of this process.
void make_private(const std::string& path) {
  const int made = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (made >= 0) {
    ::close(made);
    return;
  }
  if (is_disk_full(errno)) {
    throw DiskFull(fmt::format("cannot make the journal '{}'", path));
  }
  if (errno != EEXIST) {
    throw Error(fmt::format("cannot make the journal '{}': {}", path, std::strerror(errno)));
  }
  for (const char* suffix : {"", "-wal", "-shm"}) {
    const std::string file = path + suffix;
    struct stat status {};
    if (::stat(file.c_str(), &status) == 0 && (status.st_mode & 0077) != 0) {
      ::chmod(file.c_str(), 0600);  // where it is not ours to change, it stays as it is
    }
  }
}

// "it is ada's; ": a journal is its owner's only.
std::string whose_is(const std::string& path) {
  struct stat status;
  if (::stat(path.c_str(), &status) != 0) return "";
  const passwd* user = ::getpwuid(status.st_uid);
  return fmt::format("it is {}'s; ", user ? user->pw_name : std::to_string(status.st_uid));
}

}  // namespace

Database::Database(const std::string& path) : path_(path) {
  try {
    open_to_write();
    log::debug("journal opened", {{"file", path_}});
  } catch (const Error& error) {
    unwritable_ = std::current_exception();
    log::warning("journal cannot be written", {{"file", path_}, {"error", error.what()}});
    // A log that somebody left is read without the shared memory that a writer makes beside it;
    // without a log the file is whole.
    std::error_code none;
    const bool log = std::filesystem::file_size(path_ + "-wal", none) > 0 && !none;
    if (!open_to_read("mode=ro&readonly_shm=1") && (log || !open_to_read("immutable=1"))) {
      std::rethrow_exception(unwritable_);
    }
  }
}

bool Database::open_to_read(const std::string& parameters) {
  const std::string uri = "file:" + percent_escaped(path_, "/") + "?" + parameters;
  const int opened = sqlite3_open_v2(
      uri.c_str(), &handle_, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nullptr);
  sqlite3_extended_result_codes(handle_, 1);
  // So SQLite reads what there is of a file that was cut off.
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1, nullptr);
  if (opened == SQLITE_OK && sqlite3_exec(handle_, "SELECT count(*) FROM sqlite_schema", nullptr,
                                          nullptr, nullptr) == SQLITE_OK) {
    return true;
  }
  sqlite3_close(std::exchange(handle_, nullptr));
  return false;
}

void Database::require_writable() const {
  if (unwritable_) std::rethrow_exception(unwritable_);
  int moved = 0;
  sqlite3_file_control(handle_, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
  if (moved == 0) return;
  throw Error(fmt::format("the journal '{}' was removed or moved while it was in use", path_),
              "bring it back; what was not recorded is on the run's branch and in its worktree",
              ExitStatus::failed);
}

void Database::open_to_write() {
  make_private(path_);
  const int code = sqlite3_open_v2(path_.c_str(), &handle_,
                                   SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr);
  try {
    check(code);
    sqlite3_extended_result_codes(handle_, 1);
    sqlite3_busy_handler(handle_, wait_for_writers, nullptr);
    if (sqlite3_db_readonly(handle_, "main") == 1) fail(SQLITE_READONLY);
    execute(small_pages);
    use_write_ahead_log();
    execute(log_pages);
    execute("PRAGMA synchronous = FULL");
    execute("PRAGMA foreign_keys = ON");
  } catch (...) {
    sqlite3_close(std::exchange(handle_, nullptr));
    throw;
  }
}

// Two processes that turn to it at once can meet in a way that SQLite does not wait out by itself.
void Database::use_write_ahead_log() {
  constexpr int pause = 10;
  for (int waited = 0;; waited += pause) {
    const int code = sqlite3_exec(handle_, "PRAGMA journal_mode = WAL", nullptr, nullptr, nullptr);
    if (code == SQLITE_OK) {
      return;
    }
    if ((code & 0xFF) != SQLITE_BUSY || waited >= patience_with_writers) {
      fail(code);
    }
    sqlite3_sleep(pause);
  }
}

void Database::execute(const char* sql) {
  check(sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr));
}

void Database::require_sound() {
  if (damaged_) fail(SQLITE_CORRUPT);
}

std::vector<std::string> Database::faults() {
  std::vector<std::string> faults;
  try {
    Statement statement(*this, "PRAGMA integrity_check(5)");
    statement.start();
    while (statement.step()) faults.push_back(statement.text(0));
    if (faults == std::vector<std::string>{"ok"}) faults.clear();
  } catch (const Error& error) {
    faults.emplace_back(error.what());
  }
  return faults;
}

void Database::fail(int code) {
  const int system = sqlite3_system_errno(handle_);
  const bool file_failed = (code & 0xFF) == SQLITE_IOERR || (code & 0xFF) == SQLITE_CANTOPEN;
  // SQLite does not say why it could not make room for its shared memory.
  if ((code & 0xFF) == SQLITE_FULL || code == SQLITE_IOERR_SHMSIZE ||
      (file_failed && is_disk_full(system))) {
    throw DiskFull(fmt::format("cannot write the journal '{}'", path_),
                   "free some space on it; what is in the journal is safe");
  }
  switch (code & 0xFF) {
    case SQLITE_BUSY:
      throw CutOff(fmt::format("cannot write the journal '{}': another process has been writing "
                               "for {} s",
                               path_, patience_with_writers / 1000),
                   "wait for it or end it, then try again", ExitStatus::failed);
    case SQLITE_NOTADB:
      throw Error(fmt::format("the journal '{}' is not a database", path_),
                  "move it away, and a new one is made");
    case SQLITE_CORRUPT:
      damaged_ = true;
      throw Error(fmt::format("the journal '{}' is damaged", path_),
                  "restore it from a backup, or move it away, and a new one is made",
                  ExitStatus::failed);
    case SQLITE_READONLY:
      throw Error(fmt::format("cannot write the journal '{}': it is read-only", path_),
                  "give yourself the right to write it and its folder");
    default:
      break;
  }
  const bool forbidden = file_failed && (system == EACCES || system == EPERM);
  throw CutOff(fmt::format("cannot use the journal '{}': {}{}", path_, sqlite3_errmsg(handle_),
                           system == 0 ? "" : fmt::format(" ({})", std::strerror(system))),
               forbidden ? whose_is(path_) +
                               "work as that user, or have the right to write it and its folder"
               : file_failed ? "see what is wrong with its disk; what is in the journal is safe"
                             : "",
               ExitStatus::failed);
}

Statement& Statement::start() {
  if (handle_ == nullptr) {
    const int code = sqlite3_prepare_v3(database_.handle(), sql_.c_str(), -1,
                                        SQLITE_PREPARE_PERSISTENT, &handle_, nullptr);
    // All of them are right where the tables are what they should be.
    if (code != SQLITE_OK) database_.fail(code == SQLITE_ERROR ? SQLITE_CORRUPT : code);
  }
  sqlite3_reset(handle_);
  sqlite3_clear_bindings(handle_);
  bound_ = 0;
  return *this;
}

Statement& Statement::bind(std::string_view text) {
  database_.check(sqlite3_bind_text64(handle_, ++bound_, text.empty() ? "" : text.data(),
                                      text.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
  return *this;
}

Statement& Statement::bind(std::int64_t number) {
  database_.check(sqlite3_bind_int64(handle_, ++bound_, number));
  return *this;
}

bool Statement::step() {
  const int code = sqlite3_step(handle_);
  if (code == SQLITE_ROW) {
    return true;
  }
  // Reset here rather than at the next start: an open statement holds a lock.
  sqlite3_reset(handle_);
  if (code != SQLITE_DONE) {
    database_.fail(code);
  }
  return false;
}

std::int64_t Statement::only_number() {
  std::int64_t found = 0;
  while (step()) found = number(0);
  return found;
}

std::string Statement::text(int column) {
  const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(handle_, column));
  return bytes == nullptr
             ? std::string()
             : std::string(bytes, static_cast<std::size_t>(sqlite3_column_bytes(handle_, column)));
}

Transaction::Transaction(Database& database) : database_(database) {
  database_.require_writable();
  const auto begun = std::chrono::steady_clock::now();
  database_.begin_.start().run();
  const auto waited = std::chrono::duration_cast<Millis>(std::chrono::steady_clock::now() - begun);
  if (waited >= long_wait) {
    log::warning("journal was busy", {{"file", database.path()}, {"ms", waited.count()}});
  }
}

Transaction::~Transaction() {
  if (sqlite3_get_autocommit(database_.handle()) == 0) {
    sqlite3_exec(database_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
  }
}

}  // namespace agneto::journal
