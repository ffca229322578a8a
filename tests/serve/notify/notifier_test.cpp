// People are told once of each thing in each way, whatever fails and is killed.
#include "serve/notify/notifier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>
#include <thread>

#include "base/error.h"
#include "record/options.h"
#include "run/fakes.h"
#include "support/temporary_folder.h"

namespace agneto::serve {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class FakeCourier : public Courier {
 public:
  void bring(const run::Way& way, const Json& told, std::stop_token) override {
    ++tries;
    if (away.contains(way.kind)) throw Error("it is away");
    brought.push_back(way.name() + ": " + told["text"].get<std::string>());
    last = told;
  }
  std::vector<std::string> brought;
  std::set<run::Way::Kind> away;
  Json last;
  int tries = 0;
};

const run::Way desktop = {.kind = run::Way::Kind::desktop};
const run::Way mail = {.kind = run::Way::Kind::mail, .target = "ada@example.com"};

class NotifierTest : public ::testing::Test {
 protected:
  // A server that is started now, and looks once.
  void start(std::vector<run::Way> ways = {desktop}) {
    notifier_.emplace(Notifier::World{folder_.path(), *journal_, *notices_, courier_, clock_});
    notifier_->set(std::move(ways), "https://agneto.example.com");
    notifier_->step({});
  }
  void look() { notifier_->step({}); }

  void make(const std::string& id, bool served = true) {
    journal::RunRecord run;
    run.id = id;
    run.workflow = "fix";
    run.task = "the \x1b[31mtask\nin words";
    run.status = "running";
    run.created = run.updated = clock_.now();
    record::RunOptions options;
    options.served = served;
    run.options = record::to_json(options);
    journal_->create(run, {}, {{0, clock_.now(), "queued", "", Json::object()}}, Json());
  }
  void become(const std::string& id, const std::string& status, const std::string& outcome) {
    journal::RunRecord run = *journal_->find(id);
    run.status = status;
    run.outcome = outcome;
    journal_->append(id, {{0, clock_.now(), "noted", "", Json::object()}}, Json(), &run);
  }

  testing::TemporaryFolder folder_;
  std::unique_ptr<journal::Journal> journal_ = journal::open_journal(folder_ / "runs.db");
  std::unique_ptr<journal::Notices> notices_ = journal::open_notices(folder_ / "runs.db");
  run::TestClock clock_;
  FakeCourier courier_;
  std::optional<Notifier> notifier_;
};

TEST_F(NotifierTest, TellsHowRunsEnd) {
  start({mail});
  for (const char* id : {"a", "b", "c", "d", "e", "f"}) make(id, std::string(id) != "f");
  become("a", "complete", "DONE");
  become("b", "failed", "REVIEW");
  become("c", "aborted", "by Ada");
  become("d", "suspended", "its \x1b[1m worktree is\tgone\nor so");
  become("e", "suspended",
         "the limit of 3 agent calls is reached; to go on, resume with a higher --max-calls, or "
         "raise limits.calls in .agneto/config.yaml");
  become("f", "complete", "DONE");  // somebody sits in front of it
  look();
  EXPECT_THAT(courier_.brought,
              ElementsAre("mail to ada@example.com: a is complete (DONE)",
                          "mail to ada@example.com: b has failed (REVIEW)",
                          "mail to ada@example.com: c was aborted (by Ada)",
                          "mail to ada@example.com: d is suspended: its  worktree is gone",
                          "mail to ada@example.com: e is suspended: the limit of 3 agent calls is "
                          "reached; to go on, resume with a higher --max-calls, or raise "
                          "limits.calls in .agneto/config.yaml"));
  EXPECT_EQ(courier_.last["event"], "limit");
  EXPECT_EQ(courier_.last["task"], "the task");
  EXPECT_EQ(courier_.last["url"], "https://agneto.example.com/runs/e");
  look();
  EXPECT_EQ(courier_.tries, 5) << "each once";
}

TEST_F(NotifierTest, TellsWhatAWayWants) {
  run::Way failures = desktop;
  failures.on = {"failure"};
  run::Way others = mail;
  others.workflows = {"release"};
  start({failures, others});
  make("a");
  make("b");
  become("a", "complete", "DONE");
  become("b", "failed", "REVIEW");
  look();
  EXPECT_THAT(courier_.brought, ElementsAre("desktop: b has failed (REVIEW)"));
}

TEST_F(NotifierTest, TellsNothingTwiceAndForgetsNothingAcrossRestarts) {
  start();
  make("a");
  become("a", "complete", "DONE");
  start();
  EXPECT_EQ(courier_.brought.size(), 1U) << "what happened while nobody served";
  start();
  look();
  EXPECT_EQ(courier_.brought.size(), 1U);
  courier_.away = {run::Way::Kind::desktop};
  make("b");
  become("b", "failed", "REVIEW");
  look();
  courier_.away.clear();
  start();
  EXPECT_EQ(courier_.brought.size(), 1U) << "it is not due yet";
  clock_.advance(seconds(11));
  start();
  EXPECT_THAT(courier_.brought,
              ElementsAre("desktop: a is complete (DONE)", "desktop: b has failed (REVIEW)"));
}

TEST_F(NotifierTest, DoesNotTellWhatHappenedBeforeThereWasAWay) {
  make("a");
  become("a", "complete", "DONE");
  start();
  look();
  EXPECT_THAT(courier_.brought, IsEmpty());
  start({});
  make("b");
  become("b", "complete", "DONE");
  start();
  look();
  EXPECT_THAT(courier_.brought, IsEmpty());
}

TEST_F(NotifierTest, TriesAgainLessAndLessOftenAndThenGivesUp) {
  start();
  courier_.away = {run::Way::Kind::desktop};
  make("a");
  become("a", "complete", "DONE");
  std::vector<Millis> moments;
  const Time begin = clock_.now();
  for (int seen = 0; clock_.now() < begin + hours(48); clock_.advance(seconds(5))) {
    look();
    if (courier_.tries != seen) moments.emplace_back(clock_.now() - begin);
    seen = courier_.tries;
  }
  ASSERT_EQ(moments.size(), 8U);
  EXPECT_EQ(moments[1], seconds(10));
  EXPECT_EQ(moments[2], seconds(70));
  EXPECT_EQ(moments[3], minutes(6) + seconds(10));
  EXPECT_LT(moments[7], hours(11));
}

TEST_F(NotifierTest, OneWayThatIsAwayKeepsNoOtherWaitingAndIsNotAskedAllTheTime) {
  start({desktop, mail});
  courier_.away = {run::Way::Kind::desktop};
  for (int i = 0; i < 150; ++i) {
    make("r" + std::to_string(i));
    become("r" + std::to_string(i), "complete", "DONE");
  }
  for (int i = 0; i < 4; ++i) look();
  EXPECT_EQ(courier_.brought.size(), 150U);
  EXPECT_EQ(courier_.tries, 151);
}

TEST_F(NotifierTest, DropsWhatIsNoMoreSoAndWaysThatAreGone) {
  start({desktop, mail});
  courier_.away = {run::Way::Kind::desktop, run::Way::Kind::mail};
  make("a");
  become("a", "suspended", "by Ada");
  look();
  courier_.away.clear();
  become("a", "running", "");
  clock_.advance(minutes(1));
  look();
  EXPECT_THAT(courier_.brought, IsEmpty());
  EXPECT_THAT(notices_->ways_due(clock_.now() + hours(100)), IsEmpty());
  become("a", "complete", "DONE");
  start({});
  EXPECT_THAT(notices_->ways_due(clock_.now() + hours(100)), IsEmpty());
}

TEST_F(NotifierTest, DropsWhatWasForAWayThatIsGoneWhereThereAreOthers) {
  start({desktop, mail});
  courier_.away = {run::Way::Kind::desktop};
  make("a");
  become("a", "complete", "DONE");
  look();
  notifier_->set({mail}, "");
  clock_.advance(minutes(1));
  look();
  EXPECT_THAT(courier_.brought, ElementsAre("mail to ada@example.com: a is complete (DONE)"));
  EXPECT_THAT(notices_->ways_due(clock_.now() + hours(100)), IsEmpty());
}

// A desktop that hangs, and mails that arrive.
class HangingCourier : public Courier {
 public:
  void bring(const run::Way& way, const Json&, std::stop_token stop) override {
    std::unique_lock lock(mutex_);
    if (way.kind == run::Way::Kind::desktop) {
      news_.wait(lock, stop, [] { return false; });
      throw Error("it was stopped");
    }
    ++mails_;
    news_.notify_all();
  }
  // False: they do not come.
  bool wait_for_mails(int count) {
    std::unique_lock lock(mutex_);
    return news_.wait_for(lock, seconds(60), [&] { return mails_ >= count; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable_any news_;
  int mails_ = 0;
};

TEST_F(NotifierTest, AWayThatHangsDelaysNoOther) {
  start({desktop, mail});
  HangingCourier courier;
  Notifier notifier({folder_.path(), *journal_, *notices_, courier, clock_});
  notifier.set({desktop, mail}, "");
  for (const char* id : {"a", "b"}) {
    make(id);
    become(id, "complete", "DONE");
  }
  const std::jthread working(
      [&](const std::stop_token& stop) { notifier.work(stop, [] { return true; }); });
  EXPECT_TRUE(courier.wait_for_mails(2));
  make("c");
  become("c", "complete", "DONE");
  EXPECT_TRUE(courier.wait_for_mails(3));
}

// As where the lease was lost by which one of several servers tells people.
TEST_F(NotifierTest, WhoMayNotGoOnEndsAfterALook) {
  start({mail});
  int asked = 0;
  notifier_->work({}, [&] { return ++asked < 3; });
  EXPECT_EQ(asked, 3);
  EXPECT_TRUE(notifier_->has_ways());
  notifier_->set({}, "");
  EXPECT_FALSE(notifier_->has_ways());
}

}  // namespace
}  // namespace agneto::serve
