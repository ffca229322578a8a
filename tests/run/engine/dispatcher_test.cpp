#include "run/engine/dispatcher.h"

#include "run/engine/job.h"
#include "run/engine_fixture.h"

namespace agneto::run {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Operation = model::WorkspaceOperation::Kind;

// What comes of it, as a loop would hear it.
class Ends : public Dispatcher::Client {
 public:
  void recorded(const record::Entry&) override {}
  void call_stopped(const std::string&, const record::Reply&) override {}
  void call_over(const std::string&) override {}
  void unavailable(const std::string&, const Unavailable&) override {}
  void ended(DispatchResult result) override { all.push_back(result.path + " " + result.event); }
  std::vector<std::string> all;
};

class DispatcherTest : public EngineTest {
 protected:
  DispatcherTest() {
    load("agneto: 1\nname: flow\ninitial: END\nstates: {END: {final: true}}\n");
    started.id = "r";
    store->create(started, {}, {{0, Time(), "started", "", {}}}, Json::object());
    instance.emplace(*chart, chart::RunInfo{"r", false, false});
    setup.emplace(run::Setup{*loaded.system, *store, *store, workspace, services, runner, clock,
                             human, seen, config});
    reporter.emplace("r", *store, seen, clock, Time());
    trees.emplace(*loaded.system, workspace, left);
    calls_made.emplace(*loaded.system, config, *store, "r", *instance, state);
    dispatcher.emplace(*setup, started, *reporter, mailbox, *trees, *calls_made, ends);
  }
  ~DispatcherTest() override { dispatcher.reset(); }

  static chart::RunCommand program(const std::string& path) {
    chart::RunCommand program;
    program.path = path;
    program.argv = {path};
    return program;
  }
  static chart::GitOperation git(const std::string& path, Operation kind) {
    return {path, kind, "message", true, ""};
  }
  std::string next() {
    const chart::Effect* activity = dispatcher->next();
    return activity ? chart::path_of(*activity) : "";
  }
  // Waits for a worker's news.
  void hear() {
    Mailbox::Task task;
    while (!task) task = mailbox.wait(clock, Millis(1));
    task();
  }

  journal::RunRecord started;
  Mailbox mailbox;
  std::optional<chart::Instance> instance;
  std::optional<run::Setup> setup;
  std::optional<Reporter> reporter;
  std::map<std::string, std::string> left;
  std::optional<Worktrees> trees;
  RunState state;
  std::optional<Calls> calls_made;
  Ends ends;
  std::optional<Dispatcher> dispatcher;
};

TEST_F(DispatcherTest, OneWriterAtATimeInTheOrderOfTheOrders) {
  dispatcher->order(program("A#1"), 0);
  dispatcher->order(git("B#1", Operation::commit), 0);
  dispatcher->begin(next());
  EXPECT_EQ(next(), "") << "the workspace is taken";
  EXPECT_FALSE(dispatcher->is_idle());
  while (ends.all.empty()) hear();
  EXPECT_EQ(next(), "B#1");
  dispatcher->begin("B#1");
  EXPECT_THAT(ends.all, ElementsAre("A#1 ok", "B#1 ok"));
  EXPECT_TRUE(dispatcher->is_idle());
  EXPECT_EQ(left.at(""), "1") << "how the run left its tree is remembered";
}

TEST_F(DispatcherTest, AFloodOfLinesIsLeftOutWhileItIsNotTold) {
  runner.prints.assign(ProgramListener::most_untold + 7, "hello");
  runner.prints.front() = std::string(ProgramListener::longest_shown, 'x') + "yz";
  dispatcher->order(program("A#1"), 0);
  dispatcher->begin("A#1");
  const auto has_run = [&] {
    const std::lock_guard lock(runner.mutex);
    return !runner.started.empty();
  };
  while (!has_run()) std::this_thread::yield();
  while (ends.all.empty()) hear();
  const auto told = seen.of("command.output");
  ASSERT_EQ(told.size(), ProgramListener::most_untold + 1);
  EXPECT_EQ(told[0].data["line"], std::string(ProgramListener::longest_shown, 'x') + "…");
  EXPECT_EQ(told[1].data["line"], "hello");
  EXPECT_EQ(told.back().data["line"], "[lines left out here, too many at once: 7]");
}

TEST_F(DispatcherTest, ATreeIsLentForWhatTheActivityMayDoUntilItEnds) {
  chart::RunCommand reader = program("A#1");
  reader.read_only = true;
  dispatcher->order(program("B#1"), 0);
  dispatcher->begin("B#1");
  EXPECT_TRUE(workspace.lent_to_edit);
  EXPECT_EQ(workspace.given_back, 0);
  while (!dispatcher->is_idle()) hear();
  EXPECT_EQ(workspace.given_back, 1);
  dispatcher->order(reader, 0);
  dispatcher->begin("A#1");
  EXPECT_FALSE(workspace.lent_to_edit);
}

TEST_F(DispatcherTest, WhatIsCancelledIsUndoneAndEndsInNothing) {
  runner.doing = [&](const process::Spec&, std::stop_token stop) {
    workspace.tree = 7;
    while (!stop.stop_requested()) std::this_thread::yield();
  };
  dispatcher->order(program("A#1"), 0);
  dispatcher->order(program("B#1"), 0);
  dispatcher->begin("A#1");
  dispatcher->cancel("B#1");
  dispatcher->cancel("A#1");
  while (!dispatcher->is_idle()) hear();
  EXPECT_THAT(ends.all, IsEmpty());
  EXPECT_EQ(workspace.tree, 1);
}

TEST_F(DispatcherTest, AMergeThatHasToWaitKeepsItsTurnAndIsTriedAgain) {
  workspace.busy = true;
  dispatcher->order(git("M#1", Operation::merge), 0);
  dispatcher->order(git("C#1", Operation::commit), 0);
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(next(), "M#1");
    dispatcher->begin("M#1");
    EXPECT_EQ(next(), "") << "what was ordered later for the same workspace waits behind it";
  }
  EXPECT_EQ(seen.of("note").size(), 1u) << "said once";
  workspace.busy = false;
  dispatcher->begin(next());
  EXPECT_THAT(ends.all, ElementsAre("M#1 conflict"));
  EXPECT_EQ(next(), "C#1");
}

TEST_F(DispatcherTest, AProgramThatMayRunOnceIsNotRunAgainAfterACrash) {
  store->append("r", {{0, Time(), "command", "A#1", {{"argv", {"A#1"}}, {"checkpoint", "1"}}}},
                nullptr);
  chart::RunCommand once = program("A#1");
  once.once = true;
  dispatcher->order(once, 0);
  dispatcher->begin("A#1");
  EXPECT_THAT(ends.all, ElementsAre("A#1 error.interrupted"));
  EXPECT_THAT(runner.started, IsEmpty());
}

TEST_F(DispatcherTest, AProblemOfAWorkerIsTheLoopsToHear) {
  runner.doing = [](const process::Spec&, std::stop_token) { throw std::runtime_error("boom"); };
  dispatcher->order(program("A#1"), 0);
  dispatcher->begin("A#1");
  try {
    while (true) hear();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "A#1: boom");
  }
}

}  // namespace
}  // namespace agneto::run
