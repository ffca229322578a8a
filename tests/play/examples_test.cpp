// The scenario tests of the examples pass.
#include <map>

#include "playing_files.h"

namespace agneto::play {
namespace {

TEST(Examples, ScenariosPass) {
  std::map<std::string, int> passed;
  const fs::path examples = fs::path(AGNETO_SOURCE_DIR) / "workflows" / "examples";
  for (const auto& entry : fs::recursive_directory_iterator(examples)) {
    if (!entry.path().string().ends_with(".test.yaml")) continue;
    passed[entry.path().parent_path().filename().string()] += play_file(entry.path());
  }
  for (const auto& folder : fs::directory_iterator(examples)) {
    EXPECT_GE(passed[folder.path().filename().string()], 9) << folder.path();
  }
}

}  // namespace
}  // namespace agneto::play
