// How scenarios are played for many who look, by a program in agneto's place.
#include "serve/scenarios.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/files.h"
#include "support/paths.h"
#include "support/temporary_folder.h"

namespace agneto::serve {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;

class ScenariosTest : public ::testing::Test {
 protected:
  // A shell script, which also counts how often it is called.
  void program(const std::string& script) {
    write_file(folder_ / "agneto", "#!/bin/sh\necho \"$@\" >> called\n" + script);
    fs::permissions(folder_ / "agneto", fs::perms::owner_all);
  }
  std::string called() const { return Disk().read(folder_ / "called").value_or(""); }
  // What is wrong, with what to do about it.
  static std::string failure(const Scenarios& scenarios) {
    try {
      scenarios.play("flow", "flow.test.yaml", "flow");
    } catch (const Error& error) {
      return std::string(error.what()) + " / " + error.help();
    }
    return "nothing";
  }
  Scenarios scenarios(Millis patience = Millis{20'000}) const {
    return {folder_ / "agneto", fs::path(AGNETO_BINARY_DIR) / "agneto-guard", folder_.path(),
            patience};
  }

  testing::TemporaryFolder folder_;
};

TEST_F(ScenariosTest, ArePlayedOnceForAllWhoAsk) {
  program(R"(echo '{"case": "one", "passed": true}'
echo '{"case": "two", "passed": false}'
echo '{"agneto-coverage": 1, "machines": []}'
exit 1
)");
  const auto tried = scenarios();
  for (int i = 0; i < 2; ++i) {
    const Played played = tried.play("flow", "flow.test.yaml", "flow");
    EXPECT_EQ(played.cases, 2U);
    EXPECT_THAT(played.failed, ElementsAre("two"));
    EXPECT_EQ(played.coverage, Json::parse(R"({"agneto-coverage": 1, "machines": []})"));
  }
  EXPECT_EQ(called(), "test flow.test.yaml --json --coverage\n");
}

TEST_F(ScenariosTest, ThatCannotBePlayedSayWhy) {
  program("echo 'flow.test.yaml:1: error: it is wrong' >&2\nexit 2\n");
  EXPECT_EQ(failure(scenarios()),
            "the scenarios of 'flow' cannot be played / flow.test.yaml:1: error: it is wrong");
}

TEST_F(ScenariosTest, ThatTakeTooLongAreEnded) {
  program("exec tail -f /dev/null\n");
  EXPECT_EQ(failure(scenarios(Millis{50})),
            "the scenarios of 'flow' were not played to their end after 50ms / 'agneto test flow' "
            "takes its time");
}

}  // namespace
}  // namespace agneto::serve
