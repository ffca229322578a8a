// How far it is from the states of a machine to an end that completes.
#pragma once

#include <string_view>
#include <vector>

#include "model/machine.h"

namespace agneto::play {

// Guards are left aside, so a way may turn out to be closed. Immutable; the machine outlives it.
class DistanceToEnd {
 public:
  static constexpr int none = 1'000'000;  // there is no way

  explicit DistanceToEnd(const model::Machine& machine);

  // How many transitions are to be taken, at least, once the state's activity ends in `event`.
  int after(model::StateId state, std::string_view event) const;

 private:
  int from(model::StateId state) const;
  int through(const model::Transition& transition) const;
  model::StateId entered(model::StateId state) const;

  const model::Machine& machine_;
  std::vector<int> distances_;  // from each state that is not entered further
};

}  // namespace agneto::play
