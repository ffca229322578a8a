#include "script/instance_data.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "script/values.h"

namespace agneto::script {

namespace {

Json zero(const model::Type& type) {
  // The values stand in the order of Type::Kind.
  static const Json zeros[] = {"", 0, 0, false, Json::array(), Json::object(), nullptr};
  if (type.optional) return nullptr;
  if (type.kind != model::Type::Kind::choice) return zeros[static_cast<std::size_t>(type.kind)];
  return type.choices.empty() ? "" : type.choices.front();
}

// Upvalues: the declared names as keys, what they are declared in.
int refuse_undeclared(lua_State* lua) {
  Sandbox& sandbox = Sandbox::of(lua);
  {
    const std::string name = lua_type(lua, 2) == LUA_TSTRING ? text_at(lua, 2) : "?";
    const std::string help = suggestion(name, text_keys(lua, lua_upvalueindex(1)), "names");
    sandbox.set_failure("'" + name + "' is not declared in " + text_at(lua, lua_upvalueindex(2)) +
                        (help.empty() ? "" : "; " + help));
  }
  return sandbox.fail(lua);
}

bool is_declared(lua_State* lua) {
  lua_pushvalue(lua, 2);
  return lua_rawget(lua, lua_upvalueindex(1)) != LUA_TNIL;
}

// Declared names may be absent once a block has set them to nil.
int read_absent(lua_State* lua) {
  if (!is_declared(lua)) return refuse_undeclared(lua);
  lua_pushnil(lua);
  return 1;
}

int write_absent(lua_State* lua) {
  if (!is_declared(lua)) return refuse_undeclared(lua);
  lua_settop(lua, 3);
  lua_rawset(lua, 1);
  return 0;
}

// Leaves on the stack a metatable that refuses names other than those of the variables.
void push_declared_only(lua_State* lua, const std::vector<model::Variable>& variables,
                        const char* what) {
  lua_createtable(lua, 0, 3);
  lua_createtable(lua, 0, static_cast<int>(variables.size()));
  for (const auto& variable : variables) {
    lua_pushboolean(lua, true);
    lua_setfield(lua, -2, variable.name.c_str());
  }
  lua_pushvalue(lua, -1);
  lua_pushstring(lua, what);
  lua_pushcclosure(lua, read_absent, 2);
  lua_setfield(lua, -3, "__index");
  lua_pushstring(lua, what);
  lua_pushcclosure(lua, write_absent, 2);
  lua_setfield(lua, -2, "__newindex");
  lua_pushboolean(lua, false);
  lua_setfield(lua, -2, "__metatable");
}

}  // namespace

std::optional<std::string> prepare(Sandbox& sandbox, MachineCode& code) {
  return sandbox.protect([&](lua_State* lua) {
    const auto& context = code.machine->context;
    lua_createtable(lua, static_cast<int>(context.size()), 0);
    for (std::size_t i = 0; i < context.size(); ++i) {
      lua_pushstring(lua, context[i].name.c_str());
      lua_rawseti(lua, -2, static_cast<lua_Integer>(i));
    }
    code.names = luaL_ref(lua, LUA_REGISTRYINDEX);
    push_declared_only(lua, context, "ctx");
    code.metatable = luaL_ref(lua, LUA_REGISTRYINDEX);
  });
}

InstanceData::InstanceData(Sandbox& sandbox, MachineCode& code, Json inputs, const Json& context)
    : sandbox_(sandbox), code_(code), inputs_(std::move(inputs)) {
  for (const auto& variable : code.machine->context) {
    const auto given = context.find(variable.name);
    values_.push_back({given != context.end() ? *given
                       : variable.initial     ? *variable.initial
                                              : zero(variable.type)});
  }
}

InstanceData::~InstanceData() {
  luaL_unref(sandbox_.state(), LUA_REGISTRYINDEX, context_);
  luaL_unref(sandbox_.state(), LUA_REGISTRYINDEX, inputs_view_);
  if (code_.shown == this) code_.shown = nullptr;
}

std::optional<std::string> InstanceData::open() {
  return sandbox_.protect([&](lua_State* lua) {
    const auto& context = code_.machine->context;
    lua_createtable(lua, 0, static_cast<int>(context.size()));
    for (std::size_t i = 0; i < context.size(); ++i) {
      push(lua, values_[i].committed);
      values_[i].table = lua_istable(lua, -1) ? lua_topointer(lua, -1) : nullptr;
      lua_setfield(lua, -2, context[i].name.c_str());
    }
    lua_rawgeti(lua, LUA_REGISTRYINDEX, code_.metatable);
    lua_setmetatable(lua, -2);
    context_ = luaL_ref(lua, LUA_REGISTRYINDEX);

    push_read_only(lua, inputs_, "inputs");
    push_contents(lua, -1);
    push_declared_only(lua, code_.machine->inputs, "inputs");
    lua_setmetatable(lua, -2);
    lua_pop(lua, 1);
    inputs_view_ = luaL_ref(lua, LUA_REGISTRYINDEX);
  });
}

Json InstanceData::save() const {
  Json saved = Json::object();
  saved["inputs"] = inputs_;
  Json& context = saved["ctx"] = Json::object();
  for (std::uint32_t i = 0; i < values_.size(); ++i) {
    context[declared(i).name] = values_[i].committed;
  }
  return saved;
}

void InstanceData::show() {
  if (code_.shown == this) return;
  lua_State* lua = sandbox_.state();
  lua_rawgeti(lua, LUA_REGISTRYINDEX, code_.program.anchor);
  lua_rawgeti(lua, LUA_REGISTRYINDEX, context_);
  lua_setupvalue(lua, -2, Program::ctx);
  lua_rawgeti(lua, LUA_REGISTRYINDEX, inputs_view_);
  lua_setupvalue(lua, -2, Program::inputs);
  lua_pop(lua, 1);
  code_.shown = this;
}

template <typename Visit>
void InstanceData::each_current(const std::vector<std::uint32_t>& variables, Visit visit) {
  lua_State* lua = sandbox_.state();
  lua_rawgeti(lua, LUA_REGISTRYINDEX, context_);
  lua_rawgeti(lua, LUA_REGISTRYINDEX, code_.names);
  for (const auto variable : variables) {
    lua_rawgeti(lua, -1, variable);
    lua_rawget(lua, -3);
    visit(variable);
    lua_pop(lua, 1);
  }
  lua_pop(lua, 2);
}

// Is the value on top of the stack exactly what is committed? If not, `value` is what it is, or
// `why` says that it is nothing that can be kept.
bool InstanceData::is_committed(std::uint32_t variable, Json& value, std::string& why) {
  lua_State* lua = sandbox_.state();
  const auto& kept = values_[variable];
  const bool table = lua_istable(lua, -1);
  if (!table && is_same_scalar(lua, -1, kept.committed)) return true;
  if (!to_json(lua, -1, value, why)) {
    why = "ctx." + declared(variable).name + why;
    return false;
  }
  model::settle(declared(variable).type, value);
  return table && lua_topointer(lua, -1) == kept.table && value == kept.committed;
}

// Puts the committed value of an entry into the ctx table.
std::optional<std::string> InstanceData::put(std::uint32_t variable) {
  return sandbox_.protect([&](lua_State* lua) {
    auto& value = values_[variable];
    lua_rawgeti(lua, LUA_REGISTRYINDEX, context_);
    lua_rawgeti(lua, LUA_REGISTRYINDEX, code_.names);
    lua_rawgeti(lua, 2, variable);
    push(lua, value.committed);
    value.table = lua_istable(lua, -1) ? lua_topointer(lua, -1) : nullptr;
    lua_rawset(lua, 1);
  });
}

std::optional<std::string> InstanceData::set(std::uint32_t variable, Json value) {
  model::settle(declared(variable).type, value);
  if (auto why = model::mismatch(declared(variable).type, value)) {
    return "ctx." + declared(variable).name + ": " + *why;
  }
  values_[variable].committed = std::move(value);
  return put(variable);
}

std::string InstanceData::commit(const std::vector<std::uint32_t>& variables) {
  std::vector<std::string> problems;
  each_current(variables, [&](std::uint32_t variable) {
    if (!keep_plain(variable)) keep(variable, problems);
  });
  return join(problems, "; ");
}

// The usual case: the value on top of the stack is an integer or a boolean that the declaration
// asks for. False where it takes a closer look.
bool InstanceData::keep_plain(std::uint32_t variable) {
  lua_State* lua = sandbox_.state();
  Json& committed = values_[variable].committed;
  const auto change = [&](auto value) {
    undo_.push_back({variable, std::move(committed)});
    committed = value;
  };
  switch (declared(variable).type.kind) {
    case model::Type::Kind::integer: {
      if (!lua_isinteger(lua, -1)) return false;
      const std::int64_t value = lua_tointeger(lua, -1);
      if (!committed.is_number_integer() || committed.get<std::int64_t>() != value) change(value);
      return true;
    }
    case model::Type::Kind::boolean: {
      if (!lua_isboolean(lua, -1)) return false;
      const bool value = lua_toboolean(lua, -1) != 0;
      if (!committed.is_boolean() || committed.get<bool>() != value) change(value);
      return true;
    }
    default:
      return false;
  }
}

// What is on top of the stack, if it fits.
void InstanceData::keep(std::uint32_t variable, std::vector<std::string>& problems) {
  Json value;
  std::string why;
  if (is_committed(variable, value, why)) return;
  if (why.empty()) {
    if (auto reason = model::mismatch(declared(variable).type, value)) {
      why = "ctx." + declared(variable).name + ": " + *reason;
    }
  }
  // Also what is kept is put back, unless it is just what ctx shows: a table of its own, of plain
  // data; a text that is UTF-8; 3 for an integer's 3.0.
  const bool shown = why.empty() && is_same_scalar(sandbox_.state(), -1, value);
  if (why.empty()) {
    undo_.push_back({variable, std::exchange(values_[variable].committed, std::move(value))});
  } else {
    problems.push_back(std::move(why));
  }
  if (shown) return;
  if (auto error = put(variable)) problems.push_back(std::move(*error));
}

std::string InstanceData::revert(const std::vector<std::uint32_t>& variables) {
  std::string changed;
  each_current(variables, [&](std::uint32_t variable) {
    Json value;
    std::string why;
    if (is_committed(variable, value, why)) return;
    put(variable);
    if (changed.empty()) changed = declared(variable).name;
  });
  return changed;
}

void InstanceData::rollback() {
  for (auto change = undo_.rbegin(); change != undo_.rend(); ++change) {
    values_[change->variable].committed = std::move(change->old);
    put(change->variable);
  }
  undo_.clear();
}

}  // namespace agneto::script
