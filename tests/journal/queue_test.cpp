// A journal finds the runs that a list is to have, and those that somebody is to take up.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "journal_fixture.h"
#include "support/errors.h"

namespace agneto::journal {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using testing::error_of;
using ::testing::Gt;
using ::testing::IsEmpty;
using ::testing::Le;
using ::testing::UnorderedElementsAre;

std::vector<std::string> ids(const std::vector<RunRecord>& runs) {
  std::vector<std::string> ids;
  for (const RunRecord& run : runs) ids.push_back(run.id);
  return ids;
}

class QueueTest : public JournalTest {
 protected:
  void make(const std::string& id, const std::string& status, int priority = 0,
            std::vector<std::string> needs = {}) {
    RunRecord run = a_run(id);
    run.status = status;
    run.priority = priority;
    run.needs = std::move(needs);
    run.options["served"] = true;
    journal_->create(run, {{"a.yaml", "text"}}, {an_entry(1, "queued")}, Json());
  }
  std::vector<std::string> due(const Taker& taker = {}) { return due_at(10, taker); }
  std::vector<std::string> due_at(std::int64_t millis, const Taker& taker = {}) {
    return ids(journal_->due(taker, at(millis), 10).runs);
  }
  void park(const std::string& id, std::optional<Time> wake) {
    RunRecord run = *journal_->find(id);
    run.status = "parked";
    run.wake = wake;
    journal_->append(id, {an_entry(2, "parked")}, {{"at", "A"}}, &run);
  }
};

TEST_P(QueueTest, GivesQueuedRunsByPriorityAndAge) {
  make("old", "queued");
  make("urgent", "queued", 5);
  make("new", "queued");
  make("late", "queued", -1);
  make("ended", "complete");
  EXPECT_THAT(due(), ElementsAre("urgent", "old", "new", "late"));
  EXPECT_THAT(ids(journal_->due({}, at(0), 2).runs), ElementsAre("urgent", "old"));
  EXPECT_EQ(journal_->due({}, at(0), 1).runs.at(0).priority, 5);
}

TEST_P(QueueTest, GivesRunsThatNobodyWorksOnAnyMoreFirst) {
  make("queued", "queued", 5);
  make("parked", "running");
  park("parked", at(1));
  make("cut-off", "running");
  EXPECT_THAT(due(), ElementsAre("cut-off", "parked", "queued"));
  EXPECT_THAT(ids(journal_->due({}, at(10), 2).runs), ElementsAre("cut-off", "parked"));
}

TEST_P(QueueTest, LeavesRunsThatWereCutOffAtATerminal) {
  RunRecord run = a_run("at-a-terminal");
  run.options["inputs"]["served"] = true;
  journal_->create(run, {{"a.yaml", "text"}}, {an_entry(1, "started")}, Json());
  EXPECT_THAT(due(), IsEmpty());
  run.options = Json::object();
  for (int i = 0; i < 20; ++i) {
    run.id = fmt::format("at-a-terminal-{}", i);
    journal_->create(run, {{"a.yaml", "text"}}, {an_entry(1, "started")}, Json());
  }
  make("served", "running");
  EXPECT_THAT(due(), ElementsAre("served")) << "others are in nobody's way";
}

TEST_P(QueueTest, GivesNoneThatSomebodyHas) {
  for (const char* id : {"a", "b"}) make(id, "queued");
  make("running", "running");
  const auto other = open_journal(where_);
  auto hold = other->hold("a");
  const auto running = journal_->hold("running");
  EXPECT_THAT(due(), ElementsAre("b"));
  const auto again = journal_->due({}, at(0), 10).again;
  ASSERT_TRUE(again) << "it may be free soon";
  EXPECT_THAT(again->count(), AllOf(Gt(0), Le(10'000)));
  hold.reset();
  EXPECT_THAT(due(), ElementsAre("a", "b"));
}

TEST_P(QueueTest, GivesRunsToThoseWhoHaveWhatTheyNeed) {
  make("plain", "queued");
  make("gpu", "queued", 0, {"gpu"});
  make("both", "queued", 0, {"claude", "gpu"});
  EXPECT_EQ(journal_->find("both")->needs, (std::vector<std::string>{"claude", "gpu"}));
  EXPECT_THAT(due(), ElementsAre("plain"));
  EXPECT_THAT(due({.labels = {"gpu", "linux"}}), ElementsAre("plain", "gpu"));
  EXPECT_THAT(due({.labels = {"claude", "gpu"}}), ElementsAre("plain", "gpu", "both"));
  EXPECT_THAT(due({.labels = {"gpu"}, .except = {"plain"}}), ElementsAre("gpu"));
}

TEST_P(QueueTest, KeepsWhatARunNeedsWhileItChanges) {
  make("parked", "running", 0, {"gpu"});
  park("parked", at(1));
  EXPECT_THAT(due(), IsEmpty());
  EXPECT_THAT(due({.labels = {"gpu"}}), ElementsAre("parked"));
}

TEST_P(QueueTest, GivesNoMoreThanThereMayBeAtATime) {
  for (const char* id : {"a", "b", "c"}) make(id, "queued", 1, {"claude"});
  make("other", "queued", 0, {"codex"});
  const Taker taker{.labels = {"claude", "codex"}, .bounds = {.providers = {{"claude", 2}}}};
  const auto a = journal_->hold("a", taker.bounds);
  EXPECT_THAT(due(taker), ElementsAre("b", "c", "other"));
  const auto b = journal_->hold("b", taker.bounds);
  EXPECT_THAT(ids(journal_->worked_on()), UnorderedElementsAre("a", "b"));
  EXPECT_THAT(due(taker), ElementsAre("other"));
  EXPECT_EQ(error_of([&] { journal_->hold("c", taker.bounds); }),
            "as many runs with provider claude are worked on as may be at a time (2, by "
            "serve.providers)");
  const auto other = journal_->hold("other", taker.bounds);
}

TEST_P(QueueTest, GivesNoMoreOfAWorkflowThanThereMayBeAtATime) {
  for (const char* id : {"a", "b"}) make(id, "queued");
  const Taker taker{.bounds = {.workflows = {{"agneto", 1}}}};
  auto a = journal_->hold("a", taker.bounds);
  EXPECT_THAT(due(taker), IsEmpty());
  EXPECT_EQ(error_of([&] { journal_->hold("b", taker.bounds); }),
            "as many runs with workflow agneto are worked on as may be at a time (1, by "
            "serve.workflows)");
  a.reset();
  EXPECT_THAT(due(taker), ElementsAre("a", "b"));
}

TEST_P(QueueTest, GivesParkedRunsWhoseTimeHasCome) {
  for (const char* id : {"soon", "later", "never"}) make(id, "running");
  park("soon", at(100));
  park("later", at(200));
  park("never", std::nullopt);
  EXPECT_EQ(journal_->next_wake(at(0)), at(100));
  EXPECT_EQ(journal_->next_wake(at(100)), at(200));
  EXPECT_EQ(journal_->next_wake(at(200)), std::nullopt);
  EXPECT_EQ(journal_->count("parked"), 3);
  EXPECT_EQ(journal_->count("queued"), 0);
  EXPECT_THAT(due_at(99), IsEmpty());
  EXPECT_THAT(due_at(100), ElementsAre("soon"));
  EXPECT_THAT(due_at(1000), ElementsAre("soon", "later"));
  EXPECT_EQ(journal_->find("never")->wake, std::nullopt);
}

TEST_P(QueueTest, GivesParkedRunsThatAMessageWaitsFor) {
  make("parked", "running");
  make("suspended", "suspended");
  park("parked", std::nullopt);
  journal_->post("suspended", {"answer", Json::object(), at(3)});
  EXPECT_THAT(due(), IsEmpty());
  const MessageId id = journal_->post("parked", {"answer", Json::object(), at(3)});
  EXPECT_THAT(due(), ElementsAre("parked"));
  journal_->append("parked", {an_entry(4, "answer")}, Json(), nullptr, {id});
  EXPECT_THAT(due(), IsEmpty());
}

TEST_P(QueueTest, KnowsNoNextTimeWhereNothingIsParked) {
  EXPECT_EQ(journal_->next_wake(at(0)), std::nullopt);
  make("a", "queued");
  EXPECT_EQ(journal_->next_wake(at(0)), std::nullopt);
}

TEST_P(QueueTest, ListsWhatIsWanted) {
  make("a", "complete");
  make("b", "running");
  make("c", "queued");
  RunRecord asking = a_run("d");
  asking.status = "parked";
  asking.questions = 2;
  asking.workflow = "other";
  journal_->create(asking, {{"a.yaml", "text"}}, {an_entry(1, "started")}, {{"at", "A"}});
  EXPECT_THAT(ids(journal_->list()), ElementsAre("d", "c", "b", "a"));
  EXPECT_THAT(ids(journal_->list({.status = {"running", "complete"}})), ElementsAre("b", "a"));
  EXPECT_THAT(ids(journal_->list({.asking = true})), ElementsAre("d"));
  EXPECT_THAT(ids(journal_->list({.status = {"queued"}, .asking = true})), ElementsAre("d", "c"));
  EXPECT_THAT(ids(journal_->list({.workflow = "other"})), ElementsAre("d"));
  EXPECT_THAT(ids(journal_->list({.id = "c"})), ElementsAre("c"));
  EXPECT_THAT(ids(journal_->list({.id = "cc"})), IsEmpty());
  EXPECT_THAT(ids(journal_->list({.most = 2})), ElementsAre("d", "c"));
  EXPECT_THAT(ids(journal_->list({.before = "c", .most = 1})), ElementsAre("b"));
  EXPECT_EQ(testing::error_of([&] { journal_->list({.before = "z"}); }), "there is no run 'z'");
  for (const std::size_t at_a_time : {1, 2, 3, 4, 0}) {
    std::vector<std::string> seen;
    each_run(*journal_, {.most = at_a_time}, [&](const RunRecord& run) {
      seen.push_back(run.id);
      return run.id != "b";
    });
    EXPECT_THAT(seen, ElementsAre("d", "c", "b"));
  }
  EXPECT_EQ(journal_->list().at(0).questions, 2);
}

// A run that has ended asks nothing any more, whatever its record says.
TEST_P(QueueTest, DoesNotListEndedRunsAsAsking) {
  RunRecord run = a_run("a");
  run.status = "aborted";
  run.questions = 1;
  journal_->create(run, {{"a.yaml", "text"}}, {an_entry(1, "started")}, {{"at", "A"}});
  EXPECT_THAT(journal_->list({.asking = true}), IsEmpty());
}

TEST_P(QueueTest, NumbersTheChangesOfRecords) {
  EXPECT_EQ(journal_->newest_change(), 0);
  make("a", "queued");
  make("b", "queued");
  const std::int64_t before = journal_->newest_change();
  journal_->append("a", {an_entry(2, "said")}, Json());
  EXPECT_THAT(journal_->changes(before, 10), IsEmpty());
  park("b", at(5));
  park("a", at(6));
  park("b", at(7));
  const auto changes = journal_->changes(before, 10);
  ASSERT_EQ(changes.size(), 2U);
  EXPECT_EQ(changes[0].run.id, "a");
  EXPECT_EQ(changes[1].run.id, "b");
  EXPECT_EQ(changes[1].run.wake, at(7));
  EXPECT_LT(changes[0].number, changes[1].number);
  EXPECT_EQ(changes[1].number, journal_->newest_change());
  EXPECT_EQ(journal_->changes(before, 1).size(), 1U);
}

TEST_P(QueueTest, MakesOneRunOfAnOrigin) {
  const auto make_of = [this](const std::string& id, const std::string& origin) {
    RunRecord run = a_run(id);
    run.origin = origin;
    journal_->create(run, {}, {an_entry(1, "queued")}, Json());
  };
  make_of("a", "schedule daily 2026-01-02");
  make_of("b", "schedule daily 2026-01-01");
  make_of("c", "schedule dailyx 2026-01-03");
  make_of("d", "");
  make_of("e", "");
  try {
    make_of("f", "schedule daily 2026-01-02");
    FAIL() << "there are two of one origin";
  } catch (const OriginTaken& error) {
    EXPECT_STREQ(error.what(), "there is a run of 'schedule daily 2026-01-02' already");
  }
  EXPECT_EQ(journal_->find("f"), std::nullopt);
  EXPECT_EQ(journal_->newest_of("schedule daily ")->id, "a");
  EXPECT_EQ(journal_->newest_of("schedule weekly "), std::nullopt);
  RunRecord ended = *journal_->find("a");
  EXPECT_EQ(ended.origin, "schedule daily 2026-01-02");
  ended.origin = "";
  ended.status = "complete";
  journal_->append("a", {an_entry(2, "noted")}, Json(), &ended);
  EXPECT_EQ(journal_->newest_of("schedule daily ")->status, "complete") << "it is its own for good";
}

TEST_P(QueueTest, OwnsAndGoesOnWithARunThatHasNoStateYet) {
  make("a", "queued");
  journal_ = open_journal(where_);
  EXPECT_EQ(journal_->state("a"), Json());
  journal_->own("a", "me");
  journal_->append("a", {an_entry(2, "started")}, {{"at", "A"}});
  EXPECT_EQ(journal_->state("a"), Json({{"at", "A"}}));
  journal_->check("a");
}

TEST_P(QueueTest, WritesNothingMoreOfARunThatItHasReleased) {
  make("a", "running");
  journal_->release("a");
  EXPECT_EQ(testing::error_of([&] { park("a", std::nullopt); }),
            "run a is written by its owner only, which this is not");
  journal_->own("a", "me");
  park("a", std::nullopt);
  EXPECT_EQ(journal_->find("a")->status, "parked");
}

TRY_EACH_STORE(QueueTest);

}  // namespace
}  // namespace agneto::journal
