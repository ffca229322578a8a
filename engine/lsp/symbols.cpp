#include "lsp/symbols.h"

#include <algorithm>

namespace agneto::lsp {

namespace {

// The protocol's kinds, whose icons come nearest.
constexpr int class_kind = 5;
constexpr int function_kind = 12;
constexpr int variable_kind = 13;
constexpr int event_kind = 24;
constexpr int interface_kind = 11;

Json symbol(const yaml::Entry& entry, int kind, std::string_view detail, const Lines& lines) {
  const Span& name = entry.key.span;
  const std::size_t end = std::max<std::size_t>(name.end, entry.value.span.end);
  return {{"name", entry.key.text},
          {"detail", detail},
          {"kind", kind},
          {"range", lines.range(name.begin, end)},
          {"selectionRange", lines.range(name.begin, name.end)}};
}

Json of_states(const Outline& outline, const State* parent, const Lines& lines) {
  Json list = Json::array();
  for (const auto& state : outline.states()) {
    if (state->parent != parent) continue;
    const std::string_view kind = state->kind();
    const bool has_children = kind == "compound" || kind == "parallel";
    const int icon = has_children ? class_kind : kind == "final" ? event_kind : function_kind;
    Json one = symbol(*state->entry, icon, kind, lines);
    if (has_children) one["children"] = of_states(outline, state.get(), lines);
    list.push_back(std::move(one));
  }
  return list;
}

}  // namespace

Json symbols(const Outline& outline, const Lines& lines) {
  Json list = Json::array();
  for (const Mention& one : outline.mentions()) {
    if (!one.declares || one.in_lua) continue;
    if (one.role == Role::input) {
      list.push_back(symbol(*one.place.entry, variable_kind, "input", lines));
    } else if (one.role == Role::context) {
      list.push_back(symbol(*one.place.entry, variable_kind, "context", lines));
    } else if (one.role == Role::agent) {
      list.push_back(symbol(*one.place.entry, interface_kind, "agent", lines));
    }
  }
  for (Json& state : of_states(outline, nullptr, lines)) list.push_back(std::move(state));
  return list;
}

}  // namespace agneto::lsp
