#include "lsp/serve.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <future>

#include "base/error.h"
#include "base/pipe.h"
#include "lsp/framing.h"

namespace agneto::lsp {

namespace {

// Runs a job in a thread of its own; a byte in a pipe says that it has ended.
class Background {
 public:
  Background() {
    if (::pipe2(pipe_.data(), O_CLOEXEC) != 0) {
      throw Error(std::string("cannot make a pipe: ") + std::strerror(errno), "",
                  ExitStatus::failed);
    }
  }
  ~Background() {
    if (running_.valid()) running_.wait();
    for (const int fd : pipe_) ::close(fd);
  }
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  bool is_busy() const { return running_.valid(); }
  int fd() const { return pipe_[0]; }

  void start(Job job) {
    running_ = std::async(std::launch::async, [this, job = std::move(job)] {
      Completion completion = job();
      while (::write(pipe_[1], "", 1) < 0 && errno == EINTR) {
      }
      return completion;
    });
  }
  Completion take() {
    char byte = 0;
    while (::read(pipe_[0], &byte, 1) < 0 && errno == EINTR) {
    }
    return running_.get();
  }

 private:
  std::array<int, 2> pipe_{};
  std::future<Completion> running_;
};

bool is_readable(const pollfd& polled) {
  return (polled.revents & (POLLIN | POLLHUP | POLLERR)) != 0;
}

}  // namespace

int serve(Server& server, int in, int out) {
  Decoder decoder;
  Background background;
  std::array<char, 64 * 1024> bytes{};
  bool is_open = true;
  while (true) {
    for (const Json& message : server.take_outgoing()) {
      if (!write_all(out, framed(message))) return 1;
    }
    if (const auto status = server.exit_status()) return *status;
    if (!is_open && !server.is_waiting()) return 1;
    if (!server.is_waiting() && !background.is_busy()) {
      if (Job job = server.next_job()) background.start(std::move(job));
    }
    std::array<pollfd, 2> polled = {{{is_open ? in : -1, POLLIN, 0}, {background.fd(), POLLIN, 0}}};
    if (::poll(polled.data(), polled.size(), server.is_waiting() ? 0 : -1) < 0) {
      if (errno == EINTR) continue;
      return 1;
    }
    if (is_readable(polled[1])) server.finish(background.take());
    if (is_readable(polled[0])) {
      const ssize_t read = ::read(in, bytes.data(), bytes.size());
      if (read > 0) decoder.feed({bytes.data(), static_cast<std::size_t>(read)});
      if (read == 0 || (read < 0 && errno != EINTR)) is_open = false;
      while (const auto frame = decoder.next()) {
        frame->wrong.empty() ? server.receive(frame->content) : server.refuse(frame->wrong);
      }
    } else if (server.is_waiting()) {  // nothing more has come that could cancel it
      server.step();
    }
  }
}

}  // namespace agneto::lsp
