// What a program does, and what the caller learns of it.
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <sstream>

#include "process/support.h"

namespace agneto::process {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Kind = Exit::Kind;

class Runner : public ::testing::Test {
 protected:
  Exit run(const Spec& spec) { return runner.run(spec, heard, {}); }

  GuardedRunner runner{guard_program};
  Memory heard;
  TemporaryFolder folder;
};

TEST_F(Runner, ReportsTheExitStatusAndBothOutputs) {
  const Spec spec = shell("echo one; echo two; echo problem >&2; exit 3");
  const Exit exit = run(spec);
  EXPECT_EQ(exit.kind, Kind::exited);
  EXPECT_EQ(exit.status, 3);
  EXPECT_FALSE(exit.ok());
  EXPECT_EQ(exit.output, "one\ntwo\n");
  EXPECT_EQ(exit.error, "problem\n");
  EXPECT_THAT(heard.lines, ElementsAre("one", "two"));
  EXPECT_THAT(heard.error_lines, ElementsAre("problem"));
  EXPECT_EQ(describe(exit, spec), "exit status 3");
}

TEST_F(Runner, StatusZeroIsOk) {
  EXPECT_TRUE(run(shell("exit 0")).ok());
}

TEST_F(Runner, ReportsTheSignalThatKilledTheProgram) {
  const Spec spec = shell("kill -9 $$");
  const Exit exit = run(spec);
  EXPECT_EQ(exit.kind, Kind::signalled);
  EXPECT_EQ(exit.signal, 9);
  EXPECT_EQ(describe(exit, spec), "killed by signal 9");
}

TEST_F(Runner, FeedsTheInputAndClosesItBehind) {
  Spec spec = shell("cat; echo end");
  spec.input = "a\nb\n";
  EXPECT_EQ(run(spec).output, "a\nb\nend\n");
}

TEST_F(Runner, WithoutInputStdinIsAtItsEnd) {
  EXPECT_EQ(run(shell("cat; echo end")).output, "end\n");
}

TEST_F(Runner, InputLargerThanAPipeComesBackWhole) {
  Spec spec = shell("cat");
  spec.max_output = 2 << 20;
  for (int i = 0; i < 200'000; ++i) spec.input += std::to_string(i) + "\n";
  const Exit exit = run(spec);
  EXPECT_TRUE(exit.ok());
  EXPECT_TRUE(exit.output == spec.input);
  EXPECT_EQ(heard.lines.size(), 200'000u);
  EXPECT_GT(heard.pauses, 0);
  EXPECT_LT(heard.pauses, 20'000) << "lines that come at once are handed over at once";
}

TEST_F(Runner, AProgramThatNeverReadsItsInputDoesNoHarm) {
  Spec spec = shell("exec <&-; echo done");
  spec.input = std::string(4 << 20, 'x');
  const Exit exit = run(spec);
  EXPECT_TRUE(exit.ok());
  EXPECT_EQ(exit.output, "done\n");
}

TEST_F(Runner, ArgumentsAndEnvironmentArriveAsTheyAre) {
  Spec spec = shell(R"(printf '%s|' "$0" "$A" "$AGNETO_TEST")");
  spec.argv.push_back("a 'b' \"c\" $(d)\ne");
  spec.env = {{"A", "x=y z"}, {"AGNETO_TEST", "first"}, {"AGNETO_TEST", "last"}};
  EXPECT_EQ(run(spec).output, "a 'b' \"c\" $(d)\ne|x=y z|last|");
}

TEST_F(Runner, TheEnvironmentOfTheEngineIsInherited) {
  EXPECT_EQ(run(shell("printf '%s' \"$PATH\"")).output, getenv("PATH"));
}

TEST_F(Runner, ALargeEnvironmentArrives) {
  Spec spec = shell("printf '%s' \"$BIG\" | wc -c | tr -d ' '");
  spec.env = {{"BIG", std::string(100'000, 'e')}};
  EXPECT_EQ(run(spec).output, "100000\n");
}

TEST_F(Runner, WorksInTheGivenFolder) {
  Spec spec = shell("pwd -P");
  spec.cwd = folder.path();
  EXPECT_EQ(run(spec).output, std::filesystem::canonical(folder.path()).string() + "\n");
}

TEST_F(Runner, ARelativeProgramIsFoundInTheGivenFolder) {
  write_script(folder / "tool", "#!/bin/sh\necho here\n");
  Spec spec;
  spec.argv = {"./tool"};
  spec.cwd = folder.path();
  EXPECT_EQ(run(spec).output, "here\n");
}

// Signals, descriptors, session: nothing of the engine's leaks.

TEST_F(Runner, TheProgramHasNoDescriptorOfOurs) {
  const int inherited = dup(STDERR_FILENO);  // as from a careless parent: not closed on exec
  EXPECT_EQ(run(shell("ls /proc/self/fd | tr '\\n' ' '")).output, "0 1 2 3 ");  // 3 is ls's own
  close(inherited);
}

TEST_F(Runner, TheProgramHasNoSignalBlockedOrIgnored) {
  sigset_t blocked, before;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &blocked, &before);
  const auto handler = signal(SIGPIPE, SIG_IGN);
  const Exit exit = run(shell("sed -n 's/^Sig[BI][lg][kn]:\t//p' /proc/self/status"));
  signal(SIGPIPE, handler);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  std::istringstream masks(exit.output);
  std::string mask;
  int seen = 0;
  for (; masks >> mask; ++seen) {
    EXPECT_EQ(std::stoull(mask, nullptr, 16) & 0x7fffffff, 0u) << mask;  // the classic signals
  }
  EXPECT_EQ(seen, 2);
}

TEST_F(Runner, TheProgramIsInASessionAndAGroupOfItsOwn) {
  // PID (NAME) STATE PARENT GROUP SESSION TERMINAL
  const Exit exit =
      run(shell("read pid name state parent group session rest </proc/$$/stat; "
                "test $group = $$ && test $session = $parent && echo own"));
  EXPECT_EQ(exit.output, "own\n");
  EXPECT_GT(heard.guard.pid, 0);
}

// Lines.

TEST_F(Runner, ALastLineWithoutANewlineIsALine) {
  run(shell("printf 'one\\r\\n\\ntwo'"));
  EXPECT_THAT(heard.lines, ElementsAre("one", "", "two"));
}

TEST_F(Runner, InvalidUtf8IsReplaced) {
  const Exit exit = run(shell("printf 'a\\377b\\n'; printf '\\300\\n' >&2"));
  EXPECT_THAT(heard.lines, ElementsAre("a\uFFFDb"));
  EXPECT_THAT(heard.error_lines, ElementsAre("\uFFFD"));
  EXPECT_EQ(exit.output, "a\uFFFDb\n");
  EXPECT_EQ(exit.error, "\uFFFD\n");
}

TEST_F(Runner, OnlyTheBeginningOfALongLineIsKept) {
  Spec spec = shell("echo 0123456789; echo next");
  spec.max_line = 4;
  run(spec);
  EXPECT_THAT(heard.lines, ElementsAre("0123", "next"));
}

TEST_F(Runner, OnlyTheEndOfALongOutputIsKept) {
  Spec spec = shell("seq 100000");
  spec.max_output = 12;
  EXPECT_EQ(run(spec).output, "[588883 bytes left out]\n9999\n100000\n");
  EXPECT_EQ(heard.lines.size(), 100'000u);
}

TEST_F(Runner, TheKeptEndBeginsWithAWholeCharacter) {
  Spec spec = shell("printf 'aaaa\u00e9\u00e9'");
  spec.max_output = 3;
  EXPECT_EQ(run(spec).output, "[6 bytes left out]\n\u00e9");
}

TEST_F(Runner, AHundredMegabytesOnOneLineDoNotGrowMemory) {
  const auto peak = [] {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;  // kB
  };
  Spec spec = shell("head -c 100000000 /dev/zero | tr '\\0' x; echo; echo after");
  spec.max_line = 1 << 20;
  spec.max_output = 1 << 20;
  const long before = peak();
  const Exit exit = run(spec);
  EXPECT_LT(peak() - before, 50'000);
  EXPECT_TRUE(exit.ok());
  ASSERT_EQ(heard.lines.size(), 2u);
  EXPECT_EQ(heard.lines[0].size(), 1u << 20);
  EXPECT_EQ(heard.lines[1], "after");
}

// What cannot be started.

class NotStarted : public Runner {
 protected:
  std::string why(const std::string& program) {
    Spec spec;
    spec.argv = {program};
    spec.cwd = folder.path();
    return why(spec);
  }
  std::string why(const Spec& spec) {
    const Exit exit = run(spec);
    EXPECT_EQ(exit.kind, Kind::not_started);
    EXPECT_EQ(describe(exit, spec), exit.error);
    return exit.error;
  }
};

TEST_F(NotStarted, NoSuchProgram) {
  EXPECT_EQ(why("no-such-program"),
            "cannot run 'no-such-program': there is no such program on PATH");
  EXPECT_EQ(why("./gone"), "cannot run './gone': there is no such file");
}

TEST_F(NotStarted, NotExecutable) {
  std::ofstream(folder / "text") << "just text";
  EXPECT_EQ(why("./text"), "cannot run './text': it is not an executable file");
}

TEST_F(NotStarted, NoInterpreter) {
  write_script(folder / "lost", "#!/no/such/interpreter\n");
  EXPECT_EQ(why("./lost"),
            "cannot run './lost': the interpreter that its first line names does not exist");
}

TEST_F(NotStarted, BeingWritten) {
  std::filesystem::copy_file("/bin/true", folder / "busy");
  const int writer = open((folder / "busy").c_str(), O_WRONLY | O_CLOEXEC);
  EXPECT_EQ(why("./busy"), "cannot run './busy': another process is writing to it");
  close(writer);
}

TEST_F(NotStarted, TooManyArguments) {
  Spec spec = shell(std::string(1 << 20, ' '));
  EXPECT_EQ(why(spec), "cannot run 'sh': its arguments and environment are too long");
}

TEST_F(NotStarted, NoSuchFolder) {
  Spec spec = shell("true");
  spec.cwd = "/no/such/folder";
  EXPECT_EQ(why(spec), "cannot work in '/no/such/folder': there is no such folder");
  spec.cwd = "/etc/passwd";
  EXPECT_EQ(why(spec), "cannot work in '/etc/passwd': it is not a folder");
}

TEST_F(NotStarted, NoProgramGiven) {
  EXPECT_EQ(why(""), "there is no program to run");
}

TEST_F(NotStarted, NoGuard) {
  GuardedRunner broken("/no/agneto-guard");
  const Exit exit = broken.run(shell("true"), heard, {});
  EXPECT_EQ(exit.kind, Kind::not_started);
  EXPECT_EQ(exit.error,
            "cannot run '/no/agneto-guard': there is no such file (it is part of agneto; install "
            "it again)");
}

}  // namespace
}  // namespace agneto::process
