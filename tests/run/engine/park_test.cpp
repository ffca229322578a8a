// Runs that a server works on: where they only wait, nobody works on them.
#include <gmock/gmock.h>

#include "run/engine_fixture.h"

namespace agneto::run {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

constexpr Millis minute{60'000};

class ParkTest : public EngineTest {
 protected:
  ParkTest() { parks = true; }
  void load_gate(const std::string& after) {
    load(R"(agneto: 1
name: flow
initial: GATE
states:
  GATE:
    ask: {question: "Good?", options: {YES: Take it}}
    after: [{delay: )" +
         after + R"(, target: LATE}]
    on: {YES: DONE}
  DONE: {final: true}
  LATE: {final: true, status: failed}
)");
  }
  void post_yes() {
    record::Message answer = record::PostedAnswer{{"YES", "", std::nullopt}, "GATE#1", "lea"};
    journal::Message posted = record::encode(answer);
    posted.time = clock.now();
    store->post("r", posted);
  }
  void begin_queued() {
    journal::RunRecord queued;
    queued.id = "r";
    queued.status = "queued";
    queued.workflow = "flow";
    store->create(queued, {{"/w/flow.yaml", "text"}},
                  {{0, clock.now(), "queued", "", {{"by", "lea"}}}}, Json());
    make().begin_queued(Json::object());
  }
  journal::RunRecord run() const { return *store->find("r"); }
};

TEST_F(ParkTest, AQuestionParksTheRunUntilItsTimeOrAWord) {
  load_gate("10m");
  EXPECT_EQ(start(Json::object()), ExitStatus::suspended);
  EXPECT_EQ(run().status, "parked");
  EXPECT_EQ(run().outcome, "a question waits for an answer");
  EXPECT_EQ(run().questions, 1);
  EXPECT_EQ(run().wake, run().updated + 10 * minute);
  EXPECT_EQ(kinds().back(), "parked");
  EXPECT_EQ(human.withdrawn.size(), 1U) << "who had it before them is told";

  post_yes();
  EXPECT_EQ(reopen().work(), ExitStatus::complete);
  EXPECT_EQ(run().status, "complete");
  EXPECT_EQ(run().outcome, "DONE");
  EXPECT_EQ(run().questions, 0);
  EXPECT_EQ(run().wake, std::nullopt);
}

// What nobody can send is no reason to wait.
TEST_F(ParkTest, AnEventFromOutsideIsWaitedFor) {
  load(R"(agneto: 1
name: flow
initial: WAITING
states:
  WAITING:
    on: {approved: STUCK}
  STUCK:
    on: {error: DONE}
  DONE: {final: true}
)");
  EXPECT_EQ(start(Json::object()), ExitStatus::suspended);
  EXPECT_EQ(run().status, "parked");
  EXPECT_EQ(run().outcome, "it waits for an event from outside");
  EXPECT_EQ(run().wake, std::nullopt);
  EXPECT_THAT(store->due({}, clock.now(), 10).runs, IsEmpty());

  journal::Message event = record::encode(record::PostedEvent{.name = "approved"});
  event.time = clock.now();
  store->post("r", event);
  EXPECT_THAT(store->due({}, clock.now(), 10).runs, SizeIs(1));
  EXPECT_EQ(reopen().work(), ExitStatus::suspended);
  EXPECT_EQ(run().status, "suspended");
  EXPECT_EQ(run().outcome,
            "nothing is left to happen in STUCK#1: no activity, timer or question is outstanding");
}

TEST_F(ParkTest, TheTimeOfAParkedRunGoesOn) {
  load_gate("10m");
  start(Json::object());
  clock.advance(9 * minute);
  EXPECT_EQ(reopen().work(), ExitStatus::suspended);
  EXPECT_EQ(run().status, "parked");
  clock.advance(minute);
  EXPECT_EQ(reopen().work(), ExitStatus::failed);
  EXPECT_EQ(run().outcome, "LATE");
}

// Where it is suspended instead, a question's own deadline stands still.
TEST_F(ParkTest, AParkedRunCanBeSuspended) {
  load_gate("10m");
  start(Json::object());
  clock.advance(9 * minute);
  reopen().suspend_now("suspended by lea");
  EXPECT_EQ(engine->work(), ExitStatus::suspended);
  EXPECT_EQ(run().status, "suspended");
  EXPECT_EQ(run().outcome, "suspended by lea");
  EXPECT_EQ(run().wake, std::nullopt);
  clock.advance(100 * minute);
  EXPECT_EQ(reopen().work(), ExitStatus::suspended);
  EXPECT_EQ(run().status, "parked");
  EXPECT_EQ(*run().wake - run().updated, minute);
}

TEST_F(ParkTest, ATimerThatIsDueSoonIsWaitedFor) {
  load_gate("4s");
  EXPECT_EQ(start(Json::object()), ExitStatus::failed);
  EXPECT_EQ(run().outcome, "LATE");
  EXPECT_THAT(kinds(), Not(Contains("parked")));
}

TEST_F(ParkTest, ATimerAloneParksTheRun) {
  load(R"(agneto: 1
name: flow
initial: RESTING
states:
  RESTING:
    after: [{delay: 1h, target: DONE}]
  DONE: {final: true}
)");
  EXPECT_EQ(start(Json::object()), ExitStatus::suspended);
  EXPECT_EQ(run().status, "parked");
  EXPECT_EQ(run().outcome, "a timer runs");
  EXPECT_EQ(run().questions, 0);
  clock.advance(60 * minute);
  EXPECT_EQ(reopen().work(), ExitStatus::complete);
}

TEST_F(ParkTest, ARunWhoseAgentIsAtWorkIsNotParked) {
  load(R"(agneto: 1
name: flow
agents: {worker: {hooks: hook.lua}}
inputs: {task: {type: string, main: true}}
initial: BOTH
states:
  BOTH:
    parallel: true
    on: {done.state.BOTH: DONE}
    states:
      ASKING_ONE:
        initial: GATE
        states:
          GATE: {ask: {question: "Good?", options: {YES: Take it}}, on: {YES: ASKED}}
          ASKED: {final: true}
      WORKING_ONE:
        initial: WORKING
        states:
          WORKING: {agent: {name: worker, verdicts: {OK: {}}}, on: {OK: WORKED}}
          WORKED: {final: true}
  DONE: {final: true}
)");
  reply("worker", "OK");
  EXPECT_EQ(start(), ExitStatus::suspended);
  EXPECT_EQ(run().status, "parked");
  EXPECT_THAT(kinds(), Contains("reply"));
}

TEST_F(ParkTest, AQueuedRunBegins) {
  load_gate("10m");
  begin_queued();
  EXPECT_EQ(kinds()[1], "started");
  engine->work();
  EXPECT_EQ(run().status, "parked");
}

// Its timers stand still meanwhile, as nobody knows how long that is.
TEST_F(ParkTest, ARunThatIsHandedOverIsQueued) {
  load_gate("4s");
  begin_queued();
  engine->hand_over(true);
  EXPECT_EQ(engine->work(), ExitStatus::suspended);
  EXPECT_EQ(run().status, "queued");
  EXPECT_EQ(run().outcome, "the server was stopped");
  EXPECT_EQ(kinds().back(), "queued");
  EXPECT_THAT(kinds(), Not(Contains("suspended")));
  clock.advance(minute);
  EXPECT_EQ(reopen().work(), ExitStatus::failed);
  EXPECT_GE(run().updated - Time{}, minute + Millis(4000)) << "the timer had its time left";
}

TEST_F(ParkTest, APersonWhoSuspendsARunIsStrongerThanTheEndOfTheServer) {
  load_gate("4s");
  begin_queued();
  engine->suspend("suspended by lea");
  engine->hand_over(true);
  EXPECT_EQ(engine->work(), ExitStatus::suspended);
  EXPECT_EQ(run().status, "suspended");
  EXPECT_EQ(run().outcome, "suspended by lea");
}

}  // namespace
}  // namespace agneto::run
