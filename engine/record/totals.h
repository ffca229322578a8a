// What a run has used: calls, attempts, money, tokens and time. `Tally` adds it up over the record,
// and everything that shows costs and counts shows what it says.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
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
  // Calls whose agent was asked: its program has started, or its reply is in.
  int calls = 0;
  int attempts = 0;  // times that a provider has answered, or failed
  agents::Usage usage;
  WorkTime time;
};

// {"calls", "attempts", "cost", "input_tokens", "output_tokens", "unpriced"?, "uncounted"?,
// "worked", "since"?}; times are milliseconds.
Json to_json(const Totals& totals);
Totals totals_from(const Json& json);

class Tally {
 public:
  // Entries come in order, from the first. What was undone was used all the same.
  void add(const Entry& entry);
  // Up to the last entry.
  const Totals& totals() const { return totals_; }
  // What is used in that machine instance is counted of the next entries, too, but for what a
  // rewind has undone; it is not any more.
  void watch(const std::string& instance) { inside_.try_emplace(instance); }
  void unwatch(const std::string& instance) { inside_.erase(instance); }
  // The same of an instance, which is watched.
  const Totals& totals(const std::string& instance) const { return inside_.at(instance); }
  // Was the agent of that call asked?
  bool is_counted(const std::string& call) const { return counted_.contains(call); }
  const PendingActivities& pending() const { return pending_; }
  // Calls, by path, of which an attempt is under way, and programs.
  const std::set<std::string>& at_work() const { return at_work_; }
  // Calls and programs that were begun, and that the last entry has cancelled: by path.
  const std::vector<std::string>& cancelled() const { return cancelled_; }

 private:
  void follow(const Entry& entry);
  void step(const Entry& entry, const Macrostep& step);
  void count_call(const Entry& entry);
  void use(const Entry& entry, const std::function<void(Totals&)>& add);
  void works(const Entry& entry);
  void rests(const std::string& path, Time time);
  void all_rest(Time time);

  Totals totals_;
  std::map<std::string, Totals> inside_;  // the instances that are watched
  std::map<std::string, Seq> counted_;    // calls, by path, and the entry that each counts for
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
