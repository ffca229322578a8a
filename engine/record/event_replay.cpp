#include "record/event_replay.h"

#include <algorithm>
#include <utility>

#include "base/overloaded.h"
#include "chart/path.h"

namespace agneto::record {

EventReplay::EventReplay(const journal::RunRecord& run, const model::System* system)
    : run_(&run), system_(system), agents_(system ? agent_names(*system) : AgentNames()) {}

std::vector<RunEvent> EventReplay::next(const Entry& entry) {
  told_.clear();
  tally_.add(entry);
  timers_.add(entry);
  std::visit(
      Overloaded{
          [&](const Queued& queued) {
            tell(entry, "", RunQueued{run_->task, queued.by, queued.reason});
          },
          [&](const Started&) {
            tell(entry, "",
                 RunStarted{run_->workflow, run_->task, run_->base, run_->branch, "",
                            options_of(*run_).provider});
            if (system_) tell_stages(entry, "", initial_states());
          },
          [&](const Macrostep& step) { tell_step(entry, step); },
          [&](const Prompt& prompt) { tell_prompt(entry, prompt); },
          [&](const Said& said) {
            if (!said.output.empty()) tell_output(entry, said.output, said.output.back().at);
          },
          [&](const Process&) {},
          [&](const Reply& reply) { tell_reply(entry, reply); },
          [&](const ProgramCall& command) {
            tell(entry, entry.path, CommandStarted{command.argv, command.item, command.cwd});
          },
          [&](const Answered& answer) { tell(entry, entry.path, QuestionAnswered{answer}); },
          [&](const Instructed& words) { note(entry, "a person's instruction: " + words.text); },
          [&](const Sent& sent) { note(entry, describe(sent)); },
          [&](const Noted& told) { tell(entry, entry.path, Note{told.text}); },
          [&](const Refused& refused) {
            tell(entry, entry.path, Note{refused.message + " refused: " + refused.reason});
          },
          [&](const StopAsked& stop) { note(entry, describe(stop)); },
          [&](const AbortAsked& abort) { note(entry, abort.reason); },
          [&](const Suspended& suspended) { tell_suspension(entry, suspended); },
          [&](const Parked& parked) { tell(entry, "", RunParked{parked.reason}); },
          [&](const Resumed& resumed) {
            tell(entry, "", RunResumed{run_->workflow, run_->task, run_->branch, ""});
            for (const auto& text : resumed.notes) note(entry, text);
          },
          [&](const Rewound& rewound) {
            if (finish_) {
              for (auto& finish : rest()) told_.push_back(std::move(finish));
            }
            ended_ = false;
            note(entry, "rewound to entry " + std::to_string(rewound.to));
          },
          [&](const Forked& forked) {
            note(entry, "forked from entry " + std::to_string(forked.at) + " of " + forked.run);
          },
          [&](const Restored& restored) {
            note(entry, run_->branch.empty() ? "the files stay as they are"
                                             : "the files are those of then");
            for (const auto& ref : restored.kept) {
              note(entry, "what that took away is kept: " + ref);
            }
          },
          [&](const Migrated& migrated) {
            note(entry,
                 "the journal was brought here from format " + std::to_string(migrated.format));
          }},
      entry.body);
  return std::move(told_);
}

std::vector<RunEvent> EventReplay::rest() {
  if (run_->status == "aborted" && !std::exchange(ended_, true)) {
    RunFinished end;
    end.outcome = end.reason = run_->outcome;
    end.status = model::FinalStatus::aborted;
    end.branch = run_->branch;
    end.base = run_->base;
    end.spent = spent();
    end.worked = tally_.totals().time.worked;
    return {{run_->updated, run_->id, "", std::move(end)}};
  }
  if (!finish_) return {};
  auto& finished = std::get<RunFinished>(finish_->body);
  finished.spent = spent();
  finished.worked = tally_.totals().time.worked;
  std::vector<RunEvent> rest = {std::move(*finish_)};
  finish_.reset();
  return rest;
}

void EventReplay::tell_step(const Entry& entry, const Macrostep& step) {
  if (const auto* outcome = step.outcome()) {
    tell_end(entry, outcome->path, outcome->name, outcome->data);
  } else if (step.event && step.event->kind == chart::Event::Kind::external && step.handled &&
             step.event->name.starts_with("limit.")) {
    note(entry, step.event->data.at("message"));
  }
  for (const auto& path : tally_.cancelled()) tell_end(entry, path, "cancelled", nullptr);
  for (const auto& caught : step.caught) tell(entry, caught.path, ProblemCaught{caught});
  for (const auto& taken : step.transitions) {
    tell(entry, taken.instance, TransitionTaken{taken});
    if (taken.instance.empty()) tell_stages(entry, taken.from, taken.to);
  }
  for (const auto& problem : step.problems) tell(entry, problem.path, ProblemMet{problem});
  for (const auto& refused : step.refused) tell(entry, refused.path, ActivityRefused{refused});
  for (const auto& effect : step.effects) {
    if (const auto* ask = std::get_if<chart::AskHuman>(&effect)) {
      tell(entry, ask->path, QuestionAsked{question(*ask, entry.time), spent()});
    } else if (const auto* end = std::get_if<chart::Finish>(&effect)) {
      tell(entry, "",
           RunFinished{end->outcome, end->status, end->outputs, end->reason, run_->branch,
                       run_->base, spent(), tally_.totals().time.worked});
      finish_ = std::move(told_.back());
      ended_ = true;
      told_.pop_back();
    }
  }
}

void EventReplay::tell_prompt(const Entry& entry, const Prompt& prompt) {
  if (const auto wrong = wrong_.extract(entry.path)) {
    std::string why = !prompt.tried.empty() ? prompt.tried : wrong.mapped();
    if (why.empty()) why = prompt.problem;
    if (why.empty()) why = "its reply could not be used";
    tell(entry, entry.path, AgentRetry{std::move(why)});
  }
  tell(entry, entry.path,
       AgentStarted{agent_at(entry.path), prompt.provider, prompt.model, prompt.attempt,
                    chart::last_name(entry.path), prompt.item, prompt.effort});
}

// The agent of the call with that path; the state's name, where no call was ordered.
std::string EventReplay::agent_at(const std::string& path) const {
  const auto* effect = tally_.pending().find(path);
  const auto* call = effect ? std::get_if<chart::NamedCall>(effect) : nullptr;
  return call ? agent_of(*call, agents_) : chart::last_name(path);
}

// `now`: how long the attempt had taken when it was recorded.
void EventReplay::tell_output(const Entry& entry, const std::vector<agents::Output>& output,
                              Millis now) {
  for (const auto& each : output) {
    const auto say = [&](EventBody body) {
      tell(entry, entry.path, std::move(body));
      told_.back().time = entry.time - std::max(now - each.at, Millis(0));
    };
    if (each.kind == "text") say(AgentText{each.text});
    if (each.kind == "note") say(Note{each.text});
    if (each.kind == "tool") say(AgentTool{each.text});
    if (each.kind == "tool_end") say(AgentToolEnd{});
    if (each.kind == "tool_denied") say(AgentToolDenied{each.text});
    if (each.kind == "tool_failed") say(AgentToolFailed{each.text});
    if (each.kind == "cut") say(Note{"what it says from here on in this attempt is not kept"});
  }
}

// Where the agent is asked anew, that is told with the next prompt; a provider that is away is
// asked the same again.
void EventReplay::tell_reply(const Entry& entry, const Reply& reply) {
  tell_output(entry, reply.output, reply.duration);
  for (const auto& deed : reply.put_right) tell(entry, entry.path, Note{deed});
  if (reply.undone) tell(entry, entry.path, Undone{agent_at(entry.path)});
  if (!reply.kept.empty()) tell(entry, entry.path, Note{reply.kept});
  if (reply.wait > Millis(0)) return tell(entry, entry.path, AgentRetry{why_again(reply)});
  const bool is_asked_anew =
      reply.event != "away" && reply.event != "refused" && reply.event != "stopped";
  if (is_asked_anew) wrong_[entry.path] = reply.error.empty() ? "" : why_again(reply);
}

void EventReplay::tell_suspension(const Entry& entry, const Suspended& suspended) {
  RunSuspended told{suspended.reason, {}, {}, spent()};
  for (const auto& [path, seq] : tally_.pending().open()) {
    const auto* ask = std::get_if<chart::AskHuman>(tally_.pending().find(path));
    if (!ask) continue;
    if (told.question) {
      told.others.push_back(path);
    } else {
      told.question = question(*ask, entry.time);
    }
  }
  tell(entry, "", std::move(told));
}

void EventReplay::tell(const Entry& entry, std::string path, EventBody body) {
  told_.push_back(
      {entry.time, run_->id, std::move(path), std::move(body), entry.seq, !entry.stands});
}

Question EventReplay::question(const chart::AskHuman& ask, Time time) const {
  if (!system_) return question_of(ask);
  return question_of(
      ask, surroundings_of(ask.path, {*system_, timers_.timers(), time, timers_.suspended()}));
}

void EventReplay::note(const Entry& entry, std::string text) {
  tell(entry, "", Note{std::move(text)});
}

void EventReplay::tell_end(const Entry& entry, const std::string& path, const std::string& outcome,
                           const Json& data) {
  const auto* effect = tally_.pending().find(path);
  if (!effect) return;
  wrong_.erase(path);
  if (const auto* call = std::get_if<chart::NamedCall>(effect)) {
    tell(entry, path, AgentFinished{agent_of(*call, agents_), outcome, data, spent()});
  } else if (std::holds_alternative<chart::RunCommand>(*effect)) {
    tell(entry, path, command_finished(outcome, data));
  } else if (const auto* operation = std::get_if<chart::GitOperation>(effect)) {
    tell(entry, path, git_event(*operation, operation->message, outcome == "ok", data, run_->base));
  } else if (const auto* join = std::get_if<chart::JoinWorkspaces>(effect);
             join && !join->completed.empty()) {
    tell(entry, path, joined(join->completed, data));
  }
}

std::vector<std::string> EventReplay::initial_states() const {
  std::vector<std::string> initial;
  for (const auto target : system_->main().state(0).start.targets) {
    initial.push_back(system_->main().state(target).name);
  }
  return initial;
}

// The main stages of the run, as far as its transitions name them.
void EventReplay::tell_stages(const Entry& entry, const std::string& from,
                              const std::vector<std::string>& to) {
  if (!system_) return;
  const std::string before = stage_of(from);
  for (const auto& target : to) {
    const std::string stage = stage_of(target);
    if (stage.empty() || (stage == before && stage != target)) continue;
    tell(entry, stage, StateEntered{stage, true});
  }
}

// The child of the root that the state is or is in.
std::string EventReplay::stage_of(const std::string& state) const {
  const model::Machine& main = system_->main();
  auto id = main.find(state);
  if (id == model::none || id == 0) return "";
  while (main.state(id).parent != 0) id = main.state(id).parent;
  return main.state(id).name;
}

}  // namespace agneto::record
