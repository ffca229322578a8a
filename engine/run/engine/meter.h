// What a run and each machine in it use, and what they may use.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/clock.h"
#include "chart/step.h"
#include "model/machine.h"
#include "record/totals.h"
#include "run/state.h"

namespace agneto::run {

// A machine instance is known by its path, the run's root machine by the empty one. What happens
// inside an instance counts for it and for all around it.
//
class Meter {
 public:
  // A limit that is reached.
  struct Reached {
    std::string instance;
    std::string name;  // "calls", "cost", "tokens", "time"
    std::string why;   // "the limit of 5 agent calls is reached"
  };

  // Limits of the run that are configured go before those that the workflow declares. `used` is
  // kept up to date; of it, which limits were taken is read. `system` and `used` outlive this.
  Meter(const model::System& system, const model::Limits& configured, Spending& used);

  // Takes note of which instances with limits there are now.
  void follow(const chart::Instance& machines);
  // Counts all that is recorded of the run, from its first entry; what is recorded next.
  void count(const std::vector<record::Entry>& all);
  void count(const record::Entry& next);

  // An agent's call begins; it is over. Was its agent asked?
  void call_began(const std::string& path) { calls_.insert(path); }
  bool call_over(const std::string& path);

  // The first limit that is reached and was not taken by its machine; of "calls" only that which
  // the call would break.
  std::optional<Reached> reached(Time now) const;
  std::optional<Reached> reached_by(const std::string& call) const;
  // May the call break that limit, depending on whether the agents of calls that have begun are
  // asked?
  bool must_wait(const std::string& call) const;
  // Limits that are for the call, and that cannot be kept where an attempt of it has used this:
  // "the limit of $2.50" where its price is not known, "the limit of 1000 tokens" where these are
  // not.
  std::vector<std::string> missed(const std::string& call, const agents::Usage& usage) const;
  // The machine has taken it: it is not reached again.
  void taken(const Reached& limit);
  // What to say where nothing takes it, with what to do about it.
  std::string advice(const Reached& limit) const;

  const Totals& totals() const { return tally_.totals(); }

 private:
  bool is_taken(const std::string& name, const std::string& instance) const;
  std::vector<std::string> around(const std::string& path) const;
  const Totals& used_in(const std::string& instance) const;
  std::vector<std::string>& taken_of(const std::string& instance) const;
  model::Limits limits_of(const std::string& instance) const;
  std::optional<Reached> first(const std::vector<const char*>& names, const std::string& path,
                               Time now) const;
  std::string why(const std::string& name, const std::string& instance, Time now) const;

  const model::System& system_;
  const model::Limits limits_;  // the run's
  Spending& used_;
  record::Tally tally_;
  bool only_the_run_ = true;                         // no machine but the root has limits
  std::map<std::string, model::MachineId> limited_;  // live instances with limits, but the root
  std::set<std::string> calls_;                      // that have begun and not ended
};

}  // namespace agneto::run
