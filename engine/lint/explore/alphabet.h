// The inputs of an exploration: all that can happen to a machine at rest.
#pragma once

#include <deque>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "chart/step.h"
#include "lint/explore/explore.h"

namespace agneto::lint {

class Alphabet {
 public:
  using Id = std::uint32_t;

  // All must outlive it; it adds to `all`.
  Alphabet(const LintContext& context, const Machine& machine, Explorations& others,
           std::deque<Input>& all);

  // The next event of the machine's own queue.
  Id queued() const { return queued_; }
  // An `after` or a delayed send of the state comes due.
  Id timer(const std::string& path, StateId state);
  // What the state's activity can end in. `how`: what `started` said of it.
  const std::vector<Id>& ends(StateId state, std::uint32_t how);
  // Events from outside that the state takes, those from other machines among them, and the notice
  // that nobody was there whom it has sent one.
  const std::vector<Id>& outside(StateId state) const { return outside_[state]; }
  // Of these and of the ends those that can come before what the machine has sent itself, since
  // other machines have sent them before: what may be so and need not.
  const std::vector<Id>& overtaking(StateId state) const { return overtaking_[state]; }
  const std::vector<Id>& overtaking_ends(StateId state, std::uint32_t how);

  // Tells activities of one state apart that can end in different ways. 0 where there is nothing to
  // be told; so it is with a machine of which it is not known what it ends in.
  std::uint32_t started(const chart::Effect& effect, const chart::RunInfo& run);
  // The machine that was started so; null where nothing is known of it.
  const Exploration* machine(std::uint32_t how) const {
    return how == 0 ? nullptr : starts_[how - 1].machine;
  }

 private:
  struct Start {
    const Exploration* machine = nullptr;
    std::vector<std::string> options = {};  // of a question: those that are offered
    friend bool operator==(const Start&, const Start&) = default;
  };

  Id add(Input input);
  Id add_overtaking(Id id);
  std::set<std::string> compared_names() const;
  void find_outside();
  std::vector<Json> data_of(const State& state, const std::string& outcome) const;
  std::vector<std::string> errors_of(const State& state) const;

  const LintContext& context_;
  const Machine& machine_;
  Explorations& others_;
  std::deque<Input>& all_;
  std::unordered_map<std::string, Id> timers_;
  std::map<std::pair<StateId, std::uint32_t>, std::vector<Id>> ends_;
  std::map<std::pair<StateId, std::uint32_t>, std::vector<Id>> overtaking_ends_;
  std::vector<std::vector<Id>> outside_;     // by StateId
  std::vector<std::vector<Id>> overtaking_;  // by StateId
  std::vector<Start> starts_;
  std::set<std::string> fields_;  // of events, that the machine's Lua reads
  Id queued_;
};

}  // namespace agneto::lint
