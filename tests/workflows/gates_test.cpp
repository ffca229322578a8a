// What a person is asked: the material, the options, and which of them need words.
#include <gmock/gmock.h>

#include "task_cases.h"

namespace agneto::workflows {
namespace {

// "NAME", "NAME!" where words are required, "NAME: text" where a text can be edited.
std::vector<std::string> options(const chart::AskHuman& question) {
  std::vector<std::string> all;
  for (const auto& option : question.options) {
    all.push_back(option.name + (option.feedback == model::Need::required ? "!" : "") +
                  (option.edit ? ": " + *option.edit : ""));
  }
  return all;
}

Play after(const Workflow& workflow, const Steps& steps, bool interactive = true) {
  Play play(workflow, interactive);
  play.steps(steps);
  return play;
}

TEST(Gates, RefinementIsShownAndApprovedEditedOrCancelled) {
  Play run = after(task_workflow(), refined);
  const auto& gate = run.effect<chart::AskHuman>("REFINEMENT_GATE");
  EXPECT_EQ(gate.question, "Is this what you want done?");
  EXPECT_EQ(gate.show, "the refined task");
  EXPECT_THAT(options(gate),
              testing::ElementsAre("REFINEMENT_COMPLETE", "REFINEMENT_EDITED: the refined task",
                                   "REFINEMENT_CANCELLED"));
}

TEST(Gates, TheRefinersQuestionAsksForWords) {
  Play run = after(task_workflow(), asked);
  const auto& gate = run.effect<chart::AskHuman>("CLARIFYING");
  EXPECT_EQ(gate.question, "which?");
  EXPECT_EQ(gate.text, model::Need::required);
  EXPECT_THAT(gate.options, testing::IsEmpty());
}

TEST(Gates, ThePlanIsShownWithWhatTheCurmudgeonThinks) {
  Play run = after(task_workflow(), to_plan_gate_of_task);
  const auto& gate = run.effect<chart::AskHuman>("PLAN_GATE");
  EXPECT_EQ(gate.question, "Carry out this plan?");
  EXPECT_EQ(gate.show, "The Curmudgeon approves of this plan.\n\nthe plan");
  EXPECT_THAT(options(gate), testing::ElementsAre("CURMUDGEON_APPROVED", "PLAN_EDITED: the plan",
                                                  "CURMUDGEON_SIMPLIFY!"));
}

TEST(Gates, ACodersPlanIsShownWithWhyAPersonIsNeeded) {
  Play run = after(execution_workflow(), to_plan_gate);
  const auto& gate = run.effect<chart::AskHuman>("PLAN_REVIEW_GATE");
  EXPECT_EQ(gate.question, "Is this the way to do 'first'?");
  EXPECT_EQ(gate.show, "your choice\n\nthe proposal");
  EXPECT_THAT(options(gate),
              testing::ElementsAre("PLAN_APPROVED", "PLAN_REVISION_REQUESTED!", "HUMAN_ABORT"));
}

TEST(Gates, ACodersChangeIsShownWithWhyAPersonIsNeeded) {
  Play run = after(execution_workflow(), to_code_gate);
  const auto& gate = run.effect<chart::AskHuman>("CODE_REVIEW_GATE");
  EXPECT_EQ(gate.question, "Is the change for 'first' good?");
  EXPECT_EQ(gate.show, "your choice\n\nDo it");
  EXPECT_THAT(options(gate),
              testing::ElementsAre("CODE_APPROVED", "CODE_REVISION_REQUESTED!", "HUMAN_ABORT"));
}

TEST(Gates, TheLastReviewOffersARetryWhileThereIsOne) {
  Play run = after(task_workflow(), alone_to_gate, false);
  for (int retries = 0; retries < 2; ++retries) {
    const auto& gate = run.effect<chart::AskHuman>("SUPER_REVIEW_GATE");
    EXPECT_EQ(gate.show, "no tests");
    EXPECT_THAT(options(gate),
                testing::ElementsAre("HUMAN_APPROVED", "HUMAN_RETRY!", "HUMAN_ABANDON"));
    run.steps(retry + alone_to_gate);
  }
  EXPECT_THAT(options(run.effect<chart::AskHuman>("SUPER_REVIEW_GATE")),
              testing::ElementsAre("HUMAN_APPROVED", "HUMAN_ABANDON"));
}

// Nothing passes by itself: without a person a run suspends at its gates. But a plan that the
// Curmudgeon never approves is carried out, by a default that the log shows.
TEST(Gates, OnlyUsedUpSimplificationsHaveADefault) {
  std::map<std::string, std::string> defaults;
  for (const auto& machine : task_workflow().system->machines) {
    for (const auto& state : machine.states) {
      const auto* ask = std::get_if<model::Ask>(&state.activity);
      if (ask && !ask->default_option.empty()) defaults[state.name] = ask->default_option;
    }
  }
  EXPECT_THAT(defaults, testing::ElementsAre(
                            testing::Pair("SIMPLIFICATIONS_USED_UP", "CURMUDGEON_APPROVED")));
}

TEST(Gates, ARunWithoutAPersonThatNeedsNoneAsksNothing) {
  Play run = after(task_workflow(), alone_to_review + reviewed, false);
  EXPECT_EQ(run.where(), "TASK_COMPLETE");
  EXPECT_THAT(run.entered(), testing::Not(testing::Contains(testing::HasSubstr("GATE"))));
}

}  // namespace
}  // namespace agneto::workflows
