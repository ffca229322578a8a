#include "lint/explore.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "chart/step.h"
#include "lint/explore_values.h"
#include "lint/outcomes.h"

namespace agneto::lint {

namespace {

using model::Machine;
using model::State;
using model::StateId;

constexpr std::size_t most_beginnings = 256;
constexpr int most_ways = 64;  // of one step

// The machine as one that is run; those that it delegates to stay where they are.
model::System alone(const model::System& system, const Machine& machine) {
  model::System result = system;
  result.machines.front() = machine;
  result.machines.front().id = 0;
  return result;
}

struct Beginning {
  chart::RunInfo run;
  Json inputs = Json::object();
};

// The values that an input can have, where they are few.
std::vector<Json> values_of(const model::Variable& input) {
  if (input.type.optional) return {};
  if (input.type.kind == model::Type::Kind::boolean) return {false, true};
  return {input.type.choices.begin(), input.type.choices.end()};
}

std::vector<Beginning> beginnings(const Machine& machine) {
  std::vector<Beginning> all;
  for (const bool interactive : {true, false}) {
    for (const bool auto_merge : {false, true}) all.push_back({{"", interactive, auto_merge}});
  }
  for (const model::Variable& input : machine.inputs) {
    const std::vector<Json> values = values_of(input);
    if (values.empty() || all.size() * values.size() > most_beginnings) continue;
    std::vector<Beginning> more;
    for (const Beginning& one : all) {
      for (const Json& value : values) {
        more.push_back(one);
        more.back().inputs[input.name] = value;
      }
    }
    all = std::move(more);
  }
  return all;
}

// A configuration with its data, and how it was got into.
struct Found {
  Json saved;
  int from = -1;
  std::string event;    // as simulate reads it; empty at the beginning
  bool certain = true;  // no guard on the way was guessed
};

class Explorer {
 public:
  Explorer(const Subject& subject, const Machine& machine, std::size_t budget)
      : machine_(machine),
        budget_(budget),
        system_(alone(subject.system, machine)),
        evaluator_(subject, machine, oracle_),
        chart_(system_, evaluator_, {.shallow = true}) {
    result_.entered.resize(machine.states.size());
    result_.taken.resize(machine.transitions.size());
    result_.entered[0] = true;
    find_outside_events();
  }

  Exploration run() {
    result_.complete = true;
    for (const Beginning& beginning : beginnings(machine_)) {
      if (goes_on()) begin(beginning);
    }
    for (std::size_t i = 0; i < found_.size() && goes_on(); ++i) go_on(static_cast<int>(i));
    result_.complete = goes_on();
    result_.states = found_.size();
    return std::move(result_);
  }

 private:
  bool goes_on() const { return result_.complete && !evaluator_.lost(); }

  // What no activity ends in may come from outside.
  void find_outside_events() {
    std::set<std::string> ends;
    for (const State& state : machine_.states) {
      for (const Outcome& outcome : outcomes(state, system_)) ends.insert(outcome.name);
    }
    for (const model::Transition& transition : machine_.transitions) {
      for (const std::string& event : transition.events) {
        const bool inner = event == "any" || ends.contains(event) ||
                           model::matches("error", event) || model::matches("done.state", event);
        if (inner || std::find(outside_.begin(), outside_.end(), event) != outside_.end()) continue;
        outside_.push_back(event);
      }
    }
  }

  void begin(const Beginning& beginning) {
    oracle_.reset();
    int ways = 0;
    do {
      chart::Instance instance(chart_, beginning.run);
      chart::Effects out;
      chart::start(instance, beginning.inputs, out);
      note(instance, out, -1, "", !oracle_.was_asked());
      if (++ways > most_ways) result_.complete = false;
    } while (oracle_.next() && goes_on());
  }

  void go_on(int at) {
    const chart::Instance instance = restored(at);
    if (instance.finished()) return;
    if (instance.pending()) return step(at, {chart::Event::Kind::queued, "", nullptr, ""}, "");
    const std::vector<std::string> outstanding = instance.outstanding();
    for (const std::string& path : outstanding) finish_activity(at, path);
    bool waits = !outstanding.empty();
    const auto active = instance.configuration();
    for (const std::string& event : outside_) {
      const bool awaited = std::any_of(active.begin(), active.end(),
                                       [&](const auto& state) {
                                         return waits_for(machine_.state(state.state), event);
                                       }) ||
                           waits_for(machine_.state(0), event);
      if (!awaited) continue;
      waits = waits || !is_engine_event(event);
      step(at, {chart::Event::Kind::external, event, nullptr, ""}, event);
    }
    if (!waits && found_[static_cast<std::size_t>(at)].certain) note_deadlock(at, instance);
  }

  bool waits_for(const State& state, const std::string& event) const {
    return std::any_of(state.on.begin(), state.on.end(), [&](model::TransitionId id) {
      const auto& events = machine_.transitions[id].events;
      return std::find(events.begin(), events.end(), event) != events.end();
    });
  }

  // Every way in which what is outstanding can end.
  void finish_activity(int at, const std::string& path) {
    if (path.find("after:") != std::string::npos || path.find("send:") != std::string::npos) {
      return step(at, {chart::Event::Kind::timer, "", nullptr, path}, R"({"advance": "365d"})");
    }
    const State& state = machine_.state(machine_.find(path.substr(0, path.find('#'))));
    std::vector<std::string> events;
    for (const Outcome& outcome : outcomes(state, system_)) events.push_back(outcome.name);
    events.emplace_back("error.exit");
    for (StateId around = state.id; around != model::none; around = machine_.state(around).parent) {
      for (const model::TransitionId id : machine_.state(around).on) {
        for (const std::string& event : machine_.transitions[id].events) {
          if (event.starts_with("error.")) events.push_back(event);
        }
      }
    }
    for (const std::string& event : events) {
      step(at, {chart::Event::Kind::outcome, event, nullptr, path},
           Json({{"event", event}, {"from", state.name}}).dump());
    }
  }

  void step(int at, const chart::Event& event, const std::string& shown) {
    oracle_.reset();
    int ways = 0;
    do {
      chart::Instance instance = restored(at);
      chart::Effects out;
      chart::step(instance, event, out);
      const bool certain = found_[static_cast<std::size_t>(at)].certain && !oracle_.was_asked();
      note(instance, out, at, shown, certain);
      if (++ways > most_ways) result_.complete = false;
    } while (oracle_.next() && goes_on());
  }

  chart::Instance restored(int at) const {
    return chart::Instance::restore(chart_, found_[static_cast<std::size_t>(at)].saved);
  }

  void note(const chart::Instance& instance, const chart::Effects& out, int from,
            const std::string& event, bool certain) {
    for (const chart::Effects::Taken& taken : out.transitions)
      result_.taken[taken.transition] = true;
    for (const chart::Effects::Moved& moved : out.moved) {
      if (!moved.entered) continue;
      const StateId id = machine_.find(moved.path.substr(0, moved.path.find('#')));
      if (id != model::none) result_.entered[id] = true;
    }
    Json saved = instance.save();
    forget_counts(saved);
    const auto [known, is_new] =
        index_.try_emplace(saved.dump(-1, ' ', false, Json::error_handler_t::replace),
                           static_cast<int>(found_.size()));
    if (!is_new) return;
    if (found_.size() == budget_) {
      result_.complete = false;
      return;
    }
    found_.push_back({std::move(saved), from, event, certain});
  }

  // How often a state was entered makes no difference to what comes.
  static void forget_counts(Json& saved) {
    if (saved.is_object() && saved.contains("entries") && saved.contains("active")) {
      Json entries = Json::object();
      for (const Json& name : saved["active"]) entries[name.get<std::string>()] = 1;
      saved["entries"] = std::move(entries);
      saved["sends_made"] = 0;
    }
    if (!saved.is_object()) return;
    for (auto& [key, value] : saved.items()) {
      if (key != "data" && value.is_object()) forget_counts(value);
    }
  }

  void note_deadlock(int at, const chart::Instance& instance) {
    for (const chart::ActiveState& active : instance.configuration()) {
      if (!active.atomic) continue;
      const bool known =
          std::any_of(result_.deadlocks.begin(), result_.deadlocks.end(),
                      [&](const Exploration::Deadlock& one) { return one.state == active.state; });
      if (known) return;
      Exploration::Deadlock deadlock{active.state, {}};
      for (int i = at; i >= 0; i = found_[static_cast<std::size_t>(i)].from) {
        const std::string& event = found_[static_cast<std::size_t>(i)].event;
        if (!event.empty()) deadlock.events.push_back(event);
      }
      std::reverse(deadlock.events.begin(), deadlock.events.end());
      result_.deadlocks.push_back(std::move(deadlock));
      return;
    }
  }

  const Machine& machine_;
  const std::size_t budget_;
  const model::System system_;
  Oracle oracle_;
  FiniteEvaluator evaluator_;
  chart::Chart chart_;
  std::vector<std::string> outside_;
  std::vector<Found> found_;
  std::unordered_map<std::string, int> index_;
  Exploration result_;
};

}  // namespace

Exploration explore(const Subject& subject, const Machine& machine, std::size_t budget) {
  return Explorer(subject, machine, budget).run();
}

}  // namespace agneto::lint
