#include <algorithm>
#include <map>

#include "lint/expressions.h"
#include "lint/rule.h"
#include "lint/transitions.h"

namespace agneto::lint {

namespace {

struct Write {
  StateId region = none;
  std::string value;  // as written
  Span place;
};

// Assignments of a context name's new value; what is made of the old one, as in counting, is the
// same in any order.
void find_writes(const Piece& piece, StateId region,
                 std::map<std::string, std::vector<Write>>& writes) {
  if (!piece.tree) return;
  each_assignment(*piece.tree, [&](const Assignment& one) {
    if (!one.value || mentions(*one.value, one.name)) return;
    const auto length = one.value->end - one.value->begin;
    writes[one.name].push_back(
        {region, piece.code->text.substr(one.value->begin, length), place(piece, one.target)});
  });
}

// What is done in a region without leaving it. A transition that leads out of the parallel state
// ends what goes on beside it.
void find_writes(const LintContext& context, const Machine& machine, StateId region,
                 std::map<std::string, std::vector<Write>>& writes) {
  const auto inside = [&](StateId id) { return is_inside(machine, id, region); };
  for (StateId id = region; id <= machine.state(region).last; ++id) {
    for (const CodeId code : machine.state(id).entry) {
      find_writes(context.piece(machine, code), region, writes);
    }
  }
  for (const Transition& transition : machine.transitions) {
    if (!inside(transition.source)) continue;
    if (!std::ranges::all_of(transition.targets, inside)) continue;
    for (const CodeId code : transition.actions) {
      find_writes(context.piece(machine, code), region, writes);
    }
  }
}

}  // namespace

extern const LintRule region_race = {
    {"W223", "region-race", "two regions that assign one context name",
     R"(Regions go on at once, so that it depends on which gets there last what the name holds, and in another
run it may be the other. Assignments made of the old value, as in counting, are no race; neither are
those of one value, or on the way out of the parallel state.)"},
    [](const LintContext& context, const Machine& machine, const State& state,
       const Reporter& report) {
      if (state.kind != StateKind::parallel) return;
      std::map<std::string, std::vector<Write>> writes;
      for (const StateId region : state.children) find_writes(context, machine, region, writes);
      for (const auto& [name, all] : writes) {
        const Write& first = all.front();
        const auto other = std::ranges::find_if(all, [&](const Write& write) {
          return write.region != first.region && write.value != first.value;
        });
        if (other == all.end()) continue;
        report(other->place,
               "'{}' and '{}', which are active at once, both assign ctx.{}: the later one stays",
               machine.state(first.region).name, machine.state(other->region).name, name)
            .help("give each region a name of its own, and join them when both are done")
            .related(first.place, "the other assignment");
      }
    }};

}  // namespace agneto::lint
