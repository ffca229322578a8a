// A recorded run gone through again, on paper: the machine is stepped over what came of the world
// then, nobody is called, and what the machine does now is held against what it did.
//
// Whatever the run is replayed on (its own recorded sources, or an edited workflow), the recorded
// outcomes, answers, events and timers are fed in their order, each to the activity of the same
// path, else to one of the same state, else to one that asks for the same (ReplayedMachine). What
// nobody waits for is left out. Replies are read by the hooks anew.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "chart/step.h"
#include "journal/journal.h"
#include "record/entry.h"
#include "run/config.h"
#include "script/hooks.h"

namespace agneto::replay {

// A workflow that a run can be replayed on. All outlive the replay.
struct Script {
  const model::System& system;
  chart::Evaluator& evaluator;
  const Files& files;  // hooks are read through them
  script::ModulePaths modules;
};

struct ReplayOptions {
  bool prompts = false;                 // render them anew, and compare
  const run::Config* config = nullptr;  // what is added to prompts; may be null
  // m.workspace as it was at a checkpoint of the call with that path. Throws Error where that
  // cannot be told any more.
  std::function<Json(const std::string& path, const std::string& checkpoint)> workspace;
};

struct StepDifference {
  journal::Seq seq = 0;            // the recorded macrostep's entry
  std::string event;               // "PLAN_CREATED of TASK_PLANNING#1", "start"
  std::vector<std::string> lines;  // a diff: "- recorded", "+ now"
};

// A call whose replies are read otherwise now.
struct VerdictDifference {
  journal::Seq seq = 0;  // the macrostep's that took the outcome
  std::string path;
  std::string agent;
  std::vector<std::string> lines;
};

struct PromptDifference {
  journal::Seq seq = 0;
  std::string path;
  int attempt = 1;
  std::string unknown;  // why it could not be rendered; then there are no lines
  std::vector<std::string> lines;
};

struct Replay {
  int steps = 0;      // recorded macrosteps
  int differing = 0;  // of them
  std::optional<StepDifference> first;
  std::vector<VerdictDifference> verdicts;
  int prompts = 0;  // compared
  std::vector<PromptDifference> prompt_differences;
  std::vector<std::string> unused;   // recorded events that nothing came of now, and why
  std::vector<std::string> waiting;  // activities that the machine orders and the run never ended
  std::vector<std::string> notes;    // what could not be compared, and why
  // Do the recorded sources do what was recorded? If not (another version of the program, sources
  // replaced on the way), data and configurations are not compared.
  bool faithful = true;
  std::string recorded_end, end;  // "TASK_COMPLETE (complete)", or where it stands

  bool same() const { return !first && verdicts.empty(); }
};

// Entries that do not stand are passed over. `recorded`: the run's own sources, `now` those that it
// is replayed on; they may be the same. `state`: the journal's newest state, compared where the two
// are the same; null: not compared.
Replay replay(const journal::RunRecord& run, const std::vector<record::Entry>& entries,
              const Json& state, const Script& recorded, const Script& now,
              const ReplayOptions& options);

}  // namespace agneto::replay
