#include "lint/team/team_rules.h"

#include <gmock/gmock.h>

#include "lint/report/report.h"
#include "support/temporary_folder.h"

namespace agneto::lint {
namespace {

const std::string flow = R"(agneto: 1
name: flow
description: Does something
inputs:
  task: {type: string, main: true}
  rounds: {type: integer, default: 3}
context: {n: 0}
limits: {calls: 20, cost: 1.5}
agents:
  coder: {hooks: hooks.lua, access: edit, timeout: 5m}
initial: WORK
on: {abort: STOPPED}
states:
  WORK:
    initial: CODING
    states:
      CODING:
        agent: {name: coder, verdicts: {CODED: {files: "[string]"}}}
        on:
          CODED: {guard: ctx.n < inputs.rounds, do: ctx.n = ctx.n + 1, target: ASKING}
          any: FAILED
      ASKING:
        ask:
          question: "Take it, {{ctx.n}}?"
          options: {TAKE: "Take it", BACK: {label: Not yet, feedback: optional}}
          default: BACK
        on: {TAKE: DONE, BACK: CODING}
        after: {2h: FAILED}
  DONE: {final: true}
  FAILED: {final: true, status: failed}
  STOPPED: {final: true, status: aborted}
outputs: {n: ctx.n}
)";

// A rule whose check has that body, in lines from 2.
std::string rule_with(const std::string& body, const std::string& id = "TEAM-1") {
  return "return {id = '" + id +
         "', summary = 'sums', help = 'helps', check = function(w, report)\n" + body + "\nend}\n";
}

class TeamRulesTest : public ::testing::Test {
 protected:
  TeamRulesTest() {
    files_.add("/team/flow.yaml", flow);
    files_.add("/team/hooks.lua",
               "return {prompt = function(m) return m.inputs.task .. ' CODED' end}");
  }

  void add(const std::string& name, const std::string& text) {
    files_.add("/team/.agneto/lint/" + name, text);
    paths_.emplace_back("/team/.agneto/lint/" + name);
  }

  Report report(const std::string& configuration = "") {
    Findings found;
    const auto team = std::make_shared<const TeamRules>(paths_, files_, "/lib", found.diagnostics);
    files_.add("/team/.agneto/config.yaml", configuration);
    const Policy policy =
        load_policy("/team/.agneto/config.yaml", files_, found.diagnostics, found.sources, team);
    found.keep.push_back(team);
    return lint::report({"/team/flow.yaml"}, files_, "/lib", policy, false, std::move(found));
  }

  // What is found, but for suppressed findings.
  std::string lint(const std::string& configuration = "") {
    const Report all = report(configuration);
    std::string text;
    for (const auto& [diagnostic, suppressed] : all.findings) {
      if (!suppressed) text += render(diagnostic);
    }
    return text;
  }

  // What a rule with that body says of the workflow as a whole.
  std::string said(const std::string& expression) {
    add("rule.lua", rule_with("report(w, tostring(" + expression + "))"));
    const Report all = report();
    return all.findings.size() == 1 ? all.findings.front().diagnostic.message : lint();
  }

  std::string loaded(const std::string& text, const std::string& name = "rule.lua") {
    add(name, text);
    return lint();
  }

  MemoryFiles files_;
  std::vector<fs::path> paths_;
};

TEST_F(TeamRulesTest, FindWithPlaceAndHelp) {
  EXPECT_EQ(loaded(rule_with("report(w.agents[1], 'this is ' .. w.agents[1].name)")),
            R"(/team/flow.yaml:10:3: warning: this is coder [TEAM-1/rule]
  coder: {hooks: hooks.lua, access: edit, timeout: 5m}
  ^~~~~
  help: helps
)");
}

TEST_F(TeamRulesTest, SayMoreOfOneFinding) {
  EXPECT_EQ(loaded(rule_with("report(w.states[2].transitions[1].guard, 'so', 'do that')")),
            R"(/team/flow.yaml:20:26: warning: so [TEAM-1/rule]
          CODED: {guard: ctx.n < inputs.rounds, do: ctx.n = ctx.n + 1, target: ASKING}
                         ^~~~~~~~~~~~~~~~~~~~~
  help: do that
)");
}

TEST_F(TeamRulesTest, SeeStates) {
  EXPECT_EQ(
      said("(function() local all = {} for _, s in ipairs(w.states) do all[#all + 1] = s.path "
           ".. ' ' .. s.kind end return table.concat(all, ', ') end)()"),
      "WORK compound, WORK.CODING atomic, WORK.ASKING atomic, DONE final, FAILED final, "
      "STOPPED final");
}

TEST_F(TeamRulesTest, SeeTransitions) {
  EXPECT_EQ(said("w.states[2].transitions[1].events[1] .. ' ' .. w.states[2].transitions[1].guard."
                 "text .. ' ' .. w.states[2].transitions[1].actions[1].text .. ' ' .. "
                 "w.states[2].transitions[1].targets[1]"),
            "CODED ctx.n < inputs.rounds ctx.n = ctx.n + 1 ASKING");
}

TEST_F(TeamRulesTest, SeeTimersAndWhatIsOfTheWhole) {
  EXPECT_EQ(said("w.states[3].transitions[3].after .. ' ' .. w.transitions[1].events[1] .. ' ' .. "
                 "w.name .. ' ' .. w.description .. ' ' .. w.limits.calls .. ' ' .. w.limits.cost"),
            "7200000 abort flow Does something 20 1.5");
}

TEST_F(TeamRulesTest, SeeActivities) {
  EXPECT_EQ(
      said("w.states[2].activity.kind .. ' ' .. w.states[2].activity.agent .. ' ' .. "
           "w.states[2].activity.verdicts[1].fields[1].type .. ' ' .. "
           "w.states[3].activity.question.text .. ' ' .. w.states[3].activity.options[2].name "
           ".. ' ' .. w.states[3].activity.options[2].feedback .. ' ' .. "
           "w.states[3].activity.default"),
      "agent coder [string] Take it, {{ctx.n}}? BACK optional BACK");
}

TEST_F(TeamRulesTest, SeeData) {
  EXPECT_EQ(
      said("w.inputs[1].name .. ' ' .. tostring(w.inputs[1].required) .. ' ' .. "
           "w.inputs[2].type .. ' ' .. w.inputs[2].default .. ' ' .. w.context[1].name .. ' ' "
           ".. w.agents[1].access .. ' ' .. w.agents[1].timeout .. ' ' .. "
           "w.outputs[1].value.text"),
      "task true integer 3 n edit 300000 ctx.n");
}

TEST_F(TeamRulesTest, ChangeNothing) {
  EXPECT_EQ(
      loaded(rule_with("w.states[1].name = 'OTHER'")),
      R"(/team/.agneto/lint/rule.lua:2:1: error: the workflow is read-only: 'name' cannot be set [E135/team-rule]
w.states[1].name = 'OTHER'
^~~~~~~~~~~~~~~~~~~~~~~~~~
/team/flow.yaml:2:7: note: the rule was looking at this workflow
name: flow
      ^~~~
)");
}

TEST_F(TeamRulesTest, HaveLevels) {
  add("rule.lua", rule_with("report(w, 'so')"));
  EXPECT_EQ(lint("lint: {rules: {TEAM-1: off}}"), "");
  EXPECT_THAT(lint("lint: {rules: {rule: error}}"),
              ::testing::HasSubstr(": error: so [TEAM-1/rule]"));
  EXPECT_THAT(lint("lint: {rules: {TEAM-2: error}}"),
              ::testing::HasSubstr("there is no rule 'TEAM-2' [E130/unknown-rule]"));
  EXPECT_THAT(lint("lint: {rules: {TEAM-2: error}}"),
              ::testing::HasSubstr("help: did you mean TEAM-1/rule?"));
}

// A rule with these parameters that reports what its first one is.
std::string rule_of(const std::string& parameters, const std::string& shown = "p.most") {
  return "return {id = 'TEAM-1', summary = 'sums', parameters = " + parameters +
         ", check = function(w, report, p)\nreport(w, tostring(" + shown + "))\nend}\n";
}

TEST_F(TeamRulesTest, HaveParameters) {
  using ::testing::HasSubstr;
  add("rule.lua", rule_of("{most = 5, least = 0.5}", "p.most .. ' ' .. p.least"));
  EXPECT_THAT(lint(), HasSubstr("warning: 5 0.5 [TEAM-1/rule]"));
  EXPECT_THAT(lint("lint: {rules: {rule: {level: error, most: 7, least: -2}}}"),
              HasSubstr("error: 7 -2 [TEAM-1/rule]"));
  EXPECT_EQ(lint("lint: {rules: {rule: {level: off, mst: 7}}}"),
            R"(/team/.agneto/config.yaml:1:35: error: unknown key 'mst' in rule [E121/unknown-key]
lint: {rules: {rule: {level: off, mst: 7}}}
                                  ^~~
  help: did you mean 'most'?
)");
  EXPECT_EQ(lint("lint: {rules: {rule: {level: off, most: many}}}"),
            R"(/team/.agneto/config.yaml:1:41: error: 'most' must be a number [E302/wrong-type]
lint: {rules: {rule: {level: off, most: many}}}
                                        ^~~~
)");
}

TEST_F(TeamRulesTest, HaveParametersThatAreNumbers) {
  const auto error = [&](const std::string& parameters) {
    paths_.clear();
    add("rule.lua", rule_of(parameters));
    const Report found = report();
    return found.findings.empty() ? "" : found.findings.front().diagnostic.message;
  };
  const std::string form =
      "the rule's 'parameters' is a table of names and numbers, such as {most = 3}";
  EXPECT_EQ(error("5"), form);
  EXPECT_EQ(error("{5}"), form);
  EXPECT_EQ(error("{most = '5'}"), form);
  EXPECT_EQ(error("{most = 1 / 0}"), form);
  EXPECT_EQ(error("{Most = 5}"),
            "a parameter's name is of small letters, digits and underscores, and not 'Most'");
  EXPECT_EQ(error("{level = 5}"), "a parameter's name is not 'level', which says how bad it is");
  EXPECT_EQ(error("(function() local t = {} for i = 1, 101 do t['a' .. i] = i end return t end)()"),
            "a rule has at most 100 parameters");
}

TEST_F(TeamRulesTest, AreSuppressed) {
  files_.add(
      "/team/flow.yaml",
      "agneto: 1\nname: flow  # lint: ignore TEAM-1 -- it is right here\ninitial: A\nstates: "
      "{A: {final: true}}\n");
  add("rule.lua", rule_with("report(w, 'so')"));
  EXPECT_EQ(lint(), "");
  const Report found = report();
  ASSERT_EQ(found.findings.size(), 1U);
  EXPECT_EQ(found.findings[0].suppressed, "it is right here");
}

TEST_F(TeamRulesTest, RequireWhatIsBesideThem) {
  files_.add("/team/.agneto/lint/lib/words.lua", "return {of = function(s) return s.name end}");
  add("rule.lua", "local words = require 'lib.words'\n" +
                      rule_with("report(w.states[1], words.of(w.states[1]))"));
  EXPECT_THAT(lint(), ::testing::HasSubstr("warning: WORK [TEAM-1/rule]"));
}

TEST_F(TeamRulesTest, RequireNothingElse) {
  files_.add("/team/hooks.lua", "return {prompt = function(m) return 'CODED' end}");
  EXPECT_THAT(loaded("local other = require 'hooks'\n" + rule_with("")),
              ::testing::HasSubstr("rule.lua:1:1: error: there is no module 'hooks'"));
}

// What is wrong with a file is said at its first line, where it has no other place.
TEST_F(TeamRulesTest, AreRefused) {
  const auto refusal = [&](const std::string& text, const std::string& name = "rule.lua") {
    MemoryFiles files;
    files.add(name, text);
    Diagnostics wrong;
    const TeamRules rules({name}, files, "/lib", wrong);
    EXPECT_TRUE(rules.rules().empty());
    const std::string found = render(wrong);
    return found.substr(0, found.find('\n'));
  };
  const std::string behind = " [E135/team-rule]";
  const std::string first = "rule.lua:1:1: error: ";
  EXPECT_EQ(refusal("return 3"),
            first +
                "this file returns no rule; write return {id = \"TEAM-1\", summary = …, help = …, "
                "check = function(workflow, report) … end}" +
                behind);
  EXPECT_EQ(refusal("return {id = 'TEAM-1', sumary = 'x'}"),
            first + "a rule has no field 'sumary'; did you mean 'summary'?" + behind);
  EXPECT_EQ(refusal("return {summary = 'x'}"), first + "the rule's 'id' is missing" + behind);
  EXPECT_EQ(refusal("return {id = 3, summary = 'x'}"),
            first + "the rule's 'id' is a text, and not a number" + behind);
  EXPECT_EQ(refusal("return {id = 'W405', summary = 'x'}"),
            first + "the rule's 'id' is TEAM- and a number or a word in capitals, such as TEAM-1" +
                behind);
  EXPECT_EQ(refusal("return {id = 'TEAM-1', summary = ''}"),
            first + "the rule's 'summary' says what it finds" + behind);
  EXPECT_EQ(refusal("return {id = 'TEAM-1', summary = 'x', check = 3}"),
            first + "the rule's 'check' is a function: function(workflow, report) … end" + behind);
  EXPECT_EQ(refusal("return {id = 'TEAM-1', summary = ('x'):rep(2001)}"),
            first + "the rule's 'summary' has at most 2000 bytes, and not 2001" + behind);
  EXPECT_EQ(refusal("return 3", "no-budget.lua"),
            "no-budget.lua:1:1: error: this file returns no rule; write return {id = \"TEAM-1\", "
            "summary = …, help = …, check = function(workflow, report) … end}" +
                behind);
  EXPECT_EQ(refusal(rule_with(""), "no-budget.lua"),
            "no-budget.lua:1:1: error: Agneto has a rule 'no-budget' itself; call this file by "
            "another name" +
                behind);
  EXPECT_EQ(refusal(rule_with(""), "My Rule.lua"),
            "My Rule.lua:1:1: error: this file's name is the rule's: small letters, digits and "
            "dashes" +
                behind);
  EXPECT_EQ(refusal("return {\n  id = = 3\n}"),
            "rule.lua:2:3: error: unexpected symbol near '='" + behind);
  EXPECT_EQ(refusal("while true do end"),
            first + "this does not come to an end (stopped after 50000000 instructions)" + behind);
}

TEST_F(TeamRulesTest, HaveCodesOfTheirOwn) {
  add("one.lua", rule_with(""));
  EXPECT_THAT(
      loaded(rule_with("report(w, 'no')"), "two.lua"),
      ::testing::StartsWith("/team/.agneto/lint/two.lua:1:1: error: the rule of one.lua has "
                            "the id TEAM-1, too [E135/team-rule]"));
}

// The file may be a stranger's, and what it leads to somebody's secret.
TEST(TeamRuleFiles, AreNoLinksToOtherFolders) {
  const agneto::testing::TemporaryFolder folder;
  const fs::path rules = folder.path() / "team/.agneto/lint";
  fs::create_directories(rules);
  write_file(folder.path() / "secret", "token = 42\n");
  fs::create_symlink(folder.path() / "secret", rules / "rule.lua");
  Diagnostics wrong;
  const auto team = read_team_rules(rules, Disk(), "/lib", wrong);
  const std::string file = (rules / "rule.lua").string();
  EXPECT_EQ(render(wrong), file + ":1:1: error: the file '" + file +
                               "' is outside the folders of this workflow [E135/team-rule]\n");
  EXPECT_TRUE(team->rules().empty());
}

// No way out, and no way to take the time or the memory of who lints.
TEST_F(TeamRulesTest, AreHeldInTheSandbox) {
  const auto fault = [&](const std::string& body) {
    paths_.clear();
    add("rule.lua", rule_with(body));
    const Report found = report();
    const auto& findings = found.findings;
    return findings.empty() ? "" : findings.front().diagnostic.message;
  };
  for (const char* name : {"os", "io", "debug", "load", "loadfile", "dofile", "package", "_G"}) {
    EXPECT_EQ(fault(std::string("local x = ") + name),
              std::string("'") + name + "' is not available here");
  }
  // Which of the two limits is met first depends on the machine.
  const auto is_ended =
      ::testing::AnyOf("this does not come to an end (stopped after 50000000 instructions)",
                       "this takes too long (stopped after more than 5 s)");
  EXPECT_THAT(fault("while true do end"), is_ended);
  EXPECT_THAT(fault("while true do pcall(report, w, 'so') end"), is_ended);
  EXPECT_EQ(fault("local t = {} while true do t[#t + 1] = ('x'):rep(1000000) end"),
            "this needs more memory than it may have (256 MB)");
  EXPECT_EQ(fault("for i = 1, 1001 do report(w, 'so ' .. i) end"),
            "a rule reports at most 1000 findings of a workflow");
  EXPECT_EQ(fault("report(w, ('x'):rep(1000000))"),
            "what is reported has at most 2000 bytes, and not 1000000");
  EXPECT_EQ(fault("report(w, 'x', {})"), "the help of what is reported is a text, and not a table");
  EXPECT_EQ(fault("report(w)"), "what is reported is missing");
  const std::string form =
      "report is given what it is about: the workflow, or a part of it that has a place, such as a "
      "state";
  EXPECT_EQ(fault("report(nil, 'x')"), form);
  EXPECT_EQ(fault("report({}, 'x')"), form);
  EXPECT_EQ(fault("report({place = -1}, 'x')"), form);
  EXPECT_EQ(fault("report({place = 1000000}, 'x')"), form);
  EXPECT_EQ(fault("report(setmetatable({}, {__index = function() error('no') end}), 'x')"), form);
  EXPECT_EQ(fault("report({place = 1}, 'a\\27[31m\\nb\\255')"), "a b\xEF\xBF\xBD");
  EXPECT_EQ(fault("error({1})"), "error [1]");
  EXPECT_EQ(fault("getmetatable(w).__index = nil"), "attempt to index a boolean value");
}

// `report` of one look is of use in that look alone: what it finds is of the machine at hand.
TEST_F(TeamRulesTest, KeepNothingOfAnotherWorkflow) {
  files_.add("/team/flow.yaml", R"(agneto: 1
name: flow
initial: A
states:
  A: {machine: inner.yaml, on: {DONE: B, error: B}}
  B: {final: true}
)");
  files_.add("/team/inner.yaml", R"(agneto: 1
name: inner
initial: WORKING
states:
  WORKING: {run: {argv: [make]}, on: {ok: DONE, failed: DONE, error: DONE}}
  DONE: {final: true}
)");
  add("rule.lua", "local before\n" + rule_with(R"(
    if before then before(w.states[1], 'in ' .. w.name) end
    before = report)"));
  const Report found = report();
  ASSERT_EQ(found.findings.size(), 1U);
  EXPECT_EQ(found.findings[0].diagnostic.message, "in inner");
  EXPECT_EQ(found.findings[0].diagnostic.span.source->path(), "/team/inner.yaml");
}

}  // namespace
}  // namespace agneto::lint
