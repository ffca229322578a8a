// A call that goes badly: every way to fail, what is said of it, and when it is tried again.
#include <algorithm>

#include "agents/support.h"

namespace agneto::agents {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Kind = Exit::Kind;

class Failure : public CallTest {
 protected:
  void fails_with_status_1(int times) {
    for (int i = 0; i < times; ++i) runner.ends(Kind::exited, 1, "boom\n");
  }
  // The one failure of a call that has a single try.
  Result single() {
    request.retry.tries = 1;
    return call();
  }
};

// Trying again.

TEST_F(Failure, IsTriedAgainAndThenReported) {
  fails_with_status_1(3);
  const Result result = call();
  EXPECT_EQ(result.event, "error.exit");
  EXPECT_EQ(result.data,
            Json({{"message",
                   "agent 'coder' (fake) failed 3 times; the last time: exit status 1: "
                   "boom"},
                  {"attempts", 3}}));
  EXPECT_THAT(clock.slept, ElementsAre(Millis(1000), Millis(2000)));
  EXPECT_THAT(recorder.log, ElementsAre("prepare 1", "prompt 1", "process 4711", "reply 1",
                                        "prepare 2", "prompt 2", "process 4711", "reply 2",
                                        "prepare 3", "prompt 3", "process 4711", "reply 3"));
  EXPECT_THAT(recorder.progressed, ElementsAre("retry: try 1 of 3: exit status 1: boom",
                                               "retry: try 2 of 3: exit status 1: boom"));
  EXPECT_EQ(recorder.prompts.at(0).tried, "");
  EXPECT_EQ(recorder.prompts.at(1).tried, "try 1 of 3: exit status 1: boom");
  EXPECT_EQ(recorder.prompts.at(2).tried, "try 2 of 3: exit status 1: boom");
  EXPECT_EQ(recorder.replies.at(0).error, "exit status 1: boom");
  EXPECT_EQ(recorder.replies.at(0).event, "error.exit");
  EXPECT_EQ(recorder.replies.at(0).text, "");
}

TEST_F(Failure, OfTheFirstTryIsNoFailureOfTheCall) {
  fails_with_status_1(1);
  runner.prints({result_line("STUCK")});
  EXPECT_EQ(call().event, "STUCK");
}

TEST_F(Failure, IsToldToTheAgent) {
  fails_with_status_1(1);
  runner.prints({result_line("STUCK")});
  call();
  EXPECT_EQ(recorder.prompts.at(1).text,
            "Do the work (attempt 2).\n\n"
            "The last attempt at this failed: exit status 1: boom\n\n" +
                format() + "\n");
}

TEST_F(Failure, IsToldOnceWhereTheHookTellsIt) {
  files.add("/flow/scripts/coder.lua", R"lua(return {prompt = function(m)
    if m.last_error then return "Oh: " .. m.last_error end
    return "Go"
  end})lua");
  fails_with_status_1(1);
  runner.prints({result_line("STUCK")});
  call();
  EXPECT_EQ(recorder.prompts.at(1).text, "Oh: exit status 1: boom\n\n" + format() + "\n");
}

TEST_F(Failure, WaitsAreDoubledUpToABound) {
  request.retry.tries = 8;
  fails_with_status_1(8);
  call();
  EXPECT_THAT(clock.slept, ElementsAre(Millis(1000), Millis(2000), Millis(4000), Millis(8000),
                                       Millis(16000), Millis(30000), Millis(30000)));
}

TEST_F(Failure, WaitsAreJittered) {
  random = 0;
  fails_with_status_1(1);
  runner.prints({result_line("STUCK")});
  call();
  random = 0.9999;
  fails_with_status_1(1);
  runner.prints({result_line("STUCK")});
  call();
  EXPECT_THAT(clock.slept, ElementsAre(Millis(750), Millis(1249)));
}

TEST_F(Failure, WaitsAreThoseOfTheRetry) {
  request.retry = {.tries = 4, .backoff = Millis(200), .longest = Millis(500)};
  fails_with_status_1(4);
  call();
  EXPECT_THAT(clock.slept, ElementsAre(Millis(200), Millis(400), Millis(500)));
}

TEST_F(Failure, IsTriedAgainOnlyWhereTheRetrySaysSo) {
  request.retry.on = {"error.timeout"};
  fails_with_status_1(1);
  EXPECT_EQ(message(call()), "agent 'coder' (fake) failed: exit status 1: boom");
  request.retry.on = {"error.spawn"};
  runner.ends(Kind::not_started, 0);
  runner.prints({result_line("STUCK")});
  EXPECT_EQ(call().event, "STUCK");
}

// The ways to fail.

TEST_F(Failure, ExitWithoutWords) {
  runner.ends(Kind::exited, 7);
  EXPECT_EQ(message(single()), "agent 'coder' (fake) failed: exit status 7");
}

TEST_F(Failure, ExitWithWordsOnStdoutAlone) {
  Exit exit;
  exit.status = 1;
  runner.prints({"usage: fake"}, exit);
  EXPECT_EQ(message(single()), "agent 'coder' (fake) failed: exit status 1: usage: fake");
}

TEST_F(Failure, ALongErrorOutputIsShownByItsEnd) {
  runner.ends(Kind::exited, 1, std::string(5000, 'x') + "\x1b[31mthe cause\x1b[0m");
  const std::string text = message(single());
  EXPECT_LT(text.size(), 2200u);
  EXPECT_THAT(text, HasSubstr("failed: exit status 1: …xxx"));
  EXPECT_THAT(text, ::testing::EndsWith("xthe cause"));
}

TEST_F(Failure, Signal) {
  runner.ends(Kind::signalled, 9, "Killed");
  const Result result = single();
  EXPECT_EQ(result.event, "error.exit");
  EXPECT_EQ(message(result), "agent 'coder' (fake) failed: killed by signal 9: Killed");
}

TEST_F(Failure, NothingPrinted) {
  runner.prints({});
  const Result result = single();
  EXPECT_EQ(result.event, "error.exit");
  EXPECT_EQ(message(result), "agent 'coder' (fake) failed: it ended without a reply");
}

TEST_F(Failure, GarbagePrinted) {
  runner.prints({"\uFFFD\uFFFD", "<html>", "{\"x\":"});
  EXPECT_EQ(message(single()), "agent 'coder' (fake) failed: it ended without a reply");
}

TEST_F(Failure, AnErrorThatTheProviderReports) {
  runner.prints({"cost 0.1 5 6", "error 529 overloaded", "never read"});
  const Result result = single();
  EXPECT_EQ(result.event, "error.exit");
  EXPECT_EQ(message(result), "agent 'coder' (fake) failed: 529 overloaded");
  EXPECT_EQ(recorder.replies.at(0).usage.cost, 0.1);
}

TEST_F(Failure, Silence) {
  request.idle = Millis(300'000);
  runner.ends(Kind::idle);
  const Result result = single();
  EXPECT_EQ(result.event, "error.timeout");
  EXPECT_EQ(message(result),
            "agent 'coder' (fake) failed: no output for " + format_duration(Millis(300'000)));
}

TEST_F(Failure, NeverDone) {
  request.timeout = Millis(1'800'000);
  runner.ends(Kind::timed_out);
  const Result result = single();
  EXPECT_EQ(result.event, "error.timeout");
  EXPECT_EQ(message(result),
            "agent 'coder' (fake) failed: not done after " + format_duration(Millis(1'800'000)));
}

TEST_F(Failure, AResultIsNeverLostToALimit) {
  Exit exit;
  exit.kind = Kind::timed_out;
  runner.scripts.push_back([&](const Spec&, Listener& listener) {
    listener.line(result_line("STUCK"));
    return exit;
  });
  EXPECT_EQ(single().event, "STUCK");
}

TEST_F(Failure, AProgramThatIsNotThereIsNotTriedAgain) {
  runner.ends(Kind::not_started, 0, "cannot run 'fake': there is no such program on PATH");
  const Result result = call();
  EXPECT_EQ(result.event, "error.spawn");
  EXPECT_EQ(result.data, Json({{"message",
                                "agent 'coder' (fake): cannot run 'fake': there is no such program "
                                "on PATH"},
                               {"attempts", 1}}));
  EXPECT_THAT(clock.slept, IsEmpty());
}

TEST_F(Failure, AProviderThatIsNotThereIsNotTriedAgain) {
  request.provider = "fak";
  const Result result = call();
  EXPECT_EQ(result.event, "error.spawn");
  EXPECT_THAT(message(result), HasSubstr("agent 'coder' (fak): "));
  EXPECT_THAT(message(result), HasSubstr("'fak'"));
  EXPECT_THAT(runner.specs, IsEmpty());
}

// A driver whose `command` refuses, as that of a cassette without this call does.
TEST_F(Failure, AProviderThatCannotMakeTheCallIsNotTriedAgain) {
  files.add("/providers/fake.lua",
            "return {command = function(call) error('the cassette has no more calls', 0) end}");
  const Result result = call();
  EXPECT_EQ(result.event, "error.spawn");
  EXPECT_EQ(message(result), "agent 'coder' (fake): the cassette has no more calls");
  EXPECT_THAT(clock.slept, IsEmpty());
}

// Lua.

TEST_F(Failure, OfThePromptHook) {
  files.add("/flow/scripts/coder.lua", "return {\n  prompt = function(m) return nil .. 'x' end\n}");
  const Result result = call();
  EXPECT_EQ(result.event, "error.lua");
  EXPECT_THAT(message(result), HasSubstr("coder.lua:2: attempt to concatenate a nil value"));
  EXPECT_THAT(recorder.prompts, IsEmpty());
}

TEST_F(Failure, OfTheParseHook) {
  files.add("/flow/scripts/coder.lua",
            "return {\n  prompt = function() return 'Go' end,\n"
            "  parse = function() error('unreadable') end,\n}");
  runner.prints({"result something"});
  const Result result = call();
  EXPECT_EQ(result.event, "error.lua");
  EXPECT_THAT(message(result), HasSubstr("coder.lua:3: unreadable"));
  EXPECT_EQ(recorder.replies.at(0).text, "something");  // paid for, so kept
}

TEST_F(Failure, OfTheDriver) {
  runner.prints({"crash it"});
  const Result result = call();
  EXPECT_EQ(result.event, "error.lua");
  EXPECT_THAT(message(result), HasSubstr("fake.lua:"));
  EXPECT_THAT(message(result), HasSubstr("driver: it"));
  EXPECT_THAT(clock.slept, IsEmpty());
}

// Stop.

TEST_F(Failure, AStopBeforeTheCallIsACancel) {
  stop.request_stop();
  const Result result = call();
  EXPECT_TRUE(result.cancelled);
  EXPECT_EQ(result.event, "");
  EXPECT_THAT(recorder.log, IsEmpty());
}

TEST_F(Failure, AStopDuringTheCallIsACancelOfWhichAllThatIsKnownIsRecorded) {
  runner.scripts.push_back([&](const Spec&, Listener& listener) {
    listener.line("say Reading the tests.");
    listener.line("tokens 900 800 20");
    stop.request_stop();
    return Exit{};
  });
  request.price = Price{1, 0.5, 10};
  EXPECT_TRUE(call().cancelled);
  EXPECT_THAT(recorder.log, ElementsAre("prepare 1", "prompt 1", "process 4711", "reply 1"));
  ASSERT_EQ(recorder.replies.size(), 1u);
  const ReplyRecord& stopped = recorder.replies[0];
  EXPECT_EQ(stopped.event, "stopped");
  EXPECT_EQ(stopped.error, "stopped before it was over");
  ASSERT_EQ(stopped.output.size(), 1u);
  EXPECT_EQ(stopped.output[0].text, "Reading the tests.");
  EXPECT_DOUBLE_EQ(stopped.usage.cost, 0.0007);
  EXPECT_EQ(stopped.usage.input_tokens, 900);
  EXPECT_EQ(stopped.usage.output_tokens, 20);
  EXPECT_EQ(stopped.usage.unpriced, 1) << "the rest is not known";
  EXPECT_EQ(stopped.usage.uncounted, 1);
}

// What a call cost is never taken for less than it is.

TEST_F(Failure, WhatIsNotKnownOfACallIsCounted) {
  struct Case {
    std::vector<std::string> lines;
    std::optional<Price> price;
    double cost;
    int unpriced, uncounted;
  };
  const std::string done = "result " + reply_of("STUCK");
  const std::vector<Case> cases = {
      {{"cost 0.5 10 5", done}, Price{1e6, 1e6, 1e6}, 0.5, 0, 0},  // what the provider says counts
      {{"tokens 10 4 5", done}, Price{1e6, 5e5, 2e6}, 18, 0, 0},
      {{"tokens 10 4 5", done}, std::nullopt, 0, 1, 0},
      {{done}, Price{1e6, 1e6, 1e6}, 0, 1, 1},
      {{done}, Price{0, 0, 0}, 0, 0, 1},  // a model of one's own
      {{"error overloaded"}, std::nullopt, 0, 1, 1},
      {{"refused no credit"}, std::nullopt, 0, 0, 0},
      {{"refused no credit", "cost 0.5 10 5"}, std::nullopt, 0, 0, 0},
  };
  for (const auto& [lines, price, cost, unpriced, uncounted] : cases) {
    runner.prints(lines);
    request.price = price;
    recorder.replies.clear();
    single();
    ASSERT_EQ(recorder.replies.size(), 1u) << lines.front();
    const Usage& usage = recorder.replies[0].usage;
    EXPECT_DOUBLE_EQ(usage.cost, cost) << lines.front();
    EXPECT_EQ(usage.unpriced, unpriced) << lines.front();
    EXPECT_EQ(usage.uncounted, uncounted) << lines.front();
  }
}

TEST_F(Failure, OfACallThatIsCutOffAPartIsKnown) {
  Exit late;
  late.kind = Exit::Kind::timed_out;
  runner.prints({"cost 0.5 10 5"}, late);
  single();
  EXPECT_EQ(recorder.replies.at(0).usage.cost, 0.5);
  EXPECT_EQ(recorder.replies.at(0).usage.unpriced, 1);
}

TEST_F(Failure, AStopWhileWaitingIsACancel) {
  fails_with_status_1(1);
  clock.before_sleep = [&] { stop.request_stop(); };
  EXPECT_TRUE(call().cancelled);
  EXPECT_EQ(recorder.replies.size(), 1u);
}

TEST_F(Failure, AResultThatIsInBeforeTheStopCounts) {
  runner.scripts.push_back([&](const Spec&, Listener& listener) {
    listener.line(result_line("STUCK"));
    stop.request_stop();
    return Exit{};
  });
  const Result result = call();
  EXPECT_FALSE(result.cancelled);
  EXPECT_EQ(result.event, "STUCK");
}

// The record comes first: where it fails, nothing follows from what it should have held.

TEST_F(Failure, OfTheRecordEndsTheCall) {
  runner.prints({result_line("STUCK")});
  recorder.on_reply = [] { throw std::runtime_error("disk full"); };
  EXPECT_THROW(call(), std::runtime_error);

  recorder.on_progress = [] { throw std::runtime_error("disk full"); };
  runner.prints({"say hello"});
  EXPECT_THROW(call(), std::runtime_error);
}

}  // namespace
}  // namespace agneto::agents
