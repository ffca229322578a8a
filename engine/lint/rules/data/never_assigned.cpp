#include <map>
#include <optional>
#include <set>

#include "lint/expressions.h"
#include "lint/rule.h"

namespace agneto::lint {

namespace {

// What counters and flags begin as. Another value may well be meant to be constant.
bool is_beginning(const model::Variable& variable) {
  using Kind = model::Type::Kind;
  const Kind kind = variable.type.kind;
  if (kind == Kind::list || kind == Kind::map || kind == Kind::any || !variable.initial) {
    return false;
  }
  const Json& value = *variable.initial;
  return value.is_null() || value == Json(false) || value == Json(0) || value == Json("");
}

// The names that are assigned; nothing where that cannot be said.
std::optional<std::set<std::string>> assigned_names(const LintContext& context,
                                                    const Machine& machine) {
  std::set<std::string> names;
  for (const Piece& piece : context.pieces(machine)) {
    if (!piece.tree) continue;
    if (uses_whole_context(*piece.tree)) return std::nullopt;
    each_assignment(*piece.tree, [&](const Assignment& one) { names.insert(one.name); });
  }
  return names;
}

// The first guard that reads each name.
std::map<std::string, Span> guards_of(const LintContext& context, const Machine& machine) {
  std::map<std::string, Span> guards;
  context.each_node(machine, [&](const Piece& piece, const Node& node) {
    const std::string* name = lua::field_of(node, "ctx");
    if (name && piece.code->what == "guard") guards.try_emplace(*name, place(piece, node));
  });
  return guards;
}

}  // namespace

extern const LintRule never_assigned = {
    {"W314", "never-assigned", "a flag or a counter that guards read and nothing assigns",
     R"(It begins as nothing (`0`, `false`, `""` or null) and stays so, and with it every guard that looks at it
alone. The assignment is missing, or is to another name.)"},
    [](const LintContext& context, const Machine& machine, const Reporter& report) {
      const auto guards = guards_of(context, machine);
      if (guards.empty()) return;
      const auto assigned = assigned_names(context, machine);
      if (!assigned) return;
      for (const model::Variable& variable : machine.context) {
        const auto guard = guards.find(variable.name);
        if (guard == guards.end() || assigned->contains(variable.name)) continue;
        if (!is_beginning(variable)) continue;
        report(variable.span, "nothing assigns ctx.{}, which stays {} in a guard", variable.name,
               variable.initial->dump())
            .help("assign it in `do`, `entry` or `exit` where it is to change")
            .related(guard->second, "a guard that reads it");
      }
    }};

}  // namespace agneto::lint
