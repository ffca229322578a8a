#include "model/values.h"

namespace agneto::model {

namespace {

using yaml::Kind;
using yaml::Node;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Decimal digits only: JSON's grammar, so that nobody reads 0x10 or 1_000 differently.
template <typename Number>
std::optional<Number> parse(const Node& node) {
  const bool plain = node.kind == Kind::scalar && node.is_plain();
  if (!plain || node.text.empty() || !is_digit(node.text.front())) return std::nullopt;
  return parse_number<Number>(node.text);
}

}  // namespace

std::optional<bool> as_boolean(const Node& node) {
  if (node.kind != Kind::scalar || !node.is_plain()) return std::nullopt;
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
    const bool fits = at_start ? is_word(c) && !is_digit(c) : is_word(c) || c == '-' || c == '.';
    if (!fits || (c == '.' && !dots)) return false;
    at_start = c == '.';
  }
  return !at_start;
}

}  // namespace agneto::model
