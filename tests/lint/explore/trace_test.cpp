// What a finding shows: played by `simulate`, it ends where the finding says.

#include <gmock/gmock.h>

#include <regex>

#include "lint/explore/showing.h"
#include "lint/lint.h"
#include "lint/linting.h"
#include "support/paths.h"

namespace agneto::lint {
namespace {

const fs::path examples = fs::path(AGNETO_SOURCE_DIR) / "tests/lint/rules/structure";

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
