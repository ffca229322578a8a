// The scenario tests that come with the bundled workflows pass.
#include "playing_files.h"

namespace agneto::scenario {
namespace {

TEST(Bundled, ScenariosPass) {
  int cases = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(AGNETO_SOURCE_DIR) / "workflows")) {
    if (entry.path().string().ends_with(".test.yaml")) cases += play_file(entry.path());
  }
  EXPECT_GE(cases, 15);
}

}  // namespace
}  // namespace agneto::scenario
