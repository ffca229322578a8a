#include "workspace/locks.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <system_error>

#include "base/error.h"
#include "base/inode.h"
#include "base/log.h"
#include "workspace/git.h"

namespace agneto::workspace {

process::Fd try_lock(const fs::path& file) {
  for (;;) {
    process::Fd opened(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666));
    if (!opened) {
      const std::string what = fmt::format("cannot make '{}'", file.string());
      if (is_disk_full(errno)) throw DiskFull(what);
      throw Error(what + ": " + std::strerror(errno));
    }
    if (::flock(opened.get(), LOCK_EX | LOCK_NB) != 0) return {};
    // Who had it may have removed the file meanwhile.
    if (inode_of(file) == inode_of(opened.get())) return opened;
  }
}

bool is_open(const fs::path& file) {
  std::error_code code, gone;
  const fs::directory_iterator end;
  for (fs::directory_iterator process("/proc", code); process != end; process.increment(code)) {
    for (fs::directory_iterator fd(process->path() / "fd", gone); fd != end; fd.increment(gone)) {
      if (fs::read_symlink(fd->path(), gone) == file) return true;
    }
  }
  return false;
}

void remove_lock(const fs::path& lock) {
  std::error_code none;
  if (is_open(fs::canonical(lock, none)) || !fs::remove(lock, none)) return;
  log::warning("a git lock that was left behind was removed", {{"file", lock.string()}});
}

std::vector<fs::path> ref_locks(const fs::path& common, const std::string& run, Whose whose) {
  const auto is_its = [&](const std::string& name) {
    return name == run || (whose == Whose::and_forks && name.starts_with(run + "."));
  };
  std::vector<fs::path> locks;
  const auto add = [&](const fs::path& file) {
    if (file.extension() == ".lock") locks.push_back(file);
  };
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(common / "refs/agneto", none)) {
    if (!is_its(entry.path().filename())) continue;
    for (const auto& ref : fs::recursive_directory_iterator(entry.path(), none)) add(ref.path());
  }
  for (const auto& ref : fs::directory_iterator(common / "refs/heads/agneto", none)) {
    if (is_its(ref.path().stem())) add(ref.path());
  }
  return locks;
}

void clear_ref_locks(const fs::path& common, const std::string& run, Whose whose) {
  for (const fs::path& lock : ref_locks(common, run, whose)) remove_lock(lock);
}

std::vector<fs::path> stale_locks(const fs::path& repository) {
  constexpr std::chrono::seconds untouched(5);
  forget_caller_repository();
  const fs::path common = common_folder(Git(repository));
  std::vector<fs::path> found;
  std::error_code none;
  const auto look_at = [&](const fs::path& file) {
    if (file.extension() != ".lock" || !fs::is_regular_file(file, none)) return;
    if (fs::file_time_type::clock::now() - fs::last_write_time(file, none) < untouched) return;
    if (!is_open(file)) found.push_back(file);
  };
  for (const char* name : {"config", "config.worktree", "packed-refs", "shallow", "index", "HEAD",
                           "ORIG_HEAD", "info/sparse-checkout"}) {
    look_at(common / (std::string(name) + ".lock"));
  }
  for (const auto& worktree : fs::directory_iterator(common / "worktrees", none)) {
    for (const char* name : {"index.lock", "HEAD.lock", "ORIG_HEAD.lock"}) {
      look_at(worktree.path() / name);
    }
  }
  fs::recursive_directory_iterator ref(common / "refs", none);
  for (; ref != fs::recursive_directory_iterator(); ref.increment(none)) look_at(ref->path());
  std::ranges::sort(found);
  return found;
}

}  // namespace agneto::workspace
