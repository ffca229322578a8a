#include "record/event.h"

#include <gtest/gtest.h>

#include "base/text.h"
#include "record/options.h"
#include "support/errors.h"

namespace agneto::record {
namespace {

using testing::error_of;

Question a_question() {
  return {"GATE#1",
          "Good?",
          "the plan",
          {{"EDIT", "Edit it", model::Need::required, true}},
          "EDIT",
          true,
          {{{Time(Millis(60'000)), Millis(60'000), {"LATER"}, true}}, {"build.finished"}}};
}

GitResult a_result() {
  return {"c0ffee", "nothing", {"a.txt"}, "done: t", "main"};
}

Spent some() {
  return {3, {0.25, 10, 20}};
}

std::vector<EventBody> one_event_of_each() {
  return {RunQueued{"say hello", "lea", "the server was stopped"},
          RunStarted{"flow", "t", "main", "agneto/r", "/w", "claude"},
          RunParked{"a timer runs"},
          RunResumed{"flow", "t", "agneto/r", "/w"},
          StateEntered{"CODING", true},
          StateExited{"CODING", true},
          TransitionTaken{{"SUB#1", "DONE", "CODING", {"GATE"}, 12, "JUDGES", 2}},
          ProblemMet{{"", "error.lua", "flow.yaml:3: no"}},
          ProblemCaught{{"", "error.lua", "flow.yaml:5: no"}},
          ActivityRefused{{"", "error.lua", "flow.yaml:9: no list"}},
          AgentStarted{"coder", "claude", "opus", 2, "CODING", "a.txt", "high"},
          AgentText{"Looking"},
          AgentTool{"rg"},
          AgentToolEnd{},
          AgentToolDenied{"WebFetch"},
          AgentToolFailed{"edit: greet"},
          AgentRetry{"no verdict"},
          AgentFinished{"coder", "DONE", {{"plan", "short"}}, some()},
          AgentPrompt{{{2, "claude", "opus", "s1", "Do it", "c0ffee", "no verdict", "CODING#1"}}},
          AgentReply{{{2, "Done", "it ended", "error.exit", "s1", {0.5, 10, 20}, Millis(1), {}},
                      "c0ffee"}},
          QuestionAsked{a_question(), some()},
          QuestionAnswered{{{"EDIT", "shorter", "a text"}, "elsewhere", "lea"}},
          CommandStarted{{"make", "test"}, "a.txt"},
          CommandOutput{"ok 1"},
          CommandFinished{"failed", "make ended with status 2", {"not ok 1"}},
          Committed{a_result()},
          Merged{a_result()},
          Discarded{a_result()},
          GitRefused{a_result()},
          Joined{{1, 2, 3}, {{3, "agneto/r-3", {"a.txt"}}}, {2}},
          Undone{"reviewer"},
          Note{"injected: hang@CODING", "hang@CODING"},
          RunPaused{},
          RunSuspended{"a question waits for an answer", a_question(), {"GATE#2"}, some()},
          RunFinished{"FAILED",
                      model::FinalStatus::failed,
                      {{"n", 1}},
                      "a limit",
                      "agneto/r",
                      "main",
                      some(),
                      Millis(1200)}};
}

TEST(RunEvent, ACommandThatFailedEndsWithItsLastLines) {
  const auto output = [](const std::string& event, const Json& data) {
    return command_finished(event, data).output;
  };
  EXPECT_EQ(command_finished("failed", {{"message", "exit status 1"}, {"output", ""}}).message,
            "exit status 1");
  EXPECT_EQ(output("failed", {{"output", "1\n2\n3\n\n  4\r\n5\n6\n \n"}}),
            (std::vector<std::string>{"2", "3", "  4", "5", "6"}));
  EXPECT_EQ(output("error.timeout", {{"output", "1\n2"}}), (std::vector<std::string>{"1", "2"}));
  EXPECT_EQ(output("failed", {{"output", std::string(2000, 'x')}}).at(0),
            shortened(std::string(2000, 'x'), 1000));
  EXPECT_TRUE(output("ok", {{"output", "1\n"}}).empty());
  EXPECT_TRUE(output("cancelled", nullptr).empty());
}

TEST(RunEvent, EachKindSurvivesTheWayToJsonAndBack) {
  const std::vector<EventBody> bodies = one_event_of_each();
  ASSERT_EQ(bodies.size(), std::variant_size_v<EventBody>);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    EXPECT_EQ(bodies[i].index(), i);
    const RunEvent event{Time(Millis(0)), "r", "CODING#1", bodies[i]};
    const Json json = body_json(bodies[i]);
    const EventBody read = event_body(event.kind(), json);
    EXPECT_EQ(read.index(), i);
    EXPECT_EQ(body_json(read), json) << event.kind();
    for (const auto& [key, value] : json.items()) {
      EXPECT_TRUE(!value.is_null() && value != "" && value != 0) << event.kind() << ": " << key;
    }
  }
}

TEST(RunEvent, IsALineThatSaysWhenWhereAndWhat) {
  RunEvent event{Time(Millis(0)), "r", "GATE#1", QuestionAsked{a_question(), some()}};
  EXPECT_EQ(to_json(event), Json::parse(R"({
    "time": "1970-01-01T00:00:00.000Z", "run": "r", "type": "question.asked", "path": "GATE#1",
    "question": "Good?", "show": "the plan", "default": "EDIT", "words": true,
    "deadlines": [{"time": "1970-01-01T00:01:00.000Z", "left": 60000, "to": ["LATER"], "guarded": true}],
    "events": ["build.finished"], "calls": 3, "cost": 0.25, "input_tokens": 10, "output_tokens": 20,
    "options": [{"name": "EDIT", "label": "Edit it", "feedback": "required", "edit": true}]})"));
  event = {Time(Millis(0)), "r", "", Note{"going on"}, 7, true};
  EXPECT_EQ(to_json(event), Json::parse(R"({
    "time": "1970-01-01T00:00:00.000Z", "run": "r", "type": "note", "text": "going on",
    "seq": 7, "undone": true})"));
  EXPECT_EQ(error_of([] { event_body("guessed", Json::object()); }),
            "an event 'guessed' is not known");
}

TEST(RunOptions, SurviveTheWayToTheJournalAndBack) {
  Totals spent;
  spent.calls = 2;
  const RunOptions options{"claude",
                           "claude",
                           "opus",
                           {{"coder", "claude"}},
                           {{"calls", 1}},
                           {{"speed", 1}},
                           {{"task", "t"}},
                           false,
                           true,
                           "/work",
                           "/share/scripts/lib",
                           "out.yaml",
                           {20, 2.5, 1000, Millis(5000)},
                           2,
                           Restoring{Time(Millis(5)), {"s1"}, spent, true},
                           "ssh://git@example.com/team/project.git",
                           true};
  journal::RunRecord run;
  run.options = to_json(options);
  EXPECT_EQ(run.options.size(), 20U);
  EXPECT_EQ(to_json(options_of(run)), run.options);
}

TEST(RunOptions, OfAnOldRunAreThoseThatItBeganWith) {
  journal::RunRecord run;
  const RunOptions options = options_of(run);
  EXPECT_TRUE(options.interactive);
  EXPECT_FALSE(options.auto_merge);
  EXPECT_EQ(options.inputs, Json::object());
  run.options = {{"rewinds", "twice"}};
  EXPECT_EQ(error_of([&] { options_of(run); }), "'rewinds' is of another type than it should be");
}

}  // namespace
}  // namespace agneto::record
