#include "lint/explore/alphabet.h"

#include <algorithm>
#include <unordered_set>

#include "chart/path.h"
#include "lint/explore/abstract_values.h"
#include "lint/explore/explorations.h"
#include "model/outcomes.h"

namespace agneto::lint {

using EventKind = chart::Event::Kind;

namespace {

constexpr std::size_t most_data = 16;  // of one outcome

bool is_literal(const model::Template& text) {
  return std::ranges::all_of(text.parts, [](const auto& part) { return part.code == none; });
}

// Is its activity a question in which nothing is evaluated?
bool cannot_fail(const State& state) {
  const auto* ask = std::get_if<model::Ask>(&state.activity);
  return ask && is_literal(ask->question) && ask->show == none &&
         std::ranges::all_of(ask->options, [](const model::Option& option) {
           return option.when == none && option.edit == none && is_literal(option.label);
         });
}

// Can the activity end in that error, by what it does and not by a mistake in the workflow's Lua?
bool can_end_in(const model::Activity& activity, const std::string& error) {
  const bool is_program = std::holds_alternative<model::Program>(activity);
  if (!is_program && !std::holds_alternative<model::AgentCall>(activity)) return false;
  return error == "error.timeout" || error == "error.exit" || error == "error.spawn" ||
         (error == "error.unparsed" && !is_program);
}

}  // namespace

Alphabet::Alphabet(const LintContext& context, const Machine& machine, Explorations& others,
                   std::deque<Input>& all)
    : context_(context),
      machine_(machine),
      others_(others),
      all_(all),
      outside_(machine.states.size()),
      overtaking_(machine.states.size()),
      queued_(add({.event = {EventKind::queued, "", nullptr, ""}, .due = Due::each})) {
  find_outside();
  context.each_node(machine, [&](const Piece&, const Node& node) {
    if (const std::string* name = lua::field_of(node, "event")) fields_.insert(*name);
  });
}

Alphabet::Id Alphabet::add(Input input) {
  all_.push_back(std::move(input));
  return static_cast<Id>(all_.size() - 1);
}

Alphabet::Id Alphabet::add_overtaking(Id id) {
  Input input = all_[id];
  input.due = Due::never;
  input.sure = input.or_other = false;
  return add(std::move(input));
}

const std::vector<Alphabet::Id>& Alphabet::overtaking_ends(StateId state, std::uint32_t how) {
  const auto [known, is_new] = overtaking_ends_.try_emplace({state, how});
  if (is_new) {
    for (const Id id : ends(state, how)) known->second.push_back(add_overtaking(id));
  }
  return known->second;
}

Alphabet::Id Alphabet::timer(const std::string& path, StateId state) {
  const auto [known, is_new] = timers_.try_emplace(path, 0);
  if (is_new) {
    known->second =
        add({.event = {EventKind::timer, "", nullptr, path}, .state = state, .due = Due::timers});
  }
  return known->second;
}

// The names that code compares `event.name` with.
std::set<std::string> Alphabet::compared_names() const {
  std::set<std::string> names;
  context_.each_node(machine_, [&](const Piece&, const Node& node) {
    if (node.kind != Node::Kind::binary || (node.text != "==" && node.text != "~=")) return;
    for (const bool swapped : {false, true}) {
      const std::string* field = lua::field_of(node.children[swapped ? 1 : 0], "event");
      const std::string* name = lua::literal_text(node.children[swapped ? 0 : 1]);
      if (field && *field == "name" && name) names.insert(*name);
    }
  });
  return names;
}

// An event that no activity ends in may come from outside: under the name that a transition takes,
// and under a longer one that it takes too, where a guard tells these apart. `any`, and a name that
// a guard asks for, take one that nobody has thought of, too.
void Alphabet::find_outside() {
  std::set<std::string> ends;
  for (const State& state : machine_.states) {
    for (const model::Outcome& outcome : outcomes(state, context_.system)) {
      ends.insert(outcome.name);
    }
  }
  const std::set<std::string> compared = compared_names();
  std::string other = "anything";
  while (std::ranges::any_of(machine_.transitions, [&](const Transition& one) {
    return std::ranges::any_of(one.events, [&](const std::string& descriptor) {
      return descriptor != "any" && model::matches(descriptor, other);
    });
  })) {
    other += "_else";
  }
  const RaisedEvents& raised = context_.raised(machine_);
  const bool talks = std::ranges::any_of(raised.all(), [](const Raised& one) { return one.to; });
  std::map<std::string, std::pair<Id, Id>> known;  // and as one that overtakes
  for (const State& state : machine_.states) {
    std::unordered_set<Id> met;
    const auto offer = [&](const std::string& event, bool thought_of) {
      const bool is_notice = talks && event == model::undelivered;
      const bool inner = ends.contains(event) || model::matches("error", event) ||
                         model::matches("done.state", event);
      if (inner && !is_notice) return;
      const bool overtakes = is_notice || raised.may_be_sent(event);
      const auto [at, is_new] = known.try_emplace(event);
      auto& [id, overtaking] = at->second;
      if (is_new) {
        id = add({.event = {EventKind::external, event, nullptr, ""},
                  .usual = thought_of && !raised.may_be(event),
                  .waited_for = thought_of,
                  .sure = !is_notice && !model::matches("limit", event)});
        if (overtakes) overtaking = add_overtaking(id);
      }
      if (!met.insert(id).second) return;
      outside_[state.id].push_back(id);
      if (overtakes) overtaking_[state.id].push_back(overtaking);
    };
    for (const TransitionId id : state.on) {
      for (const std::string& descriptor : machine_.transitions[id].events) {
        const bool is_any = descriptor == "any";
        offer(is_any ? other : descriptor, !is_any);
        for (const std::string& name : compared) {
          if (model::matches(descriptor, name)) offer(name, true);
        }
        if (compared.contains(descriptor) && !model::is_engines(descriptor)) {
          offer(descriptor + "." + other, false);
        }
      }
    }
  }
}

std::uint32_t Alphabet::started(const chart::Effect& effect, const chart::RunInfo& run) {
  Start start;
  if (const auto* machine = std::get_if<chart::RunMachine>(&effect)) {
    if (!machine->inputs.is_object()) return 0;  // of a for_each
    start.machine = others_.given(machine->machine, machine->inputs, run);
    if (!start.machine) return 0;
  } else if (const auto* question = std::get_if<chart::AskHuman>(&effect)) {
    for (const auto& option : question->options) start.options.push_back(option.name);
  } else {
    return 0;
  }
  const auto same = std::ranges::find(starts_, start);
  const auto how = static_cast<std::uint32_t>(same - starts_.begin()) + 1;
  if (same == starts_.end()) starts_.push_back(std::move(start));
  return how;
}

const std::vector<Alphabet::Id>& Alphabet::ends(StateId id, std::uint32_t how) {
  const auto [known, is_new] = ends_.try_emplace({id, how});
  if (!is_new) return known->second;
  std::vector<Id>& ids = known->second;
  const State& state = machine_.state(id);
  const std::string path = chart::state_path("", state.name, 1);
  const Start* start = how == 0 ? nullptr : &starts_[how - 1];
  const bool delegates = model::delegate_of(state.activity) != nullptr;
  const bool ends = start && start->machine && start->machine->ends;
  const bool comes_to_an_end = std::holds_alternative<model::ForEach>(state.activity) ||
                               (start && start->machine && start->machine->can_end);
  const auto end = [&](const std::string& event, Json data, const MachineEnd* machine_end) {
    Due due = !delegates ? Due::each : ends ? Due::one : Due::maybe;
    const bool fails = event == "failed" || event == "conflict";
    const bool is_error = model::is_error(event);
    if (is_error || (fails && !delegates)) due = Due::never;
    if (is_error && cannot_fail(state)) due = Due::impossible;
    const bool sure = is_error      ? can_end_in(state.activity, event)
                      : machine_end ? machine_end->sure
                                    : !delegates;
    ids.push_back(
        add({{EventKind::outcome, event, std::move(data), path}, id, machine_end, true, due}));
    all_.back().sure = sure;
    all_.back().or_other = comes_to_an_end && !is_error;
  };
  if (start && start->machine) {
    for (const MachineEnd& machine_end : start->machine->machine_ends) {
      end(machine_end.outcome, machine_end.outputs, &machine_end);
    }
  } else {
    for (const model::Outcome& outcome : outcomes(state, context_.system)) {
      const bool offered = !start || start->options.empty() ||
                           std::ranges::find(start->options, outcome.name) != start->options.end();
      if (!offered) continue;
      for (Json& data : data_of(state, outcome.name)) end(outcome.name, std::move(data), nullptr);
    }
  }
  for (const std::string& error : errors_of(state)) end(error, nullptr, nullptr);
  return ids;
}

// With each value of the flags and choices that come with it and that something reads.
std::vector<Json> Alphabet::data_of(const State& state, const std::string& outcome) const {
  std::vector<Json> all = {nullptr};
  const auto* call = std::get_if<model::AgentCall>(&state.activity);
  if (!call) return all;
  for (const model::Verdict& verdict : call->verdicts) {
    if (verdict.name != outcome) continue;
    for (const model::Field& field : verdict.fields) {
      if (fields_.contains(field.name)) branch(all, field.name, values_of(field.type), most_data);
    }
  }
  return all;
}

// One that stands for all, and those that are told apart.
std::vector<std::string> Alphabet::errors_of(const State& state) const {
  std::vector<std::string> errors = {"error.exit"};
  for (StateId around = state.id; around != none; around = machine_.state(around).parent) {
    for (const TransitionId id : machine_.state(around).on) {
      for (const std::string& event : machine_.transitions[id].events) {
        const bool is_new = std::ranges::find(errors, event) == errors.end();
        const bool of_activity = event.starts_with("error.") && event != model::undelivered;
        if (of_activity && is_new) errors.push_back(event);
      }
    }
  }
  return errors;
}

}  // namespace agneto::lint
