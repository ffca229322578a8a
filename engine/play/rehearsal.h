// A run without calling anybody: the machine goes the way that it is meant to go, and each prompt
// that would be sent is made and shown.
//
// An activity ends as it was chosen to; else, the first time that its state is there, in the first
// outcome that the workflow names, and later in the one from which it is nearest to an end that
// completes. A verdict's fields are filled with words that say so: "<plan>". What has no outcome
// of its own, a command or a commit, succeeds. Where nothing but time can go on, the next timer
// comes due. It ends where the machine comes again to a point from which all would be the same.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "chart/evaluator.h"
#include "play/simulator.h"

namespace agneto::play {

// What an agent would be sent.
struct Prompt {
  std::string path;
  std::string agent, provider, model;  // the last may be empty
  std::string effort;                  // so may it
  model::Access access = model::Access::read_only;
  Millis timeout{0};                        // of the call
  std::string text;                         // whole, as it would be sent
  std::string problem;                      // why there is none; the call would end in error.lua
  bool saw_no_files = false;                // its hook looked at the worktree, which is not there
  std::vector<std::string> unmatched = {};  // of its `files`, what no file matches
};

// Makes the prompt of a call that the machine has just ordered.
using PromptMaker =
    std::function<Prompt(const chart::CallAgent& call, const chart::Instance& instance)>;

// How an activity ended.
struct Decision {
  std::string path;
  std::string what;   // "agent planner", "asks: Merge?", "runs: make test", "commits", "waits", …
  Millis timeout{0};  // of a command
  std::string outcome;              // of a timer that came due "after 1h"
  std::vector<std::string> others;  // that could have been chosen
};

// What is to happen once time has passed.
struct PlannedTimer {
  std::string path;  // the state's or the machine's whose timer it is; a delayed event's own
  Millis delay{0};
  std::vector<std::string> targets;  // of all alternatives
};

class DryRunListener {
 public:
  virtual ~DryRunListener() = default;
  virtual void prompt(const Prompt& prompt) = 0;
  virtual void timer(const PlannedTimer& timer) = 0;
  virtual void decision(const Decision& decision) = 0;
  virtual void problem(const chart::Effects::Problem& problem) = 0;
};

struct Plan {
  Json inputs;  // checked
  chart::RunInfo run;
  // By state or path, without the numbers of entries ("REVIEWING", "CODING/REVIEWING"): what its
  // activity ends in, the first time, the second and so on. Each item of a for_each has its own
  // first time; one alone is meant by "PANEL[2]/REVIEWING".
  std::map<std::string, std::vector<std::string>> choices;
};

struct DryRunEnd {
  std::string outcome;  // empty: it did not come to an end
  model::FinalStatus status = model::FinalStatus::complete;
  std::string reason;               // why it did not end
  std::vector<std::string> unused;  // choices, as "STATE=OUTCOME", that nothing came to
};

// `evaluator` is that of `system`. Throws Error where a choice is not possible, saying what is.
DryRunEnd rehearse(const Plan& plan, const model::System& system, chart::Evaluator& evaluator,
                   const PromptMaker& prompt_of, DryRunListener& listener);

}  // namespace agneto::play
