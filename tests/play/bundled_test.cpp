// The tests that come with the bundled workflows and their hooks pass, and take every transition.
#include "playing_files.h"
#include "script/lua_tests.h"

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

// They are told of files, which scenarios have none of.
TEST(Bundled, TestsOfHooksPass) {
  const Disk disk;
  const fs::path scripts = fs::path(AGNETO_SOURCE_DIR) / "scripts";
  std::size_t passed = 0;
  for (const auto& entry : fs::directory_iterator(scripts)) {
    if (!entry.path().string().ends_with(".test.lua")) continue;
    const script::LuaTests tests(disk, entry.path(), scripts / "lib");
    for (const std::string& name : tests.names()) {
      EXPECT_EQ(tests.run(name), std::nullopt) << name;
      ++passed;
    }
  }
  EXPECT_GE(passed, 10u);
}

}  // namespace
}  // namespace agneto::play
