#include "agents/stream.h"

namespace agneto::agents {
namespace {

// Beside its text, for how many there may be.
constexpr std::size_t of_each = 32;

}  // namespace

void Stream::say(const char* kind, std::string_view text) {
  if (size_ <= most_kept) {
    size_ += text.size() + of_each;
    const bool fits = size_ <= most_kept;
    kept_.push_back({clock_.elapsed() - begin_, fits ? kind : "cut", fits ? valid_utf8(text) : ""});
  }
  recorder_.progress(kind, std::string(text));
}

}  // namespace agneto::agents
