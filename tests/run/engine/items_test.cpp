// Items of a for_each in a run: where they work, what comes back, what is left.
#include <condition_variable>

#include "run/engine_fixture.h"

namespace agneto::run {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

class ItemsTest : public EngineTest {
 protected:
  // Two items that each run `child`; `loop` is what the for_each says besides.
  void load_panel(const std::string& loop, const std::string& child = make_it,
                  const std::string& more = "") {
    files.memory.add("/w/child.yaml", child);
    load(R"(agneto: 1
name: flow
inputs: {task: {type: string, main: true}}
context: {results: {type: any}}
initial: PANEL
on: {abort: ABORTED}
states:
  PANEL:
    for_each:
      items: "{'a', 'b'}"
      machine: child.yaml
      with: {word: item}
      )" +
         loop + R"(
    on:
      done: COMMITTING
      failed: {target: FAILED, do: ctx.results = event.results}
)" + more +
         R"(
  COMMITTING:
    workspace: {commit: {message: all}}
    on: {ok: FINISHED, failed: FAILED}
  FINISHED: {final: true}
  FAILED: {final: true, status: failed}
  ABORTED: {final: true, status: aborted}
outputs: {results: ctx.results}
)");
  }

  std::vector<std::string> joined() { return workspace.joined["r/PANEL#1"]; }

  // "OUTCOME/STATUS" of each item, from the run's end.
  std::string results() const {
    std::vector<std::string> all;
    for (const Json& result : seen.events.back().data.at("outputs").at("results")) {
      all.push_back(result.at("outcome").get<std::string>() + "/" +
                    result.at("status").get<std::string>());
    }
    return join(all, " ");
  }

  // Lets commands meet: each waits until `count` of them are at work, or for ever until stopped.
  void meet(int count) {
    runner.doing = [this, count](const process::Spec&, std::stop_token stop) {
      std::unique_lock lock(meeting_);
      most_ = std::max(most_, ++present_);
      if (present_ >= count) met_ = true;
      changed_.notify_all();
      changed_.wait(lock, stop, [&] { return met_; });
      --present_;
    };
  }

  static constexpr const char* make_it = R"(agneto: 1
name: child
inputs: {word: string}
initial: MAKING
states:
  MAKING:
    run: {argv: [make, "{{inputs.word}}"]}
    on: {ok: MADE, failed: BROKEN}
  MADE: {final: true}
  BROKEN: {final: true, status: failed}
)";
  static constexpr const char* own = "workspace: own";

  std::mutex meeting_;
  std::condition_variable_any changed_;
  bool met_ = false;
  int present_ = 0;
  int most_ = 0;
};

TEST_F(ItemsTest, WorkInWorktreesOfTheirOwnAndComeBack) {
  load_panel(own);
  workspace.idle = {"PANEL#1[2]"};
  EXPECT_EQ(start(), ExitStatus::complete);
  EXPECT_THAT(runner.places, UnorderedElementsAre("/tree/PANEL#1[1]", "/tree/PANEL#1[2]"));
  EXPECT_THAT(joined(), ElementsAre("PANEL#1[1]", "PANEL#1[2]"));
  EXPECT_THAT(workspace.forks, IsEmpty());
  EXPECT_THAT(workspace.messages, ElementsAre("all"));
  ASSERT_EQ(seen.of("workspace.joined").size(), 1U);
  EXPECT_EQ(seen.of("workspace.joined")[0].data,
            (Json{{"items", {1, 2}}, {"conflicts", Json::array()}, {"unchanged", {2}}}));
}

TEST_F(ItemsTest, AreCalledByWhatTheyAreGiven) {
  load_panel(own);
  EXPECT_EQ(start(), ExitStatus::complete);
  std::vector<std::string> items;
  for (const auto& event : seen.of("command.started")) items.push_back(event.data.at("item"));
  EXPECT_THAT(items, UnorderedElementsAre("a", "b"));
}

TEST_F(ItemsTest, EditAtTheSameTimeInWorktreesOfTheirOwn) {
  load_panel(own);
  meet(2);
  EXPECT_EQ(start(), ExitStatus::complete);
  EXPECT_EQ(most_, 2);
}

TEST_F(ItemsTest, EditOneAfterAnotherInASharedWorktree) {
  load_panel("workspace: shared");
  meet(1);
  EXPECT_EQ(start(), ExitStatus::complete);
  EXPECT_EQ(most_, 1);
  EXPECT_THAT(runner.places, ElementsAre("/tree", "/tree"));
  EXPECT_THAT(workspace.joined, IsEmpty());
}

TEST_F(ItemsTest, AConflictIsThatItemsOutcome) {
  load_panel(own);
  workspace.conflicting = {"PANEL#1[2]"};
  EXPECT_EQ(start(), ExitStatus::failed);
  EXPECT_EQ(results(), "MADE/complete conflict/failed");
  EXPECT_EQ(seen.events.back().data.at("outputs").at("results")[1].at("data"),
            (Json{{"branch", "agneto/r.PANEL#1[2]"}, {"files", {"a.txt"}}}));
  EXPECT_THAT(joined(), ElementsAre("PANEL#1[1]"));
}

TEST_F(ItemsTest, WhatFailedBringsNothingBack) {
  load_panel("workspace: own\n      max_parallel: 1\n      on_item_failure: continue");
  process::Exit broken;
  broken.status = 1;
  runner.exits = {broken};
  EXPECT_EQ(start(), ExitStatus::failed);
  EXPECT_EQ(results(), "BROKEN/failed MADE/complete");
  EXPECT_THAT(joined(), ElementsAre("PANEL#1[2]"));
}

TEST_F(ItemsTest, TheirWorktreesAreFurnished) {
  load_panel(own);
  std::vector<std::string> furnished;
  furnish = [&](const fs::path& fork, process::Listener&, std::stop_token) {
    std::lock_guard lock(meeting_);
    furnished.push_back(fork);
    if (fork == "/tree/PANEL#1[2]") throw Error("workspace.setup failed");
  };
  EXPECT_EQ(start(), ExitStatus::failed);
  EXPECT_THAT(furnished, UnorderedElementsAre("/tree/PANEL#1[1]", "/tree/PANEL#1[2]"));
  EXPECT_THAT(results(), ::testing::EndsWith("error.workspace/failed"));
  EXPECT_THAT(workspace.forks, IsEmpty());
}

TEST_F(ItemsTest, LeavingTheStateRemovesTheirWorktrees) {
  load_panel(own, make_it, "    after: {1h: COMMITTING}\n");
  meet(3);
  EXPECT_EQ(start(), ExitStatus::complete);
  EXPECT_THAT(workspace.forks, IsEmpty());
  EXPECT_THAT(joined(), IsEmpty());
  EXPECT_THAT(workspace.messages, ElementsAre("all"));
}

TEST_F(ItemsTest, AbortingTheRunRemovesTheirWorktrees) {
  load_panel(own);
  meet(3);
  human.interrupts = {{Interrupt::Kind::abort, ""}};
  seen.on["command.started"] = [&] { engine->interrupt(); };
  EXPECT_EQ(start(), ExitStatus::aborted);
  EXPECT_THAT(workspace.forks, IsEmpty());
}

TEST_F(ItemsTest, ASuspendedRunKeepsTheirWorktrees) {
  load_panel(own);
  meet(3);
  seen.on["command.started"] = [&] { engine->suspend("later"); };
  EXPECT_EQ(start(), ExitStatus::suspended);
  EXPECT_THAT(workspace.forks, ::testing::Not(IsEmpty()));
  runner.doing = nullptr;
  reopen();
  EXPECT_EQ(engine->work(), ExitStatus::complete);
  EXPECT_THAT(joined(), ElementsAre("PANEL#1[1]", "PANEL#1[2]"));
  EXPECT_THAT(workspace.forks, IsEmpty());
}

TEST_F(ItemsTest, CannotMerge) {
  load_panel(own, R"(agneto: 1
name: child
inputs: {word: string}
initial: MERGING
states:
  MERGING:
    workspace: {merge: {}}
    on: {ok: MERGED, any: {target: REFUSED, do: ctx.why = event.message}}
  MERGED: {final: true}
  REFUSED: {final: true, status: failed}
context: {why: ''}
outputs: {why: ctx.why}
)");
  EXPECT_EQ(start(), ExitStatus::failed);
  const Heard refused = seen.of("workspace.refused")[0];  // of whichever came first
  EXPECT_EQ(refused.data.at("message"),
            refused.path.substr(0, refused.path.find('/')) +
                " cannot merge: its work goes where the for_each is, when that ends");
}

TEST_F(ItemsTest, HaveItemsOfTheirOwn) {
  files.memory.add("/w/inner.yaml", make_it);
  load_panel(own, R"(agneto: 1
name: child
inputs: {word: string}
initial: EACH
states:
  EACH:
    for_each:
      items: "{1}"
      machine: inner.yaml
      with: {word: inputs.word}
      workspace: own
    on: {done: MADE}
  MADE: {final: true}
)");
  EXPECT_EQ(start(), ExitStatus::complete);
  EXPECT_THAT(runner.places,
              UnorderedElementsAre("/tree/PANEL#1[1]/EACH#1[1]", "/tree/PANEL#1[2]/EACH#1[1]"));
  EXPECT_THAT(joined(), ElementsAre("PANEL#1[1]", "PANEL#1[2]"));
}

// The journal fails at every write in turn, which is where a crash can come.
TEST_F(ItemsTest, ACrashAtAnyWriteLosesAndDoublesNothing) {
  int points = 0;
  for (int writes = 0;; ++writes) {
    const std::string when = "crash before write " + std::to_string(writes);
    renew_journal();
    workspace.messages.clear();
    workspace.done.clear();
    workspace.joined.clear();
    workspace.forks.clear();
    calls = Json::array();
    load_panel(own, R"(agneto: 1
name: child
inputs: {word: string}
agents: {worker: {hooks: hook.lua, access: edit}}
initial: WORKING
states:
  WORKING: {agent: {name: worker, verdicts: {DONE: {}}}, on: {DONE: MADE}}
  MADE: {final: true}
)");
    reply("worker", "DONE");
    reply("worker", "DONE");
    const bool crashed = crashes_behind(writes);
    if (crashed) {
      ++points;
      reopen();
      EXPECT_EQ(engine->work(), ExitStatus::complete) << when;
    }
    EXPECT_EQ(count("reply"), 2) << when;
    EXPECT_THAT(joined(), ElementsAre("PANEL#1[1]", "PANEL#1[2]")) << when;
    EXPECT_THAT(workspace.forks, IsEmpty()) << when;
    EXPECT_THAT(workspace.messages, ElementsAre("all")) << when;
    if (!crashed) break;
  }
  EXPECT_GE(points, 10);
}

}  // namespace
}  // namespace agneto::run
