// What lint knows of the values in Lua: what events carry, what items give back, what hooks are
// given, and what local variables hold.
#include <gmock/gmock.h>

#include "lint/linting.h"

namespace agneto::lint {
namespace {

using testing::HasSubstr;

// The warnings of an action on the end of a for_each of two-ended items.
std::string lint_results(const std::string& action, const std::string& loop = "") {
  return lint_files({{"flow.yaml", R"(agneto: 1
name: flow
inputs: {files: "[string]"}
context: {text: "", count: 0, names: {type: "[string]", default: []}}
initial: A
states:
  A:
    for_each: {items: inputs.files, machine: item.yaml, with: {file: item})" +
                                       loop + R"(}
    on:
      done:
        target: END
        do: |
          )" + action + R"(
      failed: END
      error: END
  END: {final: true}
outputs: {text: ctx.text .. "", count: ctx.count + 0, names: "#ctx.names"}
)"},
                     {"item.yaml", R"(agneto: 1
name: item
inputs: {file: string}
context: {note: ""}
initial: A
states:
  A:
    run: {argv: [make, "{{inputs.file}}"]}
    on:
      ok: {target: GOOD, do: ctx.note = event.output}
      failed: BAD
      error: BAD
  GOOD: {final: true}
  BAD: {final: true, status: failed}
outputs: {note: ctx.note}
)"}});
}

std::string each_result(const std::string& then) {
  return "for i, result in ipairs(event.results) do " + then + " end";
}

TEST(Typed, KnowsTheResultsOfItems) {
  const std::vector<std::pair<std::string, std::string>> all = {
      {"ctx.text = result.note", "the result of an item has no field 'note' [W308/"},
      {"ctx.text = result.data.summary", "what an item gives back has no field 'summary' [W308/"},
      {R"(if result.status == "ok" then ctx.count = i end)",
       R"(result.status is never "ok", which is none of its choices [W311/)"},
      {R"(if result.outcome == "FAILED" then ctx.count = i end)",
       R"(result.outcome is never "FAILED", which is none of its choices [W311/)"},
      {"ctx.count = result.status",
       "ctx.count is of type integer, which this value never is [W310/"},
  };
  for (const auto& [action, message] : all) {
    EXPECT_THAT(lint_results(each_result(action)), HasSubstr("warning: " + message)) << action;
  }
  for (const char* right :
       {"ctx.text = result.data.note", R"(if result.outcome == "BAD" then ctx.count = i end)",
        R"(if result.outcome == "error.timeout" then ctx.text = result.data.message end)",
        R"(if result.status == "cancelled" then ctx.count = i end)"}) {
    EXPECT_EQ(lint_results(each_result(right)), "") << right;
  }
  const std::string conflict =
      each_result(R"(if result.outcome == "conflict" then ctx.count = i end)");
  EXPECT_EQ(lint_results(conflict, ", workspace: own"), "");
  EXPECT_THAT(lint_results(conflict), HasSubstr("[W311/"));
}

TEST(Typed, KnowsListsAndWhatIsInThem) {
  const std::vector<std::pair<std::string, std::string>> all = {
      {"for _, one in inputs.files do ctx.text = one end",
       "`for` wants a function here, and inputs.files is of type [string] [W317/"},
      {"ctx.text = inputs.files[0]", "inputs.files[0] is nil: lists begin at 1 [W317/"},
      {"for _, one in ipairs(inputs.files) do ctx.count = one end",
       "ctx.count is of type integer, which this value never is [W310/"},
      {"ctx.names:insert(\"x\")", "a value of type [string] has no method 'insert' [W317/"},
      {"table.insert(ctx.text, \"x\")",
       "table.insert wants a list, and this is of type string [W318/"},
      {"local first = inputs.files[1] ctx.count = #first + \"x\"",
       "\"x\" is no number to calculate with [W317/"},
  };
  for (const auto& [action, message] : all) {
    EXPECT_THAT(lint_results(action), HasSubstr("warning: " + message)) << action;
  }
  for (const char* right : {"for _, one in ipairs(inputs.files) do ctx.text = one:upper() end",
                            "local first = ctx.count first = ctx.text ctx.text = first .. \"x\"",
                            "ctx.count = #ctx.text + 1 ctx.text = ctx.count .. \"1\" + 2",
                            "table.insert(ctx.names, table.concat(inputs.files, \", \"))"}) {
    EXPECT_EQ(lint_results(right), "") << right;
  }
}

TEST(Typed, KnowsWhatProgramsAndPeopleGive) {
  const auto lint_on = [](const std::string& on) {
    return lint_text("agneto: 1\nname: flow\ncontext: {text: \"\"}\ninitial: A\nstates:\n  A:\n" +
                     on + "  END: {final: true}\noutputs: {text: ctx.text}\n");
  };
  EXPECT_THAT(
      lint_on(
          "    run: {argv: [make]}\n    on:\n      ok: END\n      failed: [{guard: 'event.status "
          "== \"2\"', target: A}, END]\n"),
      HasSubstr("a value of type integer never equals one of type string [W311/"));
  const std::string ask =
      "    ask: {question: Go on, options: {YES: Go, NO: {label: Stop, feedback: "
      "required}}}\n    on:\n      YES: END\n";
  EXPECT_EQ(lint_on(ask + "      NO: {target: END, do: ctx.text = event.feedback}\n"), "");
  EXPECT_THAT(
      lint_on("    ask: {question: Go on, options: {YES: Go}}\n    on: {YES: {target: END, do: "
              "ctx.text = event.feedback}}\n"),
      HasSubstr("the event 'YES' has no field 'feedback' [W308/"));
  EXPECT_THAT(
      lint_on(
          "    ask: {question: Go on, options: {YES: Go it}}\n    on: {any: [{guard: 'event.name "
          "== \"Go it\"', target: A}, END]}\n"),
      HasSubstr("event.name is never \"Go it\", which is no event's name [W311/"));
}

// The warnings of the body of a hook's `prompt`, and of its `parse`.
std::string lint_prompt(const std::string& body,
                        const std::string& parse = "return 'OK', {feedback = ''}") {
  return lint_files(
      {{"flow.yaml", R"(agneto: 1
name: flow
inputs: {task: string, files: "[string]"}
context: {feedback: {type: "string?", default: null}, note: ""}
agents: {coder: {hooks: hooks.lua}}
initial: WRITING
states:
  WRITING:
    agent: {name: coder, verdicts: {OK: {feedback: string}}}
    on: {OK: {target: END, do: "ctx.feedback, ctx.note = event.feedback, inputs.task"}}
  END: {final: true}
outputs: {feedback: ctx.feedback, note: ctx.note, files: inputs.files}
)"},
       {"../lib/agneto.lua",
        "local t = function() return '' end\nreturn {section = t, bullets = t, join = t, "
        "render = t, fence = t}"},
       {"hooks.lua", "local agneto = require 'agneto'\nreturn {\nprompt = function(m)\n" + body +
                         "\nend,\nparse = function(reply, m)\n" + parse + "\nend}\n"}});
}

TEST(Typed, KnowsWhatHooksAreGiven) {
  const std::vector<std::pair<std::string, std::string>> all = {
      {"if m.attempt == '1' then return 'x' end return 'y'",
       "a value of type integer never equals one of type string [W311/"},
      {"return m.workspace.chunk.patch", "hooks are given no m.workspace.chunk.patch [W512/"},
      {"return 'x' .. m.workspace.files", "'..' cannot join a value of type [string] [W317/"},
      {"return 'x' .. m.last_error",
       "m.last_error is nil at the first try, and '..' fails on nil [W317/"},
      {"if m.ctx.feedback ~= nil then return 'x' end return 'y'",
       "m.ctx.feedback is never nil: without a value it is null [W311/"},
      {"if m.ctx.feedback then return 'x' end return 'y'",
       "a value of type string? is true in Lua"},
      {"if m.inputs.task == 'x' or 'y' then return 'x' end return 'y'", "a text is true in Lua"},
      {"if not m.ctx.note == '' then return 'x' end return 'y'",
       "a value of type boolean never equals one of type string [W311/"},
      {"if m.state == 'WRITE' then return 'x' end return 'y'",
       "no machine that calls this agent has a state 'WRITE' with an agent [W512/"},
      {"return agneto.section(m.inputs.task, 'The task')",
       "the heading of this section is m.inputs.task, and its text is \"The task\" [W318/"},
      {"return agneto.bullets('a', 'b')",
       "agneto.bullets wants a list, and this is of type string [W318/"},
      {"return agneto.join({'a'}, 'b')",
       "agneto.join does not look at this: it takes 1 argument [W318/"},
      {"return agneto.join {agneto.section('A', m.inputs.task)\n'The end.'}",
       "a value of type string is called here like a function [W317/"},
      {"local text = 'On {{inputs.task}}.'\nreturn agneto.render(text, m.inputs)",
       "there is no 'inputs.task' in m.inputs, so that nothing stands there [W318/"},
  };
  for (const auto& [body, message] : all) {
    EXPECT_THAT(lint_prompt(body), HasSubstr("warning: " + message)) << body;
  }
  for (const char* right :
       {"if m.attempt == 1 then return 'x' end return m.last_error or 'y'",
        "if m.last_error then return 'x' .. m.last_error end return 'y'",
        "if m.attempt > 1 then return 'x' .. m.last_error end return 'y'",
        "if m.ctx.feedback ~= null then return 'x' end return 'y'",
        "if m.ctx.feedback ~= nil and m.ctx.feedback ~= null then return 'x' end return 'y'",
        "if m.inputs.task and m.ctx.mine then return 'x' end return 'y'",
        "if m.state == 'OTHER' then return 'x' end return agneto.section('The task', "
        "m.inputs.task)",
        "return agneto.render('{{inputs.task}} {{ctx.note}}', m)",
        "return agneto.join {'a', agneto.bullets(m.workspace.files), "
        "agneto.fence(m.inputs.files)}"}) {
    EXPECT_EQ(lint_prompt(right), "") << right;
  }
}

TEST(WrongFields, AreThoseThatAVerdictDoesNotHave) {
  EXPECT_THAT(lint_prompt("return 'OK, with `reason`: what is wrong.'"),
              HasSubstr("OK has no field 'reason' that the prompt asks for [W518/"));
  EXPECT_THAT(lint_prompt("return 'x'", "return 'OK', {feedback = 'a', more = 1}"),
              HasSubstr("OK has no field 'more' [W518/"));
  for (const char* right : {"return 'OK, with `feedback`: what `reason` there is.'",
                            "return 'OK where `make` goes well.'"}) {
    EXPECT_EQ(lint_prompt(right), "") << right;
  }
}

TEST(EndlessLoop, IsOneThatNothingEnds) {
  EXPECT_THAT(
      lint_prompt("local i = 1 while i < #m.inputs.task do m.workspace.files[1]:upper() end return "
                  "'x'"),
      HasSubstr("nothing in this loop changes what it asks [W517/"));
  for (const char* right :
       {"local i = 1 while i < #m.inputs.task do i = i + 1 end return 'x'",
        "local i = 1 while true do if i == 1 then break end end return 'x'",
        "local function more() return false end while more() do end return 'x'"}) {
    EXPECT_EQ(lint_prompt(right), "") << right;
  }
}

TEST(ForeignVerdict, IsOneOfLinesThatNameNoneOfThoseDeclared) {
  const auto lint_lines = [](const std::string& lines) {
    return lint_files({{"flow.yaml", R"(agneto: 1
name: flow
agents: {coder: {hooks: hooks.lua}}
initial: A
states:
  A:
    agent: {name: coder, verdicts: {CHANGED: {}, IMPOSSIBLE: {}}}
    on: {CHANGED: END, IMPOSSIBLE: END}
  END: {final: true}
)"},
                       {"hooks.lua", "return {prompt = function(m) return " + lines + " end}"}});
  };
  EXPECT_THAT(lint_lines("'DONE where it is changed.' .. 'BLOCKED, where not.'"),
              HasSubstr("no state that uses this hook has the verdict 'BLOCKED' [W513/"));
  for (const char* right : {"'DONE where it is changed.' .. 'BLOCKED: CHANGED, too'",
                            "'NOTE that.' .. 'Do it.'", "'DONE' .. 'BLOCKED'"}) {
    EXPECT_EQ(lint_lines(right), "") << right;
  }
}

TEST(Typed, KnowsThatAReplyIsAText) {
  EXPECT_THAT(
      lint_prompt("return 'x'", "if reply.verdict == 'OK' then return 'OK', {feedback = ''} end"),
      HasSubstr("the text reply has no field 'verdict': this is nil [W317/"));
  EXPECT_THAT(
      lint_prompt("return 'x'",
                  "if m.workspace.files == 0 then return nil end return 'OK', {feedback = ''}"),
      HasSubstr("a value of type [string] never equals one of type number [W311/"));
  EXPECT_THAT(lint_prompt("return 'x'", "return m.verdicts.OK.name, {feedback = ''}"),
              HasSubstr("the list m.verdicts has no field 'OK': this is nil [W317/"));
  for (const char* pattern : {"[OK", "(OK", "OK)", "OK%", "%b("}) {
    EXPECT_THAT(
        lint_prompt("return 'x'", std::string("if reply:find('") + pattern +
                                      "') then return 'OK', {feedback = ''} end return nil"),
        HasSubstr("this is no pattern of Lua: "))
        << pattern;
  }
  for (const char* right :
       {"if reply:find('[OK', 1, true) then return 'OK', {feedback = ''} end return nil",
        "if reply:match('^([]%]OK]+)%b()$') then return 'OK', {feedback = ''} end return nil",
        "return reply:sub(1, 2):upper(), {}"}) {
    EXPECT_EQ(lint_prompt("return 'x'", right), "") << right;
  }
}

TEST(WrongArgument, IsAFenceWithItsLanguageFirst) {
  EXPECT_THAT(
      lint_prompt("return agneto.fence('diff', m.workspace.diff)"),
      HasSubstr("warning: what is fenced here is the word \"diff\", and m.workspace.diff is "
                "its language [W318/wrong-argument]"));
  EXPECT_EQ(lint_prompt("return agneto.fence(m.workspace.diff, 'diff')"), "");
}

TEST(WrongArgument, IsATableWithoutWhatTheTextPutsIn) {
  EXPECT_THAT(
      lint_prompt("return agneto.render('Do {{plan}}.', {proposal = m.inputs.task})"),
      HasSubstr("warning: there is no 'plan' in {proposal = m.inputs.task}, so that nothing "
                "stands there [W318/wrong-argument]"));
  EXPECT_EQ(lint_prompt("return agneto.render('Do {{plan}}.', {plan = m.inputs.task})"), "");
}

TEST(ImpossibleComparison, IsOneOfTheTryWithRounds) {
  EXPECT_THAT(lint_prompt("return m.attempt >= m.inputs.rounds and 'a' or 'b'"),
              HasSubstr("warning: m.attempt counts the tries of one call, and not how often it is "
                        "called [W311/impossible-comparison]"));
  EXPECT_EQ(lint_prompt("return m.attempt > 1 and 'a' or 'b'"), "");
}

TEST(ForeignVerdict, IsNotTheBeginningOfOne) {
  EXPECT_EQ(lint_prompt("return 'FINDING_' .. m.inputs.task"), "");
}

TEST(WrongFields, AreTextsForNumbers) {
  const auto scoring = [](const std::string& score) {
    return lint_files({{"flow.yaml", R"(agneto: 1
name: flow
agents: {judge: {hooks: hooks.lua}}
context: {score: 0}
initial: A
states:
  A:
    agent: {name: judge, verdicts: {SCORED: {score: integer}}}
    on: {SCORED: {target: END, do: ctx.score = event.score}}
  END: {final: true}
outputs: {score: ctx.score}
)"},
                       {"hooks.lua",
                        "return {prompt = function() return 'SCORED' end, parse = function(reply) "
                        "local score = reply:match('(%d+)') if not score then return nil end "
                        "return 'SCORED', {score = " +
                            score + "} end}"}});
  };
  EXPECT_THAT(scoring("score"), HasSubstr("warning: 'score' of SCORED is of type integer, and this "
                                          "is a text [W518/wrong-fields]"));
  EXPECT_EQ(scoring("tonumber(score)"), "");
}

}  // namespace
}  // namespace agneto::lint
