// A machine as text, simulated: the lines of an events file in, macrosteps out.
#pragma once

#include <gmock/gmock.h>

#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/files.h"
#include "model/load.h"
#include "play/simulator.h"
#include "script/evaluator.h"

namespace agneto::play {

struct SimulatedWorkflow {
  // `texts` by file; the first-named machine is flow.yaml. Each machine without a header gets one.
  explicit SimulatedWorkflow(const std::map<std::string, std::string>& texts) {
    MemoryFiles files;
    files.add("hooks.lua", "return {prompt = function() return 'x' end}");
    for (const auto& [name, text] : texts) {
      const std::string header = "agneto: 1\nname: " + name.substr(0, name.find('.')) + "\n";
      files.add(name, header + text);
    }
    Diagnostics diagnostics;
    loaded = model::load("flow.yaml", files, diagnostics);
    if (loaded.system) evaluator = script::make_evaluator(*loaded.system, diagnostics);
    if (diagnostics.has_errors()) throw std::runtime_error(render(diagnostics));
  }
  const model::System& system() const { return *loaded.system; }

  model::Loaded loaded;
  std::unique_ptr<chart::Evaluator> evaluator;
};

class Simulation {
 public:
  explicit Simulation(const std::map<std::string, std::string>& texts, const Options& options = {})
      : workflow_(texts),
        simulator_(workflow_.system(), *workflow_.evaluator, options,
                   [this](const Macrostep& step) { steps_.push_back(step); }) {
    simulator_.start(Json::object());
  }
  explicit Simulation(const std::string& text, const Options& options = {})
      : Simulation(std::map<std::string, std::string>{{"flow.yaml", text}}, options) {}

  // What the line leads to: "a: A | b: -B, B/C" and the like, a macrostep each: its event, the
  // atomic states, and a minus where it was not handled.
  std::string operator()(const std::string& line) {
    steps_.clear();
    ++number_;
    if (const auto input = parse_input(line)) simulator_.input(*input, number_);
    return read();
  }
  std::string read() const {
    std::vector<std::string> parts;
    for (const Macrostep& step : steps_) {
      std::vector<std::string> states;
      for (const auto& state : step.active) {
        if (state.atomic) states.push_back(name_of(state, workflow_.system()));
      }
      parts.push_back((step.handled ? "" : "-") + step.event.value_or("") + ": " +
                      join(states, ", "));
    }
    return join(parts, " | ");
  }
  Json json(std::size_t index = 0) const { return to_json(steps_.at(index), workflow_.system()); }
  const std::vector<Macrostep>& steps() const { return steps_; }
  const Simulator& simulator() const { return simulator_; }
  SimulatedWorkflow& workflow() { return workflow_; }

 private:
  SimulatedWorkflow workflow_;
  std::vector<Macrostep> steps_;
  Simulator simulator_;
  int number_ = 0;
};

}  // namespace agneto::play
