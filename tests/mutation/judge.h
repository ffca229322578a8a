// Who notices that a workflow is wrong: lint at its strictest, else the tests of the workflow and
// of its hooks.
#pragma once

#include <algorithm>
#include <memory>
#include <string>

#include "lint/lint.h"
#include "mutant.h"
#include "play/play_case.h"
#include "play/read_scenario.h"
#include "play/snapshots.h"
#include "script/lua_tests.h"

namespace agneto::mutation {

enum class Caught { by_lint, by_tests, by_exploring, by_nobody };

// Judges one text at a time; a thread has its own.
class Judge {
 public:
  explicit Judge(const Texts& texts) : files_(texts) {}

  // Those that take the longest come last, and are asked only where the others say nothing.
  Caught judge(const std::string& file, const std::string& text) {
    const std::string was = files_.read(file).value();
    files_.add(file, text);
    Caught caught = Caught::by_nobody;
    if (lints(false)) {
      caught = Caught::by_lint;
    } else if ((file.ends_with(".lua") && fails_a_test_of_hooks()) || fails_a_test(file)) {
      caught = Caught::by_tests;
    } else if (lints(true)) {
      caught = Caught::by_exploring;
    }
    files_.add(file, was);
    return caught;
  }

 private:
  // Is anything found, be it a warning?
  bool lints(bool explore) const {
    const auto findings =
        lint::lint("workflows/agneto.yaml", files_, library, {.explore = explore});
    return !findings.diagnostics.empty();
  }

  // The execution machine knows nothing of the one that delegates to it.
  bool fails_a_test(const std::string& file) const {
    const bool above = file == "workflows/agneto.yaml";
    return (!above && fails("workflows/execution.test.yaml")) ||
           fails("workflows/agneto.test.yaml");
  }

  // Of what hooks are for, which takes less time than all scenarios.
  bool fails_a_test_of_hooks() const {
    if (fails("workflows/execution.test.yaml", Cases::of_prompts)) return true;
    if (fails("workflows/agneto.test.yaml", Cases::of_prompts)) return true;
    for (const char* file : {"scripts/prompts.test.lua", "scripts/roles.test.lua"}) {
      const script::LuaTests tests(files_, file, library);
      for (const std::string& name : tests.names()) {
        if (tests.run(name)) return true;
      }
    }
    return false;
  }

  // Does a case fail, or is a prompt another than the one that was reviewed?
  enum class Cases { all, of_prompts };
  bool fails(const std::string& file, Cases which = Cases::all) const {
    Diagnostics diagnostics;
    const auto source = std::make_shared<Source>(file, files_.read(file).value());
    const auto suite = play::read_suite(file, source, files_, library, diagnostics);
    const auto workflow = play::load_workflow(suite->workflow, files_, library, diagnostics);
    play::check_suite(*suite, *workflow.loaded.system, diagnostics);
    if (diagnostics.has_errors()) return true;
    const play::Snapshots snapshots(files_, file);
    return std::any_of(suite->cases.begin(), suite->cases.end(), [&](const play::Case& row) {
      if (which == Cases::of_prompts && !looks_at_prompts(row)) return false;
      const play::Result result = play::play_case(row, workflow);
      return !result.failures.empty() || !snapshots.differences(result).empty();
    });
  }

  static bool looks_at_prompts(const play::Case& row) {
    return !row.expect.prompts.empty() ||
           std::any_of(row.steps.begin(), row.steps.end(),
                       [](const auto& step) { return !step.expect.prompts.empty(); });
  }

  static constexpr const char* library = "scripts/lib";
  MemoryFiles files_;
};

}  // namespace agneto::mutation
