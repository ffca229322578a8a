#include "record/event_replay.h"

#include "record/run_summary.h"
#include "run/engine_fixture.h"

namespace agneto::run {
namespace {

using ::testing::ElementsAre;

const std::string workflow = R"(agneto: 1
name: flow
inputs:
  task: {type: string, main: true}
agents:
  worker: {hooks: hook.lua, access: edit, tries: 2}
initial: WORKING
on: {abort: ABORTED}
states:
  WORKING:
    initial: CODING
    states:
      CODING:
        agent: {name: worker, verdicts: {DONE: {}, AGAIN: {}}}
        on: {DONE: GATE, AGAIN: CODING, error: FAILED}
      GATE:
        ask:
          question: Good?
          options:
            YES: Take it
            NO: {label: Leave it, feedback: required}
        on: {YES: TESTING, NO: CODING}
        after: {1h: FAILED}
  TESTING:
    run: {argv: [make, test]}
    on: {ok: COMMITTING, failed: FAILED, error: FAILED}
  COMMITTING:
    workspace: {commit: {message: "done: {{inputs.task}}"}}
    on: {ok: MERGING, failed: FAILED}
  MERGING:
    workspace: {merge: {}}
    on: {ok: FINISHED, any: FINISHED}
  FINISHED: {final: true}
  FAILED: {final: true, status: failed}
  ABORTED: {final: true, status: aborted}
)";

// An event as a line, without what only a live run has.
std::string line(const Heard& event) {
  Json data = event.data;
  for (const char* live : {"ms", "worktree", "base", "branch", "line"}) data.erase(live);
  if (event.kind == "transition") data.erase("instance");
  return event.kind + " " + event.path + " " + to_text(data);
}

class EventReplayTest : public EngineTest {
 protected:
  std::vector<record::RunEvent> replayed() {
    const journal::RunRecord run = *store->find("r");
    record::EventReplay replay(run, loaded.system.get());
    std::vector<record::RunEvent> events;
    for (const auto& entry : recorded()) {
      for (auto& event : replay.next(entry)) events.push_back(std::move(event));
    }
    for (auto& event : replay.rest()) events.push_back(std::move(event));
    return events;
  }
  std::vector<Heard> retold() {
    std::vector<Heard> heard;
    for (const auto& event : replayed()) heard.emplace_back(event);
    return heard;
  }

  // Tells events of these kinds, which are those that a record keeps.
  static std::vector<std::string> lines(const std::vector<Heard>& events) {
    static const std::set<std::string> kinds = {
        "run.started",       "transition",          "agent.started",    "agent.finished",
        "question.answered", "command.started",     "command.finished", "workspace.committed",
        "workspace.refused", "workspace.merged",    "run.finished",     "run.suspended",
        "problem",           "workspace.discarded", "activity.refused", "workspace.undone",
        "problem.caught"};
    std::vector<std::string> all;
    for (const auto& event : events) {
      if (kinds.contains(event.kind)) all.push_back(line(event));
    }
    return all;
  }
};

TEST_F(EventReplayTest, TellsWhatAnObserverSaw) {
  load(workflow);
  reply("worker", "AGAIN");
  reply("worker", "DONE");
  reply("worker", "DONE");
  human.answers = {{"NO", "make it shorter", {}}, {"YES", "", {}}};
  EXPECT_EQ(start(), ExitStatus::complete);
  EXPECT_EQ(lines(retold()), lines(seen.events));
  EXPECT_EQ(lines(retold()).size(), 22u);
}

TEST_F(EventReplayTest, TellsOfASuspensionWithItsQuestion) {
  load(workflow);
  reply("worker", "DONE");
  human.there = false;
  EXPECT_EQ(start(), ExitStatus::suspended);
  EXPECT_EQ(lines(retold()), lines(seen.events));
}

TEST_F(EventReplayTest, AQuestionIsTakenAwayWhenItWasAndHasCostWhatItHad) {
  load(workflow);
  reply("worker", "DONE");
  human.answers = {{"YES", "", {}}};
  start();
  const auto asked = [](const std::vector<Heard>& events) {
    std::vector<Json> all;
    for (const auto& event : events) {
      if (event.kind == "question.asked") all.push_back(event.data);
    }
    return all;
  };
  EXPECT_EQ(asked(retold()), asked(seen.events));
  ASSERT_EQ(asked(retold()).size(), 1u);
  const Json question = asked(retold())[0];
  EXPECT_EQ(question.at("deadlines").at(0).at("left"), 3'600'000);
  EXPECT_EQ(question.at("deadlines").at(0).at("to"), Json({"FAILED"}));
  EXPECT_EQ(question.at("calls"), 1);
}

TEST_F(EventReplayTest, NamesStagesAndNumbersOfEntries) {
  load(workflow);
  reply("worker", "DONE");
  human.answers = {{"YES", "", {}}};
  start();
  std::vector<std::string> stages;
  journal::Seq last = 0;
  for (const auto& event : replayed()) {
    if (event.get<record::StateEntered>()) stages.push_back(event.path);
    EXPECT_GE(event.seq, last);
    last = event.seq;
  }
  EXPECT_THAT(stages, ElementsAre("WORKING", "TESTING", "COMMITTING", "MERGING", "FINISHED"));
  EXPECT_EQ(last, store->entries("r").back().seq);
}

TEST_F(EventReplayTest, WithoutTheWorkflowTheStateStandsForTheAgent) {
  load(workflow);
  reply("worker", "DONE");
  human.there = false;
  start();
  const journal::RunRecord run = *store->find("r");
  record::EventReplay replay(run, nullptr);
  std::vector<std::string> agents;
  for (const auto& entry : recorded()) {
    for (const auto& event : replay.next(entry)) {
      const Heard heard(event);
      if (heard.data.contains("agent")) agents.push_back(heard.data.at("agent"));
    }
  }
  EXPECT_THAT(agents, ElementsAre("CODING", "CODING"));
}

TEST_F(EventReplayTest, NamesTheItemsThatAreWorkedFor) {
  files.memory.add("/w/child.yaml", R"(agneto: 1
name: child
inputs: {word: string}
agents: {worker: {hooks: hook.lua, access: read-only}}
initial: WORKING
states:
  WORKING: {agent: {name: worker, verdicts: {DONE: {}}}, on: {DONE: TESTING}}
  TESTING: {run: {argv: [make]}, on: {ok: DONE}}
  DONE: {final: true}
)");
  load(R"(agneto: 1
name: flow
inputs: {task: {type: string, main: true}}
initial: EACH
states:
  EACH:
    for_each: {items: "{'north', 'south'}", machine: child.yaml, with: {word: item}, max_parallel: 1}
    on: {any: DONE}
  DONE: {final: true}
)");
  reply("worker", "DONE");
  reply("worker", "DONE");
  EXPECT_EQ(start(), ExitStatus::complete);
  const auto items = [](const std::vector<Heard>& events) {
    std::vector<std::string> all;
    for (const auto& event : events) {
      if (event.data.contains("item"))
        all.push_back(event.kind + " " + event.data.at("item").get<std::string>());
    }
    return all;
  };
  EXPECT_THAT(items(retold()), ElementsAre("agent.started north", "command.started north",
                                           "agent.started south", "command.started south"));
  EXPECT_EQ(items(retold()), items(seen.events));
}

TEST_F(EventReplayTest, AfterARewindWhatWasOpenThenIsOpenAgain) {
  load(workflow);
  reply("worker", "DONE");
  human.there = false;
  start();
  const auto entries = recorded();
  record::PendingActivities pending;
  for (const auto& entry : entries) pending.add(entry);
  EXPECT_EQ(pending.open().size(), 1u);
  EXPECT_TRUE(pending.open().contains("GATE#1"));
  pending.add({entries.back().seq + 1, {}, "", record::Rewound{2}});
  EXPECT_EQ(pending.open().size(), 1u);
  EXPECT_TRUE(pending.open().contains("CODING#1"));
}

TEST_F(EventReplayTest, TellsOfWordsFromElsewhere) {
  load(workflow);
  reply("worker", "DONE");
  reply("worker", "DONE");
  seen.on["question.asked"] = [&] {
    store->post("r", {"event", {{"name", "idle"}, {"by", "lea"}}});
    store->post(
        "r",
        {"answer", {{"question", "GATE#1"}, {"option", "MAYBE"}, {"feedback", ""}, {"by", "lea"}}});
    store->post(
        "r",
        {"answer", {{"question", "GATE#1"}, {"option", "YES"}, {"feedback", ""}, {"by", "lea"}}});
    engine->wake_up();
  };
  EXPECT_EQ(start(), ExitStatus::complete);
  EXPECT_EQ(lines(retold()), lines(seen.events));
  const auto notes = [](const std::vector<Heard>& events) {
    std::vector<std::string> all;
    for (const auto& event : events) {
      if (event.kind == "note") all.push_back(event.path + " " + to_text(event.data));
    }
    return all;
  };
  EXPECT_EQ(notes(retold()), notes(seen.events));
  EXPECT_THAT(
      notes(seen.events),
      ElementsAre(
          R"( {"text":"'idle' was sent by lea, and nothing takes it"})",
          R"(GATE#1 {"text":"answer refused: 'MAYBE' is not offered; choose one of YES, NO"})"));
}

TEST_F(EventReplayTest, TellsWhatCouldNotBeginAndWhatWasUndone) {
  std::string text = workflow;
  text.replace(text.find("access: edit"), 12, "access: read-only");
  text.replace(text.find("run: {argv: [make, test]}"), 25, "run: {command: inputs.task.no}");
  load(text);
  agneto::testing::TemporaryFolder folder;
  FakeWorkspace real(folder.path());
  place = &real;
  reply("worker", "DONE");
  real.edited_behind_our_back = true;
  calls[0]["edits"] = {{"a.txt", "not asked for"}};
  human.answers = {{"YES", "", {}}};
  EXPECT_EQ(start(), ExitStatus::failed);
  EXPECT_EQ(lines(retold()), lines(seen.events));
  EXPECT_THAT(
      lines(retold()),
      ::testing::IsSupersetOf(
          {std::string(R"(workspace.undone CODING#1 {"agent":"worker"})"),
           std::string(R"(activity.refused TESTING#1 {"event":"error.lua","message":")"
                       R"(/w/flow.yaml:25: 'command' must give a command line, found null"})")}));
}

TEST_F(EventReplayTest, TellsErrorsThatATransitionIsTakenFor) {
  std::string text = workflow;
  text.replace(text.find("abort: ABORTED"), 14, "abort: ABORTED, error.lua: FAILED");
  text.replace(text.find("DONE: GATE"), 10, "DONE: {target: GATE, do: error('no')}");
  load(text);
  reply("worker", "DONE");
  EXPECT_EQ(start(), ExitStatus::failed);
  EXPECT_EQ(lines(retold()), lines(seen.events));
  EXPECT_THAT(lines(retold()),
              ::testing::Contains(R"(problem.caught CODING#1 {"event":"error.lua",)"
                                  R"("message":"/w/flow.yaml:15: no"})"));
}

TEST_F(EventReplayTest, ACallWhoseProgramCannotBeStartedCountsNowhere) {
  load(workflow);
  files.memory.add(AGNETO_SOURCE_DIR "/scripts/providers/offline.lua",
                   "return {command = function() error('not here') end}");
  EXPECT_EQ(start(), ExitStatus::failed);
  EXPECT_EQ(lines(retold()), lines(seen.events));
  EXPECT_EQ(seen.of("agent.finished").at(0).data.at("calls"), 0);
  EXPECT_EQ(seen.of("run.finished").at(0).data.at("calls"), 0);
  EXPECT_EQ(record::totals_of(recorded(), *store->find("r"), clock.now()).calls, 0);
}

TEST_F(EventReplayTest, TellsWhyAnAgentIsAskedAgain) {
  load(workflow);
  const journal::RunRecord run;
  record::EventReplay replay(run, loaded.system.get());
  const auto asked_after = [&](record::Reply reply, const std::string& problem,
                               const std::string& tried = "") {
    replay.next({7, Time(), "CODING#1", std::move(reply)});
    record::Prompt prompt;
    prompt.problem = problem;
    prompt.tried = tried;
    return line(Heard(replay.next({8, Time(), "CODING#1", std::move(prompt)}).front()));
  };
  record::Reply unclear, failed;
  unclear.text = "Well.";
  failed.error = "claude exited with 1";
  EXPECT_EQ(asked_after(unclear, "no verdict was found in the reply"),
            R"(agent.retry CODING#1 {"reason":"no verdict was found in the reply"})");
  EXPECT_EQ(asked_after(failed, "no verdict was found in the reply"),
            R"(agent.retry CODING#1 {"reason":"claude exited with 1"})");
  EXPECT_EQ(asked_after(unclear, ""),
            R"(agent.retry CODING#1 {"reason":"its reply could not be used"})");
  EXPECT_EQ(asked_after(failed, "", "try 1 of 3: claude exited with 1"),
            R"(agent.retry CODING#1 {"reason":"try 1 of 3: claude exited with 1"})");
}

TEST_F(EventReplayTest, TellsWhatAnAgentSaysWhenItWasSaid) {
  load(workflow);
  const journal::RunRecord run;
  record::EventReplay replay(run, loaded.system.get());
  const auto retell = [&](record::Body body) {
    std::vector<std::string> told;
    for (const auto& event : replay.next({7, Time(Millis(9'000)), "CODING#1", std::move(body)})) {
      told.push_back(std::to_string(event.time.time_since_epoch().count()) + " " +
                     line(Heard(event)));
    }
    return told;
  };
  EXPECT_THAT(retell(record::Said{
                  1, {{Millis(1'500), "text", "Let me see."}, {Millis(2'000), "tool", "make"}}}),
              ElementsAre(R"(8500 agent.text CODING#1 {"text":"Let me see."})",
                          R"(9000 agent.tool CODING#1 {"tool":"make"})"));
  EXPECT_THAT(retell(record::Said{}), ElementsAre());
  record::Reply reply;
  reply.duration = Millis(3'000);
  reply.output = {{Millis(1'000), "tool_end", ""},
                  {Millis(2'000), "tool_denied", "WebFetch"},
                  {Millis(2'500), "tool_failed", "make"},
                  {Millis(4'000), "cut", ""}};
  EXPECT_THAT(
      retell(reply),
      ElementsAre(
          "7000 agent.tool_end CODING#1 {}",
          R"(8000 agent.tool_denied CODING#1 {"tool":"WebFetch"})",
          R"(8500 agent.tool_failed CODING#1 {"tool":"make"})",
          R"(9000 note CODING#1 {"text":"what it says from here on in this attempt is not kept"})"));
}

TEST_F(EventReplayTest, TellsWhereARunWasTakenBackOrComesFrom) {
  load(workflow);
  journal::RunRecord run;
  run.branch = "agneto/r";
  record::EventReplay replay(run, loaded.system.get());
  std::vector<std::string> notes;
  const auto retell = [&](record::Body body) {
    for (const auto& event : replay.next({1, {}, "", std::move(body)})) {
      notes.push_back(event.get<record::Note>()->text);
    }
  };
  retell(record::Rewound{2});
  retell(record::Restored{{"refs/agneto/r/rescued-1"}});
  retell(record::Forked{"other", 7});
  EXPECT_THAT(notes, ElementsAre("rewound to entry 2", "the files are those of then",
                                 "what that took away is kept: refs/agneto/r/rescued-1",
                                 "forked from entry 7 of other"));
}

TEST_F(EventReplayTest, ASummaryJoinsCallsAnswersCommandsAndCommits) {
  load(workflow);
  reply("worker", "DONE");
  human.answers = {{"YES", "fine", {}}};
  process::Exit tested;
  tested.output = "ok\n";
  runner.exits.push_back(tested);
  start();
  const record::RunSummary summary =
      record::summary_of(recorded(), record::agent_names(*loaded.system));
  ASSERT_EQ(summary.calls.size(), 1u);
  const record::CallSummary& call = summary.calls[0];
  EXPECT_EQ(call.agent, "worker");
  EXPECT_EQ(call.call.path, "CODING#1");
  EXPECT_EQ(call.outcome, "DONE");
  ASSERT_EQ(call.attempts.size(), 1u);
  EXPECT_TRUE(call.attempts[0].prompt.text.starts_with("work on it"));
  EXPECT_EQ(call.attempts[0].reply->reply.text, "VERDICT: DONE");
  ASSERT_EQ(summary.questions.size(), 1u);
  const auto& answer = summary.questions[0].answer;
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->answer.option, "YES");
  EXPECT_EQ(answer->answer.feedback, "fine");
  EXPECT_EQ(answer->answer.by, "person");
  ASSERT_EQ(summary.commands.size(), 1u);
  EXPECT_EQ(summary.commands[0].outcome, "ok");
  EXPECT_EQ(summary.commands[0].data.at("output"), "ok\n");
  ASSERT_EQ(summary.operations.size(), 2u);
  EXPECT_EQ(summary.operations[0].data.at("commit"), "c0ffee");
  EXPECT_EQ(summary.operations[1].outcome, "conflict");
}

}  // namespace
}  // namespace agneto::run
