// Runs whose provider is away or refuses.
#include "run/engine_fixture.h"

namespace agneto::run {
namespace {

constexpr const char* flow = R"(agneto: 1
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
    parallel:
      LEFT: {initial: L, states: {L: {agent: {name: worker}, on: {done: M, error: X}}, M: {agent: {name: worker}, on: {done: Y, error: X}}, X: {final: true}, Y: {final: true}}}
      RIGHT: {initial: R, states: {R: {agent: {name: worker}, on: {done: Z, error: Z}}, Z: {final: true}}}
    on: {done: DONE}
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
    if status == 75 then return {away = "the server is busy"} end
    if status == 77 then return {refused = "invalid key", help = "log in"} end
    return {result = "VERDICT: DONE"}
  end,
})lua");
    exits({});
  }
  void exits(std::vector<int> statuses) {
    for (int status : statuses) {
      process::Exit exit;
      exit.kind = process::Exit::Kind::exited;
      exit.status = status;
      runner.exits.push_back(exit);
    }
  }
  std::string outcome() { return store->find("r")->status + ": " + store->find("r")->outcome; }
};

TEST_F(OutageTest, IsWaitedFor) {
  program(flow);
  exits({75, 75, 0});
  EXPECT_EQ(start(), ExitStatus::complete);
  EXPECT_EQ(outcome(), "complete: DONE");
  EXPECT_EQ(count("prompt"), 1);
  EXPECT_EQ(count("reply"), 3);
  ASSERT_EQ(seen.of("agent.retry").size(), 2U);
}

TEST_F(OutageTest, ThatLastsTooLongSuspendsTheRun) {
  program(flow);
  config.patience = Millis(0);
  exits({75});
  EXPECT_EQ(start(), ExitStatus::suspended);
  EXPECT_EQ(outcome(),
            "suspended: agent 'worker' (offline): the server is busy; it has been away for 0ms");
  EXPECT_EQ(place->restored, 1) << "what the call had changed is put back";
  EXPECT_EQ(reopen().work(), ExitStatus::complete);
  EXPECT_EQ(outcome(), "complete: DONE");
}

TEST_F(OutageTest, ARefusalSuspendsTheRunAndSaysWhatToDo) {
  program(flow);
  exits({77, 77, 0});
  EXPECT_EQ(start(), ExitStatus::suspended);
  EXPECT_EQ(outcome(), "suspended: agent 'worker' (offline): invalid key; log in");
  EXPECT_EQ(reopen().work(), ExitStatus::suspended);
  EXPECT_EQ(reopen().work(), ExitStatus::complete);
}

TEST_F(OutageTest, WhatElseIsAtWorkEndsFirstAndNothingNewBegins) {
  program(two_at_once);
  std::atomic<int> begun = 0;
  std::atomic<bool> refused = false;
  runner.doing = [&](const process::Spec& spec, std::stop_token) {
    ++begun;
    if (spec.argv.front() == "R") {
      while (!refused) std::this_thread::yield();
    } else {
      while (begun < 2) std::this_thread::yield();
    }
  };
  seen.on["run.suspended"] = [&] { EXPECT_EQ(begun, 2); };
  exits({77, 0});
  std::thread watcher([&] {
    while (true) {
      std::lock_guard lock(runner.mutex);
      if (!runner.started.empty()) break;
    }
    refused = true;
  });
  EXPECT_EQ(start(), ExitStatus::suspended);
  watcher.join();
  EXPECT_EQ(begun, 2);
  EXPECT_EQ(outcome(), "suspended: agent 'worker' (offline): invalid key; log in");
  EXPECT_EQ(seen.of("agent.finished").size(), 1U) << "the other one has its result";
  runner.doing = nullptr;
  EXPECT_EQ(reopen().work(), ExitStatus::complete);
}

}  // namespace
}  // namespace agneto::run
