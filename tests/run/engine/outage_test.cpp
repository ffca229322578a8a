// Runs whose provider is away or refuses.
#include "record/event_replay.h"
#include "run/engine_fixture.h"

namespace agneto::run {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* outage_flow = R"(agneto: 1
name: flow
inputs: {task: {type: string, main: true}}
agents:
  worker: {hooks: hook.lua, access: edit, tries: 1}
initial: WORKING
states:
  WORKING: {agent: {name: worker, verdicts: {DONE: {}}}, on: {DONE: DONE, error: GIVEN_UP}}
  GIVEN_UP: {final: true, status: failed}
  DONE: {final: true}
)";

constexpr const char* two_at_once = R"(agneto: 1
name: flow
inputs: {task: {type: string, main: true}}
agents:
  worker: {hooks: hook.lua, access: read-only}
initial: BOTH
states:
  BOTH:
    parallel: true
    on: {done.state.BOTH: DONE}
    states:
      LEFT:
        initial: L
        states:
          L: {agent: worker, on: {done: M, error: M}}
          M: {agent: worker, on: {done: N, error: N}}
          N: {final: true}
      RIGHT:
        initial: R
        states:
          R: {agent: worker, on: {done: S, error: S}}
          S: {agent: worker, on: {done: Z, error: Z}}
          Z: {final: true}
  DONE: {final: true}
)";

class OutageTest : public EngineTest {
 protected:
  // A program whose exit status says what kind of end it is.
  void program(const char* workflow) {
    load(workflow);
    files.memory.add(AGNETO_SOURCE_DIR "/scripts/providers/offline.lua", R"lua(
return {
  command = function(call) return {argv = {call.state}} end,
  finish = function(_, status, errors)
    if status == 74 then return {away = "the server is full", wait = 1e6} end
    if status == 75 then return {away = "the server is busy"} end
    if status == 77 then return {refused = "invalid key; log in"} end
    return {result = "VERDICT: DONE"}
  end,
})lua");
    config.patience = std::chrono::hours(1'000'000);  // the loop's waits make time pass, too
  }
  void exits(std::vector<int> statuses) {
    for (int status : statuses) {
      process::Exit exit;
      exit.kind = process::Exit::Kind::exited;
      exit.status = status;
      runner.exits.push_back(exit);
    }
  }
  // Why calls were made again, as it was said, and as the log says it later.
  std::vector<std::string> said() const {
    std::vector<std::string> reasons;
    for (const Heard& event : seen.of("agent.retry")) reasons.push_back(event.data.at("reason"));
    return reasons;
  }
  std::vector<std::string> logged() {
    const journal::RunRecord run = *store->find("r");
    record::EventReplay replay(run, loaded.system.get());
    std::vector<std::string> reasons;
    for (const auto& entry : recorded()) {
      for (const auto& event : replay.next(entry)) {
        if (const auto* retry = std::get_if<record::AgentRetry>(&event.body)) {
          reasons.push_back(retry->reason);
        }
      }
    }
    return reasons;
  }
  // Why a run is suspended where two are at work, and the second ends once the first one's end has
  // been told.
  std::string reasons_of_two(int first, int second) {
    program(two_at_once);
    config.patience = Millis(0);
    std::atomic<int> begun = 0;
    std::atomic<bool> told = false;
    seen.on["note"] = [&] { told = true; };
    runner.doing = [&](const process::Spec& spec, std::stop_token) {
      ++begun;
      while (spec.argv.front() == "R" ? !told : begun < 2) std::this_thread::yield();
    };
    exits({first, second});
    start();
    return outcome();
  }
  std::string outcome() { return store->find("r")->status + ": " + store->find("r")->outcome; }
};

TEST_F(OutageTest, IsWaitedFor) {
  program(outage_flow);
  exits({75, 75, 0});
  EXPECT_EQ(start(), ExitStatus::complete);
  EXPECT_EQ(outcome(), "complete: DONE");
  EXPECT_EQ(count("prompt"), 1);
  EXPECT_EQ(count("reply"), 3);
  EXPECT_THAT(said(), ElementsAre("the server is busy; asking again in 1s",
                                  "the server is busy; asking again in 2s"));
  EXPECT_EQ(logged(), said());
}

TEST_F(OutageTest, ThatLastsTooLongSuspendsTheRun) {
  program(outage_flow);
  config.patience = Millis(0);
  exits({75});
  EXPECT_EQ(start(), ExitStatus::suspended);
  EXPECT_EQ(outcome(), "suspended: agent 'worker' (offline): the server is busy");
  EXPECT_EQ(workspace.restored, 1) << "what the call had changed is put back";
  EXPECT_EQ(reopen().work(), ExitStatus::complete);
  EXPECT_EQ(outcome(), "complete: DONE");
}

TEST_F(OutageTest, ARefusalSuspendsTheRunAndSaysWhatToDo) {
  program(outage_flow);
  exits({77, 77, 0});
  EXPECT_EQ(start(), ExitStatus::suspended);
  EXPECT_EQ(outcome(), "suspended: agent 'worker' (offline): invalid key; log in");
  EXPECT_EQ(reopen().work(), ExitStatus::suspended);
  EXPECT_EQ(reopen().work(), ExitStatus::complete);
  EXPECT_TRUE(logged().empty()) << "the suspension says it";
}

TEST_F(OutageTest, WhatElseIsAtWorkEndsFirstAndNothingNewBegins) {
  program(two_at_once);
  // R ends after it is known that L cannot be asked.
  std::atomic<int> begun = 0;
  std::atomic<bool> refused = false;
  seen.on["note"] = [&] { refused = true; };
  runner.doing = [&](const process::Spec& spec, std::stop_token) {
    ++begun;
    while (spec.argv.front() == "R" ? !refused : begun < 2) std::this_thread::yield();
  };
  exits({77, 0});
  EXPECT_EQ(start(), ExitStatus::suspended);
  EXPECT_EQ(begun, 2);
  EXPECT_EQ(outcome(), "suspended: agent 'worker' (offline): invalid key; log in");
  EXPECT_EQ(seen.of("agent.finished").size(), 1U) << "the other one has its result";
  ASSERT_EQ(seen.of("note").size(), 1U);
  EXPECT_EQ(seen.of("note")[0].path, "L#1");
  runner.doing = nullptr;
  EXPECT_EQ(reopen().work(), ExitStatus::complete);
}

// Where a server works on the run, which has others to work on meanwhile.
TEST_F(OutageTest, ParksTheRunUntilTheProviderIsAskedAgain) {
  program(outage_flow);
  parks = true;
  clock.endless = std::chrono::seconds(1'000'000);
  exits({74});
  EXPECT_EQ(start(), ExitStatus::suspended);
  EXPECT_EQ(outcome(), "parked: a provider is away: worker: the server is full");
  const auto wake = store->find("r")->wake;
  ASSERT_TRUE(wake);
  EXPECT_GT(*wake, clock.now());
  EXPECT_EQ(count("reply"), 1);

  clock.advance(Millis(1000));
  EXPECT_EQ(reopen().work(), ExitStatus::suspended) << "as somebody sent it a word";
  EXPECT_EQ(outcome(), "parked: a provider is away: worker: the server is full");
  EXPECT_EQ(store->find("r")->wake, wake);
  EXPECT_EQ(count("reply"), 1) << "it was not asked again";

  clock.advance(std::chrono::seconds(2'000'000));
  exits({74});
  EXPECT_EQ(reopen().work(), ExitStatus::suspended);
  EXPECT_EQ(outcome(), "parked: a provider is away: worker: the server is full");
  EXPECT_EQ(count("reply"), 2);

  parks = false;
  exits({0});
  EXPECT_EQ(reopen().work(), ExitStatus::complete) << "a person who takes it up does not wait";
  EXPECT_EQ(count("prompt"), 3);
  EXPECT_EQ(outcome(), "complete: DONE");
}

TEST_F(OutageTest, ThatIsWaitedForInPartsLastsTooLongAllTheSame) {
  program(outage_flow);
  parks = true;
  config.patience = std::chrono::seconds(3'000'000);
  clock.endless = std::chrono::seconds(1'000'000);
  exits({74, 74, 74});
  start();
  for (int times = 1; times < 3; ++times) {
    EXPECT_EQ(outcome(), "parked: a provider is away: worker: the server is full");
    clock.advance(std::chrono::seconds(2'000'000));
    reopen().work();
  }
  EXPECT_THAT(outcome(), HasSubstr("suspended: agent 'worker' (offline): the server is full; "));

  exits({74});
  reopen().work();
  EXPECT_EQ(outcome(), "parked: a provider is away: worker: the server is full")
      << "whoever resumes it has patience again";
}

TEST_F(OutageTest, OneThatIsAtWorkKeepsTheRunFromBeingParked) {
  program(two_at_once);
  parks = true;
  clock.endless = std::chrono::seconds(1'000'000);
  std::atomic<bool> is_away = false;
  seen.on["agent.retry"] = [&] { is_away = true; };
  runner.doing = [&](const process::Spec& spec, std::stop_token) {
    while (spec.argv.front() == "R" && !is_away) std::this_thread::yield();
  };
  exits({74, 0, 0});  // of L, and then of R and S
  EXPECT_EQ(start(), ExitStatus::suspended);
  EXPECT_EQ(outcome(), "parked: a provider is away: worker: the server is full");
  EXPECT_EQ(seen.of("agent.finished").size(), 2U);
}

TEST_F(OutageTest, ARefusalIsSaidBeforeAnOutage) {
  EXPECT_EQ(reasons_of_two(75, 77),
            "suspended: agent 'worker' (offline): invalid key; log in; besides, agent 'worker' "
            "(offline): the server is busy");
}

TEST_F(OutageTest, OneReasonOfSeveralCallsIsSaidOnce) {
  EXPECT_EQ(reasons_of_two(77, 77), "suspended: agent 'worker' (offline): invalid key; log in");
}

TEST_F(OutageTest, AnInstructionGivenMeanwhileIsForTheNextCall) {
  program(R"(agneto: 1
name: flow
inputs: {task: {type: string, main: true}}
agents: {worker: {hooks: hook.lua, access: read-only}}
initial: FIRST
states:
  FIRST: {agent: worker, on: {done: SECOND, error: SECOND}}
  SECOND: {agent: worker, on: {done: DONE, error: DONE}}
  DONE: {final: true}
)");
  exits({77, 0, 0});
  human.interrupts = {{Interrupt::Kind::instruct, "mind the tabs"}};
  runner.doing = [&](const process::Spec&, std::stop_token) { engine->interrupt(); };
  EXPECT_EQ(start(), ExitStatus::suspended);
  runner.doing = nullptr;
  EXPECT_EQ(reopen().work(), ExitStatus::complete);
  std::vector<bool> told;
  for (const auto& entry : recorded()) {
    if (const auto* prompt = entry.get<record::Prompt>()) {
      told.push_back(prompt->text.find("mind the tabs") != std::string::npos);
    }
  }
  EXPECT_THAT(told, ElementsAre(false, false, true)) << "the first is asked again as it was";
}

}  // namespace
}  // namespace agneto::run
