// A lint check: one property that a workflow without errors should have, in a file of its own in
// rules/FAMILY/.
//
// To add one: write its file with a `Check` in it, put the name into checks.cpp, the rule into the
// catalogue (base/catalogue.h), and an example of it into tests/lint/rules/FAMILY/NAME/. One of hook
// modules that hangs on the machines that use them is a HookCheck (hook_checks.h).
#pragma once

#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "lint/subject.h"

namespace agneto::lint {

struct Check {
  std::string_view name;  // of the rule whose findings it reports
  void (*run)(const Subject& subject, Diagnostics& diagnostics);
  bool explores = false;  // does it look at all configurations? That can be left out
};

// In the order in which they run.
const std::vector<const Check*>& checks();

extern const Check action_in_expression;
extern const Check assigned_global;
extern const Check bad_event;
extern const Check bare_word;
extern const Check broken_invariant;
extern const Check cancelled_work;
extern const Check changing_expression;
extern const Check conflicting_regions;
extern const Check constant_guard;
extern const Check dead_end;
extern const Check dead_transition;
extern const Check deadlock;
extern const Check endless_recursion;
extern const Check eventless_cycle;
extern const Check general_first;
extern const Check guarded_outcome;
extern const Check impossible_comparison;
extern const Check impossible_done;
extern const Check impossible_outcome;
extern const Check livelock;
extern const Check lost_event;
extern const Check never_assigned;
extern const Check never_ends;
extern const Check no_budget;
extern const Check no_way_out;
extern const Check parallel_writers;
extern const Check passed_through;
extern const Check read_only;
extern const Check region_crossing;
extern const Check region_race;
extern const Check same_guard;
extern const Check same_label;
extern const Check shadowed_timer;
extern const Check shadowed_transition;
extern const Check shell_argument;
extern const Check single_region;
extern const Check trap;
extern const Check unbounded_retry;
extern const Check undecided;
extern const Check undefined_field;
extern const Check undefined_global;
extern const Check undefined_member;
extern const Check undefined_name;
extern const Check undefined_state;
extern const Check ungated_merge;
extern const Check unhandled_outcome;
extern const Check unproven_invariant;
extern const Check unreachable_state;
extern const Check unreached_bound;
extern const Check unreached_outcome;
extern const Check unset_name;
extern const Check unset_output;
extern const Check unsent_id;
extern const Check untaken_done;
extern const Check untaken_error;
extern const Check untaken_event;
extern const Check untaken_outcome;
extern const Check unused_agent;
extern const Check unused_context;
extern const Check unused_input;
extern const Check wrong_assignment;
extern const Check wrong_input;

}  // namespace agneto::lint
