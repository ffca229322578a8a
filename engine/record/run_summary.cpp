#include "record/run_summary.h"

#include "base/fields.h"
#include "base/overloaded.h"

namespace agneto::record {
namespace {

class Summariser {
 public:
  explicit Summariser(const AgentNames& agents) : agents_(agents) {}

  void add(const Entry& entry) {
    if (const auto* step = entry.get<Macrostep>()) {
      macrostep(entry, *step);
    } else if (const auto* prompt = entry.get<Prompt>()) {
      if (auto* call = last<CallSummary>(entry.path)) {
        call->attempts.push_back({*prompt, entry.seq, entry.stands, entry.time});
      }
    } else if (const auto* made = entry.get<Reply>()) {
      auto* call = last<CallSummary>(entry.path);
      if (call && !call->attempts.empty()) reply(entry, *made, call->attempts.back());
    } else if (const auto* program = entry.get<ProgramCall>()) {
      if (auto* command = last<CommandSummary>(entry.path)) {
        command->started = entry.time;
        command->checkpoint = program->checkpoint;
      }
    } else if (const auto* answer = entry.get<Answered>()) {
      if (auto* question = last<QuestionSummary>(entry.path)) {
        question->answer = {*answer, entry.time, entry.message};
      }
    }
  }

  RunSummary take() {
    for (auto& activity : activities_) {
      std::visit(
          Overloaded{
              [&](CallSummary& call) { summary_.calls.push_back(std::move(call)); },
              [&](QuestionSummary& asked) { summary_.questions.push_back(std::move(asked)); },
              [&](CommandSummary& run) { summary_.commands.push_back(std::move(run)); },
              [&](OperationSummary& done) { summary_.operations.push_back(std::move(done)); },
          },
          activity);
    }
    return std::move(summary_);
  }

 private:
  using Activity = std::variant<CallSummary, QuestionSummary, CommandSummary, OperationSummary>;

  void macrostep(const Entry& entry, const Macrostep& made) {
    auto& step =
        summary_.steps.emplace_back(StepSummary{made, entry.seq, entry.time, entry.stands});
    step.step.effects.clear();
    if (const auto* event = made.outcome()) end(entry, event->path, event->name, event->data);
    for (const auto& effect : made.effects) {
      const Ordered ordered{entry.seq, entry.stands, entry.time};
      std::visit(Overloaded{
                     [&](const chart::NamedCall& call) {
                       order(call.path, CallSummary{ordered, call, agent_of(call, agents_)});
                     },
                     [&](const chart::AskHuman& ask) {
                       order(ask.path, QuestionSummary{ordered, ask});
                     },
                     [&](const chart::RunCommand& command) {
                       order(command.path, CommandSummary{ordered, command});
                     },
                     [&](const chart::GitOperation& operation) {
                       order(operation.path, OperationSummary{ordered, operation});
                     },
                     [&](const chart::Cancel& cancel) {
                       const Ordered* cancelled = last(cancel.path);
                       if (cancelled && !cancelled->outcome) {
                         end(entry, cancel.path, "cancelled", nullptr);
                       }
                     },
                     [](const auto&) {},
                 },
                 effect);
    }
  }

  void order(const std::string& path, Activity activity) {
    latest_[path] = activities_.size();
    activities_.push_back(std::move(activity));
  }

  void end(const Entry& entry, const std::string& path, const std::string& outcome, Json data) {
    Ordered* ended = last(path);
    if (!ended) return;
    ended->ended = entry.time;
    ended->outcome = outcome;
    ended->data = std::move(data);
  }

  // What was used before the provider went away is used, too.
  static void reply(const Entry& entry, const Reply& made, AttemptSummary& attempt) {
    ReplySummary reply{made, entry.seq, entry.time};
    if (attempt.reply) {
      reply.reply.usage += attempt.reply->reply.usage;
      reply.reply.duration += attempt.reply->reply.duration;
    }
    attempt.reply = std::move(reply);
  }

  // What was ordered last under that path; null: nothing.
  Ordered* last(const std::string& path) {
    const auto found = latest_.find(path);
    if (found == latest_.end()) return nullptr;
    return std::visit([](auto& activity) -> Ordered* { return &activity; },
                      activities_[found->second]);
  }
  // The same, where it is of that kind.
  template <typename Summary>
  Summary* last(const std::string& path) {
    const auto found = latest_.find(path);
    return found == latest_.end() ? nullptr : std::get_if<Summary>(&activities_[found->second]);
  }

  const AgentNames& agents_;
  RunSummary summary_;
  std::vector<Activity> activities_;           // in the order of the record
  std::map<std::string, std::size_t> latest_;  // by path
};

Json or_null(const std::optional<Time>& time) {
  return time ? Json(format_time(*time)) : Json();
}

// What was ordered, and what became of it.
Json described(const Ordered& activity, const chart::NamedEffect& effect) {
  Json json = to_fields(effect);
  json.erase("effect");
  json["seq"] = activity.seq;
  json["stands"] = activity.stands;
  json["ordered"] = format_time(activity.ordered);
  json["ended"] = or_null(activity.ended);
  json["outcome"] = to_fields(activity.outcome);
  json["data"] = activity.data;
  return json;
}

Json described(const ReplySummary& made) {
  Json json = body_json(made.reply);
  json.erase("attempt");
  json["seq"] = made.seq;
  json["time"] = format_time(made.time);
  return json;
}

Json described(const AttemptSummary& attempt) {
  Json json = body_json(attempt.prompt);
  json.erase("text");
  json["prompt"] = attempt.prompt.text;
  json["seq"] = attempt.seq;
  json["stands"] = attempt.stands;
  json["asked"] = format_time(attempt.asked);
  json["reply"] = attempt.reply ? described(*attempt.reply) : Json();
  return json;
}

Json described(const CallSummary& call) {
  Json json = described(call, call.call);
  for (const char* internal : {"instance", "entry", "scope"}) json.erase(internal);
  json["agent"] = call.agent;
  json["attempts"] = Json::array();
  for (const auto& attempt : call.attempts) json["attempts"].push_back(described(attempt));
  return json;
}

Json described(const AnswerSummary& given) {
  Json json = body_json(given.answer);
  json["time"] = format_time(given.time);
  if (given.message > 0) json["message"] = given.message;
  return json;
}

Json described(const QuestionSummary& asked) {
  Json json = described(asked, asked.question);
  json["answer"] = asked.answer ? described(*asked.answer) : Json();
  return json;
}

Json described(const CommandSummary& run) {
  Json json = described(run, run.command);
  if (run.started) {
    json["started"] = format_time(*run.started);
    json["checkpoint"] = run.checkpoint;
  }
  return json;
}

Json described(const OperationSummary& done) {
  return described(done, done.operation);
}

Json described(const StepSummary& made) {
  Json json = body_json(made.step);
  for (const char* elsewhere : {"effects", "handled"}) json.erase(elsewhere);
  json["seq"] = made.seq;
  json["time"] = format_time(made.time);
  json["stands"] = made.stands;
  return json;
}

template <typename Each>
Json described(const std::vector<Each>& all) {
  Json list = Json::array();
  for (const Each& each : all) list.push_back(described(each));
  return list;
}

}  // namespace

AgentNames agent_names(const model::System& system) {
  AgentNames names;
  for (const auto& machine : system.machines) {
    for (const auto& state : machine.states) {
      const auto* call = std::get_if<model::AgentCall>(&state.activity);
      if (call) names[machine.name + "/" + state.name] = machine.agents[call->agent].name;
    }
  }
  return names;
}

const std::string& agent_of(const chart::NamedCall& call, const AgentNames& agents) {
  const auto found = agents.find(call.machine + "/" + call.state);
  return found == agents.end() ? call.state : found->second;
}

Json to_json(const RunSummary& summary) {
  return {{"calls", described(summary.calls)},
          {"questions", described(summary.questions)},
          {"commands", described(summary.commands)},
          {"operations", described(summary.operations)},
          {"steps", described(summary.steps)}};
}

RunSummary summary_of(const std::vector<Entry>& entries, const AgentNames& agents) {
  Summariser summariser(agents);
  for (const auto& entry : entries) summariser.add(entry);
  return summariser.take();
}

}  // namespace agneto::record
