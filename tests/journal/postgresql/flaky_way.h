// Stands between a program and a PostgreSQL server, and cuts the connection at a chosen moment.
#pragma once

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "support/temporary_folder.h"

namespace agneto::testing {

class FlakyWay {
 public:
  enum class Cut {
    none,
    question,  // what is sent next does not come to the server
    answer,    // it does, but not what the server says to it
  };

  // To the server whose socket is in `folder`.
  explicit FlakyWay(const std::string& folder) : server_(folder + "/.s.PGSQL.5432") {
    const sockaddr_un address = at((folder_ / ".s.PGSQL.5432").string());
    if (::bind(listening_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
        ::listen(listening_, 16) != 0) {
      throw std::runtime_error("cannot listen");
    }
    accepting_ = std::jthread([this](const std::stop_token& stop) { accept(stop); });
  }
  ~FlakyWay() {
    accepting_ = {};
    carrying_.clear();
    ::close(listening_);
  }
  FlakyWay(const FlakyWay&) = delete;
  FlakyWay& operator=(const FlakyWay&) = delete;

  std::string folder() const { return folder_.path(); }
  // Happens once, to the one after the next `before`; `meanwhile` is done before the client sees
  // it.
  void cut(
      Cut next, int before = 0, std::function<void()> meanwhile = [] {}) {
    const std::lock_guard lock(mutex_);
    next_ = {next, before, std::move(meanwhile)};
  }
  bool has_cut() const {
    const std::lock_guard lock(mutex_);
    return next_.cut == Cut::none;
  }

 private:
  static sockaddr_un at(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    return address;
  }

  void accept(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      pollfd incoming{listening_, POLLIN, 0};
      if (::poll(&incoming, 1, 10) != 1) continue;
      const int client = ::accept4(listening_, nullptr, nullptr, SOCK_CLOEXEC);
      carrying_.emplace_back(
          [this, client](const std::stop_token& stopped) { carry(client, stopped); });
    }
  }

  void carry(int client, const std::stop_token& stop) {
    const int server = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const sockaddr_un address = at(server_);
    bool open = ::connect(server, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    while (open && !stop.stop_requested()) {
      std::array<pollfd, 2> ends{{{client, POLLIN, 0}, {server, POLLIN, 0}}};
      if (::poll(ends.data(), 2, 10) < 1) continue;
      if (ends[0].revents != 0) open = pass(client, server, Cut::question);
      if (open && ends[1].revents != 0) open = pass(server, client, Cut::answer);
    }
    ::close(server);
    ::close(client);
  }

  bool pass(int from, int to, Cut cut_by) {
    std::array<char, 65536> bytes{};
    const ssize_t size = ::recv(from, bytes.data(), bytes.size(), 0);
    if (size <= 0) return false;
    if (const auto meanwhile = begin_to_cut(cut_by)) {
      meanwhile();
      return false;
    }
    return ::send(to, bytes.data(), static_cast<std::size_t>(size), MSG_NOSIGNAL) == size;
  }

  // Empty: it passes.
  std::function<void()> begin_to_cut(Cut by) {
    const std::lock_guard lock(mutex_);
    if (next_.cut != by || next_.before-- > 0) return {};
    next_.cut = Cut::none;
    return next_.meanwhile;
  }

  const std::string server_;
  TemporaryFolder folder_;
  const int listening_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  struct Next {
    Cut cut = Cut::none;
    int before = 0;
    std::function<void()> meanwhile = {};
  };
  mutable std::mutex mutex_;
  Next next_;
  std::vector<std::jthread> carrying_;
  std::jthread accepting_;
};

}  // namespace agneto::testing
