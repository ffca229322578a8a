#include "base/log.h"

#include <gmock/gmock.h>

#include <thread>

namespace agneto::log {
namespace {

using ::testing::ElementsAre;

struct Kept : Sink {
  void write(const Line& line) noexcept override {
    lines.push_back(std::string(line.run) + "|" + std::string(line.path) + "|" +
                    std::string(line.message));
  }
  std::vector<std::string> lines;
};

class LogTest : public ::testing::Test {
 protected:
  LogTest() { install(kept_); }
  ~LogTest() override { install(nullptr); }

  std::shared_ptr<Kept> kept_ = std::make_shared<Kept>();
};

TEST_F(LogTest, ALineConcernsTheInnermostScope) {
  info("before");
  {
    const Scope run("r");
    info("in the run");
    {
      const Scope call("r", "A#1");
      info("in a call");
    }
    info("in the run again");
  }
  info("behind");
  EXPECT_THAT(kept_->lines, ElementsAre("||before", "r||in the run", "r|A#1|in a call",
                                        "r||in the run again", "||behind"));
}

TEST_F(LogTest, AScopeHoldsForItsThread) {
  const Scope scope("r", "A#1");
  std::thread([] { info("elsewhere"); }).join();
  EXPECT_THAT(kept_->lines, ElementsAre("||elsewhere"));
}

TEST_F(LogTest, WithoutASinkALineGoesNowhere) {
  install(nullptr);
  error("unheard");
  EXPECT_TRUE(kept_->lines.empty());
}

}  // namespace
}  // namespace agneto::log
