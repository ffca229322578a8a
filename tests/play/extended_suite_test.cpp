// Test files that extend others.
#include <gmock/gmock.h>

#include "play/playing.h"

namespace agneto::play {
namespace {

using testing::HasSubstr;

// The base's cases are played on /w/base.yaml, which /w/flow.yaml extends.
constexpr const char* base_test = R"yaml(agneto-test: 1
workflow: base.yaml
defaults: {inputs: {task: base}}
steps:
  working: [{at: WORKING, outcome: OK}]
cases:
  - name: it works
    steps: [{use: working}]
    expect:
      outcome: DONE
      prompt: {agent: worker, snapshot: kept}
  - name: it breaks
    steps: [{at: WORKING, outcome: error.timeout}]
    expect: {outcome: BROKEN}
)yaml";

std::map<std::string, std::string> files(const std::string& changes) {
  return {{"/w/base.yaml", R"yaml(agneto: 1
name: base
inputs: {task: string}
agents: {worker: {hooks: worker.lua}}
initial: WORKING
states:
  WORKING: {agent: {name: worker, verdicts: {OK: {}}}, on: {OK: DONE, error: BROKEN}}
  DONE: {final: true}
  BROKEN: {final: true, status: failed}
)yaml"},
          {"/w/flow.yaml", "agneto: 1\nextends: base.yaml\nname: flow\n" + changes},
          {"/w/base.test.yaml", base_test}};
}

std::string played_over(const std::string& test, const std::string& changes = "") {
  return played("agneto-test: 1\nextends: base.test.yaml\n" + test, files(changes));
}

TEST(ExtendedSuite, CasesOfTheOtherArePlayedOnThisWorkflow) {
  EXPECT_EQ(played_over(""), "");
  EXPECT_EQ(played_over("", "states: {WORKING: {on: {OK: BROKEN}}}\n"),
            R"text(/w/base.test.yaml:10:16: error: the outcome is another
      outcome: DONE
               ^~~~
  help: flow.test.yaml:2 inherits this case; where it is another there, write one called 'it works', or leave it out: without: {it works: WHY}
    - DONE
    + BROKEN
)text");
  EXPECT_THAT(played_over("cases:\n  - name: own\n    steps: [{use: working}]\n"
                          "    expect: {outcome: BROKEN}\n"),
              testing::Not(HasSubstr("inherits")))
      << "its steps are the other's";
}

TEST(ExtendedSuite, TheOtherMayBeInAPackage) {
  auto texts = files("");
  texts["/w/flow.yaml"] = "agneto: 1\nextends: kit/base.yaml\nname: flow\n";
  texts["/w/agneto.lock"] = "agneto: 1\npackages: {kit: {url: u, rev: v1, commit: c, tree: t}}\n";
  texts["/w/packages/kit/package.yaml"] = "agneto: 1\ndescription: Work\n";
  texts["/w/packages/kit/worker.lua"] = "return {prompt = function() return 'Do it' end}";
  for (const char* name : {"base.yaml", "base.test.yaml"}) {
    texts[std::string("/w/packages/kit/") + name] = texts.at(std::string("/w/") + name);
    texts.erase(std::string("/w/") + name);
  }
  EXPECT_EQ(played("agneto-test: 1\nextends: kit/base.test.yaml\n", texts), "");
}

TEST(ExtendedSuite, NamedStepsAndDefaultsAreMerged) {
  EXPECT_EQ(played_over("defaults: {inputs: {more: x}}\n"
                        "steps: {working: [{at: WORKING, outcome: OK}, {at: MORE, outcome: ok}]}\n"
                        "cases:\n"
                        "  - name: more\n"
                        "    steps: [{use: working}]\n"
                        "    expect: {outcome: DONE}\n",
                        "inputs: {more: string}\n"
                        "states:\n"
                        "  WORKING: {on: {OK: MORE}}\n"
                        "  MORE: {run: {argv: [more]}, on: {ok: DONE, failed: BROKEN}}\n"),
            "");
}

TEST(ExtendedSuite, ACaseIsReplacedByItsNameOrLeftOutWithAReason) {
  const std::string changes = "states: {WORKING: {on: {OK: BROKEN}}}\n";
  EXPECT_EQ(played_over("cases:\n"
                        "  - name: it works\n"
                        "    steps: [{use: working}]\n"
                        "    expect: {outcome: BROKEN}\n",
                        changes),
            "");
  EXPECT_EQ(played_over("without: {it works: nothing works here}\n", changes), "");
}

TEST(ExtendedSuiteReports, WhatCannotBeLeftOut) {
  EXPECT_EQ(played_over("without: {it work: so, it breaks: ''}\n"),
            "flow.test.yaml:3:11: error: there is no case 'it work' in /w/base.test.yaml\n"
            "without: {it work: so, it breaks: ''}\n"
            "          ^~~~~~~\n"
            "  help: did you mean 'it works'?\n"
            "flow.test.yaml:3:24: error: 'it breaks' is left out without a reason\n"
            "without: {it work: so, it breaks: ''}\n"
            "                       ^~~~~~~~~\n"
            "  help: say why: {it breaks: it has another gate here}\n");
}

TEST(ExtendedSuiteReports, AFileThatIsNotThereOrIsItself) {
  EXPECT_EQ(played("agneto-test: 1\nextends: gone.test.yaml\n"),
            "flow.test.yaml:2:10: error: there is no test file /w/gone.test.yaml\n"
            "extends: gone.test.yaml\n"
            "         ^~~~~~~~~~~~~~\n"
            "  help: it is the name of a workflow that comes with Agneto, or the path of a test "
            "file\n");
  EXPECT_EQ(played("agneto-test: 1\nextends: ../base.yaml\n"),
            "flow.test.yaml:2:10: error: '../base.yaml' is no test file\n"
            "extends: ../base.yaml\n"
            "         ^~~~~~~~~~~~\n"
            "  help: for the tests of that workflow write extends: ../base.test.yaml\n");
  EXPECT_EQ(played("agneto-test: 1\nextends: flow.test.yaml\n"),
            "flow.test.yaml:2:10: error: the test file extends itself\n"
            "extends: flow.test.yaml\n"
            "         ^~~~~~~~~~~~~~\n");
  EXPECT_EQ(played("agneto-test: 1\nextends: [a]\n"),
            "flow.test.yaml:2:10: error: 'extends' must be a text, not a list\n"
            "extends: [a]\n"
            "         ^~~\n");
}

}  // namespace
}  // namespace agneto::play
