// Plays the bundled machines without agents, people or git: a test gives each outcome itself.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/files.h"
#include "chart/step.h"
#include "model/load.h"
#include "script/evaluator.h"
#include "support/paths.h"

namespace agneto::workflows {

// A workflow with its evaluator, loaded once.
struct Workflow {
  std::shared_ptr<const model::System> system;
  std::vector<SourcePtr> sources;
  std::unique_ptr<chart::Evaluator> evaluator;
};

inline Workflow load_workflow(const std::string& name) {
  Diagnostics diagnostics;
  auto loaded = model::load(fs::path(AGNETO_SOURCE_DIR) / "workflows" / name, Disk(), diagnostics);
  Workflow workflow{loaded.system, loaded.sources, nullptr};
  if (workflow.system) {
    workflow.evaluator = script::make_evaluator(*workflow.system, diagnostics);
  }
  if (!workflow.evaluator || !diagnostics.empty()) throw std::runtime_error(render(diagnostics));
  return workflow;
}

inline const Workflow& task_workflow() {
  static const Workflow workflow = load_workflow("agneto.yaml");
  return workflow;
}
inline const Workflow& execution_workflow() {
  static const Workflow workflow = load_workflow("execution.yaml");
  return workflow;
}

// What a state's activity ends in. Without a state: an event from outside.
struct Step {
  std::string state;
  std::string event;
  Json data = Json::object();
};
using Steps = std::vector<Step>;

inline Steps operator+(Steps left, const Steps& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}
inline Steps operator*(int times, const Steps& steps) {
  Steps all;
  while (times-- > 0) all = all + steps;
  return all;
}

// "TASK_EXECUTING#1/PLANNING#2" -> "TASK_EXECUTING/PLANNING"
inline std::string without_entries(const std::string& path) {
  std::string names;
  bool number = false;
  for (char c : path) {
    number = c == '#' || (number && c != '/');
    if (!number) names += c;
  }
  return names;
}

class Play {
 public:
  // (machine, transition), by name and document order
  using Taken = std::set<std::pair<std::string, model::TransitionId>>;

  explicit Play(const Workflow& workflow, bool interactive = true, bool auto_merge = false,
                const Json& more_inputs = Json::object())
      : system_(*workflow.system),
        chart_(system_, *workflow.evaluator),
        instance_(chart_, {"r1", interactive, auto_merge}) {
    Json inputs = {{"task", "the task"}};
    if (&workflow == &execution_workflow()) inputs["plan"] = "the plan";
    inputs.update(more_inputs);
    std::vector<std::string> errors;
    Json checked = system_.main().check_inputs(inputs, errors);
    if (!errors.empty()) throw std::runtime_error(errors.front());
    chart::Effects effects;
    chart::start(instance_, checked, effects);
    absorb(effects);
  }

  // Throws where the step is not possible: no such activity, or an outcome it cannot have.
  void step(const Step& step) {
    chart::Event event;
    event.name = step.event;
    event.data = step.data;
    if (!step.state.empty()) {
      event.kind = chart::Event::Kind::outcome;
      event.path = path_of(step.state);
      check_possible(outstanding_.at(event.path), step);
      outstanding_.erase(event.path);
    }
    chart::Effects effects;
    chart::step(instance_, event, effects);
    absorb(effects);
  }

  void steps(const Steps& steps) {
    for (const auto& each : steps) step(each);
  }

  // The innermost active state without entry numbers, or the outcome once finished.
  std::string where() const {
    return finish_ ? finish_->outcome : without_entries(instance_.active().back());
  }

  bool finished() const { return finish_.has_value(); }
  const chart::Finish& finish() const { return *finish_; }
  Json ctx(std::string_view instance = "") const { return instance_.data(instance).at("ctx"); }
  Json data(std::string_view instance) const { return instance_.data(instance); }
  const Taken& taken() const { return taken_; }
  // Names of the states that were entered, in order, over both machines.
  const std::vector<std::string>& entered() const { return entered_; }
  int calls() const { return calls_; }

  template <class Kind>
  const Kind& effect(const std::string& state) const {
    return std::get<Kind>(outstanding_.at(path_of(state)));
  }

  // Every activity that waits for its outcome.
  const std::map<std::string, chart::Effect>& outstanding() const { return outstanding_; }

 private:
  std::string path_of(const std::string& state) const {
    for (const auto& [path, effect] : outstanding_) {
      std::string names = without_entries(path);
      if (names == state || names.ends_with("/" + state)) return path;
    }
    throw std::runtime_error(state + " has no activity now; active: " + where());
  }

  void check_possible(const chart::Effect& effect, const Step& step) const {
    bool possible = true;
    if (step.event.starts_with("error.")) return;
    if (const auto* call = std::get_if<chart::CallAgent>(&effect)) {
      const auto& state = system_.machine(call->machine).state(call->state);
      possible = false;
      for (const auto& verdict : std::get<model::AgentCall>(state.activity).verdicts) {
        if (verdict.name != step.event) continue;
        possible = verdict.fields.size() == step.data.size();
        for (const auto& field : verdict.fields)
          possible = possible && step.data.contains(field.name);
      }
    } else if (const auto* ask = std::get_if<chart::AskHuman>(&effect)) {
      possible = ask->text != model::Need::none && step.event == "answered";
      for (const auto& option : ask->options) possible = possible || option.name == step.event;
    }
    if (!possible) {
      throw std::runtime_error(step.state + " cannot end in " + step.event + " " +
                               step.data.dump());
    }
  }

  void absorb(const chart::Effects& effects) {
    // What a sub-machine does not handle is an event for its parent; the rest is a fault.
    for (const auto& problem : effects.problems) {
      if (problem.event == "error.unhandled" && !problem.path.empty()) continue;
      ADD_FAILURE() << problem.path << ": " << problem.event << ": " << problem.message;
    }
    for (const auto& transition : effects.transitions) {
      taken_.emplace(system_.machine(transition.machine).name, transition.transition);
    }
    for (const auto& moved : effects.moved) {
      if (!moved.entered) continue;
      entered_.push_back(system_.machine(moved.machine).state(moved.state).name);
    }
    for (const auto& effect : effects.effects) {
      if (const auto* finish = std::get_if<chart::Finish>(&effect)) {
        finish_ = *finish;
      } else if (std::holds_alternative<chart::Cancel>(effect)) {
        outstanding_.erase(chart::path_of(effect));
      } else {
        calls_ += std::holds_alternative<chart::CallAgent>(effect);
        outstanding_.emplace(chart::path_of(effect), effect);
      }
    }
    if (!instance_.pending()) return;
    chart::Event next;
    next.kind = chart::Event::Kind::queued;
    chart::Effects more;
    chart::step(instance_, next, more);
    absorb(more);
  }

  const model::System& system_;
  chart::Chart chart_;
  chart::Instance instance_;
  std::map<std::string, chart::Effect> outstanding_;
  std::optional<chart::Finish> finish_;
  Taken taken_;
  std::vector<std::string> entered_;
  int calls_ = 0;
};

}  // namespace agneto::workflows
