#include "run/move.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "journal/parcel.h"
#include "support/errors.h"
#include "support/temporary_folder.h"

namespace agneto::run {
namespace {

using testing::error_of;

class MoveTest : public ::testing::Test {
 protected:
  static journal::RunRecord a_run(const std::string& id, const std::string& status) {
    journal::RunRecord run;
    run.id = id;
    run.workflow = "ask";
    run.status = status;
    run.created = run.updated = Time(Millis(1000));
    return run;
  }

  void write(const std::string& id, const std::string& status) {
    from_->create(a_run(id, status), {{"a.yaml", "text"}},
                  {{0, Time(Millis(1000)), "queued", "", {{"by", "Ada"}}}}, Json());
    from_->release(id);
  }

  bool move(const std::string& id) { return run::move(*from_, *to_, id, "the database"); }

  testing::TemporaryFolder here_, there_;
  std::unique_ptr<journal::Journal> from_ = journal::open_journal((here_ / "runs.db").string());
  std::unique_ptr<journal::Journal> to_ = journal::open_journal((there_ / "runs.db").string());
};

TEST_F(MoveTest, ARunGoesOnThereAlone) {
  write("r1", "queued");
  from_->post("r1", {"send", {{"event", "go"}}, Time(Millis(2000))});
  EXPECT_TRUE(move("r1"));
  EXPECT_EQ(to_->find("r1")->status, "queued");
  EXPECT_EQ(to_->newest("r1"), 1);
  EXPECT_EQ(to_->inbox("r1").size(), 1U);
  const journal::RunRecord left = *from_->find("r1");
  EXPECT_EQ(left.status, "aborted");
  EXPECT_EQ(left.outcome, "moved to the database");
  EXPECT_FALSE(from_->is_held("r1"));
}

TEST_F(MoveTest, OneThatHasEndedStaysAsItIs) {
  write("r1", "complete");
  EXPECT_TRUE(move("r1"));
  EXPECT_EQ(to_->find("r1")->status, "complete");
  EXPECT_EQ(from_->find("r1")->status, "complete");
  EXPECT_FALSE(move("r1"));
}

// It was killed when the run was there, and here still, too.
TEST_F(MoveTest, IsEndedByTheNextOneWhereItWasCutOff) {
  write("r1", "queued");
  to_->unpack(from_->pack("r1"));
  EXPECT_FALSE(move("r1"));
  EXPECT_EQ(from_->find("r1")->status, "aborted");
  EXPECT_EQ(to_->find("r1")->status, "queued");
  EXPECT_EQ(to_->newest("r1"), 1);
}

TEST_F(MoveTest, OneThatSomebodyWorksOnStays) {
  write("r1", "running");
  const auto hold = from_->hold("r1");
  EXPECT_THROW(move("r1"), journal::Locked);
  EXPECT_FALSE(to_->find("r1"));
  EXPECT_EQ(from_->find("r1")->status, "running");
}

TEST_F(MoveTest, OneWhoseIdLeadsElsewhereStays) {
  for (const char* id : {"../../r1", "-r1", "r\x1b[31m"}) {
    from_->create(a_run(id, "complete"), {}, {{0, Time(Millis(5)), "queued", "", Json::object()}},
                  Json());
    EXPECT_THAT(error_of([&] { move(id); }),
                ::testing::EndsWith("is no id of a run\nit stays where it is"));
    EXPECT_FALSE(to_->find(id));
  }
}

TEST_F(MoveTest, AnotherOneOfItsNameStandsInTheWay) {
  write("r1", "queued");
  to_->create(a_run("r1", "complete"), {}, {{0, Time(Millis(5)), "queued", "", {{"by", "Bob"}}}},
              Json());
  EXPECT_EQ(error_of([&] { move("r1"); }),
            "there is another run 'r1' in the database\nthat one stays, and this one where it is");
  EXPECT_EQ(from_->find("r1")->status, "queued");
}

}  // namespace
}  // namespace agneto::run
