// The execution machine: a case for each arrow of its diagram and each row of its table.
#pragma once

#include <vector>

#include "case.h"

namespace agneto::workflows {

inline const Steps chunk = {
    {"BEAN_COUNTING", "CHUNK_READY", {{"title", "first"}, {"description", "the first chunk"}}}};
inline const Steps counted_all = {{"BEAN_COUNTING", "TASK_COMPLETED", {{"summary", "all done"}}}};
inline const Steps proposed = {{"PLANNING", "PLAN_PROPOSED", {{"proposal", "the proposal"}}}};
inline const Steps plan_approved = {{"PLAN_REVIEWER", "PLAN_APPROVED"}};
inline const Steps plan_revised = {
    {"PLAN_REVIEWER", "PLAN_REVISION_REQUESTED", {{"feedback", "not so"}}}};
inline const Steps plan_rejected = {
    {"PLAN_REVIEWER", "PLAN_REJECTED", {{"reason", "wrong chunk"}}}};
inline const Steps plan_needs_human = {
    {"PLAN_REVIEWER", "PLAN_NEEDS_HUMAN", {{"reason", "your choice"}}}};
inline const Steps applied = {{"IMPLEMENTING", "CODE_APPLIED", {{"summary", "Do it"}}}};
inline const Steps code_approved = {{"CODE_REVIEWER", "CODE_APPROVED"}};
inline const Steps code_revised = {
    {"CODE_REVIEWER", "CODE_REVISION_REQUESTED", {{"feedback", "not so"}}}};
inline const Steps code_rejected = {{"CODE_REVIEWER", "CODE_REJECTED", {{"reason", "wrong way"}}}};
inline const Steps code_needs_human = {
    {"CODE_REVIEWER", "CODE_NEEDS_HUMAN", {{"reason", "your choice"}}}};
inline const Steps committed = {{"COMMITTING", "ok", {{"commit", "c1"}}}};
inline const Steps discarded = {{"CHUNK_REJECTED", "ok"}};
inline const Steps cleaned_up = {{"FAILING", "ok"}};

inline const Steps to_plan_review = chunk + proposed;
inline const Steps to_plan_gate = to_plan_review + plan_needs_human;
inline const Steps to_code = to_plan_review + plan_approved;
inline const Steps to_code_review = to_code + applied;
inline const Steps to_code_gate = to_code_review + code_needs_human;
inline const Steps whole_chunk = to_code_review + code_approved + committed;
// What a command that ran ends in: its exit status, or why it has none, and its output so far.
inline Steps verify_failed_by(const std::string& event, const std::string& message) {
  return {{"VERIFYING", event, {{"message", message}, {"output", "1 test failed\n"}}}};
}
inline const Steps verify_failed = verify_failed_by("failed", "exit status 2");

inline Step failed(const std::string& state, const std::string& event = "error.exit") {
  return {state, event, {{"message", "it broke"}}};
}

inline Json entry(const std::string& result, const std::string& note) {
  return Json::array({{{"title", "first"}, {"result", result}, {"note", note}}});
}

inline std::vector<Case> execution_cases() {
  const Json verify = {{"verify", "make test"}};
  return {
      {.name = "Start_to_BeanCounter", .steps = {}, .leads = "BEAN_COUNTING"},
      {.name = "ChunkReady_Yes_to_Coder",
       .steps = chunk,
       .leads = "PLANNING",
       .holds = {{"chunks", 1},
                 {"plan_attempts", 1},
                 {"chunk", {{"title", "first"}, {"description", "the first chunk"}}}}},
      {.name = "ChunkReady_AllDone_to_Complete",
       .steps = whole_chunk + counted_all,
       .leads = "EXECUTION_COMPLETE",
       .holds = {{"summary", "all done"}, {"ledger", entry("committed", "Do it")}}},
      {.name = "ChunkReady_NothingDone_to_Failed",
       .steps = counted_all + cleaned_up,
       .leads = "EXECUTION_FAILED",
       .holds = {{"reason", "nothing was changed; the Bean Counter says: all done"}}},
      {.name = "ChunkReady_TooManyChunks_to_Failed",
       .steps = 2 * whole_chunk + chunk + cleaned_up,
       .leads = "EXECUTION_FAILED",
       .holds = {{"reason", "the task is not done after 2 chunks"}},
       .inputs = {{"max_chunks", 2}}},
      {.name = "ChunkReady_ThirtyChunksAreNotTooMany",
       .steps = 29 * whole_chunk + chunk,
       .leads = "PLANNING",
       .holds = {{"chunks", 30}}},
      {.name = "BeanCounter_ErrorWithoutAPerson_to_Failed",
       .steps = {failed("BEAN_COUNTING"), {"FAILING", "ok"}},
       .leads = "EXECUTION_FAILED",
       .holds = {{"reason", "the Bean Counter failed: it broke"}},
       .interactive = false},
      {.name = "BeanCounter_Error_to_CountingGate",
       .steps = {failed("BEAN_COUNTING")},
       .leads = "COUNTING_GATE",
       .holds = {{"failure", "it broke"}}},
      {.name = "CountingGate_Retry_to_BeanCounter",
       .steps = {failed("BEAN_COUNTING"), {"COUNTING_GATE", "HUMAN_RETRY"}},
       .leads = "BEAN_COUNTING"},
      {.name = "CountingGate_Abort_to_Aborted",
       .steps = {failed("BEAN_COUNTING"), {"COUNTING_GATE", "HUMAN_ABORT"}},
       .leads = "TASK_ABORTED",
       .holds = {{"reason", "aborted by a person"}}},

      // The Coder's proposal.
      {.name = "Coder_to_PlanReview",
       .steps = to_plan_review,
       .leads = "PLAN_REVIEWER",
       .holds = {{"proposal", "the proposal"}}},
      {.name = "Coder_ErrorWithoutAPerson_to_Failed",
       .steps = chunk + Steps{failed("PLANNING", "error.timeout")} + cleaned_up,
       .leads = "EXECUTION_FAILED",
       .holds = {{"reason", "chunk 'first': it broke"}},
       .interactive = false},
      {.name = "Coder_Error_to_PlanningGate",
       .steps = chunk + Steps{failed("PLANNING", "error.timeout")},
       .leads = "PLANNING_GATE",
       .holds = {{"failure", "it broke"}}},
      {.name = "PlanningGate_Retry_to_Coder",
       .steps = chunk + Steps{failed("PLANNING"), {"PLANNING_GATE", "HUMAN_RETRY"}},
       .leads = "PLANNING",
       .holds = {{"plan_attempts", 1}}},
      {.name = "PlanVerdict_Approve_to_Implement",
       .steps = to_code,
       .leads = "IMPLEMENTING",
       .holds = {{"code_attempts", 1}, {"feedback", ""}}},
      {.name = "PlanVerdict_AlreadyDone_to_BeanCounter",
       .steps = to_plan_review +
                Steps{{"PLAN_REVIEWER", "PLAN_ALREADY_DONE", {{"reason", "it is there"}}}},
       .leads = "BEAN_COUNTING",
       .holds = {{"ledger", entry("already done", "it is there")}, {"rejections", 0}}},
      {.name = "PlanVerdict_Revise_to_Coder",
       .steps = to_plan_review + plan_revised,
       .leads = "PLANNING",
       .holds = {{"feedback", "not so"}, {"plan_attempts", 2}}},
      {.name = "PlanVerdict_Reject_to_BeanCounter",
       .steps = to_plan_review + plan_rejected + discarded,
       .leads = "BEAN_COUNTING",
       .holds = {{"ledger", entry("rejected", "wrong chunk")}, {"rejections", 1}}},
      {.name = "PlanVerdict_NeedsHuman_to_PlanHuman",
       .steps = to_plan_gate,
       .leads = "PLAN_REVIEW_GATE",
       .holds = {{"concerns", "your choice"}}},
      {.name = "PlanReview_Error_to_PlanHuman",
       .steps = to_plan_review + Steps{failed("PLAN_REVIEWER")},
       .leads = "PLAN_REVIEW_GATE",
       .holds = {{"concerns", "The Reviewer failed: it broke"}}},
      {.name = "PlanReview_ErrorWithoutAPerson_to_Failed",
       .steps = to_plan_review + Steps{failed("PLAN_REVIEWER")} + cleaned_up,
       .leads = "EXECUTION_FAILED",
       .holds = {{"reason", "chunk 'first': it broke"}},
       .interactive = false},
      {.name = "CoderAttempt_SeventhIsAllowed",
       .steps = chunk + 6 * (proposed + plan_revised),
       .leads = "PLANNING",
       .holds = {{"plan_attempts", 7}}},
      {.name = "CoderAttempt_No_to_Failed",
       .steps = chunk + 7 * (proposed + plan_revised) + cleaned_up,
       .leads = "EXECUTION_FAILED",
       .holds = {{"reason", "chunk 'first': no plan was approved in 7 attempts"}}},

      // A person at the Coder's proposal.
      {.name = "PlanHuman_Approve_to_Implement",
       .steps = to_plan_gate + Steps{{"PLAN_REVIEW_GATE", "PLAN_APPROVED"}},
       .leads = "IMPLEMENTING"},
      {.name = "PlanHuman_RejectWithFeedback_to_Coder",
       .steps = to_plan_gate +
                Steps{{"PLAN_REVIEW_GATE", "PLAN_REVISION_REQUESTED", {{"feedback", "rather so"}}}},
       .leads = "PLANNING",
       .holds = {{"feedback", "rather so"}, {"plan_attempts", 2}}},
      {.name = "PlanHuman_Abort_to_Aborted",
       .steps = to_plan_gate + Steps{{"PLAN_REVIEW_GATE", "HUMAN_ABORT"}},
       .leads = "TASK_ABORTED",
       .holds = {{"reason", "aborted by a person"}}},
      {.name = "PlanHuman_NobodyThere_Waits",
       .steps = to_plan_gate,
       .leads = "PLAN_REVIEW_GATE",
       .interactive = false},

      // The Coder's change.
      {.name = "Implement_to_CodeReview",
       .steps = to_code_review,
       .leads = "CODE_REVIEWER",
       .holds = {{"change", "Do it"}}},
      {.name = "Implement_ErrorWithoutAPerson_to_Failed",
       .steps = to_code + Steps{failed("IMPLEMENTING")} + cleaned_up,
       .leads = "EXECUTION_FAILED",
       .holds = {{"reason", "chunk 'first': it broke"}},
       .interactive = false},
      {.name = "Implement_Error_to_ImplementingGate",
       .steps = to_code + Steps{failed("IMPLEMENTING")},
       .leads = "IMPLEMENTING_GATE",
       .holds = {{"failure", "it broke"}}},
      {.name = "ImplementingGate_Retry_to_Implement",
       .steps = to_code + Steps{failed("IMPLEMENTING"), {"IMPLEMENTING_GATE", "HUMAN_RETRY"}},
       .leads = "IMPLEMENTING",
       .holds = {{"code_attempts", 1}}},
      {.name = "CodeVerdict_Approve_to_Commit",
       .steps = to_code_review + code_approved,
       .leads = "COMMITTING"},
      {.name = "CodeVerdict_Approve_to_BeanCounter",
       .steps = whole_chunk,
       .leads = "BEAN_COUNTING",
       .holds = {{"ledger", entry("committed", "Do it")}}},
      {.name = "CodeVerdict_Revise_to_Implement",
       .steps = to_code_review + code_revised,
       .leads = "IMPLEMENTING",
       .holds = {{"feedback", "not so"}, {"code_attempts", 2}}},
      {.name = "CodeVerdict_Reject_to_BeanCounter",
       .steps = to_code_review + code_rejected + discarded,
       .leads = "BEAN_COUNTING",
       .holds = {{"ledger", entry("rejected", "wrong way")}, {"rejections", 1}}},
      {.name = "CodeVerdict_NeedsHuman_to_CodeHuman",
       .steps = to_code_gate,
       .leads = "CODE_REVIEW_GATE",
       .holds = {{"concerns", "your choice"}}},
      {.name = "CodeReview_Error_to_CodeHuman",
       .steps = to_code_review + Steps{failed("CODE_REVIEWER", "error.unparsed")},
       .leads = "CODE_REVIEW_GATE",
       .holds = {{"concerns", "The Reviewer failed: it broke"}}},
      {.name = "CodeReview_ErrorWithoutAPerson_to_Failed",
       .steps = to_code_review + Steps{failed("CODE_REVIEWER")} + cleaned_up,
       .leads = "EXECUTION_FAILED",
       .holds = {{"reason", "chunk 'first': it broke"}},
       .interactive = false},
      {.name = "ImplementAttempt_SeventhIsAllowed",
       .steps = to_code + 6 * (applied + code_revised),
       .leads = "IMPLEMENTING",
       .holds = {{"code_attempts", 7}}},
      {.name = "ImplementAttempt_No_to_Failed",
       .steps = to_code + 7 * (applied + code_revised) + cleaned_up,
       .leads = "EXECUTION_FAILED",
       .holds = {{"reason", "chunk 'first': no code was approved in 7 attempts"}}},
      {.name = "Attempts_StartAnewWithAChunk",
       .steps = chunk + 3 * (proposed + plan_revised) + proposed + plan_approved +
                2 * (applied + code_revised) + applied + code_approved + committed + chunk,
       .leads = "PLANNING",
       .holds = {{"plan_attempts", 1}, {"code_attempts", 0}, {"feedback", ""}, {"proposal", ""}}},

      // A person at the Coder's change.
      {.name = "CodeHuman_Approve_to_BeanCounter",
       .steps = to_code_gate + Steps{{"CODE_REVIEW_GATE", "CODE_APPROVED"}} + committed,
       .leads = "BEAN_COUNTING",
       .holds = {{"ledger", entry("committed", "Do it")}}},
      {.name = "CodeHuman_RejectWithFeedback_to_Implement",
       .steps = to_code_gate +
                Steps{{"CODE_REVIEW_GATE", "CODE_REVISION_REQUESTED", {{"feedback", "rather so"}}}},
       .leads = "IMPLEMENTING",
       .holds = {{"feedback", "rather so"}, {"code_attempts", 2}}},
      {.name = "CodeHuman_Abort_to_Aborted",
       .steps = to_code_gate + Steps{{"CODE_REVIEW_GATE", "HUMAN_ABORT"}},
       .leads = "TASK_ABORTED",
       .holds = {{"reason", "aborted by a person"}}},
      {.name = "CodeHuman_NobodyThere_Waits",
       .steps = to_code_gate,
       .leads = "CODE_REVIEW_GATE",
       .interactive = false},

      // The test command.
      {.name = "Verify_RunsAfterAnApproval",
       .steps = to_code_review + code_approved,
       .leads = "VERIFYING",
       .inputs = verify},
      {.name = "Verify_RunsAfterAPersonsApproval",
       .steps = to_code_gate + Steps{{"CODE_REVIEW_GATE", "CODE_APPROVED"}},
       .leads = "VERIFYING",
       .inputs = verify},
      {.name = "Verify_Passes_to_BeanCounter",
       .steps = to_code_review + code_approved + Steps{{"VERIFYING", "ok"}} + committed,
       .leads = "BEAN_COUNTING",
       .holds = {{"ledger", entry("committed", "Do it")}},
       .inputs = verify},
      {.name = "Verify_Fails_to_Implement",
       .steps = to_code_review + code_approved + verify_failed,
       .leads = "IMPLEMENTING",
       .holds = {{"feedback",
                  "The change was approved, but the test command `make test` did not pass: "
                  "exit status 2. Its output:\n\n1 test failed\n"},
                 {"code_attempts", 2}},
       .inputs = verify},
      {.name = "Verify_IsKilled_to_Implement",
       .steps =
           to_code_review + code_approved + verify_failed_by("error.exit", "killed by signal 11"),
       .leads = "IMPLEMENTING",
       .holds = {{"feedback",
                  "The change was approved, but the test command `make test` did not pass: "
                  "killed by signal 11. Its output:\n\n1 test failed\n"},
                 {"code_attempts", 2}},
       .inputs = verify},
      {.name = "Verify_TimesOut_to_Implement",
       .steps =
           to_code_review + code_approved + verify_failed_by("error.timeout", "not done after 30m"),
       .leads = "IMPLEMENTING",
       .holds = {{"feedback",
                  "The change was approved, but the test command `make test` did not pass: "
                  "not done after 30m. Its output:\n\n1 test failed\n"},
                 {"code_attempts", 2}},
       .inputs = verify},
      {.name = "Verify_FailureCountsAsAnAttempt",
       .steps = to_code + 7 * (applied + code_approved + verify_failed) + cleaned_up,
       .leads = "EXECUTION_FAILED",
       .holds = {{"reason",
                  "chunk 'first': no code was approved and passed `make test` in 7 attempts"}},
       .inputs = verify},
      {.name = "Verify_CannotRun_to_Failed",
       .steps =
           to_code_review + code_approved + Steps{failed("VERIFYING", "error.spawn")} + cleaned_up,
       .leads = "EXECUTION_FAILED",
       .holds = {{"reason", "chunk 'first': it broke"}},
       .inputs = verify},

      // The engine's own git operations.
      {.name = "Commit_Fails_to_Coder",
       .steps = to_code_review + code_approved + Steps{failed("COMMITTING", "failed")},
       .leads = "IMPLEMENTING",
       .holds = {{"feedback", "The change was approved, but it cannot be committed: it broke"},
                 {"code_attempts", 2}}},
      {.name = "Commit_FailsInTheLastAttempt_to_Failed",
       .steps = to_code + 7 * (applied + code_approved + Steps{failed("COMMITTING", "failed")}) +
                cleaned_up,
       .leads = "EXECUTION_FAILED",
       .holds = {{"reason", "chunk 'first' cannot be committed: it broke"}}},
      {.name = "Reject_ThreeAreAllowed",
       .steps = 3 * (to_code_review + code_rejected + discarded),
       .leads = "BEAN_COUNTING",
       .holds = {{"rejections", 3}}},
      {.name = "Reject_TooOften_to_Failed",
       .steps = 2 * (to_plan_review + plan_rejected + discarded) +
                2 * (to_code_review + code_rejected + discarded),
       .leads = "EXECUTION_FAILED",
       .holds = {{"reason", "4 chunks were rejected, the last one because: wrong way"}}},
      {.name = "Reject_CannotBeDiscarded_to_Failed",
       .steps = to_code_review + code_rejected + Steps{failed("CHUNK_REJECTED", "failed")},
       .leads = "EXECUTION_FAILED",
       .holds = {{"reason", "a rejected change cannot be discarded: it broke"}}},
      {.name = "Failure_CannotBeDiscarded_to_Failed",
       .steps = to_code + Steps{failed("IMPLEMENTING"), failed("FAILING", "failed")},
       .leads = "EXECUTION_FAILED",
       .holds = {{"reason",
                  "chunk 'first': it broke; and the change cannot be discarded: it broke"}},
       .interactive = false},
      {.name = "UserAbort_to_Aborted",
       .steps = to_code + Steps{{"", "abort"}},
       .leads = "TASK_ABORTED",
       .holds = {{"reason", "aborted by a person"}}},
  };
}

}  // namespace agneto::workflows
