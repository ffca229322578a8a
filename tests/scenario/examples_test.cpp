// The scenario tests of the examples pass.
#include <gtest/gtest.h>

#include "scenario/load.h"
#include "scenario/play.h"
#include "support/paths.h"

namespace agneto::scenario {
namespace {

// How many passed.
int play_all(const fs::path& file) {
  const fs::path root(AGNETO_SOURCE_DIR);
  const Disk disk;
  Diagnostics diagnostics;
  const auto source = std::make_shared<Source>(file.string(), disk.read(file).value_or(""));
  const auto suite = read(file, source, diagnostics);
  if (!suite) {
    ADD_FAILURE() << render(diagnostics);
    return 0;
  }
  const Workflow workflow =
      load_workflow(suite->workflow, disk, root / "scripts" / "lib", diagnostics);
  check(*suite, *workflow.loaded.system, diagnostics);
  EXPECT_EQ(render(diagnostics), "");
  int passed = 0;
  for (const Case& row : suite->cases) {
    const auto failures = play(row, workflow).failures;
    if (failures.empty()) ++passed;
    for (const Failure& failure : failures) {
      ADD_FAILURE() << row.name.text << "\n" << render(failure.diagnostic);
    }
  }
  return passed;
}

TEST(Examples, ScenariosPass) {
  std::map<std::string, int> passed;
  const fs::path examples = fs::path(AGNETO_SOURCE_DIR) / "workflows" / "examples";
  for (const auto& entry : fs::recursive_directory_iterator(examples)) {
    if (!entry.path().string().ends_with(".test.yaml")) continue;
    passed[entry.path().parent_path().filename().string()] += play_all(entry.path());
  }
  for (const auto& folder : fs::directory_iterator(examples)) {
    EXPECT_GE(passed[folder.path().filename().string()], 9) << folder.path();
  }
}

}  // namespace
}  // namespace agneto::scenario
