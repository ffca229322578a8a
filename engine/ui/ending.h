// How a run ended, in words.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "ui/styled.h"
#include "workspace/branch_work.h"

namespace agneto::ui {

struct Ending {
  std::string outcome;
  std::string status;  // "complete", "failed", "aborted"
  std::string reason;  // the final state's; if empty, the output `reason` counts
  Json outputs;
  std::string branch;  // empty: no repository
  std::string base;
  workspace::BranchWork work;

  // Why it ended so; empty if no reason was given.
  std::string why() const;
  // Was its branch merged?
  bool merged() const;
};

// "DONE (complete): why". `told`: the reason stands above already.
Styled headline(const Ending& ending, bool told = false);

// The outputs, and what can be done with the branch, as names and values.
std::vector<std::pair<std::string, std::string>> facts(const Ending& ending);

}  // namespace agneto::ui
