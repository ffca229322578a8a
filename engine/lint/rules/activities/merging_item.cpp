#include "lint/merges.h"
#include "lint/rule.h"

namespace agneto::lint {

namespace {

bool discards(const State& state) {
  return is_operation(state, model::WorkspaceOperation::Kind::discard);
}

}  // namespace

extern const LintRule merging_item = {
    {"W432", "merging-item",
     "an item of a `for_each` that merges, or discards what others have done",
     R"(What an item with a worktree of its own has changed is brought into the tree around the `for_each` when
the last item has ended; it cannot merge. In a shared worktree it would merge what other items have half
done. Merge behind the `for_each`, once. So it would throw away what others have done and not committed yet.)"},
    [](const LintContext& context, const Machine&, const State& state, const Reporter& report) {
      const auto* loop = std::get_if<model::ForEach>(&state.activity);
      if (!loop || (!loop->own_workspace && loop->one_by_one())) return;
      const State* discard =
          loop->own_workspace ? nullptr : found_in(context.system, loop->each.machine, discards);
      if (discard) {
        report(discard->span, "'{}' throws away what other items of '{}' have done meanwhile, too",
               discard->name, state.name)
            .help(
                "give each item a worktree, by `workspace: own`, or one after the other: "
                "max_parallel: 1")
            .related(state.span, "the for_each");
      }
      const State* merge = found_in(context.system, loop->each.machine, is_merge);
      if (!merge) return;
      report(merge->span, "'{}' merges, and is a part of an item of '{}'", merge->name, state.name)
          .help("merge behind the for_each, once for all items")
          .related(state.span, "the for_each");
    }};

}  // namespace agneto::lint
