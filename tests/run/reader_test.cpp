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

class WaitingTest : public EngineTest {
 protected:
  Json totals(const std::string& status) {
    journal::RunRecord run = *store->find("r");
    run.status = status;
    return record::to_json(totals_of(*store, run, clock.now()));
  }
  Json totals_of_entries() {
    return record::to_json(record::totals_of(recorded(), *store->find("r"), clock.now()));
  }
  Waiting waiting(const std::string& status, const Redactor& redactor = Redactor()) {
    journal::RunRecord run = *store->find("r");
    run.status = status;
    return waiting_of(*store, run, redactor);
  }
};

TEST_F(WaitingTest, ALiveRunMayBeAtWorkToo) {
  load(beside_an_agent);
  reply("worker", "DONE");
  Waiting at_first, in_the_end;
  seen.on["question.asked"] = [&] { at_first = waiting("running"); };
  seen.on["agent.finished"] = [&] {
    seen.on["state.entered"] = [&] {
      in_the_end = waiting("running");
      engine->suspend("for the night");
    };
  };
  EXPECT_EQ(start(), ExitStatus::suspended);
  EXPECT_TRUE(at_first.for_person);
  EXPECT_TRUE(at_first.at_work);
  EXPECT_TRUE(in_the_end.for_person);
  EXPECT_FALSE(in_the_end.at_work);
}

TEST_F(WaitingTest, ASuspendedRunWaitsUntilSomebodyHasAnswered) {
  load(beside_an_agent);
  reply("worker", "DONE");
  human.there = false;
  start();
  EXPECT_TRUE(waiting("suspended").for_person);
  EXPECT_TRUE(waiting("interrupted").for_person);
  EXPECT_FALSE(waiting("suspended").at_work);
  EXPECT_FALSE(waiting("complete").for_person);
  store->post("r", {"answer", {{"question", "GATE#1"}, {"option", "GOOD"}, {"by", "lea"}}});
  EXPECT_FALSE(waiting("suspended").for_person);
}

TEST_F(WaitingTest, ALiveRunSaysWhichProvidersAreAway) {
  load(beside_an_agent);
  files.memory.add(AGNETO_SOURCE_DIR "/scripts/providers/offline.lua", R"lua(
return {
  command = function() return {argv = {"x"}} end,
  finish = function(_, status)
    if status == 75 then return {away = "no room for xyzzy-plugh", wait = 60, cost = 0.5} end
    return {result = "VERDICT: DONE"}
  end,
})lua");
  process::Exit away;
  away.status = 75;
  runner.exits = {away};
  config.patience = Millis(3'600'000);
  human.there = false;
  int times = 0;
  runner.doing = [&](const process::Spec&, std::stop_token) {
    if (++times < 2) return;  // now it is asked again, which is not recorded yet
    const auto found = waiting("running").away;
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].path, "CALLING#1");
    EXPECT_EQ(found[0].why, "no room for xyzzy-plugh");
    const Redactor redactor({{"xyzzy-plugh", "API_KEY"}});
    EXPECT_EQ(described(waiting("running", redactor).away).at(0).at("why"),
              "no room for [redacted: API_KEY]");
    EXPECT_TRUE(waiting("suspended").away.empty());
    EXPECT_EQ(totals("running"), totals_of_entries());
    EXPECT_EQ(totals("running").at("cost"), 0.5) << "of the call that is under way";
    EXPECT_EQ(totals("interrupted"), totals_of_entries());
  };
  start();
  EXPECT_EQ(times, 2);
  EXPECT_EQ(totals("suspended"), totals_of_entries());
  EXPECT_TRUE(waiting("running").away.empty());
}

}  // namespace
}  // namespace agneto::run
