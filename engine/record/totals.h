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

// The time in which an agent or a program is at work; several at once count once. People, timers
// and providers that are away take no time.
struct WorkTime {
  Millis worked{0};           // in stretches that are over
  std::optional<Time> since;  // when the present stretch began; none: nothing is at work

  Millis until(Time now) const {
    return since ? worked + std::max(Millis(0), now - *since) : worked;
  }
  void start(Time now) {
    if (!since) since = now;
  }
  // The present stretch, if there is one, is over.
  void stop(Time now) {
    worked = until(now);
    since.reset();
  }
};

struct Totals {
  int calls = 0;  // agent calls that have ended of which somebody was asked, cancelled ones as well
  int attempts = 0;  // times that a provider has answered, or failed
  agents::Usage usage;
  WorkTime time;
};

// {"calls", "attempts", "cost", "input_tokens", "output_tokens", "unpriced"?, "uncounted"?,
// "worked", "since"?}; times are milliseconds.
Json to_json(const Totals& totals);
Totals totals_from(const Json& json);

// False of an attempt whose program could not be started, so that nobody was asked: the first of
// its call, which ends with it.
bool asked_somebody(const agents::ReplyRecord& reply);

class Tally {
 public:
  // Entries come in order, from the first. What was undone was used all the same.
  void add(const Entry& entry);
  // Up to the last entry.
  const Totals& totals() const { return totals_; }
  const PendingActivities& pending() const { return pending_; }
  // Calls, by path, of which an attempt is under way, and programs.
  const std::set<std::string>& at_work() const { return at_work_; }
  // Calls and programs that were begun, and that the last entry has cancelled: by path.
  const std::vector<std::string>& cancelled() const { return cancelled_; }

 private:
  void follow(const Entry& entry);
  void step(const Entry& entry, const Macrostep& step);
  void works(const std::string& path, Time time);
  void rests(const std::string& path, Time time);
  void all_rest(Time time);

  Totals totals_;
  PendingActivities pending_;
  std::optional<Time> last_;
  std::set<std::string> begun_;    // calls and programs without an outcome, by path
  std::set<std::string> at_work_;  // of these, where an attempt is under way
  std::vector<std::string> cancelled_;
};

// All that the run has used. `run.status` tells whether somebody works on it: where it is
// "running", what was at work is so until `now`.
Totals totals_of(const std::vector<Entry>& entries, const journal::RunRecord& run, Time now);

}  // namespace agneto::record
