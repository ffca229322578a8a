#include "script/hooks.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <vector>

#include "base/text.h"
#include "model/rules.h"
#include "script/values.h"

namespace agneto::script {

namespace {

constexpr std::size_t most_said = 1000;  // bytes of what a hook finds wrong with a reply

// A member of `m` that is null is nil to a hook, so that `if m.last_error` means what it says. The
// workflow's own values (`m.ctx.x`) keep their nulls.
Json without_absent(Json m) {
  if (!m.is_object()) return Json::object();
  for (auto item = m.begin(); item != m.end();) {
    item = item->is_null() ? m.erase(item) : std::next(item);
  }
  if (const auto workspace = m.find("workspace"); workspace != m.end()) {
    *workspace = without_absent(*workspace);
  }
  return m;
}

// Goes into a sentence: "your last reply could not be used: X."
std::string said_wrong(std::string_view words) {
  const std::string clean = printable(words);
  std::string_view text = trim(clean);
  while (text.ends_with('.')) text.remove_suffix(1);
  return shortened(text, most_said);
}

constexpr const char* role_form = "{prompt = function(m) ... end}";

// "a number", of what is on top of the stack; a module that returns nothing has the value true.
std::string found_on_top(lua_State* lua) {
  if (lua_isnil(lua, -1) || lua_isboolean(lua, -1)) return "nothing";
  return std::string("a ") + type_name(lua, -1);
}

// "; did you mean 'plan'?", of the table of tasks on top of the stack.
std::string task_help(lua_State* lua, const std::string& task) {
  const std::string help = suggestion(task, text_keys(lua, lua_gettop(lua)), "tasks");
  return help.empty() ? "" : "; " + help;
}

void succeed(std::optional<std::string> error) {
  if (error) throw HookError(*error);
}

}  // namespace

// What one call's m.workspace is made of. It belongs to that call: a hook may keep `m` for longer.
struct Hooks::Pending {
  Pending(Hooks& hooks, const WorkspaceSource& from) : owner(hooks), source(from) {
    owner.pending_ = this;
    ++owner.call_;
  }
  ~Pending() { owner.pending_ = nullptr; }
  Pending(const Pending&) = delete;
  Pending& operator=(const Pending&) = delete;

  // Throws what the source threw, or else HookError.
  void check(std::optional<std::string> error) const {
    if (error && thrown) std::rethrow_exception(thrown);
    succeed(std::move(error));
  }

  Hooks& owner;
  const WorkspaceSource& source;
  Json made = {};
  std::exception_ptr thrown = {};  // exceptions must not cross Lua
};

Hooks::Hooks(const Files& files, const ModulePaths& paths)
    : library_(paths.library / "agneto.lua"), modules_(sandbox_, files, paths) {
  sandbox_.blame_callers_of(paths.library);
}

std::string Hooks::prompt(const fs::path& module, const std::string& task, const Json& m,
                          const WorkspaceSource& workspace) {
  const Json seen = without_absent(m);
  Pending pending(*this, workspace);
  std::string result;
  pending.check(sandbox_.run([&](lua_State* lua) {
    push_role(lua, module, task);
    lua_getfield(lua, -1, "prompt");
    push_m(lua, seen);
    lua_call(lua, 1, 1);
    if (lua_type(lua, -1) != LUA_TSTRING) refuse(lua, module, "'prompt' must return a string");
    result = text_at(lua, -1);
  }));
  return result;
}

std::optional<VerdictReply> Hooks::parse(const fs::path& module, const std::string& task,
                                         const std::string& reply, const Json& m,
                                         const WorkspaceSource& workspace) {
  const Json seen = without_absent(m);
  Pending pending(*this, workspace);
  const Json verdicts = seen.value("verdicts", Json::array());
  std::optional<VerdictReply> result;
  pending.check(sandbox_.run([&](lua_State* lua) {
    push_role(lua, module, task);
    const bool own = lua_getfield(lua, -1, "parse") == LUA_TFUNCTION;
    if (!own) push_library_function(lua, "read_verdict");
    lua_pushlstring(lua, reply.data(), reply.size());
    if (own) {
      push_m(lua, seen);
    } else {
      push_read_only(lua, verdicts, "verdicts");
    }
    lua_call(lua, 2, 2);
    if (!lua_isnil(lua, -2) && !is_null(lua, -2)) {
      if (lua_type(lua, -2) != LUA_TSTRING) {
        refuse(lua, module, "'parse' must return a verdict's name and its fields, or nil");
      }
      if (!read_reply(lua, module, result)) sandbox_.fail(lua);
    } else if (lua_type(lua, -1) == LUA_TSTRING) {
      std::string problem = said_wrong(text_at(lua, -1));
      if (!problem.empty()) result = VerdictReply{"", Json(), std::move(problem)};
    }
  }));
  return result;
}

std::string Hooks::verdict_format(const Json& verdicts, const std::string& way) {
  if (verdicts.empty()) return {};
  std::string result;
  succeed(sandbox_.run([&](lua_State* lua) {
    push_library_function(lua, "verdict_format");
    push_read_only(lua, verdicts, "verdicts");
    lua_pushlstring(lua, way.data(), way.size());
    lua_call(lua, 2, 1);
    luaL_checkstring(lua, -1);
    result = text_at(lua, -1);
  }));
  return result;
}

void Hooks::check(const model::Agent& agent, const std::string& task, Span span,
                  Diagnostics& diagnostics) {
  auto error = sandbox_.run([&](lua_State* lua) { push_role(lua, agent.hooks, task); });
  if (!error) return;
  const Span place = modules_.take_place(*error);
  auto& found = diagnostics.report(rules::hooks, place ? place : span, std::move(*error));
  if (place) found.related.push_back({span, "these hooks are used here"});
}

void Hooks::push_m(lua_State* lua, const Json& seen) {
  push_read_only(lua, seen, "m");
  if (!pending_->source || seen.contains("workspace")) return;
  push_contents(lua, -1);
  lua_createtable(lua, 0, 1);
  lua_pushlightuserdata(lua, this);
  lua_pushinteger(lua, call_);
  lua_pushcclosure(lua, look_up, 2);
  lua_setfield(lua, -2, "__index");
  lua_setmetatable(lua, -2);
  lua_pop(lua, 1);
}

void Hooks::make_workspace() {
  try {
    pending_->made = without_absent(pending_->source());
  } catch (...) {
    pending_->thrown = std::current_exception();
  }
}

int Hooks::refuse(lua_State* lua, const fs::path& module, const char* what) {
  note(module, what);
  return sandbox_.fail(lua);
}

void Hooks::push_library_function(lua_State* lua, const char* name) {
  modules_.push(lua, library_);
  lua_getfield(lua, -1, name);
}

void Hooks::push_role(lua_State* lua, const fs::path& module, const std::string& task) {
  modules_.push(lua, module);
  if (!find_role(lua, module, task)) sandbox_.fail(lua);
}

bool Hooks::find_role(lua_State* lua, const fs::path& module, const std::string& task) {
  if (!lua_istable(lua, -1)) {
    return note(module, std::string("must return a table, ") + role_form + ", and returns " +
                            found_on_top(lua));
  }
  const bool has_tasks = field_type(lua, "tasks") == LUA_TTABLE;
  if (task.empty()) {
    if (has_tasks && field_type(lua, "prompt") == LUA_TNIL) {
      push_field(lua, "tasks");
      return note(module,
                  "has tasks alone, and is called without one; say which, as in agent: {name: "
                  "NAME, task: TASK}" +
                      task_help(lua, task));
    }
  } else {
    if (!has_tasks) return note(module, "has no 'tasks', so no task '" + task + "'");
    push_field(lua, "tasks");
    const int type = field_type(lua, task.c_str());
    if (type == LUA_TNIL) return note(module, "has no task '" + task + "'" + task_help(lua, task));
    if (type != LUA_TTABLE) {
      push_field(lua, task.c_str());
      return note(module, "the task '" + task + "' must be a table, " + role_form + ", and is " +
                              found_on_top(lua));
    }
    push_field(lua, task.c_str());
  }
  const std::string of_task = task.empty() ? "" : " in the task '" + task + "'";
  const int prompt = push_field(lua, "prompt");
  if (prompt == LUA_TNIL) {
    return note(module, "has no function 'prompt'" + of_task + ", as in " + role_form);
  }
  if (prompt != LUA_TFUNCTION) {
    return note(module, "'prompt' must be a function" + of_task + ", as in " + role_form +
                            ", and is " + found_on_top(lua));
  }
  lua_pop(lua, 1);
  const int parse = field_type(lua, "parse");
  if (parse == LUA_TNIL || parse == LUA_TFUNCTION) return true;
  return note(module, "'parse' must be a function" + of_task);
}

bool Hooks::read_reply(lua_State* lua, const fs::path& module,
                       std::optional<VerdictReply>& result) {
  VerdictReply reply{text_at(lua, -2), {}};
  std::string why;
  if (!to_json(lua, -1, reply.fields, why)) {
    return note(module, "'parse': the fields of " + reply.name + why);
  }
  if (reply.fields.empty()) reply.fields = Json::object();
  if (!reply.fields.is_object()) {
    return note(module,
                "'parse' must return the fields of " + reply.name + " by name, {field = value}");
  }
  result = std::move(reply);
  return true;
}

int Hooks::look_up(lua_State* lua) {
  if (lua_type(lua, 2) != LUA_TSTRING || std::strcmp(lua_tostring(lua, 2), "workspace") != 0) {
    return 0;
  }
  auto& self = *static_cast<Hooks*>(lua_touserdata(lua, lua_upvalueindex(1)));
  if (!self.pending_ || lua_tointeger(lua, lua_upvalueindex(2)) != self.call_) {
    return luaL_error(lua, "m.workspace can only be read in the call that m was made for");
  }
  self.make_workspace();
  if (self.pending_->thrown) return luaL_error(lua, "m.workspace cannot be read");
  push_read_only(lua, self.pending_->made, "m");
  lua_pushvalue(lua, 2);
  lua_pushvalue(lua, -2);
  lua_rawset(lua, 1);
  return 1;
}

}  // namespace agneto::script
