// Runs on a machine whose clock somebody puts back: design.md's "now is never earlier than the
// journal's last time", and goes on.
#include "record/totals.h"
#include "run/engine_fixture.h"

namespace agneto::run {
namespace {

constexpr Millis second{1000};
class ClockPutBackTest : public EngineTest {
 protected:
  // A gate with a deadline, on a clock that `wall` says.
  void load_gate(const std::string& wall = "false") {
    load(R"(agneto: 1
name: flow
initial: GATE
states:
  GATE:
    ask: {question: "Good?", options: {YES: Take it}}
    after: [{delay: 24s, wall: )" +
         wall + R"(, target: LATE}]
    on: {YES: DONE}
  DONE: {final: true}
  LATE: {final: true, status: failed}
)");
  }
  std::vector<Time> times() const {
    std::vector<Time> all;
    for (const auto& entry : store->entries("r")) all.push_back(entry.time);
    return all;
  }
  Json totals() const {
    const auto run = *store->find("r");
    return record::to_json(record::totals_of(recorded(), run, run.updated));
  }
};

TEST_F(ClockPutBackTest, AQuestionsDeadlineComesAsIfNothingHadHappened) {
  load_gate();
  seen.on["question.asked"] = [&] { clock.put_back(100 * second); };
  EXPECT_EQ(start(Json::object()), ExitStatus::failed);
  EXPECT_EQ(store->find("r")->outcome, "LATE");
  EXPECT_EQ(clock.elapsed(), 24 * second);
  EXPECT_EQ(times().back() - times().front(), 24 * second);
  EXPECT_EQ(totals().at("worked"), 0) << "a person's time is not the run's";
}

// Nobody there: no wait, ever. The deadline that `wall` keeps going is taken at the next resume.
TEST_F(ClockPutBackTest, ADeadlineIsNotWaitedForWhereNobodyCanAnswer) {
  load_gate("true");
  human.there = false;
  EXPECT_EQ(start(Json::object()), ExitStatus::suspended);
  EXPECT_EQ(store->find("r")->outcome, "a question waits for an answer");
  EXPECT_LT(clock.elapsed(), 24 * second);
  clock.advance(24 * second);
  EXPECT_EQ(reopen().work(), ExitStatus::failed);
  EXPECT_EQ(store->find("r")->outcome, "LATE");
}

TEST_F(ClockPutBackTest, WhatWasLeftOfADeadlineIsLeftAfterASuspension) {
  for (const char* wall : {"false", "true"}) {
    renew_journal();
    load_gate(wall);
    const Millis before = clock.elapsed();
    seen.on["question.asked"] = [&] {
      clock.advance(4 * second);
      engine->suspend("for the night");
    };
    EXPECT_EQ(start(Json::object()), ExitStatus::suspended);
    clock.put_back(100 * second);
    const Time suspended = times().back();
    EXPECT_EQ(reopen().work(), ExitStatus::failed);
    EXPECT_EQ(clock.elapsed() - before, 24 * second) << "wall: " << wall;
    EXPECT_EQ(times().back() - suspended, 20 * second) << "wall: " << wall;
    const auto all = times();
    EXPECT_TRUE(std::is_sorted(all.begin(), all.end()));
    EXPECT_EQ(totals().at("worked"), 0) << "a person's time is not the run's";
  }
}

TEST_F(ClockPutBackTest, ALimitOfTimeTakesNoGateAway) {
  load_gate();
  config.limits.time = 6 * second;
  EXPECT_EQ(start(Json::object()), ExitStatus::failed);
  EXPECT_EQ(store->find("r")->outcome, "LATE");
}

TEST_F(ClockPutBackTest, ALimitOfTimeIsReachedWhenItWould) {
  load(
      "agneto: 1\nname: flow\ninitial: BUILDING\nstates:\n  BUILDING: {run: {argv: [make]}, on: "
      "{ok: "
      "END, failed: END}}\n  END: {final: true}\n");
  config.limits.time = 6 * second;
  runner.doing = [](const process::Spec&, std::stop_token stop) {
    while (!stop.stop_requested()) std::this_thread::yield();
  };
  seen.on["command.started"] = [&] { clock.put_back(100 * second); };
  EXPECT_EQ(start(Json::object()), ExitStatus::suspended);
  EXPECT_EQ(store->find("r")->outcome,
            "the limit of 6s of work is reached; to go on, resume with a higher --max-time, or "
            "raise limits.time in "
            ".agneto/config.yaml");
  EXPECT_EQ(clock.elapsed(), 6 * second);
  EXPECT_EQ(totals().at("worked"), (6 * second).count());
}

class TotalsTest : public ClockPutBackTest {
 protected:
  static constexpr const char* working = R"(agneto: 1
name: flow
inputs: {task: {type: string, main: true}}
agents: {worker: {hooks: hook.lua, access: read-only}}
initial: WORKING
states:
  WORKING: {agent: {name: worker, verdicts: {DONE: {}}}, on: {DONE: GATE}}
  GATE: {ask: {question: "Good?", options: {YES: Take it}}, on: {YES: END}}
  END: {final: true}
)";
  // The journal cannot be written after as many writes.
  void cut_off(int writes) {
    failing.writes_left = writes;
    EXPECT_THROW(start(), Error);
    failing.writes_left = -1;
  }
};

TEST_F(TotalsTest, OfARunAtWorkAreThoseOfNow) {
  load(working);
  reply("worker", "DONE");
  Json during;
  seen.on["question.asked"] = [&] {
    clock.advance(2 * hour);
    during = record::to_json(record::totals_of(recorded(), *store->find("r"), clock.now()));
    human.answers = {{"YES", "", {}}};
  };
  EXPECT_EQ(start(), ExitStatus::complete);
  EXPECT_EQ(during.at("calls"), 1);
  EXPECT_LT(during.at("worked").get<std::int64_t>(), (2 * hour).count()) << "a person thought";
  EXPECT_FALSE(during.contains("since"));
}

// The reply is in the journal, and what the machine makes of it is not.
TEST_F(TotalsTest, AReplyCountsBeforeItsCallHasEnded) {
  load(working);
  reply("worker", "DONE");
  cut_off(2);
  EXPECT_EQ(kinds().back(), "reply");
  EXPECT_EQ(store->state("r").at("run").at("totals").at("attempts"), 0);
  EXPECT_EQ(totals().at("attempts"), 1);
}

TEST_F(TotalsTest, WhatACutOffStretchWorkedCounts) {
  load(working);
  reply("worker", "DONE");
  calls.back()["delay"] = "5h";
  cut_off(2);
  clock.advance(50 * hour);
  human.there = false;
  EXPECT_EQ(reopen().work(), ExitStatus::suspended);
  const auto worked = totals().at("worked").get<std::int64_t>();
  EXPECT_GE(worked, (5 * hour).count());
  EXPECT_LT(worked, (50 * hour).count()) << "nobody worked then";
}

}  // namespace
}  // namespace agneto::run
