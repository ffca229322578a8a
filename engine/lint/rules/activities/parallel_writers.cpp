#include <algorithm>

#include "lint/merges.h"
#include "lint/rule.h"

namespace agneto::lint {

namespace {

// The agent that the region begins with, if it may edit: later ones may wait for the other region.
const State* writer(const Machine& machine, StateId region) {
  const StateKind kind = machine.state(region).kind;
  if (kind != StateKind::atomic && kind != StateKind::compound) return nullptr;
  StateId id = region;
  while (machine.state(id).start.targets.size() == 1) id = machine.state(id).start.targets.front();
  return may_edit(machine.state(id)) ? &machine.state(id) : nullptr;
}

void check_regions(const Machine& machine, const State& state, const Reporter& report) {
  const State* first = nullptr;
  for (const StateId region : state.children) {
    const State* other = writer(machine, region);
    if (first && other) {
      report(other->span,
             "'{}' and '{}' edit one worktree: one waits for the other, and finds its changes",
             first->name, other->name)
          .help(
              "do one after the other, or use for_each with `workspace: own`; an agent that "
              "only reads has `access: read-only`")
          .related(first->span, "the other agent that may edit");
      return;
    }
    if (other) first = other;
  }
}

void check_commits(const model::System& system, const State& state, const model::ForEach& items,
                   const Reporter& report) {
  const auto commits = [](const State& one) {
    return is_operation(one, model::WorkspaceOperation::Kind::commit);
  };
  const State* commit = found_in(system, items.each.machine, commits);
  if (!commit) return;
  report(state.span, "the items of '{}' commit in one worktree: a commit has what others half did",
         state.name)
      .help(
          "give each a worktree of its own with `workspace: own`, do one after the other with "
          "`max_parallel: 1`, or commit behind the for_each")
      .related(commit->span, "the commit, of everything in the worktree");
}

void check_items(const model::System& system, const State& state, const Reporter& report) {
  const auto* items = std::get_if<model::ForEach>(&state.activity);
  if (!items || items->own_workspace || items->one_by_one()) return;
  const State* writer = found_in(system, items->each.machine, may_edit);
  if (!writer) return check_commits(system, state, *items, report);
  report(state.span,
         "the items of '{}' edit one worktree at the same time: each finds what others do",
         state.name)
      .help(
          "give each a worktree of its own with `workspace: own`, or do one after the other with "
          "`max_parallel: 1`")
      .related(writer->span, "the agent that may edit");
}

}  // namespace

extern const LintRule parallel_writers = {
    {"W419", "parallel-writers", "agents that edit one worktree at the same time",
     R"(A run has one worktree with one writer at a time: of two regions of a parallel state, or two items of a
`for_each`, the second agent waits for the first, and then works on files that are not as it was
told. Do one after the other, or give each a worktree of its own with `for_each` and `workspace: own`.)"},
    [](const LintContext& context, const Machine& machine, const State& state,
       const Reporter& report) {
      if (state.kind == StateKind::parallel) check_regions(machine, state, report);
      check_items(context.system, state, report);
    }};

}  // namespace agneto::lint
