// What a run has used: calls, attempts, money, tokens and time. `Tally` adds it up over the record,
// and everything that shows costs and counts shows what it says.
#pragma once

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "agents/caller.h"
#include "base/clock.h"
#include "base/json.h"
#include "record/entry.h"
#include "record/pending.h"

namespace agneto::record {

struct Totals {
  int calls = 0;  // agent calls that have ended: with an outcome, or cancelled when they were made
  int attempts = 0;  // times that a provider has answered, or failed
  agents::Usage usage;
  Millis worked{0};           // wall time while not suspended, of stretches that are over
  std::optional<Time> since;  // when the present stretch began; none: nobody is at work

  Millis worked_until(Time time) const {
    return since ? worked + std::max(Millis(0), time - *since) : worked;
  }
  // The present stretch, if there is one, is over.
  void stop(Time time) {
    worked = worked_until(time);
    since.reset();
  }
};

// {"calls", "attempts", "cost", "input_tokens", "output_tokens", "worked", "since"?}; times are
// milliseconds.
Json to_json(const Totals& totals);
Totals totals_from(const Json& json);

class Tally {
 public:
  // Entries come in order, from the first. What was undone was used all the same.
  void add(const Entry& entry);
  // Up to the last entry.
  const Totals& totals() const { return totals_; }
  const PendingActivities& pending() const { return pending_; }

 private:
  bool is_open_call(const std::string& path) const;

  Totals totals_;
  PendingActivities pending_;
  std::optional<Time> last_;
  std::set<std::string> asked_;  // calls that a provider was asked for, by path
};

// All that the run has used. `run.status` tells whether somebody works on it: where it is
// "running", time has gone on until `now`.
Totals totals_of(const std::vector<Entry>& entries, const journal::RunRecord& run, Time now);

}  // namespace agneto::record
