#include "yaml/writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>

#include "base/text.h"
#include "yaml/scalar.h"

namespace agneto::yaml {

namespace {

constexpr std::size_t widest = 100;  // columns of a line that holds a whole map or list

// Characters that cannot stand as they are: control characters, and what some take for a line end
// or for the beginning of a file.
bool needs_escape(char32_t code) {
  return (code < 0x20 && code != '\n' && code != '\t') || (code >= 0x7F && code < 0xA0) ||
         code == 0x2028 || code == 0x2029 || code == 0xFEFF || (code >= 0xFFC0 && code <= 0xFFFF);
}

bool needs_escape(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); i += character_at(text, i).size) {
    if (needs_escape(character_at(text, i).code)) return true;
  }
  return false;
}

std::string double_quoted(std::string_view text) {
  std::string result = "\"";
  for (std::size_t i = 0; i < text.size();) {
    const Character c = character_at(text, i);
    const auto code = static_cast<unsigned>(c.code);
    if (code == '"' || code == '\\') {
      result += {'\\', text[i]};
    } else if (code == '\n' || code == '\t') {
      result += code == '\n' ? "\\n" : "\\t";
    } else if (needs_escape(c.code)) {
      result += code < 0x100 ? fmt::format("\\x{:02x}", code) : fmt::format("\\u{:04x}", code);
    } else {
      result += text.substr(i, c.size);
    }
    i += c.size;
  }
  return result + '"';
}

// Does it mean its own text without quotes, in a map or list on one line as well?
bool is_plain(std::string_view text) {
  if (text.empty() || text.back() == ' ' || text.find_first_of(",[]{}#:?\n\t") != text.npos) {
    return false;
  }
  const auto first = static_cast<unsigned char>(text.front());
  if (std::isalnum(first) == 0 && first != '_' && first != '/' && first < 0x80) return false;
  if (text == "null" || text == "Null" || text == "NULL") return false;
  Node node;
  node.kind = Kind::scalar;
  node.text = std::string(text);
  return is_text(node) && !ambiguous(node);
}

std::string on_one_line(std::string_view text) {
  if (needs_escape(text) || text.find('\n') != text.npos) return double_quoted(text);
  return is_plain(text) ? std::string(text) : quoted(text);
}

std::string scalar(const Ordered& value) {
  if (value.is_string()) return on_one_line(value.get_ref<const std::string&>());
  std::string text = value.dump();
  // All readers of YAML take a number with an exponent for one where it has a dot as well.
  const auto exponent = value.is_number_float() ? text.find('e') : text.npos;
  if (exponent != text.npos && text.find('.') == text.npos) text.insert(exponent, ".0");
  return text;
}

bool is_block(const Ordered& value) {
  if (!value.is_string()) return false;
  const auto& text = value.get_ref<const std::string&>();
  return text.find('\n') != text.npos && text.find_first_not_of('\n') != text.npos &&
         !needs_escape(text);
}

// On one line of at most `room` columns; nothing where it does not fit.
std::optional<std::string> flow(const Ordered& value, std::size_t room) {
  if (is_block(value)) return std::nullopt;
  if (!value.is_structured()) {
    std::string text = scalar(value);
    return display_width(text) <= room ? std::optional(text) : std::nullopt;
  }
  std::string line(1, value.is_object() ? '{' : '[');
  for (const auto& [key, item] : value.items()) {
    if (line.size() > 1) line += ", ";
    if (value.is_object()) line += on_one_line(key) + ": ";
    const auto text = flow(item, room);
    if (!text) return std::nullopt;
    line += *text;
  }
  line += value.is_object() ? '}' : ']';
  return display_width(line) <= room ? std::optional(line) : std::nullopt;
}

Ordered ordered(const Node& node) {
  if (node.kind == Kind::map) {
    Ordered map = Ordered::object();
    for (const Entry& entry : node.entries) map[entry.key.text] = ordered(entry.value);
    return map;
  }
  if (node.kind == Kind::sequence) {
    Ordered list = Ordered::array();
    for (const Node& item : node.items) list.push_back(ordered(item));
    return list;
  }
  if (is_text(node) || ambiguous(node)) return node.text;
  Diagnostics of_large_numbers;
  return Ordered::parse(to_json(node, of_large_numbers).dump());
}

class Writer {
 public:
  std::string text;

  // A map or list, each entry on lines of its own; the first begins where the text is.
  void collection(const Ordered& value, std::size_t indent) {
    bool first = true;
    for (const auto& [key, item] : value.items()) {
      if (!first) text.append(indent, ' ');
      first = false;
      text += value.is_object() ? on_one_line(key) + ":" : "-";
      entry(item, indent, value.is_array());
    }
  }

 private:
  // What stands behind "key:" or "-".
  void entry(const Ordered& item, std::size_t indent, bool in_list) {
    const std::size_t used = display_width(std::string_view(text).substr(text.rfind('\n') + 1)) + 1;
    if (is_block(item)) {
      block(item.get_ref<const std::string&>(), indent + 2);
    } else if (!item.is_structured() || item.empty()) {
      text += " " + (item.is_structured() ? item.dump() : scalar(item)) + "\n";
    } else if (const auto line = flow(item, widest - std::min(widest, used))) {
      text += " " + *line + "\n";
    } else {
      text += in_list ? " " : "\n" + std::string(indent + 2, ' ');
      collection(item, indent + 2);
    }
  }

  void block(const std::string& value, std::size_t indent) {
    const std::size_t body = value.find_last_not_of('\n') + 1;
    const std::size_t ends = value.size() - body;
    const bool says_indent = value.front() == ' ' || value.front() == '\n' || value.front() == '\t';
    text += std::string(" |") + (says_indent ? "2" : "") + (ends == 0 ? "-" : ends > 1 ? "+" : "");
    for (std::size_t begin = 0; begin < body;) {
      const std::size_t end = std::min(value.find('\n', begin), body);
      text += "\n";
      if (end > begin) text.append(indent, ' ').append(value, begin, end - begin);
      begin = end + 1;
    }
    text.append(std::max<std::size_t>(ends, 1), '\n');
  }
};

}  // namespace

std::string to_yaml(const Ordered& value) {
  const Ordered clean =
      Ordered::parse(value.dump(-1, ' ', false, Ordered::error_handler_t::replace));
  Writer writer;
  if (clean.empty() || !clean.is_structured()) return *flow(clean, std::string::npos) + "\n";
  writer.collection(clean, 0);
  return writer.text;
}

std::string to_yaml(const Node& node) {
  return to_yaml(ordered(node));
}

}  // namespace agneto::yaml
