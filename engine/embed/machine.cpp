#include <map>
#include <type_traits>
#include <utility>

#include "agents/message.h"
#include "base/error.h"
#include "base/json.h"
#include "chart/effect.h"
#include "embed/workflow_impl.h"
#include "model/outcomes.h"
#include "play/activity_end.h"
#include "play/simulator.h"
#include "script/evaluator.h"
#include "script/hook_data.h"
#include "script/verdicts.h"

namespace agneto::embed {

namespace {

// Throws Error where it is no JSON.
Json parsed(const std::string& text, const std::string& where) {
  try {
    return play::parse_json(text);
  } catch (const agneto::Error& error) {
    throw Error(where, error.what(), "give JSON text");
  }
}

Json parsed_object(const std::string& text, const std::string& where) {
  Json json = parsed(text, where);
  if (!json.is_object()) throw Error(where, "this is no JSON object: " + text, "give {…}");
  return json;
}

std::unique_ptr<chart::Evaluator> evaluator_of(const model::System& system) {
  Diagnostics diagnostics;  // there were none when it was loaded
  return script::make_evaluator(system, diagnostics);
}

std::string kind_of(model::WorkspaceOperation::Kind kind) {
  using Kind = model::WorkspaceOperation::Kind;
  if (kind == Kind::commit) return "commit";
  return kind == Kind::merge ? "merge" : "discard";
}

AgentCall described(const chart::CallAgent& call, const model::System& system) {
  const model::AgentCall& activity = activity_of(call, system);
  AgentCall result{call.path,
                   agent_of(call, system).name,
                   activity.task,
                   std::string(model::to_text(activity.access)),
                   {},
                   call.scope,
                   call.files};
  for (const auto& verdict : activity.verdicts) result.verdicts.push_back(verdict.name);
  return result;
}

Question described(const chart::AskHuman& ask) {
  Question question{ask.path, ask.question, ask.show, {}, ask.default_option};
  for (const auto& option : ask.options) {
    question.options.push_back(
        {option.name, option.label, option.feedback == model::Need::required, option.edit});
  }
  return question;
}

}  // namespace

// More than 25 names: it has each function of Machine, and what these work with.
class Machine::Impl {
 public:
  Impl(std::shared_ptr<const Workflow::Impl> workflow, const Start& start)
      : workflow_(std::move(workflow)),
        system_(*workflow_->system),
        evaluator_(evaluator_of(system_)),
        hooks_(files_, workflow_->modules),
        listener_(start.listener),
        simulator_(system_, *evaluator_,
                   {.run = {start.run_id, start.interactive, start.auto_merge}},
                   [this](const play::Macrostep& step) { note(step); }) {
    std::vector<std::string> errors;
    const Json inputs = system_.main().check_inputs(parsed_object(start.inputs, "inputs"), errors);
    if (!errors.empty()) throw Error("inputs", join(errors, "; "), "");
    simulator_.start(inputs);
  }

  const play::Simulator& simulator() const { return simulator_; }
  const std::vector<std::string>& states() const { return states_; }
  const std::vector<Problem>& problems() const { return problems_; }

  std::vector<Activity> activities() const {
    std::vector<Activity> all;
    for (const chart::Effect* effect : simulator_.machine().running()) {
      if (const auto* call = std::get_if<chart::CallAgent>(effect)) {
        all.push_back(described(*call, system_));
      } else if (const auto* ask = std::get_if<chart::AskHuman>(effect)) {
        all.push_back(described(*ask));
      } else if (const auto* command = std::get_if<chart::RunCommand>(effect)) {
        all.push_back(Command{command->path, command->argv, command->env, command->cwd,
                              command->timeout, command->read_only});
      } else if (const auto* git = std::get_if<chart::GitOperation>(effect)) {
        all.push_back(
            Operation{git->path, kind_of(git->kind), git->message, git->into, git->squash});
      }
    }
    return all;
  }

  bool send(const std::string& event, const std::string& data) {
    if (simulator_.machine().finish()) throw Error(event, "the machine has ended", "");
    if (model::is_outcome(event, simulator_.machine().system())) {
      throw Error(event, "this is what an activity ends in", "end that by `end` or `answer`");
    }
    return input({event, parsed(data, event), {}, {}});
  }

  void advance(std::chrono::milliseconds duration) {
    if (duration.count() < 0) {
      throw Error("the clock", "it cannot be moved back", "give a duration of 0 or more");
    }
    if (!simulator_.machine().finish()) input({{}, {}, {}, duration});
  }

  void end(const std::string& path, const std::string& outcome, const std::string& data) {
    const Json given = parsed_object(data, path);
    const chart::Effect effect = activity(path);
    if (std::holds_alternative<chart::AskHuman>(effect) && !model::is_error(outcome)) {
      throw Error(path, "a question is answered", "call Machine::answer");
    }
    finish(effect, at(chart::path_of(effect),
                      [&] { return play::end_of(effect, outcome, given, system_); }));
  }

  void answer(const std::string& path, const Answer& answer) {
    const chart::Effect effect = activity(path);
    const auto* ask = std::get_if<chart::AskHuman>(&effect);
    if (!ask) throw Error(path, "nothing is asked there", "call Machine::end or Machine::reply");
    chart::Answer given{valid_utf8(answer.option), valid_utf8(answer.words), std::nullopt};
    if (answer.edited) given.edited = valid_utf8(*answer.edited);
    finish(effect, at(path, [&] {
             return play::end_of(*ask, given, {"Answer::words", "Answer::words", "Answer::edited"},
                                 valid_utf8(answer.by));
           }));
  }

  std::string prompt(const std::string& path) {
    const chart::CallAgent call = call_at(path);
    try {
      return prompt_of(call);
    } catch (const script::HookError& error) {
      throw Error(path, std::string("the prompt cannot be made: ") + error.what(),
                  "correct the hook, or end the call in error.lua, as a run does");
    }
  }

  bool reply(const std::string& path, const std::string& text) {
    const chart::CallAgent call = call_at(path);
    const model::AgentCall& activity = activity_of(call, system_);
    play::ReadReply read;
    try {
      // Nothing answers a prompt that cannot be made.
      Talk* talk = activity.verdicts.empty() ? nullptr : &talk_of(call);
      const std::size_t number = talk ? talk->exchanges.size() + 1 : 1;
      read = play::read_reply(call, text, number, hooks_, system_, simulator_.machine().instance());
      if (!read.end) {
        talk->exchanges.push_back({talk->message, text});
        talk->message = agents::again_message(read.problem, activity.verdicts, format_of(activity));
        return false;
      }
    } catch (const script::HookError& error) {
      read.end = play::ActivityEnd{"error.lua", {{"message", error.what()}}};
    }
    finish(call, *read.end);
    return true;
  }

 private:
  // What was said in a call so far, and the message that comes next.
  struct Talk {
    std::vector<agents::Exchange> exchanges;
    std::string message;
  };

  void note(const play::Macrostep& step) {
    if (!handled_) handled_ = step.handled;
    states_.clear();
    for (const auto& state : step.active) {
      if (state.atomic) states_.push_back(state.path);
    }
    for (const auto& problem : step.problems) {
      problems_.push_back({problem.path, problem.event, problem.message});
    }
    if (listener_) listener_(to_text(to_json(step, system_)));
  }

  bool input(const play::Input& input) {
    handled_.reset();
    simulator_.input(input, ++inputs_);
    return handled_ == true;
  }

  const chart::Effect& activity(const std::string& path) const {
    return at(path, [&]() -> const chart::Effect& { return simulator_.activity(path); });
  }

  chart::CallAgent call_at(const std::string& path) const {
    const auto* call = std::get_if<chart::CallAgent>(&activity(path));
    if (!call) {
      throw Error(path, "no agent is called there", "call Machine::end or Machine::answer");
    }
    return *call;
  }

  // What is made, or the error with the path as its place.
  template <typename Make>
  static std::invoke_result_t<const Make&> at(const std::string& path, const Make& make) {
    try {
      return make();
    } catch (const agneto::Error& error) {
      throw Error(path, error.what(), error.help());
    }
  }

  void finish(const chart::Effect& effect, const play::ActivityEnd& end) {
    const std::string path = chart::path_of(effect);
    talks_.erase(path);
    input({end.event, end.data, path, {}});
  }

  std::string prompt_of(const chart::CallAgent& call) {
    const Talk& talk = talk_of(call);
    return agents::with_exchanges(talk.exchanges, talk.message);
  }

  Talk& talk_of(const chart::CallAgent& call) {
    if (const auto known = talks_.find(call.path); known != talks_.end()) return known->second;
    const model::AgentCall& activity = activity_of(call, system_);
    const Json m = script::hook_data(call, system_, simulator_.machine().instance());
    const std::string text =
        hooks_.prompt(agent_of(call, system_).hooks, activity.task, m, script::empty_workspace);
    Talk talk{{}, agents::work_message(text, "", {}, "", format_of(activity))};
    return talks_.emplace(call.path, std::move(talk)).first->second;
  }

  std::string format_of(const model::AgentCall& activity) {
    if (activity.verdicts.empty()) return {};
    return hooks_.verdict_format(script::verdicts_to_json(activity.verdicts));
  }

  const std::shared_ptr<const Workflow::Impl> workflow_;
  const model::System& system_;
  const Disk files_;
  const std::unique_ptr<chart::Evaluator> evaluator_;
  script::Hooks hooks_;
  const std::function<void(const std::string&)> listener_;
  std::vector<std::string> states_;
  std::vector<Problem> problems_;
  std::map<std::string, Talk> talks_;  // by the call's path
  std::optional<bool> handled_;        // was the last input? None: nobody has said yet
  int inputs_ = 0;
  play::Simulator simulator_;
};

Machine::Machine(const Workflow& workflow, const Start& start)
    : impl_(std::make_unique<Impl>(workflow.impl_, start)) {}
Machine::~Machine() = default;
Machine::Machine(Machine&&) noexcept = default;
Machine& Machine::operator=(Machine&&) noexcept = default;

std::vector<std::string> Machine::states() const {
  return impl_->states();
}

std::string Machine::context() const {
  return to_text(impl_->simulator().machine().instance().data("").at("ctx"));
}

std::vector<Activity> Machine::activities() const {
  return impl_->activities();
}

std::optional<std::chrono::milliseconds> Machine::next_timer() const {
  const play::Simulator& simulator = impl_->simulator();
  if (simulator.machine().timers().empty()) return std::nullopt;
  return simulator.machine().timers().front().due - simulator.machine().now();
}

std::optional<Ending> Machine::ending() const {
  const auto& finish = impl_->simulator().machine().finish();
  if (!finish) return std::nullopt;
  return Ending{finish->outcome, std::string(model::to_text(finish->status)),
                to_text(finish->outputs.is_null() ? Json::object() : finish->outputs),
                finish->reason};
}

std::vector<Problem> Machine::problems() const {
  return impl_->problems();
}

bool Machine::send(const std::string& event, const std::string& data) {
  return impl_->send(event, data);
}

void Machine::advance(std::chrono::milliseconds duration) {
  impl_->advance(duration);
}

void Machine::end(const std::string& path, const std::string& outcome, const std::string& data) {
  impl_->end(path, outcome, data);
}

void Machine::answer(const std::string& path, const Answer& answer) {
  impl_->answer(path, answer);
}

std::string Machine::prompt(const std::string& path) {
  return impl_->prompt(path);
}

bool Machine::reply(const std::string& path, const std::string& text) {
  return impl_->reply(path, valid_utf8(text));
}

}  // namespace agneto::embed
