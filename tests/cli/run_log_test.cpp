#include "cli/run_log.h"

#include <gmock/gmock.h>

namespace agneto::cli {
namespace {

using ::testing::ElementsAre;

struct Kept : log::Sink {
  void write(const log::Line& line) noexcept override {
    std::string text =
        std::string(line.message) + " " + std::string(line.run) + " " + std::string(line.path);
    for (const auto& [name, value] : line.fields) text += " " + name + "=" + value.dump();
    lines.push_back(text);
  }
  std::vector<std::string> lines;
};

struct Deaf : record::Observer {
  void event(const record::RunEvent&) override { ++heard; }
  int heard = 0;
};

class RunLogTest : public ::testing::Test {
 protected:
  RunLogTest() { log::install(kept_); }
  ~RunLogTest() override { log::install(nullptr); }

  void happens(const std::string& path, record::EventBody body, int ms = 0) {
    observer_.event({Time(Millis(ms)), "r", path, std::move(body)});
  }

  std::shared_ptr<Kept> kept_ = std::make_shared<Kept>();
  Deaf next_;
  RunLog observer_{next_};
};

TEST_F(RunLogTest, ACallsOutcomeComesWithItsTime) {
  happens("A#1", record::AgentStarted{"coder", "codex", "", 1, "A", "", "high"}, 100);
  record::AgentFinished finished{"coder", "DONE", Json::object(), {1, {}}};
  finished.spent.usage.cost = 0.5;
  happens("A#1", finished, 1350);
  EXPECT_THAT(
      kept_->lines,
      ElementsAre(R"(agent called r A#1 agent="coder" provider="codex" effort="high" attempt=1)",
                  R"(agent ended r A#1 agent="coder" verdict="DONE" calls=1 cost=0.5 )"
                  R"(input_tokens=0 output_tokens=0 ms=1250)"));
  EXPECT_EQ(next_.heard, 2) << "everything is passed on";
}

TEST_F(RunLogTest, WhatPeopleAndAgentsSayIsNotKept) {
  const std::string said = "words";
  record::Question question;
  question.question = question.show = said;
  record::RunStarted started;
  started.task = said;
  record::AgentFinished answer;
  answer.fields = {{"summary", said}};
  record::QuestionAnswered answered;
  answered.option = answered.feedback = said;
  record::Committed committed;
  committed.commit = "abc";
  committed.subject = said;
  record::ProblemMet problem;
  problem.event = "error.unhandled";
  problem.message = said;
  record::ActivityRefused refused;
  refused.event = "error.lua";
  refused.message = "'items' must give a list, found " + said;
  record::ProblemCaught caught;
  caught.event = "error.lua";
  caught.message = "flow.yaml:5: " + said;
  record::RunFinished ended;
  ended.outputs = {{"text", said}};

  happens("", started);
  happens("A#1", record::AgentText{said});
  happens("A#1", record::AgentTool{said});
  happens("A#1", record::AgentRetry{said});
  happens("A#1", answer);
  happens("B#1", record::CommandStarted{{"sh", said}});
  happens("B#1", record::CommandOutput{said});
  happens("C#1", record::QuestionAsked{question});
  happens("C#1", answered);
  happens("D#1", committed);
  happens("", record::Note{said});
  happens("A", problem);
  happens("A", caught);
  happens("E#1", refused);
  happens("", record::RunSuspended{"interrupted", question, {}});
  happens("", ended);
  EXPECT_EQ(next_.heard, 16);
  EXPECT_EQ(kept_->lines.size(), 12u);
  for (const auto& line : kept_->lines) EXPECT_EQ(line.find(said), line.npos) << line;
}

}  // namespace
}  // namespace agneto::cli
