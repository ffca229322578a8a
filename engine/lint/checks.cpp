#include "lint/check.h"

namespace agneto::lint {

const std::vector<const Check*>& checks() {
  static const std::vector<const Check*> all = {
      &action_in_expression,
      &assigned_global,
      &bad_event,
      &bare_word,
      &changing_expression,
      &constant_guard,
      &dead_end,
      &dead_transition,
      &deadlock,
      &endless_recursion,
      &eventless_cycle,
      &foreign_verdict,
      &guarded_outcome,
      &hook_field,
      &impossible_comparison,
      &impossible_done,
      &impossible_outcome,
      &never_assigned,
      &never_ends,
      &parallel_writers,
      &passed_through,
      &read_only,
      &region_crossing,
      &region_race,
      &same_guard,
      &same_label,
      &shadowed_timer,
      &shadowed_transition,
      &single_region,
      &trap,
      &unbounded_retry,
      &undecided,
      &undefined_field,
      &undefined_global,
      &undefined_name,
      &undefined_state,
      &unreachable_state,
      &unsent_id,
      &untaken_done,
      &untaken_event,
      &untaken_outcome,
      &unused_agent,
      &unused_context,
      &unused_input,
      &wrong_assignment,
      &wrong_input,
  };
  return all;
}

}  // namespace agneto::lint
