#include "record/surroundings.h"

#include "run/engine_fixture.h"

namespace agneto::run {
namespace {

using record::Surroundings;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::string outer = R"(agneto: 1
name: flow
initial: WORK
on: {abort: ENDED, stop: ENDED, any: {}}
after: {8h: ENDED}
states:
  WORK:
    initial: SUB
    on: {error: ENDED, hurry: ENDED, stop: ENDED, ok: ENDED, tired: ENDED, worn: ENDED}
    after: {1h: {do: x = 1}}
    states:
      SUB:
        machine: inner.yaml
        on: {WELL: ENDED, BADLY: ENDED, later: ENDED}
        after: {2h: ENDED}
      OTHER:
        run: {argv: [make]}
        on: {never: ENDED, ok: ENDED, failed: ENDED}
        after: {1m: ENDED}
  ENDED: {final: true}
)";

const std::string inner = R"(agneto: 1
name: inner
initial: ASKING
on: {build.finished: WELL}
after: {3h: BADLY}
states:
  ASKING:
    ask: {question: "Good?", options: {YES: Take it, NO: Leave it}}
    on: {YES: WELL, NO: BADLY}
    after:
      10m:
        - {guard: run.interactive, target: NAGGING}
        - {guard: run.auto_merge, target: BADLY}
      30m: {do: y = 1}
      90m: {target: NAGGING}
  NAGGING:
    entry: |
      raise("tired")
      send(run.interactive and "worn.out" or "tired", {}, {after = "1m"})
    exit: print("no hurry, stop later")
    ask: {question: "Still there?", text: required}
    on: {answered: WELL}
  WELL: {final: true}
  BADLY: {final: true, status: failed}
)";

const std::string aborting_outer = R"(agneto: 1
name: flow
initial: ONE
on: {abort: GONE}
states:
  ONE:
    machine: aborting_inner.yaml
    on: {STOPPED: GONE, BROKEN: END}
  EACH:
    for_each: {items: "{1, 2}", machine: aborting_inner.yaml}
    on: {done: END}
  GATE:
    ask: {question: "Good?", options: {YES: Take it, NO: Stop, LATER: Later}}
    on:
      YES: END
      NO: [{guard: run.interactive, target: GONE}, GONE]
      LATER: [{guard: run.interactive, target: GONE}, END]
  END: {final: true}
  GONE: {final: true, status: aborted}
)";

const std::string aborting_inner = R"(agneto: 1
name: inner
initial: ASKING
states:
  ASKING:
    ask: {question: "Good?", options: {YES: Take it, NO: Leave it, STOP: Stop}}
    on: {YES: END, NO: BROKEN, STOP: STOPPED}
  END: {final: true}
  BROKEN: {final: true, status: failed}
  STOPPED: {final: true, status: aborted}
)";

// Times are in minutes, and now is the first hour's end.
class SurroundingsTest : public EngineTest {
 protected:
  SurroundingsTest() {
    files.memory.add("/w/inner.yaml", inner);
    load(outer);
  }
  static Time at(int minutes) { return Time(std::chrono::minutes(minutes)); }
  void timer(const std::string& path, int due, bool pausable = false, int left = 0) {
    timers[path] = {at(due), pausable, std::chrono::minutes(left)};
  }
  Surroundings of(const std::string& question, bool suspended = false) const {
    return record::surroundings_of(question, {*loaded.system, timers, at(60), suspended});
  }
  // "in 30: A, B, or not", "then in 30: A" where it stands still.
  std::vector<std::string> deadlines(const Surroundings& around) const {
    std::vector<std::string> all;
    for (const auto& each : around.deadlines) {
      all.push_back((each.due ? "in " : "then in ") +
                    std::to_string(each.left / std::chrono::minutes(1)) + ": " +
                    join(each.to, ", ") + (each.guarded ? ", or not" : ""));
    }
    return all;
  }

  record::Timers timers;
};

TEST_F(SurroundingsTest, TimersOfTheStateAndOfThoseAroundItTakeAQuestionAway) {
  timer("./after:1", 480);
  EXPECT_THAT(deadlines(of("SUB#1/ASKING#2")), ElementsAre("in 420: ENDED"));
  timer("SUB#1/./after:1", 300);
  EXPECT_THAT(deadlines(of("SUB#1/ASKING#2")), ElementsAre("in 240: BADLY"));
  timer("SUB#1/after:1", 200);
  EXPECT_THAT(deadlines(of("SUB#1/ASKING#2")), ElementsAre("in 140: ENDED"));
  timer("SUB#1/ASKING#2/after:4", 150);
  EXPECT_THAT(deadlines(of("SUB#1/ASKING#2")), ElementsAre("in 90: NAGGING"));
  timer("SUB#1/ASKING#2/after:1", 70);
  EXPECT_THAT(deadlines(of("SUB#1/ASKING#2")),
              ElementsAre("in 10: NAGGING, BADLY, or not", "in 90: NAGGING"));
}

TEST_F(SurroundingsTest, OtherTimersDoNot) {
  timer("OTHER#1/after:1", 61);          // of a state beside it
  timer("WORK#1/after:1", 61);           // leads nowhere
  timer("SUB#1/ASKING#2/after:3", 61);   // the same
  timer("SUB#2/./after:1", 61);          // of another instance
  timer("SUB#1/NAGGING#1/after:1", 61);  // of another state
  timer("SUB#1/send:nag", 61);
  timer("send:#1", 61);
  timer("no path at all", 61);
  EXPECT_THAT(deadlines(of("SUB#1/ASKING#2")), IsEmpty());
}

TEST_F(SurroundingsTest, PausableTimersOfASuspendedRunStandStill) {
  timer("SUB#1/ASKING#2/after:4", 50, true, 90);
  timer("./after:1", 55);
  EXPECT_THAT(deadlines(of("SUB#1/ASKING#2", true)), ElementsAre("in 0: ENDED"));
  timer("./after:1", 480);
  EXPECT_THAT(deadlines(of("SUB#1/ASKING#2", true)), ElementsAre("then in 90: NAGGING"));
}

TEST_F(SurroundingsTest, EventsFromElsewhereAreNoOutcomesAndNothingElseMakesThem) {
  EXPECT_THAT(of("SUB#1/ASKING#1").events, ElementsAre("build.finished", "later", "hurry", "stop"));
  EXPECT_THAT(of("SUB#1/GONE#1").events, IsEmpty());
}

TEST_F(SurroundingsTest, WhatAbortsTheRunIsNamed) {
  EXPECT_THAT(of("SUB#1/ASKING#1").aborting, IsEmpty());
  files.memory.add("/w/aborting_inner.yaml", aborting_inner);
  load(aborting_outer);
  EXPECT_THAT(of("GATE#1").aborting, ElementsAre("NO", "abort")) << "LATER may do something else";
  EXPECT_THAT(of("ONE#1/ASKING#1").aborting, ElementsAre("STOP"));
  EXPECT_THAT(of("EACH#1[1]/ASKING#1").aborting, IsEmpty()) << "the other items go on";
}

}  // namespace
}  // namespace agneto::run
