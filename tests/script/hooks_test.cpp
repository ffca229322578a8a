#include "script/hooks.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "script/verdicts.h"
#include "support/paths.h"
#include "support/temporary_folder.h"

namespace agneto::script {
namespace {

using agneto::testing::TemporaryFolder;
using Texts = std::map<std::string, std::string>;

const Json sample = {{"inputs", {{"issue", "It fails."}}},
                     {"ctx", {{"list", {1, 2}}, {"x", nullptr}}},
                     {"last_error", nullptr},
                     {"attempt", 1},
                     {"workspace", {{"diff", nullptr}}},
                     {"verdicts", {{{"name", "OK"}, {"fields", Json::array()}}}}};

// The bundled library, and the given modules under `flow/`.
class HooksTest : public ::testing::Test {
 protected:
  Hooks hooks_of(Texts texts) {
    files_ = std::make_unique<MemoryFiles>(std::move(texts));
    files_->add("lib/agneto.lua",
                Disk().read(fs::path(AGNETO_SOURCE_DIR) / "scripts/lib/agneto.lua").value());
    return Hooks(*files_, {{"flow"}, "lib"});
  }
  // What `prompt` gives, or the error.
  std::string prompt(const std::string& text, const std::string& task = "", Texts others = {}) {
    others["flow/scripts/a.lua"] = text;
    Hooks hooks = hooks_of(std::move(others));
    try {
      return hooks.prompt("flow/scripts/a.lua", task, sample);
    } catch (const HookError& error) {
      return std::string("error: ") + error.what();
    }
  }
  // "NAME {fields}", "nothing", or the error.
  std::string parse(const std::string& text, const std::string& reply) {
    Hooks hooks = hooks_of({{"flow/scripts/a.lua", text}});
    try {
      const auto read = hooks.parse("flow/scripts/a.lua", "", reply, sample);
      return read ? read->name + " " + to_text(read->fields) : "nothing";
    } catch (const HookError& error) {
      return std::string("error: ") + error.what();
    }
  }
  static std::string with_parse(const std::string& body) {
    return "return {prompt = function() return '' end,\nparse = function(reply, m) " + body +
           " end}";
  }

  std::unique_ptr<MemoryFiles> files_;
};

TEST_F(HooksTest, APromptIsMadeOfWhatThereIs) {
  EXPECT_EQ(prompt("return {prompt = function(m) return m.inputs.issue .. #m.ctx.list end}"),
            "It fails.2");
}

TEST_F(HooksTest, WhatThereIsNotIsNilButTheContextKeepsItsNulls) {
  EXPECT_EQ(prompt("return {prompt = function(m) return tostring(m.last_error) .. ' ' .. "
                   "tostring(m.workspace.diff) .. ' ' .. tostring(m.nothing) .. ' ' .. "
                   "tostring(m.ctx.x) end}"),
            "nil nil nil null");
}

TEST_F(HooksTest, TheWorkspaceIsMadeWhenItIsLookedAt) {
  Hooks hooks = hooks_of(
      {{"flow/scripts/a.lua",
        "local kept\nreturn {prompt = function(m) kept = m return 'no look' end,\n"
        "parse = function(reply, m)\nif reply == 'old' then return kept.workspace.diff end\n"
        "return m.workspace.diff, {n = #m.workspace.files, none = tostring(m.workspace.base)} "
        "end}"}});
  int made = 0;
  const auto source = [&] {
    ++made;
    return Json{{"diff", "D"}, {"files", {"a", "b"}}, {"base", nullptr}};
  };
  const Json m = {{"attempt", 1}};
  EXPECT_EQ(hooks.prompt("flow/scripts/a.lua", "", m, source), "no look");
  EXPECT_EQ(made, 0);
  const auto read = hooks.parse("flow/scripts/a.lua", "", "new", m, source);
  EXPECT_EQ(read->name + to_text(read->fields), R"(D{"n":2,"none":"nil"})");
  EXPECT_EQ(made, 1);
  try {
    hooks.parse("flow/scripts/a.lua", "", "old", m, source);
    FAIL();
  } catch (const HookError& error) {
    EXPECT_STREQ(error.what(),
                 "flow/scripts/a.lua:4: m.workspace can only be read in the call that m was made "
                 "for");
  }
  try {
    hooks.parse("flow/scripts/a.lua", "", "new", m,
                []() -> Json { throw std::invalid_argument("no disk"); });
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "no disk");
  }
}

// Its places are those of the workflow's file.
TEST_F(HooksTest, APromptCanBeWrittenInTheWorkflow) {
  const auto prompt = [&](const std::string& text) -> std::string {
    Hooks hooks = hooks_of(
        {{"flow/flow.yaml", "agneto: 1\nagents:\n  a:\n    prompt: |\n      " + text + "\n"}});
    try {
      return hooks.prompt("flow/flow.yaml#a.md", "", sample);
    } catch (const HookError& error) {
      return std::string("error: ") + error.what();
    }
  };
  EXPECT_EQ(prompt("Solve this: {{inputs.issue}}"), "Solve this: It fails.\n");
  EXPECT_EQ(prompt("One\n      {{ctx.nothing.x}}"),
            "error: flow/flow.yaml:6: attempt to index a nil value (field 'nothing')");
  EXPECT_EQ(prompt("One {{ctx.x"), "error: flow/flow.yaml:5: '{{' without '}}' behind it");
}

// A hook fails where it is, not in the library that it calls.
TEST_F(HooksTest, AnErrorOfTheLibraryIsSaidOfItsCaller) {
  const std::string start = "local agneto = require 'agneto'\nreturn {prompt = function(m)\n";
  EXPECT_EQ(prompt(start + "return 'x' .. agneto.section(nil, 'a')\nend}"),
            "error: flow/scripts/a.lua:3: agneto.section: attempt to concatenate a nil value "
            "(local 'title')");
  EXPECT_EQ(prompt(start + "local text = agneto.join({'a', tostring})\nreturn text\nend}"),
            "error: flow/scripts/a.lua:3: agneto.join: json.encode: the value is a "
            "function");
  EXPECT_EQ(prompt(start + "return agneto.section(nil, 'a')\nend}"),
            "error: lib/agneto.lua:28: attempt to concatenate a nil value (local 'title')")
      << "who has called it is not there any more";
}

TEST_F(HooksTest, APromptCanBeMarkdown) {
  const auto prompt = [&](const std::string& text, const Json& m) -> std::string {
    Hooks hooks = hooks_of({{"flow/a.md", text}});
    try {
      return hooks.prompt("flow/a.md", "", m);
    } catch (const HookError& error) {
      return std::string("error: ") + error.what();
    }
  };
  const std::string text = R"(Solve this: {{inputs.issue}}
{{if ctx.x}}
It said {{ctx.x}}.
{{elseif attempt > 1}}
Again: {{last_error}}
{{end}}
{{for i, item in ipairs(ctx.list)}}
{{i}}. {{item}}
{{end}}
{{agneto.fence(workspace.diff)}}
)";
  EXPECT_EQ(prompt(text, sample), "Solve this: It fails.\n1. 1\n2. 2\n\n");
  Json other = sample;
  other["ctx"]["x"] = {{"a", "{{inputs.issue}}"}};
  other["workspace"]["diff"] = "+a\n";
  EXPECT_EQ(prompt(text, other),
            "Solve this: It fails.\nIt said {\"a\":\"{{inputs.issue}}\"}.\n1. 1\n2. 2\n"
            "```\n+a\n```\n");
  other["ctx"]["x"] = "";
  other["attempt"] = 2;
  other["last_error"] = "no verdict";
  EXPECT_EQ(prompt("{{if ctx.x}}A{{elseif attempt > 1}}{{last_error}}{{end}}", other),
            "no verdict");

  EXPECT_EQ(prompt("One\n{{ctx.x", sample), "error: flow/a.md:2: '{{' without '}}' behind it");
  EXPECT_EQ(prompt("One\n{{ctx.nothing.x}}\n", sample),
            "error: flow/a.md:2: attempt to index a nil value (field 'nothing')");
  EXPECT_EQ(prompt("{{if ctx.x}}\nTwo\n", sample),
            "error: flow/a.md:1: 'if' or 'for' without an 'end' behind it");
  EXPECT_EQ(prompt("One\n{{agneto.section(nil, inputs.issue)}}\n", sample),
            "error: flow/a.md:2: agneto.section: attempt to concatenate a nil value (local "
            "'title')");
  const auto read = hooks_of({{"flow/a.md", "Hi"}}).parse("flow/a.md", "", "VERDICT: OK", sample);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->name, "OK");
}

TEST_F(HooksTest, ATaskHasItsOwnFunctions) {
  const std::string text =
      "return {tasks = {plan = {prompt = function(m) return 'plan' end}, apply = {prompt = "
      "function(m) return 'apply' end}}}";
  EXPECT_EQ(prompt(text, "plan"), "plan");
  EXPECT_EQ(prompt(text, "apply"), "apply");
  EXPECT_EQ(prompt(text, "aply"),
            "error: flow/scripts/a.lua: has no task 'aply'; did you mean 'apply'?");
  EXPECT_EQ(
      prompt(text, ""),
      "error: flow/scripts/a.lua: has tasks alone, and is called without one; say which, as in "
      "agent: {name: NAME, task: TASK}; known tasks: apply, plan");
  EXPECT_EQ(prompt("return {prompt = function() end}", "plan"),
            "error: flow/scripts/a.lua: has no 'tasks', so no task 'plan'");
}

TEST_F(HooksTest, ABadModuleIsAnError) {
  const std::string file = "error: flow/scripts/a.lua";
  EXPECT_EQ(prompt("return {\n  prompt = }"), file + ":2: unexpected symbol near '}'");
  const std::string form = "{prompt = function(m) ... end}";
  EXPECT_EQ(prompt("return 1"), file + ": must return a table, " + form + ", and returns a number");
  EXPECT_EQ(prompt("return {}"), file + ": has no function 'prompt', as in " + form);
  EXPECT_EQ(prompt("return {prompt = 'Go'}"),
            file + ": 'prompt' must be a function, as in " + form + ", and is a string");
  EXPECT_EQ(prompt("return {tasks = {t = {}}}", "t"),
            file + ": has no function 'prompt' in the task 't', as in " + form);
  EXPECT_EQ(prompt("return {tasks = {t = pairs}}", "t"),
            file + ": the task 't' must be a table, " + form + ", and is a function");
  EXPECT_EQ(prompt("return {tasks = {t = pairs}, prompt = pairs}", "s"),
            file + ": has no task 's'; known tasks: t");
  EXPECT_EQ(prompt("return {prompt = pairs, parse = 1}"), file + ": 'parse' must be a function");
  EXPECT_EQ(prompt("return {prompt = function(m)\n return m.ctx.list.a.b end}"),
            file + ":2: attempt to index a nil value (field 'a')");
  EXPECT_EQ(prompt("return {prompt = function(m) return nil end}"),
            file + ": 'prompt' must return a string");
  EXPECT_EQ(prompt("return {prompt = function(m) return 1 end}"),
            file + ": 'prompt' must return a string");
  EXPECT_EQ(prompt("return {prompt = function(m)\n error {code = 1} end}"),
            file + ":2: error {\"code\":1}");
  EXPECT_EQ(prompt("return {prompt = function(m)\n while true do end end}"),
            file + ":2: this does not come to an end (stopped after 50000000 instructions)");
  EXPECT_EQ(prompt("return {prompt = function(m)\n local t = {} while true do t[#t + 1] = "
                   "('x'):rep(1e6) .. #t end end}"),
            file + ":2: this needs more memory than it may have (256 MB)");
}

// Each message leads to the next, and the last to a module that works.
TEST_F(HooksTest, AGlobalPromptLeadsToAModule) {
  const std::string file = "error: flow/scripts/a.lua";
  EXPECT_EQ(prompt("function prompt(m) return 'Go' end"),
            file +
                ":1: 'prompt' is not declared; write 'local function prompt', and return what "
                "others call: return {prompt = prompt}");
  EXPECT_EQ(prompt("local function prompt(m) return 'Go' end"),
            file + ": must return a table, {prompt = function(m) ... end}, and returns nothing");
  EXPECT_EQ(prompt("local function prompt(m) return 'Go' end\nreturn prompt"),
            file + ": must return a table, {prompt = function(m) ... end}, and returns a function");
  EXPECT_EQ(prompt("local function prompt(m) return 'Go' end\nreturn {prompt}"),
            file + ": has no function 'prompt', as in {prompt = function(m) ... end}");
  EXPECT_EQ(prompt("local function prompt(m) return 'Go' end\nreturn {prompt = prompt}"), "Go");
  EXPECT_EQ(prompt("calls = 0"), file + ":1: 'calls' is not declared; write 'local calls'");
}

TEST_F(HooksTest, AMissingModuleIsAnError) {
  Hooks hooks = hooks_of({});
  try {
    hooks.prompt("flow/scripts/none.lua", "", sample);
    FAIL();
  } catch (const HookError& error) {
    EXPECT_STREQ(error.what(), "cannot read the file 'flow/scripts/none.lua'");
  }
}

TEST_F(HooksTest, LongPathsStandWholeInMessages) {
  const std::string folder = "flow/" + std::string(80, 'x');
  Hooks hooks = hooks_of({{folder + "/a.lua", "return {prompt = function(m) return m.a.b end}"}});
  try {
    hooks.prompt(folder + "/a.lua", "", sample);
    FAIL();
  } catch (const HookError& error) {
    EXPECT_EQ(error.what(), folder + "/a.lua:1: attempt to index a nil value (field 'a')");
  }
}

TEST_F(HooksTest, ParseGivesAVerdictWithFields) {
  EXPECT_EQ(parse(with_parse("return 'OK', {text = reply, n = m.attempt}"), "yes"),
            R"(OK {"n":1,"text":"yes"})");
  EXPECT_EQ(parse(with_parse("return 'OK'"), "yes"), "OK {}");
  EXPECT_EQ(parse(with_parse("return 'OK', {}"), "yes"), "OK {}");
  EXPECT_EQ(parse(with_parse("return nil"), "yes"), "nothing");
  EXPECT_EQ(parse(with_parse("return null"), "yes"), "nothing");
  EXPECT_EQ(
      parse(with_parse("return require('agneto').read_verdict(reply, m.verdicts)"), "VERDICT: OK"),
      "OK {}");
}

TEST_F(HooksTest, ParseMaySayWhatIsWrongWithTheReply) {
  const auto problem = [this](const std::string& words) {
    Hooks hooks = hooks_of({{"flow/scripts/a.lua", with_parse("return nil, " + words)}});
    auto read = hooks.parse("flow/scripts/a.lua", "", "the reply", sample);
    return problem_with({}, read);
  };
  EXPECT_EQ(problem("' Which file is that?\\27[31m Name one. '"), "Which file is that? Name one");
  EXPECT_EQ(problem("'.'"), "no verdict was found in the reply");
  EXPECT_EQ(problem("nil"), "no verdict was found in the reply");
}

TEST_F(HooksTest, ABadParseIsAnError) {
  const std::string file = "error: flow/scripts/a.lua";
  EXPECT_EQ(parse(with_parse("return {}"), "x"),
            file + ": 'parse' must return a verdict's name and its fields, or nil");
  EXPECT_EQ(parse(with_parse("return 'OK', {1}"), "x"),
            file + ": 'parse' must return the fields of OK by name, {field = value}");
  EXPECT_EQ(parse(with_parse("return 'OK', {f = {pairs}}"), "x"),
            file + ": 'parse': the fields of OK.f[1] is a function");
  EXPECT_EQ(parse(with_parse("error('odd reply')"), "x"), file + ":2: odd reply");
}

TEST_F(HooksTest, WithoutAParseTheStandardReaderReads) {
  const std::string text = "return {prompt = function() return '' end}";
  EXPECT_EQ(parse(text, "Well.\n\nVERDICT: OK\n"), "OK {}");
  EXPECT_EQ(parse(text, "Nothing to see"), "nothing");
}

TEST_F(HooksTest, ModulesRequireEachOther) {
  EXPECT_EQ(prompt("local one = require 'one'\nreturn {prompt = function() return one .. require "
                   "'shared.two' .. require('top') end}",
                   "",
                   {{"flow/scripts/one.lua", "return '1' .. require 'shared.three'"},
                    {"flow/scripts/shared/two.lua", "return '2'"},
                    {"flow/scripts/shared/three.lua", "return '3' .. require 'four'"},
                    {"flow/scripts/shared/four.lua", "return '4'"},  // beside the one that asks
                    {"flow/top.lua", "return '5'"}}),
            "13425");
}

TEST_F(HooksTest, AModuleOfAPackageIsNamedByItAndSeesOnlyThat) {
  const Texts kit = {
      {"flow/agneto.lock", "agneto: 1\npackages: {kit: {url: u, rev: v1, commit: c, tree: t}}\n"},
      {"flow/packages/kit/package.yaml", "agneto: 1\ndescription: Text\n"},
      {"flow/packages/kit/scripts/one.lua", "return '1' .. require 'two'"},
      {"flow/packages/kit/two.lua", "return '2'"},
      {"flow/two.lua", "return 'of the workflow'"}};
  const std::string hooks =
      "local one = require 'kit/one'\nreturn {prompt = function() return one end}";
  EXPECT_EQ(prompt(hooks, "", kit), "12");
  Texts without = kit;
  without.erase("flow/packages/kit/two.lua");
  EXPECT_EQ(prompt(hooks, "", without),
            "error: flow/packages/kit/scripts/one.lua:1: there is no module 'two'; looked for "
            "flow/packages/kit/scripts/two.lua, flow/packages/kit/two.lua, lib/two.lua");
  EXPECT_EQ(prompt("local x = require 'kid/one'", "", kit),
            "error: flow/scripts/a.lua:1: there is no package 'kid' in 'flow'");
  without.erase("flow/packages/kit/package.yaml");
  EXPECT_EQ(prompt(hooks, "", without),
            "error: flow/scripts/a.lua:1: the package 'kit' of flow/agneto.lock is not here; bring "
            "it: agneto vendor");
}

TEST_F(HooksTest, AModuleIsRunOnce) {
  EXPECT_EQ(prompt("local a, b = require 'counter', require 'counter'\n"
                   "return {prompt = function() a.n = a.n + 1 return b.n .. '' end}",
                   "", {{"flow/scripts/counter.lua", "return {n = 0}"}}),
            "1");
}

TEST_F(HooksTest, WhatCannotBeRequired) {
  const auto problem = [&](const std::string& name, Texts others = {}) {
    return prompt("\nlocal x = require '" + name + "'", "", std::move(others));
  };
  const std::string place = "error: flow/scripts/a.lua:2: ";
  EXPECT_EQ(problem("none"), place +
                                 "there is no module 'none'; looked for "
                                 "flow/scripts/none.lua, flow/none.lua, lib/none.lua");
  for (const char* name :
       {"../secret", "/etc/passwd", "..secret", "x..y", "x.", "kit/", "../x/y", ""}) {
    EXPECT_EQ(problem(name),
              place + "'" + name +
                  "' is no module name; write words with dots between them, like 'lib.text', or "
                  "'kit/lib.text' for one of the package 'kit'");
  }
  EXPECT_EQ(problem("b", {{"flow/scripts/b.lua", "return require 'c'"},
                          {"flow/scripts/c.lua", "\n\nreturn require 'b'"}}),
            "error: flow/scripts/c.lua:3: a module requires itself: flow/scripts/a.lua -> "
            "flow/scripts/b.lua -> flow/scripts/c.lua -> flow/scripts/b.lua");
  EXPECT_EQ(problem("b", {{"flow/scripts/b.lua", "x ="}}),
            "error: flow/scripts/b.lua:1: unexpected symbol near <eof>");
  EXPECT_EQ(problem("b", {{"flow/scripts/b.lua", "\n\nnull.x = 1"}}),
            "error: flow/scripts/b.lua:3: attempt to index a null value (global 'null')");
}

TEST_F(HooksTest, AFailedRequireCanBeTriedAgain) {
  EXPECT_EQ(prompt("local ok, why = pcall(require, 'b')\nlocal _, again = pcall(require, 'b')\n"
                   "return {prompt = function() return why .. '|' .. again end}",
                   "", {{"flow/scripts/b.lua", "error('no')"}}),
            "flow/scripts/b.lua:1: no|flow/scripts/b.lua:1: no");
}

TEST_F(HooksTest, ASymbolicLinkDoesNotLeadOutside) {
  const TemporaryFolder folder;
  fs::create_directories(folder / "flow/scripts");
  std::ofstream(folder / "secret.lua") << "return {prompt = function() return 'secret' end}";
  std::ofstream(folder / "flow/scripts/a.lua") << "return require 'link'";
  fs::create_symlink(folder / "secret.lua", folder / "flow/scripts/link.lua");
  const Disk disk;
  Hooks hooks(disk, {{folder / "flow"}, folder / "lib"});
  const auto problem = [&](const std::string& name) -> std::string {
    try {
      return hooks.prompt(folder / ("flow/scripts/" + name), "", sample);
    } catch (const HookError& error) {
      return error.what();
    }
  };
  const std::string scripts = (folder / "flow/scripts").string();
  EXPECT_EQ(problem("a.lua"), scripts + "/a.lua:1: the module 'link' ('" + scripts +
                                  "/link.lua') is outside the folders of this workflow");
  EXPECT_EQ(problem("link.lua"),
            "the file '" + scripts + "/link.lua' is outside the folders of this workflow");
  EXPECT_EQ(problem("../../secret.lua"), "the file '" + (folder / "secret.lua").string() +
                                             "' is outside the folders of this workflow");
}

TEST_F(HooksTest, ChecksSayWhereTheFaultIs) {
  Hooks hooks = hooks_of({{"flow/scripts/good.lua", "return {prompt = function() end}"},
                          {"flow/scripts/bad.lua", "return {\n  prompt = fun() }"},
                          {"flow/scripts/none.lua", "return {prompts = 1}"}});
  const Source yaml("flow/workflows/f.yaml", "agents:\n  a: {hooks: x.lua}\n");
  const Span span{&yaml, 22, 27};
  const auto check = [&](const std::string& file, const std::string& task) {
    model::Agent agent;
    agent.hooks = "flow/scripts/" + file;
    Diagnostics diagnostics;
    hooks.check(agent, task, span, diagnostics);
    return render(diagnostics);
  };
  EXPECT_EQ(check("good.lua", ""), "");
  EXPECT_EQ(check("good.lua", "plan"),
            "flow/workflows/f.yaml:2:15: error: flow/scripts/good.lua: has no 'tasks', so no task "
            "'plan' [E415/hooks]\n"
            "  a: {hooks: x.lua}\n"
            "              ^~~~~\n");
  EXPECT_EQ(
      check("none.lua", ""),
      "flow/workflows/f.yaml:2:15: error: flow/scripts/none.lua: has no function 'prompt', as "
      "in {prompt = function(m) ... end} [E415/hooks]\n"
      "  a: {hooks: x.lua}\n"
      "              ^~~~~\n");
  EXPECT_EQ(check("bad.lua", ""),
            "flow/scripts/bad.lua:2:3: error: unknown name 'fun' [E415/hooks]\n"
            "  prompt = fun() }\n"
            "  ^~~~~~~~~~~~~~~~\n"
            "flow/workflows/f.yaml:2:15: note: these hooks are used here\n"
            "  a: {hooks: x.lua}\n"
            "              ^~~~~\n");
}

TEST(VerdictSchema, HasEveryFieldOfEveryVerdict) {
  using model::Type;
  const Type text{Type::Kind::string, false, nullptr, nullptr, {}};
  const Type number{Type::Kind::integer, true, nullptr, nullptr, {}};
  const Type choice{Type::Kind::choice, false, nullptr, nullptr, {"low", "high"}};
  const Type list{Type::Kind::list, false, std::make_shared<Type>(text), nullptr, {}};
  EXPECT_EQ(verdict_schema({{"OK", {}, {}}, {"NO", {{"why", text}, {"n", number}}, {}}}),
            Json::parse(R"({"type": "object", "additionalProperties": false,
              "required": ["verdict", "n", "why"],
              "properties": {"verdict": {"type": "string", "enum": ["OK", "NO"]},
                             "why": {"type": ["string", "null"]},
                             "n": {"type": ["integer", "null"]}}})"));
  EXPECT_EQ(verdict_schema({{"NO", {{"why", text}, {"level", choice}, {"items", list}}, {}}}),
            Json::parse(R"({"type": "object", "additionalProperties": false,
              "required": ["verdict", "items", "level", "why"],
              "properties": {"verdict": {"type": "string", "enum": ["NO"]},
                             "why": {"type": "string"},
                             "level": {"type": "string", "enum": ["low", "high"]},
                             "items": {"type": "array", "items": {"type": "string"}}}})"));
  EXPECT_EQ(verdict_schema({{"A", {{"x", text}}, {}}, {"B", {{"x", number}}, {}}}),
            Json::parse(R"({"type": "object", "additionalProperties": false,
              "required": ["verdict", "x"],
              "properties": {"verdict": {"type": "string", "enum": ["A", "B"]},
                             "x": {"anyOf": [{"type": "string"},
                                             {"type": ["integer", "null"]}]}}})"));
}

TEST(VerdictSchema, IsLeftOutWhereAFieldIsFreeForm) {
  using model::Type;
  EXPECT_EQ(verdict_schema({{"A", {{"x", {Type::Kind::map, false, nullptr, nullptr, {}}}}, {}}}),
            Json());
  EXPECT_EQ(verdict_schema({{"A", {{"x", {Type::Kind::list, false, nullptr, nullptr, {}}}}, {}}}),
            Json());
}

TEST(VerdictsToJson, NamesTypesWithoutTheirQuestionMark) {
  using model::Type;
  EXPECT_EQ(to_text(verdicts_to_json(
                {{"OK", {}, {}},
                 {"NO", {{"why", {Type::Kind::string, true, nullptr, nullptr, {}}}}, {}}})),
            R"([{"fields":[],"name":"OK"},{"fields":[{"name":"why","optional":true,)"
            R"("type":"string"}],"name":"NO"}])");
}

}  // namespace
}  // namespace agneto::script
