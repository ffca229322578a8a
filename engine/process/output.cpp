#include "process/output.h"

#include <unistd.h>

#include <cerrno>

#include "base/text.h"

namespace agneto::process {

std::string LineSplitter::clean() const {
  std::string_view line = line_;
  if (line.ends_with('\r')) line.remove_suffix(1);
  return valid_utf8(line);
}

void Tail::add(std::string_view text) {
  kept_.append(text);
  if (kept_.size() > 2 * limit_) kept_.erase(0, kept_.size() - limit_);
}

std::string Tail::text() const {
  std::string_view text = kept_;
  if (text.size() > limit_) text.remove_prefix(text.size() - limit_);
  while (!text.empty() && (text.front() & 0xC0) == 0x80) text.remove_prefix(1);
  return valid_utf8(text);
}

std::string_view read_some(Fd& fd, std::string& buffer) {
  constexpr std::size_t size = 1 << 16;
  buffer.resize(size);
  const ssize_t count = read(fd.get(), buffer.data(), size);
  if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) fd.reset();
  return std::string_view(buffer).substr(0, count > 0 ? static_cast<std::size_t>(count) : 0);
}

}  // namespace agneto::process
