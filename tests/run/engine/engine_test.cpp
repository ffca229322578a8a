#include "run/engine/engine.h"

#include "run/engine_fixture.h"
#include "support/temporary_folder.h"

namespace agneto::run {
namespace {

using ::testing::ElementsAre;

constexpr const char* head = R"(agneto: 1
name: flow
inputs:
  task: {type: string, main: true}
agents:
  worker: {hooks: hook.lua, access: edit, session: run}
  judge: {hooks: hook.lua, access: read-only}
)";

const std::string ask_and_finish = std::string(head) + R"(
initial: WORKING
on: {abort: ABORTED}
states:
  WORKING:
    agent: {name: worker, verdicts: {DONE: {}}}
    on: {DONE: GATE, error: FAILED}
  GATE:
    ask:
      question: Good?
      options:
        YES: Take it
        NO: {label: Leave it, feedback: required}
    after: {60s: LATE}
    on: {YES: COMMITTING, NO: WORKING}
  COMMITTING:
    workspace: {commit: {message: "done: {{inputs.task}}"}}
    on: {ok: FINISHED, failed: FAILED}
  FINISHED: {final: true}
  LATE: {final: true, status: failed}
  FAILED: {final: true, status: failed}
  ABORTED: {final: true, status: aborted}
)";

// Ends with that event of the merge.
std::string merging(const std::string& event) {
  return std::string(head) + R"(
initial: MERGING
states:
  MERGING: {workspace: {merge: {}}, on: {)" +
         event + R"(: END}}
  END: {final: true}
)";
}

TEST_F(EngineTest, RunsToTheEndAndRecordsEachThingBeforeTheNext) {
  load(ask_and_finish);
  reply("worker", "DONE");
  human.answers = {{"YES", "", {}}};
  EXPECT_EQ(start(), ExitStatus::complete);
  EXPECT_THAT(kinds(), ElementsAre("started", "macrostep", "prompt", "reply", "macrostep", "answer",
                                   "macrostep", "macrostep"));
  EXPECT_THAT(workspace.messages, ElementsAre("done: it"));
  EXPECT_EQ(store->find("r")->status, "complete");
  EXPECT_EQ(store->find("r")->outcome, "FINISHED");
  EXPECT_EQ(seen.events.back().kind, "run.finished");
  EXPECT_EQ(seen.events.back().data.at("calls"), 1);
}

TEST_F(EngineTest, TheQuestionComesWithTheUncommittedDiff) {
  load(ask_and_finish);
  reply("worker", "DONE");
  human.answers = {{"YES", "", {}}};
  start();
  ASSERT_EQ(human.asked.size(), 1u);
  EXPECT_EQ(human.asked[0].diff, "chunk diff");
}

TEST_F(EngineTest, WithNobodyThereAQuestionWithoutDefaultSuspends) {
  load(ask_and_finish);
  reply("worker", "DONE");
  human.there = false;
  EXPECT_EQ(start(), ExitStatus::suspended);
  EXPECT_EQ(store->find("r")->status, "suspended");
  const Json& data = seen.events.back().data;
  EXPECT_EQ(data.at("reason"), "a question waits for an answer");
  EXPECT_EQ(data.at("question"), "Good?");
  EXPECT_EQ(
      data.at("options")[1],
      (Json{{"name", "NO"}, {"label", "Leave it"}, {"feedback", "required"}, {"edit", false}}));
}

TEST_F(EngineTest, AQuestionSaysWhenItIsTakenAwayAndThenWhy) {
  load(ask_and_finish);
  reply("worker", "DONE");
  Time asked;
  seen.on["question.asked"] = [&] { asked = clock.now(); };
  EXPECT_EQ(start(), ExitStatus::failed);
  const Json data = seen.of("question.asked").at(0).data;
  EXPECT_EQ(
      data.at("deadlines"),
      Json::array(
          {{{"time", format_time(asked + Millis(60'000))}, {"left", 60'000}, {"to", {"LATE"}}}}));
  EXPECT_EQ(data.at("calls"), 1);
  ASSERT_EQ(human.asked.size(), 1u);
  EXPECT_EQ(human.asked[0].spent.calls, 1);
  EXPECT_EQ(human.asked[0].around.deadlines.size(), 1u);
  EXPECT_EQ(human.withdrawn.front(), "GATE#1: its time is up: → LATE");
}

TEST_F(EngineTest, AQuestionOfASuspendedRunSaysWhatIsLeftForIt) {
  load(ask_and_finish);
  reply("worker", "DONE");
  human.there = false;
  start();
  const Json& data = seen.events.back().data;
  EXPECT_EQ(data.at("deadlines"), Json::array({{{"left", 60'000}, {"to", {"LATE"}}}}));
  EXPECT_EQ(data.at("calls"), 1);
}

TEST_F(EngineTest, ASuspendedQuestionIsAnsweredOnResumeAndItsTimerStoodStill) {
  load(ask_and_finish);
  reply("worker", "DONE");
  human.there = false;
  start();
  clock.advance(Millis(100 * 3600 * 1000));
  reopen().answer({"YES", "", {}});
  EXPECT_EQ(engine->work(), ExitStatus::complete);
  EXPECT_EQ(store->find("r")->outcome, "FINISHED");
}

TEST_F(EngineTest, ResumingAloneNeverPassesAGate) {
  load(ask_and_finish);
  reply("worker", "DONE");
  human.there = false;
  start();
  reopen();
  EXPECT_EQ(engine->work(), ExitStatus::suspended);
}

class AnswerTest : public EngineTest {
 protected:
  // What is wrong with the answer to the question of a run that is not taken up yet.
  std::string refusal(const Answer& answer) {
    const std::string question = "that does not answer the question of GATE#1: ";
    try {
      restore().check(answer);
    } catch (const Error& error) {
      EXPECT_EQ(error.help(), "'agneto show r' shows the question");
      EXPECT_TRUE(std::string(error.what()).starts_with(question)) << error.what();
      return std::string(error.what()).substr(question.size());
    }
    return "accepted";
  }
};

TEST_F(AnswerTest, ThatIsNoneIsRefusedBeforeAnythingIsRecorded) {
  load(ask_and_finish);
  reply("worker", "DONE");
  human.there = false;
  start();
  const auto before = kinds();
  EXPECT_EQ(refusal({"MAYBE", "", {}}), "'MAYBE' is not offered; choose one of YES, NO");
  EXPECT_EQ(refusal({"", "words", {}}), "it has options; choose one of YES, NO");
  EXPECT_EQ(refusal({"NO", " ", {}}), "NO needs words; give them with --feedback TEXT");
  EXPECT_EQ(refusal({"YES", "", "text"}), "YES edits nothing; leave out --edited");
  EXPECT_EQ(refusal({"YES", "", {}}), "accepted");
  EXPECT_EQ(kinds(), before);
  EXPECT_EQ(store->find("r")->status, "suspended");
}

TEST_F(AnswerTest, ThatEditsNeedsTheEditedText) {
  load(R"(agneto: 1
name: flow
initial: GATE
states:
  GATE:
    ask: {question: "Good?", options: {EDITED: {label: Edited, edit: '"the plan"'}}}
    on: {EDITED: DONE}
  DONE: {final: true}
)");
  human.there = false;
  start(Json::object());
  EXPECT_EQ(seen.of("run.suspended").at(0).data.at("options").at(0).at("edit"), true);
  EXPECT_EQ(refusal({"EDITED", "", {}}),
            "EDITED needs the edited text; give it with --edited FILE");
  EXPECT_EQ(refusal({"EDITED", "", "a better plan"}), "accepted");
}

TEST_F(AnswerTest, OfWordsIsNoOption) {
  load(R"(agneto: 1
name: flow
initial: GATE
states:
  GATE:
    ask: {question: "Which?", text: required}
    on: {answered: DONE}
  DONE: {final: true}
)");
  human.there = false;
  start(Json::object());
  EXPECT_EQ(refusal({"YES", "this", {}}),
            "it asks for words, not for an option; give them with --feedback TEXT");
  EXPECT_EQ(refusal({"", "", {}}),
            "it asks for words, and there are none; give them with --feedback TEXT");
  EXPECT_EQ(refusal({"", "this", {}}), "accepted");
}

TEST_F(AnswerTest, IsTakenOnce) {
  load(ask_and_finish);
  reply("worker", "DONE");
  human.there = false;
  start();
  reopen().answer({"YES", "", {}});
  try {
    engine->answer({"YES", "", {}});
    FAIL() << "answered twice";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "run r has no open question to answer");
    EXPECT_EQ(error.help(), "continue it with 'agneto resume r'");
  }
}

TEST_F(EngineTest, AQuestionsTimerFiresWhileAPersonThinks) {
  load(ask_and_finish);
  reply("worker", "DONE");
  EXPECT_EQ(start(), ExitStatus::failed);
  EXPECT_EQ(store->find("r")->outcome, "LATE");
  EXPECT_THAT(human.withdrawn, ElementsAre("GATE#1: its time is up: → LATE"));
}

TEST_F(EngineTest, ACallThatTheWorkflowAbortsIsUndone) {
  load(ask_and_finish);
  reply("worker", "DONE");
  seen.on["question.asked"] = [&] {
    human.interrupts = {{Interrupt::Kind::abort, ""}};
    engine->interrupt();
  };
  EXPECT_EQ(start(), ExitStatus::aborted);
  EXPECT_EQ(store->find("r")->outcome, "ABORTED");
}

TEST_F(EngineTest, WhoInterruptsTwiceSuspends) {
  load(ask_and_finish);
  reply("worker", "DONE");
  human.hesitates = true;
  seen.on["question.asked"] = [&] { engine->interrupt(); };
  seen.on["run.paused"] = [&] { engine->interrupt(); };
  EXPECT_EQ(start(), ExitStatus::suspended);
  EXPECT_EQ(store->find("r")->outcome, "suspended by a person");
}

TEST_F(EngineTest, AnInstructionReachesTheNextCallOnce) {
  load(ask_and_finish);
  for (int i = 0; i < 3; ++i) reply("worker", "DONE");
  human.interrupts = {{Interrupt::Kind::instruct, "mind the tabs"}};
  human.answers = {{"NO", "again", {}}, {"NO", "again", {}}, {"YES", "", {}}};
  seen.on["run.started"] = [&] { engine->interrupt(); };
  // Pressed before the first call is dispatched or while it is under way: either way one later call
  // is told.
  EXPECT_EQ(start(), ExitStatus::complete);
  int told = 0;
  for (const auto& entry : store->entries("r")) {
    bool prompt = entry.kind == "prompt";
    if (prompt &&
        entry.body.at("text").get<std::string>().find("mind the tabs") != std::string::npos) {
      ++told;
    }
  }
  EXPECT_EQ(told, 1);
}

TEST_F(EngineTest, AnOutcomeThatNothingTakesFailsTheRunAndSaysWhere) {
  load(merging("ok"));
  EXPECT_EQ(start(), ExitStatus::failed);
  EXPECT_EQ(seen.of("problem").at(0).data.at("event"), "error.unhandled");
}

TEST_F(EngineTest, ARunThatWaitsForAnothersMergeCanBeStopped) {
  load(merging("conflict"));
  workspace.busy = true;
  seen.on["note"] = [&] { engine->suspend("told to stop"); };
  EXPECT_EQ(start(), ExitStatus::suspended);
  EXPECT_EQ(seen.of("note").at(0).data.at("text"), "waits, since another merge is under way");
  seen.on["note"] = [&] { workspace.busy = false; };
  EXPECT_EQ(reopen().work(), ExitStatus::complete);
  EXPECT_EQ(seen.of("note").size(), 2U) << "once in each process";
}

TEST_F(EngineTest, ACommitsMessageHasNoSecretInIt) {
  load(std::string(head) + R"(
initial: COMMITTING
states:
  COMMITTING: {workspace: {commit: {message: "{{inputs.task}}"}}, on: {ok: END}}
  END: {final: true}
)");
  EXPECT_EQ(start({{"task", "Use ghp_abcdefghijklmnopqrstuvwxyz0123456789"}}),
            ExitStatus::complete);
  EXPECT_THAT(workspace.messages, ElementsAre("Use [redacted: ghp_…6789]"));
}

TEST_F(EngineTest, AMergeWithoutAMessageSaysWhatTheTaskWas) {
  load(merging("conflict"));
  given_task = "\n Add a --json flag \n\nas the others have it";
  EXPECT_EQ(start(), ExitStatus::complete);
  EXPECT_THAT(workspace.messages, ElementsAre("Add a --json flag"));
}

TEST_F(EngineTest, AMergeOfALongTaskHasASubjectThatFits) {
  load(std::string(head) + R"(
initial: MERGING
states:
  MERGING: {workspace: {merge: {message: "{{' '}}"}}, on: {conflict: COMMITTING}}
  COMMITTING: {workspace: {commit: {message: "{{''}}"}}, on: {ok: END}}
  END: {final: true}
)");
  given_task =
      "Add a flag that prints what the command found as JSON, one line for each of the files";
  EXPECT_EQ(start(), ExitStatus::complete);
  EXPECT_THAT(workspace.messages,
              ElementsAre("Add a flag that prints what the command found as JSON, one line for…",
                          "Add a flag that prints what the command found as JSON, one line for…"));
}

TEST_F(EngineTest, AMergeOfARunWithoutATaskNamesTheRun) {
  load(R"(agneto: 1
name: flow
initial: MERGING
states:
  MERGING: {workspace: {merge: {}}, on: {conflict: END}}
  END: {final: true}
)");
  EXPECT_EQ(start(Json::object()), ExitStatus::complete);
  EXPECT_THAT(workspace.messages, ElementsAre("The work of the run r"));
}

TEST_F(EngineTest, AnErrorInAnActionThatNothingTakesSuspendsTheRun) {
  load(std::string(head) + R"(
initial: START
states:
  START:
    entry: error("boom")
    workspace: {discard: {to: last_commit}}
    on: {ok: END}
  END: {final: true}
)");
  EXPECT_EQ(start(), ExitStatus::suspended);
  EXPECT_EQ(store->find("r")->outcome, "/w/flow.yaml:12: boom");
}

// A machine that sets a short timer again and again is busy with itself only where nobody works.
TEST_F(EngineTest, ShortTimersFireWhileSomebodyWorks) {
  load(std::string(head) + R"(
context: {n: 0}
initial: BOTH
states:
  BOTH:
    parallel: true
    on: {done.state.BOTH: END}
    states:
      WORKING:
        initial: MAKING
        states:
          MAKING: {run: {argv: [make]}, on: {ok: MADE, failed: MADE, error: MADE}}
          MADE: {final: true}
      BEATING:
        initial: BEAT
        states:
          BEAT:
            entry: ctx.n = ctx.n + 1
            after: [{delay: 50ms, guard: "ctx.n < 1200", target: BEAT}, {delay: 50ms, target: CALM}]
          CALM: {final: true}
  END: {final: true}
)");
  std::atomic<bool> is_calm = false;
  runner.doing = [&](const process::Spec&, std::stop_token stop) {
    while (!is_calm && !stop.stop_requested()) std::this_thread::yield();
  };
  seen.on["transition"] = [&] {
    EXPECT_EQ(clock.elapsed(), Millis(50)) << "the first of them fires in time";
  };
  const std::function<void()> look = [&] {
    is_calm = seen.events.back().path == "CALM#1";
    if (!is_calm) seen.on["state.entered"] = look;
  };
  seen.on["state.entered"] = look;
  EXPECT_EQ(start(), ExitStatus::complete);
  EXPECT_GT(count("macrostep"), 1200);
}

TEST_F(EngineTest, AReadOnlyAgentsEditsAreUndoneAndNoted) {
  agneto::testing::TemporaryFolder folder;
  load(std::string(head) + R"(
initial: JUDGING
states:
  JUDGING: {agent: {name: judge, verdicts: {OK: {}}}, on: {OK: END, error: END}}
  END: {final: true}
)");
  reply("judge", "OK");
  FakeWorkspace real(folder.path());
  place = &real;
  real.edited_behind_our_back = true;
  calls[0]["edits"] = {{"a.txt", "not asked for"}};
  EXPECT_EQ(start(), ExitStatus::complete);
  EXPECT_EQ(real.restored, 1);
  EXPECT_EQ(real.tree, 1);
  ASSERT_EQ(seen.of("workspace.undone").size(), 1u);
  EXPECT_EQ(seen.of("workspace.undone")[0].data.at("agent"), "judge");
  int undone = 0;
  for (const auto& entry : recorded()) {
    if (const auto* reply = entry.get<record::Reply>()) undone += reply->undone;
  }
  EXPECT_EQ(undone, 1) << "the log tells it as well";
}

TEST_F(EngineTest, WhatCannotBeUndoneIsSaidOfThoseWhoMayOnlyRead) {
  agneto::testing::TemporaryFolder folder;
  load(std::string(head) + R"(
initial: JUDGING
states:
  JUDGING: {agent: {name: judge, verdicts: {OK: {}}}, on: {OK: LOOKING, error: END}}
  LOOKING: {run: {argv: [ls], access: read-only}, on: {ok: WORKING, error: END, failed: END}}
  WORKING: {run: {argv: [make]}, on: {ok: END, error: END, failed: END}}
  END: {final: true}
)");
  reply("judge", "OK");
  FakeWorkspace real(folder.path());
  place = &real;
  calls[0]["edits"] = {{"a.txt", "not asked for"}};
  real.for_good = {"may only read, but changed a.txt"};
  runner.doing = [&](const process::Spec& spec, std::stop_token) {
    real.for_good = {spec.argv[0] + " was here"};
  };
  EXPECT_EQ(start(), ExitStatus::complete);
  std::vector<std::string> notes;
  for (const Heard& note : seen.of("note")) notes.push_back(note.data.at("text"));
  EXPECT_THAT(notes,
              ElementsAre("judge may only read, but changed a.txt", "the command ls was here"));
  for (const auto& entry : recorded()) {
    const auto* reply = entry.get<record::Reply>();
    if (!reply) continue;
    EXPECT_THAT(reply->put_right, ElementsAre("judge may only read, but changed a.txt"));
  }
}

// Nobody hears of them, so that no limit of calls counts them.
TEST_F(EngineTest, CallsThatAreMadeOfNobodyWithoutEndSuspendTheRun) {
  load(std::string(head) + R"(
initial: JUDGING
states:
  JUDGING: {agent: {name: judge, verdicts: {OK: {}}}, on: {OK: END, error: JUDGING}}
  END: {final: true}
)");
  config.limits.calls = 5;
  files.memory.add("/w/hook.lua", "return {prompt = function(m) error('no prompt') end}");
  EXPECT_EQ(start(), ExitStatus::suspended);
  EXPECT_EQ(store->find("r")->outcome,
            "1000 calls in a row ended before anybody was asked, and JUDGING#1001 would be the "
            "next; 'agneto log' tells why; correct the hook, and resume with --update");
  const record::Totals told = record::totals_of(recorded(), *store->find("r"), clock.now());
  EXPECT_EQ(told.calls, 0);
  EXPECT_EQ(totals_from(store->state("r").at("run").at("totals")).calls, 0);
}

TEST_F(EngineTest, ACallBeyondTheLimitSuspendsUnlessTheWorkflowTakesIt) {
  load(ask_and_finish);
  config.limits.calls = 1;
  reply("worker", "DONE");
  human.answers = {{"NO", "again", {}}};
  EXPECT_EQ(start(), ExitStatus::suspended);
  EXPECT_EQ(store->find("r")->outcome,
            "the limit of 1 agent call is reached; to go on, resume with a higher --max-calls, or "
            "raise limits.calls in .agneto/config.yaml");
  EXPECT_EQ(count("reply"), 1);
}

TEST_F(EngineTest, ALimitIsAnEventThatTheWorkflowCanTake) {
  load(std::string(head) + R"(
initial: WORKING
on: {limit.calls: ENOUGH}
states:
  WORKING: {agent: {name: worker, verdicts: {MORE: {}}}, on: {MORE: WORKING, error: ENOUGH}}
  ENOUGH: {final: true}
)");
  config.limits.calls = 2;
  for (int i = 0; i < 5; ++i) reply("worker", "MORE");
  EXPECT_EQ(start(), ExitStatus::complete);
  EXPECT_EQ(count("reply"), 2);
}

TEST_F(EngineTest, ARunWithNothingLeftToHappenSaysWhichStateIsStuck) {
  load(std::string(head) + R"(
initial: STUCK
states:
  STUCK: {on: {never: END}}
  END: {final: true}
)");
  EXPECT_EQ(start(), ExitStatus::suspended);
  EXPECT_EQ(store->find("r")->outcome,
            "nothing is left to happen in STUCK#1: no activity, timer or question is outstanding");
}

TEST_F(EngineTest, AWorkflowThatTalksToItselfWithoutEndCanBeAborted) {
  load(std::string(head) + R"(
initial: LOOP
states:
  LOOP:
    entry: send("again")
    on: {again: LOOP}
)");
  human.interrupts = {{Interrupt::Kind::abort, ""}};
  seen.on["transition"] = [&] { engine->interrupt(); };
  EXPECT_EQ(start(), ExitStatus::aborted);
  EXPECT_EQ(seen.events.back().data.at("reason"), "aborted by a person");
}

TEST_F(EngineTest, AWorkflowThatTalksToItselfWithoutEndIsSuspended) {
  load(std::string(head) + R"(
initial: LOOP
states:
  LOOP:
    entry: send("again")
    on: {again: {do: send("again")}}
)");
  EXPECT_EQ(start(), ExitStatus::suspended);
  EXPECT_EQ(store->find("r")->outcome,
            "the machines do not come to rest: 1000 events of their own in a row, with nothing "
            "from outside between them, the last in LOOP#1; correct the workflow and resume with "
            "--update, or abort the run");
  EXPECT_EQ(count("macrostep"), 1001);
  EXPECT_EQ(reopen().work(), ExitStatus::suspended);
  EXPECT_EQ(count("macrostep"), 2001);
}

TEST_F(EngineTest, ShortTimersCountAsTalkingToItself) {
  const auto macrosteps_with = [&](const std::string& delay) {
    renew_journal();
    load(std::string(head) + R"(
context: {n: 0}
initial: LOOP
states:
  LOOP:
    entry: send("again", nil, {after = ")" +
         delay + R"("})
    on:
      again:
        - {guard: ctx.n < 1500, target: LOOP, do: ctx.n = ctx.n + 1}
        - target: END
  END: {final: true}
)");
    start();
    return count("macrostep");
  };
  EXPECT_EQ(macrosteps_with("1ms"), 1001);
  EXPECT_EQ(store->find("r")->status, "suspended");
  EXPECT_EQ(macrosteps_with("1s"), 1502);
  EXPECT_EQ(store->find("r")->status, "complete");
}

// The journal fails at every write in turn, which is where a crash can come; a new owner ends the
// run the same way, and what was recorded is not asked again.
TEST_F(EngineTest, ACrashAtAnyWriteLosesAndDoublesNothing) {
  int points = 0;
  for (int writes = 0;; ++writes) {
    renew_journal();
    workspace.messages.clear();
    workspace.done.clear();
    calls = Json::array();
    load(ask_and_finish);
    reply("worker", "DONE");
    reply("worker", "DONE");
    human.answers = {{"NO", "again", {}}, {"YES", "", {}}};
    if (!crashes_behind(writes)) break;
    ++points;
    std::size_t answers_given = static_cast<std::size_t>(count("answer"));
    human.answers.clear();
    if (answers_given == 0) human.answers.push_back({"NO", "again", {}});
    if (answers_given <= 1) human.answers.push_back({"YES", "", {}});
    reopen();
    EXPECT_EQ(engine->work(), ExitStatus::complete) << "crash before write " << writes;
    EXPECT_EQ(count("reply"), 2) << "crash before write " << writes;
    EXPECT_EQ(count("answer"), 2) << "crash before write " << writes;
    EXPECT_THAT(workspace.messages, ElementsAre("done: it")) << "crash before write " << writes;
  }
  EXPECT_GE(points, 8);
}

}  // namespace
}  // namespace agneto::run
