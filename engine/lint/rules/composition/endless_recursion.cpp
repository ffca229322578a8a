#include <algorithm>
#include <set>

#include "lint/expressions.h"
#include "lint/rule.h"
#include "lint/transitions.h"

namespace agneto::lint {

namespace {

// Of a for_each: are there items, whatever happens?
bool surely_begins(const LintContext& context, const Machine& machine, const State& state) {
  const auto* loop = std::get_if<model::ForEach>(&state.activity);
  if (!loop) return model::delegate_of(state.activity) != nullptr;
  const Piece& items = context.piece(machine, loop->items);
  if (!items.tree) return false;
  const Node& list = expression(items);
  return list.kind == Node::Kind::table && !list.children.empty();
}

// The state that the machine begins in, if it begins in one and waits there for another machine;
// else null.
const State* delegating_start(const LintContext& context, const Machine& machine) {
  const StateId id = entered(machine, 0);
  const bool waits = id != none && surely_begins(context, machine, machine.state(id)) &&
                     std::ranges::all_of(lineage(machine, id), [](const State* around) {
                       return around->always.empty();
                     });
  return waits ? &machine.state(id) : nullptr;
}

}  // namespace

extern const LintRule endless_recursion = {
    {"W606", "endless-recursion", "a machine that begins by delegating to itself",
     R"(It would start itself, and that again itself, before anything else can happen. At a depth of many
machines the activity ends in `error.livelock`. A machine may delegate to itself, but something must
be able to end it before that.)"},
    [](const LintContext& context, const Reporter& report) {
      std::set<model::MachineId> reported;
      for (const Machine& machine : context.system.machines) {
        std::set<model::MachineId> begun;
        const Machine* at = &machine;
        const State* state = delegating_start(context, *at);
        while (state && begun.insert(at->id).second) {
          at = &context.system.machine(model::delegate_of(state->activity)->machine);
          state = delegating_start(context, *at);
        }
        if (!state || at != &machine || reported.contains(machine.id)) continue;
        reported.insert(begun.begin(), begun.end());
        state = delegating_start(context, machine);
        report(model::delegate_of(state->activity)->span,
               "'{}' begins by delegating to itself, and so on for ever", machine.name)
            .help("do something before it that can end the machine without it");
      }
    }};

}  // namespace agneto::lint
