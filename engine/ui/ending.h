// How a run ended, in words.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "record/event.h"
#include "ui/styled.h"
#include "workspace/branch_work.h"

namespace agneto::ui {

struct RunEnding {
  record::RunFinished run;  // without a branch: no repository
  workspace::BranchWork work = {};

  // Why it ended so: the final state's reason or, if that is empty, the output `reason`; empty if
  // neither says it.
  std::string why() const;
  // Was its branch merged?
  bool merged() const;
};

// "DONE (complete): why". `told`: the reason stands above already.
Styled headline(const RunEnding& ending, bool told = false);

// The outputs, and what can be done with the branch, as names and values.
std::vector<std::pair<std::string, std::string>> facts(const RunEnding& ending);

}  // namespace agneto::ui
