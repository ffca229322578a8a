// What can be worked out about a machine once, so that a step need not.
#pragma once

#include <vector>

#include "chart/state_set.h"
#include "model/machine.h"

namespace agneto::chart {

struct MachineTable {
  explicit MachineTable(const model::Machine& machine);

  const model::Machine& machine;
  StateSet leaves;     // atomic and final states
  StateSet eventless;  // states that have, or whose ancestors have, an eventless transition
  bool has_eventless = false;
  bool has_parallel = false;
  // The nearest proper ancestor that is compound; the machine's own is the machine.
  std::vector<model::StateId> scope;
  // By transition: its domain, or `none` where it has no target or a target is a history state.
  std::vector<model::StateId> domain;
  std::vector<model::StateId> histories;  // in document order
};

// One table for each machine of a system, by id. The system must outlive it.
class Tables {
 public:
  explicit Tables(const model::System& system);
  const MachineTable& of(model::MachineId machine) const { return tables_[machine]; }

 private:
  std::vector<MachineTable> tables_;
};

bool is_history(const model::State& state);

// The least proper compound ancestor of the transition's source that holds all `targets` (history
// already resolved), or the source itself for an internal transition.
model::StateId domain_of(const MachineTable& table, const model::Transition& transition,
                         const std::vector<model::StateId>& targets);

}  // namespace agneto::chart
