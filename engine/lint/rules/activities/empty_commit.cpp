#include <algorithm>

#include "lint/merges.h"
#include "lint/rule.h"
#include "model/outcomes.h"

namespace agneto::lint {

namespace {

using Kind = model::WorkspaceOperation::Kind;

// May what the state does leave a change in the worktree?
bool may_change(const State& state) {
  return may_change_files(state) || std::holds_alternative<model::Delegate>(state.activity) ||
         std::holds_alternative<model::ForEach>(state.activity);
}

// Is the machine one that people run? A part of others, in which something may have changed before
// it begins, has inputs, and none for the task.
bool is_run(const LintContext& context, const Machine& machine) {
  return &context.system.main() == &machine &&
         (machine.inputs.empty() || std::ranges::any_of(machine.inputs, &model::Variable::main));
}

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
agents that is so unless another is said) changes in the worktree is taken back. Where there is
nothing else before it, a commit has nothing in it.)"},
    [](const LintContext& context, const Machine& machine, const State& commit,
       const Reporter& report) {
      if (!is_operation(commit, Kind::commit)) return;
      const State* before = only_before(machine, commit);
      if (!before || !before->has_activity()) return;
      if (is_operation(*before, Kind::discard)) {
        report(commit.span, "'{}' has nothing to commit: '{}' has thrown it away", commit.name,
               before->name)
            .help("commit first, or discard on another way")
            .related(before->span, "what is not committed is discarded here");
        return;
      }
      if (!is_run(context, machine) || std::ranges::any_of(machine.states, may_change)) return;
      report(commit.span, "'{}' has nothing to commit: nothing here may change the worktree",
             commit.name)
          .help("say access: edit for what is to change it")
          .related(before->span, "this is read-only");
    }};

}  // namespace agneto::lint
