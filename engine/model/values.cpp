#include "model/values.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace agneto::model {

namespace {

using yaml::Kind;
using yaml::Node;
using yaml::Style;

bool is_letter(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Decimal digits only: JSON's grammar, so that nobody reads 0x10 or 1_000 differently.
template <typename Number>
std::optional<Number> parse(const Node& node) {
  if (node.kind != Kind::scalar || node.style != Style::plain) return std::nullopt;
  const std::string& text = node.text;
  if (text.empty() || !is_digit(text.front())) return std::nullopt;
  Number number{};
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stopped != end) return std::nullopt;
  return number;
}

}  // namespace

std::optional<bool> as_boolean(const Node& node) {
  if (node.kind != Kind::scalar || node.style != Style::plain) return std::nullopt;
  if (node.text == "true") return true;
  if (node.text == "false") return false;
  return std::nullopt;
}

std::optional<int> as_integer(const Node& node) {
  return parse<int>(node);
}

std::optional<double> as_number(const Node& node) {
  return parse<double>(node);
}

std::optional<Millis> as_duration(const Node& node) {
  if (node.kind != Kind::scalar) return std::nullopt;
  return parse_duration(node.text);
}

std::optional<std::string_view> as_text(const Node& node) {
  if (node.kind != Kind::scalar) return std::nullopt;
  return node.text;
}

bool is_name(std::string_view text, bool dots) {
  bool at_start = true;  // of a word
  for (const char c : text) {
    if (at_start ? !is_letter(c) : !(is_letter(c) || is_digit(c) || c == '-' || c == '.')) {
      return false;
    }
    if (c == '.' && !dots) return false;
    at_start = c == '.';
  }
  return !at_start;
}

}  // namespace agneto::model
