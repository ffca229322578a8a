#include <algorithm>
#include <set>

#include "lint/explore/shown.h"
#include "lint/merges.h"
#include "lint/rule.h"
#include "lint/transitions.h"

namespace agneto::lint {

namespace {

using Operation = model::WorkspaceOperation::Kind;

// What its items do is brought into the worktree around them, and not committed there.
bool has_own_worktrees(const State& state) {
  const auto* items = std::get_if<model::ForEach>(&state.activity);
  return items && items->own_workspace;
}

// May an agent or a program of the items change something?
bool may_change(const model::System& system, const State& items) {
  return found_in(system, model::delegate_of(items.activity)->machine, may_change_files) != nullptr;
}

// Is something committed there, or may it be?
bool may_commit(const State& state) {
  return is_operation(state, Operation::commit) ||
         std::holds_alternative<model::Delegate>(state.activity) ||
         (std::holds_alternative<model::ForEach>(state.activity) && !has_own_worktrees(state));
}

bool is_main(const LintContext& context, const Machine& machine) {
  return &context.system.main() == &machine;
}

constexpr const char* advice = "put a state before it with workspace: {commit: {message: …}}";

}  // namespace

extern const LintRule uncommitted_merge = {
    {"W428", "uncommitted-merge", "a merge on the way to which nothing is committed",
     R"(`merge` brings in what is committed on the run's branch, and nothing else. What an agent has edited
since the last `commit` stays in the worktree, and a run in which nothing was committed ends with
nothing merged.)"},
    [](const LintContext& context, const Machine& machine, const Reporter& report) {
      const auto ends_the_way = [](const State& state) {
        return may_commit(state) || is_operation(state, Operation::discard);
      };
      const NextInARun merges(context, machine, is_merge, ends_the_way);
      std::set<StateId> reported;
      for (const State& agent : machine.states) {
        const bool has_items = has_own_worktrees(agent) && may_change(context.system, agent);
        if ((!may_edit(agent) && !has_items) || is_in_parallel(machine, agent.id)) continue;
        const State* merge = merges.from(agent);
        if (!merge || !reported.insert(merge->id).second) continue;
        report(merge->span, "'{}' does not merge what {} of '{}' did: nothing commits it",
               merge->name, has_items ? "the items" : "the agent", agent.name)
            .help(advice)
            .related(agent.span, has_items
                                     ? "the items, whose changes are brought into the worktree"
                                     : "the agent that may edit");
      }
      // A machine that delegates to this one may have committed before.
      if (!is_main(context, machine) || std::ranges::any_of(machine.states, may_commit)) return;
      for (const State& merge : machine.states) {
        if (!is_merge(merge) || reported.contains(merge.id)) continue;
        report(merge.span, "'{}' merges nothing: this machine commits nothing", merge.name)
            .help(advice);
      }
    }};

}  // namespace agneto::lint
