#include "script/driver.h"

#include <gmock/gmock.h>

#include <fstream>

#include "base/error.h"
#include "model/packages.h"
#include "script/hooks.h"
#include "support/errors.h"
#include "support/temporary_folder.h"

namespace agneto::script {
namespace {

using agneto::testing::error_of;
using agneto::testing::TemporaryFolder;
using ::testing::ElementsAre;
using ::testing::Pair;

Driver driver_of(const std::string& text) {
  MemoryFiles files;
  files.add("providers/x.lua", text);
  return Driver("x", files, {"providers"});
}

// A driver whose function `name` has this body, in the driver's first line.
std::string body(const std::string& name, const std::string& text) {
  const std::string command =
      name == "command" ? "" : ", command = function() return {argv = {'x'}} end";
  return "return {" + name + " = function(a, b, c) " + text + " end" + command + "}";
}

std::string command_problem(const std::string& text) {
  try {
    driver_of(body("command", text)).command({});
  } catch (const HookError& error) {
    return error.what();
  }
  return "";
}

std::string event_problem(const std::string& text) {
  try {
    driver_of(body("event", text)).event("line");
  } catch (const HookError& error) {
    return error.what();
  }
  return "";
}

TEST(Driver, TurnsACallIntoACommand) {
  Driver driver = driver_of(R"lua(
    return {program = "tool", sessions = true, command = function(call)
      return {
        argv = {"tool", "--model", call.model, "--schema", "{files}/schema.json"},
        env = {AGENT = call.agent, N = tostring(call.nth)},
        input = call.prompt,
        files = {["schema.json"] = require("json").encode(call.schema)},
      }
    end}
  )lua");
  EXPECT_EQ(driver.program(), "tool");
  EXPECT_TRUE(driver.has_sessions());
  DriverCall call;
  call.agent = "coder";
  call.model = "big";
  call.prompt = "Do it.";
  call.nth = 3;
  call.schema = {{"type", "object"}, {"properties", Json::object()}, {"required", Json::array()}};
  const DriverCommand command = driver.command(call);
  EXPECT_THAT(command.argv,
              ElementsAre("tool", "--model", "big", "--schema", "{files}/schema.json"));
  EXPECT_THAT(command.env, ElementsAre(Pair("AGENT", "coder"), Pair("N", "3")));
  EXPECT_EQ(command.input, "Do it.");
  EXPECT_THAT(
      command.files,
      ElementsAre(Pair("schema.json", R"({"properties":{},"required":[],"type":"object"})")));
  EXPECT_FALSE(command.answer);
}

TEST(Driver, AnswersItself) {
  Driver driver = driver_of(R"lua(
    return {command = function(call)
      return {answer = {text = "done", delay = "2s",
        edits = {{path = "a", text = "new"}, {path = "b", text = null}}}}
    end}
  )lua");
  EXPECT_EQ(driver.program(), "");
  EXPECT_FALSE(driver.has_sessions());
  const auto answer = driver.command({}).answer;
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->text, "done");
  EXPECT_EQ(answer->error, "");
  EXPECT_EQ(answer->delay, Millis(2000));
  EXPECT_THAT(answer->edits, ElementsAre(Pair("a", ::testing::Optional(std::string("new"))),
                                         Pair("b", std::nullopt)));
}

TEST(Driver, KeepsWhatItRemembersBetweenLines) {
  Driver driver = driver_of(R"lua(
    local count = 0
    return {
      command = function() return {argv = {"x"}} end,
      event = function(line)
        count = count + 1
        if line == "" then return nil end
        if line == "two" then return {{tool_start = "Bash"},
          {tool_end = true, note = "trying again", tool_denied = "WebFetch", tool_failed = "edit: greet"}} end
        return {text = line .. count, cost = 0.5, input_tokens = 10, output_tokens = 2.0,
                session = null}
      end,
      finish = function(output, status, errors) return {error = output .. status .. errors} end,
    }
  )lua");
  EXPECT_TRUE(driver.event("").empty());
  const auto one = driver.event("a");
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one[0].text, "a2");
  EXPECT_EQ(one[0].cost, 0.5);
  EXPECT_EQ(one[0].input_tokens, 10);
  EXPECT_EQ(one[0].output_tokens, 2);
  EXPECT_EQ(one[0].session, std::nullopt);
  const auto two = driver.event("two");
  ASSERT_EQ(two.size(), 2u);
  EXPECT_EQ(two[0].tool_start, "Bash");
  EXPECT_TRUE(two[1].tool_end);
  EXPECT_EQ(two[1].tool_denied, "WebFetch");
  EXPECT_EQ(two[1].tool_failed, "edit: greet");
  EXPECT_EQ(two[1].note, "trying again");
  const auto end = driver.finish("out", 3, "err");
  ASSERT_EQ(end.size(), 1u);
  EXPECT_EQ(end[0].error, "out3err");
}

TEST(Driver, NeedsNoEventAndNoFinish) {
  Driver driver = driver_of("return {command = function() return {argv = {'x'}} end}");
  EXPECT_TRUE(driver.event("a").empty());
  EXPECT_TRUE(driver.finish("", 0, "").empty());
}

TEST(Driver, SaysWhatACommandMustReturn) {
  EXPECT_EQ(command_problem("return nil"),
            "providers/x.lua: what 'command' returned must be a table with named fields");
  EXPECT_EQ(command_problem("return {}"),
            "providers/x.lua: what 'command' returned: 'argv' or 'answer' is missing");
  EXPECT_EQ(
      command_problem("return {argv = 'ls -l'}"),
      "providers/x.lua: what 'command' returned: 'argv' must be a list of strings, not \"ls -l\"");
  EXPECT_EQ(
      command_problem("return {argv = {'a', 1}}"),
      "providers/x.lua: what 'command' returned: 'argv' must be a list of strings, not [\"a\",1]");
  EXPECT_EQ(command_problem("return {argv = {'a'}, env = {K = 1}}"),
            "providers/x.lua: what 'command' returned: 'env.K' must be a string, not 1");
  EXPECT_EQ(command_problem("return {argv = {'a'}, stdin = 'x'}"),
            "providers/x.lua: what 'command' returned: unknown field 'stdin'; known fields: argv, "
            "env, input, files, answer");
  EXPECT_EQ(command_problem("return {argv = {command}}"),
            "providers/x.lua:1: unknown name 'command'");
  EXPECT_EQ(command_problem("return {argv = {pairs}}"),
            "providers/x.lua: what 'command' returned.argv[1] is a function");
  EXPECT_EQ(command_problem("return {answer = {delay = 'soon'}}"),
            "providers/x.lua: what 'command' returned in 'answer': 'delay' must be a duration like "
            "\"2s\", not \"soon\"");
  EXPECT_EQ(
      command_problem("return {answer = {edits = {{text = 'x'}}}}"),
      "providers/x.lua: what 'command' returned in 'answer' in 'edits': 'path' must be a file's "
      "path, not null");
}

TEST(Driver, SaysWhatAnEventMustBe) {
  EXPECT_EQ(event_problem("return 'text'"),
            "providers/x.lua: what 'event' returned must be a table with named fields");
  EXPECT_EQ(event_problem("return {txt = 'x'}"),
            "providers/x.lua: what 'event' returned: unknown field 'txt'; did you mean 'text'?");
  EXPECT_EQ(event_problem("return {{text = 'x'}, {cost = 'much'}}"),
            "providers/x.lua: what 'event' returned: 'cost' must be a number, not \"much\"");
  EXPECT_EQ(event_problem("return {tool_end = 1}"),
            "providers/x.lua: what 'event' returned: 'tool_end' must be true or false, not 1");
  EXPECT_EQ(event_problem("return {input_tokens = 1e300}"),
            "providers/x.lua: what 'event' returned: 'input_tokens' must be a number of tokens, "
            "not 1e+300");
  EXPECT_EQ(event_problem("return {output_tokens = -1}"),
            "providers/x.lua: what 'event' returned: 'output_tokens' must be a number of tokens, "
            "not -1");
  EXPECT_EQ(event_problem("return {away = 'busy', wait = -5}"),
            "providers/x.lua: what 'event' returned: 'wait' must be a number of seconds, not -5");
  EXPECT_EQ(event_problem("return {away = 'busy', wait = 'soon'}"),
            "providers/x.lua: what 'event' returned: 'wait' must be a number of seconds, not "
            "\"soon\"");
  EXPECT_EQ(event_problem("return {cost = -0.5}"),
            "providers/x.lua: what 'event' returned: 'cost' must be 0 to 1000000 US dollars, not "
            "-0.5");
  EXPECT_EQ(event_problem("return {cost = 1e300}"),
            "providers/x.lua: what 'event' returned: 'cost' must be 0 to 1000000 US dollars, not "
            "1e+300");
  EXPECT_EQ(event_problem("return {cost = 1 / 0}"),
            "providers/x.lua: what 'event' returned.cost is not a finite number");
  EXPECT_EQ(event_problem("return a.b.c"),
            "providers/x.lua:1: attempt to index a nil value (field 'b')");
  EXPECT_EQ(event_problem("while true do end"),
            "providers/x.lua:1: this does not come to an end (stopped after 50000000 "
            "instructions)");
}

TEST(Driver, IsNotMadeOfABadFile) {
  const auto problem = [](const std::string& text) { return error_of([&] { driver_of(text); }); };
  const std::string start = "the provider 'x' cannot be used: providers/x.lua";
  EXPECT_EQ(problem("return {\n  command = }"), start + ":2: unexpected symbol near '}'");
  EXPECT_EQ(problem("return 1"), start +
                                     ": a driver must return a table, {command = "
                                     "function(call) ... end, ...}");
  EXPECT_EQ(problem("return {}"), start + ": has no function 'command'");
  EXPECT_EQ(problem("return {command = pairs, event = 1}"), start + ": 'event' must be a function");
  EXPECT_EQ(problem("return {command = pairs, check = {}}"),
            start + ": 'check' must be a function");
  EXPECT_EQ(problem("return {command = pairs, program = {}}"),
            start + ": 'program' must be a program's name");
  EXPECT_EQ(problem("return {command = pairs, verdict = true}"),
            start + ": 'verdict' must be a sentence, or be left out");
  for (const char* options : {"'args'", "{args = true}", "{1}", "{pairs}"}) {
    EXPECT_EQ(problem(std::string("return {command = pairs, options = ") + options + "}"),
              start + ": 'options' must be a list of names, or be left out");
  }
  EXPECT_EQ(problem("return {command = pairs, settings = 'all'}"),
            start + ": 'settings' must be a table, or be left out");
  EXPECT_EQ(problem("return {command = pairs, settings = {efort = true}}"),
            start + ": 'settings' has no key 'efort'; there are effort, args, env, mcp");
  EXPECT_EQ(problem("return {command = pairs, settings = {'effort'}}"),
            start + ": 'settings' has no key ''; there are effort, args, env, mcp");
  EXPECT_EQ(problem("return {command = pairs, settings = {effort = false}}"),
            start + ": 'settings.effort' must be true or a function, or be left out");
  EXPECT_EQ(problem("local x = os.getenv('HOME')"), start + ":1: 'os' is not available here");
  EXPECT_EQ(problem("\x1bLua"),
            start.substr(0, start.size() - 15) + "attempt to load a binary chunk (mode is 't')");
}

TEST(Driver, RefusesSettingsThatItDoesNotPassOn) {
  Driver driver = driver_of(
      "return {command = pairs, settings = {args = true, effort = function(word)\n"
      "  if word ~= 'high' then error('it is not high', 0) end\nend}}");
  EXPECT_EQ(driver.refusal_of_setting("args", {{"-x"}}), std::nullopt);
  EXPECT_EQ(driver.refusal_of_setting("effort", {"high"}), std::nullopt);
  EXPECT_EQ(driver.refusal_of_setting("effort", {"low"}), "it is not high");
  EXPECT_EQ(driver.refusal_of_setting("mcp", {"lab", Json::object()}),
            "its provider does not pass it on");
  EXPECT_EQ(driver_of(body("command", "")).refusal_of_setting("env", {"A", "b"}),
            "its provider does not pass it on");
}

TEST(Driver, IsFoundInTheFirstFolderThatHasIt) {
  MemoryFiles files;
  const std::string rest = ", command = function() return {argv = {'x'}} end}";
  files.add("team/x.lua", "return {program = 'theirs'" + rest);
  files.add("bundled/x.lua", "return {program = 'ours'" + rest);
  files.add("bundled/y.lua", "return {program = require 'helper'" + rest);
  files.add("bundled/helper.lua", "return 'helped'");
  EXPECT_EQ(Driver("x", files, {"team", "bundled"}).program(), "theirs");
  EXPECT_EQ(Driver("y", files, {"team", "bundled"}).program(), "helped");
}

// The team's own folder comes first, and its packages are beside its workflows.
TEST(Driver, MayBeInAPackage) {
  const std::string driver = "return {command = function() return {argv = {'kit'}} end}";
  const std::vector<fs::path> folders = {".agneto/scripts/providers", "/usr/providers"};
  const model::Package kit{"kit", "../kit", "", "v1", std::string(40, 'a'), "abc"};
  MemoryFiles files({{".agneto/agneto.lock", model::to_yaml({kit})},
                     {".agneto/packages/kit/package.yaml", "agneto: 1\ndescription: Drivers.\n"},
                     {".agneto/packages/kit/scripts/providers/mine.lua", driver},
                     {".agneto/packages/kit/providers/other.lua", driver}});
  EXPECT_THAT(Driver("kit/mine", files, folders).command({}).argv, ElementsAre("kit"));
  EXPECT_THAT(Driver("kit/other", files, folders).command({}).argv, ElementsAre("kit"));
  EXPECT_EQ(error_of([&] { Driver("kit/none", files, folders); }),
            "there is no provider 'kit/none'");
  EXPECT_EQ(error_of([&] { Driver("../x", files, folders); }), "there is no provider '../x'");
  files.add(".agneto/agneto.lock", "agneto: 1\npackages: {}\n");
  EXPECT_EQ(error_of([&] { Driver("kit/mine", files, folders); }),
            "the package 'kit' is not in .agneto/agneto.lock\nbring packages with 'agneto add', or "
            "keep these files in a folder of another name");
}

TEST(Driver, UnknownOnesAreNamedWithThoseThereAre) {
  const TemporaryFolder folder;
  std::ofstream(folder / "claude.lua") << "return {}";
  std::ofstream(folder / "codex.lua") << "return {}";
  const Disk disk;
  const auto problem = [&](const std::string& name) {
    return error_of([&] { Driver(name, disk, {folder / "nowhere", folder.path()}); });
  };
  EXPECT_EQ(problem("cluade"), "there is no provider 'cluade'\ndid you mean 'claude'?");
  EXPECT_EQ(problem("zz"), "there is no provider 'zz'\nknown providers: claude, codex");
  EXPECT_EQ(problem("../claude"), "there is no provider '../claude'\ndid you mean 'claude'?");
}

}  // namespace
}  // namespace agneto::script
