// What a run and the machines in it may use.
#include "run/engine_fixture.h"

namespace agneto::run {
namespace {

constexpr const char* reviewing = R"(
agents:
  worker: {hooks: hook.lua, access: read-only}
initial: REVIEW
states:
  REVIEW: {agent: {name: worker, verdicts: {MORE: {}, DONE: {}}}, on: {MORE: REVIEW, DONE: DONE, error: DONE}}
  DONE: {final: true}
  ENOUGH: {final: true}
)";

class LimitsTest : public EngineTest {
 protected:
  // The root delegates to `review`, which calls its agent for as long as that says MORE.
  void load_review(const std::string& limits, const std::string& more = "",
                   const std::string& root = "") {
    files.memory.add("/w/review.yaml", "agneto: 1\nname: review\n" + limits + more + reviewing);
    load("agneto: 1\nname: flow\ninputs: {task: {type: string, main: true}}\n" + root + R"(
initial: REVIEWING
states:
  REVIEWING: {machine: review.yaml, on: {DONE: AGAIN, ENOUGH: GAVE_UP}}
  AGAIN: {machine: review.yaml, on: {DONE: DONE, ENOUGH: GAVE_UP}}
  GAVE_UP: {final: true}
  OVER: {final: true, status: failed}
  DONE: {final: true}
)");
    files.memory.add("/w/hook.lua", "return {prompt = function() return 'work' end}");
  }
  // Every reply is this verdict, costs a dollar and 100 tokens.
  void dear_replies(const std::string& verdict) {
    files.memory.add(AGNETO_SOURCE_DIR "/scripts/providers/offline.lua",
                     "return {command = function() return {argv = {'dear'}} end, "
                     "finish = function() return {result = 'VERDICT: " +
                         verdict + "', cost = 1.0, input_tokens = 60, output_tokens = 40} end}");
  }
};

TEST_F(LimitsTest, AMachineCountsItsOwnCallsAndTakesItsOwnLimit) {
  load_review("limits: {calls: 2}\n", "on: {limit.calls: ENOUGH}\n");
  for (int i = 0; i < 5; ++i) reply("worker", "MORE");
  EXPECT_EQ(start(), ExitStatus::complete);
  EXPECT_EQ(store->find("r")->outcome, "GAVE_UP");
  EXPECT_EQ(count("reply"), 2);
  ASSERT_EQ(seen.of("note").size(), 1u);
  EXPECT_EQ(seen.of("note")[0].data.at("text"), "the limit of 2 agent calls is reached");
}

TEST_F(LimitsTest, TheNextEntryOfAMachineBeginsAnew) {
  load_review("limits: {calls: 2}\n");
  for (const char* verdict : {"MORE", "DONE", "MORE", "DONE"}) reply("worker", verdict);
  EXPECT_EQ(start(), ExitStatus::complete);
  EXPECT_EQ(store->find("r")->outcome, "DONE");
}

TEST_F(LimitsTest, ALimitThatItsMachineDoesNotTakeSuspendsWhateverIsAroundIt) {
  load_review("limits: {calls: 1}\n", "", "on: {limit: OVER}\n");
  reply("worker", "MORE");
  EXPECT_EQ(start(), ExitStatus::suspended);
  EXPECT_EQ(store->find("r")->outcome,
            "REVIEWING#1 (review): the limit of 1 agent call is reached; to go on, raise "
            "limits.calls in /w/review.yaml and resume with --update");
  EXPECT_EQ(reopen().work(), ExitStatus::suspended) << "resuming alone passes no limit";
  EXPECT_EQ(count("reply"), 1);
}

TEST_F(LimitsTest, TheRunsLimitIsForTheRootAlone) {
  load_review("", "on: {limit: ENOUGH}\n", "on: {limit: OVER}\n");
  config.limits.calls = 2;
  for (int i = 0; i < 5; ++i) reply("worker", "MORE");
  EXPECT_EQ(start(), ExitStatus::failed);
  EXPECT_EQ(store->find("r")->outcome, "OVER");
  EXPECT_EQ(count("reply"), 2);
}

TEST_F(LimitsTest, MoneyAndTokensCountForTheMachineThatSpendsThem) {
  load_review("limits: {cost: 2}\n", "on: {limit.cost: ENOUGH}\n");
  dear_replies("MORE");
  EXPECT_EQ(start(), ExitStatus::complete);
  EXPECT_EQ(store->find("r")->outcome, "GAVE_UP");
  EXPECT_EQ(count("reply"), 2);
}

// Nobody is there to record what a call has used whose engine is killed.
TEST_F(LimitsTest, WhatAKilledEngineHadSentIsCountedAsUnknown) {
  load_review("");
  dear_replies("DONE");
  failing.writes_left = 2;  // the prompt and the process
  EXPECT_THROW(start(), Error);
  failing.writes_left = -1;
  EXPECT_EQ(reopen().work(), ExitStatus::complete);
  const Totals totals = totals_from(store->state("r").at("run").at("totals"));
  EXPECT_EQ(totals.calls, 2);
  EXPECT_EQ(totals.attempts, 3);
  EXPECT_DOUBLE_EQ(totals.usage.cost, 2.0);
  EXPECT_EQ(totals.usage.unpriced, 1);
  EXPECT_EQ(totals.usage.uncounted, 1);
  const Totals told = record::totals_of(recorded(), *store->find("r"), clock.now());
  EXPECT_EQ(told.attempts, 3);
  EXPECT_EQ(told.usage.unpriced, 1);
}

// The driver can say it, so that the run may begin, and does not.
TEST_F(LimitsTest, ALimitThatCannotBeKeptIsToldOnce) {
  load_review("");
  const std::string driver = AGNETO_SOURCE_DIR "/scripts/providers/offline.lua";
  const auto says = [&](const std::string& usage) {
    files.memory.add(driver,
                     "return {usage = 'cost', command = function() return {argv = {'x'}} end, "
                     "finish = function() return {result = 'VERDICT: DONE'" +
                         usage + "} end}");
  };
  config.limits.cost = 2.5;
  config.limits.tokens = 1000;
  says(", input_tokens = 1, output_tokens = 1");
  EXPECT_EQ(start(), ExitStatus::complete);
  const auto notes = [&] {
    std::vector<std::string> all;
    for (const Heard& note : seen.of("note")) all.push_back(note.data.at("text"));
    return all;
  };
  EXPECT_THAT(notes(), ::testing::ElementsAre(
                           "the limit of $2.50 cannot be kept: 'offline' did not say what a call "
                           "cost; add 'prices' to .agneto/config.yaml"));
  std::vector<std::string> recorded_notes;
  for (const auto& entry : recorded()) {
    if (const auto* note = entry.get<record::Noted>()) recorded_notes.push_back(note->text);
  }
  EXPECT_EQ(recorded_notes, notes());
  renew_journal();
  seen.events.clear();
  says("");
  EXPECT_EQ(start(), ExitStatus::complete);
  EXPECT_THAT(notes(), ::testing::ElementsAre(
                           "the limit of $2.50 cannot be kept: 'offline' did not say what a call "
                           "used; limit calls or time instead",
                           "the limit of 1000 tokens cannot be kept: 'offline' did not say what a "
                           "call used; limit calls or time instead"));
}

TEST_F(LimitsTest, ALimitThatCannotBeKeptIsToldOnceHoweverOftenTheRunIsResumed) {
  load(R"(agneto: 1
name: flow
inputs: {task: {type: string, main: true}}
agents: {worker: {hooks: hook.lua}}
initial: FIRST
states:
  FIRST: {agent: {name: worker, verdicts: {DONE: {}}}, on: {DONE: GATE, error: FAILED}}
  GATE: {ask: {question: Go on, options: {YES: Go on}}, on: {YES: SECOND}}
  SECOND: {agent: {name: worker, verdicts: {DONE: {}}}, on: {DONE: DONE, error: FAILED}}
  FAILED: {final: true, status: failed}
  DONE: {final: true}
)");
  files.memory.add("/w/hook.lua", "return {prompt = function() return 'work' end}");
  files.memory.add(AGNETO_SOURCE_DIR "/scripts/providers/offline.lua",
                   "return {usage = 'cost', command = function() return {argv = {'x'}} end, "
                   "finish = function() return {result = 'VERDICT: DONE'} end}");
  config.limits.tokens = 1000;
  human.there = false;
  EXPECT_EQ(start(), ExitStatus::suspended);
  EXPECT_EQ(count("noted"), 1);
  human.there = true;
  human.answers = {{"YES", "", {}}};
  EXPECT_EQ(reopen().work(), ExitStatus::complete);
  EXPECT_EQ(count("reply"), 2);
  EXPECT_EQ(count("noted"), 1);
}

TEST_F(LimitsTest, TokensAreALimitOfTheRun) {
  load_review("");
  config.limits.tokens = 250;
  dear_replies("MORE");
  EXPECT_EQ(start(), ExitStatus::suspended);
  EXPECT_EQ(store->find("r")->outcome,
            "the limit of 250 tokens is reached: 300 used; to go on, resume with a higher "
            "--max-tokens, or raise limits.tokens in "
            ".agneto/config.yaml");
  EXPECT_EQ(count("reply"), 3);
}

// Hours by the hundred: while the engine waits for a thread, the test's clock goes on too.
TEST_F(LimitsTest, TimeOfAMachineIsThatSinceItBegan) {
  load_review("limits: {time: 1000h}\n", "on: {limit.time: ENOUGH}\n");
  for (const char* verdict : {"DONE", "DONE"}) {
    reply("worker", verdict);
    calls.back()["delay"] = "800h";
  }
  EXPECT_EQ(start(), ExitStatus::complete);
  EXPECT_EQ(store->find("r")->outcome, "DONE");
}

TEST_F(LimitsTest, AMachineThatTakesTooLongIsTold) {
  load_review("limits: {time: 1h}\n", "on: {limit.time: ENOUGH}\n");
  for (int i = 0; i < 5; ++i) {
    reply("worker", "MORE");
    calls.back()["delay"] = "50m";
  }
  EXPECT_EQ(start(), ExitStatus::complete);
  EXPECT_EQ(store->find("r")->outcome, "GAVE_UP");
  EXPECT_LE(count("reply"), 2);
}

TEST_F(LimitsTest, WhatAMachineUsedIsStillKnownAfterASuspension) {
  load_review("limits: {calls: 2}\n", "on: {limit.calls: ENOUGH}\n");
  for (int i = 0; i < 5; ++i) reply("worker", "MORE");
  seen.on["agent.finished"] = [&] { engine->suspend("for the night"); };
  EXPECT_EQ(start(), ExitStatus::suspended);
  EXPECT_EQ(reopen().work(), ExitStatus::complete);
  EXPECT_EQ(store->find("r")->outcome, "GAVE_UP");
  EXPECT_EQ(count("reply"), 2);
}

TEST_F(LimitsTest, ACallThatWasCancelledWasMade) {
  load(R"(agneto: 1
name: flow
inputs: {task: {type: string, main: true}}
agents: {worker: {hooks: hook.lua, access: read-only}}
initial: WORKING
on: {limit.calls: ENOUGH}
states:
  WORKING:
    agent: {name: worker, verdicts: {DONE: {}}}
    on: {again: WORKING, DONE: ENOUGH, error: ENOUGH}
  ENOUGH: {final: true}
)");
  config.limits.calls = 2;
  dear_replies("DONE");
  int started = 0;
  const std::function<void()> again = [&] {
    if (++started < 5) seen.on["agent.started"] = again;
    store->post("r", {"event", {{"name", "again"}}});
    engine->wake_up();
  };
  seen.on["agent.started"] = again;
  EXPECT_EQ(start(), ExitStatus::complete);
  EXPECT_LE(seen.of("agent.started").size(), 2u);
}

// Both are at work at the same time; the first one's hook fails, of which the second one has to
// wait to hear.
TEST_F(LimitsTest, ACallWhoseHookFailsHoldsNoPlaceWhileItIsUnderWay) {
  files.memory.add("/w/part.yaml", R"(agneto: 1
name: part
inputs: {name: string}
agents: {worker: {hooks: hook.lua, access: read-only}}
initial: WORKING
states:
  WORKING: {agent: {name: worker, verdicts: {DONE: {}}}, on: {DONE: DONE, error: DONE}}
  DONE: {final: true}
)");
  load(R"(agneto: 1
name: flow
inputs: {task: {type: string, main: true}}
initial: PARTS
states:
  PARTS:
    for_each: {items: "{'bad', 'good'}", as: name, machine: part.yaml, max_parallel: 2, with: {name: name}}
    on: {done: DONE, failed: DONE, error: DONE}
  DONE: {final: true}
)");
  files.memory.add("/w/hook.lua", R"(return {prompt = function(m)
    if m.inputs.name == 'bad' then error('no prompt') end
    return 'work'
  end})");
  config.limits.calls = 1;
  dear_replies("DONE");
  EXPECT_EQ(start(), ExitStatus::complete);
  EXPECT_EQ(count("reply"), 1);
  EXPECT_EQ(totals_from(store->state("r").at("run").at("totals")).calls, 1);
}

}  // namespace
}  // namespace agneto::run
