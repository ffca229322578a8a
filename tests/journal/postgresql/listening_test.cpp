// What a journal in PostgreSQL tells those who watch it.
#include "journal/postgresql/listening.h"

#include <gtest/gtest.h>

#include <atomic>

#include "journal/journal_fixture.h"

namespace agneto::journal {
namespace {

class ListeningTest : public ::testing::Test {
 protected:
  std::unique_ptr<Journal> open() {
    return open_postgresql_journal(database_.uri(), {.patience = Millis(0)});
  }

  TestDatabase database_;
};

TEST_F(ListeningTest, TellsThoseWhoWatchOfQueuedRunsAndMessages) {
  // It does not look by itself meanwhile.
  const auto journal = std::make_shared<Listening>(Address(database_.uri()), Millis(600'000));
  const auto other = open();
  std::atomic<int> queue = 0, first = 0, second = 0;
  const auto count = [](std::atomic<int>& calls) { return [&] { ++calls; }; };
  // Whoever watches is called once it is listened.
  const auto of_first = journal->watch("r1", count(first));
  ASSERT_TRUE(comes_true([&] { return first >= 1; }));
  const auto of_second = journal->watch("r2", count(second));
  const auto of_queue = journal->watch("", count(queue));
  {
    const auto hold = other->hold("r1");
    RunRecord run = a_run("r1");
    run.status = "queued";
    other->create(run, {}, {an_entry(1, "queued")}, {});
  }
  EXPECT_TRUE(comes_true([&] { return queue >= 1; }));
  other->post("r1", {"event", nullptr});
  EXPECT_TRUE(comes_true([&] { return first >= 2; }));
  EXPECT_EQ(second, 0);
  database_.query(
      "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity "
      "WHERE datname = current_database() AND pid <> pg_backend_pid()");
  EXPECT_TRUE(comes_true([&] { return second >= 1; })) << "what came meanwhile is not known";
}

// As behind a pgbouncer, where nobody is notified.
TEST_F(ListeningTest, LooksWhereNothingIsHeardAlsoForWhatIsWrittenWhileItBegins) {
  const auto listening = std::make_shared<Listening>(Address(database_.uri()), Millis(20));
  std::atomic<int> calls = 0;
  const auto watch = listening->watch("", [&] {
    if (++calls < 3) database_.query("SELECT pg_current_xact_id()");
  });
  EXPECT_TRUE(comes_true([&] { return calls >= 3; }));
}

}  // namespace
}  // namespace agneto::journal
