// The whole way with real programs: small shell scripts that misbehave as real CLIs do.
#include "agents/support.h"
#include "support/paths.h"

namespace agneto::agents {
namespace {

class RealCli : public CallTest {
 protected:
  RealCli() {
    used_runner = &real;
    request.retry.tries = 1;
  }
  // The provider's program.
  void program(const std::string& text) {
    const std::string path = write_script(folder / "fake", "#!/bin/sh\n" + text);
    std::string driver = fake_driver;
    driver.replace(driver.find("\"fake\", \"--session\""), 6, "\"" + path + "\"");
    files.add("/providers/fake.lua", driver);
  }

  process::GuardedRunner real{std::filesystem::path(AGNETO_BINARY_DIR) / "agneto-guard"};
};

TEST_F(RealCli, ReadsItsPromptAndAnswers) {
  program("cat >prompt.txt\necho session s1\necho 'result VERDICT: STUCK'\n");
  const Result result = call();
  EXPECT_EQ(result.event, "STUCK");
  EXPECT_EQ(result.conversation.session, "s1");
  EXPECT_EQ(read_file(folder / "prompt.txt"), recorder.prompts.at(0).text);
}

TEST_F(RealCli, SeesTheEffectItWorksFor) {
  program("echo result $AGNETO_EFFECT_ID VERDICT: STUCK");
  call();
  EXPECT_EQ(recorder.replies.at(0).text, "r1/CODING#1 VERDICT: STUCK");
}

TEST_F(RealCli, ExitsWithOne) {
  program("echo 'no credit' >&2\nexit 1\n");
  const Result result = call();
  EXPECT_EQ(result.event, "error.exit");
  EXPECT_EQ(message(result), "agent 'coder' (fake) failed: exit status 1: no credit");
}

TEST_F(RealCli, PrintsGarbage) {
  program("head -c 100000 /dev/urandom\n");
  const Result result = call();
  EXPECT_EQ(result.event, "error.exit");
  EXPECT_EQ(message(result), "agent 'coder' (fake) failed: it ended without a reply");
}

TEST_F(RealCli, PrintsNothing) {
  program("exit 0\n");
  EXPECT_EQ(message(call()), "agent 'coder' (fake) failed: it ended without a reply");
}

TEST_F(RealCli, Hangs) {
  request.idle = Millis(50);
  program("sleep 1000\n");
  const Result result = call();
  EXPECT_EQ(result.event, "error.timeout");
  EXPECT_EQ(message(result), "agent 'coder' (fake) failed: no output for 50ms");
}

TEST_F(RealCli, NeverExitsAfterItsResult) {
  program("echo 'result VERDICT: STUCK'\nsleep 1000\n");
  EXPECT_EQ(call().event, "STUCK");
}

TEST_F(RealCli, PrintsAHundredMegabytesOnOneLine) {
  program("head -c 100000000 /dev/zero | tr '\\0' x\necho\necho 'result VERDICT: STUCK'\n");
  EXPECT_EQ(call().event, "STUCK");
}

TEST_F(RealCli, IsNotThere) {
  program("");
  std::filesystem::remove(folder / "fake");
  const Result result = call();
  EXPECT_EQ(result.event, "error.spawn");
  EXPECT_EQ(message(result), "agent 'coder' (fake): cannot run '" + (folder / "fake").string() +
                                 "': there is no such file");
}

TEST_F(RealCli, IsStopped) {
  program("echo say working\nsleep 1000\n");
  recorder.on_progress = [&] { stop.request_stop(); };
  EXPECT_TRUE(call().cancelled);
}

}  // namespace
}  // namespace agneto::agents
