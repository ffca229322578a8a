#include "run/private_home.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "base/files.h"
#include "process/fd.h"

namespace agneto::run {

namespace fs = std::filesystem;
using process::Fd;

namespace {

[[noreturn]] void fail(const fs::path& path) {
  throw Error("cannot write '" + path.string() + "': " + std::strerror(errno),
              "remove what is in its place");
}

// The folder, made where it is not there, and nothing where something else is in its place.
Fd folder_in(const Fd& parent, const fs::path& name) {
  ::mkdirat(parent.get(), name.c_str(), 0700);
  return Fd(::openat(parent.get(), name.c_str(), O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

bool is_older(const Fd& folder, const fs::path& name, const struct stat& than) {
  struct stat there {};
  if (::fstatat(folder.get(), name.c_str(), &there, AT_SYMLINK_NOFOLLOW) != 0) return true;
  const timespec &a = there.st_mtim, &b = than.st_mtim;
  return a.tv_sec < b.tv_sec || (a.tv_sec == b.tv_sec && a.tv_nsec < b.tv_nsec);
}

// `path`: below the home.
void put(const Fd& home, const fs::path& where, const fs::path& path, const std::string& text,
         const struct stat& from) {
  Fd folder(::dup(home.get()));
  for (const fs::path& part : path.parent_path()) {
    folder = folder_in(folder, part);
    if (!folder) fail(where / path);
  }
  const fs::path name = path.filename();
  if (!is_older(folder, name, from)) return;
  ::unlinkat(folder.get(), name.c_str(), 0);
  const Fd file(::openat(folder.get(), name.c_str(),
                         O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file || ::write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
    fail(where / path);
  }
  const timespec times[] = {from.st_atim, from.st_mtim};
  ::futimens(file.get(), times);
}

}  // namespace

void furnish_home(const fs::path& home, const fs::path& from,
                  const std::vector<std::string>& files) {
  std::error_code failure;
  fs::create_directories(home.parent_path(), failure);
  ::mkdir(home.c_str(), 0700);
  const Fd folder(::open(home.c_str(), O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!folder) fail(home);
  for (const std::string& file : files) {
    struct stat there {};
    const auto text = Disk().read(from / file);
    if (text && ::stat((from / file).c_str(), &there) == 0) put(folder, home, file, *text, there);
  }
}

}  // namespace agneto::run
