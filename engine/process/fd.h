// Owned file descriptors and pipes. All are closed on exec, and above those that a child is given,
// so that handing them on cannot overwrite one another.
#pragma once

#include <utility>

namespace agneto::process {

class Fd {
 public:
  Fd() = default;
  explicit Fd(int fd) : fd_(fd) {}
  Fd(Fd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Fd& operator=(Fd&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Fd() { reset(); }

  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }
  void reset();

 private:
  int fd_ = -1;
};

struct Pipe {
  Fd read;
  Fd write;
};

// Throw Error where the process has no descriptors left.
Pipe make_pipe();
Fd make_event();

void set_nonblocking(const Fd& fd);

}  // namespace agneto::process
