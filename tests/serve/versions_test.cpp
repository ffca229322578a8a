// What the programs of providers say of themselves.
#include "serve/versions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <fstream>
#include <stdexcept>
#include <vector>

#include "support/temporary_folder.h"

namespace agneto::serve {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

class VersionsTest : public ::testing::Test {
 protected:
  std::filesystem::path program(const std::string& name) {
    const std::filesystem::path file = folder_ / name;
    std::ofstream(file) << "a program";
    return file;
  }
  std::string ask(const std::filesystem::path& program) {
    const std::lock_guard lock(mutex_);
    asked_.push_back(program.filename());
    if (program.filename() == "broken") throw std::runtime_error("no descriptors are left");
    return program.filename() == "mute" ? "" : "1.2." + std::to_string(asked_.size());
  }
  // What is known once those were asked who are to be.
  auto asked_for(const std::map<std::string, std::filesystem::path>& programs) {
    {
      const std::lock_guard lock(mutex_);
      heard_ = false;
    }
    versions_.of(programs);
    std::unique_lock lock(mutex_);
    told_.wait(lock, [this] { return heard_; });
    lock.unlock();
    return versions_.of(programs);
  }

  testing::TemporaryFolder folder_;
  std::mutex mutex_;
  std::condition_variable told_;
  std::vector<std::string> asked_;
  bool heard_ = false;
  Versions versions_{[this](const auto& program, const auto&) { return ask(program); },
                     [this] {
                       const std::lock_guard lock(mutex_);
                       heard_ = true;
                       told_.notify_all();
                     }};
};

TEST_F(VersionsTest, OneThatCannotBeAskedHasNoneAndIsNotAskedAgain) {
  const std::map<std::string, std::filesystem::path> programs = {{"a", program("broken")},
                                                                 {"b", program("claude")}};
  EXPECT_THAT(asked_for(programs), ElementsAre(Pair("b", "1.2.2")));
  EXPECT_THAT(versions_.of(programs), ElementsAre(Pair("b", "1.2.2")));
  EXPECT_THAT(asked_, ElementsAre("broken", "claude"));
}

TEST_F(VersionsTest, EachProgramIsAskedOnce) {
  const std::map<std::string, std::filesystem::path> programs = {
      {"claude", program("claude")}, {"own", program("mute")}, {"gone", folder_ / "gone"}};
  EXPECT_THAT(asked_for(programs), ElementsAre(Pair("claude", "1.2.1")));
  EXPECT_THAT(versions_.of(programs), ElementsAre(Pair("claude", "1.2.1")));
  EXPECT_THAT(asked_, ElementsAre("claude", "mute"));
  EXPECT_THAT(versions_.of({}), IsEmpty());
}

TEST_F(VersionsTest, AProgramThatWasReplacedIsAskedAgain) {
  const auto claude = program("claude");
  asked_for({{"claude", claude}});
  std::filesystem::rename(program("new"), claude);
  EXPECT_THAT(asked_for({{"claude", claude}}), ElementsAre(Pair("claude", "1.2.2")));
}

}  // namespace
}  // namespace agneto::serve
