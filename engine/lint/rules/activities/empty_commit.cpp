#include <algorithm>

#include "lint/merges.h"
#include "lint/rule.h"
#include "model/outcomes.h"

namespace agneto::lint {

namespace {

using Kind = model::WorkspaceOperation::Kind;

// The state whose good end leads straight to the commit; null where there are none or several.
const State* only_before(const Machine& machine, const State& commit) {
  const State* before = nullptr;
  for (const Transition& transition : machine.transitions) {
    if (std::ranges::count(transition.targets, commit.id) == 0) continue;
    const State& source = machine.state(transition.source);
    if (before && before != &source) return nullptr;
    before = &source;
  }
  return before;
}

}  // namespace

extern const LintRule empty_commit = {
    {"W433", "empty-commit", "a commit before which nothing can have changed",
     R"(What a `discard` has thrown away is gone, and what an agent or a program with `access: read-only` (for
agents that is so unless another is said) changes in the worktree is taken back, as is what an agent
has changed when a timer cuts it off. Where there is nothing else before it, a commit has nothing in
it.)"},
    [](const LintContext& context, const Machine& machine, const State& commit,
       const Reporter& report) {
      if (!is_operation(commit, Kind::commit)) return;
      const State* before = only_before(machine, commit);
      if (before && is_operation(*before, Kind::discard)) {
        report(commit.span, "'{}' has nothing to commit: '{}' has thrown it away", commit.name,
               before->name)
            .help("commit first, or discard on another way")
            .related(before->span, "what is not committed is discarded here");
        return;
      }
      if (!entered_unchanged(machine, is_run(context, machine))[commit.id]) return;
      if (before && may_edit(*before)) {
        report(commit.span, "'{}' has nothing to commit: what '{}' changed is undone", commit.name,
               before->name)
            .help("commit on an outcome of the agent; its own `timeout` ends a call as well")
            .related(before->span, "where a timer cuts a call off, its changes are taken back");
        return;
      }
      auto found = report(commit.span, "'{}' has nothing to commit: nothing has changed by then",
                          commit.name);
      found.help("say access: edit for what is to change the worktree before");
      if (before) found.related(before->span, "this is before it");
    }};

}  // namespace agneto::lint
