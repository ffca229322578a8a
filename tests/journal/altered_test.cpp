// A journal in which somebody has altered something: it is found out, it is said where, and what
// was not altered can still be had.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "journal_fixture.h"
#include "support/errors.h"

namespace agneto::journal {
namespace {

using testing::error_of;

class AlteredTest : public JournalTest {
 protected:
  static Json state_of(Seq n) { return {{"n", n}}; }
  // Entries 1 to `last`, state n after entry n.
  void write(int last) {
    journal_->create(a_run("r1"), {{"a.yaml", "text"}}, {an_entry(1, "started")}, state_of(1));
    for (int n = 2; n <= last; ++n) {
      journal_->append("r1", {an_entry(n, "macrostep", "A#1", "b")}, state_of(n));
    }
  }
  std::string damaged(const std::string& what) const {
    return fmt::format(
        "the journal '{}' is damaged: {}\nsee what can be saved with 'agneto doctor r1'", place(),
        what);
  }
};

TEST_P(AlteredTest, ADiagnosisSaysWhatIsWrongWhereAndWhatIsLeft) {
  write(12);
  query("UPDATE entries SET body = 'null' WHERE seq = 5");
  query("DELETE FROM entries WHERE seq IN (8, 9)");
  query("UPDATE texts SET text = 'other'");
  query("UPDATE runs SET status = 'complete'");
  const Diagnosis diagnosis = journal_->diagnose("r1");
  std::vector<std::string> faults;
  for (const auto& fault : diagnosis.faults) {
    faults.push_back(fmt::format("{}: {}", fault.seq, fault.what));
  }
  EXPECT_EQ(faults,
            (std::vector<std::string>{
                "5: entry 5 of run r1 is not as it was written",
                "8: entries 8 to 9 of run r1 are missing",
                "0: the line of run r1, or the list of its sources, is not as it was written",
                "0: source 'a.yaml' of run r1 is not as it was written",
            }));
  EXPECT_EQ(diagnosis.newest, 12);
  EXPECT_EQ(diagnosis.sound, 4);
  EXPECT_EQ(diagnosis.usable, 4);
  EXPECT_TRUE(diagnosis.sources_damaged);
  EXPECT_FALSE(diagnosis.file_damaged);

  // What can be saved goes on as another run.
  journal_->fork("r1", diagnosis.usable, a_run("r2"), an_entry(20, "forked"));
  EXPECT_EQ(journal_->state("r2"), state_of(4));
  EXPECT_EQ(error_of([&] { journal_->fork("r1", 6, a_run("r3"), an_entry(20, "forked")); }),
            damaged("entry 5 of run r1 is not as it was written"));
  EXPECT_FALSE(journal_->find("r3"));
}

constexpr const char* altered_line =
    "the line of run r1, or the list of its sources, is not as it was written";

// Else the file that it names now would be read from the disk.
TEST_P(AlteredTest, AnAlteredPathOfASourceIsNotGoneOnWith) {
  write(3);
  const auto owned = [&] { return error_of([&] { journal_->own("r1", "me"); }); };
  query("UPDATE sources SET path = 'b.yaml'");
  EXPECT_EQ(owned(), damaged(altered_line));
  query("UPDATE sources SET path = 'a.yaml'");
  EXPECT_EQ(owned(), "");
  journal_->replace_sources("r1", {{"b.yaml", "newer"}});
  EXPECT_EQ(owned(), "");
  EXPECT_EQ(error_of([&] { journal_->check("r1"); }), "");
}

TEST_P(AlteredTest, ADamagedLineOrSourceIsNotGoneOnWith) {
  write(3);
  const auto owned = [&] { return error_of([&] { journal_->own("r1", "me"); }); };
  query("UPDATE runs SET options = '{\"inputs\":{}}'");
  EXPECT_EQ(owned(), damaged(altered_line));
  query("UPDATE runs SET options = '{\"inputs\"'");
  EXPECT_EQ(owned(), damaged(altered_line));
  EXPECT_EQ(journal_->list().size(), 1U) << "the others can be listed";

  const std::string altered = damaged("source 'a.yaml' of run r1 is not as it was written");
  query("UPDATE texts SET text = 'other'");
  EXPECT_EQ(error_of([&] { journal_->sources("r1"); }), altered);
}

TEST_P(AlteredTest, ADamagedMessageIsNotDelivered) {
  write(1);
  journal_->post("r1", {"abort", {{"reason", "enough"}}});
  query("UPDATE inbox SET body = '{\"reason'");
  EXPECT_EQ(error_of([&] { journal_->inbox("r1"); }),
            damaged("message 1 to run r1 is not as it was written"));
}

TRY_EACH_STORE(AlteredTest);

}  // namespace
}  // namespace agneto::journal
