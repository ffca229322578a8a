#include "play/rehearsal.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "chart/effect.h"
#include "chart/path.h"
#include "model/outcomes.h"
#include "play/activity_end.h"
#include "play/distance_to_end.h"

namespace agneto::play {

namespace {

// A machine that has not come to its end by then goes round.
constexpr int most_rehearsed_steps = 300;

// A value of the type that says what it stands for.
Json stand_in(const std::string& name, const model::Type& type) {
  using Kind = model::Type::Kind;
  switch (type.kind) {
    case Kind::integer:
    case Kind::number:
      return 1;
    case Kind::boolean:
      return true;
    case Kind::choice:
      return type.choices.front();
    case Kind::map:
      return Json::object();
    case Kind::list:
      return Json::array({type.element ? stand_in(name, *type.element) : Json("<" + name + ">")});
    case Kind::string:
    case Kind::any:
      break;
  }
  return "<" + name + ">";
}

std::string what_of(const chart::GitOperation& git) {
  using Kind = model::WorkspaceOperation::Kind;
  if (git.kind == Kind::discard) return "discards what is not committed";
  const std::string message = git.message.substr(0, git.message.find('\n'));
  const std::string with = message.empty() ? "" : ": " + message;
  if (git.kind == Kind::commit) return "commits" + with;
  return "merges into " + (git.into.empty() ? "the base branch" : git.into) + with;
}

void forget_counts(Json& machine) {
  machine.erase("entries");
  machine.erase("sends_made");
  if (machine.contains("queue")) {
    for (Json& queued : machine["queue"]) queued.erase("order");
  }
  if (!machine.contains("children")) return;
  for (auto& [owner, child] : machine["children"].items()) forget_counts(child);
}

// Equal where the same inputs lead to the same from here on: states, data, history, what runs, and
// the time that is left to each timer, but not how often states were entered.
Json fingerprint_of(const Simulator& simulator) {
  Json machines = simulator.machine().instance().save().at("root");
  forget_counts(machines);
  Json timers = Json::array();
  for (const Timer& timer : simulator.machine().timers()) {
    timers.push_back(
        {chart::without_entries(timer.path), (timer.due - simulator.machine().now()).count()});
  }
  return {{"machines", std::move(machines)}, {"timers", std::move(timers)}};
}

// More than 25 names: it chooses how an activity ends, tells what happens, and notes what it has
// met so that it ends.
class Rehearsal {
 public:
  Rehearsal(const Plan& plan, const model::System& system, chart::Evaluator& evaluator,
            const PromptMaker& prompt_of, DryRunListener& listener)
      : plan_(plan),
        system_(system),
        prompt_of_(prompt_of),
        listener_(listener),
        simulator_(system, evaluator, {.run = plan.run},
                   [this](const Macrostep& step) { note(step); }) {
    for (const model::Machine& machine : system.machines) distances_.emplace_back(machine);
  }

  DryRunEnd play() {
    require_places();
    simulator_.start(plan_.inputs);
    for (int steps = 0; !simulator_.machine().finish() && ending_.reason.empty();) {
      if (!moments_.insert(moment()).second) {
        ending_.reason = "it goes round: it is in " + join(in_, ", ") +
                         " again, and all would be as it was before";
      } else if (++steps > most_rehearsed_steps) {
        ending_.reason = fmt::format("it goes round: after {} steps it is still in {}",
                                     most_rehearsed_steps, join(in_, ", "));
      } else if (const auto running = simulator_.machine().running(); !running.empty()) {
        for (const chart::Effect* effect : running) {
          const auto* call = std::get_if<chart::CallAgent>(effect);
          if (call && prompted_.insert(call->path).second) prompt(*call);
        }
        end(*running.front());
      } else if (!simulator_.machine().timers().empty()) {
        wait(simulator_.machine().timers().front());
      } else {
        ending_.reason = "in " + join(in_, ", ") + " it waits for an event from outside";
      }
    }
    if (const auto& finish = simulator_.machine().finish()) {
      ending_.outcome = finish->outcome;
      ending_.status = finish->status;
    }
    for (const auto& [place, outcomes] : plan_.choices) {
      std::size_t taken = 0;
      for (const auto& [items, count] : taken_[place]) taken = std::max(taken, count);
      for (std::size_t i = taken; i < outcomes.size(); ++i) {
        ending_.unused.push_back(place + "=" + outcomes[i]);
      }
    }
    return std::move(ending_);
  }

 private:
  void note(const Macrostep& step) {
    in_.clear();
    for (const auto& state : step.active) {
      if (state.atomic) in_.push_back(chart::without_entries(state.path));
    }
    for (const auto& problem : step.problems) {
      listener_.problem(problem);
      if (problem.event == "error.livelock") ending_.reason = problem.message;
    }
    for (const auto& effect : step.effects) {
      if (const auto* timer = std::get_if<chart::StartTimer>(&effect)) tell(*timer);
    }
  }

  void tell(const chart::StartTimer& started) {
    const auto path = chart::Path::parse(started.path).value_or(chart::Path());
    PlannedTimer timer{place_of(started.path), started.delay, {}};
    const auto owner = chart::state_at(system_, path);
    if (path.timer > 0 && owner) {
      timer.targets = targets_of(system_.machine(owner->machine), owner->state, path.timer - 1);
    }
    listener_.timer(timer);
  }

  static std::vector<std::string> targets_of(const model::Machine& machine, model::StateId state,
                                             std::size_t first) {
    std::vector<std::string> names;
    const auto& after = machine.state(state).after;
    const auto timer = machine.transitions[after[first]].timer;
    for (const model::TransitionId id : after) {
      const model::Transition& transition = machine.transitions[id];
      if (transition.timer != timer) continue;
      for (const auto target : transition.targets) names.push_back(machine.state(target).name);
    }
    return names;
  }

  // The state or the machine whose timer that is; a delayed event by its own path.
  std::string place_of(const std::string& timer) const {
    auto path = chart::Path::parse(timer).value_or(chart::Path());
    path.timer = 0;
    const std::string place = path.without_entries();
    return place.empty() ? system_.main().name : place;
  }

  void wait(const Timer& due) {
    const Millis left = due.due - simulator_.machine().now();
    listener_.decision({place_of(due.path), "waits", {}, "after " + to_duration(left), {}});
    simulator_.input({{}, {}, {}, left}, ++inputs_);
  }

  // All that decides how it goes on from here.
  std::string moment() const { return to_text({fingerprint_of(simulator_), met_, taken_}); }

  void end(const chart::Effect& running) {
    const chart::Effect effect = running;  // it is gone with the input
    Decision decision;
    decision.path = chart::path_of(effect);
    if (const auto* call = std::get_if<chart::CallAgent>(&effect)) {
      decision.what = "agent " + agent_of(*call, system_).name;
    } else if (const auto* ask = std::get_if<chart::AskHuman>(&effect)) {
      decision.what = "asks: " + ask->question;
    } else if (const auto* command = std::get_if<chart::RunCommand>(&effect)) {
      decision.what = "runs: " + command->shown();
      decision.timeout = command->timeout;
    } else if (const auto* git = std::get_if<chart::GitOperation>(&effect)) {
      decision.what = what_of(*git);
    }
    for (const auto& each : outcomes_of(effect, system_)) {
      decision.others.push_back(each.name);
    }
    decision.outcome = outcome(effect, decision.others);
    if (unmade_.contains(decision.path)) decision.outcome = "error.lua";
    std::erase(decision.others, decision.outcome);

    const ActivityEnd made = made_of(effect, decision.outcome);
    listener_.decision(decision);
    simulator_.input({made.event, made.data, decision.path, {}}, ++inputs_);
  }

  // A choice for what is no state's activity would never be taken.
  void require_places() const {
    std::set<std::string> names;
    for (const model::Machine& machine : system_.machines) {
      for (const model::State& state : machine.states) {
        if (state.has_activity()) names.insert(state.name);
      }
    }
    for (const auto& [place, outcomes] : plan_.choices) {
      const std::string name = chart::last_name(place);
      if (names.contains(name)) continue;
      throw Error("no state '" + name + "' has an activity",
                  suggestion(name, {names.begin(), names.end()}, "states"));
    }
  }

  void prompt(const chart::CallAgent& call) {
    const Prompt prompt = prompt_of_(call, simulator_.machine().instance());
    if (!prompt.problem.empty()) unmade_.insert(call.path);
    listener_.prompt(prompt);
  }

  std::string outcome(const chart::Effect& effect, const std::vector<std::string>& endings) {
    auto path = chart::Path::parse(chart::path_of(effect)).value_or(chart::Path());
    const std::string whole = path.without_entries();
    const bool first_time = met_.insert(whole).second;
    const auto items = path.items();
    for (auto& part : path.parts) part.item = 0;
    for (const std::string& place : {whole, path.without_entries(), path.name()}) {
      const auto chosen = plan_.choices.find(place);
      if (chosen == plan_.choices.end()) continue;
      std::size_t& taken = taken_[place][items];
      if (taken < chosen->second.size()) return chosen->second[taken++];
    }
    const bool succeeds = !std::holds_alternative<chart::CallAgent>(effect) &&
                          !std::holds_alternative<chart::AskHuman>(effect);
    if (first_time || succeeds || endings.empty()) {
      return endings.empty() ? "done" : endings.front();
    }
    return nearest(chart::path_of(effect), endings);
  }

  std::string nearest(const std::string& path, const std::vector<std::string>& endings) const {
    const auto active = simulator_.machine().instance().configuration();
    const auto state = std::find_if(active.begin(), active.end(),
                                    [&](const auto& each) { return each.path == path; });
    if (state == active.end()) return endings.front();
    const DistanceToEnd& ways = distances_[state->machine];
    return *std::min_element(endings.begin(), endings.end(), [&](const auto& a, const auto& b) {
      return ways.after(state->state, a) < ways.after(state->state, b);
    });
  }

  // Throws Error where it cannot end so.
  ActivityEnd made_of(const chart::Effect& effect, const std::string& outcome) const {
    try {
      const auto* ask = std::get_if<chart::AskHuman>(&effect);
      if (ask && !model::is_error(outcome)) return answered(*ask, outcome);
      const auto ends = outcomes_of(effect, system_);
      Json data = Json::object();
      if (const auto* end = model::find(ends, outcome); end && end->what == "verdict") {
        for (const model::Field& field : end->fields) {
          if (!field.type.optional) data[field.name] = stand_in(field.name, field.type);
        }
      }
      return end_of(effect, outcome, data, system_);
    } catch (const Error& error) {
      throw Error(chart::without_entries(chart::path_of(effect)) + ": " + error.what(),
                  error.help());
    }
  }

  static ActivityEnd answered(const chart::AskHuman& ask, const std::string& outcome) {
    chart::Answer answer;
    if (ask.text != model::Need::none && outcome == "answered") {
      answer.feedback = "<answer>";
    } else {
      answer.option = outcome;
      const auto* option = chart::find_option(ask, outcome);
      if (option && option->feedback == model::Need::required) answer.feedback = "<feedback>";
    }
    return end_of(ask, answer, {});
  }

  const Plan& plan_;
  const model::System& system_;
  const PromptMaker& prompt_of_;
  DryRunListener& listener_;
  Simulator simulator_;
  std::vector<DistanceToEnd> distances_;  // by machine
  DryRunEnd ending_;
  std::set<std::string> prompted_;  // calls, by path
  std::set<std::string> unmade_;    // those whose prompt cannot be made
  std::set<std::string> met_;       // states whose activity has ended before
  // How many outcomes of each choice were taken, by the items inside of which that was.
  std::map<std::string, std::map<std::vector<std::uint32_t>, std::size_t>> taken_;
  std::set<std::string> moments_;  // where it has been
  std::vector<std::string> in_;    // the atomic states
  int inputs_ = 0;
};

}  // namespace

DryRunEnd rehearse(const Plan& plan, const model::System& system, chart::Evaluator& evaluator,
                   const PromptMaker& prompt_of, DryRunListener& listener) {
  return Rehearsal(plan, system, evaluator, prompt_of, listener).play();
}

}  // namespace agneto::play
