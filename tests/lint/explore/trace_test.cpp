// What a finding shows: played by `simulate`, it ends where the finding says.

#include <gmock/gmock.h>

#include <map>
#include <regex>
#include <sstream>

#include "lint/lint.h"
#include "lint/linting.h"
#include "model/load.h"
#include "play/simulator.h"
#include "script/evaluator.h"
#include "support/paths.h"

namespace agneto::lint {
namespace {

const fs::path examples = fs::path(AGNETO_SOURCE_DIR) / "tests/lint/rules/structure";

// The machine after the events of a trace.
struct Shown {
  std::vector<play::Macrostep> steps;
  std::vector<std::string> refused;

  bool is_active(const model::Machine& machine, const std::string& state) const {
    for (const chart::ActiveState& one : steps.back().active) {
      if (machine.state(one.state).name == state) return true;
    }
    return false;
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
Shown show(const model::System& system, const std::vector<std::string>& trace) {
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

TEST(Trace, IsACommandOfWhichNoInputIsAPart) {
  MemoryFiles files;
  files.add("/team/flow.yaml", R"yaml(agneto: 1
name: flow
inputs: {mode: {enum: ["it's $(touch x)", calm]}}
invariants: [{never: state_in("STUCK")}]
initial: A
states:
  A:
    always:
      - {guard: inputs.mode ~= "calm", target: STUCK}
      - DONE
  STUCK: {}
  DONE: {final: true}
)yaml");
  const Findings findings = lint("/team/flow.yaml", files, "/lib");
  std::set<std::string> commands;
  for (const Diagnostic& finding : findings.diagnostics.sorted()) {
    if (!finding.trace.empty()) commands.insert(finding.trace.front());
  }
  EXPECT_THAT(commands, testing::Contains("agneto simulate /team/flow.yaml --input "
                                          R"('mode=it'\''s $(touch x)' --events -)"));
}

class Traces : public testing::TestWithParam<const char*> {};

TEST_P(Traces, EndWhereTheFindingSays) {
  const fs::path folder = examples / GetParam();
  MemoryFiles files;
  files.add("/team/hooks.lua", good_hooks);
  for (const auto& file : fs::directory_iterator(folder)) {
    const std::string name = file.path().filename().string();
    files.add("/team/" + (name == "bad.yaml" ? "flow.yaml" : name),
              Disk().read(file.path()).value_or(""));
  }
  const Findings findings = lint("/team/flow.yaml", files, "/lib");
  int traces = 0;
  for (const Diagnostic& finding : findings.diagnostics.sorted()) {
    if (finding.trace.empty()) continue;
    ++traces;
    const model::Machine& machine = findings.system->main();
    const Shown shown = show(*findings.system, finding.trace);
    EXPECT_THAT(shown.refused, testing::IsEmpty()) << render(finding);
    if (finding.rule->name == "livelock") {
      EXPECT_TRUE(shown.has_problem("error.livelock")) << render(finding);
      continue;
    }
    int named = 0;
    const std::regex quoted("'([^']+)'");
    for (std::sregex_iterator at(finding.message.begin(), finding.message.end(), quoted), end;
         at != end; ++at) {
      const std::string state = (*at)[1];
      if (machine.find(state) == model::none) continue;
      ++named;
      EXPECT_TRUE(shown.is_active(machine, state) || shown.is_cut_off(state)) << state << "\n"
                                                                              << render(finding);
    }
    EXPECT_GT(named, 0) << render(finding);
  }
  EXPECT_GT(traces, 0);
}

INSTANTIATE_TEST_SUITE_P(Rules, Traces,
                         testing::Values("deadlock", "no-way-out", "livelock", "cancelled-work",
                                         "lost-event", "broken-invariant", "unproven-invariant"),
                         [](const auto& one) {
                           return std::regex_replace(std::string(one.param), std::regex("-"), "_");
                         });

}  // namespace
}  // namespace agneto::lint
