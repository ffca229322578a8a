// Plays a case: the machine as `simulate` plays it, replies read by the agents' hooks. Calls nobody
// and needs no repository.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "chart/evaluator.h"
#include "model/load.h"
#include "play/coverage.h"
#include "play/macrostep.h"
#include "play/scenario.h"
#include "script/hooks.h"

namespace agneto::play {

// A workflow that cases are played on. Not thread-safe.
struct Workflow {
  model::Loaded loaded;
  std::unique_ptr<chart::Evaluator> evaluator;
  const Files& files;
  script::ModulePaths modules;
  SettingsOf settings_of = {};  // what effects say of agents besides
};

// Reports what is wrong with it, and is not fit to be played then. `files` outlive it; `library` is
// the hook library's folder.
Workflow load_workflow(const fs::path& file, const Files& files, const fs::path& library,
                       Diagnostics& diagnostics);

// Something that is not as it should be.
struct Failure {
  Diagnostic diagnostic;             // what, and at which place of the test file
  std::vector<std::string> details;  // lines: a diff, "- expected" and "+ found"
};

// A prompt of which the case says that it is kept.
struct KeptPrompt {
  Text name;
  std::string text;
};

struct Result {
  std::vector<Failure> failures;  // of one step, after which nothing more was played; none: passed
  std::vector<std::string> path;  // where the machine came to rest, without entry numbers
  std::vector<KeptPrompt> prompts;  // as they are now; play/snapshots.h compares them
};

// What the case comes by is added to `coverage`, if there is one, which knows the workflow's
// system.
Result play_case(const Case& row, const Workflow& workflow, Coverage* coverage = nullptr);

}  // namespace agneto::play
