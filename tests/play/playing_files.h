// The test files that are in the tree, where no configuration is.
#pragma once

#include <gtest/gtest.h>

#include <memory>

#include "model/settings_json.h"
#include "play/play_case.h"
#include "play/read_scenario.h"
#include "play/snapshots.h"
#include "support/paths.h"

namespace agneto::play {

// Plays all of its cases; what is wrong fails the test. Adds to `coverage`, where given, what was
// passed. Returns how many cases passed.
inline int play_file(const fs::path& file, Coverage* coverage = nullptr) {
  const Disk disk;
  Diagnostics diagnostics;
  const auto source = std::make_shared<Source>(file.string(), disk.read(file).value_or(""));
  const fs::path library = fs::path(AGNETO_SOURCE_DIR) / "scripts" / "lib";
  const auto suite = read_suite(file, source, disk, library, diagnostics);
  if (!suite) {
    ADD_FAILURE() << render(diagnostics);
    return 0;
  }
  Workflow workflow = load_workflow(suite->workflow, disk, library, diagnostics);
  workflow.settings_of = [](const model::Machine& machine, model::StateId state) {
    const auto& call = std::get<model::AgentCall>(machine.state(state).activity);
    model::AgentSettings settings = machine.agents[call.agent].settings;
    settings.lay(call.settings);
    return model::to_json(settings);
  };
  check_suite(*suite, *workflow.loaded.system, diagnostics);
  EXPECT_EQ(render(diagnostics), "");
  if (coverage != nullptr) coverage->add(workflow.loaded.system);
  const Snapshots snapshots(disk, file);
  int passed = 0;
  for (const Case& row : suite->cases) {
    const Result result = play_case(row, workflow, coverage);
    auto failures = result.failures;
    for (auto& failure : snapshots.differences(result)) failures.push_back(std::move(failure));
    if (failures.empty()) ++passed;
    for (const Failure& failure : failures) {
      ADD_FAILURE() << row.name.text << "\n" << render(failure.diagnostic);
    }
  }
  return passed;
}

}  // namespace agneto::play
