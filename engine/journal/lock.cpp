#include "journal/lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>

#include "base/error.h"
#include "base/files.h"
#include "base/inode.h"
#include "base/log.h"
#include "base/text.h"
#include "journal/live_process.h"

namespace agneto::journal {

namespace {

constexpr Millis patience_with_dying{2000};  // with a process that is dying
constexpr Millis pause{20};

// A process's locks do not keep itself out, and closing any descriptor of a file drops them all: so
// a file that is in here, with its owner's text, is not even opened.
std::mutex held_mutex;
std::map<Inode, std::string> held;

std::string read_owner(const std::filesystem::path& file) {
  return printable(trim(Disk().read(file).value_or("").substr(0, 512)));
}

struct flock whole_file() {
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  return lock;
}

// The process that holds the lock, 0 where it cannot be seen from here; nothing: nobody.
std::optional<pid_t> holder(int descriptor) {
  struct flock lock = whole_file();
  if (::fcntl(descriptor, F_GETLK, &lock) != 0 || lock.l_type == F_UNLCK) return std::nullopt;
  return lock.l_pid;
}

// Where it is this process that has the lock, the file is not to be opened: closing it would end
// the lock. So nobody here takes it meanwhile.
std::optional<pid_t> other_holder(const std::filesystem::path& file) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return std::nullopt;
  const auto owner = holder(descriptor);
  ::close(descriptor);
  return owner;
}

}  // namespace

RunLock::RunLock(const std::filesystem::path& file, const std::string& run_id, Time now)
    : path_(file) {
  const auto fail = [&](std::string_view action) {
    const int cause = errno;
    if (descriptor_ >= 0) ::close(descriptor_);
    if (is_disk_full(cause)) throw DiskFull(fmt::format("cannot {} '{}'", action, file.string()));
    const auto what =
        fmt::format("cannot {} '{}': {}", action, file.string(), std::strerror(cause));
    if (cause == EMFILE || cause == ENFILE || cause == ENOMEM || cause == EIO) throw CutOff(what);
    throw Error(what, cause == EACCES
                          ? "work as its owner, or have the right to write it and its folder"
                          : "");
  };
  const auto refuse = [&](const std::string& owner) {
    log::warning("run is locked", {{"file", file.string()}, {"owner", owner}});
    throw held_by(run_id, owner);
  };
  const std::lock_guard guard(held_mutex);
  for (Millis waited{0};;) {
    if (const auto there = inode_of(file); there && held.contains(*there)) refuse(held.at(*there));
    descriptor_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (descriptor_ < 0) fail("open the lock");
    struct flock lock = whole_file();
    if (::fcntl(descriptor_, F_SETLK, &lock) == 0) {
      file_ = inode_of(descriptor_);
      // Another process may have removed the file, or put another in its place, meanwhile.
      if (inode_of(file) == file_) break;
      ::close(descriptor_);
      continue;
    }
    if (errno != EACCES && errno != EAGAIN) fail("take the lock");
    const std::optional<pid_t> owner = holder(descriptor_);
    ::close(descriptor_);
    if (!owner) continue;  // gone just now
    if (!is_dying(*owner) || waited >= patience_with_dying) refuse(read_owner(file));
    std::this_thread::sleep_for(pause);
    waited += pause;
  }
  owner_ = this_owner(now);
  held[file_] = owner_;
  log::debug("run locked", {{"file", file.string()}});
  [[maybe_unused]] const bool written =
      ::ftruncate(descriptor_, 0) == 0 && ::dprintf(descriptor_, "%s\n", owner_.c_str()) > 0;
}

RunLock::~RunLock() {
  const std::lock_guard guard(held_mutex);
  // Another file may be in its place, which somebody else has.
  if (inode_of(path_) == file_) ::unlink(path_.c_str());
  ::close(descriptor_);
  held.erase(file_);
  log::debug("run unlocked", {{"file", path_.string()}});
}

std::optional<int> owner_of(const std::filesystem::path& file) {
  const std::lock_guard guard(held_mutex);
  const auto there = inode_of(file);
  if (!there) return std::nullopt;
  return held.contains(*there) ? ::getpid() : other_holder(file);
}

std::optional<std::string> holder_of(const std::filesystem::path& file) {
  const std::lock_guard guard(held_mutex);
  const auto there = inode_of(file);
  if (!there) return std::nullopt;
  if (held.contains(*there)) return held.at(*there);
  return other_holder(file) ? std::optional(read_owner(file)) : std::nullopt;
}

}  // namespace agneto::journal
