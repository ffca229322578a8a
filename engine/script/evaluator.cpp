#include "script/evaluator.h"

#include <cstring>
#include <vector>

#include "base/text.h"
#include "script/actions.h"
#include "script/compile.h"
#include "script/library.h"
#include "script/sandbox.h"
#include "script/values.h"

namespace agneto::script {

namespace {

constexpr Sandbox::Limits limits{256u << 20, 20'000'000};

// References in the registry that all instances of one machine share.
struct MachineCode {
  const model::Machine* machine = nullptr;
  Program program;
  int names = 0;      // list of the context's names
  int metatable = 0;  // of every ctx: refuses undeclared names
};

// A machine instance's data. The committed values are the truth; the ctx table in Lua is what code
// works on, and is compared with them after every block that can have changed it.
struct LuaData : chart::Data {
  LuaData(Sandbox& the_sandbox, MachineCode& the_code) : sandbox(the_sandbox), code(the_code) {}
  ~LuaData() override {
    luaL_unref(sandbox.state(), LUA_REGISTRYINDEX, context);
    luaL_unref(sandbox.state(), LUA_REGISTRYINDEX, inputs_view);
  }

  struct Value {
    Json committed;
    const void* table = nullptr;  // the Lua table that shows it, where it is one
  };
  struct Change {
    std::uint32_t variable;
    Json old;
  };

  Sandbox& sandbox;
  MachineCode& code;
  Json inputs;
  std::vector<Value> values;  // by context entry
  std::vector<Change> undo;   // since the last mark
  int context = LUA_NOREF;
  int inputs_view = LUA_NOREF;
};

Json zero(const model::Type& type) {
  using Kind = model::Type::Kind;
  if (type.optional) return nullptr;
  switch (type.kind) {
    case Kind::string:
      return "";
    case Kind::integer:
      return 0;
    case Kind::number:
      return 0;
    case Kind::boolean:
      return false;
    case Kind::list:
      return Json::array();
    case Kind::map:
      return Json::object();
    case Kind::any:
      return nullptr;
    case Kind::choice:
      break;
  }
  return type.choices.empty() ? Json("") : Json(type.choices.front());
}

// Upvalue 1: names -> true. Reading or writing an entry that is absent: declared ones may be, once
// a block has set them to nil.
std::string undeclared(lua_State* lua, const char* what) {
  const std::string name = lua_type(lua, 2) == LUA_TSTRING ? lua_tostring(lua, 2) : "?";
  std::vector<std::string> known;
  for (lua_pushnil(lua); lua_next(lua, lua_upvalueindex(1)) != 0; lua_pop(lua, 1)) {
    known.emplace_back(lua_tostring(lua, -2));
  }
  const std::string help = suggestion(name, known, "names");
  return "'" + name + "' is not declared in " + what + (help.empty() ? "" : "; " + help);
}

int read_absent(lua_State* lua) {
  lua_pushvalue(lua, 2);
  if (lua_rawget(lua, lua_upvalueindex(1)) != LUA_TNIL) {
    lua_pushnil(lua);
    return 1;
  }
  Sandbox::of(lua).set_failure(undeclared(lua, lua_tostring(lua, lua_upvalueindex(2))));
  return Sandbox::of(lua).fail(lua);
}

int write_absent(lua_State* lua) {
  lua_pushvalue(lua, 2);
  if (lua_rawget(lua, lua_upvalueindex(1)) != LUA_TNIL) {
    lua_settop(lua, 3);
    lua_rawset(lua, 1);
    return 0;
  }
  Sandbox::of(lua).set_failure(undeclared(lua, lua_tostring(lua, lua_upvalueindex(2))));
  return Sandbox::of(lua).fail(lua);
}

// Leaves on the stack a metatable that refuses names other than `names`.
template <typename Named>
void push_declared_only(lua_State* lua, const std::vector<Named>& names, const char* what) {
  lua_newtable(lua);
  lua_newtable(lua);
  for (const auto& entry : names) {
    lua_pushboolean(lua, true);
    lua_setfield(lua, -2, entry.name.c_str());
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

// Sets in `object`'s fields what must not be hidden by them.
Json event_view(const chart::Event* event) {
  Json view = Json::object();
  if (!event) return view;
  if (event->data.is_object()) view = event->data;
  view["name"] = event->name;
  view["data"] = event->data;
  view["source"] = event->path;
  return view;
}

class LuaEvaluator : public chart::Evaluator {
 public:
  explicit LuaEvaluator(const model::System& system) : sandbox_(limits), actions_(sandbox_) {
    machines_.resize(system.machines.size());
    for (std::size_t i = 0; i < machines_.size(); ++i) machines_[i].machine = &system.machines[i];
  }

  bool compile(Diagnostics& diagnostics) {
    const auto before = diagnostics.error_count();
    auto error = sandbox_.protect([this](lua_State* lua) {
      push_library(lua, Library::expressions);
      actions_.add_to(lua);
      make_environment(lua);
      lua_rawseti(lua, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
    });
    for (auto& machine : machines_) {
      if (!error) error = prepare(machine);
      if (!error) machine.program = script::compile(sandbox_, *machine.machine, diagnostics);
    }
    if (error) diagnostics.error("lua-syntax", {}, *error);
    return diagnostics.error_count() == before;
  }

  std::unique_ptr<chart::Data> create(model::MachineId machine, const Json& inputs,
                                      chart::Scope& scope,
                                      std::optional<chart::Fault>& fault) override {
    auto data = std::make_unique<LuaData>(sandbox_, machines_[machine]);
    const auto& declared = data->code.machine->context;
    for (const auto& variable : declared) {
      data->values.push_back({variable.initial ? *variable.initial : zero(variable.type), nullptr});
    }
    data->inputs = inputs;
    if (auto error = show(*data)) {
      fault = chart::Fault{*error, {}};
      return data;
    }
    for (std::uint32_t i = 0; i < declared.size(); ++i) {
      if (declared[i].init == model::none) continue;
      std::optional<chart::Fault> problem;
      Json value = this->value(*data, declared[i].init, scope, problem);
      if (!problem) {
        const auto& code = data->code.machine->code[declared[i].init];
        if (auto why = fit(declared[i].type, value)) {
          problem = violation(*data, code, "ctx." + declared[i].name + ": " + *why);
        } else {
          data->values[i].committed = std::move(value);
          if (auto error = push_back(*data, i)) problem = chart::Fault{*error, code.span};
        }
      }
      if (problem && !fault) fault = std::move(problem);
    }
    return data;
  }

  Json save(const chart::Data& data) override {
    const auto& the_data = static_cast<const LuaData&>(data);
    Json context = Json::object();
    for (std::size_t i = 0; i < the_data.values.size(); ++i) {
      context[the_data.code.machine->context[i].name] = the_data.values[i].committed;
    }
    return {{"inputs", the_data.inputs}, {"ctx", std::move(context)}};
  }

  std::unique_ptr<chart::Data> restore(model::MachineId machine, const Json& saved) override {
    auto data = std::make_unique<LuaData>(sandbox_, machines_[machine]);
    const Json& context = saved.at("ctx");
    for (const auto& variable : data->code.machine->context) {
      const auto found = context.find(variable.name);
      data->values.push_back({found != context.end() ? *found
                              : variable.initial     ? *variable.initial
                                                     : zero(variable.type),
                              nullptr});
    }
    data->inputs = saved.at("inputs");
    if (auto error = show(*data)) throw std::runtime_error(*error);
    return data;
  }

  bool test(chart::Data& data, model::CodeId code, chart::Scope& scope,
            std::optional<chart::Fault>& fault) override {
    auto& the_data = static_cast<LuaData&>(data);
    if (!evaluate(the_data, code, scope, fault)) return false;
    lua_State* lua = sandbox_.state();
    const bool answer = lua_toboolean(lua, -1) != 0;
    const bool null = is_null(lua, -1);
    lua_pop(lua, 1);
    if (null) {
      fault = violation(the_data, code_of(the_data, code),
                        "a guard gave null; compare with null instead: x ~= null");
      return false;
    }
    return answer;
  }

  Json value(chart::Data& data, model::CodeId code, chart::Scope& scope,
             std::optional<chart::Fault>& fault) override {
    auto& the_data = static_cast<LuaData&>(data);
    if (!evaluate(the_data, code, scope, fault)) return nullptr;
    Json result;
    std::string why;
    const auto& text = code_of(the_data, code);
    if (!to_json(sandbox_.state(), -1, "the value of '" + text.what + "'", result, why)) {
      fault = violation(the_data, text, why);
      result = nullptr;
    }
    lua_pop(sandbox_.state(), 1);
    return result;
  }

  void run(chart::Data& data, model::CodeId code, chart::Scope& scope,
           std::optional<chart::Fault>& fault) override {
    auto& the_data = static_cast<LuaData&>(data);
    const Block& block = the_data.code.program.blocks[code];
    if (call(the_data, block, scope, true, fault)) lua_pop(sandbox_.state(), 1);
    commit(the_data, block, fault);
  }

  void mark(chart::Data& data) override { static_cast<LuaData&>(data).undo.clear(); }

  void rollback(chart::Data& data) override {
    auto& the_data = static_cast<LuaData&>(data);
    for (auto change = the_data.undo.rbegin(); change != the_data.undo.rend(); ++change) {
      the_data.values[change->variable].committed = std::move(change->old);
      push_back(the_data, change->variable);
    }
    the_data.undo.clear();
  }

 private:
  static const model::Code& code_of(const LuaData& data, model::CodeId code) {
    return data.code.machine->code[code];
  }

  static std::string file_of(const LuaData& data) {
    const auto& source = data.code.machine->source;
    return source ? source->path() : data.code.machine->file.string();
  }

  static chart::Fault violation(const LuaData& data, const model::Code& code, std::string what) {
    const int line = code.lines.empty() ? code.span.line() : code.lines.front();
    return {file_of(data) + ":" + std::to_string(line) + ": " + std::move(what), code.span};
  }

  // Makes the value what its type declares, or says why it cannot be.
  static std::optional<std::string> fit(const model::Type& type, Json& value) {
    model::settle(type, value);
    return model::mismatch(type, value);
  }

  std::optional<std::string> prepare(MachineCode& machine) {
    return sandbox_.protect([&](lua_State* lua) {
      const auto& context = machine.machine->context;
      lua_createtable(lua, static_cast<int>(context.size()), 0);
      for (std::size_t i = 0; i < context.size(); ++i) {
        lua_pushstring(lua, context[i].name.c_str());
        lua_rawseti(lua, -2, static_cast<lua_Integer>(i));
      }
      machine.names = luaL_ref(lua, LUA_REGISTRYINDEX);
      push_declared_only(lua, context, "ctx");
      machine.metatable = luaL_ref(lua, LUA_REGISTRYINDEX);
    });
  }

  // Makes the Lua side of new data.
  std::optional<std::string> show(LuaData& data) {
    return sandbox_.protect([&](lua_State* lua) {
      const auto& context = data.code.machine->context;
      lua_createtable(lua, 0, static_cast<int>(context.size()));
      for (std::size_t i = 0; i < context.size(); ++i) {
        push(lua, data.values[i].committed);
        data.values[i].table = lua_istable(lua, -1) ? lua_topointer(lua, -1) : nullptr;
        lua_setfield(lua, -2, context[i].name.c_str());
      }
      lua_rawgeti(lua, LUA_REGISTRYINDEX, data.code.metatable);
      lua_setmetatable(lua, -2);
      data.context = luaL_ref(lua, LUA_REGISTRYINDEX);

      push_read_only(lua, data.inputs, "inputs");
      push_contents(lua, -1);
      push_declared_only(lua, data.code.machine->inputs, "inputs");
      lua_setmetatable(lua, -2);
      lua_pop(lua, 1);
      data.inputs_view = luaL_ref(lua, LUA_REGISTRYINDEX);
      lua_settop(lua, 0);
    });
  }

  // Puts the committed value of an entry into the ctx table.
  std::optional<std::string> push_back(LuaData& data, std::uint32_t variable) {
    return sandbox_.protect([&](lua_State* lua) {
      lua_rawgeti(lua, LUA_REGISTRYINDEX, data.context);
      auto& value = data.values[variable];
      push(lua, value.committed);
      value.table = lua_istable(lua, -1) ? lua_topointer(lua, -1) : nullptr;
      lua_rawgeti(lua, LUA_REGISTRYINDEX, data.code.names);
      lua_rawgeti(lua, -1, variable);
      lua_replace(lua, -2);
      lua_insert(lua, -2);
      lua_rawset(lua, 1);
      lua_settop(lua, 0);
    });
  }

  // Lets `block` see this data, the scope's event and run.
  std::optional<std::string> enter(LuaData& data, const Block& block, chart::Scope& scope) {
    lua_State* lua = sandbox_.state();
    if (block.event) {
      if (auto error = show_event(scope.event())) return error;
    }
    if (block.run) {
      if (auto error = show_run(scope.run())) return error;
    }
    lua_rawgeti(lua, LUA_REGISTRYINDEX, data.code.program.anchor);
    const auto set = [&](int reference, int upvalue) {
      lua_rawgeti(lua, LUA_REGISTRYINDEX, reference);
      lua_setupvalue(lua, -2, upvalue);
    };
    set(data.context, 1);
    set(data.inputs_view, 2);
    if (block.event) set(event_view_, 3);
    if (block.run) set(run_view_, 4);
    lua_pop(lua, 1);
    return std::nullopt;
  }

  std::optional<std::string> show_event(const chart::Event* event) {
    const bool same = event ? has_event_ && event->name == event_.name &&
                                  event->path == event_.path && event->data == event_.data
                            : !has_event_ && event_view_ != LUA_NOREF;
    if (same) return std::nullopt;
    const Json view = event_view(event);
    auto error = replace_view(event_view_, view, "event");
    has_event_ = event != nullptr;
    event_ = event ? *event : chart::Event{};
    return error;
  }

  std::optional<std::string> show_run(const chart::RunInfo& run) {
    Json view = {{"id", run.id}, {"interactive", run.interactive}, {"auto_merge", run.auto_merge}};
    if (view == run_) return std::nullopt;
    run_ = std::move(view);
    return replace_view(run_view_, run_, "run");
  }

  std::optional<std::string> replace_view(int& reference, const Json& value, const char* label) {
    return sandbox_.protect([&](lua_State* lua) {
      luaL_unref(lua, LUA_REGISTRYINDEX, reference);
      reference = LUA_NOREF;
      push_read_only(lua, value, label);
      reference = luaL_ref(lua, LUA_REGISTRYINDEX);
    });
  }

  // Calls the block and leaves its one result on the stack; false and `fault` on an error.
  bool call(LuaData& data, const Block& block, chart::Scope& scope, bool acting,
            std::optional<chart::Fault>& fault) {
    auto error = enter(data, block, scope);
    if (!error) {
      lua_rawgeti(sandbox_.state(), LUA_REGISTRYINDEX, block.function);
      const Actions::Use use(actions_, *data.code.machine, scope, acting, block.code->what);
      error = sandbox_.call(0, 1);
    }
    if (!error) return true;
    fault = error->starts_with(file_of(data) + ":")
                ? chart::Fault{std::move(*error), block.code->span}
                : violation(data, *block.code, std::move(*error));
    return false;
  }

  // An expression's value, left on the stack. It must not have changed anything.
  bool evaluate(LuaData& data, model::CodeId code, chart::Scope& scope,
                std::optional<chart::Fault>& fault) {
    const Block& block = data.code.program.blocks[code];
    const bool ok = call(data, block, scope, false, fault);
    if (!block.may_change) return ok;
    bool changed = false;
    for (auto variable : block.variables) {
      Json value;
      std::string why;
      const auto& committed = data.values[variable].committed;
      if (is_unchanged(data, variable, value, why)) continue;
      if (why.empty() && value == committed) continue;
      push_back(data, variable);
      if (!changed && ok) {
        fault = violation(data, *block.code,
                          "a " + block.code->what + " may not change ctx." +
                              data.code.machine->context[variable].name);
      }
      changed = true;
    }
    if (!ok) return false;
    if (changed) lua_pop(sandbox_.state(), 1);
    return !changed;
  }

  // Does ctx show exactly what is committed? If not, `value` is what it shows, or `why` says that
  // this is nothing that can be kept.
  bool is_unchanged(LuaData& data, std::uint32_t variable, Json& value, std::string& why) {
    lua_State* lua = sandbox_.state();
    const auto& kept = data.values[variable];
    lua_rawgeti(lua, LUA_REGISTRYINDEX, data.context);
    lua_rawgeti(lua, LUA_REGISTRYINDEX, data.code.names);
    lua_rawgeti(lua, -1, variable);
    lua_rawget(lua, -3);
    bool same = false;
    if (!lua_istable(lua, -1) && is_same_scalar(lua, -1, kept.committed)) {
      same = true;
    } else {
      const std::string name = "ctx." + data.code.machine->context[variable].name;
      const bool own = lua_istable(lua, -1) && lua_topointer(lua, -1) == kept.table;
      if (to_json(lua, -1, name, value, why)) {
        model::settle(data.code.machine->context[variable].type, value);
        same = own && value == kept.committed;
      }
    }
    lua_pop(lua, 3);
    return same;
  }

  // After a block: keeps what fits its declaration, takes back what does not.
  void commit(LuaData& data, const Block& block, std::optional<chart::Fault>& fault) {
    std::string problems;
    for (auto variable : block.variables) {
      Json value;
      std::string why;
      if (is_unchanged(data, variable, value, why)) continue;
      auto& kept = data.values[variable];
      const auto& declared = data.code.machine->context[variable];
      if (why.empty()) {
        if (auto reason = fit(declared.type, value)) why = "ctx." + declared.name + ": " + *reason;
      }
      if (why.empty()) {
        data.undo.push_back({variable, std::move(kept.committed)});
        kept.committed = std::move(value);
      } else {
        problems += (problems.empty() ? "" : "; ") + why;
      }
      // Also what was kept: the entry gets a table of its own, of plain data.
      if (!why.empty() || kept.committed.is_structured() || !shows_committed(data, variable)) {
        if (auto error = push_back(data, variable)) {
          problems += (problems.empty() ? "" : "; ") + *error;
        }
      }
    }
    if (!problems.empty() && !fault) fault = violation(data, *block.code, problems);
  }

  bool shows_committed(LuaData& data, std::uint32_t variable) {
    Json value;
    std::string why;
    return is_unchanged(data, variable, value, why);
  }

  Sandbox sandbox_;
  Actions actions_;
  std::vector<MachineCode> machines_;
  bool has_event_ = false;
  chart::Event event_;
  Json run_;
  int event_view_ = LUA_NOREF;
  int run_view_ = LUA_NOREF;
};

}  // namespace

std::unique_ptr<chart::Evaluator> make_evaluator(const model::System& system,
                                                 Diagnostics& diagnostics) {
  auto evaluator = std::make_unique<LuaEvaluator>(system);
  if (!evaluator->compile(diagnostics)) return nullptr;
  return evaluator;
}

}  // namespace agneto::script
