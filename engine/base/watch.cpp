#include "base/watch.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace agneto {

namespace {

constexpr std::uint32_t changes = IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM |
                                  IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF;

fs::path nearest(fs::path folder) {
  std::error_code error;
  folder = fs::absolute(folder.empty() ? "." : folder, error).lexically_normal();
  while (!fs::is_directory(folder, error) && folder.has_relative_path()) {
    folder = folder.parent_path();
  }
  return folder;
}

}  // namespace

FolderWatch::FolderWatch() : descriptor_(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK)) {
  if (descriptor_ < 0) {
    throw Error(fmt::format("cannot watch files: {}", std::strerror(errno)),
                "close other programs that watch files, or raise fs.inotify.max_user_instances");
  }
}

FolderWatch::~FolderWatch() {
  ::close(descriptor_);
}

void FolderWatch::look_at(const std::set<fs::path>& folders) {
  std::set<int> wanted;
  for (const fs::path& folder : folders) {
    // Asked for again each time: the folder may be another one of the same name.
    const int watch =
        ::inotify_add_watch(descriptor_, nearest(folder).c_str(), changes | IN_ONLYDIR);
    if (watch >= 0) {
      wanted.insert(watch);
    } else if (errno == ENOSPC) {
      throw Error("cannot watch so many folders",
                  "give fewer files, or raise fs.inotify.max_user_watches");
    }
  }
  for (const int watch : watches_) {
    if (!wanted.contains(watch)) ::inotify_rm_watch(descriptor_, watch);
  }
  watches_ = std::move(wanted);
}

bool FolderWatch::readable(int stop, int timeout, bool& stopped) const {
  std::array<pollfd, 2> wait = {{{descriptor_, POLLIN, 0}, {stop, POLLIN, 0}}};
  while (::poll(wait.data(), wait.size(), timeout) < 0 && errno == EINTR) {
  }
  stopped = wait[1].revents != 0;
  return wait[0].revents != 0;
}

void FolderWatch::drop_events() const {
  alignas(inotify_event) std::array<char, 16 * 1024> events;
  while (::read(descriptor_, events.data(), events.size()) > 0) {
  }
}

bool FolderWatch::wait(int stop, std::chrono::milliseconds quiet) {
  bool stopped = false;
  readable(stop, -1, stopped);
  const auto end = std::chrono::steady_clock::now() + 10 * quiet;
  do {
    drop_events();
  } while (!stopped && readable(stop, static_cast<int>(quiet.count()), stopped) &&
           std::chrono::steady_clock::now() < end);
  return !stopped;
}

}  // namespace agneto
