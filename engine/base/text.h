// Small helpers over text, which is UTF-8 unless said.
#pragma once

#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace agneto {

using Millis = std::chrono::milliseconds;

// The candidate nearest to `name` if it is near enough to be a slip of the hand; else empty.
std::string closest(std::string_view name, const std::vector<std::string>& candidates);
// The one candidate that is near enough; empty where there is none, or more than one.
std::string only_near(std::string_view name, const std::vector<std::string>& candidates);
// "did you mean 'X'?" or, where nothing is near, "known KIND: A, B, C" (at most 12), or empty.
std::string suggestion(std::string_view name, const std::vector<std::string>& candidates,
                       std::string_view kind);

// What `items` are called; each has a `name`.
std::vector<std::string> names_of(const auto& items) {
  std::vector<std::string> names;
  for (const auto& item : items) names.emplace_back(item.name);
  return names;
}

// The number that the whole text is, as std::from_chars reads it (which may be told an integer's
// base); nothing where it is none, or one that does not fit.
template <typename Number>
std::optional<Number> parse_number(std::string_view text, auto... base) {
  Number number{};
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number, base...);
  if (error != std::errc() || stopped != end) return std::nullopt;
  return number;
}

// "500ms", "10s", "5m", "24h", "2d", "1h30m"; no sign, no spaces, larger units
// first, at most 100 years. Nothing on anything else.
std::optional<Millis> parse_duration(std::string_view text);
// "1h 2m", "3.4s", "120ms": for people, two units at most.
std::string format_duration(Millis duration);

struct Character {
  char32_t code = 0;
  std::size_t size = 0;  // bytes; at least 1, so that a loop over a text always ends
  bool valid = false;    // else `size` bytes that begin no character
};

// The character at `offset`, which must be inside the text. Overlong forms, surrogates and what is
// past U+10FFFF are not valid.
Character character_at(std::string_view text, std::size_t offset);

// Replaces what is not valid UTF-8 by U+FFFD.
std::string valid_utf8(std::string_view text);
// Removes terminal escape sequences, other control characters but \n and \t, and the marks that
// reverse the direction of text; what is left cannot move the cursor nor hide itself.
std::string printable(std::string_view text);
// Keeps at most `limit` bytes, cuts at a character, and says "… (N bytes more)" where it has cut.
std::string shortened(std::string_view text, std::size_t limit);
// How many columns a terminal needs: wide characters take two, combining ones none.
std::size_t display_width(std::string_view text);

// Gives the lines without their ends ("\n" or "\r\n"). A line end at the end of the text starts no
// further line.
std::vector<std::string_view> split_lines(std::string_view text);
std::string_view trim(std::string_view text);
// The text with small letters for the capital ones of ASCII.
std::string lower(std::string_view text);
std::string join(const std::vector<std::string>& parts, std::string_view separator);
// The text with `by` wherever it has `what`, which is not empty.
std::string replaced(std::string text, std::string_view what, std::string_view by);
// Is it an ASCII letter, a digit or an underscore?
constexpr bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}
// True where `prefix` is followed by the end or by what is no letter, digit or underscore.
bool starts_with_word(std::string_view text, std::string_view prefix);

// As it stands in an address: "%20" for what is no ASCII letter, no digit and not in `plain`.
std::string percent_escaped(std::string_view text, std::string_view plain);

// Lower-case hexadecimal SHA-256.
std::string sha256(std::string_view text);

}  // namespace agneto
