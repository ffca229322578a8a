// What code in the sandbox can call, against Lua's own library where that has an answer.
#include <gtest/gtest.h>

#include <lua.hpp>

#include "script/hooks.h"

namespace agneto::script {
namespace {

// The text that a hook with this body returns.
std::string hook(const std::string& body) {
  MemoryFiles files;
  files.add("h.lua", "return {prompt = function(m)\n" + body + "\nend}");
  Hooks hooks(files, {{""}, "lib"});
  try {
    return hooks.prompt("h.lua", "",
                        {{"list", {"a", "b", nullptr}}, {"map", {{"x", 1}, {"w", 2}}}});
  } catch (const HookError& error) {
    return std::string("error: ") + error.what();
  }
}

// What Lua's own library makes of it.
std::string lua(const std::string& body) {
  lua_State* state = luaL_newstate();
  luaL_openlibs(state);
  const std::string text = "local function f()\n" + body + "\nend return f()";
  std::string result = luaL_dostring(state, text.c_str()) == LUA_OK ? "" : "error: ";
  std::size_t size = 0;
  const char* value = lua_tolstring(state, -1, &size);
  result += value ? std::string(value, size) : "?";
  lua_close(state);
  return result;
}

// Calls a function and shows all its results.
std::string shown(const std::string& call) {
  return "local function all(...) local t = table.pack(...) for i = 1, t.n do t[i] = "
         "tostring(t[i]) "
         "end return table.concat(t, '|') end return all(" +
         call + ")";
}

TEST(Library, PairsAndNextGoInTheOrderOfTheKeys) {
  EXPECT_EQ(
      hook("local t = {b = 1, a = 2, [10] = 3, [2] = 4, [1.5] = 5, [true] = 6, [false] = 7, B = "
           "8, [-1] = 9}\nlocal keys = {}\nfor k in pairs(t) do keys[#keys + 1] = tostring(k) "
           "end\nlocal others = {}\nlocal k\nrepeat k = next(t, k) others[#others + 1] = "
           "tostring(k) until k == nil\nreturn table.concat(keys, ' ') .. ', ' .. "
           "table.concat(others, ' ')"),
      "false true -1 1.5 2 10 B a b, false true -1 1.5 2 10 B a b nil");
  EXPECT_EQ(hook("for k in pairs({[{}] = 1}) do end"),
            "error: h.lua:2: a key that is a table has no order; use text or numbers as keys");
}

TEST(Library, ATableMayChangeDuringATraversal) {
  EXPECT_EQ(hook("local t = {a = 1, b = 2, c = 3} local s = ''\n"
                 "for k, v in pairs(t) do s = s .. k .. v t.b = nil t.z = 1 end return s"),
            "a1c3");
}

TEST(Library, ReadOnlyValuesCanBeReadLikeTables) {
  EXPECT_EQ(
      hook("local s = #m.list .. ' '\nfor i, v in ipairs(m.list) do s = s .. i .. "
           "tostring(v) end\nfor k, v in pairs(m.map) do s = s .. k .. v end\n"
           "return s .. table.concat(m.list, ',', 1, 2) .. select('#', table.unpack(m.list)) "
           ".. tostring(next(m.map)) .. #table.move(m.list, 1, 3, 1, {}) .. type(m.map) .. "
           "rawlen(m.list) .. tostring(rawget(m.map, 'x')) .. tostring(rawequal(m.map, m.map))"),
      "3 1a2b3nullw2x1a,b3w3table31true");
}

TEST(Library, StringsBehaveAsInLua) {
  for (const std::string call :
       {"('hello'):find('l')",
        "('hello'):find('l', -1)",
        "('hello'):find('')",
        "('x'):find('', 10)",
        "('x'):find('', 2)",
        "('a.b'):find('.', 1, true)",
        "('a+b'):find('+', 1, true)",
        "('hello world'):match('(%w+) (%w+)')",
        "('  x  '):match('^%s*(.-)%s*$')",
        "('key = val'):match('^(%w+)%s*=%s*(%w+)$')",
        "('f(a(b)c)d'):match('%b()')",
        "('THE (quick) fox'):find('%((%a+)%)')",
        "('hello'):match('()ll()')",
        "('THE (quick) fox'):gsub('%f[%a]%a+', 'x')",
        "('abc'):gsub('', '-')",
        "('abc'):gsub('%w', '%0%0')",
        "('abc'):gsub('(a)(b)', '%2%1')",
        "('abc'):gsub('b', {b = 1})",
        "('abc'):gsub('.', {b = false})",
        "('abc'):gsub('%w', string.upper, 2)",
        "('a1b22'):gsub('%d+', function(d) return '<' .. d .. '>' end)",
        "('aaa'):gsub('^a', 'b')",
        "('x^2'):match('^x%^(%d)')",
        "('[[x]]'):match('%[%[(.*)%]%]')",
        "('a-b'):match('[a%-]+')",
        "('a]b'):match('[]]')",
        "('abc123'):match('[^%d]+')",
        "('äö'):match('[\\xc3][\\xa4]')",
        "('aXb'):match('%u')",
        "('x'):match('%')",
        "('x'):match('[a')",
        "('x'):match('(x')",
        "('x'):match('x)')",
        "('xx'):match('(x)%1')",
        "('x'):match('%b')",
        "('x'):match('%f')",
        "('x'):gsub('x', '%')",
        "('x'):gsub('x', '%2')",
        "('abab'):match('(ab)+')",
        "('aaab'):match('a-b')",
        "('aaab'):match('a?a?ab')",
        "('foo.bar'):match('%.(%w+)$')",
        "('$5'):match('^%$%d$')",
        "('a\\0b'):match('%z')",
        "('a\\0b'):find('b')",
        "('ab'):rep(3, '-')",
        "('ab'):rep(0)",
        "('ab'):rep(1, 'xyz')",
        "(''):rep(5, '-')",
        "('abc'):rep(7)",
        "string.format('%5d|%-5s|%05.1f|%x|%q|%%|%c', 3, 'ab', 2.25, 255, 'q\\n', 65)",
        "string.format('%s %s %s', nil, true, 1.0)",
        "string.format('%d', 'x')",
        "string.format('%y', 1)",
        "string.format('%s')",
        "('abc'):byte(1, -1)",
        "('abc'):sub(-2)",
        "table.concat({1, 2, 3}, ', ')",
        "table.concat({}, 'x')",
        "table.concat({1, {}, 3})",
        "table.unpack({1, 2, 3}, 2)",
        "table.unpack({}, 1, 2)",
        "select('#', table.unpack({1, nil, 3}, 1, 3))",
        "table.remove({1, 2, 3})",
        "table.remove({1, 2, 3}, 1)",
        "table.remove({})",
        "table.insert({}, 5, 1)",
        "table.insert({})",
        "table.concat(table.move({1, 2, 3}, 1, 3, 2), ',')",
        "table.concat(table.move({1, 2, 3}, 2, 3, 1), ',')",
        "math.type(3), math.type(3.0)",
        "tostring(1e15), tostring(-0.0), tostring(2^53)",
        "tonumber('0x10'), tonumber('z', 36)",
        "math.tointeger(3.0), 7 // 2, 7 % -3",
        "pcall(error, {1})",
        "pcall(error, 'x', 0)",
        "pcall(error)",
        "select(-1, 1, 2)",
        "xpcall(error, function(e) return e .. '!' end, 'x', 0)",
        "utf8.char(228, 8364), utf8.len('äö'), utf8.codepoint('ä')"}) {
    // Lua's own messages begin with another file's name.
    const auto rest = [](const std::string& text) {
      const auto at = text.find(":2: ");
      return at == std::string::npos ? text : text.substr(at);
    };
    const std::string own = rest(lua(shown(call)));
    EXPECT_EQ(rest(hook(shown(call))), own.find("0x") == std::string::npos ? own : "false|table")
        << call;
  }
}

TEST(Library, GmatchGoesThroughAllMatches) {
  for (const std::string pattern : {"%a+", "()", "(%a)(%a*)", "", "^a", "x*"}) {
    const std::string body = "local s = '' for a, b in ('abc xx de'):gmatch('" + pattern +
                             "') do s = s .. '<' .. tostring(a) .. tostring(b) .. '>' end return s";
    EXPECT_EQ(hook(body), lua(body)) << pattern;
  }
}

TEST(Library, TablesAreSorted) {
  const std::string body =
      "local t = {} for i = 1, 200 do t[i] = (i * 7919) % 211 end\n"
      "table.sort(t, function(a, b) return a > b end) return table.concat(t, ' ')";
  EXPECT_EQ(hook(body), lua(body));
}

TEST(Library, CoroutinesYieldThroughProtectedCalls) {
  const std::string body =
      "local co = coroutine.wrap(function(a)\n"
      "  local ok, b = pcall(function() return coroutine.yield(a + 1) * 2 end)\n"
      "  local no, why = pcall(function() coroutine.yield(b) error('x', 0) end)\n"
      "  return tostring(ok) .. tostring(no) .. why\n"
      "end)\nreturn co(1) .. ' ' .. co(10) .. ' ' .. co()";
  EXPECT_EQ(hook(body), "2 20 truefalsex");
  EXPECT_EQ(hook(body), lua(body));
  EXPECT_EQ(hook("local co = coroutine.create(function() error('x', 0) end)\n"
                 "local a, b = coroutine.resume(co) local c, d = coroutine.resume(co)\n"
                 "return tostring(a) .. b .. tostring(c) .. d .. coroutine.status(co)"),
            "falsexfalseh.lua:3: cannot resume dead coroutinedead");
}

TEST(Library, JsonKeepsWhatItReads) {
  EXPECT_EQ(hook("local json = require 'json'\nreturn json.encode(json.decode("
                 "'{\"a\": [1, 2.0, null, true, {}], \"b\": [], \"c\": {\"d\": \"x\"}}'))"),
            R"({"a":[1,2.0,null,true,{}],"b":[],"c":{"d":"x"}})");
  EXPECT_EQ(
      hook("local json = require 'json'\nlocal t = json.decode('{}') t.x = 1 t.y = nil\n"
           "return json.encode(t) .. json.encode({}) .. json.encode(null) .. json.encode(m.map)"),
      R"({"x":1}[]null{"w":2,"x":1})");
  EXPECT_EQ(hook("local json = require 'json'\nlocal v, why = json.decode('{nope')\n"
                 "return tostring(v) .. ' ' .. why"),
            "nil not JSON");
  EXPECT_EQ(hook("return require('json').encode({pairs})"),
            "error: h.lua:2: json.encode: the value[1] is a function");
}

}  // namespace
}  // namespace agneto::script
