#include "model/traps.h"

#include <fmt/format.h>

#include "lua/lexer.h"
#include "model/rules.h"
#include "yaml/scanner.h"

namespace agneto::model {

namespace {

using yaml::Kind;
using yaml::Node;

std::size_t colon_behind(const yaml::Entry& entry) {
  const std::string_view text = entry.key.span.source->text();
  const std::size_t at = yaml::skip_blanks(text, entry.key.span.end);
  return at < text.size() && text[at] == ':' ? at : std::string_view::npos;
}

}  // namespace

void check_lua(const Node& node, std::string_view key, Diagnostics& diagnostics) {
  if (!node.is_folded() || lua::tokens(node.text).comments.empty()) return;
  diagnostics.report(
      rules::lua_lines_joined, node.span,
      "YAML joins these lines into one, so that the '--' comment swallows what follows it",
      fmt::format("put the Lua in a block: `{}: |`, and the Lua indented on the next line", key));
}

bool is_torn_off(const Node& map, std::size_t index) {
  if (index >= map.entries.size()) return false;
  const yaml::Entry& entry = map.entries[index];
  const bool in_braces = map.span.source->text()[map.span.begin] == '{';
  return in_braces && entry.value.kind == Kind::null && entry.value.text.empty() &&
         colon_behind(entry) == std::string_view::npos;
}

bool is_reported(const yaml::Entry& entry) {
  if (entry.value.kind != Kind::null || !entry.value.text.empty()) return false;
  if (entry.value.span.end > entry.value.span.begin) return true;  // an alias
  const std::size_t colon = colon_behind(entry);
  if (colon == std::string_view::npos) return false;
  const std::string_view text = entry.key.span.source->text();
  return yaml::looks_like_value(text, yaml::skip_blanks(text, colon + 1));
}

bool is_cut_short(const Node& node) {
  const std::string_view text = node.span.source->text();
  return node.is_plain() && yaml::looks_like_value(text, yaml::skip_blanks(text, node.span.end));
}

bool is_unquoted_template(const Node& node) {
  return node.kind == Kind::map && node.span.source->text().compare(node.span.begin, 2, "{{") == 0;
}

}  // namespace agneto::model
