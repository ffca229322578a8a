// Is it as expected?
#pragma once

#include <string>
#include <vector>

#include "chart/step.h"
#include "play/play_case.h"

namespace agneto::play {

// What the agent of a call that has not ended was told.
struct FoundPrompt {
  std::string path;  // of the call
  std::string agent;
  std::string text;     // as its hook has made it
  std::string problem;  // why there is none
};

// What a step, or the whole case, has come to.
struct Found {
  std::vector<chart::ActiveState> active;
  std::vector<std::string> path;                  // of the case so far; with entry numbers
  Json context;                                   // of the root machine
  Json machines;                                  // of the others, by path
  Json effects = Json::array();                   // of the step, or of the whole case
  std::vector<chart::Effects::Problem> problems;  // the same
  std::vector<FoundPrompt> prompts;               // in document order
  std::optional<chart::Finish> finish;
  bool handled = true;
};

// All that differs. `span`: the step, or the case's name; `when`: "after this step", "at the end".
std::vector<Failure> compare(const Expectation& expected, const Found& found, Span span,
                             const std::string& when);

}  // namespace agneto::play
