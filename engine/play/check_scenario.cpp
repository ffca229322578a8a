// Whether what a test file names is there.

#include <algorithm>
#include <set>

#include "chart/path.h"
#include "play/read_scenario.h"

namespace agneto::play {

namespace {

class Checker {
 public:
  Checker(const model::System& system, Diagnostics& diagnostics)
      : system_(system), diagnostics_(diagnostics) {
    for (const auto& machine : system.machines) {
      for (const auto& state : machine.states) {
        if (state.id != 0) states_.insert(state.name);
      }
    }
  }

  void check(const Case& row) {
    std::vector<std::string> errors;
    system_.main().check_inputs(row.inputs.json, errors);
    for (const auto& error : errors) {
      report(row.inputs.span, "case '" + row.name.text + "': " + error, "");
    }
    for (const Step& step : row.steps) {
      if (!step.at.text.empty()) state(step.at);
      check(step.expect);
    }
    check(row.expect);
  }

 private:
  void check(const Expectation& expect) {
    for (const auto* names : {&expect.in, &expect.configuration, &expect.path}) {
      if (!*names) continue;
      for (const Text& name : **names) {
        if (name.text != "...") state(name);
      }
    }
    std::vector<std::string> known;
    for (const auto& variable : system_.main().context) known.push_back(variable.name);
    for (const auto& [name, value] : expect.context) one_of(name, known, "the context has no");
    known.clear();
    for (const auto& binding : system_.main().outputs) known.push_back(binding.name);
    for (const model::StateId end : system_.main().state(0).children) {
      for (const auto& binding : system_.main().state(end).outputs) known.push_back(binding.name);
    }
    for (const auto& [name, value] : expect.outputs) one_of(name, known, "there is no output");
    for (const auto& [owner, values] : expect.machines) state(owner);
    known.clear();
    for (const auto& machine : system_.machines) {
      for (const auto& agent : machine.agents) known.push_back(agent.name);
    }
    for (const PromptExpectation& prompt : expect.prompts) {
      if (!prompt.agent.text.empty()) one_of(prompt.agent, known, "there is no agent");
      if (!prompt.at.text.empty()) state(prompt.at);
    }
  }

  void state(const Text& name) {
    const std::string last = chart::last_name(name.text);
    if (states_.contains(last)) return;
    report(name.span,
           "there is no state '" + last + "' in " + system_.main().file.filename().string() +
               (system_.machines.size() > 1 ? " and the machines it delegates to" : ""),
           suggestion(last, {states_.begin(), states_.end()}, "states"));
  }

  void one_of(const Text& name, const std::vector<std::string>& known, const std::string& what) {
    if (std::find(known.begin(), known.end(), name.text) != known.end()) return;
    report(name.span, what + " '" + name.text + "'", suggestion(name.text, known, "names"));
  }

  void report(Span span, const std::string& message, std::string help) {
    if (!told_.emplace(span.begin, message).second) return;
    diagnostics_.add({nullptr, Severity::error, message, span, std::move(help), {}});
  }

  const model::System& system_;
  Diagnostics& diagnostics_;
  std::set<std::string> states_;
  std::set<std::pair<std::uint32_t, std::string>> told_;
};

}  // namespace

void check_suite(const Suite& suite, const model::System& system, Diagnostics& diagnostics) {
  Checker checker(system, diagnostics);
  for (const Case& row : suite.cases) checker.check(row);
}

}  // namespace agneto::play
