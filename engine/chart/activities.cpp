// What the states that were entered ask of the world, once the machine is at rest.
#include "chart/interpreter.h"

namespace agneto::chart {

using model::CodeId;
using model::State;
using model::StateId;
using model::Template;

// Evaluates the parts of an activity and keeps the first error.
class Preparation {
 public:
  Preparation(Interpreter& interpreter, MachineInstance& m, StateId state)
      : interpreter_(interpreter), m_(m), state_(state), path_(m.path_of(state)) {}

  const std::optional<Fault>& fault() const { return fault_; }

  Json value(CodeId code) {
    if (code == model::none) return nullptr;
    std::optional<Fault> fault;
    Json result = interpreter_.value(m_, code, fault);
    note(std::move(fault));
    return result;
  }

  bool test(CodeId code) {
    if (code == model::none) return true;
    std::optional<Fault> fault;
    InstanceScope scope(interpreter_, m_);
    const bool holds = interpreter_.evaluator_.test(*m_.data, code, scope, fault);
    note(std::move(fault));
    return holds;
  }

  std::string text(const Template& source) {
    std::string result;
    for (const Template::Part& part : source.parts) {
      result += part.code == model::none ? part.text : as_text(value(part.code));
    }
    return result;
  }

  Effect operator()(const model::AgentCall& call) {
    std::vector<std::string> files;
    for (const Template& pattern : call.files) files.push_back(text(pattern));
    return CallAgent{path_,
                     m_.machine().id,
                     state_,
                     m_.path,
                     static_cast<int>(m_.entries[state_]),
                     conversation(m_.machine().agents[call.agent]),
                     std::move(files)};
  }

  Effect operator()(const model::Ask& ask) {
    AskHuman effect;
    effect.path = path_;
    effect.question = text(ask.question);
    const Json show = value(ask.show);
    effect.show = show.is_structured() ? show.dump(2, ' ', false, Json::error_handler_t::replace)
                                       : as_text(show);
    for (const model::Option& option : ask.options) {
      if (!test(option.when)) continue;
      std::optional<std::string> edit;
      if (option.edit != model::none) edit = as_text(value(option.edit));
      effect.options.push_back({option.name, text(option.label), option.feedback, std::move(edit)});
      if (option.name == ask.default_option) effect.default_option = option.name;
    }
    effect.text = ask.text;
    if (effect.options.empty() && effect.text == model::Need::none) {
      note(Fault{"no option of the question can be offered", m_.machine().state(state_).span});
    }
    return effect;
  }

  Effect operator()(const model::Program& command) {
    RunCommand effect;
    effect.path = path_;
    for (const Template& argument : command.argv) effect.argv.push_back(text(argument));
    if (command.kind == model::Program::Kind::shell) {
      effect.argv = {"/bin/sh", "-c", command.shell};
    } else if (command.kind == model::Program::Kind::expression) {
      const Json line = value(command.command);
      if (!fault_ && (!line.is_string() || line.get_ref<const std::string&>().empty())) {
        note(Fault{"'command' must give a command line, found " + agneto::to_text(line),
                   m_.machine().code[command.command].span});
      }
      effect.argv = {"/bin/sh", "-c", as_text(line)};
    }
    for (const model::Binding& variable : command.env) {
      effect.env.emplace_back(variable.name, as_text(value(variable.value)));
    }
    effect.cwd = text(command.cwd);
    if (!fault_ && model::leads_out(effect.cwd)) {
      note(Fault{
          "'cwd' must give a folder below the worktree, found " + agneto::to_text(Json(effect.cwd)),
          command.cwd.span});
    }
    effect.timeout = command.timeout;
    effect.retry = command.retry;
    effect.once = command.once;
    effect.read_only = command.access == model::Access::read_only;
    return effect;
  }

  Effect operator()(const model::Delegate& delegate) {
    RunMachine effect{path_, delegate.machine, Json::object()};
    for (const model::Binding& binding : delegate.with) {
      effect.inputs[binding.name] = value(binding.value);
    }
    return effect;
  }

  Effect operator()(const model::WorkspaceOperation& operation) {
    return GitOperation{path_, operation.kind, text(operation.message), operation.squash,
                        text(operation.into)};
  }

 private:
  std::string conversation(const model::Agent& agent) const {
    switch (agent.session) {
      case model::SessionScope::fresh:
        break;
      case model::SessionScope::run:
        return "run";
      case model::SessionScope::machine:
        return m_.path.empty() ? "/" : m_.path;
      case model::SessionScope::state:
        return m_.path_of(agent.session_state);
    }
    return {};
  }

  void note(std::optional<Fault> fault) {
    if (!fault_) fault_ = std::move(fault);
  }

  Interpreter& interpreter_;
  MachineInstance& m_;
  StateId state_;
  std::string path_;
  std::optional<Fault> fault_;
};

void Interpreter::start_activities(MachineInstance& m) {
  for (StateId s = m.unstarted.next(0); s != model::none; s = m.unstarted.next(s + 1)) {
    m.unstarted.remove(s);
    const State& state = m.machine().state(s);
    for (std::uint32_t i = 0; i < state.after.size(); ++i) {
      if (m.machine().transitions[state.after[i]].timer == state.after[i]) start_timer(m, {s, i});
    }
    if (state.has_activity()) start_activity(m, s);
  }
}

void Interpreter::start_timer(MachineInstance& m, const PendingTimer& timer) {
  const State& state = m.machine().state(timer.state);
  const model::Transition& transition = m.machine().transitions[state.after[timer.number]];
  Millis delay = transition.delay;
  if (transition.delay_code != model::none) {
    std::optional<Fault> fault;
    const Json given = value(m, transition.delay_code, fault);
    std::optional<Millis> parsed;
    if (given.is_string()) parsed = parse_duration(given.get_ref<const std::string&>());
    if (given.is_number() && given >= 0 && given < 1e15) parsed = Millis(given.get<std::int64_t>());
    if (!fault && !parsed) {
      fault = Fault{"a delay is a duration such as \"5s\" or a number of milliseconds, found " +
                        agneto::to_text(given),
                    m.machine().code[transition.delay_code].span};
    }
    if (fault) return raise_fault(m, timer.state, *fault);
    delay = *parsed;
  }
  const bool asks = std::holds_alternative<model::Ask>(state.activity);
  m.change_pending().timers.push_back(timer);
  out_.effects.push_back(StartTimer{m.path_of(timer), delay, asks && !transition.wall});
}

void Interpreter::start_activity(MachineInstance& m, StateId s) {
  const model::Activity& activity = m.machine().state(s).activity;
  if (const auto* loop = std::get_if<model::ForEach>(&activity)) return start_batch(m, s, *loop);
  const auto* machine = std::get_if<model::Delegate>(&activity);
  if (machine && !tree_.chart.options.shallow) return delegate(m, s, *machine);

  Preparation prepare(*this, m, s);
  std::optional<Effect> effect;
  std::visit(
      [&](const auto& a) {
        if constexpr (std::is_invocable_v<Preparation&, decltype(a)>) effect = prepare(a);
      },
      activity);
  if (prepare.fault()) return refuse(m, s, "error.lua", to_text(*prepare.fault()));
  m.set_running(s, true);
  out_.effects.push_back(std::move(*effect));
}

// The activity cannot be started.
void Interpreter::refuse(MachineInstance& m, StateId s, const char* error, std::string message) {
  out_.refused.push_back({m.path_of(s), error, message});
  queue_outcome(m, s, m.entries[s], error,
                {{"message", std::move(message)}, {"state", m.machine().state(s).name}});
}

// What `with` gives the machine, and its defaults; nothing and why, where it does not fit.
std::optional<Json> Interpreter::inputs_for(MachineInstance& m, const model::Delegate& to,
                                            const Item* item, std::string& why) {
  Json given = Json::object();
  for (const model::Binding& binding : to.with) {
    std::optional<Fault> fault;
    given[binding.name] = value(m, binding.value, fault, item);
    if (!fault) continue;
    why = to_text(*fault);
    return std::nullopt;
  }
  const model::Machine& machine = tree_.chart.system.machine(to.machine);
  std::vector<std::string> errors;
  Json inputs = machine.check_inputs(given, errors);
  if (errors.empty()) return inputs;
  why = to_text(Fault{machine.name + ": " + agneto::join(errors, "; "), to.span});
  return std::nullopt;
}

void Interpreter::delegate(MachineInstance& m, StateId s, const model::Delegate& activity) {
  if (m.depth + 1 >= max_depth) {
    return refuse(m, s, "error.livelock",
                  "more than " + std::to_string(max_depth) + " machines delegate to one another");
  }
  if (std::string why = why_full(); !why.empty()) {
    return refuse(m, s, "error.livelock", std::move(why));
  }
  std::string why;
  const std::optional<Json> inputs = inputs_for(m, activity, nullptr, why);
  if (!inputs) return refuse(m, s, "error.lua", std::move(why));
  const MachineTable& table = tree_.chart.tables[activity.machine];
  start_machine(m.adopt(std::make_unique<MachineInstance>(table, &m, s)), *inputs);
}

}  // namespace agneto::chart
