#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "model/binder.h"
#include "model/traps.h"

namespace agneto::model {

namespace {

// Where the next `{{…}}` of a scalar's text stands in the file, searched from `from` on; where
// escapes or folding hide it, the whole scalar.
Span locate(const yaml::Node& node, std::string_view braces, std::size_t& from) {
  const std::string_view source =
      std::string_view(node.span.source->text()).substr(0, node.span.end);
  const std::size_t at = std::min(source.find("{{", from), source.size());
  if (source.substr(at, braces.size()) != braces) {
    from = std::min(source.find("}}", at), source.size());
    return node.span;
  }
  from = at + braces.size();
  return {node.span.source, static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(from)};
}

}  // namespace

CodeId Binder::code(const Node& node, Code::Kind kind, std::string_view what) {
  const bool is_null = node.kind == yaml::Kind::null && node.text == "null";
  if ((node.kind != yaml::Kind::scalar && !is_null) || is_cut_short(node)) return none;
  Code code{kind, std::string(what), node.text, node.span, node.lines()};
  while (code.text.ends_with('\n')) {
    code.text.pop_back();
    code.lines.pop_back();
  }
  machine_.code.push_back(std::move(code));
  return static_cast<CodeId>(machine_.code.size() - 1);
}

CodeId Binder::expression(const Node& node, std::string_view what) {
  return code(node, Code::Kind::expression, what);
}

std::vector<CodeId> Binder::blocks(const Node& node, std::string_view what) {
  std::vector<CodeId> result;
  const auto add = [&](const Node& block) {
    const CodeId id = code(block, Code::Kind::statements, what);
    if (id != none) result.push_back(id);
  };
  if (node.kind == yaml::Kind::sequence) {
    std::for_each(node.items.begin(), node.items.end(), add);
  } else {
    add(node);
  }
  return result;
}

Template Binder::text_template(const Node& node, std::string_view what) {
  Template result;
  result.span = node.span;
  if (node.kind != yaml::Kind::scalar) return result;
  const std::string_view text = node.text;
  const std::vector<int> lines = node.lines();
  auto line = lines.begin();  // of `counted` in `text`
  std::size_t counted = 0;
  std::size_t place = node.span.begin;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t open = std::min(text.find("{{", at), text.size());
    if (open > at) result.parts.push_back({std::string(text.substr(at, open - at)), none});
    if (open == text.size()) break;
    const std::size_t close = text.find("}}", open + 2);
    const std::string_view braces =
        text.substr(open, close == std::string_view::npos ? close : close + 2 - open);
    Span span = locate(node, braces, place);
    if (close == std::string_view::npos) {
      diagnostics_.error("bad-template", span, "'{{' without '}}'").help =
          "close the expression with '}}'; for the braces themselves write {{\"{{\"}}";
      break;
    }
    const std::string_view inside = trim(braces.substr(2, braces.size() - 4));
    if (inside.empty()) {
      diagnostics_.error("bad-template", span, "an empty expression in '{{}}'").help =
          "write a Lua expression between the braces";
    } else {
      const auto begin = static_cast<std::size_t>(inside.data() - text.data());
      line += std::count(text.begin() + counted, text.begin() + begin, '\n');
      counted = begin;
      const auto breaks = std::count(inside.begin(), inside.end(), '\n');
      machine_.code.push_back({Code::Kind::expression,
                               std::string(what),
                               std::string(inside),
                               span,
                               {line, line + breaks + 1}});
      result.parts.push_back({{}, static_cast<CodeId>(machine_.code.size() - 1)});
    }
    at = close + 2;
  }
  return result;
}

std::vector<Binding> Binder::bindings(const Node& node, std::string_view what,
                                      const std::string& item) {
  std::vector<Binding> result;
  for (const auto& [key, value] : node.entries) {
    const CodeId id = expression(value, fmt::format("{}.{}", what, key.text));
    if (id == none) continue;
    machine_.code[id].item = item;
    result.push_back({key.text, id, key.span});
  }
  return result;
}

}  // namespace agneto::model
