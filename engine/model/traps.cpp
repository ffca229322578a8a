#include "model/traps.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"

namespace agneto::model {

namespace {

using syntax::Kind;
using syntax::Node;
using syntax::Style;

std::string_view source_text(const Span& span) {
  return span.source->text();
}

std::string_view rest_of_line(const Span& span, std::size_t from) {
  const std::string_view text = source_text(span);
  from = std::min(from, text.size());
  return text.substr(from, std::min(text.find('\n', from), text.size()) - from);
}

std::string_view skip_blanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

// Lua that ends so goes on: something was cut off.
bool ends_open(std::string_view lua) {
  static constexpr std::array<std::string_view, 20> endings = {
      "+", "-", "*", "/", "%", "^", "<", ">", "=", "~", "&", "|", "..", ",", "(", "[", "{"};
  static constexpr std::array<std::string_view, 4> words = {"and", "or", "not", "return"};
  const auto ends_with = [&](std::string_view ending) {
    return !ending.empty() && lua.ends_with(ending);
  };
  if (std::any_of(endings.begin(), endings.end(), ends_with)) return true;
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
    return lua == word || (lua.ends_with(word) && lua[lua.size() - word.size() - 1] == ' ');
  });
}

// Where a Lua comment begins, outside of quoted strings.
std::size_t find_comment(std::string_view lua) {
  char quote = 0;
  for (std::size_t i = 0; i < lua.size(); ++i) {
    if (quote != 0) {
      if (lua[i] == '\\')
        ++i;
      else if (lua[i] == quote || lua[i] == '\n')
        quote = 0;
    } else if (lua[i] == '"' || lua[i] == '\'') {
      quote = lua[i];
    } else if (lua.substr(i, 2) == "--") {
      return i;
    }
  }
  return std::string_view::npos;
}

std::string in_a_block(std::string_view key) {
  return fmt::format("put the Lua in a block: `{}: |`, and the Lua indented on the next line", key);
}

}  // namespace

bool check_lua(const Node& node, std::string_view key, Diagnostics& diagnostics) {
  if (node.style == Style::literal || !node.span) return true;
  const std::string_view raw =
      source_text(node.span).substr(node.span.begin, node.span.end - node.span.begin);

  if (node.style == Style::plain) {
    const std::string_view rest = rest_of_line(node.span, node.span.end);
    const std::string_view behind = skip_blanks(rest);
    const bool comment = behind.size() < rest.size() && behind.starts_with('#');
    const bool length = comment && behind.size() > 1 && behind[1] != ' ' && behind[1] != '#';
    if (comment && (length || ends_open(node.text))) {
      const auto begin = static_cast<std::uint32_t>(behind.data() - source_text(node.span).data());
      const Span cut{node.span.source, begin, begin + static_cast<std::uint32_t>(behind.size())};
      diagnostics.error("lua-cut-short", cut, "this is a comment in YAML, not a part of the Lua")
          .help = in_a_block(key);
      return false;
    }
  }

  if (raw.find('\n') != std::string_view::npos && find_comment(node.text) != std::string::npos) {
    const std::size_t comment = find_comment(raw);
    const std::size_t line_end =
        comment == std::string_view::npos ? comment : raw.find('\n', comment);
    if (line_end != std::string_view::npos && !trim(raw.substr(line_end)).empty()) {
      const auto begin = static_cast<std::uint32_t>(node.span.begin + comment);
      diagnostics
          .error("lua-lines-joined", {node.span.source, begin, begin + 2},
                 "YAML joins these lines into one, so that this comment takes in all that follows")
          .help = in_a_block(key);
      return false;
    }
  }

  if (node.style == Style::plain) {
    std::size_t at = node.text.find_first_of(",[]{}#");
    at = std::min(at, node.text.find(": "));
    if (at != std::string::npos) {
      diagnostics
          .warning(
              "lua-in-plain-scalar", node.span,
              fmt::format(
                  "Lua with '{}' stands here unquoted, where YAML may read the '{}' as its own",
                  node.text[at], node.text[at]))
          .help = in_a_block(key);
    }
  }
  return true;
}

bool is_torn_off(const Node& map, std::size_t index) {
  if (index == 0 || index >= map.entries.size()) return false;
  const syntax::Entry& entry = map.entries[index];
  const Node& before = map.entries[index - 1].value;
  if (entry.value.kind != Kind::null || before.kind != Kind::scalar ||
      before.style != Style::plain) {
    return false;
  }
  return !skip_blanks(rest_of_line(entry.key.span, entry.key.span.end)).starts_with(':');
}

void report_no_value(const Node& map, std::size_t index, Diagnostics& diagnostics) {
  const syntax::Entry& entry = map.entries[index];
  const std::string& key = entry.key.text;
  if (is_torn_off(map, index)) {
    const syntax::Entry& before = map.entries[index - 1];
    diagnostics
        .error("no-value", entry.key.span,
               fmt::format("the comma makes '{}' a key of its own, without a value", key))
        .help = fmt::format("quote a text that has a comma: {}: \"{}, {}\"", before.key.text,
                            before.value.text, key);
    return;
  }
  const std::string_view rest = skip_blanks(rest_of_line(entry.key.span, entry.key.span.end));
  if (rest.starts_with(':')) {
    const std::string_view behind = skip_blanks(rest.substr(1));
    if (behind.starts_with('#')) {
      diagnostics
          .error("no-value", entry.key.span,
                 fmt::format("'{}' has no value, as what follows is a comment in YAML", key))
          .help = fmt::format(
          "put text with a '#' in quotes, or Lua in a block: `{}: |`, and the Lua "
          "indented on the next line",
          key);
      return;
    }
  }
  diagnostics.error("no-value", entry.key.span, fmt::format("'{}' has no value", key)).help =
      "give it one, or remove the key";
}

}  // namespace agneto::model
