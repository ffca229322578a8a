// Whether what an author says of every run is so: proved, disproved by events that a run can come
// to, or neither.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "lint/context.h"

namespace agneto::lint {

// What is to be said of an invariant that is not proved.
struct Judgement {
  bool refuted = false;  // else it is neither proved nor disproved
  std::string message;
  std::string help;
  std::vector<std::string> trace = {};
};

// Judges the machine as it is run by itself, with the defaults of inputs that are numbers, and then
// as others delegate to it; tells of the first of these in which the invariant does not hold.
// Nothing where it is proved.
std::optional<Judgement> judge(const LintContext& context, const Machine& machine,
                               std::size_t invariant);

// Judges that exploration of the machine alone.
std::optional<Judgement> judge_in(const LintContext& context, const Machine& machine,
                                  const Exploration& found, std::size_t invariant);

}  // namespace agneto::lint
