// A child's stdin: written as far as it takes it, closed behind the last byte.
#pragma once

#include <sys/types.h>

#include <string_view>

#include "process/fd.h"

namespace agneto::process {

// write(2), except that a pipe which nobody reads is EPIPE and no signal.
ssize_t write_quietly(int fd, std::string_view text);

class Feed {
 public:
  // `input` must outlive the feed.
  Feed(Fd fd, std::string_view input);

  // To poll for POLLOUT; -1 when all is written, or nobody reads it.
  int fd() const { return fd_.get(); }
  // Writes without blocking. True if the reader took something.
  bool advance();

 private:
  Fd fd_;
  std::string_view rest_;
};

}  // namespace agneto::process
