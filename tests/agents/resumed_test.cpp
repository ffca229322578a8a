// A call whose owner died: what was recorded is neither asked nor paid for again.
#include "agents/support.h"

namespace agneto::agents {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class Resumed : public CallTest {
 protected:
  Resumed() {
    // A prompt that is rendered again shows in its text.
    files.add("/flow/scripts/coder.lua",
              "return {prompt = function(m) return 'rendered ' .. m.attempt end}");
  }
  void prompted(int attempt, const std::string& text, const std::string& session = "") {
    request.recorded_prompts.push_back({attempt, request.provider, "", session, text,
                                        "checkpoint " + std::to_string(attempt), ""});
  }
  void replied(int attempt, const std::string& text, const std::string& session = "") {
    ReplyRecord record;
    record.attempt = attempt;
    record.text = text;
    record.session = session;
    request.recorded_replies.push_back(record);
  }
  void failed(int attempt, const std::string& error, const std::string& event = "error.exit") {
    ReplyRecord record;
    record.attempt = attempt;
    record.error = error;
    record.event = event;
    request.recorded_replies.push_back(record);
  }
};

TEST_F(Resumed, ARecordedReplyIsNotPaidForAgain) {
  prompted(1, "asked");
  replied(1, reply_of("STUCK"), "s1");
  const Result result = call();
  EXPECT_EQ(result.event, "STUCK");
  EXPECT_EQ(result.conversation.session, "s1");
  EXPECT_THAT(recorder.log, IsEmpty());
  EXPECT_THAT(runner.specs, IsEmpty());
}

TEST_F(Resumed, ARecordedPromptIsSentAgainAsItWas) {
  prompted(1, "asked\n");
  runner.prints({result_line("STUCK")});
  EXPECT_EQ(call().event, "STUCK");
  EXPECT_EQ(runner.specs.at(0).input, "asked\n");
  EXPECT_THAT(recorder.log, ElementsAre("prepare 1", "prompt 1", "process 4711", "reply 1"));
}

TEST_F(Resumed, AProviderThatWasAwayIsNotAskedBeforeItsTime) {
  prompted(1, "asked");
  failed(1, "overloaded", "away");
  request.absence = {"overloaded", clock.now() + Millis(30'000), 2, Millis(90'000)};
  request.patience = Millis(91'000);
  runner.prints({"away overloaded"});
  EXPECT_THAT(call().unavailable, "agent 'coder' (fake): overloaded; away for 1m 30s")
      << "what was waited for before counts";
  EXPECT_EQ(clock.slept.at(0), Millis(30'000));
}

TEST_F(Resumed, AnOutageThatWasRecordedIsNoReply) {
  for (const char* event : {"away", "refused"}) {
    request.recorded_replies.clear();
    prompted(1, "asked");
    failed(1, "overloaded", event);
    runner.prints({result_line("STUCK")});
    EXPECT_EQ(call().event, "STUCK") << event;
    EXPECT_EQ(runner.specs.back().input, "asked") << event;
    EXPECT_THAT(clock.slept, IsEmpty()) << event;
  }
}

TEST_F(Resumed, RecordedFailuresCount) {
  prompted(1, "asked");
  failed(1, "boom");
  prompted(2, "asked again");
  failed(2, "boom again");
  runner.ends(Exit::Kind::exited, 1, "at last");
  const Result result = call();
  EXPECT_EQ(message(result),
            "agent 'coder' (fake) failed 3 times; the last time: exit status 1: at last");
  EXPECT_THAT(runner.specs, ::testing::SizeIs(1));
  EXPECT_THAT(recorder.prompts.at(0).text, ::testing::StartsWith("rendered 3\n"));
  EXPECT_EQ(clock.slept.size(), 1u);  // only before an attempt that is still to be made
}

// Its parse hook says of every reply but the last what a parse hook that looks at the worktree
// might say by now.
TEST_F(Resumed, AReplyThatWasFoundWantingIsNotReadAgain) {
  files.add("/flow/scripts/coder.lua",
            "return {prompt = function(m) return 'rendered ' .. m.attempt end, "
            "parse = function(reply) assert(reply == 'better', 'read again') return 'STUCK' end}");
  prompted(1, "asked");
  replied(1, "no verdict in it");
  prompted(2, "asked again");
  request.recorded_prompts.back().problem = "there is no verdict in it";
  runner.prints({"result better"});
  const Result result = call();
  EXPECT_EQ(result.event, "STUCK") << result.data;
  EXPECT_THAT(runner.specs.at(0).input, ::testing::EndsWith("to answer now.\n\nasked again\n"));
  EXPECT_EQ(recorder.prompts.at(0).problem, "there is no verdict in it");
}

TEST_F(Resumed, AReplyThatNobodyHasReadYetIsRead) {
  files.add("/flow/scripts/coder.lua",
            "return {prompt = function(m) return 'rendered ' .. m.attempt end, "
            "parse = function(reply) return reply == 'better' and 'STUCK' or nil end}");
  prompted(1, "asked");
  replied(1, "no verdict in it");
  runner.prints({"result better"});
  EXPECT_EQ(call().event, "STUCK");
  EXPECT_THAT(recorder.prompts.at(0).problem, ::testing::Not(::testing::IsEmpty()));
}

TEST_F(Resumed, ATimeoutThatWasRecordedStaysOne) {
  request.retry.tries = 1;
  prompted(1, "asked");
  failed(1, "no output for 5m", "error.timeout");
  EXPECT_EQ(call().event, "error.timeout");
}

TEST_F(Resumed, AFailureWithoutItsKindIsAnExit) {
  request.retry.tries = 1;
  prompted(1, "asked");
  failed(1, "boom", "");
  EXPECT_EQ(call().event, "error.exit");
}

TEST_F(Resumed, WhatAPersonCouldMendIsTriedAnew) {
  prompted(1, "asked\n");
  failed(1, "cannot run 'fake': there is no such program on PATH", "error.spawn");
  runner.prints({result_line("STUCK")});
  EXPECT_EQ(call().event, "STUCK");
  EXPECT_EQ(runner.specs.at(0).input, "asked\n");
}

TEST_F(Resumed, AReAskGoesOnInItsSession) {
  prompted(1, "asked");
  replied(1, "hm", "s1");
  prompted(2, "asked again\n", "s1");
  runner.prints({"session s2", result_line("STUCK")});
  const Result result = call();
  EXPECT_EQ(result.event, "STUCK");
  EXPECT_EQ(runner.specs.at(0).argv[2], "s1");
  EXPECT_EQ(runner.specs.at(0).input, "asked again\n");
  EXPECT_THAT(recorder.log, ElementsAre("prepare 2", "prompt 2", "process 4711", "reply 2"));
}

TEST_F(Resumed, AReAskThatWasNotYetAskedKeepsTheWork) {
  prompted(1, "asked");
  replied(1, "hm", "s1");
  runner.prints({result_line("STUCK")});
  EXPECT_EQ(call().event, "STUCK");
  EXPECT_THAT(recorder.log, ElementsAre("keep 2", "prompt 2", "process 4711", "reply 2"));
}

TEST_F(Resumed, ALostSessionStaysLost) {
  request.conversation = {"fake", "s0"};
  request.recall = [] { return std::vector<Exchange>{{"Hello?", "Hi."}}; };
  prompted(1, "asked", "s0");
  failed(1, "the session to continue does not exist any more", "session.lost");
  runner.prints({result_line("STUCK")});
  EXPECT_EQ(call().event, "STUCK");
  EXPECT_EQ(runner.specs.at(0).argv[2], "");
  EXPECT_THAT(runner.specs.at(0).input, ::testing::HasSubstr("Hello?"));
}

TEST_F(Resumed, WithAnotherProviderTheSessionIsBegunAnew) {
  prompted(1, "asked");
  replied(1, "hm", "s1");
  request.provider = "plain";
  runner.prints({"VERDICT: STUCK"});
  const Result result = call();
  EXPECT_EQ(result.event, "STUCK");
  EXPECT_THAT(runner.specs.at(0).input, ::testing::HasSubstr("<message>\nasked\n</message>"));
  EXPECT_EQ(recorder.prompts.at(0).session, "");
}

}  // namespace
}  // namespace agneto::agents
