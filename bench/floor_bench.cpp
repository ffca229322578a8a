// The least that could be paid: what an interpreter is measured against.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <limits>
#include <lua.hpp>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

namespace {

// A <-> B by a table of next states; the event's number is known.
void table(benchmark::State& state) {
  const std::vector<std::uint32_t> next = {1, 0};
  std::uint32_t now = 0;
  std::uint32_t event = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(event);
    now = next[now + event];
    benchmark::DoNotOptimize(now);
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(table)->Name("floor/table");

// The guard and the counter of bench::counter(), compiled.
class Lua {
 public:
  Lua() : lua_(luaL_newstate(), lua_close) {
    static constexpr const char* text =
        "local ctx <const> = ... "
        "return function() return (ctx.n < 1000000000) end, function() ctx.n = ctx.n + 1 end";
    lua_State* lua = lua_.get();
    lua_pushcfunction(lua, handler);
    lua_createtable(lua, 0, 1);
    lua_pushinteger(lua, 0);
    lua_setfield(lua, -2, "n");
    lua_pushvalue(lua, -1);
    context = luaL_ref(lua, LUA_REGISTRYINDEX);
    if (luaL_loadstring(lua, text) != LUA_OK) throw std::runtime_error(lua_tostring(lua, -1));
    lua_insert(lua, -2);
    lua_call(lua, 1, 2);
    action = luaL_ref(lua, LUA_REGISTRYINDEX);
    guard = luaL_ref(lua, LUA_REGISTRYINDEX);
  }

  lua_State* state() const { return lua_.get(); }

  int context = 0;
  int guard = 0;
  int action = 0;

 private:
  static int handler(lua_State*) { return 1; }

  std::unique_ptr<lua_State, decltype(&lua_close)> lua_;
};

void lua_bare(benchmark::State& state) {
  const Lua program;
  lua_State* lua = program.state();
  for (auto _ : state) {
    lua_rawgeti(lua, LUA_REGISTRYINDEX, program.guard);
    if (lua_pcall(lua, 0, 1, 0) != LUA_OK || !lua_toboolean(lua, -1)) {
      return state.SkipWithError("the guard failed");
    }
    lua_pop(lua, 1);
    lua_rawgeti(lua, LUA_REGISTRYINDEX, program.action);
    if (lua_pcall(lua, 0, 0, 0) != LUA_OK) return state.SkipWithError("the action failed");
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(lua_bare)->Name("floor/lua");

std::int64_t work = 0;

// What the engine promises besides: each call has fresh limits and a message handler, the guard's
// answer is no null, and the entry of the context is compared with its old value and its type when
// the action ends.
void lua_checked(benchmark::State& state) {
  const Lua program;
  lua_State* lua = program.state();
  std::int64_t committed = 0;
  std::vector<std::int64_t> undo;
  const auto call = [&](int function, int results) {
    work = 20'000'000;
    lua_sethook(
        lua,
        [](lua_State* from, lua_Debug*) {
          if ((work -= 1000) < 0) luaL_error(from, "too much work");
        },
        LUA_MASKCOUNT, 1000);
    lua_rawgeti(lua, LUA_REGISTRYINDEX, function);
    const bool ok = lua_pcall(lua, 0, results, 1) == LUA_OK && work >= 0;
    work = std::numeric_limits<std::int64_t>::max();
    return ok;
  };
  for (auto _ : state) {
    undo.clear();
    if (!call(program.guard, 1) || lua_islightuserdata(lua, -1) || !lua_toboolean(lua, -1)) {
      return state.SkipWithError("the guard failed");
    }
    lua_pop(lua, 1);
    if (!call(program.action, 0)) return state.SkipWithError("the action failed");
    lua_rawgeti(lua, LUA_REGISTRYINDEX, program.context);
    lua_pushliteral(lua, "n");
    lua_rawget(lua, -2);
    if (!lua_isinteger(lua, -1)) return state.SkipWithError("not an integer");
    if (const std::int64_t value = lua_tointeger(lua, -1); value != committed) {
      undo.push_back(std::exchange(committed, value));
    }
    lua_pop(lua, 2);
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(lua_checked)->Name("floor/lua_checked");

}  // namespace
