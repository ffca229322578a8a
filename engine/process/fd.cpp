#include "process/fd.h"

#include <fcntl.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "base/error.h"

namespace agneto::process {

namespace {

constexpr int lowest = 10;

// Takes what a system call returned.
Fd owned(int fd, const char* what) {
  Fd result(fd);
  if (result && fd < lowest) result = Fd(fcntl(fd, F_DUPFD_CLOEXEC, lowest));
  if (!result) throw Error(std::string("cannot open ") + what + ": " + std::strerror(errno));
  return result;
}

}  // namespace

void Fd::reset() {
  if (fd_ >= 0) close(std::exchange(fd_, -1));
}

Pipe make_pipe() {
  int ends[2] = {-1, -1};
  if (pipe2(ends, O_CLOEXEC) != 0) ends[0] = ends[1] = -1;
  Pipe pipe;
  pipe.read = owned(ends[0], "a pipe");
  pipe.write = owned(ends[1], "a pipe");
  return pipe;
}

Fd make_event() {
  return owned(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), "an event");
}

void set_nonblocking(const Fd& fd) {
  fcntl(fd.get(), F_SETFL, fcntl(fd.get(), F_GETFL) | O_NONBLOCK);
}

}  // namespace agneto::process
