// Plays a chart written as YAML text: a test sends events and looks at what became of them.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/files.h"
#include "chart/step.h"
#include "model/load.h"
#include "script/evaluator.h"

namespace agneto::chart {

// Takes the indentation of the first line off every line.
inline std::string dedent(std::string text) {
  if (text.starts_with('\n')) text.erase(0, 1);
  const std::string indent(text.find_first_not_of(' '), ' ');
  std::string result;
  for (std::string_view line : split_lines(text)) {
    if (line.starts_with(indent)) line.remove_prefix(indent.size());
    result.append(line).append("\n");
  }
  return result;
}

// A machine's text: dedented; with a header, where it has none, whose context is `log` unless it
// has its own; and mark(X) stands for appending X to that log.
inline std::string machine_text(const std::string& text) {
  std::string result = dedent(text);
  if (!result.starts_with("agneto:")) {
    const bool has_context = result.find("\ncontext:") != std::string::npos;
    result = "agneto: 1\nname: chart\n" + std::string(has_context ? "" : "context: {log: ''}\n") +
             result;
  }
  for (std::size_t at; (at = result.find("mark(")) != std::string::npos;) {
    const std::size_t end = result.find(')', at);
    const std::string what = result.substr(at + 5, end - at - 5);
    result.replace(at, end + 1 - at, "ctx.log = ctx.log .. ' " + what + "'");
  }
  return result;
}

using Texts = std::map<std::string, std::string>;  // file -> machine

// A loaded system with its evaluator. Throws with the diagnostics where there are any errors.
struct Workflow {
  explicit Workflow(const Texts& texts, const std::string& main = "main.yaml") {
    MemoryFiles files;
    files.add("hooks.lua", "return {prompt = function() return 'x' end}");
    for (const auto& [name, text] : texts) files.add(name, machine_text(text));
    loaded = model::load(main, files, diagnostics);
    if (loaded.system) evaluator = script::make_evaluator(*loaded.system, diagnostics);
    if (!evaluator) throw std::runtime_error(render(diagnostics));
  }
  explicit Workflow(const std::string& text) : Workflow(Texts{{"main.yaml", text}}) {}

  const model::System& system() const { return *loaded.system; }

  Diagnostics diagnostics;
  model::Loaded loaded;
  std::unique_ptr<Evaluator> evaluator;
};

inline std::string to_text(const Effect& effect) {
  struct Name {
    std::string operator()(const CallAgent& e) { return "agent " + e.path; }
    std::string operator()(const AskHuman& e) { return "ask " + e.path; }
    std::string operator()(const RunCommand& e) { return "run " + e.path; }
    std::string operator()(const GitOperation& e) { return "git " + e.path; }
    std::string operator()(const OpenWorkspace& e) { return "open " + e.path; }
    std::string operator()(const JoinWorkspaces& e) {
      std::string text = "join " + e.path + " of " + std::to_string(e.opened) + ":";
      for (const auto item : e.completed) text += " " + std::to_string(item);
      return text;
    }
    std::string operator()(const RunMachine& e) { return "machine " + e.path; }
    std::string operator()(const StartTimer& e) {
      return "timer " + e.path + " " + std::to_string(e.delay.count()) + "ms" +
             (e.pausable ? " pausable" : "");
    }
    std::string operator()(const Cancel& e) { return "cancel " + e.path; }
    std::string operator()(const Finish& e) {
      return "finish " + e.outcome + " " + std::string(model::to_text(e.status));
    }
    std::string operator()(const Suspend& e) { return "suspend " + e.path; }
  };
  return std::visit(Name{}, effect);
}

// One run of a workflow. Every step's results are kept until the next step.
class Play {
 public:
  explicit Play(Workflow workflow, const Json& inputs = Json::object(), RunInfo run = {"run-1"})
      : Play(std::make_shared<Workflow>(std::move(workflow)), inputs, std::move(run)) {}
  explicit Play(std::shared_ptr<Workflow> workflow, const Json& inputs = Json::object(),
                RunInfo run = {"run-1"})
      : workflow_(std::move(workflow)),
        chart_(workflow_->system(), *workflow_->evaluator),
        instance_(chart_, std::move(run)) {
    std::vector<std::string> errors;
    const Json checked = workflow_->system().main().check_inputs(inputs, errors);
    EXPECT_THAT(errors, testing::IsEmpty());
    start(instance_, checked, out_);
  }
  explicit Play(const std::string& text) : Play(Workflow(text)) {}
  explicit Play(const Texts& texts) : Play(Workflow(texts)) {}

  // Each is one step and says whether the event was taken.
  bool send(const std::string& name, Json data = {}) {
    return step({Event::Kind::external, name, std::move(data), {}});
  }
  bool outcome(const std::string& path, const std::string& name, Json data = {}) {
    return step({Event::Kind::outcome, name, std::move(data), path});
  }
  bool timer(const std::string& path) { return step({Event::Kind::timer, "timer", {}, path}); }
  bool queued() { return step({Event::Kind::queued, {}, {}, {}}); }
  bool step(const Event& event) {
    out_ = {};
    chart::step(instance_, event, out_);
    return out_.handled;
  }
  void abort(const std::string& reason) {
    out_ = {};
    force_abort(instance_, reason, out_);
  }
  // Takes all queued events.
  void drain() {
    while (instance_.pending()) queued();
  }

  // "A#1 B#1/C#2": the active atomic states.
  std::string active() const { return join(instance_.active(), " "); }
  std::string outstanding() const { return join(instance_.outstanding(), " "); }
  Json ctx(std::string_view instance = "") const { return instance_.data(instance).at("ctx"); }
  // What the chart has marked since the last look.
  std::string log() {
    const std::string whole = ctx().at("log");
    const std::string news = whole.substr(std::min(whole.size(), seen_));
    seen_ = whole.size();
    return std::string(trim(news));
  }

  // What the last step did.
  const Effects& out() const { return out_; }
  // "-A#1 +B#1"
  std::string moved() const {
    std::vector<std::string> moves;
    for (const auto& m : out_.moved)
      moves.push_back((m.entered ? "+" : "-") + path_of(m, system()));
    return join(moves, " ");
  }
  // "agent A#1, timer A#1/after:1 5000ms"
  std::string effects() const {
    std::vector<std::string> all;
    for (const Effect& effect : out_.effects) all.push_back(to_text(effect));
    return join(all, ", ");
  }
  // "error.lua at A#1: main.yaml:7: …"
  std::string problems() const {
    std::vector<std::string> all;
    for (const auto& p : out_.problems) {
      all.push_back(p.event + " at " + (p.path.empty() ? "/" : p.path) + ": " + p.message);
    }
    return join(all, "\n");
  }
  template <typename Kind>
  const Kind& effect(std::size_t index = 0) const {
    return std::get<Kind>(out_.effects.at(index));
  }

  Instance& instance() { return instance_; }
  const model::System& system() const { return workflow_->system(); }
  Workflow& workflow() { return *workflow_; }

  // Goes on from what `save` says, as after a restart.
  void reload() { instance_ = Instance::restore(chart_, instance_.save()); }

 private:
  std::shared_ptr<Workflow> workflow_;
  Chart chart_;
  Instance instance_;
  Effects out_;
  std::size_t seen_ = 0;
};

}  // namespace agneto::chart
