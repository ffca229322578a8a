// What is said of hook modules and of what they require.
#include <gmock/gmock.h>

#include "lint/linting.h"

namespace agneto::lint {
namespace {

std::string lint_hooks(std::map<std::string, std::string> modules) {
  modules["flow.yaml"] = R"yaml(agneto: 1
name: flow
agents: {coder: {hooks: hooks.lua}}
initial: A
states:
  A:
    agent: {name: coder, verdicts: {MADE: {}, PARTLY: {}}}
    on: {MADE: END, PARTLY: END}
  END: {final: true}
)yaml";
  return lint_files(std::move(modules));
}

TEST(HookField, IsATaskThatNoStateNames) {
  const auto lint_task = [](const std::string& prompt, const std::string& call = "coder") {
    return lint_files(
        {{"flow.yaml",
          "agneto: 1\nname: flow\nagents: {coder: {hooks: hooks.lua}}\n"
          "initial: A\nstates:\n  A:\n    agent: " +
              call + "\n    on: {done: END}\n  END: {final: true}\n"},
         {"hooks.lua", "local agneto = require('agneto')\nlocal function prompt(m) " + prompt +
                           " end\nreturn {prompt = prompt, tasks = {fix = {prompt = prompt}}}\n"},
         {"agneto.lua", "return {section = function(title, text) return title .. text end}"}});
  };
  EXPECT_EQ(
      lint_task("return 'Do this: ' .. m.task"),
      R"(/team/hooks.lua:2:48: warning: no state that calls this agent names a task, so that m.task is empty [W512/hook-field]
local function prompt(m) return 'Do this: ' .. m.task end
                                               ^~~~~~
  help: what the run was given is in m.inputs; m.task is of `agent: {name, task}`
)");
  EXPECT_THAT(lint_task("return agneto.section('The task', m.task)"), testing::HasSubstr("[W512/"));
  EXPECT_EQ(lint_task("return 'Do this: ' .. m.task", "{name: coder, task: fix}"), "");
  EXPECT_EQ(lint_task("if m.task == '' then return 'Do it' end return 'Do ' .. m.task"), "");
  EXPECT_EQ(lint_task("return ({fix = 'Mend it'})[m.task] or 'Do it'"), "");
}

const std::string uses = R"lua(local prompts = require("prompts")
return {prompt = function(m)
  return prompts.difff(m) .. prompts.diff(m) .. prompts:tasc() .. require "prompts".rest
end}
)lua";

TEST(UndefinedMember, IsReportedOfEveryUse) {
  const std::string expected =
      R"text(/team/hooks.lua:3:10: warning: the module 'prompts' has no 'difff' [W514/undefined-member]
  return prompts.difff(m) .. prompts.diff(m) .. prompts:tasc() .. require "prompts".rest
         ^~~~~~~~~~~~~
  help: did you mean 'diff'?
/team/hooks.lua:3:49: warning: the module 'prompts' has no 'tasc' [W514/undefined-member]
  return prompts.difff(m) .. prompts.diff(m) .. prompts:tasc() .. require "prompts".rest
                                                ^~~~~~~~~~~~~~
  help: did you mean 'task'?
/team/hooks.lua:3:67: warning: the module 'prompts' has no 'rest' [W514/undefined-member]
  return prompts.difff(m) .. prompts.diff(m) .. prompts:tasc() .. require "prompts".rest
                                                                  ^~~~~~~~~~~~~~~~~~~~~~
  help: did you mean 'test'?
)text";
  EXPECT_EQ(lint_hooks({{"hooks.lua", uses},
                        {"prompts.lua", "return {diff = 1, [\"task\"] = 2, test = 3, 4}\n"}}),
            expected);
  EXPECT_EQ(lint_hooks({{"hooks.lua", uses}, {"prompts.lua", R"lua(local prompts = {diff = 1}
function prompts.task() return prompts.diff end
prompts.test = prompts.task
return prompts
)lua"}}),
            expected);
}

TEST(UndefinedMember, IsNotSaidOfATableThatIsNotPlain) {
  for (const char* module : {
           "return setmetatable({}, {})",
           "local p = {} for _, name in ipairs({'rest'}) do p[name] = 1 end return p",
           "local p = {} local other = p other.rest = 1 return p",
           "local function make() return {} end return make()",
           "local name = 'rest' return {[name] = 1}",
           "local p = {} p = {rest = 1} return p",
           "if ... then return {rest = 1} end return {}",
       }) {
    EXPECT_EQ(lint_hooks({{"hooks.lua", uses}, {"prompts.lua", module}}), "") << module;
  }
}

TEST(UndefinedMember, IsNotSaidOfAVariableThatIsAssigned) {
  EXPECT_EQ(
      lint_hooks({{"hooks.lua", R"lua(local prompts, more = require("prompts"), require("prompts")
prompts = {rest = "a"}
function more.task() return "b" end
return {prompt = function(m) return prompts.rest .. more.task() end}
)lua"},
                  {"prompts.lua", "return {}\n"}}),
      "");
}

TEST(UndefinedMember, IsReportedOfTheHookLibrary) {
  EXPECT_EQ(
      lint_hooks(
          {{"hooks.lua", R"lua(local agneto = require("agneto")
return {prompt = function(m) return agneto.jion({m.state}) .. agneto.join({}) end}
)lua"},
           {"../lib/agneto.lua",
            "local agneto = {}\nfunction agneto.join(parts) return '' end\nreturn agneto\n"}}),
      R"text(/team/hooks.lua:2:37: warning: the module 'agneto' has no 'jion' [W514/undefined-member]
return {prompt = function(m) return agneto.jion({m.state}) .. agneto.join({}) end}
                                    ^~~~~~~~~~~
  help: did you mean 'join'?
)text");
}

TEST(ForeignVerdict, IsWhatAParseReturns) {
  const std::string prompt = "prompt = function(m) return m.state end";
  const std::string parse =
      "function(reply) if reply == '' then return nil end return 'FINISHED' end";
  for (const std::string& module : {
           "return {" + prompt + ", parse = " + parse + "}",
           "local function parse(reply) return 'FINISHED', {} end return {" + prompt +
               ", parse = parse}",
           "local hooks = {" + prompt + "} hooks.parse = " + parse + " return hooks",
       }) {
    const std::string said = lint_hooks({{"hooks.lua", module}});
    EXPECT_THAT(said, testing::HasSubstr("no state that uses this hook has the verdict 'FINISHED' "
                                         "[W513/foreign-verdict]"))
        << module;
    EXPECT_THAT(said, testing::HasSubstr("  help: known verdicts: MADE, PARTLY\n")) << module;
  }
}

TEST(ForeignVerdict, IsNotWhatAnotherFunctionReturns) {
  EXPECT_EQ(lint_hooks({{"hooks.lua", R"lua(local function word() return "DONE" end
return {
  prompt = word,
  parse = function(reply)
    local name = (function() return "DONE" end)()
    if reply == name then return "MADE" end
    return "PARTLY", {}
  end,
}
)lua"}}),
            "");
}

TEST(ForeignVerdict, IsNoWordMadeOfOne) {
  const auto told = [](const std::string& word) {
    return lint_hooks(
        {{"hooks.lua", "return {prompt = function() return 'Say " + word + "' end}"}});
  };
  EXPECT_EQ(told("UNMADE"), "");
  EXPECT_EQ(told("PARTLYS"), "");
  EXPECT_NE(told("PARTLYED"), "") << "a slip as many others";
}

TEST(ForeignVerdict, IsSaidOnceOfWhatAParseReturns) {
  EXPECT_EQ(
      lint_hooks({{"hooks.lua", R"lua(return {
  prompt = function(m) return m.state end,
  parse = function() return "PARTY" end,
}
)lua"}}),
      R"text(/team/hooks.lua:3:29: warning: no state that uses this hook has the verdict 'PARTY' [W513/foreign-verdict]
  parse = function() return "PARTY" end,
                            ^~~~~~~
  help: did you mean 'PARTLY'?
)text");
}

// What agneto.render puts in is read, too.
TEST(UnusedInput, IsNotOneThatATemplateInAHookReads) {
  const auto lint = [](const std::string& text) {
    return lint_files({{"flow.yaml", R"yaml(agneto: 1
name: flow
agents: {coder: {hooks: hooks.lua}}
inputs: {goal: string}
context: {note: ""}
initial: A
states:
  A:
    agent: {name: coder, verdicts: {MADE: {}}}
    on: {MADE: {target: END, do: ctx.note = event.name}}
  END: {final: true}
)yaml"},
                       {"../lib/agneto.lua", "return {render = function(text) return text end}"},
                       {"hooks.lua",
                        "local agneto = require('agneto')\nreturn {prompt = function(m) "
                        "return agneto.render(" +
                            text + ", m) end}\n"}});
  };
  for (const char* text :
       {"[[Do {{inputs.goal}}. {{ ctx.note }}]]", "'{{ctx.note}}{{inputs.goal.1}}'",
        "'{{inputs}}{{ctx.' .. 'note' .. '}}'", "'{{inputs.go' .. 'al}}{{ ctx }}'"}) {
    EXPECT_EQ(lint(text), "") << text;
  }
  const std::string unused =
      R"text(/team/flow.yaml:4:10: warning: the input 'goal' is never used [W313/unused-input]
inputs: {goal: string}
         ^~~~
  help: remove it, and from the `with` of those who give it
/team/flow.yaml:5:11: warning: ctx.note is assigned and never read [W312/unused-context]
context: {note: ""}
          ^~~~
  help: remove it, or give it back under `outputs`
)text";
  for (const char* text : {"'{{m.inputs.goal}} {{ctx.other}}'", "'inputs.goal, {ctx.note}'",
                           "'{{inputs.goals}}{{ctxt.note}}'"}) {
    EXPECT_TRUE(lint(text).starts_with(unused)) << text;
  }
}

// A `prompt` with that body, in a flow whose state A calls it.
std::string lint_prompt(const std::string& body) {
  return lint_hooks({{"hooks.lua", "return {prompt = function(m)\n  " + body + "\nend}\n"}});
}

TEST(SilentHook, ComesToItsEndOnSomeWay) {
  EXPECT_EQ(
      lint_prompt("if m.attempt > 1 then return 'Again' end"),
      R"text(/team/hooks.lua:2:3: warning: this `prompt` may come to its end and return nothing [W515/silent-hook]
  if m.attempt > 1 then return 'Again' end
  ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
  help: return the text that the agent is asked, as agneto.join makes it of several on every way
)text");
  const auto found = testing::HasSubstr("this `prompt` may come to its end and return nothing");
  for (const char* body :
       {"if m.attempt == 1 then return 'Do it' elseif m.attempt == 2 then return 'Again' end",
        "if m.attempt == 1 then return 'Do it' end\n  if m.attempt == 2 then return 'Again' end",
        "if m.attempt > 1 then return end\n  return 'Do it'",
        "if m.attempt > 1 then local text = 'Again' else return 'Do it' end"}) {
    EXPECT_THAT(lint_prompt(body), found) << body;
  }
  for (const char* body :
       {"if m.state == 'A' then return 'Do it' end",
        "if m.attempt > 1 then return 'Again' else return 'Do it' end",
        "if m.attempt > 1 then return 'Again' end\n  if not (m.attempt > 1) then return 'Do it' "
        "end",
        "if m.attempt > 1 then return 'Again' elseif m.attempt <= 1 then return 'Do it' end",
        "if m.task == '' then return 'Do it' elseif m.task == 'x' then return 'Do x' end",
        "if m.attempt == 1 then return 'Do it' end\n  error('once is enough')",
        "while true do return 'Do it' end"}) {
    EXPECT_EQ(lint_prompt(body), "") << body;
  }
}

TEST(HookParameters, AreThoseThatAreGiven) {
  const auto parse = [](const std::string& function) {
    return lint_hooks(
        {{"hooks.lua", "return {\n  prompt = function(m) return m.state end,\n  parse = " +
                           function + ",\n}\n"}});
  };
  EXPECT_EQ(
      parse("function(m, text) return text:match('MADE') or 'PARTLY' end"),
      R"text(/team/hooks.lua:3:36: warning: `parse` is given the reply first, and then `m` [W519/hook-parameters]
  parse = function(m, text) return text:match('MADE') or 'PARTLY' end,
                                   ^~~~
  help: write parse = function(reply, m)
)text");
  EXPECT_THAT(parse("function(reply, m, verdicts) return reply:match(verdicts[1]) end"),
              testing::HasSubstr("`parse` is given two arguments, so that 'verdicts' is nil"));
  EXPECT_EQ(parse("function(reply, m) return reply:match(m.state) end"), "");
  EXPECT_THAT(parse("function(m) return m.ctx.made end"),
              testing::HasSubstr("[W519/hook-parameters]"));
  EXPECT_EQ(parse("function(reply) return reply end"), "");
  EXPECT_EQ(parse("function(m) return m:match('MADE') end"), "") << "the message";
  EXPECT_EQ(parse("function(reply, m, unused) return reply end"), "");
}

TEST(UnreturnedVerdict, IsNotSaidOfWhatIsWorkedOut) {
  const auto parse = [](const std::string& body) {
    return lint_hooks({{"hooks.lua",
                        "return {\n  prompt = function(m) return m.state end,\n"
                        "  parse = function(reply) " +
                            body + " end,\n}\n"}});
  };
  EXPECT_EQ(
      parse("return 'MADE', {}"),
      R"text(/team/hooks.lua:3:19: warning: this `parse` never returns 'PARTLY' [W520/unreturned-verdict]
  parse = function(reply) return 'MADE', {} end,
                  ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~
  help: return it, or remove it from the verdicts of 'A'
/team/flow.yaml:7:47: note: it is declared here
    agent: {name: coder, verdicts: {MADE: {}, PARTLY: {}}}
                                              ^~~~~~
)text");
  EXPECT_EQ(parse("if reply == 'x' then return 'MADE' end return reply, {}"), "");
  EXPECT_EQ(parse("if reply == 'x' then return 'MADE' end return 'PARTLY'"), "");
}

TEST(ReadOnly, IsWhatAHookIsGiven) {
  EXPECT_EQ(
      lint_prompt("m.ctx.tries = (m.ctx.tries or 0) + 1\n  return 'Try ' .. m.ctx.tries"),
      R"text(/team/hooks.lua:2:3: warning: a hook only reads m.ctx.tries: to change it changes nothing [W309/read-only]
  m.ctx.tries = (m.ctx.tries or 0) + 1
  ^~~~~~~~~~~
  help: what is to be kept comes with a verdict, and is assigned in the workflow
)text");
  EXPECT_EQ(lint_prompt("m.ctx.topic = m.ctx.topic or 'all'\n  return 'Do ' .. m.ctx.topic"), "");
  EXPECT_EQ(lint_prompt("local parts = {}\n  parts.topic = 'all'\n  return parts.topic"), "");
}

}  // namespace
}  // namespace agneto::lint
