#include "script/evaluator.h"

#include <stdexcept>
#include <vector>

#include "script/actions.h"
#include "script/compile.h"
#include "script/instance_data.h"
#include "script/library.h"
#include "script/rules.h"
#include "script/sandbox.h"
#include "script/values.h"

namespace agneto::script {

namespace {

constexpr Sandbox::Limits limits{256u << 20, 20'000'000};

// A read-only value that is the same for many calls, and made anew only when it differs.
class View {
 public:
  View(Sandbox& sandbox, const char* label) : sandbox_(sandbox), label_(label) {}

  // Makes it anew where it shows something else.
  std::optional<std::string> show(const Json& value) {
    if (exists() && value == shown_) return std::nullopt;
    shown_ = value;
    return replace(value);
  }
  std::optional<std::string> replace(const Json& value) {
    return sandbox_.protect([&](lua_State* lua) {
      luaL_unref(lua, LUA_REGISTRYINDEX, reference_);
      reference_ = LUA_NOREF;
      push_read_only(lua, value, label_);
      reference_ = luaL_ref(lua, LUA_REGISTRYINDEX);
    });
  }
  bool exists() const { return reference_ != LUA_NOREF; }
  void push(lua_State* lua) const { lua_rawgeti(lua, LUA_REGISTRYINDEX, reference_); }

 private:
  Sandbox& sandbox_;
  const char* label_;
  int reference_ = LUA_NOREF;
  Json shown_;
};

// The event's fields, under what they must not hide.
Json view_of(const chart::Event& event) {
  Json view = event.data.is_object() ? event.data : Json::object();
  view["name"] = event.name;
  view["data"] = event.data;
  view["source"] = event.path;
  // A field of these names is hidden only by what there is.
  const bool sent = !event.origin.empty();
  if (sent || !view.contains("origin")) view["origin"] = sent ? Json(event.origin) : Json();
  if (sent || !view.contains("item")) view["item"] = event.item > 0 ? Json(event.item) : Json();
  return view;
}

// A fault that is not Lua's own, at the first line of the code.
chart::Fault fault_at(const model::Machine& machine, const model::Code& code, std::string what) {
  const int line = code.lines.empty() ? code.span.line() : code.lines.front();
  return {file_of(machine, code) + ":" + std::to_string(line) + ": " + std::move(what), code.span};
}

// More than 25 names: it implements each function of Evaluator, and keeps the views that these show
// to the code.
class LuaEvaluator : public chart::Evaluator {
 public:
  explicit LuaEvaluator(const model::System& system) {
    for (const auto& machine : system.machines) machines_.emplace_back().machine = &machine;
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
      if (!error) error = prepare(sandbox_, machine);
      if (!error) machine.program = script::compile(sandbox_, *machine.machine, diagnostics);
    }
    if (error) diagnostics.report(rules::lua_syntax, {}, *error);
    return diagnostics.error_count() == before;
  }

  std::unique_ptr<chart::Data> create(model::MachineId id, const Json& inputs, chart::Scope& scope,
                                      std::optional<chart::Fault>& fault) override {
    const auto& machine = *machines_[id].machine;
    auto data = std::make_unique<InstanceData>(sandbox_, machines_[id], inputs, Json::object());
    if (auto error = data->open()) {
      fault = chart::Fault{std::move(*error), {}};
      return data;
    }
    for (std::uint32_t i = 0; i < machine.context.size(); ++i) {
      const auto init = machine.context[i].init;
      if (init == model::none) continue;
      std::optional<chart::Fault> problem;
      Json value = this->value(*data, init, scope, problem);
      if (!problem) {
        if (auto why = data->set(i, std::move(value))) {
          problem = fault_at(machine, machine.code[init], std::move(*why));
        }
      }
      if (problem && !fault) fault = std::move(problem);
    }
    return data;
  }

  Json save(const chart::Data& data) override {
    return static_cast<const InstanceData&>(data).save();
  }

  std::unique_ptr<chart::Data> restore(model::MachineId machine, const Json& saved) override {
    auto data = std::make_unique<InstanceData>(sandbox_, machines_[machine], saved.at("inputs"),
                                               saved.at("ctx"));
    if (auto error = data->open()) throw std::runtime_error(*error);
    return data;
  }

  bool test(chart::Data& data, model::CodeId code, chart::Scope& scope,
            std::optional<chart::Fault>& fault) override {
    auto& instance = static_cast<InstanceData&>(data);
    if (!evaluate(instance, code, scope, fault)) return false;
    const bool answer = lua_toboolean(lua_, -1) != 0;
    const bool null = is_null(lua_, -1);
    lua_pop(lua_, 1);
    if (!null) return answer;
    fault = fault_at(machine_of(instance), code_of(instance, code),
                     "a guard gave null; compare with null instead: x ~= null");
    return false;
  }

  Json value(chart::Data& data, model::CodeId code, chart::Scope& scope,
             std::optional<chart::Fault>& fault) override {
    auto& instance = static_cast<InstanceData&>(data);
    if (!evaluate(instance, code, scope, fault)) return nullptr;
    Json result;
    std::string why;
    const bool ok = to_json(lua_, -1, result, why);
    lua_pop(lua_, 1);
    if (ok) return result;
    const auto& text = code_of(instance, code);
    fault = fault_at(machine_of(instance), text, "the value of '" + text.what + "'" + why);
    return nullptr;
  }

  void run(chart::Data& data, model::CodeId code, chart::Scope& scope,
           std::optional<chart::Fault>& fault) override {
    auto& instance = static_cast<InstanceData&>(data);
    const Block& block = instance.code().program.blocks[code];
    if (call(instance, block, scope, true, fault)) lua_pop(lua_, 1);
    const auto& variables = instance.code().program.variables(block);
    if (variables.empty()) return;
    std::string problems = instance.commit(variables);
    if (!problems.empty() && !fault) {
      fault = fault_at(machine_of(instance), *block.code, std::move(problems));
    }
  }

  void mark(chart::Data& data) override { static_cast<InstanceData&>(data).mark(); }
  void rollback(chart::Data& data) override { static_cast<InstanceData&>(data).rollback(); }
  void heed(std::stop_token stop) override { sandbox_.heed(std::move(stop)); }

 private:
  static const model::Machine& machine_of(const InstanceData& data) { return *data.code().machine; }
  static const model::Code& code_of(const InstanceData& data, model::CodeId code) {
    return machine_of(data).code[code];
  }

  // Lets a block see this data, and of the scope what it looks at.
  std::optional<std::string> enter(InstanceData& data, const Block& block,
                                   const chart::Scope& scope) {
    data.show();
    std::optional<std::string> error;
    if (!block.code->item.empty()) error = show_item(scope.item());
    if (!error && block.event) error = show_event(scope.event());
    if (!error && block.run) error = show_run(scope.run());
    if (error || (!block.event && !block.run)) return error;
    lua_rawgeti(lua_, LUA_REGISTRYINDEX, data.code().program.anchor);
    if (block.event) {
      event_view_.push(lua_);
      lua_setupvalue(lua_, -2, Program::event);
    }
    if (block.run) {
      run_view_.push(lua_);
      lua_setupvalue(lua_, -2, Program::run);
    }
    lua_pop(lua_, 1);
    return std::nullopt;
  }

  std::optional<std::string> show_event(const chart::Event* event) {
    const bool same = event ? event_ && event->name == event_->name &&
                                  event->path == event_->path && event->data == event_->data &&
                                  event->origin == event_->origin && event->item == event_->item
                            : !event_;
    if (same && event_view_.exists()) return std::nullopt;
    event_ = event ? std::optional(*event) : std::nullopt;
    return event_view_.replace(event ? view_of(*event) : Json::object());
  }

  std::optional<std::string> show_run(const chart::RunInfo& run) {
    return run_view_.show(
        {{"id", run.id}, {"interactive", run.interactive}, {"auto_merge", run.auto_merge}});
  }

  std::optional<std::string> show_item(const chart::Item* item) {
    static const Json none;
    return item_view_.show(item ? item->value : none);
  }

  // What a block takes as arguments: the item and its number. Returns how many there are.
  int push_item(const Block& block, const chart::Scope& scope) {
    if (block.code->item.empty()) return 0;
    item_view_.push(lua_);
    lua_pushinteger(lua_, scope.item() ? scope.item()->number : 0);
    return 2;
  }

  // Calls the block and leaves its one result on the stack; false and `fault` on an error.
  bool call(InstanceData& data, const Block& block, chart::Scope& scope, bool acting,
            std::optional<chart::Fault>& fault) {
    auto error = enter(data, block, scope);
    if (!error) {
      lua_rawgeti(lua_, LUA_REGISTRYINDEX, block.function);
      const Actions::Use use(actions_, machine_of(data), scope, acting, block.code->what);
      error = sandbox_.call(push_item(block, scope), 1);
      if (error && sandbox_.was_stopped()) throw chart::Stopped();
    }
    if (!error) return true;
    fault = error->starts_with(file_of(machine_of(data), *block.code) + ":")
                ? chart::Fault{std::move(*error), block.code->span}
                : fault_at(machine_of(data), *block.code, std::move(*error));
    return false;
  }

  // An expression's value, left on the stack. It must not have changed anything.
  bool evaluate(InstanceData& data, model::CodeId code, chart::Scope& scope,
                std::optional<chart::Fault>& fault) {
    const Block& block = data.code().program.blocks[code];
    const bool ok = call(data, block, scope, false, fault);
    if (!block.may_change) return ok;
    const std::string changed = data.revert(data.code().program.variables(block));
    if (!ok || changed.empty()) return ok;
    lua_pop(lua_, 1);
    fault = fault_at(machine_of(data), *block.code,
                     "a " + block.code->what + " may not change ctx." + changed);
    return false;
  }

  Sandbox sandbox_{limits};
  lua_State* const lua_ = sandbox_.state();
  Actions actions_{sandbox_};
  std::vector<MachineCode> machines_;
  std::optional<chart::Event> event_;  // what event_view_ shows
  View event_view_{sandbox_, "event"};
  View run_view_{sandbox_, "run"};
  View item_view_{sandbox_, "the item"};
};

}  // namespace

std::unique_ptr<chart::Evaluator> make_evaluator(const model::System& system,
                                                 Diagnostics& diagnostics) {
  auto evaluator = std::make_unique<LuaEvaluator>(system);
  if (!evaluator->compile(diagnostics)) return nullptr;
  return evaluator;
}

}  // namespace agneto::script
