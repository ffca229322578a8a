// What a step costs on the disk, and what taking up a long run reads. Counted in bytes and rows,
// which no clock can blur.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "journal/journal_fixture.h"
#include "journal/sqlite/faulty_disk.h"
#include "journal/sqlite/sqlite_tool.h"
#include "support/errors.h"

namespace agneto::journal {
namespace {

class GrowthTest : public ::testing::Test {
 protected:
  static Json state(int step, std::size_t size = 1000) {
    return {{"step", step},
            {"active", {step % 2 == 0 ? "PING" : "PONG"}},
            {"rest", std::string(size, 'x')}};
  }
  // Entries and changes as a step of a small machine has them.
  static Entry step(int n) {
    return an_entry(n, "macrostep", "",
                    {{"event", {{"name", "tick"}, {"kind", "external"}, {"data", nullptr}}},
                     {"effects", Json::array()},
                     {"handled", true},
                     {"transitions",
                      {{{"event", "tick"},
                        {"from", "PING"},
                        {"to", {"PONG"}},
                        {"instance", ""},
                        {"line", 7}}}}});
  }
  void create(std::size_t size = 1000) {
    journal_->create(a_run("r1"), {}, {step(0)}, state(0, size));
  }
  void append(int from, int to, std::size_t size = 1000) {
    for (int n = from; n < to; ++n) journal_->append("r1", {step(n)}, state(n, size));
  }
  std::int64_t number(const std::string& sql) { return std::stoll(Tool(file_).query(sql).at(0)); }

  FaultyDisk disk_;  // not waited for
  testing::TemporaryFolder folder_;
  std::string file_ = folder_ / "runs.db";
  std::unique_ptr<Journal> journal_ = open_journal(file_);
};

TEST_F(GrowthTest, AStepIsOneRow) {
  create();
  append(1, 101);
  EXPECT_EQ(number("SELECT count(*) FROM entries"), 101);
  EXPECT_LT(
      number("SELECT avg(length(body) + length(change) + length(hash)) FROM entries WHERE seq > 1"),
      350);
}

TEST_F(GrowthTest, AnAppendToALongRunWritesNoMore) {
  create();
  const auto written_after = [&](int appends) {
    for (int i = 0; i < appends; ++i) {
      journal_->append("r1", std::vector<Entry>(40, step(i)), state(i));
    }
    Tool(file_).query("PRAGMA wal_checkpoint(TRUNCATE)");
    append(appends, appends + 1);
    struct stat status {};
    return ::stat((file_ + "-wal").c_str(), &status) == 0 ? status.st_size : -1;
  };
  const auto early = written_after(2);
  const auto late = written_after(50);
  EXPECT_GT(early, 0);
  EXPECT_LE(late, early + 1048) << "a page more where the last one was full";
}

// Steps that come with 10 kB of other entries each, so that few of them are a lot to read.
class LongRunTest : public GrowthTest {
 protected:
  void append(int from, int to, std::size_t size = 1000) {
    for (int n = from; n < to; ++n) {
      journal_->append("r1", {an_entry(n, "prompt", "A#1", std::string(10'000, 'x')), step(n)},
                       state(n, size));
    }
  }
  std::int64_t wholes() { return number("SELECT count(*) FROM entries WHERE change LIKE '[%'"); }
};

TEST_F(LongRunTest, NowAndThenTheStateIsWrittenWhole) {
  create();
  append(1, 101);
  EXPECT_EQ(journal_->state("r1"), state(100));
  EXPECT_EQ(journal_->state_at("r1", 101), state(50));
  EXPECT_EQ(wholes(), 4) << "every 256 KiB";
  // What the next owner has to go through.
  EXPECT_LE(number("SELECT sum(length(body) + length(change)) FROM entries WHERE seq > "
                   "(SELECT max(seq) FROM entries WHERE change LIKE '[%')"),
            280 * 1024);
  Tool(file_).query("UPDATE entries SET hash = 'x' WHERE seq = 10");
  EXPECT_EQ(testing::error_of([&] { open_journal(file_)->own("r1", "me"); }), "")
      << "it does not go through what was before that";
  EXPECT_NE(testing::error_of([&] { journal_->check("r1"); }), "");
}

TEST_F(LongRunTest, ALargeStateIsWrittenWholeTheMoreSeldom) {
  create(200'000);
  append(1, 101, 200'000);
  EXPECT_EQ(wholes(), 2) << "when four times its size was written";
}

TEST_F(LongRunTest, TheNextOwnerCountsWhatTheLastOneWrote) {
  create();
  for (int n = 1; n < 101; ++n) {
    if (n % 10 == 0) (journal_ = open_journal(file_))->own("r1", "me");
    append(n, n + 1);
  }
  EXPECT_EQ(wholes(), 4);
  EXPECT_EQ(testing::error_of([&] { journal_->check("r1"); }), "");
}

}  // namespace
}  // namespace agneto::journal
