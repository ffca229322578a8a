#include <algorithm>
#include <set>

#include "lint/merges.h"
#include "lint/rule.h"
#include "lint/transitions.h"

namespace agneto::lint {

namespace {

using Kind = model::WorkspaceOperation::Kind;

// Is something committed there, or may it be?
bool may_commit(const State& state) {
  return is_operation(state, Kind::commit) ||
         std::holds_alternative<model::Delegate>(state.activity) ||
         std::holds_alternative<model::ForEach>(state.activity);
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
        return may_commit(state) || is_operation(state, Kind::discard);
      };
      std::set<StateId> reported;
      for (const State& agent : machine.states) {
        if (!may_edit(agent) || is_in_parallel(machine, agent.id)) continue;
        const State* merge = next_merge(machine, agent, ends_the_way);
        if (!merge || !reported.insert(merge->id).second) continue;
        report(merge->span, "'{}' does not merge what the agent of '{}' did: nothing commits it",
               merge->name, agent.name)
            .help(advice)
            .related(agent.span, "the agent that may edit");
      }
      // A machine that delegates to this one may have committed before.
      if (!is_main(context, machine) || std::ranges::any_of(machine.states, may_commit)) return;
      for (const State& merge : machine.states) {
        if (!is_operation(merge, Kind::merge) || reported.contains(merge.id)) continue;
        report(merge.span, "'{}' merges nothing: this machine commits nothing", merge.name)
            .help(advice);
      }
    }};

}  // namespace agneto::lint
