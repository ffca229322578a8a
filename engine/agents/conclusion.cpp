#include "agents/conclusion.h"

#include <utility>

#include "base/text.h"

namespace agneto::agents {
namespace {

// Of a program's own words in a message.
constexpr std::size_t shown = 2000;

}  // namespace

std::string last_words(const std::string& text) {
  const std::string clean = printable(text);
  std::string_view words = trim(clean);
  if (words.size() <= shown) return std::string(words);
  return "…" + valid_utf8(words.substr(words.size() - shown));
}

void fail(Attempt& attempt, std::string event, std::string why) {
  attempt.record.event = std::move(event);
  attempt.record.error = std::move(why);
}

void conclude(Attempt& attempt, const std::optional<std::string>& result,
              const std::optional<std::string>& error) {
  if (error) {
    const std::string words = last_words(*error);
    fail(attempt, "error.exit", words.empty() ? "the provider reports an error" : words);
  } else if (!result || trim(*result).empty()) {
    fail(attempt, "error.exit", "the reply is empty");
  } else {
    attempt.record.text = valid_utf8(*result);
  }
}

}  // namespace agneto::agents
