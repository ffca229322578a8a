// Messages as lines of text.
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "base/pipe.h"
#include "serve/mcp.h"

namespace agneto::serve {

void serve(Mcp& mcp, int in, int out) {
  const auto say = [out](const Json& message) { return write_all(out, to_text(message) + "\n"); };
  std::string line;
  bool skips = false;  // the rest of a line that is too long
  std::array<char, 65536> bytes{};
  while (true) {
    const ssize_t read = ::read(in, bytes.data(), bytes.size());
    if (read < 0 && errno == EINTR) continue;
    if (read < 0) {
      throw Error(std::string("standard input cannot be read: ") + std::strerror(errno), "",
                  ExitStatus::failed);
    }
    if (read == 0) {
      if (const auto answer = mcp.answer(line)) say(*answer);
      return;
    }
    for (const char byte : std::string_view(bytes.data(), static_cast<std::size_t>(read))) {
      if (byte == '\n') {
        const auto answer = mcp.answer(line);
        line.clear();
        skips = false;
        if (answer && !say(*answer)) return;
      } else if (!skips && line.size() == Mcp::longest_line) {
        line.clear();
        skips = true;
        if (!say(Mcp::too_long())) return;
      } else if (!skips) {
        line += byte;
      }
    }
  }
}

}  // namespace agneto::serve
