// Going back in a run: the state that it goes on with. The files are tests/workspace's, the
// commands tests/e2e's.
#include "run/rewind.h"

#include <limits>

#include "engine_fixture.h"

namespace agneto::run {
namespace {

using ::testing::ElementsAre;

constexpr const char* rewound_flow = R"(agneto: 1
name: flow
inputs: {task: {type: string, main: true}}
agents:
  worker: {hooks: hook.lua, access: edit, session: run}
initial: WORKING
states:
  WORKING: {agent: {name: worker, verdicts: {DONE: {}}}, on: {DONE: GATE}}
  GATE:
    ask: {question: "Good?", options: {YES: Take it, NO: Again}}
    after: [{delay: 1h, target: LATE}, {delay: 2h, wall: true, target: LATE}]
    on: {YES: DONE, NO: WORKING}
  DONE: {final: true}
  LATE: {final: true, status: failed}
)";

class RewindTest : public EngineTest {
 protected:
  // Work, a gate that says no after `minutes`, work, a gate that says yes.
  void run_it() {
    load(rewound_flow);
    reply("worker", "DONE");
    reply("worker", "DONE");
    human.answers = {{"NO", "", {}}, {"YES", "", {}}};
    ASSERT_EQ(start(), ExitStatus::complete);
  }
  // The nth macrostep's entry.
  journal::Entry macrostep(int nth) const {
    for (const auto& entry : store->entries("r")) {
      if (entry.kind == "macrostep" && --nth == 0) return entry;
    }
    return {};
  }
  std::string refusal(journal::Seq seq) {
    try {
      require_rest(*store, "r", seq);
    } catch (const Error& error) {
      return std::string(error.what()) + "; " + error.help();
    }
    return "at rest";
  }
  // As `rewind` does with the journal.
  std::vector<std::string> go_back(const journal::Entry& to, Json moment) {
    journal::RunRecord line = *store->find("r");
    line.status = "suspended";
    moment["at"] = to.time.time_since_epoch().count();
    if (!moment.contains("sessions")) moment["sessions"] = Json::array();
    line.options["travel"] = moment;
    line.options["rewinds"] = 1;
    store->rewind("r", to.seq, {}, &line);
    return finish_restoring(*store, line, workspace, clock.now());
  }
};

TEST_F(RewindTest, OnlyToWhereTheRunWasAtRest) {
  run_it();
  EXPECT_THAT(kinds(),
              ElementsAre("started", "macrostep", "prompt", "reply", "macrostep", "answer",
                          "macrostep", "prompt", "reply", "macrostep", "answer", "macrostep"));
  EXPECT_EQ(refusal(5), "at rest");
  EXPECT_EQ(refusal(4), "run r was not at rest after entry 4 (reply); the nearest are 2 and 5");
  EXPECT_EQ(refusal(1), "run r was not at rest after entry 1 (started); the nearest is 2");
  EXPECT_EQ(refusal(0), "run r has no entry 0; the nearest is 2");
  EXPECT_EQ(refusal(99), "run r has no entry 99; the nearest is 12");
  EXPECT_EQ(refusal(std::numeric_limits<journal::Seq>::max()),
            "run r has no entry 9223372036854775807; the nearest is 12");
  EXPECT_EQ(refusal(std::numeric_limits<journal::Seq>::min()),
            "run r has no entry -9223372036854775808; the nearest is 2");
  go_back(macrostep(2), Json::object());
}

TEST_F(RewindTest, TheRunGoesOnFromThereAndTheFilesAreThoseOfThen) {
  run_it();
  workspace.tree = 9;
  EXPECT_THAT(go_back(macrostep(2), Json::object()), ElementsAre("refs/agneto/r/rescued-1"));
  EXPECT_EQ(workspace.tree, 1);
  EXPECT_FALSE(store->find("r")->options.contains("travel"));
  EXPECT_EQ(kinds().back(), "restored");
  human.answers = {{"YES", "", {}}};
  EXPECT_EQ(reopen().work(), ExitStatus::complete);
  EXPECT_EQ(human.asked.back().ask.path, "GATE#1") << "the first gate again, not the second";
}

TEST_F(RewindTest, ARewindCanBeTakenBack) {
  run_it();
  go_back(macrostep(2), Json::object());
  EXPECT_EQ(refusal(7), "at rest");
  go_back(macrostep(4), Json::object());
  human.answers = {{"YES", "", {}}};
  EXPECT_EQ(reopen().work(), ExitStatus::complete);
  EXPECT_EQ(human.asked.back().ask.path, "GATE#2");
}

TEST_F(RewindTest, TimersHaveLeftWhatTheyHadThen) {
  run_it();
  clock.advance(Millis(100 * 3'600'000));
  go_back(macrostep(2), Json::object());
  const Json timers = store->state("r").at("run").at("timers");
  const auto now = clock.now().time_since_epoch().count();
  EXPECT_EQ(timers.at("GATE#1/after:1").at("left"), 3'600'000);
  EXPECT_EQ(timers.at("GATE#1/after:2").at("due"), now + 2 * 3'600'000);
  human.answers = {{"YES", "", {}}};
  EXPECT_EQ(reopen().work(), ExitStatus::complete) << "a timer of long ago has fired";
}

TEST_F(RewindTest, ASessionThatWentOnSinceIsNotGoneOnWith) {
  run_it();
  Json state = store->state_at("r", macrostep(2).seq);
  ASSERT_EQ(state.at("run").at("threads").size(), 1u);
  state["run"]["threads"].front()["session"] = "s1";
  // As if it had been so then.
  store->append("r", {macrostep(2)}, state);
  journal::Entry then = macrostep(2);
  then.seq = store->newest("r");
  go_back(then, {{"sessions", {"s1"}}});
  const Json thread = store->state("r").at("run").at("threads").front();
  EXPECT_EQ(thread.at("session"), "");
  EXPECT_EQ(thread.at("last"), "WORKING#1") << "what was said is still known";
}

TEST_F(RewindTest, WhatWasSpentSinceIsSpent) {
  run_it();
  const Json spent = store->state("r").at("run").at("totals");
  ASSERT_EQ(spent.at("calls"), 2);
  go_back(macrostep(2), {{"totals", spent}});
  EXPECT_EQ(store->state("r").at("run").at("totals"), spent);
}

// A commit that was taken back is not the result of the same state's next one.
TEST_F(RewindTest, AnEffectAfterARewindIsAnotherOne) {
  load(R"(agneto: 1
name: flow
inputs: {task: {type: string, main: true}}
agents: {worker: {hooks: hook.lua, access: edit}}
initial: GATE
states:
  GATE: {ask: {question: "Good?", options: {YES: Take it}}, on: {YES: COMMITTING}}
  COMMITTING: {workspace: {commit: {message: done}}, on: {ok: DONE, failed: DONE}}
  DONE: {final: true}
)");
  human.answers = {{"YES", "", {}}};
  ASSERT_EQ(start(), ExitStatus::complete);
  go_back(macrostep(1), Json::object());
  human.answers = {{"YES", "", {}}};
  EXPECT_EQ(reopen().work(), ExitStatus::complete);
  EXPECT_THAT(workspace.done, ElementsAre("r/COMMITTING#1", "r/COMMITTING#1~1"));
}

TEST_F(RewindTest, ARunThatIsNotOnItsWayStaysAsItIs) {
  run_it();
  const auto before = kinds();
  journal::RunRecord line = *store->find("r");
  EXPECT_THAT(finish_restoring(*store, line, workspace, clock.now()), ElementsAre());
  EXPECT_EQ(kinds(), before);
}

}  // namespace
}  // namespace agneto::run
