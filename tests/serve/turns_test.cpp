#include "serve/turns.h"

#include <gtest/gtest.h>

#include <thread>

#include "run/steer.h"

namespace agneto::serve {
namespace {

TEST(TurnsTest, AreTakenByOneAtATime) {
  Turns turns;
  int done = 0;  // a race that ThreadSanitizer sees
  const auto work = [&] {
    for (int i = 0; i < 1000; ++i) {
      const auto turn = turns.take();
      ++done;
    }
  };
  std::thread one(work), another(work);
  one.join();
  another.join();
  EXPECT_EQ(done, 2000);
}

TEST(TurnsTest, WhoWaitsTooLongIsToldToAskAgain) {
  Turns turns(Millis(1));
  {
    const auto turn = turns.take();
    try {
      turns.take();
      FAIL() << "two have a turn";
    } catch (const run::NotYet& problem) {
      EXPECT_STREQ(problem.what(), "this server is making what others have asked for");
      EXPECT_EQ(problem.help(), "ask again in a moment");
    }
  }
  EXPECT_TRUE(turns.take());
}

}  // namespace
}  // namespace agneto::serve
