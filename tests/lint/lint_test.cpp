#include "lint/lint.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "lint/linting.h"
#include "support/paths.h"

namespace agneto::lint {
namespace {

TEST(Lint, ReportsErrorsOfYamlAndLuaTogether) {
  EXPECT_EQ(
      lint_states(R"(  A:
    agent: {name: coder, verdicts: {OK: {}, STRAY: {}}}
    entry: |
      ctx.a = 1
      ctx.b = = 2
    on:
      OK: {guard: ctx.a >, target: END}
      NO: ENDE
  END: {final: true}
)"),
      R"text(/team/flow.yaml:11:7: error: syntax error in entry: unexpected symbol near '=' [E501/lua-syntax]
      ctx.b = = 2
      ^~~~~~~~~~~
/team/flow.yaml:13:19: error: syntax error in guard: unexpected symbol near <eof> [E501/lua-syntax]
      OK: {guard: ctx.a >, target: END}
                  ^~~~~~~
/team/flow.yaml:14:11: error: there is no state 'ENDE' [E203/undefined-target]
      NO: ENDE
          ^~~~
  help: did you mean 'END'?
)text");
}

TEST(Lint, ReportsAHookModuleOnceForAllItsTasks) {
  EXPECT_EQ(lint_files({{"flow.yaml", R"(agneto: 1
name: flow
agents:
  coder: {hooks: hooks.lua}
initial: A
states:
  A:
    agent: {name: coder, task: plan, verdicts: {OK: {}}}
    on: {OK: B}
  B:
    agent: {name: coder, task: apply, verdicts: {OK: {}}}
    on: {OK: END}
  END: {final: true}
)"},
                        {"hooks.lua", "return {\n  tasks = = {}\n}\n"}}),
            R"text(/team/hooks.lua:2:3: error: unexpected symbol near '=' [E415/hooks]
  tasks = = {}
  ^~~~~~~~~~~~
/team/flow.yaml:8:32: note: these hooks are used here
    agent: {name: coder, task: plan, verdicts: {OK: {}}}
                               ^~~~
)text");
}

TEST(Lint, ReportsATaskThatTheHooksDoNotHave) {
  EXPECT_EQ(
      lint_files(
          {{"flow.yaml", R"(agneto: 1
name: flow
agents:
  coder: {hooks: hooks.lua}
initial: A
states:
  A:
    agent: {name: coder, task: plna, verdicts: {OK: {}}}
    on: {OK: END}
  END: {final: true}
)"},
           {"hooks.lua", "return {tasks = {plan = {prompt = function() return '' end}}}\n"}}),
      R"text(/team/flow.yaml:8:32: error: /team/hooks.lua: has no task 'plna'; did you mean 'plan'? [E415/hooks]
    agent: {name: coder, task: plna, verdicts: {OK: {}}}
                               ^~~~
)text");
}

TEST(Lint, ReportsHooksThatAreNotThereOnce) {
  EXPECT_EQ(
      lint_text(R"(agneto: 1
name: flow
agents:
  coder: {hooks: missing.lua}
initial: A
states:
  A:
    agent: coder
    on: {done: END}
  END: {final: true}
)"),
      R"text(/team/flow.yaml:4:18: error: cannot read the file '/team/missing.lua' [E601/missing-file]
  coder: {hooks: missing.lua}
                 ^~~~~~~~~~~
  help: paths are relative to the file they are written in
)text");
}

TEST(Lint, SurvivesAMachineThatCannotBeRead) {
  EXPECT_EQ(
      lint_text(R"(agneto: 1
name: flow
initial: A
states:
  A:
    machine: missing.yaml
    with: {x: 1 +}
    on: {any: END}
  END: {final: true}
)"),
      R"text(/team/flow.yaml:6:14: error: cannot read the file '/team/missing.yaml' [E601/missing-file]
    machine: missing.yaml
             ^~~~~~~~~~~~
  help: paths are relative to the file they are written in
/team/flow.yaml:7:15: error: syntax error in with.x: unexpected symbol near <eof> [E501/lua-syntax]
    with: {x: 1 +}
              ^~~
)text");
}

TEST(Lint, FindsNothingInTheBundledWorkflow) {
  const fs::path source = AGNETO_SOURCE_DIR;
  const Findings findings = lint(source / "workflows/agneto.yaml", Disk(), source / "scripts/lib");
  EXPECT_EQ(render(findings.diagnostics), "");
  EXPECT_NE(findings.system, nullptr);
}

TEST(Lint, FindsNothingInTheExamples) {
  const fs::path source = AGNETO_SOURCE_DIR;
  int files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(source / "workflows/examples")) {
    const std::string name = entry.path().string();
    if (!name.ends_with(".yaml") || name.ends_with(".test.yaml")) continue;
    const Findings findings = lint(entry.path(), Disk(), source / "scripts/lib");
    EXPECT_EQ(render(findings.diagnostics), "");
    ++files;
  }
  EXPECT_GE(files, 7);
}

TEST(Lint, SaysOnceThatAKeyIsNone) {
  EXPECT_EQ(lint_text(R"yaml(agneto: 1
name: flow
initial: A
states:
  A:
    run: {argv: [make]}
    on: {ok: END, failed: END}
  END: {final: true, outcom: DONE, exit: "raise('end')", always: A}
)yaml"),
            R"text(/team/flow.yaml:8:22: error: a state has no key 'outcom' [E121/unknown-key]
  END: {final: true, outcom: DONE, exit: "raise('end')", always: A}
                     ^~~~~~
  help: did you mean 'outcome'?
/team/flow.yaml:8:58: error: a final state has no 'always' [E126/key-out-of-place]
  END: {final: true, outcom: DONE, exit: "raise('end')", always: A}
                                                         ^~~~~~
  help: nothing goes on after a final state; use a state that leads to it
)text");
}

TEST(Lint, SeesThatAMachineBeginsWithItemsThatBeginWithItAgain) {
  const auto machine = [](const std::string& name, const std::string& items,
                          const std::string& other) {
    return "agneto: 1\nname: " + name + "\ninputs: {list: {type: [integer], default: []}}\n" +
           "initial: A\nstates:\n  A:\n    for_each: {items: \"" + items + "\", machine: " + other +
           ".yaml, with: {list: inputs.list}}\n    on: {done: END, failed: END}\n" +
           "  END: {final: true}\n";
  };
  MemoryFiles files;
  files.add("/team/a.yaml", machine("a", "{1, 2}", "b"));
  files.add("/team/b.yaml", machine("b", "{1}", "a"));
  files.add("/team/c.yaml", machine("c", "inputs.list", "c"));
  const Findings found = lint("/team/a.yaml", files, "/lib");
  const auto all = found.diagnostics.sorted();
  ASSERT_EQ(all.size(), 1U) << render(found.diagnostics);
  EXPECT_EQ(all[0].rule->code, std::string("W606"));
  EXPECT_EQ(all[0].message, "'a' begins by delegating to itself, and so on for ever");
  EXPECT_EQ(render(lint("/team/c.yaml", files, "/lib").diagnostics), "");
}

TEST(Lint, EndsWhereMachinesDelegateToThemselvesInManyPlaces) {
  std::string text = "agneto: 1\nname: flow\ninitial: A1\nstates:\n";
  for (int i = 1; i <= 8; ++i) {
    text += fmt::format("  A{}: {{machine: flow.yaml, on: {{any: A{}}}}}\n", i, i % 8 + 1);
  }
  MemoryFiles files;
  files.add("/team/flow.yaml", text + "  DONE: {final: true}\n");
  EXPECT_FALSE(lint("/team/flow.yaml", files, "/lib").diagnostics.has_errors());
}

TEST(Lint, EndsWhereAHookModuleHasTablesInTables) {
  std::string hooks = "local p = function(m) return 'x' end\nlocal t0 = {prompt = p}\n";
  for (int i = 1; i <= 60; ++i) {
    hooks +=
        fmt::format("local t{} = {{prompt = p, tasks = {{a = t{}, b = t{}}}}}\n", i, i - 1, i - 1);
  }
  MemoryFiles files;
  files.add("/team/hooks.lua", hooks + "return t60\n");
  files.add("/team/flow.yaml", R"yaml(agneto: 1
name: flow
agents: {coder: {hooks: hooks.lua}}
initial: A
states:
  A: {agent: {name: coder, task: a, verdicts: {YES: {}}}, on: {any: DONE}}
  DONE: {final: true}
)yaml");
  EXPECT_FALSE(lint("/team/flow.yaml", files, "/lib").diagnostics.has_errors());
}

}  // namespace
}  // namespace agneto::lint
