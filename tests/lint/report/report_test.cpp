#include "lint/report/report.h"

#include <gmock/gmock.h>

#include <regex>

#include "lint/linting.h"
#include "lint/report/format.h"
#include "model/rules.h"

namespace agneto::lint {
namespace {

const std::string machine = R"(agneto: 1
name: flow
agents:
  coder: {hooks: hooks.lua}
initial: A
states:
  A:
    machine: inner.yaml
    on: {END: END}
  END: {final: true}
)";

std::string inner(const std::string& comment) {
  return R"(agneto: 1
name: inner
initial: A
agents:
  critic: {hooks: hooks.lua})" +
         comment + R"(
states:
  A:
    run: {argv: [make]}
    on: {ok: END, failed: END}
  END: {final: true}
)";
}

struct Team {
  MemoryFiles files;
  Policy policy;

  Team() { files.add("/team/hooks.lua", good_hooks); }

  void configure(const std::string& text) {
    files.add("/team/.agneto/config.yaml", text);
    Diagnostics diagnostics;
    std::vector<SourcePtr> sources;
    policy = load_policy("/team/.agneto/config.yaml", files, diagnostics, sources);
    EXPECT_EQ(render(diagnostics), "");
  }

  Report report(const std::vector<fs::path>& workflows) const {
    return lint::report(workflows, files, "/lib", policy);
  }
};

// "inner.yaml:5 W414 warning" of each, with "suppressed" behind it.
std::vector<std::string> brief(const Report& report) {
  std::vector<std::string> result;
  for (const auto& [diagnostic, suppressed] : report.findings) {
    result.push_back(fs::path(region(diagnostic.span).path).filename().string() + ":" +
                     std::to_string(diagnostic.span.line()) + " " +
                     std::string(diagnostic.rule->code) + " " +
                     std::string(to_text(diagnostic.severity)) +
                     (suppressed ? " suppressed: " + *suppressed : ""));
  }
  return result;
}

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Report, HasEachFindingOnceInAStableOrder) {
  Team team;
  team.files.add("/team/b.yaml", machine);
  team.files.add("/team/a.yaml", machine);
  team.files.add("/team/inner.yaml", inner(""));
  std::vector<fs::path> workflows = {"/team/b.yaml", "/team/inner.yaml", "/team/a.yaml"};
  for (int i = 0; i < 20; ++i) workflows.emplace_back("/team/b.yaml");
  const Report report = team.report(workflows);
  EXPECT_THAT(brief(report), ElementsAre("a.yaml:4 W414 warning", "b.yaml:4 W414 warning",
                                         "inner.yaml:5 W414 warning"));
  EXPECT_THAT(report.files, ElementsAre("/team/a.yaml", "/team/b.yaml", "/team/inner.yaml"));
  EXPECT_EQ(report.warnings, 3U);
  EXPECT_FALSE(report.reaches(Severity::error));
  EXPECT_TRUE(report.reaches(Severity::warning));
}

// What is said of `text` in the team's configuration.
std::string said_of_policy(const std::string& text) {
  MemoryFiles files;
  files.add("/team/.agneto/config.yaml", text);
  Diagnostics diagnostics;
  std::vector<SourcePtr> sources;
  load_policy("/team/.agneto/config.yaml", files, diagnostics, sources);
  return render(diagnostics);
}

const std::string hasty = R"(agneto: 1
name: hasty
initial: A
states:
  A:
    ask: {question: Deploy it, options: {YEA: Deploy it, NAY: Leave it}}
    on: {YEA: END, NAY: END}
    after: {90s: END}
  END: {final: true}
)";

TEST(Parameters, AreWhatTheTeamSets) {
  Team team;
  team.files.add("/team/flow.yaml", hasty);
  EXPECT_THAT(brief(team.report({"/team/flow.yaml"})), IsEmpty());
  team.configure("lint: {rules: {hasty-timer: {person: 5m}}}");
  EXPECT_EQ(
      write_text(team.report({"/team/flow.yaml"}), {}),
      R"(/team/flow.yaml:8:18: warning: 'A' is taken away after 1m 30s, before anybody can answer [W238/hasty-timer]
    after: {90s: END}
                 ^~~
  help: say how long a person has, as in 24h
)");
  team.configure("lint: {rules: {W238: {level: error, person: 5m}}}");
  EXPECT_THAT(brief(team.report({"/team/flow.yaml"})), ElementsAre("flow.yaml:8 W238 error"));
  team.configure("lint: {rules: {W238: {level: off, person: 5m}}}");
  EXPECT_THAT(brief(team.report({"/team/flow.yaml"})), IsEmpty());
}

TEST(Parameters, AreAlsoOfRulesAboutHooks) {
  Team team;
  team.files.add("/team/flow.yaml", R"(agneto: 1
name: flow
agents: {coder: {hooks: coder.lua}}
initial: A
states:
  A:
    agent: {name: coder, verdicts: {PASSED: {}, BROKE: {}}}
    on: {PASSED: END, BROKE: END}
  END: {final: true}
)");
  team.files.add("/team/coder.lua",
                 "return {prompt = function(m) return 'Answer PASED or BROKE' end}");
  EXPECT_THAT(brief(team.report({"/team/flow.yaml"})), ElementsAre("coder.lua:1 W513 warning"));
  team.configure("lint: {rules: {foreign-verdict: {word: 6}}}");
  EXPECT_THAT(brief(team.report({"/team/flow.yaml"})), IsEmpty());
}

TEST(Parameters, HaveNamesAndValues) {
  EXPECT_EQ(
      said_of_policy("lint: {rules: {hasty-timer: {persn: 5m}}}"),
      R"(/team/.agneto/config.yaml:1:30: error: unknown key 'persn' in hasty-timer [E121/unknown-key]
lint: {rules: {hasty-timer: {persn: 5m}}}
                             ^~~~~
  help: did you mean 'person'?
)");
  EXPECT_EQ(said_of_policy("lint: {rules: {W414: {most: 5}}}"),
            R"(/team/.agneto/config.yaml:1:23: error: unknown key 'most' in W414 [E121/unknown-key]
lint: {rules: {W414: {most: 5}}}
                      ^~~~
  help: known keys: level
)");
  EXPECT_EQ(
      said_of_policy("lint: {rules: {hasty-timer: {person: 5}}}"),
      R"(/team/.agneto/config.yaml:1:38: error: 'person' must be a duration such as 90s, 20m or 4h [E302/wrong-type]
lint: {rules: {hasty-timer: {person: 5}}}
                                     ^
)");
  EXPECT_EQ(
      said_of_policy("lint: {rules: {W513: {word: 0, line: nan}}}"),
      R"(/team/.agneto/config.yaml:1:29: error: 'word' must be a number of at least 1 [E302/wrong-type]
lint: {rules: {W513: {word: 0, line: nan}}}
                            ^
/team/.agneto/config.yaml:1:38: error: 'line' must be a number of at least 1 [E302/wrong-type]
lint: {rules: {W513: {word: 0, line: nan}}}
                                     ^~~
)");
  EXPECT_EQ(
      said_of_policy("lint: {rules: {hasty-timer: {level: of}}}"),
      R"(/team/.agneto/config.yaml:1:37: error: 'level' must be off, warning or error [E302/wrong-type]
lint: {rules: {hasty-timer: {level: of}}}
                                    ^~
)");
  EXPECT_EQ(
      said_of_policy("lint: {rules: {E203: {level: warning}}}"),
      R"(/team/.agneto/config.yaml:1:16: error: E203/undefined-target is an error, which cannot be turned off [E130/unknown-rule]
lint: {rules: {E203: {level: warning}}}
               ^~~~
  help: a workflow with errors cannot be run; only warnings have other levels
)");
  EXPECT_EQ(
      said_of_policy("lint: {paths: [{match: a/**, rules: {W238: {person: 5m}}}]}"),
      R"(/team/.agneto/config.yaml:1:53: error: 'person' is the same in all files [E121/unknown-key]
lint: {paths: [{match: a/**, rules: {W238: {person: 5m}}}]}
                                                    ^~
  help: write it in lint.rules, as in hasty-timer: {person: 1s}
)");
}

// A file that lets nobody call the agent of the one that it extends.
std::string extending(const std::string& comment = "") {
  return "agneto: 1\nextends: base.yaml" + comment + R"(
name: mine
states:
  A: {agent: null, run: {argv: [make]}, on: {ok: FINISHED, failed: FINISHED, OK: null}}
)";
}

const std::string extended = R"(agneto: 1
name: base
agents:
  coder: {hooks: hooks.lua}
initial: A
states:
  A:
    agent: {name: coder, verdicts: {OK: {}}}
    on: {OK: FINISHED, error: FINISHED}
  FINISHED: {final: true}
)";

TEST(Report, NotesWhichFileMakesAFindingOfTheOneThatItExtends) {
  Team team;
  team.files.add("/team/base.yaml", extended);
  team.files.add("/team/mine.yaml", extending());
  const Report report = team.report({"/team/base.yaml", "/team/mine.yaml"});
  ASSERT_THAT(brief(report), ElementsAre("base.yaml:4 W414 warning"));
  EXPECT_EQ(render(report.findings[0].diagnostic),
            "/team/base.yaml:4:3: warning: no state calls the agent 'coder' [W414/unused-agent]\n"
            "  coder: {hooks: hooks.lua}\n"
            "  ^~~~~\n"
            "  help: remove it\n"
            "/team/mine.yaml:2:10: note: '/team/base.yaml' is extended here\n"
            "extends: base.yaml\n"
            "         ^~~~~~~~~\n");
}

TEST(Report, DoesNotBlameAFileForWhatIsWrongInTheOneThatItExtends) {
  Team team;
  std::string wrong = extended;
  wrong.replace(wrong.find("OK: FINISHED"), 12, "OK: FINISHD");
  team.files.add("/team/base.yaml", wrong);
  team.files.add("/team/a.yaml", "agneto: 1\nextends: base.yaml\nname: a\n");
  const Report report = team.report({"/team/a.yaml", "/team/base.yaml"});
  ASSERT_THAT(brief(report), ElementsAre("base.yaml:9 E203 error"));
  EXPECT_THAT(report.findings[0].diagnostic.related, IsEmpty());
  EXPECT_TRUE(report.findings[0].diagnostic.fix);
}

TEST(Report, SuppressesFindingsOfAnotherFileWhereThatIsExtended) {
  Team team;
  team.files.add("/team/base.yaml", extended);
  team.files.add("/team/mine.yaml",
                 extending("  # lint: ignore unused-agent -- a program does it here"));
  EXPECT_THAT(brief(team.report({"/team/mine.yaml", "/team/base.yaml"})),
              ElementsAre("base.yaml:4 W414 warning suppressed: a program does it here"));
  team.files.add("/team/mine.yaml",
                 "agneto: 1\nextends: base.yaml  # lint: ignore unused-agent -- a program\n"
                 "name: mine\n");
  EXPECT_THAT(brief(team.report({"/team/mine.yaml", "/team/base.yaml"})),
              ElementsAre("mine.yaml:2 W132 warning"));
}

TEST(Report, TellsSoManyOfOneFileAndCountsAll) {
  std::string on;
  for (int i = 0; i < 1100; ++i) on += "      e" + std::to_string(i) + ": NOWHERE\n";
  Team team;
  team.files.add("/team/flow.yaml", "agneto: 1\nname: flow\ninitial: A\nstates:\n  A:\n    on:\n" +
                                        on + "  END: {final: true}\n");
  const Report report = team.report({"/team/flow.yaml"});
  ASSERT_EQ(report.findings.size(), 1000U);
  const Diagnostic& last = report.findings.back().diagnostic;
  EXPECT_EQ(last.span.line(), 1006);
  ASSERT_EQ(last.related.size(), 1U);
  EXPECT_EQ(last.related[0].message,
            "100 more in this file are not told; correct those above first");
  EXPECT_EQ(last.related[0].span.line(), 1007);
  EXPECT_EQ(report.errors, 1100U);
}

TEST(Report, KnowsNoFileThatCannotBeRead) {
  const Report report = Team().report({"/team/none.yaml"});
  EXPECT_THAT(brief(report), ElementsAre(":0 E601 error"));
  EXPECT_THAT(report.files, IsEmpty());
  EXPECT_TRUE(report.reaches(Severity::error));
}

TEST(Suppression, OnTheLineOrBeforeIt) {
  for (const char* comment :
       {"  # lint: ignore W414 -- for later", "  #lint:ignore unused-agent--for later",
        "  # lint: ignore w414, W414/unused-agent -- for later"}) {
    Team team;
    team.files.add("/team/flow.yaml", inner(comment));
    EXPECT_THAT(brief(team.report({"/team/flow.yaml"})),
                ElementsAre("flow.yaml:5 W414 warning suppressed: for later"));
  }
  Team team;
  std::string text = inner("");
  text.insert(text.find("  critic"), "\n  # lint: ignore W414 -- for later\n  # as all know\n\n");
  team.files.add("/team/flow.yaml", text);
  const Report report = team.report({"/team/flow.yaml"});
  EXPECT_THAT(brief(report), ElementsAre("flow.yaml:9 W414 warning suppressed: for later"));
  EXPECT_EQ(report.suppressed, 1U);
  EXPECT_FALSE(report.reaches(Severity::warning));
  EXPECT_EQ(write_text(report, {}), "");
}

TEST(Suppression, IsAlsoInLua) {
  Team team;
  team.files.add("/team/flow.yaml", R"(agneto: 1
name: flow
initial: A
states:
  A:
    run:
      argv: [make]
      env:
        MODE: |  # lint: ignore W504 -- not about the next line
          fast -- lint: ignore W504 -- it is nil, as it should be
    on: {ok: END, failed: END}
  END: {final: true}
)");
  EXPECT_THAT(brief(team.report({"/team/flow.yaml"})),
              ElementsAre("flow.yaml:9 W504 warning suppressed: not about the next line",
                          "flow.yaml:10 W132 warning"));
}

TEST(Suppression, IsAlsoInAHookModule) {
  Team team;
  team.files.add("/team/flow.yaml", R"(agneto: 1
name: flow
agents:
  coder: {hooks: coder.lua}
initial: A
states:
  A:
    agent: {name: coder, verdicts: {OK: {}}}
    on: {OK: END}
  END: {final: true}
)");
  team.files.add("/team/coder.lua", R"(return {prompt = function(m)
  return mesage -- lint: ignore W505 -- for a test
  -- lint: ignore W505 -- for another
end}
)");
  EXPECT_THAT(
      brief(team.report({"/team/flow.yaml"})),
      ElementsAre("coder.lua:2 W505 warning suppressed: for a test", "coder.lua:3 W132 warning"));
}

TEST(Suppression, IsNoTextThatLooksLikeOne) {
  Team team;
  std::string text = inner("");
  text.insert(text.find("  critic"),
              "  other: {hooks: hooks.lua, description: '# lint: ignore it'}\n");
  team.files.add("/team/flow.yaml", text);
  EXPECT_THAT(brief(team.report({"/team/flow.yaml"})),
              ElementsAre("flow.yaml:5 W414 warning", "flow.yaml:6 W414 warning"));
}

TEST(Suppression, ThatIsUnusedIsAFinding) {
  Team team;
  team.files.add("/team/flow.yaml", inner("  # lint: ignore W414, W210 -- for later"));
  const Report report = team.report({"/team/flow.yaml"});
  EXPECT_EQ(
      write_text(report, {}),
      R"text(/team/flow.yaml:5:31: warning: there is no W210/unreachable-state on line 5 [W132/unused-suppression]
  critic: {hooks: hooks.lua}  # lint: ignore W414, W210 -- for later
                              ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
  help: remove it from the comment
)text");
}

TEST(Suppression, IsUsedWhereOneOfSeveralWorkflowsNeedsIt) {
  Team team;
  team.files.add("/team/a.yaml", machine);
  team.files.add("/team/inner.yaml", inner("  # lint: ignore W414 -- for later"));
  EXPECT_THAT(
      brief(team.report({"/team/a.yaml", "/team/inner.yaml"})),
      ElementsAre("a.yaml:4 W414 warning", "inner.yaml:5 W414 warning suppressed: for later"));
}

TEST(Suppression, IsNotCalledUnusedWhereErrorsHideWhatItIsAbout) {
  Team team;
  std::string text = inner("  # lint: ignore W414 -- for later");
  text.replace(text.find("ok: END"), 7, "ok: EDN");
  team.files.add("/team/flow.yaml", text);
  EXPECT_THAT(brief(team.report({"/team/flow.yaml"})), ElementsAre("flow.yaml:9 E203 error"));
}

// What is not looked at as a whole may hold what the comment is for.
TEST(Suppression, IsNotCalledUnusedWhereExploringEndedEarly) {
  const std::string flow = R"(agneto: 1
name: flow
context: {name: go}
initial: A
states:
  A:
    run: {argv: [make]}
    on:
      ok: {do: raise(ctx.name)}
      # lint: ignore dead-transition, untaken-event -- for later
      go: {target: END, guard: run.interactive}
      any: END
  END: {final: true}
)";
  Team team;
  team.files.add("/team/flow.yaml", flow);
  EXPECT_THAT(brief(team.report({"/team/flow.yaml"})), ElementsAre("flow.yaml:10 W132 warning"));
  team.files.add("/team/flow.yaml", std::regex_replace(flow, std::regex("ctx.name"), "'go'"));
  EXPECT_THAT(brief(team.report({"/team/flow.yaml"})),
              ElementsAre("flow.yaml:3 W312 warning", "flow.yaml:10 W132 warning",
                          "flow.yaml:10 W132 warning"));
  // The same holds where it is a part of several workflows.
  team.files.add("/team/outer.yaml", R"(agneto: 1
name: outer
context: {name: go}
initial: A
states:
  A:
    machine: flow.yaml
    on: {END: {do: raise(ctx.name)}, go: END, error: END}
  END: {final: true}
)");
  EXPECT_THAT(brief(team.report({"/team/flow.yaml", "/team/outer.yaml"})),
              ElementsAre("flow.yaml:3 W312 warning", "flow.yaml:10 W132 warning"));
}

TEST(Policy, GivesWarningsAnotherLevel) {
  Team team;
  team.files.add("/team/flow.yaml", inner(""));
  team.configure("lint: {rules: {unused-agent: error}}\n");
  EXPECT_THAT(brief(team.report({"/team/flow.yaml"})), ElementsAre("flow.yaml:5 W414 error"));
  team.configure("lint: {rules: {W414: off}}\n");
  EXPECT_THAT(brief(team.report({"/team/flow.yaml"})), IsEmpty());
}

TEST(Policy, IsByPathToo) {
  Team team;
  team.files.add("/team/old/hooks.lua", good_hooks);
  team.files.add("/team/old/deep/hooks.lua", good_hooks);
  for (const char* file : {"/team/flow.yaml", "/team/old/a.yaml", "/team/old/deep/b.yaml"}) {
    team.files.add(file, inner(""));
  }
  const std::vector<fs::path> all = {"/team/flow.yaml", "/team/old/a.yaml",
                                     "/team/old/deep/b.yaml"};
  team.configure("lint: {rules: {W414: error}, paths: [{match: 'old/**', rules: {W414: off}}]}\n");
  EXPECT_THAT(brief(team.report(all)), ElementsAre("flow.yaml:5 W414 error"));
  team.configure("lint: {paths: [{match: 'old/*.yaml', rules: {W414: off}}]}\n");
  EXPECT_THAT(brief(team.report(all)),
              ElementsAre("flow.yaml:5 W414 warning", "b.yaml:5 W414 warning"));
}

TEST(Policy, MakesASuppressionOfWhatIsOffNotUnused) {
  Team team;
  team.files.add("/team/flow.yaml", inner("  # lint: ignore W414 -- for later"));
  team.configure("lint: {rules: {W414: off}}\n");
  EXPECT_THAT(brief(team.report({"/team/flow.yaml"})), IsEmpty());
}

TEST(Policy, LeavesOutWhatIsExplored) {
  Team team;
  const std::string flow = R"(agneto: 1
name: flow
context: {n: 1}
initial: A
states:
  A:
    run: {argv: [make]}
    on:
      failed:
        - {guard: ctx.n > 3, target: END}
        - {target: A, do: ctx.n = 2}
      any: END
  END: {final: true}
)";
  team.files.add("/team/flow.yaml", flow);
  EXPECT_THAT(brief(team.report({"/team/flow.yaml"})), ElementsAre("flow.yaml:10 W226 warning"));
  team.configure("lint: {explore: false}");
  EXPECT_THAT(brief(team.report({"/team/flow.yaml"})), IsEmpty());
  // What is not looked for may be suppressed all the same.
  team.files.add("/team/flow.yaml",
                 std::regex_replace(flow, std::regex("        - .guard"),
                                    "        # lint: ignore W226 -- so it is\n        - {guard"));
  EXPECT_THAT(brief(team.report({"/team/flow.yaml"})), IsEmpty());
}

TEST(Policy, SaysHowManyConfigurationsAreExplored) {
  Team team;
  team.files.add("/team/flow.yaml", R"(agneto: 1
name: flow
initial: A
states:
  A:
    run: {argv: [make]}
    on: {ok: B, failed: END}
  B:
    run: {argv: [make]}
    on: {ok: END, failed: END}
  END: {final: true}
)");
  EXPECT_THAT(team.report({"/team/flow.yaml"}).cut_short, IsEmpty());
  team.configure("lint: {configurations: 2}");
  const Report report = team.report({"/team/flow.yaml"});
  EXPECT_EQ(
      write_text(report, {}),
      "/team/flow.yaml: 'flow' was not explored as a whole: 2 configurations were looked at, and "
      "there are more; dead ends, loops and lost events in the rest are not found\n"
      "  help: `lint: {configurations: NUMBER}` in .agneto/config.yaml looks at more\n");
  EXPECT_EQ(Json::parse(write_json(report, {}))["cut_short"],
            Json::parse(R"([{"file": "/team/flow.yaml", "machine": "flow", "configurations": 2,
                             "why": "there are more"}])"));
}

TEST(Policy, SaysWhatIsWrongWithIt) {
  MemoryFiles files;
  files.add("/team/.agneto/config.yaml", R"(provider: claude
lint:
  rule: {}
  rules: {W414: never, E203: error}
  paths:
    - {match: "old/**"}
    - old
  configurations: 0
)");
  Diagnostics diagnostics;
  std::vector<SourcePtr> sources;
  load_policy("/team/.agneto/config.yaml", files, diagnostics, sources);
  EXPECT_EQ(
      render(diagnostics),
      R"text(/team/.agneto/config.yaml:3:3: error: unknown key 'rule' in lint [E121/unknown-key]
  rule: {}
  ^~~~
  help: did you mean 'rules'?
/team/.agneto/config.yaml:4:17: error: 'W414' must be off, warning or error [E302/wrong-type]
  rules: {W414: never, E203: error}
                ^~~~~
/team/.agneto/config.yaml:6:7: error: a path needs the key 'rules' [E122/missing-key]
    - {match: "old/**"}
      ^~~~~~~~~~~~~~~~~
  help: write {match: "workflows/old/**", rules: {W414: off}}
/team/.agneto/config.yaml:7:7: error: 'paths' must be a list of {match, rules} [E302/wrong-type]
    - old
      ^~~
/team/.agneto/config.yaml:8:19: error: 'configurations' must be a whole number of at least 1 [E302/wrong-type]
  configurations: 0
                  ^
)text");
}

// What was found in a configuration, whose warnings are of these rules.
Findings configuration(const std::string& text, const std::vector<const Rule*>& warnings) {
  Findings found;
  const auto source = std::make_shared<const Source>("/team/.agneto/config.yaml", text);
  found.sources.push_back(source);
  for (const Rule* rule : warnings) {
    found.diagnostics.report(*rule, source->span(0, 1), "of the first line");
  }
  return found;
}

TEST(Report, TellsOfTheConfigurationAsOfAFile) {
  Team team;
  team.configure("lint: {rules: {unknown-agent: error}}\n");
  const auto of = [&](const std::string& text) {
    return brief(report({}, team.files, "/lib", team.policy, false,
                        configuration(text, {&rules::unknown_agent})));
  };
  EXPECT_THAT(of("a: b\n"), ElementsAre("config.yaml:1 W134 error"));
  EXPECT_THAT(of("a: b  # lint: ignore unknown-agent -- of a workflow elsewhere\n"),
              ElementsAre("config.yaml:1 W134 error suppressed: of a workflow elsewhere"));
  EXPECT_THAT(of("a: b\n# lint:\n#   rules: {}\n"), ElementsAre("config.yaml:1 W134 error"));
  EXPECT_THAT(of("a: b\nc: d  # lint: ignore unknown-agent -- of nobody\n"),
              ElementsAre("config.yaml:1 W134 error", "config.yaml:2 W132 warning"));
  team.configure("lint: {paths: [{match: .agneto/*, rules: {W134: off}}]}\n");
  EXPECT_THAT(of("a: b\n"), IsEmpty());
  const Report all =
      report({}, team.files, "/lib", team.policy, false, configuration("a: b\n", {}));
  EXPECT_THAT(all.files, ElementsAre("/team/.agneto/config.yaml"));
}

}  // namespace
}  // namespace agneto::lint
