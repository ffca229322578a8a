#include "process/streams.h"

#include <fmt/format.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>

#include "base/text.h"

namespace agneto::process {

// SIGPIPE, which would end the engine, is held back in this thread alone, and taken away again if
// it came from this write.
ssize_t write_quietly(int fd, std::string_view text) {
  sigset_t pipe_signal, before, pending;
  sigemptyset(&pipe_signal);
  sigaddset(&pipe_signal, SIGPIPE);
  sigpending(&pending);
  pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
  const ssize_t written = write(fd, text.data(), text.size());
  const int error = errno;
  if (written < 0 && error == EPIPE && !sigismember(&pending, SIGPIPE)) {
    const timespec now{0, 0};
    while (sigtimedwait(&pipe_signal, nullptr, &now) < 0 && errno == EINTR) {
    }
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return written;
}

Feed::Feed(Fd fd, std::string_view input) : fd_(std::move(fd)), rest_(input) {
  if (rest_.empty()) {
    fd_.reset();
  } else {
    set_nonblocking(fd_);
  }
}

bool Feed::advance() {
  const ssize_t written = write_quietly(fd_.get(), rest_);
  if (written < 0) {
    if (errno != EAGAIN && errno != EINTR) fd_.reset();
    return false;
  }
  rest_.remove_prefix(static_cast<std::size_t>(written));
  if (rest_.empty()) fd_.reset();
  return true;
}

std::string LineSplitter::clean() const {
  std::string_view line = line_;
  if (line.ends_with('\r')) line.remove_suffix(1);
  return valid_utf8(line);
}

void Tail::add(std::string_view text) {
  all_ += text.size();
  kept_.append(text);
  if (kept_.size() > 2 * limit_) kept_.erase(0, kept_.size() - limit_);
}

std::string Tail::text() const {
  std::string_view text = kept_;
  if (text.size() > limit_) text.remove_prefix(text.size() - limit_);
  while (!text.empty() && (text.front() & 0xC0) == 0x80) text.remove_prefix(1);
  if (text.size() == all_) return valid_utf8(text);
  return fmt::format("[{} bytes left out]\n", all_ - text.size()) + valid_utf8(text);
}

std::string_view read_some(Fd& fd, std::string& buffer) {
  constexpr std::size_t size = 1 << 16;
  buffer.resize(size);
  const ssize_t count = read(fd.get(), buffer.data(), size);
  if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) fd.reset();
  return std::string_view(buffer).substr(0, count > 0 ? static_cast<std::size_t>(count) : 0);
}

}  // namespace agneto::process
