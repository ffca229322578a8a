#include <fmt/format.h>

#include <map>
#include <set>

#include "lint/check.h"

namespace agneto::lint {

namespace {

using lua::Node;
using model::Machine;

// What counters and flags begin as. Another value may well be meant to be constant.
bool is_beginning(const model::Variable& variable) {
  using Kind = model::Type::Kind;
  const Kind kind = variable.type.kind;
  if (kind == Kind::list || kind == Kind::map || kind == Kind::any || !variable.initial)
    return false;
  const Json& value = *variable.initial;
  return value.is_null() || value == Json(false) || value == Json(0) || value == Json("");
}

struct Uses {
  std::set<std::string> assigned;
  bool unknown = false;  // the whole of `ctx` goes somewhere
};

Uses uses_of(const Subject& subject, const Machine& machine) {
  Uses uses;
  for (const Piece& piece : subject.pieces(machine)) {
    if (!piece.tree) continue;
    std::set<const Node*> named;
    lua::walk(*piece.tree, [&](const Node& node) {
      if (node.kind == Node::Kind::assignment) {
        for (std::size_t i = 0; i < node.targets; ++i) {
          if (const std::string* name = lua::field_of(node.children[i], "ctx")) {
            uses.assigned.insert(*name);
          }
        }
      }
      if (lua::field_of(node, "ctx")) named.insert(&node.children[0]);
      if (node.is(Node::Kind::global, "ctx") && !named.contains(&node)) uses.unknown = true;
    });
  }
  return uses;
}

// The first guard that reads each name.
std::map<std::string, Span> guards_of(const Subject& subject, const Machine& machine) {
  std::map<std::string, Span> guards;
  for (const model::Transition& transition : machine.transitions) {
    if (transition.guard == model::none) continue;
    const Piece& piece = subject.piece(machine, transition.guard);
    if (!piece.tree) continue;
    lua::walk(*piece.tree, [&](const Node& node) {
      if (const std::string* name = lua::field_of(node, "ctx")) {
        guards.try_emplace(*name, place(piece, node));
      }
    });
  }
  return guards;
}

void check(const Subject& subject, Diagnostics& diagnostics) {
  for (const Machine& machine : subject.system.machines) {
    const auto guards = guards_of(subject, machine);
    if (guards.empty()) continue;
    const Uses uses = uses_of(subject, machine);
    if (uses.unknown) continue;
    for (const model::Variable& variable : machine.context) {
      const auto guard = guards.find(variable.name);
      if (guard == guards.end() || uses.assigned.contains(variable.name)) continue;
      if (!is_beginning(variable)) continue;
      Diagnostic& finding =
          diagnostics.warning(never_assigned.name, variable.span,
                              fmt::format("nothing assigns ctx.{}, which stays {} in a guard",
                                          variable.name, variable.initial->dump()));
      finding.help = "assign it in `do`, `entry` or `exit` where it is to change";
      finding.related.push_back({guard->second, "a guard that reads it"});
    }
  }
}

}  // namespace

const Check never_assigned = {"never-assigned", check};

}  // namespace agneto::lint
