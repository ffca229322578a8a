// A provider that is away is waited for, and one that refuses is not.
#include "agents/support.h"

namespace agneto::agents {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using std::chrono_literals::operator""h;
using std::chrono_literals::operator""min;
using std::chrono_literals::operator""s;

class Outage : public CallTest {
 protected:
  Outage() { request.patience = 1h; }
  void away(int times, const std::string& line = "away overloaded") {
    for (int i = 0; i < times; ++i) runner.prints({line});
  }
};

TEST_F(Outage, IsNoTryAndNoFailure) {
  request.retry.tries = 1;
  away(3);
  runner.prints({result_line("STUCK")});
  const Result result = call();
  EXPECT_EQ(result.event, "STUCK");
  EXPECT_THAT(clock.slept, ElementsAre(1s, 2s, 4s));
  EXPECT_THAT(recorder.progressed, ElementsAre("retry: overloaded; asking again in 1s",
                                               "retry: overloaded; asking again in 2s",
                                               "retry: overloaded; asking again in 4s"));
  EXPECT_THAT(recorder.log, ElementsAre("prepare 1", "prompt 1", "process 4711", "reply 1",  //
                                        "prepare 1", "process 4711", "reply 1",              //
                                        "prepare 1", "process 4711", "reply 1",              //
                                        "prepare 1", "process 4711", "reply 1"))
      << "what it had changed is undone each time";
  EXPECT_EQ(recorder.replies.at(0).event, "away");
  EXPECT_EQ(recorder.replies.at(0).error, "overloaded");
  EXPECT_EQ(runner.specs.at(0).input, runner.specs.at(3).input) << "nothing is said of it";
}

TEST_F(Outage, IsLookedAfterEachMinute) {
  away(8);
  runner.prints({result_line("STUCK")});
  call();
  EXPECT_THAT(clock.slept, ElementsAre(1s, 2s, 4s, 8s, 16s, 32s, 60s, 60s));
}

TEST_F(Outage, LastsAsLongAsTheProviderSays) {
  away(1, "busy 120 limit");
  runner.prints({result_line("STUCK")});
  EXPECT_EQ(call().event, "STUCK");
  EXPECT_THAT(clock.slept, ElementsAre(Millis(127'500))) << "and not all come back at once";
}

TEST_F(Outage, IsWaitedForAsLongAsThePatienceLasts) {
  request.patience = 5s;
  away(3);
  const Result result = call();
  EXPECT_EQ(result.unavailable, "agent 'coder' (fake): overloaded; away for 3s");
  EXPECT_EQ(result.event, "");
  EXPECT_THAT(clock.slept, ElementsAre(1s, 2s));
}

TEST_F(Outage, ThatIsLongerThanThePatienceIsNotWaitedFor) {
  away(1, "busy 7260 limit");
  EXPECT_EQ(call().unavailable, "agent 'coder' (fake): limit; it is away for another 2h 1m");
  EXPECT_THAT(clock.slept, IsEmpty());
}

TEST_F(Outage, IsNotWaitedForWithoutPatience) {
  request.patience = Millis(0);
  away(1);
  EXPECT_EQ(call().unavailable, "agent 'coder' (fake): overloaded");
}

TEST_F(Outage, IsWhatACallEndsInWhoseTimeIsUpWhileItsProgramAsksAgain) {
  request.timeout = 30min;
  request.retry.tries = 1;
  Exit late;
  late.kind = Exit::Kind::timed_out;
  runner.prints({"say I begin", "again 429 slow down"}, late);
  runner.prints({result_line("STUCK")});
  EXPECT_EQ(call().event, "STUCK");
  EXPECT_THAT(clock.slept, ElementsAre(1s));
  EXPECT_EQ(recorder.replies.at(0).event, "away");
  EXPECT_EQ(recorder.replies.at(0).error, "429 slow down; not done after 30m");
  EXPECT_EQ(recorder.replies.at(0).usage.uncounted, 0);
}

TEST_F(Outage, IsOverOnceTheProgramGoesOn) {
  request.idle = 5min;
  request.retry.tries = 1;
  Exit silent;
  silent.kind = Exit::Kind::idle;
  runner.prints({"again 429 slow down", "say I begin"}, silent);
  const Result result = call();
  EXPECT_EQ(result.event, "error.timeout");
  EXPECT_EQ(result.data.at("message"), "agent 'coder' (fake) failed: no output for 5m");
}

TEST_F(Outage, AfterAnAnswerPatienceBeginsAnew) {
  request.patience = 4s;
  away(2);
  runner.prints({"result no verdict"});
  away(2);
  runner.prints({result_line("STUCK")});
  EXPECT_EQ(call().event, "STUCK");
}

TEST_F(Outage, AfterSomeWorkPatienceBeginsAnew) {
  request.patience = 3s;
  runner.prints({"cost 0.1 10 20", "away overloaded"});
  runner.prints({"cost 0.1 10 20", "away overloaded"});
  runner.prints({"cost 0.1 10 20", "away overloaded"});
  EXPECT_EQ(call().unavailable, "agent 'coder' (fake): overloaded");
  EXPECT_THAT(clock.slept, ElementsAre(1s, 2s));
}

TEST_F(Outage, DoesNotHideAFailure) {
  request.retry.tries = 2;
  runner.ends(Exit::Kind::exited, 1, "boom\n");
  away(1);
  runner.ends(Exit::Kind::exited, 1, "boom again\n");
  EXPECT_EQ(message(call()),
            "agent 'coder' (fake) failed 2 times; the last time: exit status 1: boom again");
}

TEST_F(Outage, CanBeCutShort) {
  away(1);
  clock.before_sleep = [this] { stop.request_stop(); };
  EXPECT_TRUE(call().cancelled);
}

TEST_F(Outage, ARefusalEndsTheCallAtOnceAndSaysWhatToDo) {
  runner.prints({"refused invalid key"});
  const Result result = call();
  EXPECT_EQ(result.unavailable, "agent 'coder' (fake): invalid key");
  EXPECT_THAT(clock.slept, IsEmpty());
  EXPECT_EQ(recorder.replies.at(0).event, "refused");
}

TEST_F(Outage, WithoutWordsIsSaidInOurs) {
  request.patience = Millis(0);
  away(1, "away ");
  EXPECT_EQ(call().unavailable, "agent 'coder' (fake): the provider is away");
  runner.prints({"refused "});
  EXPECT_EQ(call().unavailable, "agent 'coder' (fake): the provider refuses");
}

}  // namespace
}  // namespace agneto::agents
