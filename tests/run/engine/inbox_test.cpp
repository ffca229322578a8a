// Words from other processes: who wins, what is refused, and that each is taken once.
#include "run/engine_fixture.h"
#include "run/live.h"
#include "run/questions.h"
#include "support/errors.h"
#include "support/temporary_folder.h"

namespace agneto::run {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr const char* gate = R"(agneto: 1
name: flow
inputs: {task: {type: string, main: true}}
agents:
  worker: {hooks: hook.lua, access: edit, session: run}
context: {seen: {type: any}}
initial: GATE
on: {abort: ABORTED}
states:
  GATE:
    ask:
      question: Good?
      options: {YES: Take it, NO: {label: Leave it, feedback: required}}
    on: {YES: FINISHED, NO: {target: WORDS, do: ctx.seen = event.by}, note: {do: ctx.seen = event.data}}
  WORDS:
    ask: {question: "Which?", text: required}
    on: {answered: FINISHED}
  FINISHED: {final: true}
  ABORTED: {final: true, status: aborted}
outputs: {seen: ctx.seen}
)";

class InboxTest : public EngineTest {
 protected:
  journal::MessageId post(const std::string& kind, Json body) {
    const auto id = store->post("r", {kind, std::move(body)});
    engine->wake_up();
    return id;
  }
  journal::MessageId answer(const std::string& question, const Answer& answer) {
    return post("answer", record::to_json(record::PostedAnswer{answer, question, "lea"}));
  }
  // What became of a message: the entry that it led to.
  journal::Entry entry_of(journal::MessageId id) const {
    for (const auto& entry : store->entries("r")) {
      if (entry.body.value("message", Json()) == id) return entry;
    }
    ADD_FAILURE() << "message " << id << " led to nothing";
    return {};
  }
};

TEST_F(InboxTest, AnAnswerFromElsewhereWinsAndThePersonHereIsTold) {
  load(gate);
  journal::MessageId id = 0;
  seen.on["question.asked"] = [&] { id = answer("GATE#1", {"YES", "", {}}); };
  EXPECT_EQ(start(), ExitStatus::complete);
  EXPECT_THAT(human.withdrawn, ElementsAre("GATE#1: answered elsewhere: YES"));
  const auto entry = entry_of(id);
  EXPECT_EQ(entry.kind, "answer");
  EXPECT_EQ(entry.path, "GATE#1");
  EXPECT_EQ(entry.body, (Json{{"option", "YES"},
                              {"feedback", ""},
                              {"by", "elsewhere"},
                              {"name", "lea"},
                              {"message", id}}));
  EXPECT_THAT(store->inbox("r"), IsEmpty());
}

TEST_F(InboxTest, AMessageWhoseWakeupIsLostIsTakenALittleLater) {
  load(gate);
  seen.on["question.asked"] = [&] {
    store->post("r", record::encode(record::PostedAnswer{{"YES", "", {}}, "GATE#1", "lea"}));
  };
  EXPECT_EQ(start(), ExitStatus::complete);
}

TEST_F(InboxTest, ToTheWorkflowAPersonElsewhereIsAPerson) {
  load(gate);
  seen.on["question.asked"] = [&] {
    answer("GATE#1", {"NO", "too loud", {}});
    answer("WORDS#1", {"", "that one", {}});
  };
  EXPECT_EQ(start(), ExitStatus::complete);
  EXPECT_EQ(seen.events.back().data.at("outputs").at("seen"), "person");
}

TEST_F(InboxTest, ASecondAnswerIsRefusedWithTheReason) {
  load(gate);
  journal::MessageId second = 0, none = 0, words = 0;
  seen.on["question.asked"] = [&] {
    none = answer("GATE#1", {"MAYBE", "", {}});
    answer("GATE#1", {"NO", "too loud", {}});
    second = answer("GATE#1", {"YES", "", {}});
    words = answer("NEVER#1", {"YES", "", {}});
    answer("WORDS#1", {"", "that one", {}});
  };
  EXPECT_EQ(start(), ExitStatus::complete);
  EXPECT_EQ(entry_of(none).kind, "refused");
  EXPECT_EQ(entry_of(none).body.at("reason"), "'MAYBE' is not offered; choose one of YES, NO");
  EXPECT_EQ(entry_of(second).body.at("reason"),
            "GATE#1 was answered at 1970-01-01T00:16:40.000Z: NO");
  EXPECT_EQ(entry_of(words).body.at("reason"), "NEVER#1 is not asked any more");
  EXPECT_EQ(count("answer"), 2);
}

TEST_F(InboxTest, AnAnswerHereThatComesTooLateIsTold) {
  load(gate);
  human.answers = {{"YES", "", {}}};
  // It is in the inbox before the person here has read the question.
  seen.on["question.asked"] = [&] { answer("GATE#1", {"NO", "too loud", {}}); };
  seen.on["note"] = [&] { answer("WORDS#1", {"", "that one", {}}); };
  EXPECT_EQ(start(), ExitStatus::complete);
  EXPECT_EQ(count("answer"), 2);
  EXPECT_EQ(seen.of("note").at(0).data.at("text"),
            "the answer came too late: GATE#1 was answered at 1970-01-01T00:16:40.000Z: NO");
}

TEST_F(InboxTest, AnAnswerToARunThatNobodyWorksOnIsTakenWhenItGoesOn) {
  load(gate);
  human.there = false;
  EXPECT_EQ(start(), ExitStatus::suspended);
  answer("GATE#1", {"YES", "", {}});
  restore();
  try {
    engine->check({"NO", "late", {}});
    ADD_FAILURE() << "two answers were accepted";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "the question of GATE#1 is answered already: YES");
  }
  reopen();
  EXPECT_EQ(engine->work(), ExitStatus::complete);
  EXPECT_THAT(store->inbox("r"), IsEmpty());
}

TEST_F(InboxTest, WhereSeveralQuestionsAreOpenAResumeAnswersNone) {
  load(R"(agneto: 1
name: flow
initial: BOTH
states:
  BOTH:
    parallel: true
    states:
      RIGHT:
        initial: FIRST
        states: {FIRST: {ask: {question: "Right?", options: {YES: Go}}, on: {YES: END}}, END: {final: true}}
      LEFT:
        initial: SECOND
        states: {SECOND: {ask: {question: "Left?", options: {YES: Go}}, on: {YES: OVER}}, OVER: {final: true}}
    on: {done.state.BOTH: DONE}
  DONE: {final: true}
)");
  human.there = false;
  EXPECT_EQ(start(Json::object()), ExitStatus::suspended);
  const Json said = seen.of("run.suspended").at(0).data;
  EXPECT_EQ(said.at("path"), "FIRST#1");
  EXPECT_EQ(said.at("question"), "Right?");
  EXPECT_EQ(said.at("others"), Json::array({"SECOND#1"}));
  try {
    restore().check({"YES", "", {}});
    ADD_FAILURE() << "one of them was answered";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "run r has 2 open questions");
    EXPECT_EQ(error.help(),
              "say which: agneto answer r QUESTION OPTION --resume, where QUESTION is one of "
              "FIRST#1, SECOND#1");
  }
}

TEST_F(InboxTest, AStoredAnswerComesBeforeAnOverdueTimer) {
  load(R"(agneto: 1
name: flow
initial: GATE
states:
  GATE:
    ask: {question: "Good?", options: {YES: Take it}}
    after: [{delay: 1h, wall: true, target: LATE}]
    on: {YES: DONE}
  DONE: {final: true}
  LATE: {final: true, status: failed}
)");
  seen.on["question.asked"] = [&] { engine->suspend("for the night"); };
  EXPECT_EQ(start(Json::object()), ExitStatus::suspended);
  answer("GATE#1", {"YES", "", {}});
  clock.advance(Millis(2 * 3600 * 1000));
  reopen();
  EXPECT_EQ(engine->work(), ExitStatus::complete);
}

TEST_F(InboxTest, AnEventReachesTheWorkflowWithItsData) {
  load(gate);
  journal::MessageId taken = 0, dropped = 0;
  seen.on["question.asked"] = [&] {
    taken = post("event", {{"name", "note"}, {"data", {{"status", "green"}}}, {"by", "lea"}});
    dropped = post("event", {{"name", "nothing.takes.this"}, {"by", "lea"}});
    answer("GATE#1", {"YES", "", {}});
  };
  EXPECT_EQ(start(), ExitStatus::complete);
  EXPECT_EQ(seen.events.back().data.at("outputs").at("seen"), (Json{{"status", "green"}}));
  EXPECT_EQ(entry_of(taken).body,
            (Json{{"name", "note"}, {"taken", true}, {"by", "lea"}, {"message", taken}}));
  EXPECT_EQ(entry_of(dropped).body.at("taken"), false);
}

TEST_F(InboxTest, ASuspensionFromElsewhereEndsTheWorkAndIsNotTakenTwice) {
  load(gate);
  journal::MessageId id = 0;
  seen.on["question.asked"] = [&] { id = post("suspend", {{"reason", "suspended by lea"}}); };
  EXPECT_EQ(start(), ExitStatus::suspended);
  EXPECT_EQ(store->find("r")->outcome, "suspended by lea");
  EXPECT_EQ(entry_of(id).kind, "suspended");
  // Asked once more while nobody listened: that it is suspended is so already.
  store->post("r", {"suspend", {{"reason", "once more"}}});
  human.answers = {{"YES", "", {}}};
  reopen();
  EXPECT_EQ(engine->work(), ExitStatus::complete);
  EXPECT_THAT(store->inbox("r"), IsEmpty());
}

TEST_F(InboxTest, AnAbortFromElsewhereIsOfferedToTheWorkflow) {
  load(gate);
  seen.on["question.asked"] = [&] { post("abort", {{"reason", "aborted by lea"}}); };
  EXPECT_EQ(start(), ExitStatus::aborted);
  EXPECT_EQ(store->find("r")->outcome, "ABORTED");
}

TEST_F(InboxTest, ARunThatNobodyWorksOnIsAbortedWithoutDoingAnythingMore) {
  load(R"(agneto: 1
name: flow
agents: {worker: {hooks: hook.lua, access: edit}}
inputs: {task: {type: string, main: true}}
initial: GATE
on: {abort: TIDYING}
states:
  GATE: {ask: {question: "Good?", options: {YES: Take it}}, on: {YES: DONE}}
  TIDYING: {agent: {name: worker, verdicts: {DONE: {}}}, on: {DONE: DONE}}
  DONE: {final: true}
)");
  human.there = false;
  EXPECT_EQ(start(), ExitStatus::suspended);
  reopen().abort_now("aborted by lea");
  EXPECT_EQ(engine->work(), ExitStatus::aborted);
  EXPECT_EQ(seen.events.back().data.at("reason"), "aborted by lea");
  EXPECT_EQ(count("prompt"), 0);
}

TEST_F(InboxTest, AnInstructionReachesTheNextAgent) {
  load(R"(agneto: 1
name: flow
agents: {worker: {hooks: hook.lua, access: edit}}
inputs: {task: {type: string, main: true}}
initial: GATE
states:
  GATE: {ask: {question: "Good?", options: {YES: Take it}}, on: {YES: WORKING}}
  WORKING: {agent: {name: worker, verdicts: {DONE: {}}}, on: {DONE: DONE, error: DONE}}
  DONE: {final: true}
)");
  reply("worker", "DONE");
  seen.on["question.asked"] = [&] {
    post("instruct", {{"text", "Mention the tea."}});
    answer("GATE#1", {"YES", "", {}});
  };
  EXPECT_EQ(start(), ExitStatus::complete);
  for (const auto& entry : store->entries_of("r", "WORKING#1")) {
    if (entry.kind != "prompt") continue;
    EXPECT_THAT(entry.body.at("text").get<std::string>(), ::testing::HasSubstr("Mention the tea."));
  }
}

TEST_F(InboxTest, EventsDoNotPileUpWithoutEnd) {
  load(gate);
  human.there = false;
  EXPECT_EQ(start(), ExitStatus::suspended);
  agneto::testing::TemporaryFolder home;
  const auto send = [&](const record::Message& message) {
    return agneto::testing::error_of([&] { deliver(*store, home.path(), "r", message, clock); });
  };
  for (int i = 0; i < 999; ++i) store->post("r", {"event", {{"name", "note"}}});
  EXPECT_EQ(send(record::PostedEvent{"note"}), "");
  EXPECT_EQ(
      send(record::PostedEvent{"note"}),
      "1000 words to run r wait already, and nobody takes them\n'agneto resume r' takes them");
  EXPECT_EQ(send(record::PostedAbort{"enough"}), "") << "that it is to end is always heard";
}

TEST_F(InboxTest, WhatCannotBeReadIsRefused) {
  load(gate);
  journal::MessageId strange = 0, broken = 0;
  seen.on["question.asked"] = [&] {
    strange = post("dance", Json::object());
    broken = post("answer", {{"question", 5}});
    answer("GATE#1", {"YES", "", {}});
  };
  EXPECT_EQ(start(), ExitStatus::complete);
  EXPECT_EQ(entry_of(strange).body.at("reason"), "no message of the kind 'dance' is known here");
  EXPECT_EQ(entry_of(broken).body.at("reason"), "it cannot be read");
}

// The journal fails at every write in turn; the message is either still there, or was acted on.
TEST_F(InboxTest, AnOwnerThatDiesAtAnyWriteTakesAnAnswerOnce) {
  int points = 0;
  for (int writes = 0;; ++writes) {
    renew_journal();
    load(gate);
    human.there = true;
    failing.writes_left = writes;
    seen.on["question.asked"] = [&] {
      answer("GATE#1", {"NO", "too loud", {}});
      answer("WORDS#1", {"", "that one", {}});
    };
    bool crashed = false;
    try {
      start();
    } catch (const Error&) {
      crashed = true;
    }
    failing.writes_left = -1;
    if (!crashed) break;
    ++points;
    reopen();
    EXPECT_EQ(engine->work(), ExitStatus::complete) << "crash before write " << writes;
    EXPECT_EQ(count("answer"), 2) << "crash before write " << writes;
    EXPECT_EQ(count("refused"), 0) << "crash before write " << writes;
  }
  EXPECT_EQ(points, 2);
}

TEST_F(InboxTest, AnOwnerThatIsNoneAnyMoreEndsAndUndoesNothing) {
  load(std::string(R"(agneto: 1
name: flow
agents: {worker: {hooks: hook.lua, access: edit}}
inputs: {task: {type: string, main: true}}
initial: WORKING
states:
  WORKING: {agent: {name: worker, verdicts: {DONE: {}}}, on: {DONE: DONE}}
  DONE: {final: true}
)"));
  reply("worker", "DONE");
  seen.on["agent.started"] = [&] { failing.lost = true; };
  try {
    start();
    ADD_FAILURE() << "it went on";
  } catch (const journal::OwnerLost& error) {
    EXPECT_STREQ(error.what(), "run r has another owner by now: process 7");
  }
  EXPECT_EQ(workspace.restored, 0);
}

}  // namespace
}  // namespace agneto::run
