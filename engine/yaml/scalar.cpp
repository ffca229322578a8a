#include "yaml/scalar.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/text.h"
#include "yaml/rules.h"

namespace agneto::yaml {

namespace {

constexpr std::string_view decimal_digits = "0123456789";
constexpr std::string_view hex_digits = "0123456789abcdefABCDEF";

bool is_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

bool all_in(std::string_view text, std::string_view set) {
  return !text.empty() && text.find_first_not_of(set) == std::string_view::npos;
}

std::string_view without_sign(std::string_view text) {
  return text.starts_with('-') || text.starts_with('+') ? text.substr(1) : text;
}

bool is_true(std::string_view text) {
  return is_any(text, {"true", "True", "TRUE"});
}
bool is_false(std::string_view text) {
  return is_any(text, {"false", "False", "FALSE"});
}
bool is_not_finite(std::string_view text) {
  return is_any(without_sign(text), {".inf", ".Inf", ".INF"}) ||
         is_any(text, {".nan", ".NaN", ".NAN"});
}

// [-+]? [0-9]+, or 0o and 0x without a sign
bool is_integer(std::string_view text) {
  return all_in(without_sign(text), decimal_digits) ||
         (text.starts_with("0o") && all_in(text.substr(2), "01234567")) ||
         (text.starts_with("0x") && all_in(text.substr(2), hex_digits));
}

// The parts of [-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?
struct Float {
  bool dot = false;
  bool exponent = false;
  bool exponent_sign = false;
};

std::optional<Float> read_float(std::string_view text) {
  Float parts;
  text = without_sign(text);
  const std::size_t mark = text.find_first_of("eE");
  if (mark != std::string_view::npos) {
    const std::string_view exponent = text.substr(mark + 1);
    parts.exponent = true;
    parts.exponent_sign = without_sign(exponent).size() != exponent.size();
    if (!all_in(without_sign(exponent), decimal_digits)) return std::nullopt;
  }
  const std::string_view mantissa = text.substr(0, mark);
  const std::size_t dot = mantissa.find('.');
  parts.dot = dot != std::string_view::npos;
  const std::string_view whole = mantissa.substr(0, dot);
  const std::string_view rest = parts.dot ? mantissa.substr(dot + 1) : std::string_view();
  const bool valid = whole.empty() ? all_in(rest, decimal_digits)
                                   : all_in(whole, decimal_digits) &&
                                         (rest.empty() || all_in(rest, decimal_digits));
  return valid ? std::optional(parts) : std::nullopt;
}

// Integers of YAML 1.1 alone: 010 (8), 0b11, 1_000, -0x1F, and 12:30 in base 60.
bool is_old_number(std::string_view text) {
  const std::string_view digits = without_sign(text);
  if (digits.empty() || decimal_digits.find(digits.front()) == std::string_view::npos) return false;
  if (digits.starts_with("0b")) return all_in(digits.substr(2), "01_");
  if (digits.starts_with("0x")) {
    return all_in(digits.substr(2), "0123456789abcdefABCDEF_") &&
           (digits.size() < text.size() || digits.find('_') != std::string_view::npos);
  }
  if (digits.find('_') != std::string_view::npos) return all_in(digits, "0123456789_.");
  if (digits.find(':') != std::string_view::npos) {
    return all_in(digits, "0123456789:.") &&
           decimal_digits.find(digits.back()) != std::string_view::npos;
  }
  return digits.size() > 1 && digits.front() == '0' && all_in(digits, decimal_digits);
}

// 2026-01-31, alone or with a time behind it.
bool is_date(std::string_view text) {
  const std::size_t year = text.find('-');
  const std::size_t month = year == 4 ? text.find('-', 5) : std::string_view::npos;
  if (month == std::string_view::npos || !all_in(text.substr(0, 4), decimal_digits)) return false;
  const std::string_view day =
      text.substr(month + 1, text.find_first_of("Tt \t", month) - month - 1);
  const std::string_view months = text.substr(5, month - 5);
  return all_in(months, decimal_digits) && months.size() <= 2 && all_in(day, decimal_digits) &&
         day.size() <= 2;
}

Json too_large(const Node& node, std::string_view why, Diagnostics& diagnostics) {
  diagnostics.report(rules::number_too_large, node.span,
                     fmt::format("the number {} {}", node.text, why), "quote it to make it a text");
  return nullptr;
}

Json integer(const Node& node, Diagnostics& diagnostics) {
  std::string_view text = node.text;
  const int base = text.starts_with("0x") ? 16 : text.starts_with("0o") ? 8 : 10;
  text.remove_prefix(base != 10 ? 2 : text.starts_with('+') ? 1 : 0);
  const auto value = parse_number<std::int64_t>(text, base);
  return value ? Json(*value) : too_large(node, "does not fit into 64 bits", diagnostics);
}

Json real(const Node& node, Diagnostics& diagnostics) {
  std::string_view text = node.text;
  text.remove_prefix(text.starts_with('+') ? 1 : 0);
  const auto value = is_not_finite(node.text) ? std::nullopt : parse_number<double>(text);
  return value ? Json(*value) : too_large(node, "cannot be stored", diagnostics);
}

Json scalar(const Node& node, Diagnostics& diagnostics) {
  if (!node.is_plain()) return node.text;
  if (ambiguous(node)) {
    report_ambiguous(node, diagnostics);
    return node.text;
  }
  if (is_true(node.text) || is_false(node.text)) return is_true(node.text);
  if (is_integer(node.text)) return integer(node, diagnostics);
  return is_text(node) ? Json(node.text) : real(node, diagnostics);
}

}  // namespace

bool ambiguous(const Node& node) {
  if (node.kind != Kind::scalar || !node.is_plain()) return false;
  const std::string_view text = node.text;
  if (is_any(text, {"y", "Y", "n", "N", "yes", "Yes", "YES", "no", "No", "NO", "on", "On", "ON",
                    "off", "Off", "OFF"})) {
    return true;
  }
  if (text.starts_with("0o") && is_integer(text)) return true;
  if (const auto parts = read_float(text)) {
    return is_old_number(text) || (parts->exponent && !(parts->dot && parts->exponent_sign));
  }
  return is_old_number(text) || is_date(text);
}

bool is_text(const Node& node) {
  const std::string_view text = node.text;
  return node.kind == Kind::scalar &&
         (!node.is_plain() || !(is_true(text) || is_false(text) || is_integer(text) ||
                                is_not_finite(text) || read_float(text)));
}

Diagnostic& report_ambiguous(const Node& node, Diagnostics& diagnostics) {
  return diagnostics.report(
      rules::ambiguous_scalar, node.span,
      fmt::format("'{}' is read differently by different readers of YAML", node.text),
      fmt::format("quote it if it is a text ('{}'), else write true, false or a decimal number",
                  node.text));
}

std::string quoted(std::string_view text) {
  if (text.find('\'') != std::string_view::npos &&
      text.find_first_of("\"\\") == std::string_view::npos) {
    return fmt::format("\"{}\"", text);
  }
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("''") : std::string(1, c);
  return result + "'";
}

Json to_json(const Node& node, Diagnostics& diagnostics) {
  switch (node.kind) {
    case Kind::null:
      return nullptr;
    case Kind::scalar:
      return scalar(node, diagnostics);
    case Kind::sequence: {
      Json list = Json::array();
      for (const Node& item : node.items) list.push_back(to_json(item, diagnostics));
      return list;
    }
    case Kind::map:
      break;
  }
  Json object = Json::object();
  for (const Entry& entry : node.entries) {
    object[entry.key.text] = to_json(entry.value, diagnostics);
  }
  return object;
}

}  // namespace agneto::yaml
