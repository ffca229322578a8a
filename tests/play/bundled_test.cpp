// The scenario tests that come with the bundled workflows pass, and take every transition.
#include "playing_files.h"

namespace agneto::play {
namespace {

TEST(Bundled, ScenariosPass) {
  int cases = 0;
  Coverage coverage;
  for (const auto& entry : fs::directory_iterator(fs::path(AGNETO_SOURCE_DIR) / "workflows")) {
    if (!entry.path().string().ends_with(".test.yaml")) continue;
    cases += play_file(entry.path(), &coverage);
  }
  EXPECT_GE(cases, 15);
  ASSERT_EQ(coverage.machines().size(), 2u);
  for (const auto& [file, of] : coverage.machines()) {
    EXPECT_EQ(of.of_states().percent(), 100) << file << "\n" << join(missing(of), "\n");
    EXPECT_EQ(of.of_transitions().percent(), 100) << file << "\n" << join(missing(of), "\n");
    EXPECT_EQ(of.of_verdicts().percent(), 100) << file << "\n" << join(missing(of), "\n");
    EXPECT_EQ(of.of_guards().percent(), 100) << file << "\n" << join(missing(of), "\n");
  }
}

}  // namespace
}  // namespace agneto::play
