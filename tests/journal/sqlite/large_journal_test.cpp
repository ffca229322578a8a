// Very long runs, and very many: what is read for one of them does not become more.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "journal/journal_fixture.h"
#include "journal/sqlite/faulty_disk.h"

namespace agneto::journal {
namespace {

class LargeJournalTest : public ::testing::Test {
 protected:
  // Reads of the disk, each of a page, by a process that has just begun.
  template <typename Look>
  int pages(Look look) {
    const auto journal = open_journal(file_);
    journal->find("none");
    const int before = disk_.reads();
    look(*journal);
    return disk_.reads() - before;
  }

  testing::TemporaryFolder folder_;
  std::string file_ = folder_ / "runs.db";
  FaultyDisk disk_;
};

TEST_F(LargeJournalTest, ARunOfAHundredThousandStepsIsTakenUpAsAShortOneIs) {
  constexpr int kBatch = 500;
  const auto taken_up = [&](const std::string& id, int steps) {
    {
      const auto journal = open_journal(file_);
      journal->create(a_run(id), {}, {an_entry(0, "started")}, {{"n", 0}});
      for (int n = kBatch; n <= steps; n += kBatch) {
        journal->append(
            id, std::vector<Entry>(kBatch, an_entry(n, "macrostep", "", {{"event", "tick"}})),
            {{"n", n}});
      }
    }
    return pages([&](Journal& journal) {
      journal.own(id, "the next one");
      EXPECT_EQ(journal.state(id), Json({{"n", steps}}));
    });
  };
  const int early = taken_up("short", 10'000);
  const int late = taken_up("long", 100'000);
  EXPECT_GT(early, 10);
  EXPECT_LE(late, early * 2) << "as much as has come since the state was last written whole";
}

TEST_F(LargeJournalTest, OneOfTenThousandRunsIsFoundByLookingAtAFewPages) {
  {
    const auto journal = open_journal(file_);
    for (int n = 0; n < 10'000; ++n) {
      auto run = a_run(fmt::format("r{}", n));
      run.created = at(n);
      journal->create(run, {{"a.yaml", "text"}}, {an_entry(n, "started")}, {{"n", n}});
    }
  }
  EXPECT_LE(pages([](Journal& journal) { EXPECT_EQ(journal.find("r5000")->created, at(5000)); }),
            12);
  EXPECT_LE(pages([](Journal& journal) {
              EXPECT_EQ(journal.state("r5000"), Json({{"n", 5000}}));
            }),
            12);
  const auto journal = open_journal(file_);
  const auto runs = journal->list();
  ASSERT_EQ(runs.size(), 10'000U);
  EXPECT_EQ(runs.front().id, "r9999");
  EXPECT_EQ(runs.back().id, "r0");
}

}  // namespace
}  // namespace agneto::journal
