#include "run/reader.h"

#include "run/engine_fixture.h"

namespace agneto::run {
namespace {

const std::string beside_an_agent = R"(agneto: 1
name: flow
inputs: {task: {type: string, main: true}}
agents: {worker: {hooks: hook.lua}}
initial: BOTH
states:
  BOTH:
    parallel: true
    on: {done.state.BOTH: END}
    states:
      WORKING:
        initial: CALLING
        states:
          CALLING: {agent: {name: worker, verdicts: {DONE: {}}}, on: {DONE: WORKED}}
          WORKED: {final: true}
      ASKING:
        initial: GATE
        states:
          GATE: {ask: {question: "Good?", options: {GOOD: Take it}}, on: {GOOD: ASKED}}
          ASKED: {final: true}
  END: {final: true}
)";

class WaitsForPersonTest : public EngineTest {
 protected:
  bool waits(const std::string& status) {
    journal::RunRecord run = *store->find("r");
    run.status = status;
    return waits_for_person(*store, run);
  }
};

TEST_F(WaitsForPersonTest, ALiveRunDoesWhereNothingElseIsUnderWay) {
  load(beside_an_agent);
  reply("worker", "DONE");
  bool at_first = true, in_the_end = false;
  seen.on["question.asked"] = [&] { at_first = waits("running"); };
  seen.on["agent.finished"] = [&] {
    seen.on["state.entered"] = [&] {
      in_the_end = waits("running");
      engine->suspend("for the night");
    };
  };
  EXPECT_EQ(start(), ExitStatus::suspended);
  EXPECT_FALSE(at_first) << "an agent is at work, too";
  EXPECT_TRUE(in_the_end);
}

TEST_F(WaitsForPersonTest, ASuspendedRunDoesUntilSomebodyHasAnswered) {
  load(beside_an_agent);
  reply("worker", "DONE");
  human.there = false;
  start();
  EXPECT_TRUE(waits("suspended"));
  EXPECT_TRUE(waits("interrupted"));
  EXPECT_FALSE(waits("complete"));
  store->post("r", {"answer", {{"question", "GATE#1"}, {"option", "GOOD"}, {"by", "lea"}}});
  EXPECT_FALSE(waits("suspended"));
}

}  // namespace
}  // namespace agneto::run
