// Lets an expression look at an instance at rest.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "chart/evaluator.h"
#include "chart/step.h"
#include "lint/context.h"

namespace agneto::lint {

class AtRest : public chart::Scope {
 public:
  // Both must outlive it.
  AtRest(const chart::Instance& instance, const Machine& machine)
      : run_(instance.run()), machine_(machine), active_(instance.configuration()) {}

  const chart::RunInfo& run() const override { return run_; }
  const chart::Event* event() const override { return nullptr; }
  bool in(const std::string& state) const override {
    const StateId id = machine_.find(state);
    return std::ranges::any_of(active_,
                               [&](const chart::ActiveState& one) { return one.state == id; });
  }
  // An expression does nothing.
  chart::Sent raise(std::string, Json) override { return chart::Sent::yes; }
  chart::Sent send(chart::Outgoing) override { return chart::Sent::yes; }
  void cancel(const std::string&) override {}

  // The active atomic states.
  std::vector<StateId> states() const {
    std::vector<StateId> states;
    for (const chart::ActiveState& active : active_) {
      if (active.atomic) states.push_back(active.state);
    }
    return states;
  }

 private:
  const chart::RunInfo& run_;
  const Machine& machine_;
  const std::vector<chart::ActiveState> active_;
};

}  // namespace agneto::lint
