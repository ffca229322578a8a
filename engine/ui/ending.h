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
  std::string reason;  // the final state's own; else the output `reason` is it
  Json outputs;
  std::string branch;  // empty: no repository
  std::string base;
  workspace::BranchWork work;

  // Why it ended so; empty where nobody said.
  std::string why() const;
  // Was its branch merged?
  bool merged() const;
};

// "DONE (complete): why". `told`: the reason stands above already.
Styled headline(const Ending& ending, bool told = false);

// What it put out, and what can be done with its branch, as names and values.
std::vector<std::pair<std::string, std::string>> facts(const Ending& ending);

}  // namespace agneto::ui
