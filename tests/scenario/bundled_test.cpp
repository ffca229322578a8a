// The scenario tests that come with the bundled workflows pass, and take every transition.
#include <gtest/gtest.h>

#include "scenario/load.h"
#include "scenario/play.h"
#include "support/paths.h"

namespace agneto::scenario {
namespace {

TEST(Bundled, ScenariosPass) {
  const fs::path root(AGNETO_SOURCE_DIR);
  const Disk disk;
  int cases = 0;
  Coverage coverage;
  for (const auto& entry : fs::directory_iterator(root / "workflows")) {
    if (!entry.path().string().ends_with(".test.yaml")) continue;
    Diagnostics diagnostics;
    const auto source =
        std::make_shared<Source>(entry.path().string(), disk.read(entry.path()).value_or(""));
    const auto suite = read(entry.path(), source, diagnostics);
    ASSERT_TRUE(suite) << render(diagnostics);
    const Workflow workflow =
        load_workflow(suite->workflow, disk, root / "scripts" / "lib", diagnostics);
    check(*suite, *workflow.loaded.system, diagnostics);
    ASSERT_EQ(render(diagnostics), "");
    coverage.add(workflow.loaded.system);
    for (const Case& row : suite->cases) {
      ++cases;
      for (const Failure& failure : play(row, workflow, &coverage).failures) {
        ADD_FAILURE() << row.name.text << "\n" << render(failure.diagnostic);
      }
    }
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
}  // namespace agneto::scenario
