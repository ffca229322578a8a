#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "lint/check.h"

namespace agneto::lint {

namespace {

using lua::Node;
using model::Machine;
using model::State;
using model::StateId;
using model::StateKind;

struct Write {
  StateId region = model::none;
  std::string value;  // as written
  Span place;
};

bool reads(const Node& value, const std::string& name) {
  bool found = false;
  lua::walk(value, [&](const Node& node) {
    const std::string* field = lua::field_of(node, "ctx");
    found = found || (field && *field == name);
  });
  return found;
}

// Assignments of a context name's new value; what is made of the old one, as in counting, is the
// same in any order.
void find_writes(const Piece& piece, StateId region,
                 std::map<std::string, std::vector<Write>>& writes) {
  if (!piece.tree) return;
  lua::walk(*piece.tree, [&](const Node& node) {
    if (node.kind != Node::Kind::assignment || node.targets * 2 != node.children.size()) return;
    for (std::size_t i = 0; i < node.targets; ++i) {
      const std::string* name = lua::field_of(node.children[i], "ctx");
      const Node& value = node.children[node.targets + i];
      if (!name || reads(value, *name)) continue;
      writes[*name].push_back({region,
                               piece.code->text.substr(value.begin, value.end - value.begin),
                               place(piece, node.children[i])});
    }
  });
}

// What is done in a region without leaving it. A transition that leads out of the parallel state
// ends what goes on beside it.
void find_writes(const Subject& subject, const Machine& machine, StateId region,
                 std::map<std::string, std::vector<Write>>& writes) {
  const auto inside = [&](StateId id) { return id == region || machine.is_descendant(id, region); };
  for (StateId id = region; id <= machine.state(region).last; ++id) {
    for (const model::CodeId code : machine.state(id).entry) {
      find_writes(subject.piece(machine, code), region, writes);
    }
  }
  for (const model::Transition& transition : machine.transitions) {
    if (!inside(transition.source)) continue;
    if (!std::all_of(transition.targets.begin(), transition.targets.end(), inside)) continue;
    for (const model::CodeId code : transition.actions) {
      find_writes(subject.piece(machine, code), region, writes);
    }
  }
}

void check(const Subject& subject, Diagnostics& diagnostics) {
  for (const Machine& machine : subject.system.machines) {
    for (const State& state : machine.states) {
      if (state.kind != StateKind::parallel) continue;
      std::map<std::string, std::vector<Write>> writes;
      for (const StateId region : state.children) find_writes(subject, machine, region, writes);
      for (const auto& [name, all] : writes) {
        const Write& first = all.front();
        const auto other = std::find_if(all.begin(), all.end(), [&](const Write& write) {
          return write.region != first.region && write.value != first.value;
        });
        if (other == all.end()) continue;
        Diagnostic& finding = diagnostics.warning(
            region_race.name, other->place,
            fmt::format("'{}' and '{}', which are active at once, both assign ctx.{}: the later "
                        "one stays",
                        machine.state(first.region).name, machine.state(other->region).name, name));
        finding.help = "give each region a name of its own, and join them when both are done";
        finding.related.push_back({first.place, "the other assignment"});
      }
    }
  }
}

}  // namespace

const Check region_race = {"region-race", check};

}  // namespace agneto::lint
