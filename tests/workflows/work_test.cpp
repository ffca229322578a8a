// What the machines ask of the world: conversations, commands, commits, bounds passed down.
#include <gmock/gmock.h>

#include "task_cases.h"

namespace agneto::workflows {
namespace {

using testing::ElementsAre;

Play after(const Workflow& workflow, const Steps& steps, const Json& inputs = Json::object()) {
  Play play(workflow, true, true, inputs);
  play.steps(steps);
  return play;
}

std::string scope(const Play& play, const std::string& state) {
  return play.effect<chart::CallAgent>(state).scope;
}

TEST(Conversations, TheBeanCounterKeepsOneForTheWholeExecution) {
  Play run = after(execution_workflow(), {});
  const std::string first = scope(run, "BEAN_COUNTING");
  EXPECT_NE(first, "");
  run.steps(whole_chunk);
  EXPECT_EQ(scope(run, "BEAN_COUNTING"), first);
}

TEST(Conversations, CoderAndReviewerKeepOneForEachChunk) {
  Play run = after(execution_workflow(), chunk);
  const std::string first = scope(run, "PLANNING");
  EXPECT_NE(first, "");
  run.steps(proposed);
  EXPECT_EQ(scope(run, "PLAN_REVIEWER"), first);
  run.steps(plan_approved);
  EXPECT_EQ(scope(run, "IMPLEMENTING"), first);
  run.steps(applied + code_approved + committed + chunk);
  EXPECT_NE(scope(run, "PLANNING"), first);
}

TEST(Conversations, TheOthersStartFresh) {
  Play run = after(task_workflow(), {});
  EXPECT_EQ(scope(run, "REFINER"), "");
  run.steps(refined + refinement_approved);
  EXPECT_EQ(scope(run, "TASK_PLANNING"), "");
  run.steps(planned);
  EXPECT_EQ(scope(run, "CURMUDGEON"), "");
  run.steps(approved + plan_accepted + whole_chunk + counted_all);
  EXPECT_EQ(scope(run, "SUPER_REVIEWER"), "");
}

TEST(Access, OnlyTheCoderMayEditAndOnlyAnApprovedPlan) {
  std::vector<std::string> editing;
  for (const auto& machine : task_workflow().system->machines) {
    for (const auto& state : machine.states) {
      const auto* call = std::get_if<model::AgentCall>(&state.activity);
      if (call && call->access != model::Access::read_only) editing.push_back(state.name);
    }
  }
  EXPECT_THAT(editing, ElementsAre("IMPLEMENTING"));
}

TEST(Commands, TheTestCommandIsTheUsersOwnText) {
  Play run =
      after(execution_workflow(), to_code_review + code_approved, {{"verify", "make 'a b'"}});
  EXPECT_THAT(run.effect<chart::RunCommand>("VERIFYING").argv,
              ElementsAre("/bin/sh", "-c", "make 'a b'"));
}

TEST(Git, AnApprovedChunkIsCommittedWithTheCodersSummary) {
  Play run = after(execution_workflow(), to_code_review + code_approved);
  const auto& commit = run.effect<chart::GitOperation>("COMMITTING");
  EXPECT_EQ(commit.kind, model::WorkspaceOperation::Kind::commit);
  EXPECT_EQ(commit.message, "Do it");
}

TEST(Git, ARejectedChunkIsDiscardedBeforeTheBeanCounterGoesOn) {
  Play run = after(execution_workflow(), to_code_review + code_rejected);
  EXPECT_EQ(run.effect<chart::GitOperation>("CHUNK_REJECTED").kind,
            model::WorkspaceOperation::Kind::discard);
}

TEST(Git, AFailureDiscardsWhatIsNotCommitted) {
  Play run = after(execution_workflow(),
                   to_code_review + code_approved + Steps{failed("COMMITTING", "failed")},
                   {{"max_code_attempts", 1}});
  EXPECT_EQ(run.effect<chart::GitOperation>("FAILING").kind,
            model::WorkspaceOperation::Kind::discard);
}

TEST(Git, TheMergeIsSquashedIntoTheBaseWithTheReviewedSummary) {
  Play run = after(task_workflow(), to_super_review + reviewed);
  const auto& merge = run.effect<chart::GitOperation>("MERGING");
  EXPECT_EQ(merge.kind, model::WorkspaceOperation::Kind::merge);
  EXPECT_EQ(merge.message, "Do the task");
  EXPECT_EQ(merge.into, "");
  EXPECT_TRUE(merge.squash);
}

TEST(Inputs, TheirDefaultsAreTheDocumentedNumbers) {
  Play run = after(task_workflow(), {});
  EXPECT_EQ(run.data("").at("inputs"), Json({{"task", "the task"},
                                             {"verify", ""},
                                             {"max_simplifications", 4},
                                             {"max_retries", 2},
                                             {"max_questions", 3},
                                             {"max_chunks", 30},
                                             {"max_rejections", 3},
                                             {"max_plan_attempts", 7},
                                             {"max_code_attempts", 7}}));
}

TEST(Inputs, TheExecutionIsGivenWhatItNeeds) {
  Play run = after(task_workflow(), to_execution,
                   {{"verify", "make test"},
                    {"max_chunks", 1},
                    {"max_rejections", 2},
                    {"max_plan_attempts", 3},
                    {"max_code_attempts", 4}});
  const auto& call = run.effect<chart::CallAgent>("BEAN_COUNTING");
  EXPECT_EQ(run.data(call.instance).at("inputs"), Json({{"task", "the refined task"},
                                                        {"plan", "the plan"},
                                                        {"ledger", Json::array()},
                                                        {"verify", "make test"},
                                                        {"max_chunks", 1},
                                                        {"max_rejections", 2},
                                                        {"max_plan_attempts", 3},
                                                        {"max_code_attempts", 4}}));
}

// The bounds are inputs; here each is tighter than its default.
TEST(Inputs, BoundThePlanning) {
  Play run = after(task_workflow(), to_planning + planned + simplify + planned + simplify,
                   {{"max_simplifications", 1}});
  EXPECT_EQ(run.where(), "PLAN_GATE");
}
TEST(Inputs, BoundTheQuestions) {
  Play run = after(task_workflow(), asked, {{"max_questions", 0}});
  EXPECT_EQ(run.where(), "TASK_PLANNING");
}
TEST(Inputs, BoundAChunk) {
  const Json tight = {{"max_plan_attempts", 1}, {"max_code_attempts", 1}};
  EXPECT_EQ(after(execution_workflow(), to_plan_review + plan_revised, tight).where(), "FAILING");
  EXPECT_EQ(after(execution_workflow(), to_code_review + code_revised, tight).where(), "FAILING");
}
TEST(Inputs, BoundTheRejections) {
  Play run = after(execution_workflow(), to_plan_review + plan_rejected + discarded,
                   {{"max_rejections", 0}});
  EXPECT_EQ(run.where(), "EXECUTION_FAILED");
}
TEST(Inputs, BoundTheRetries) {
  Play run = after(task_workflow(), to_super_gate, {{"max_retries", 0}});
  EXPECT_THROW(run.steps(retry), std::runtime_error);
}

}  // namespace
}  // namespace agneto::workflows
