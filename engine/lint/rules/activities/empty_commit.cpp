#include <algorithm>
#include <vector>

#include "lint/merges.h"
#include "lint/rule.h"

namespace agneto::lint {

namespace {

using Operation = model::WorkspaceOperation::Kind;

// By StateId: the state whose good end leads straight there; null where there are none or several.
std::vector<const State*> only_before(const Machine& machine) {
  std::vector<const State*> before(machine.states.size());
  std::vector<bool> several(machine.states.size());
  for (const Transition& transition : machine.transitions) {
    const State& source = machine.state(transition.source);
    for (const StateId target : transition.targets) {
      several[target] = several[target] || (before[target] && before[target] != &source);
      before[target] = several[target] ? nullptr : &source;
    }
  }
  return before;
}

void report_unchanged(const State& commit, const State* before, const Reporter& report) {
  if (before && may_edit(*before)) {
    report(commit.span, "'{}' has nothing to commit: what '{}' changed is undone", commit.name,
           before->name)
        .help("commit on an outcome of the agent; its own `timeout` ends a call as well")
        .related(before->span, "where a timer cuts a call off, its changes are taken back");
    return;
  }
  auto found =
      report(commit.span, "'{}' has nothing to commit: nothing has changed by then", commit.name);
  found.help("say access: edit for what is to change the worktree before");
  if (before) found.related(before->span, "this is before it");
}

}  // namespace

extern const LintRule empty_commit = {
    {"W433", "empty-commit", "a commit before which nothing can have changed",
     R"(What a `discard` has thrown away is gone, and what an agent or a program with `access: read-only` (for
agents that is so unless another is said) changes in the worktree is taken back, as is what an agent
has changed when a timer cuts it off. Where there is nothing else before it, a commit has nothing in
it.)"},
    [](const LintContext& context, const Machine& machine, const Reporter& report) {
      const auto commits = [](const State& state) {
        return is_operation(state, Operation::commit);
      };
      if (std::ranges::none_of(machine.states, commits)) return;
      const std::vector<const State*> all_before = only_before(machine);
      const std::vector<bool> unchanged = entered_unchanged(machine, is_run(context, machine));
      for (const State& commit : machine.states) {
        if (!commits(commit)) continue;
        const State* before = all_before[commit.id];
        if (before && is_operation(*before, Operation::discard)) {
          report(commit.span, "'{}' has nothing to commit: '{}' has thrown it away", commit.name,
                 before->name)
              .help("commit first, or discard on another way")
              .related(before->span, "what is not committed is discarded here");
        } else if (unchanged[commit.id]) {
          report_unchanged(commit, before, report);
        }
      }
    }};

}  // namespace agneto::lint
