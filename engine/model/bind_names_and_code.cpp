#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "model/binder.h"
#include "model/rules.h"
#include "model/traps.h"
#include "model/values.h"

namespace agneto::model {

namespace {

StateKind kind_of(const yaml::Node& node) {
  const auto is_set = [&](std::string_view key) {
    const yaml::Node* flag = node.find(key);
    return flag && as_boolean(*flag) == true;
  };
  if (is_set("final")) return StateKind::final;
  if (const yaml::Node* history = node.find("history")) {
    return as_text(*history) == "deep" ? StateKind::deep_history : StateKind::shallow_history;
  }
  if (is_set("parallel")) return StateKind::parallel;
  return node.find("states") ? StateKind::compound : StateKind::atomic;
}

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

void Binder::declare_root(const Node& root) {
  State state;
  state.id = 0;
  state.kind = StateKind::compound;
  state.name = machine_.name;
  if (const Node* name = root.find("name")) state.span = name->span;
  machine_.states.push_back(std::move(state));
  if (const Node* states = root.find("states")) declare_states(*states, 0);
  machine_.states[0].last = static_cast<StateId>(machine_.states.size() - 1);
}

void Binder::declare_states(const Node& states, StateId parent) {
  for (const Entry& entry : states.entries) declare_state(entry, parent);
}

void Binder::declare_state(const Entry& entry, StateId parent) {
  const auto id = static_cast<StateId>(machine_.states.size());
  State state;
  state.id = id;
  state.parent = parent;
  state.kind = kind_of(entry.value);
  state.name = entry.key.text;
  state.span = entry.key.span;
  if (const auto [known, added] = machine_.by_name.emplace(state.name, id); !added) {
    Diagnostic& problem =
        diagnostics_.report(rules::duplicate_state, state.span,
                            fmt::format("there is a state '{}' already in this file", state.name),
                            "state names are unique in a file; give one of them another name");
    problem.related.push_back({machine_.states[known->second].span, "first defined here"});
  }
  ids_.emplace(&entry.value, id);
  machine_.states.push_back(std::move(state));
  machine_.states[parent].children.push_back(id);
  if (const Node* states = entry.value.find("states")) declare_states(*states, id);
  machine_.states[id].last = static_cast<StateId>(machine_.states.size() - 1);
}

std::vector<StateId> Binder::targets(const Node& node) {
  std::vector<StateId> result;
  for (const Node& name : node.one_or_all()) {
    if (name.kind != yaml::Kind::scalar || name.text.empty()) continue;
    const StateId id = machine_.find(name.text);
    if (id == none) {
      if (machine_.states.size() == 1) continue;  // why there are none is reported
      suggestions_.give(diagnostics_.report(rules::undefined_target, name.span,
                                            fmt::format("there is no state '{}'", name.text)),
                        name.text, "states", [this] { return state_names(); });
    } else if (std::find(result.begin(), result.end(), id) != result.end()) {
      diagnostics_.report(rules::bad_targets, name.span,
                          fmt::format("'{}' is a target twice", name.text));
    } else {
      result.push_back(id);
    }
  }
  check_orthogonal(result, node.span);
  return result;
}

StateId Binder::common_ancestor(StateId a, StateId b) const {
  StateId ancestor = a;
  while (ancestor != b && !machine_.is_descendant(b, ancestor)) {
    ancestor = machine_.states[ancestor].parent;
  }
  return ancestor;
}

// In document order, the common ancestor of any two is that of two neighbours between them, so that
// looking at neighbours is enough.
void Binder::check_orthogonal(std::vector<StateId> targets, Span span) {
  std::sort(targets.begin(), targets.end());
  for (std::size_t i = 1; i < targets.size(); ++i) {
    const State& first = machine_.states[targets[i - 1]];
    const State& second = machine_.states[targets[i]];
    const State& ancestor = machine_.states[common_ancestor(first.id, second.id)];
    if (ancestor.id == first.id) {
      diagnostics_.report(
          rules::bad_targets, span,
          fmt::format("'{}' is inside '{}', so that both cannot be targets", second.name,
                      first.name),
          fmt::format("write '{}' alone: entering it enters '{}'", second.name, first.name));
      return;
    }
    if (ancestor.kind != StateKind::parallel) {
      diagnostics_.report(
          rules::bad_targets, span,
          fmt::format("'{}' and '{}' cannot be active at once", first.name, second.name),
          "several targets must be in different regions of a parallel state");
      return;
    }
  }
}

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
  for (const Node& block : node.one_or_all()) {
    const CodeId id = code(block, Code::Kind::statements, what);
    if (id != none) result.push_back(id);
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
      diagnostics_.report(
          rules::bad_template, span, "'{{' without '}}'",
          "close the expression with '}}'; for the braces themselves write {{\"{{\"}}");
      break;
    }
    const std::string_view inside = trim(braces.substr(2, braces.size() - 4));
    if (inside.empty()) {
      diagnostics_.report(rules::bad_template, span, "an empty expression in '{{}}'",
                          "write a Lua expression between the braces");
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
