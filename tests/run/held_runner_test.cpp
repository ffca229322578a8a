// Programs of a run of which this process has a lease: they end before it is over.
#include "run/held_runner.h"

#include <gtest/gtest.h>

#include <atomic>

#include "journal/journal.h"
#include "support/errors.h"
#include "support/paths.h"

namespace agneto::run {
namespace {

using testing::error_of;

class TimedHold : public journal::Hold {
 public:
  const std::string& owner() const override { return owner_; }
  std::optional<Millis> lasts() const override {
    ++asked;
    return left;
  }
  std::optional<Millis> left;
  mutable std::atomic<int> asked{0};

 private:
  std::string owner_ = "process 1";
};

constexpr const char* left_alone =
    "run r is left alone: its lease could not be renewed in time, so its programs were ended "
    "before another process may take it\n"
    "nothing more is written here; look at it with 'agneto show r'";

class HeldRunnerTest : public ::testing::Test {
 protected:
  process::Exit run(const std::string& script, process::Listener& listener) {
    process::Spec spec;
    spec.argv = {"/bin/sh", "-c", script};
    spec.cwd = "/";
    return HeldRunner(std::string(AGNETO_BINARY_DIR) + "/agneto-guard", hold, "r")
        .run(spec, listener, {});
  }

  TimedHold hold;
  process::Listener quiet;
};

TEST_F(HeldRunnerTest, AHoldThatLastsForAsLongAsItsProcessIsAskedOnceAtTheStartAndAtTheEnd) {
  EXPECT_EQ(run("echo done", quiet).output, "done\n");
  EXPECT_EQ(hold.asked, 2);
}

TEST_F(HeldRunnerTest, AProgramWhoseLeaseRunsOutIsEndedAndItsEndIsNobodysResult) {
  hold.left = process::GuardedRunner::reserve;
  EXPECT_EQ(error_of([&] { run("sleep 1000", quiet); }), left_alone);
}

// As where this process was stopped between the two, and knows what the program has said.
TEST_F(HeldRunnerTest, AResultCountsForNothingWhereTheLeaseIsOverByThen) {
  class Late : public process::Listener {
   public:
    explicit Late(TimedHold& hold) : hold_(hold) {}
    bool line(std::string_view) override {
      hold_.left = Millis(0);
      return false;
    }

   private:
    TimedHold& hold_;
  } late(hold);
  EXPECT_EQ(error_of([&] { run("echo RESULT; sleep 1000", late); }), left_alone);
}

TEST_F(HeldRunnerTest, AProgramThatEndsInTimeHasItsResult) {
  hold.left = Millis(60'000);
  EXPECT_TRUE(run("exit 0", quiet).ok());
}

}  // namespace
}  // namespace agneto::run
