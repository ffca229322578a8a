#include "lint/merges.h"
#include "lint/rule.h"

namespace agneto::lint {

extern const LintRule merging_item = {
    {"W432", "merging-item", "an item of a `for_each` that merges",
     R"(What an item with a worktree of its own has changed is brought into the tree around the `for_each` when
the last item has ended; it cannot merge. In a shared worktree it would merge what other items have half
done. Merge behind the `for_each`, once.)"},
    [](const LintContext& context, const Machine&, const State& state, const Reporter& report) {
      const auto* loop = std::get_if<model::ForEach>(&state.activity);
      if (!loop || (!loop->own_workspace && loop->max_parallel == 1)) return;
      const State* merge = found_in(context.system, loop->each.machine, is_merge);
      if (!merge) return;
      report(merge->span, "'{}' merges, and is a part of an item of '{}'", merge->name, state.name)
          .help("merge behind the for_each, once for all items")
          .related(state.span, "the for_each");
    }};

}  // namespace agneto::lint
