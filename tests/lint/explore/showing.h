// Plays the trace of a finding as `agneto simulate` does.
#pragma once

#include <gmock/gmock.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "play/simulator.h"
#include "script/evaluator.h"

namespace agneto::lint {

// The machine after the events of a trace.
struct Shown {
  std::vector<play::Macrostep> steps;
  std::vector<std::string> refused;

  // Is one of these states active after that step; after the last one?
  static bool is_active(const play::Macrostep& step, const model::Machine& machine,
                        const std::set<std::string>& states) {
    return std::ranges::any_of(step.active, [&](const chart::ActiveState& one) {
      return states.contains(machine.state(one.state).name);
    });
  }
  bool is_active(const model::Machine& machine, const std::string& state) const {
    return is_active(steps.back(), machine, {state});
  }
  bool is_cut_off(const std::string& state) const {
    for (const chart::Effect& effect : steps.back().effects) {
      const auto* cancel = std::get_if<chart::Cancel>(&effect);
      if (cancel && cancel->path.starts_with(state + "#")) return true;
    }
    return false;
  }
  bool has_problem(const std::string& event) const {
    for (const play::Macrostep& step : steps) {
      for (const auto& problem : step.problems) {
        if (problem.event == event) return true;
      }
    }
    return false;
  }
};

// As `agneto simulate` does it, given the first line of the trace and the others as its input.
inline Shown show(const model::System& system, const std::vector<std::string>& trace) {
  play::Options options;
  options.max_macrosteps = 100;
  Json inputs = Json::object();
  std::istringstream words(trace.front());
  for (std::string word; words >> word;) {
    if (word == "--shallow") options.shallow = true;
    if (word == "--non-interactive") options.run.interactive = false;
    if (word == "--auto-merge") options.run.auto_merge = true;
    if (word != "--input") continue;
    words >> word;
    const std::size_t equals = word.find('=');
    const std::string value = word.substr(equals + 1);
    const Json parsed = Json::parse(value, nullptr, false);
    inputs[word.substr(0, equals)] = parsed.is_discarded() ? Json(value) : parsed;
  }
  Diagnostics none;
  const auto evaluator = script::make_evaluator(system, none);
  Shown shown;
  play::Simulator simulator(system, *evaluator, options, [&](const play::Macrostep& step) {
    shown.steps.push_back(step);
    if (!step.refused.empty()) shown.refused.push_back(step.refused);
  });
  std::vector<std::string> errors;
  simulator.start(system.main().check_inputs(inputs, errors));
  EXPECT_THAT(errors, testing::IsEmpty());
  for (std::size_t i = 1; i < trace.size(); ++i) {
    simulator.input(*play::parse_input(trace[i]), static_cast<int>(i));
  }
  return shown;
}

}  // namespace agneto::lint
