#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "process/support.h"

namespace agneto::process {
namespace {

std::string message(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Capture, KeepsBothOutputsAndTheStatus) {
  const Captured result = capture({"sh", "-c", "echo out; echo err >&2; exit 4"}, "/");
  EXPECT_EQ(result.status, 4);
  EXPECT_EQ(result.output, "out\n");
  EXPECT_EQ(result.error, "err\n");
}

TEST(Capture, ASignalIsAStatusAbove128) {
  EXPECT_EQ(capture({"sh", "-c", "kill -9 $$"}, "/").status, 137);
}

TEST(Capture, FeedsInputWhileItReads) {
  const std::string input(3 << 20, 'x');
  EXPECT_TRUE(capture({"cat"}, "/", {}, input).output == input);
  EXPECT_EQ(capture({"true"}, "/", {}, input).status, 0);
}

TEST(Capture, OutputIsTakenByteForByte) {
  EXPECT_EQ(capture({"printf", "a\\0\\377"}, "/").output, std::string("a\0\xff", 3));
}

TEST(Capture, FolderAndEnvironment) {
  TemporaryFolder folder;
  const Captured result = capture({"sh", "-c", "pwd -P; echo $X"}, folder.path(), {{"X", "a b"}});
  EXPECT_EQ(result.output, std::filesystem::canonical(folder.path()).string() + "\na b\n");
}

TEST(Capture, HasASessionOfItsOwn) {
  const Captured result = capture(
      {"sh", "-c", "read a b c d group session e </proc/$$/stat; test $session = $$ && echo own"},
      "/");
  EXPECT_EQ(result.output, "own\n");
}

TEST(Capture, SaysWhatCannotBeStarted) {
  EXPECT_EQ(message([] { capture({"no-such-program"}, "/"); }),
            "cannot run 'no-such-program': there is no such program on PATH");
  EXPECT_EQ(message([] { capture({"true"}, "/no/folder"); }),
            "cannot work in '/no/folder': there is no such folder");
}

TEST(FindProgram, LooksOnPath) {
  TemporaryFolder folder;
  write_script(folder / "agneto-tool", "#!/bin/sh\n");
  std::ofstream(folder / "agneto-text") << "not executable";
  std::filesystem::create_directory(folder / "agneto-folder");
  const std::string before = getenv("PATH");
  setenv("PATH", ("/no/folder:" + folder.path().string() + ":" + before).c_str(), 1);
  EXPECT_EQ(find_program("agneto-tool"), folder / "agneto-tool");
  EXPECT_EQ(find_program("agneto-text"), std::nullopt);
  EXPECT_EQ(find_program("agneto-folder"), std::nullopt);
  EXPECT_EQ(find_program("agneto-nothing"), std::nullopt);
  EXPECT_EQ(find_program(""), std::nullopt);
  setenv("PATH", before.c_str(), 1);
  EXPECT_EQ(find_program((folder / "agneto-tool").string()), folder / "agneto-tool");
  EXPECT_EQ(find_program((folder / "agneto-text").string()), std::nullopt);
}

// The engine may have blocked, ignored, or be without SIGPIPE; a child that does not read must not
// change that.
TEST(Capture, LeavesOurSignalsAsTheyWere) {
  const pid_t child = fork();
  if (child == 0) {
    capture({"true"}, "/", {}, std::string(1 << 20, 'x'));
    sigset_t blocked;
    sigset_t pending;
    pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
    sigpending(&pending);
    _exit(sigismember(&blocked, SIGPIPE) || sigismember(&pending, SIGPIPE) ? 1 : 0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace agneto::process
