// Code that means harm, in a workflow and in a hook. Each ends with a message, and the evaluator
// works on afterwards.
#include <gmock/gmock.h>

#include "script/evaluator_fixture.h"
#include "script/hooks.h"
#include "script/library.h"
#include "script/sandbox.h"

namespace agneto::script {
namespace {

const std::string endless = "this does not come to an end (stopped after 20000000 instructions)";
const std::string endless_hook =
    "this does not come to an end (stopped after 50000000 instructions)";
const std::string too_much = "this needs more memory than it may have (256 MB)";

// What becomes of a block; the evaluator must have survived it.
std::string fault_of(const std::string& block) {
  Bench bench("n: 0", {statements(block), statements("ctx.n = 1")});
  if (!bench.evaluator) return render(bench.diagnostics);
  bench.run(0);
  const std::string message = bench.message;
  bench.run(1);
  EXPECT_EQ(bench.message, "");
  EXPECT_EQ(bench.ctx_text(), "{\"n\":1}");
  return message;
}

// What becomes of a hook with this body of `prompt`, in lines from 2.
std::string hook_fault_of(const std::string& body) {
  MemoryFiles files;
  files.add("scripts/h.lua", "return {prompt = function(m)\n" + body + "\nend}");
  Hooks hooks(files, {{""}, "lib"});
  try {
    return "returned " + hooks.prompt("scripts/h.lua", "", {{"ctx", {{"list", {1}}}}});
  } catch (const HookError& error) {
    return error.what();
  }
}

TEST(Hostile, EndlessLoops) {
  EXPECT_EQ(fault_of("while true do end"), "flow.yaml:100: " + endless);
  EXPECT_EQ(fault_of("\nrepeat until pcall(function() while true do end end)"),
            "flow.yaml:101: " + endless);
  EXPECT_EQ(fault_of("while true do pcall(function() while true do end end) end"),
            "flow.yaml:100: " + endless);
  EXPECT_EQ(fault_of("while true do xpcall(function() while true do end end, function() while true "
                     "do end end) end"),
            "flow.yaml:100: " + endless);
  EXPECT_EQ(fault_of("::top:: goto top"), "flow.yaml:100: " + endless);
  EXPECT_EQ(fault_of("local function f() return f() end f()"), "flow.yaml:100: " + endless);
  EXPECT_EQ(fault_of("for i = 1, math.huge do end"), "flow.yaml:100: " + endless);
}

TEST(Hostile, WhatNoCountSeesIsBoundedByTime) {
  Sandbox sandbox({256u << 20, 100'000'000, std::chrono::seconds(0)});
  const auto call = [&](const std::string& code) {
    EXPECT_EQ(sandbox.load(code, "f.lua"), std::nullopt);
    return sandbox.call(0, 0).value_or("");
  };
  const std::string late = "f.lua:1: this takes too long (stopped after more than 0 s)";
  EXPECT_EQ(call("while true do end"), late);
  EXPECT_EQ(call("for i = 1, 1e9 do if 'a' == 'b' then return end end"), late);
  EXPECT_EQ(call("return 1 + 1"), "");
}

TEST(Hostile, AStopEndsWhatHasBegun) {
  std::stop_source source;
  MemoryFiles files;
  Hooks hooks(files, {{""}, "lib"});
  hooks.heed(source.get_token());
  const auto prompt = [&](const std::string& body) {
    static int made = 0;
    const std::string file = "scripts/h" + std::to_string(++made) + ".lua";
    files.add(file, "return {prompt = function(m)\n" + body + "\nend}");
    try {
      return hooks.prompt(file, "", {{"ctx", {{"list", {1}}}}});
    } catch (const HookError& error) {
      return std::string(error.what());
    }
  };
  EXPECT_EQ(prompt("for i = 1, 10000 do end return 'done'"), "done");
  EXPECT_FALSE(hooks.was_stopped());
  source.request_stop();
  for (const char* loop :
       {"while true do end", "while true do pcall(function() while true do end end) end",
        "coroutine.wrap(function() while true do end end)()"}) {
    EXPECT_THAT(prompt(loop), ::testing::EndsWith(".lua:2: this was stopped")) << loop;
    EXPECT_TRUE(hooks.was_stopped());
  }
  EXPECT_EQ(prompt("return 'short'"), "short") << "it is over before anybody looks";
  EXPECT_FALSE(hooks.was_stopped());
}

// One instruction of these takes long: so few of them are done between two looks.
TEST(Hostile, TheTimeIsLookedAtMoreOftenWhereTextsAreHuge) {
  Sandbox sandbox({256u << 20, 100'000'000, std::chrono::seconds(0)});
  const auto instructions = [&](const std::string& text) {
    const std::string code = "n = 0 local t = " + text + " while true do n = n + 1 end";
    EXPECT_EQ(sandbox.load(code, "f.lua"), std::nullopt);
    EXPECT_THAT(sandbox.call(0, 0).value_or(""), ::testing::HasSubstr("this takes too long"));
    lua_getglobal(sandbox.state(), "n");
    const lua_Integer n = lua_tointeger(sandbox.state(), -1);
    lua_pop(sandbox.state(), 1);
    return n;
  };
  EXPECT_GT(instructions("'x'"), 100);
  lua_State* lua = sandbox.state();
  lua_pushlstring(lua, std::string(64u << 20, 'x').data(), 64u << 20);
  lua_setglobal(lua, "x");
  EXPECT_LT(instructions("x .. 'y'"), 10);
  EXPECT_LT(instructions("x"), 10) << "it has been there before";
  lua_pushnil(lua);
  lua_setglobal(lua, "x");
  lua_gc(lua, LUA_GCCOLLECT);
  EXPECT_GT(instructions("'x'"), 100) << "it is gone";
}

// Lua's sort compares without an instruction: what it compares is charged.
TEST(Hostile, AListOfHugeTextsIsNotSortedForEver) {
  const std::string work = "local s = ('x'):rep(1 << 20) local t = {} ";
  EXPECT_EQ(fault_of(work + "for i = 1, 300 do t[i] = s end table.sort(t)"),
            "flow.yaml:100: " + endless);
  EXPECT_EQ(
      fault_of(work + "for i = 1, 3 do t[i] = s .. i % 3 end table.sort(t)\n"
                      "for i = 1, 3 do if t[i]:sub(-1) ~= tostring(i - 1) then error(i) end end"),
      "");
}

TEST(Hostile, ACoroutineThatMakesAHugeTextIsLookedAtMoreOften) {
  Sandbox sandbox({256u << 20, 100'000'000, std::chrono::seconds(0)});
  sandbox.protect([](lua_State* lua) {
    push_library(lua, Library::modules);
    lua_rawseti(lua, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
  });
  EXPECT_EQ(
      sandbox.load("n = 0 local make = coroutine.wrap(function() local x = ('x'):rep(1 << 26) "
                   "while true do n = n + 1 end end) make()",
                   "f.lua"),
      std::nullopt);
  EXPECT_EQ(sandbox.call(0, 0), "f.lua:1: this takes too long (stopped after more than 0 s)");
  lua_getglobal(sandbox.state(), "n");
  EXPECT_LT(lua_tointeger(sandbox.state(), -1), 10);
}

TEST(Hostile, EndlessLoopsInCoroutines) {
  EXPECT_EQ(
      hook_fault_of("while true do coroutine.resume(coroutine.create(function() while true do "
                    "end end)) end"),
      "scripts/h.lua:2: " + endless_hook);
  EXPECT_EQ(hook_fault_of("while true do pcall(coroutine.wrap(function() while true do end end)) "
                          "end"),
            "scripts/h.lua:2: " + endless_hook);
  EXPECT_EQ(
      hook_fault_of("while true do coroutine.wrap(function() for i = 1, 50 do end end)() end"),
      "scripts/h.lua:2: " + endless_hook);
  EXPECT_EQ(hook_fault_of("local x <close> = setmetatable({}, {__close = function() while true do "
                          "end end})\nwhile true do end"),
            "scripts/h.lua:3: " + endless_hook);
}

// On a slow machine the time is over first.
TEST(Hostile, LibraryFunctionsThatTakeForEver) {
  const auto comes_to_its_end =
      ::testing::AnyOf("flow.yaml:100: " + endless,
                       "flow.yaml:100: this takes too long (stopped after more than 5 s)");
  EXPECT_EQ(fault_of("return ('a'):rep(100):match(('a*'):rep(30) .. 'b')"),
            "flow.yaml:100: pattern too complex");
  EXPECT_THAT(
      fault_of("while true do pcall(string.find, ('a'):rep(30000), ('.-'):rep(50) .. 'b') end"),
      comes_to_its_end);
  EXPECT_THAT(fault_of("return ('0'):rep(1e5):find('[' .. ('a-z'):rep(1e5) .. ']')"),
              comes_to_its_end);
  EXPECT_EQ(fault_of("return ('a'):rep(1e7):find('[' .. ('0-9'):rep(1e5) .. 'a]*b')"),
            "flow.yaml:100: pattern too complex");
  EXPECT_THAT(fault_of("return ('a'):rep(1e5):find('%f[' .. ('0-9'):rep(1e5) .. ']')"),
              comes_to_its_end);
  EXPECT_EQ(fault_of("for i = 1, 1e5 do string.rep('', 1e18) end"), "");
  EXPECT_EQ(fault_of("table.concat({}, 'x', 1, math.maxinteger)"),
            "flow.yaml:100: invalid value (nil) at index 1 in table for 'concat'");
  EXPECT_THAT(fault_of("table.move({}, 1, 2^29 | 0, 2)"), comes_to_its_end);
  EXPECT_EQ(fault_of("table.move({}, 1, math.maxinteger, 1)"),
            "flow.yaml:100: bad argument #3 to 'move' (too many elements to move)");
  EXPECT_EQ(fault_of("table.unpack({}, 1, 1e7)"), "flow.yaml:100: too many results to unpack");
  EXPECT_THAT(fault_of("local s = ('x'):rep(1e7) for i = 1, 1e9 do local n = #s:lower() end"),
              comes_to_its_end);
  EXPECT_THAT(fault_of("local s = ('x'):rep(1e7) for i = 1, 1e9 do s:find('y', 1, true) end"),
              comes_to_its_end);
}

TEST(Hostile, AMetatableCannotLieToTheLibrary) {
  EXPECT_EQ(hook_fault_of("local t = setmetatable({}, {__len = function() return 2^53 | 0 end})\n"
                          "table.insert(t, 1, 'x') return table.concat(t)"),
            "returned x");
  EXPECT_EQ(hook_fault_of("local t = setmetatable({}, {__len = function() return 2^30 | 0 end})\n"
                          "table.sort(t)"),
            "scripts/h.lua:3: bad argument #1 to 'sort' (a table with '__len' cannot be sorted)");
}

TEST(Hostile, MemoryBombs) {
  EXPECT_EQ(fault_of("local t = {} for i = 1, 1e9 do t[i] = {i} end"),
            "flow.yaml:100: " + too_much);
  EXPECT_EQ(hook_fault_of("local t = {}\nfor i = 1, 1e9 do t[i] = {i} end"),
            "scripts/h.lua:3: " + too_much);
  EXPECT_EQ(fault_of("local s = 'x' while true do s = s .. s end"), "flow.yaml:100: " + too_much);
  EXPECT_EQ(fault_of("while true do pcall(string.rep, 'x', 1 << 29) end"),
            "flow.yaml:100: " + too_much);
  EXPECT_EQ(fault_of("string.rep('x', 1 << 40)"), "flow.yaml:100: resulting string too large");
  EXPECT_EQ(fault_of("string.rep('xy', math.maxinteger)"),
            "flow.yaml:100: resulting string too large");
  EXPECT_EQ(fault_of("string.format('%' .. ('9'):rep(9) .. 'd', 1)"),
            "flow.yaml:100: invalid conversion specification: '%999999999d'");
  EXPECT_EQ(fault_of("local s = ('a'):rep(1 << 20) s = s:gsub('a', s)"),
            "flow.yaml:100: " + too_much);
}

TEST(Hostile, DeepRecursion) {
  EXPECT_EQ(fault_of("local function f() return 1 + f() end f()").substr(0, 29),
            "flow.yaml:100: stack overflow");
  EXPECT_EQ(fault_of("local function f() return 1 + select(2, pcall(f)) end f()").substr(0, 14),
            "flow.yaml:100:");
  EXPECT_EQ(fault_of("local function f(s) return (s:gsub('.', f)) end f('x')"),
            "flow.yaml:100: C stack overflow");
  EXPECT_EQ(fault_of("return ('('):rep(100):find(('('):rep(100))"),
            "flow.yaml:100: too many captures");
  EXPECT_EQ(fault_of("return ('a'):rep(300):find(('a?'):rep(300) .. 'b')"),
            "flow.yaml:100: pattern too complex");
  EXPECT_EQ(hook_fault_of("local t = {} t.t = t return require('json').encode(t)").substr(0, 40),
            "scripts/h.lua:2: json.encode: the value.");
  EXPECT_EQ(hook_fault_of("return select(2, require('json').decode(('['):rep(1e6)))"),
            "returned nested too deeply");
  EXPECT_EQ(hook_fault_of("local t = {} for i = 1, 100 do t = {t, t} end\n"
                          "return require('json').encode(t)")
                .substr(0, 30),
            "scripts/h.lua:3: json.encode: ");
  EXPECT_EQ(hook_fault_of("local mt = {} mt.__index = function(t, k) return t[k .. 'x'] end\n"
                          "return setmetatable({}, mt).a"),
            "scripts/h.lua:2: C stack overflow");
  EXPECT_EQ(hook_fault_of("local function f() return coroutine.wrap(f)() end f()"),
            "C stack overflow");
}

TEST(Hostile, NothingLeadsOutside) {
  for (const char* name : {"os", "io", "debug", "package", "load", "loadstring", "dofile",
                           "loadfile", "collectgarbage", "require", "_G", "print", "rawset",
                           "setmetatable", "getmetatable", "coroutine"}) {
    EXPECT_EQ(fault_of(std::string("local x = ") + name),
              std::string("flow.yaml:100: '") + name + "' is not available here");
    EXPECT_EQ(fault_of(std::string("local x = _ENV['") + name + "']"),
              std::string("flow.yaml:100: '") + name + "' is not available here");
  }
  for (const char* call : {"math.random()", "math.randomseed(1)", "string.dump(pairs)"}) {
    EXPECT_THAT(fault_of(std::string("local x = ") + call),
                ::testing::StartsWith("flow.yaml:100: attempt to call a nil value (field '"));
  }
}

TEST(Hostile, NothingLeadsOutsideAHook) {
  EXPECT_EQ(hook_fault_of("return os.time()"), "scripts/h.lua:2: 'os' is not available here");
  EXPECT_EQ(hook_fault_of("return getmetatable('').__index"),
            "scripts/h.lua:2: attempt to index a boolean value");
  EXPECT_EQ(hook_fault_of("getmetatable(_ENV).x = 1"),
            "scripts/h.lua:2: attempt to index a boolean value");
  EXPECT_EQ(hook_fault_of("setmetatable(_ENV, {})"),
            "scripts/h.lua:2: the metatable of this table cannot be changed");
  EXPECT_EQ(hook_fault_of("setmetatable(string, {})"),
            "scripts/h.lua:2: the metatable of this table cannot be changed");
  EXPECT_EQ(hook_fault_of("setmetatable(m, nil)"),
            "scripts/h.lua:2: the metatable of this table cannot be changed");
  EXPECT_EQ(hook_fault_of("rawset(m, 'x', 1)"), "scripts/h.lua:2: rawset: this table is read-only");
  EXPECT_EQ(hook_fault_of("rawset(_ENV, 'x', 1)"),
            "scripts/h.lua:2: rawset: this table is read-only");
  EXPECT_EQ(hook_fault_of("m.ctx.list[1] = 2"), "scripts/h.lua:2: m is read-only");
  EXPECT_EQ(hook_fault_of("m.ctx.x = 2"), "scripts/h.lua:2: m is read-only: 'x' cannot be set");
  EXPECT_EQ(hook_fault_of("for k, v in pairs(m.ctx) do v[1] = 5 end"),
            "scripts/h.lua:2: m is read-only");
  EXPECT_EQ(hook_fault_of("setmetatable({}, {__gc = function() end})"),
            "scripts/h.lua:2: a metatable may not have '__gc' here");
  EXPECT_EQ(hook_fault_of("setmetatable({}, {__mode = 'k'})"),
            "scripts/h.lua:2: a metatable may not have '__mode' here");
  EXPECT_EQ(hook_fault_of("function helper() end"),
            "scripts/h.lua:2: 'helper' is not declared; write 'local function helper', and return "
            "what others call: return {helper = helper}");
}

TEST(Hostile, NoAddressShows) {
  EXPECT_EQ(hook_fault_of("return table.concat({tostring({}), tostring(print_ or pairs), "
                          "string.format('%s|%10s|%s', {}, {}, pairs), "
                          "tostring(coroutine.create(pairs)), tostring(null)}, ' ')"),
            "scripts/h.lua:2: unknown name 'print_'");
  EXPECT_EQ(hook_fault_of("return table.concat({tostring({}), tostring(pairs), "
                          "string.format('%s|%10s|%s', {}, {}, pairs), "
                          "tostring(coroutine.create(pairs)), tostring(null)}, ' ')"),
            "returned table function table|     table|function thread null");
  EXPECT_EQ(hook_fault_of("return string.format('%p', {})"),
            "scripts/h.lua:2: string.format: '%p' is not available here");
  EXPECT_EQ(hook_fault_of("error(setmetatable({}, {__name = 'x'}))"), "scripts/h.lua:2: error []");
}

TEST(Hostile, CodeCannotLeaveItsPlace) {
  Bench bench("n: 0", {expression("true) end, function() return (false"),
                       statements("end, function() ctx.n = 1"), statements("ctx.n = 2")});
  EXPECT_EQ(
      render(bench.diagnostics),
      "flow.yaml:100:1: error: syntax error in guard: <eof> expected near ')' [E501/lua-syntax]\n"
      "true) end, function() return (false\n"
      "^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n"
      "flow.yaml:101:1: error: syntax error in do: <eof> expected near 'end' [E501/lua-syntax]\n"
      "end, function() ctx.n = 1\n"
      "^~~~~~~~~~~~~~~~~~~~~~~~~\n");
}

}  // namespace
}  // namespace agneto::script
