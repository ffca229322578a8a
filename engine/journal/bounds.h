// How many runs may be worked on at a time.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace agneto::journal {

struct RunRecord;

// At most so many, of all that share the journal.
struct Bounds {
  std::map<std::string, int> workflows = {};  // by the name of their workflow
  std::map<std::string, int> providers = {};  // by a provider that they need

  bool any() const { return !workflows.empty() || !providers.empty(); }
};

// Why one more like this may not be worked on beside those; empty: it may.
std::string obstacle(const Bounds& bounds, const RunRecord& run,
                     const std::vector<RunRecord>& worked_on);

// The workflows, and the providers, of which there may be no more.
Bounds reached(const Bounds& bounds, const std::vector<RunRecord>& worked_on);

}  // namespace agneto::journal
