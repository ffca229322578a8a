#include "run/sandbox/private_home.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "base/files.h"
#include "base/json.h"
#include "process/fd.h"

namespace agneto::run {

namespace fs = std::filesystem;
using process::Fd;

namespace {

[[noreturn]] void refuse_place(const fs::path& path) {
  if (is_disk_full(errno)) throw DiskFull("cannot write '" + path.string() + "'");
  throw Error("cannot write '" + path.string() + "': " + std::strerror(errno),
              "remove what is in its place");
}

// One folder of the home, open.
class Place {
 public:
  explicit Place(const fs::path& home)
      : path_(home), folder_(::open(home.c_str(), O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)) {
    if (!folder_) refuse_place(path_);
  }

  // Goes into a folder in it, and makes that where it is not there.
  void enter(const fs::path& relative) {
    for (const fs::path& part : relative) {
      path_ /= part;
      ::mkdirat(folder_.get(), part.c_str(), 0700);
      folder_ = Fd(::openat(folder_.get(), part.c_str(), O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
      if (!folder_) refuse_place(path_);
    }
  }
  bool has(const fs::path& name) const {
    struct stat there {};
    return ::fstatat(folder_.get(), name.c_str(), &there, AT_SYMLINK_NOFOLLOW) == 0;
  }
  // A file that can be mounted on. What is there may be no link.
  void make_file(const fs::path& name) const {
    const Fd file(::openat(folder_.get(), name.c_str(),
                           O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600));
    if (!file) refuse_place(path_ / name);
  }
  // In place of whatever is there.
  void write(const fs::path& name, const std::string& text) const {
    const std::string fresh = name.string() + ".agneto-new";
    ::unlinkat(folder_.get(), fresh.c_str(), 0);
    const Fd file(::openat(folder_.get(), fresh.c_str(),
                           O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    const auto size = static_cast<ssize_t>(text.size());
    if (!file || ::write(file.get(), text.data(), text.size()) != size ||
        ::renameat(folder_.get(), fresh.c_str(), folder_.get(), name.c_str()) != 0) {
      refuse_place(path_ / name);
    }
  }

 private:
  fs::path path_;
  Fd folder_;
};

fs::path beside(const fs::path& home, const char* end) {
  return home.string() + end;
}

// By which it is seen that a file has changed; empty: there is none.
std::string stamp_of(const fs::path& file) {
  struct stat it {};
  if (::stat(file.c_str(), &it) != 0) return "";
  return fmt::format("{}.{} {} {}", it.st_mtim.tv_sec, it.st_mtim.tv_nsec, it.st_size, it.st_ino);
}

// Folders that cannot be listed, such as those of Go's modules, can be then.
void open_up(const fs::path& folder) {
  std::error_code none;
  if (fs::symlink_status(folder, none).type() != fs::file_type::directory) return;
  fs::permissions(folder, fs::perms::owner_all, fs::perm_options::add, none);
  for (const auto& entry : fs::directory_iterator(folder, none)) open_up(entry.path());
}

}  // namespace

fs::path private_home(const fs::path& agneto, const std::string& run_id) {
  return agneto / "homes" / run_id;
}

std::set<std::string> runs_with_homes(const fs::path& agneto) {
  std::set<std::string> runs;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(agneto / "homes", none)) {
    const std::string name = entry.path().filename();
    if (name.find('.') == name.npos) runs.insert(name);
  }
  return runs;
}

void furnish_home(const fs::path& home, const fs::path& from,
                  const std::vector<std::string>& files) {
  std::error_code failure;
  fs::create_directories(home.parent_path(), failure);
  if (::mkdir(home.c_str(), 0700) != 0) ::chmod(home.c_str(), 0700);
  const fs::path record = beside(home, ".copied");
  const Json before = Json::parse(Disk().read(record).value_or("{}"), nullptr, false);
  Json copied = before.is_object() ? before : Json::object();
  const Place there(home);
  for (const std::string& file : files) {
    const fs::path path(file);
    const std::string stamp = from.empty() ? "" : stamp_of(from / path);
    if (stamp.empty()) continue;
    Place place(home);
    place.enter(path.parent_path());
    if (copied.value(file, "") == stamp && place.has(path.filename())) continue;
    const auto text = Disk().read(from / path);
    if (!text) continue;
    place.write(path.filename(), *text);
    copied[file] = stamp;
  }
  if (copied != before) write_file(record, copied.dump());
}

void make_ways(const fs::path& home, const fs::path& shown_at,
               const script::Confinement& confinement) {
  for (auto mount = confinement.mounts.begin(); mount != confinement.mounts.end(); ++mount) {
    const fs::path path(mount->path);
    if (path == shown_at || shown_at.empty() || !is_within(path, shown_at)) continue;
    // What is in another mount is not in the home; folders on the way come before.
    const bool is_elsewhere =
        std::any_of(confinement.mounts.begin(), mount, [&](const auto& other) {
          return other.path != shown_at && is_within(path, other.path) &&
                 !is_within(other.from, home);
        });
    if (is_elsewhere) continue;
    const fs::path relative = path.lexically_relative(shown_at);
    std::error_code none;
    const bool is_folder =
        mount->from.empty() || is_within(mount->from, home) || fs::is_directory(mount->from, none);
    Place place(home);
    place.enter(is_folder ? relative : relative.parent_path());
    if (!is_folder) place.make_file(relative.filename());
  }
}

bool remove_home(const fs::path& home) {
  bool is_gone = true;
  for (const char* end : {"", ".git", ".copied"}) is_gone &= remove_tree(beside(home, end));
  return is_gone;
}

bool remove_tree(const fs::path& folder) {
  open_up(folder);
  std::error_code failure;
  fs::remove_all(folder, failure);
  return !failure;
}

}  // namespace agneto::run
