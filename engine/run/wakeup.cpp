#include "run/wakeup.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>

#include "base/error.h"
#include "base/inode.h"

namespace agneto::run {

namespace {

// Its FIFO, to be written to; -1: nobody listens there.
int open_of_listener(const fs::path& file) {
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
  struct stat status {};
  if (descriptor >= 0 && (::fstat(descriptor, &status) != 0 || !S_ISFIFO(status.st_mode))) {
    ::close(descriptor);
    return -1;
  }
  return descriptor;
}

}  // namespace

WakeupListener::WakeupListener(fs::path file, std::function<void()> woken)
    : file_(std::move(file)), woken_(std::move(woken)) {
  ::unlink(file_.c_str());
  const bool made = ::mkfifo(file_.c_str(), 0600) == 0;
  // Open for writing too: so it has no end when those who write close it.
  if (made) descriptor_ = ::open(file_.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
  if (descriptor_ < 0) {
    const int cause = errno;
    const std::string what = fmt::format("cannot make '{}'", file_.string());
    if (is_disk_full(cause)) throw DiskFull(what);
    throw Error(what + ": " + std::strerror(cause));
  }
  made_ = inode_of(descriptor_);
  stop_ = ::eventfd(0, EFD_CLOEXEC);
  thread_ = std::thread([this] { listen(); });
}

WakeupListener::~WakeupListener() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = ::write(stop_, &one, sizeof one);
  thread_.join();
  // Another owner may have made its own there.
  if (inode_of(file_) == made_) ::unlink(file_.c_str());
  ::close(descriptor_);
  ::close(stop_);
}

void WakeupListener::listen() const {
  while (true) {
    std::array<pollfd, 2> wait = {{{descriptor_, POLLIN, 0}, {stop_, POLLIN, 0}}};
    if (::poll(wait.data(), wait.size(), -1) < 0) continue;
    if (wait[1].revents != 0) return;
    std::array<char, 64> bytes{};
    if (::read(descriptor_, bytes.data(), bytes.size()) > 0) woken_();
  }
}

bool wake_up(const fs::path& file) {
  const int descriptor = open_of_listener(file);
  if (descriptor < 0) return false;
  // A FIFO that is full wakes the owner all the same.
  [[maybe_unused]] const auto written = ::write(descriptor, "!", 1);
  ::close(descriptor);
  return true;
}

bool is_listened_to(const fs::path& file) {
  const int descriptor = open_of_listener(file);
  if (descriptor >= 0) ::close(descriptor);
  return descriptor >= 0;
}

}  // namespace agneto::run
