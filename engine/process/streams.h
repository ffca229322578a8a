// A child's streams. Its input is written as far as it takes it, and closed behind the last byte;
// its output is read without blocking, cut into lines, kept within bounds.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

#include "process/fd.h"

namespace agneto::process {

// write(2), except that a pipe which nobody reads is EPIPE and no signal.
ssize_t write_quietly(int fd, std::string_view text);

class Feed {
 public:
  // `input` must outlive the feed.
  Feed(Fd fd, std::string_view input);

  // What to poll for POLLOUT; -1 when all is written, or nobody reads it.
  int fd() const { return fd_.get(); }
  // Writes without blocking. True if the reader took something.
  bool advance();

 private:
  Fd fd_;
  std::string_view rest_;
};

// Cuts a stream into lines of at most `limit` bytes; what is longer loses its rest.
class LineSplitter {
 public:
  explicit LineSplitter(std::size_t limit) : limit_(limit) {}

  // Calls `take(line)` for each line that ends here: valid UTF-8, without its end.
  template <typename Take>
  void add(std::string_view text, Take take) {
    for (;;) {
      const std::size_t end = text.find('\n');
      const std::string_view part = text.substr(0, end);
      line_.append(part.substr(0, limit_ - line_.size()));
      open_ |= !part.empty();
      if (end == std::string_view::npos) return;
      finish(take);
      text.remove_prefix(end + 1);
    }
  }
  // The last line, if the stream did not end in a newline.
  template <typename Take>
  void end(Take take) {
    if (open_) finish(take);
  }

 private:
  template <typename Take>
  void finish(Take take) {
    const std::string line = clean();
    line_.clear();
    open_ = false;
    take(std::string_view(line));
  }
  std::string clean() const;

  std::size_t limit_;
  std::string line_;
  bool open_ = false;
};

// The last `limit` bytes of a text.
class Tail {
 public:
  explicit Tail(std::size_t limit) : limit_(limit) {}
  void add(std::string_view text);
  // Valid UTF-8, from the first whole character. Where something was left out, its first line says
  // how much.
  std::string text() const;

 private:
  std::size_t limit_;
  std::size_t all_ = 0;  // bytes that were added
  std::string kept_;     // about twice the limit at most, so that it is rarely moved
};

// Reads what is there, up to a bound. The view holds until the next read; it is empty where nothing
// is there now, and `fd` is closed at the stream's end.
std::string_view read_some(Fd& fd, std::string& buffer);

}  // namespace agneto::process
