// Programs that may run only for a while, and for longer where that is said in time.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>

#include "process/guard_protocol.h"
#include "process/proc.h"
#include "process/spawn.h"
#include "process/streams.h"
#include "process/support.h"

namespace agneto::process {
namespace {

using ::testing::ElementsAre;
using Kind = Exit::Kind;

// Long enough for a slow machine to say in time that there is more of it.
const Millis a_while = GuardedRunner::reserve + shell("").grace + Millis(900);

class LeaveTest : public ::testing::Test {
 protected:
  // It may run for that time and no longer.
  static Lasts once(Millis time) {
    return [then = guard::now() + time.count()] { return Millis(then - guard::now()); };
  }
  // It has that time yet, whenever somebody asks.
  static Lasts renewed(Millis time) {
    return [time] { return time; };
  }
  Exit run(const Spec& spec, Lasts lasts, Listener& listener) {
    return GuardedRunner(guard_program, std::move(lasts)).run(spec, listener, {});
  }
  Exit run(const Spec& spec, Lasts lasts) { return run(spec, std::move(lasts), heard); }

  Memory heard;
  TemporaryFolder folder;
};

TEST_F(LeaveTest, AProgramIsToldToEndBeforeItsTimeIsOver) {
  const Spec spec = shell("trap 'echo tidied; exit 0' TERM; while :; do sleep 0.01; done");
  const std::int64_t end = guard::now() + a_while.count();
  const Exit exit = run(spec, once(a_while));
  EXPECT_LT(guard::now(), end);
  EXPECT_EQ(exit.kind, Kind::overdue);
  EXPECT_FALSE(exit.ok());
  EXPECT_EQ(exit.output, "tidied\n");
  EXPECT_EQ(describe(exit, spec), "ended, since nobody said in time that it may go on");
}

TEST_F(LeaveTest, OneThatIgnoresThatIsKilledBeforeItsTimeIsOver) {
  const std::int64_t end = guard::now() + a_while.count();
  const Exit exit =
      run(shell("trap '' TERM; setsid sleep 1000 & echo $!; echo $$; while :; do sleep 1000; done"),
          once(a_while));
  EXPECT_LT(guard::now(), end);
  EXPECT_EQ(exit.kind, Kind::overdue);
  ASSERT_EQ(heard.lines.size(), 2U);
  for (const std::string& pid : heard.lines) EXPECT_FALSE(running(std::stoi(pid)));
}

TEST_F(LeaveTest, AProgramRunsOnWhereThatIsSaidInTime) {
  const Exit exit = run(shell("sleep 1.5; echo done"), renewed(a_while));
  EXPECT_TRUE(exit.ok());
  EXPECT_EQ(exit.output, "done\n");
}

TEST_F(LeaveTest, ItIsSaidThoughWhoHearsTheProgramIsBusy) {
  struct Busy : Memory {
    bool line(std::string_view text) override {
      EXPECT_TRUE(eventually([&] { return std::filesystem::exists(file); }));
      return Memory::line(text);
    }
    std::filesystem::path file;
  } busy;
  busy.file = folder / "late";
  EXPECT_TRUE(
      run(shell("echo on; sleep 1.5; touch " + busy.file.string()), renewed(a_while), busy).ok());
}

TEST_F(LeaveTest, WhatWasSaidToAGuardThatWasStoppedCountsAtOnce) {
  const Exit exit =
      run(shell("kill -STOP $PPID; sleep 1.5; kill -CONT $PPID; sleep 0.3; echo done"),
          renewed(a_while));
  EXPECT_TRUE(exit.ok());
  EXPECT_EQ(exit.output, "done\n");
}

TEST_F(LeaveTest, AProgramCannotGainTimeByStoppingItsGuard) {
  const std::int64_t end = guard::now() + a_while.count();
  const Exit exit = run(shell("setsid sleep 1000 & echo $!; echo $$; kill -STOP $PPID; sleep 1000"),
                        once(a_while));
  EXPECT_LT(guard::now(), end);
  EXPECT_EQ(exit.kind, Kind::signalled);
  ASSERT_EQ(heard.lines.size(), 2U);
  for (const std::string& pid : heard.lines) EXPECT_FALSE(running(std::stoi(pid)));
}

TEST_F(LeaveTest, NothingIsStartedWhereTheTimeIsOver) {
  const Exit exit = run(shell("touch " + (folder / "ran").string()), renewed(Millis(0)));
  EXPECT_EQ(exit.kind, Kind::overdue);
  EXPECT_FALSE(std::filesystem::exists(folder / "ran"));
}

TEST_F(LeaveTest, TimeThatIsTakenAwayIsOverAtOnce) {
  const auto asked = std::make_shared<std::atomic<int>>(0);
  const Exit exit =
      run(shell("sleep 1000"), [asked] { return (*asked)++ == 0 ? a_while : Millis(0); });
  EXPECT_EQ(exit.kind, Kind::overdue);
  EXPECT_EQ(*asked, 2);
}

TEST_F(LeaveTest, AProgramThatMayRunForAsLongAsItLikesIsAskedAboutOnce) {
  const auto asked = std::make_shared<std::atomic<int>>(0);
  const Exit exit = run(shell("sleep 0.2; echo done"), [asked]() -> std::optional<Millis> {
    ++*asked;
    return std::nullopt;
  });
  EXPECT_EQ(exit.output, "done\n");
  EXPECT_EQ(*asked, 1);
}

// This one says that the program may go on for as long as it is not stopped itself.
TEST_F(LeaveTest, TheTreeEndsInTimeWhileTheEngineIsStopped) {
  const std::filesystem::path pids = folder / "pids";
  const pid_t engine = fork();
  if (engine == 0) {
    const Exit exit = run(shell("exec >" + pids.string() +
                                "; echo $$; setsid sh -c 'trap \"\" TERM; echo $$; while :; do "
                                "sleep 0.01; done' & sleep 1000"),
                          renewed(a_while));
    _exit(exit.kind == Kind::overdue ? 7 : 1);
  }
  EXPECT_TRUE(eventually([&] {
    const std::string text = read_file(pids);
    return std::count(text.begin(), text.end(), '\n') == 2;
  }));
  kill(engine, SIGSTOP);
  const std::int64_t end = guard::now() + a_while.count();
  std::istringstream text(read_file(pids));
  for (int pid = 0; text >> pid;) EXPECT_TRUE(eventually([&] { return !running(pid); }));
  EXPECT_LT(guard::now(), end);
  const auto stat = read_stat(engine);
  EXPECT_TRUE(stat && stat->state == 'T') << "it is stopped still";
  kill(engine, SIGCONT);
  int status = 0;
  waitpid(engine, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 7) << "it learns afterwards what became of the program";
}

// As after the machine has slept: what was to be killed by then gets no grace.
TEST_F(LeaveTest, WhatIsFoundAtWorkAfterItsTimeIsKilledAtOnce) {
  Spec spec = shell(
      "trap '' TERM; echo $$ >pid; kill -STOP $PPID; sleep 2.5; kill -CONT $PPID; "
      "while :; do echo on >>late; sleep 0.05; done");
  spec.cwd = folder.path();
  spec.grace = Millis(1500);
  const pid_t engine = fork();
  if (engine == 0) {
    run(spec, once(GuardedRunner::reserve + spec.grace + Millis(500)));
    _exit(0);
  }
  EXPECT_TRUE(eventually([&] { return read_file(folder / "pid").ends_with('\n'); }));
  kill(engine, SIGSTOP);
  const int pid = std::stoi(read_file(folder / "pid"));
  EXPECT_TRUE(eventually([&] { return !running(pid); }));
  const std::string late = read_file(folder / "late");
  EXPECT_LT(std::count(late.begin(), late.end(), '\n'), 10);
  kill(engine, SIGCONT);
  waitpid(engine, nullptr, 0);
}

// An order comes whole, or it is none: half of one is the end of the engine.
TEST_F(LeaveTest, HalfAnOrderStartsNothing) {
  Pipe control = make_pipe(), status = make_pipe(), none = make_pipe();
  Launch launch;
  launch.argv = {guard_program.string(), "100", "", "touch", (folder / "ran").string()};
  launch.fds = {none.read.get(), none.write.get(), none.write.get(), control.read.get(),
                status.write.get()};
  const pid_t guard = spawn(launch);
  const guard::Order order;
  write_quietly(control.write.get(), {reinterpret_cast<const char*>(&order), sizeof order / 2});
  control.write.reset();
  EXPECT_EQ(WEXITSTATUS(wait_for(guard)), 0);
  EXPECT_FALSE(std::filesystem::exists(folder / "ran"));
}

}  // namespace
}  // namespace agneto::process
