// How a program is ended, and that nothing of it is left then.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "process/proc.h"
#include "process/support.h"

namespace agneto::process {
namespace {

using ::testing::ElementsAre;
using Kind = Exit::Kind;

class Ending : public ::testing::Test {
 protected:
  Exit run(const Spec& spec) { return runner.run(spec, heard, {}); }

  // The pids that the script wrote, a line each.
  void expect_all_dead(const std::string& text, std::size_t count) {
    std::istringstream pids(text);
    std::size_t seen = 0;
    for (int pid = 0; pids >> pid; ++seen) EXPECT_FALSE(running(pid)) << "process " << pid;
    EXPECT_EQ(seen, count);
  }

  GuardedRunner runner{guard_program};
  Memory heard;
  TemporaryFolder folder;
};

// Limits of time.

TEST_F(Ending, SilenceIsIdleness) {
  Spec spec = shell("echo hello; sleep 1000");
  spec.idle = Millis(2000);  // more than a slow machine takes to begin
  const Exit exit = run(spec);
  EXPECT_EQ(exit.kind, Kind::idle);
  EXPECT_EQ(exit.output, "hello\n");
  EXPECT_EQ(describe(exit, spec), "no output for 2s");
}

TEST_F(Ending, OutputOfAnyKindIsNoSilence) {
  Spec spec = shell("for i in 1 2 3 4 5 6 7 8 9 10 11 12; do sleep 0.2; echo . >&2; done");
  spec.idle = Millis(2000);
  EXPECT_EQ(run(spec).kind, Kind::exited);
}

// A listener has something to do though the program says nothing; here it has it stopped.
TEST_F(Ending, AListenerIsWokenUpInTheSilence) {
  class Stopper : public Listener {
   public:
    std::optional<Millis> wakes_in() const override { return Millis(0); }
    void woken() override { stop.request_stop(); }
    std::stop_source stop;
  };
  Stopper stopper;
  const Exit exit = runner.run(shell("sleep 1000"), stopper, stopper.stop.get_token());
  EXPECT_EQ(exit.kind, Kind::stopped);
}

TEST_F(Ending, SilenceWhileAToolRunsIsNotIdleness) {
  Spec spec = shell("echo tool; sleep 3; echo 'tool ended'; sleep 1000");
  spec.idle = Millis(2000);
  EXPECT_EQ(run(spec).kind, Kind::idle);
  EXPECT_THAT(heard.lines, ElementsAre("tool", "tool ended"));
}

TEST_F(Ending, TheWholeCallHasALimitThatAToolDoesNotSuspend) {
  Spec spec = shell("echo tool; while :; do sleep 0.01; echo tool; done");
  spec.idle = Millis(5000);
  spec.timeout = Millis(80);
  const Exit exit = run(spec);
  EXPECT_EQ(exit.kind, Kind::timed_out);
  EXPECT_EQ(describe(exit, spec), "not done after 80ms");
}

TEST_F(Ending, TheLimitsEndWithTheProgram) {
  // A child in the background, slow to die, is no reason to call a good exit late.
  Spec spec = shell("(trap '' TERM; while :; do sleep 0.01; done) >/dev/null 2>&1 & exit 0");
  spec.idle = Millis(2000);
  spec.timeout = Millis(2100);
  spec.grace = Millis(2500);
  EXPECT_TRUE(run(spec).ok());
}

// The result is in.

TEST_F(Ending, AProgramThatNeverExitsAfterItsResultIsEnded) {
  const Spec spec = shell("echo RESULT; echo more; sleep 1000");
  const Exit exit = run(spec);
  EXPECT_EQ(exit.kind, Kind::ended);
  EXPECT_FALSE(exit.ok());
  EXPECT_THAT(heard.lines, ElementsAre("RESULT"));
  EXPECT_EQ(describe(exit, spec), "ended after its result");
}

TEST_F(Ending, AResultCountsEvenIfTheProgramFailsBehindIt) {
  EXPECT_EQ(run(shell("echo RESULT; exit 1")).kind, Kind::ended);
}

TEST_F(Ending, AnExceptionOfTheListenerEndsTheProgram) {
  struct Thrower : Memory {
    bool line(std::string_view text) override {
      Memory::line(text);
      throw std::runtime_error("disk full");
    }
  } thrower;
  EXPECT_THROW(runner.run(shell("echo $$; sleep 1000"), thrower, {}), std::runtime_error);
  expect_all_dead(thrower.lines.at(0), 1);
}

TEST_F(Ending, NothingRunsIfItsStartCannotBeRecorded) {
  struct Thrower : Memory {
    void started(ProcessId) override { throw std::runtime_error("disk full"); }
  } thrower;
  EXPECT_THROW(runner.run(shell("touch " + (folder / "ran").string()), thrower, {}),
               std::runtime_error);
  EXPECT_FALSE(std::filesystem::exists(folder / "ran"));
}

// Stop.

TEST_F(Ending, StopFromAnotherThreadEndsTheProgramAtOnce) {
  struct Starter : Memory {
    bool line(std::string_view text) override {
      begun = true;
      return Memory::line(text);
    }
    std::atomic<bool> begun = false;
  } starter;
  std::stop_source stop;
  std::thread stopper([&] {
    eventually([&] { return starter.begun.load(); });
    stop.request_stop();
  });
  const Spec spec = shell("echo $$; sleep 1000");
  const auto begin = std::chrono::steady_clock::now();
  const Exit exit = runner.run(spec, starter, stop.get_token());
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
  stopper.join();
  EXPECT_EQ(exit.kind, Kind::stopped);
  EXPECT_EQ(describe(exit, spec), "stopped");
  expect_all_dead(starter.lines.at(0), 1);
}

TEST_F(Ending, AfterAStopNothingIsStarted) {
  std::stop_source stop;
  stop.request_stop();
  const Exit exit =
      runner.run(shell("touch " + (folder / "ran").string()), heard, stop.get_token());
  EXPECT_EQ(exit.kind, Kind::stopped);
  EXPECT_FALSE(std::filesystem::exists(folder / "ran"));
}

TEST_F(Ending, ManyProgramsRunAtOnceAndStopTogether) {
  std::stop_source stop;
  std::vector<Memory> memories(8);
  std::vector<Exit> exits(memories.size());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < memories.size(); ++i) {
    threads.emplace_back([&, i] {
      Spec spec = shell(i % 2 ? "cat; sleep 1000" : "cat; exit 7");
      spec.input = "number " + std::to_string(i) + "\n";
      exits[i] = runner.run(spec, memories[i], stop.get_token());
    });
  }
  for (std::size_t i = 0; i < threads.size(); i += 2) threads[i].join();
  stop.request_stop();
  for (std::size_t i = 1; i < threads.size(); i += 2) threads[i].join();
  for (std::size_t i = 0; i < exits.size(); ++i) {
    if (i % 2) {
      EXPECT_EQ(exits[i].kind, Kind::stopped);
    } else {
      EXPECT_EQ(exits[i].status, 7);
      EXPECT_EQ(exits[i].output, "number " + std::to_string(i) + "\n");
    }
  }
}

// The whole tree.

TEST_F(Ending, AProgramMayTidyUpWhenToldToEnd) {
  Spec spec = shell("trap 'echo tidied; exit 0' TERM; echo RESULT; while :; do sleep 0.01; done");
  spec.grace = std::chrono::seconds(10);
  const Exit exit = run(spec);
  EXPECT_EQ(exit.kind, Kind::ended);
  EXPECT_EQ(exit.output, "RESULT\ntidied\n");
}

TEST_F(Ending, AProgramThatIgnoresTermIsKilled) {
  run(shell("trap '' TERM; echo $$; echo RESULT; while :; do sleep 1000; done"));
  expect_all_dead(heard.lines.at(0), 1);
}

TEST_F(Ending, AStoppedProgramIsEnded) {
  Spec spec = shell("echo $$; kill -STOP $$; echo on");
  spec.idle = Millis(50);
  spec.grace = std::chrono::seconds(60);
  EXPECT_EQ(run(spec).kind, Kind::idle);
  expect_all_dead(heard.lines.at(0), 1);
}

TEST_F(Ending, ChildrenInTheBackgroundEndWithTheProgram) {
  const Exit exit = run(shell("sleep 1000 & echo $!; (sleep 1000 & echo $!) ; exit 5"));
  EXPECT_EQ(exit.status, 5);
  expect_all_dead(exit.output, 2);
}

TEST_F(Ending, DaemonsInSessionsOfTheirOwnEndWithTheProgram) {
  write_script(folder / "daemon",
               "#!/bin/sh\ntrap '' TERM HUP\necho $$ >>pids\n"
               "[ $1 = 0 ] || setsid ./daemon $(($1 - 1)) &\n"
               "[ $1 = 2 ] || while :; do sleep 0.01; done\n");
  Spec spec = shell("./daemon 2; until [ $(wc -l <pids) = 3 ]; do sleep 0.01; done");
  spec.cwd = folder.path();
  EXPECT_EQ(run(spec).kind, Kind::exited);
  expect_all_dead(read_file(folder / "pids"), 3);
}

TEST_F(Ending, OutputOfTheLastChildrenIsHeard) {
  Spec spec = shell(
      "(trap 'echo last words; exit' TERM; echo >up; while :; do sleep 0.01; done) & "
      "until [ -e up ]; do sleep 0.01; done");
  spec.cwd = folder.path();
  spec.grace = std::chrono::seconds(10);
  EXPECT_TRUE(run(spec).ok());
  EXPECT_THAT(heard.lines, ElementsAre("last words"));
}

TEST_F(Ending, AProgramThatKeepsMakingChildrenIsEnded) {
  Spec spec = shell("while :; do (trap '' TERM; sleep 1000) & sleep 0.001; done");
  spec.timeout = Millis(60);
  EXPECT_EQ(run(spec).kind, Kind::timed_out);
  for (const ProcStat& process : all_processes()) {
    EXPECT_NE(process.session, heard.guard.pid) << "process " << process.pid;
  }
}

TEST_F(Ending, IfTheGuardIsKilledItsTreeEndsAllTheSame) {
  struct Killer : Memory {
    bool line(std::string_view text) override {
      Memory::line(text);
      if (lines.size() == 2) kill(guard.pid, SIGKILL);
      return true;
    }
  } killer;
  const Spec spec = shell("setsid sleep 1000 & echo $!; echo $$; sleep 1000");
  const Exit exit = runner.run(spec, killer, {});
  EXPECT_EQ(exit.kind, Kind::signalled);
  EXPECT_EQ(exit.signal, SIGKILL);
  expect_all_dead(exit.output, 2);
}

TEST_F(Ending, WhatGoesOnWritingWithoutItsGuardIsEnded) {
  const Exit exit = run(shell("echo $$; kill -KILL $PPID; yes"));
  EXPECT_EQ(exit.kind, Kind::signalled);
  expect_all_dead(heard.lines.at(0), 1);
}

TEST_F(Ending, AProgramCannotHoldUpItsEndByStoppingItsGuard) {
  Spec spec = shell("kill -STOP $PPID; setsid sleep 1000 & echo $!; echo $$; sleep 1000");
  spec.timeout = Millis(50);
  spec.grace = Millis(1);
  spec.patience = Millis(50);
  const Exit exit = run(spec);
  EXPECT_EQ(exit.kind, Kind::timed_out);
  expect_all_dead(exit.output, 2);
}

TEST_F(Ending, AGuardThatWasStoppedCanBeInterrupted) {
  struct Stopper : Memory {
    std::stop_source stop;
    bool line(std::string_view text) override {
      Memory::line(text);
      stop.request_stop();
      return true;
    }
  } stopper;
  Spec spec = shell("kill -STOP $PPID; echo $$; sleep 1000");
  spec.grace = Millis(1);
  spec.patience = Millis(50);
  const Exit exit = runner.run(spec, stopper, stopper.stop.get_token());
  EXPECT_EQ(exit.kind, Kind::stopped);
  expect_all_dead(exit.output, 1);
}

// The engine dies.

class EngineKilled : public Ending {
 protected:
  // Runs `script` in an engine of its own, which is killed once the script has written `count`
  // pids; returns what it wrote.
  std::string run_and_kill(const std::string& script, int count) {
    const std::filesystem::path pids = folder / "pids";
    const pid_t engine = fork();
    if (engine == 0) {
      runner.run(shell("exec >" + pids.string() + "; " + script), heard, {});
      _exit(0);
    }
    EXPECT_TRUE(eventually([&] {
      const std::string text = read_file(pids);
      return std::count(text.begin(), text.end(), '\n') == count;
    }));
    kill(engine, SIGKILL);
    waitpid(engine, nullptr, 0);
    return read_file(pids);
  }
};

TEST_F(EngineKilled, TheTreeEnds) {
  const std::string pids = run_and_kill(
      "echo $$; setsid sh -c 'trap \"\" TERM; echo $$; while :; do sleep 0.01; done' & sleep 1000",
      2);
  std::istringstream text(pids);
  for (int pid = 0; text >> pid;) EXPECT_TRUE(eventually([&] { return !running(pid); }));
}

TEST_F(EngineKilled, EndTreeReturnsWhenNothingIsLeft) {
  const std::string pids = run_and_kill(
      "cut -d' ' -f4 /proc/$$/stat; echo $$; setsid sh -c 'trap \"\" TERM; echo $$; while :; do "
      "sleep 0.01; done' & "
      "sleep 1000",
      3);
  const int guard = std::stoi(pids);
  const auto stat = read_stat(guard);
  end_tree({guard, stat ? stat->start_time : 0});
  expect_all_dead(pids, 3);
}

TEST(EndTree, LeavesOthersAlone) {
  // A process with the pid of a guard that is long dead, and one in a session of that number.
  const pid_t other = fork();
  if (other == 0) {
    setsid();
    for (;;) pause();
  }
  const auto stat = read_stat(other);
  ASSERT_TRUE(stat);
  end_tree({other, stat->start_time - 1});
  EXPECT_TRUE(running(other));
  kill(other, SIGKILL);
  waitpid(other, nullptr, 0);
  end_tree({});
}

TEST(ProcessId, NamesOneProcessForGood) {
  const ProcessId me = self();
  EXPECT_EQ(me.pid, getpid());
  EXPECT_TRUE(alive(me));
  EXPECT_FALSE(alive({me.pid, me.start_time + 1}));
  EXPECT_FALSE(alive({}));

  const pid_t child = fork();
  if (child == 0) _exit(0);
  siginfo_t info;
  waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT);
  const auto stat = read_stat(child);
  ASSERT_TRUE(stat);
  EXPECT_FALSE(alive({child, stat->start_time}));  // a zombie is dead
  waitpid(child, nullptr, 0);
}

}  // namespace
}  // namespace agneto::process
