// Context entries that are only counted: set to numbers that are written out, and moved by steps.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lint/number_tests.h"

namespace agneto::lint {

struct Counter {
  std::vector<double> steps;     // positive and negative ones
  std::vector<double> settings;  // what it begins with and is set to, as far as that is known
  std::optional<double> least;   // of all these; none where it is not known
  std::optional<double> most;
  bool is_listed = true;  // are the settings all there are?

  bool only_grows() const;
  bool only_shrinks() const;
};

// Those of the machine, by name; an entry with which anything else is done is none.
std::map<std::string, Counter, std::less<>> counters_of(const LintContext& context,
                                                        const Machine& machine);

// What the test of it comes to, whatever was counted; none where that depends.
std::optional<bool> settled(const Counter& counter, const NumberTest& test);

}  // namespace agneto::lint
