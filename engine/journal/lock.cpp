#include "journal/lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "base/error.h"
#include "base/text.h"

namespace agneto::journal {

namespace {

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

std::string read_owner(int descriptor) {
  std::array<char, 512> text{};
  const ssize_t size = ::pread(descriptor, text.data(), text.size(), 0);
  return printable(
      trim(std::string_view(text.data(), size > 0 ? static_cast<std::size_t>(size) : 0)));
}

// Another process may have removed the file, or put another in its place, while this one opened it.
bool is_file(int descriptor, const std::filesystem::path& path) {
  struct stat opened {};
  struct stat named {};
  return ::fstat(descriptor, &opened) == 0 && ::stat(path.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

}  // namespace

RunLock::RunLock(const std::filesystem::path& file, const std::string& run_id, Time now) {
  const auto fail = [&](std::string_view action) {
    const int cause = errno;
    if (descriptor_ >= 0) {
      ::close(descriptor_);
    }
    throw Error(fmt::format("cannot {} '{}': {}", action, file.string(), std::strerror(cause)));
  };
  while (true) {
    descriptor_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (descriptor_ < 0) {
      fail("open the lock");
    }
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
      if (errno != EWOULDBLOCK) {
        fail("take the lock");
      }
      const std::string owner = read_owner(descriptor_);
      ::close(descriptor_);
      throw Error(fmt::format("run {} is being worked on by {}", run_id,
                              owner.empty() ? "another process" : owner),
                  "wait until it ends, or end that process");
    }
    if (is_file(descriptor_, file)) {
      break;
    }
    ::close(descriptor_);
  }
  const std::string owner =
      fmt::format("process {} on host {} since {}\n", ::getpid(), host_name(), format_time(now));
  const bool written =
      ::ftruncate(descriptor_, 0) == 0 &&
      ::pwrite(descriptor_, owner.data(), owner.size(), 0) == static_cast<ssize_t>(owner.size());
  if (!written) {
    fail("write the lock");
  }
}

RunLock::~RunLock() {
  // The file stays: removing it could part two processes that wait at the same name. Empty, it
  // names no owner that is gone.
  [[maybe_unused]] const int emptied = ::ftruncate(descriptor_, 0);
  ::close(descriptor_);
}

}  // namespace agneto::journal
