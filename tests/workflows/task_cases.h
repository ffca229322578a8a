// The task machine: a case for each arrow of its diagram and each row of its table.
#pragma once

#include <vector>

#include "case.h"
#include "execution_cases.h"

namespace agneto::workflows {

inline const Steps refined = {{"REFINER", "REFINED", {{"description", "the refined task"}}}};
inline const Steps asked = {{"REFINER", "QUESTION", {{"question", "which?"}}}};
inline const Steps answered = {
    {"CLARIFYING", "answered", {{"text", "this"}, {"feedback", "this"}}}};
inline const Steps refinement_approved = {{"REFINEMENT_GATE", "REFINEMENT_COMPLETE"}};
inline const Steps planned = {{"TASK_PLANNING", "PLAN_CREATED", {{"plan", "the plan"}}}};
inline const Steps simplify = {{"CURMUDGEON", "CURMUDGEON_SIMPLIFY", {{"feedback", "too much"}}}};
inline const Steps approved = {{"CURMUDGEON", "CURMUDGEON_APPROVED"}};
inline const Steps plan_accepted = {{"PLAN_GATE", "CURMUDGEON_APPROVED"}};
inline const Steps plan_changed = {
    {"PLAN_GATE", "CURMUDGEON_SIMPLIFY", {{"feedback", "without step 2"}}}};
inline const Steps reviewed = {
    {"SUPER_REVIEWER", "SUPER_REVIEW_PASSED", {{"summary", "Do the task"}}}};
inline const Steps needs_human = {
    {"SUPER_REVIEWER", "SUPER_REVIEW_NEEDS_HUMAN", {{"concerns", "no tests"}}}};
inline const Steps retry = {{"SUPER_REVIEW_GATE", "HUMAN_RETRY", {{"feedback", "add tests"}}}};

// Without a person, and with one.
inline const Steps alone_to_execution = planned + approved;
inline const Steps alone_to_review = alone_to_execution + whole_chunk + counted_all;
inline const Steps alone_to_gate = alone_to_review + needs_human;
inline const Steps to_planning = refined + refinement_approved;
inline const Steps to_plan_gate_of_task = to_planning + planned + approved;
inline const Steps to_execution = to_plan_gate_of_task + plan_accepted;
inline const Steps to_super_review = to_execution + whole_chunk + counted_all;
inline const Steps to_super_gate = to_super_review + needs_human;

inline std::vector<Case> refining_cases() {
  return {
      {.name = "Interactive_Yes_to_Refine", .steps = {}, .leads = "REFINER"},
      {.name = "Interactive_No_to_Plan",
       .steps = {},
       .leads = "TASK_PLANNING",
       .holds = {{"task", "the task"}},
       .interactive = false},
      {.name = "Refine_to_RefineApproval",
       .steps = refined,
       .leads = "REFINEMENT_GATE",
       .holds = {{"refined", "the refined task"}, {"task", "the task"}}},
      {.name = "RefineApproval_Yes_to_Plan",
       .steps = refined + refinement_approved,
       .leads = "TASK_PLANNING",
       .holds = {{"task", "the refined task"}}},
      {.name = "RefineApproval_YesEdited_to_Plan",
       .steps = refined + Steps{{"REFINEMENT_GATE", "REFINEMENT_EDITED", {{"edited", "my task"}}}},
       .leads = "TASK_PLANNING",
       .holds = {{"task", "my task"}}},
      {.name = "RefineApproval_YesEditedWithoutAnEdit_to_Plan",
       .steps = refined + Steps{{"REFINEMENT_GATE", "REFINEMENT_EDITED"}},
       .leads = "TASK_PLANNING",
       .holds = {{"task", "the refined task"}}},
      {.name = "RefineApproval_NoUseOriginal_to_Plan",
       .steps = refined + Steps{{"REFINEMENT_GATE", "REFINEMENT_CANCELLED"}},
       .leads = "TASK_PLANNING",
       .holds = {{"task", "the task"}}},
      {.name = "Refine_Question_to_Person",
       .steps = asked,
       .leads = "CLARIFYING",
       .holds = {{"question", "which?"}}},
      {.name = "Refine_Answer_to_Refiner",
       .steps = asked + answered,
       .leads = "REFINER",
       .holds = {{"answers", {{{"question", "which?"}, {"answer", "this"}}}}}},
      {.name = "Refine_ThreeQuestionsAreAllowed",
       .steps = 2 * (asked + answered) + asked,
       .leads = "CLARIFYING"},
      {.name = "Refine_FourthQuestion_UsesOriginal_to_Plan",
       .steps = 3 * (asked + answered) + asked,
       .leads = "TASK_PLANNING",
       .holds = {{"task", "the task"}}},
      {.name = "Refine_Error_UsesOriginal_to_Plan",
       .steps = {failed("REFINER")},
       .leads = "TASK_PLANNING",
       .holds = {{"task", "the task"}}},
  };
}

inline std::vector<Case> planning_cases() {
  return {
      {.name = "Plan_to_Curmudgeon",
       .steps = to_planning + planned,
       .leads = "CURMUDGEON",
       .holds = {{"plan", "the plan"}}},
      {.name = "Plan_Failed_to_Abandoned",
       .steps = to_planning + Steps{{"TASK_PLANNING", "PLAN_FAILED", {{"reason", "no such file"}}}},
       .leads = "TASK_ABANDONED",
       .holds = {{"reason", "the Planner found no plan: no such file"}, {"merged", false}}},
      {.name = "Plan_ErrorWithoutAPerson_to_Abandoned",
       .steps = {failed("TASK_PLANNING")},
       .leads = "TASK_ABANDONED",
       .holds = {{"reason", "the Planner failed: it broke"}},
       .interactive = false},
      {.name = "Plan_Error_to_PlannerGate",
       .steps = to_planning + Steps{failed("TASK_PLANNING")},
       .leads = "PLANNER_GATE",
       .holds = {{"failure", "it broke"}}},
      {.name = "PlannerGate_Retry_to_Plan",
       .steps = to_planning + Steps{failed("TASK_PLANNING"), {"PLANNER_GATE", "HUMAN_RETRY"}},
       .leads = "TASK_PLANNING"},
      {.name = "PlannerGate_Abandon_to_Abandoned",
       .steps = to_planning + Steps{failed("TASK_PLANNING"), {"PLANNER_GATE", "HUMAN_ABANDON"}},
       .leads = "TASK_ABANDONED",
       .holds = {{"reason", "the Planner failed: it broke"}}},
      {.name = "CurmudgeonLoop_NeedsSimplification_to_Plan",
       .steps = to_planning + planned + simplify,
       .leads = "TASK_PLANNING",
       .holds = {{"feedback", "too much"}, {"plan", "the plan"}, {"simplifications", 1}}},
      {.name = "CurmudgeonLoop_ASimplerPlanIsReviewedAgain",
       .steps = to_planning + planned + simplify +
                Steps{{"TASK_PLANNING", "PLAN_CREATED", {{"plan", "simpler"}}}},
       .leads = "CURMUDGEON",
       .holds = {{"feedback", ""}, {"plan", "simpler"}}},
      {.name = "CurmudgeonLoop_FourSimplificationsAreAllowed",
       .steps = to_planning + 4 * (planned + simplify),
       .leads = "TASK_PLANNING",
       .holds = {{"simplifications", 4}}},
      {.name = "CurmudgeonLoop_UsedUp_to_PlanApproval",
       .steps = to_planning + 5 * (planned + simplify),
       .leads = "PLAN_GATE",
       .holds = {{"remark",
                  "After 4 simplifications the Curmudgeon still asks for a simpler "
                  "plan:\n\ntoo much"}}},
      {.name = "CurmudgeonLoop_UsedUpWithoutAPerson_to_Execute",
       .steps = 5 * (planned + simplify) +
                Steps{{"SIMPLIFICATIONS_USED_UP", "CURMUDGEON_APPROVED", {{"by", "default"}}}},
       .leads = "TASK_EXECUTING/BEAN_COUNTING",
       .holds = {{"reviewed_by_person", false}},
       .interactive = false},
      {.name = "CurmudgeonLoop_UsedUpAndAPersonComes_to_Execute",
       .steps = 5 * (planned + simplify) +
                Steps{{"SIMPLIFICATIONS_USED_UP", "CURMUDGEON_APPROVED", {{"by", "person"}}}},
       .leads = "TASK_EXECUTING/BEAN_COUNTING",
       .holds = {{"reviewed_by_person", true}},
       .interactive = false},
      {.name = "CurmudgeonLoop_UsedUpAndAPersonComes_to_Abandoned",
       .steps = 5 * (planned + simplify) + Steps{{"SIMPLIFICATIONS_USED_UP", "HUMAN_ABANDON"}},
       .leads = "TASK_ABANDONED",
       .holds = {{"reason", "given up before it was begun"}},
       .interactive = false},
      {.name = "CurmudgeonLoop_Ready_to_PlanApproval",
       .steps = to_plan_gate_of_task,
       .leads = "PLAN_GATE",
       .holds = {{"remark", "The Curmudgeon approves of this plan."}}},
      {.name = "CurmudgeonLoop_ReadyWithoutAPerson_to_Execute",
       .steps = alone_to_execution,
       .leads = "TASK_EXECUTING/BEAN_COUNTING",
       .interactive = false},
      {.name = "Curmudgeon_Error_to_PlanApproval",
       .steps = to_planning + planned + Steps{failed("CURMUDGEON")},
       .leads = "PLAN_GATE",
       .holds = {{"remark", "The Curmudgeon failed: it broke"}}},
      {.name = "Curmudgeon_ErrorWithoutAPerson_to_Abandoned",
       .steps = planned + Steps{failed("CURMUDGEON")},
       .leads = "TASK_ABANDONED",
       .holds = {{"reason", "the Curmudgeon failed: it broke"}},
       .interactive = false},
      {.name = "PlanApproval_Yes_to_Execute",
       .steps = to_execution,
       .leads = "TASK_EXECUTING/BEAN_COUNTING",
       .holds = {{"plan", "the plan"}}},
      {.name = "PlanApproval_YesAsEdited_to_Execute",
       .steps = to_plan_gate_of_task + Steps{{"PLAN_GATE", "PLAN_EDITED", {{"edited", "my plan"}}}},
       .leads = "TASK_EXECUTING/BEAN_COUNTING",
       .holds = {{"plan", "my plan"}, {"reviewed_by_person", true}}},
      {.name = "PlanApproval_YesEditedButNotChanged_to_Execute",
       .steps = to_plan_gate_of_task + Steps{{"PLAN_GATE", "PLAN_EDITED"}},
       .leads = "TASK_EXECUTING/BEAN_COUNTING",
       .holds = {{"plan", "the plan"}}},
      {.name = "PlanApproval_Reject_to_PlanRevise",
       .steps = to_plan_gate_of_task + plan_changed,
       .leads = "TASK_PLANNING",
       .holds = {{"plan", "the plan"},
                 {"feedback", "without step 2"},
                 {"reviewed_by_person", true}}},
      {.name = "PlanRevise_SkipsCurmudgeon_to_PlanApproval",
       .steps = to_plan_gate_of_task + plan_changed +
                Steps{{"TASK_PLANNING", "PLAN_CREATED", {{"plan", "revised"}}}},
       .leads = "PLAN_GATE",
       .holds = {{"plan", "revised"},
                 {"feedback", ""},
                 {"remark", "The Planner revised the plan as you asked."}}},
  };
}

inline std::vector<Case> finishing_cases() {
  return {
      {.name = "Execute_to_SuperReview",
       .steps = to_execution + whole_chunk + counted_all,
       .leads = "SUPER_REVIEWER",
       .holds = {{"summary", "all done"}, {"ledger", entry("committed", "Do it")}}},
      {.name = "Execute_Failed_to_Abandoned",
       .steps = alone_to_execution + Steps{failed("BEAN_COUNTING")} + cleaned_up,
       .leads = "TASK_ABANDONED",
       .holds = {{"reason", "the Bean Counter failed: it broke"}, {"merged", false}},
       .interactive = false},
      {.name = "Execute_Error_to_Abandoned",
       .steps = alone_to_execution + Steps{failed("BEAN_COUNTING"), {"FAILING", "unheard_of"}},
       .leads = "TASK_ABANDONED",
       .holds =
           {{"reason",
             "the execution failed: FAILING ended in 'unheard_of', which no transition takes"}},
       .interactive = false},
      {.name = "Execute_Aborted_to_Aborted",
       .steps = to_execution + to_plan_gate + Steps{{"PLAN_REVIEW_GATE", "HUMAN_ABORT"}},
       .leads = "TASK_ABORTED",
       .holds = {{"reason", "aborted by a person"}}},
      {.name = "SuperResult_Pass_to_Finalize",
       .steps = to_super_review + reviewed,
       .leads = "MERGING",
       .holds = {{"summary", "Do the task"}},
       .auto_merge = true},
      {.name = "SuperResult_NeedsHuman_to_HumanDecision",
       .steps = to_super_gate,
       .leads = "SUPER_REVIEW_GATE",
       .holds = {{"concerns", "no tests"}}},
      {.name = "SuperResult_NeedsHumanWithoutAPerson_Waits",
       .steps = alone_to_gate,
       .leads = "SUPER_REVIEW_GATE",
       .interactive = false},
      {.name = "SuperReview_Error_to_HumanDecision",
       .steps = to_super_review + Steps{failed("SUPER_REVIEWER")},
       .leads = "SUPER_REVIEW_GATE",
       .holds = {{"concerns", "The Super-Reviewer failed: it broke"}}},
      {.name = "SuperReview_ErrorWithoutAPerson_to_Abandoned",
       .steps = alone_to_review + Steps{failed("SUPER_REVIEWER")},
       .leads = "TASK_ABANDONED",
       .holds = {{"reason", "the Super-Reviewer failed: it broke"}},
       .interactive = false},
      {.name = "HumanDecision_Approve_to_Finalize",
       .steps = to_super_gate + Steps{{"SUPER_REVIEW_GATE", "HUMAN_APPROVED"}},
       .leads = "MERGING",
       .auto_merge = true},
      {.name = "HumanDecision_Retry_to_Plan",
       .steps = to_super_gate + retry,
       .leads = "TASK_PLANNING",
       .holds = {{"task", "the refined task\n\nAsked for after a review of the work:\n\nadd tests"},
                 {"feedback", "add tests"},
                 {"carried_out", "the plan"},
                 {"plan", ""},
                 {"retries", 1}}},
      {.name = "HumanDecision_RetryAfterAPersonsReview_SkipsCurmudgeon",
       .steps = to_super_gate + retry + planned,
       .leads = "PLAN_GATE"},
      {.name = "HumanDecision_RetryWithoutAPersonsReview_to_Curmudgeon",
       .steps = 4 * (planned + simplify) + planned + approved + whole_chunk + counted_all +
                needs_human + retry + planned,
       .leads = "CURMUDGEON",
       .holds = {{"simplifications", 0}},
       .interactive = false},
      {.name = "HumanDecision_RetryKeepsTheLedger",
       .steps = to_execution + whole_chunk + counted_all + needs_human + retry + planned +
                plan_accepted + counted_all,
       .leads = "SUPER_REVIEWER",
       .holds = {{"ledger", entry("committed", "Do it")}}},
      {.name = "HumanDecision_TwoRetriesAreAllowed",
       .steps = alone_to_gate + 2 * (retry + alone_to_gate),
       .leads = "SUPER_REVIEW_GATE",
       .holds = {{"retries", 2}},
       .interactive = false},
      {.name = "HumanDecision_Abandon_to_Abandoned",
       .steps = to_super_gate + Steps{{"SUPER_REVIEW_GATE", "HUMAN_ABANDON"}},
       .leads = "TASK_ABANDONED",
       .holds = {{"reason", "given up after the last review"}, {"merged", false}}},
      {.name = "Finalize_Merge_to_Complete",
       .steps = to_super_review + reviewed + Steps{{"MERGING", "ok", {{"commit", "c9"}}}},
       .leads = "TASK_COMPLETE",
       .holds = {{"merged", true},
                 {"commit", "c9"},
                 {"reason", ""},
                 {"summary", "Do the task"},
                 {"branch", "agneto/r1"}},
       .auto_merge = true},
      {.name = "Finalize_WithoutMerge_to_Complete",
       .steps = to_super_review + reviewed,
       .leads = "TASK_COMPLETE",
       .holds = {{"merged", false}, {"reason", "merging was not asked for"}}},
      {.name = "Finalize_NothingToMerge_to_Complete",
       .steps = to_super_review + reviewed +
                Steps{{"MERGING", "ok", {{"commit", ""}, {"message", "nothing to merge"}}}},
       .leads = "TASK_COMPLETE",
       .holds = {{"merged", false}, {"commit", ""}, {"reason", "nothing to merge"}},
       .auto_merge = true},
      {.name = "Finalize_MergeFails_to_NotMerged",
       .steps = to_super_review + reviewed + Steps{failed("MERGING", "failed")},
       .leads = "TASK_NOT_MERGED",
       .holds = {{"merged", false}, {"reason", "it broke"}},
       .auto_merge = true},
      {.name = "Finalize_MergeConflicts_to_NotMerged",
       .steps = to_super_review + reviewed + Steps{failed("MERGING", "conflict")},
       .leads = "TASK_NOT_MERGED",
       .holds = {{"merged", false}, {"reason", "it broke"}},
       .auto_merge = true},
      {.name = "UserAbort_to_Aborted",
       .steps = to_planning + Steps{{"", "abort"}},
       .leads = "TASK_ABORTED",
       .holds = {{"reason", "aborted by a person"}, {"merged", false}}},
  };
}

inline std::vector<Case> task_cases() {
  std::vector<Case> all = refining_cases();
  for (auto& row : planning_cases()) all.push_back(std::move(row));
  for (auto& row : finishing_cases()) all.push_back(std::move(row));
  return all;
}

}  // namespace agneto::workflows
