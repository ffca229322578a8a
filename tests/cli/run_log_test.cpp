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

  void happens(const std::string& kind, const std::string& path, Json data, int ms = 0) {
    observer_.event({Time(Millis(ms)), "r", path, record::event_body(kind, data)});
  }

  std::shared_ptr<Kept> kept_ = std::make_shared<Kept>();
  Deaf next_;
  RunLog observer_{next_};
};

TEST_F(RunLogTest, ACallsOutcomeComesWithItsTime) {
  happens("agent.started", "A#1", {{"agent", "coder"}, {"provider", "codex"}, {"attempt", 1}}, 100);
  happens("agent.finished", "A#1", {{"agent", "coder"}, {"verdict", "DONE"}, {"cost", 0.5}}, 1350);
  EXPECT_THAT(kept_->lines,
              ElementsAre(R"(agent called r A#1 agent="coder" provider="codex" attempt=1)",
                          R"(agent ended r A#1 agent="coder" verdict="DONE" cost=0.5 ms=1250)"));
  EXPECT_EQ(next_.heard, 2) << "everything is passed on";
}

TEST_F(RunLogTest, WhatPeopleAndAgentsSayIsNotKept) {
  const std::string said = "words";
  happens("run.started", "", {{"workflow", "fix"}, {"task", said}});
  happens("agent.text", "A#1", {{"text", said}});
  happens("agent.tool", "A#1", {{"tool", said}});
  happens("agent.retry", "A#1", {{"reason", said}});
  happens("agent.finished", "A#1", {{"verdict", "DONE"}, {"fields", {{"summary", said}}}});
  happens("command.started", "B#1", {{"argv", {"sh", said}}});
  happens("command.output", "B#1", {{"line", said}});
  happens("question.asked", "C#1", {{"question", said}, {"show", said}, {"words", said}});
  happens("question.answered", "C#1", {{"option", said}, {"feedback", said}, {"by", "person"}});
  happens("workspace.committed", "D#1", {{"commit", "abc"}, {"subject", said}});
  happens("note", "", {{"text", said}});
  happens("problem", "A", {{"event", "error.unhandled"}, {"message", said}});
  happens("run.suspended", "", {{"reason", "interrupted"}, {"question", said}});
  happens("run.finished", "", {{"status", "complete"}, {"outputs", {{"text", said}}}});
  EXPECT_EQ(next_.heard, 14);
  EXPECT_EQ(kept_->lines.size(), 10u);
  for (const auto& line : kept_->lines) EXPECT_EQ(line.find(said), line.npos) << line;
}

}  // namespace
}  // namespace agneto::cli
