#include "script/functions.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "lua/tree.h"
#include "model/rules.h"
#include "script/library.h"
#include "script/rules.h"

namespace agneto::script {

namespace {

using Kind = lua::Node::Kind;

constexpr std::string_view hidden[] = {"ctx",  "inputs", "event",    "run", "raise",
                                       "send", "cancel", "state_in", "_ENV"};

bool is_hidden(std::string_view name) {
  return std::find(std::begin(hidden), std::end(hidden), name) != std::end(hidden);
}

const std::vector<std::string>& names_of_lua() {
  static const std::vector<std::string> names = library_names(Library::expressions);
  return names;
}

}  // namespace

void check_functions(const model::Machine& machine, Diagnostics& diagnostics) {
  for (const model::Binding& function : machine.functions) {
    const model::Code& code = machine.code[function.value];
    const auto& own = names_of_lua();
    if (std::find(own.begin(), own.end(), function.name) != own.end()) {
      diagnostics.report(rules::reserved_name, function.span,
                         fmt::format("'{}' is a name of Lua's own", function.name),
                         "choose another name");
    }
    const auto tree = lua::parse_expression(code.text);
    if (!tree) continue;  // it does not compile, which is reported
    const lua::Node* body = lua::function_in(tree);
    if (!body) {
      diagnostics.report(rules::function, code.span,
                         fmt::format("'{}' is no function", function.name),
                         "as in function(list) return #list > 3 end");
      continue;
    }
    std::string seen;
    lua::walk(*body, [&](const lua::Node& node) {
      if (seen.empty() && node.kind == Kind::global && is_hidden(node.text)) seen = node.text;
    });
    if (seen.empty()) continue;
    diagnostics.report(
        rules::function, code.span,
        fmt::format("the function '{}' looks at '{}', which it is not given", function.name, seen),
        "give it what it needs when it is called; what it comes to depends on nothing else");
  }
}

std::optional<std::string> Functions::open() {
  if (machine_.functions.empty()) return std::nullopt;
  return sandbox_.protect([this](lua_State* lua) {
    lua_newtable(lua);  // functions
    lua_newtable(lua);
    lua_rawgeti(lua, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
    lua_setfield(lua, -2, "__index");
    lua_setmetatable(lua, -2);
    lua_newtable(lua);  // functions environment
    lua_newtable(lua);
    lua_pushvalue(lua, -3);
    lua_setfield(lua, -2, "__index");
    lua_rawgeti(lua, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
    lua_getmetatable(lua, -1);
    lua_getfield(lua, -1, "__newindex");  // refuses
    lua_setfield(lua, -4, "__newindex");
    lua_pop(lua, 2);
    lua_pushboolean(lua, false);
    lua_setfield(lua, -2, "__metatable");
    lua_setmetatable(lua, -2);
    environment_ = luaL_ref(lua, LUA_REGISTRYINDEX);
    functions_ = luaL_ref(lua, LUA_REGISTRYINDEX);
  });
}

void Functions::show_to_chunk() {
  if (machine_.functions.empty()) return;
  lua_State* lua = sandbox_.state();
  lua_rawgeti(lua, LUA_REGISTRYINDEX, environment_);
  lua_setupvalue(lua, -2, 1);
}

std::optional<std::string> Functions::set(std::size_t index, int piece) {
  lua_State* lua = sandbox_.state();
  lua_rawgeti(lua, LUA_REGISTRYINDEX, piece);
  if (auto error = sandbox_.call(0, 1)) return error;
  return sandbox_.protect(
      [&](lua_State* thread) {
        lua_rawgeti(thread, LUA_REGISTRYINDEX, functions_);
        lua_pushvalue(thread, 1);
        lua_setfield(thread, -2, machine_.functions[index].name.c_str());
      },
      1);
}

}  // namespace agneto::script
