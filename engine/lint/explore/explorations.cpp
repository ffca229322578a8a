#include "lint/explore/explorations.h"

#include <algorithm>
#include <set>

namespace agneto::lint {

namespace {

using model::Machine;
using model::Variable;

constexpr std::size_t most_states = 500;  // of a machine
constexpr std::size_t most_beginnings = 256;
constexpr int most_depth = 20;  // of machines that delegate to one another

// The values that an input can have, where they are few.
std::vector<Json> values_of(const Variable& input) {
  if (input.type.optional) return {};
  if (input.type.kind == model::Type::Kind::boolean) return {false, true};
  return {input.type.choices.begin(), input.type.choices.end()};
}

bool is_simple(const Json& value) {
  return value.is_boolean() || value.is_string() || value.is_number_integer();
}

bool is_count(const Variable& input) {
  return input.type.kind == model::Type::Kind::integer && input.initial &&
         input.initial->is_number_integer();
}

// Each of them with each value of the input.
void branch(std::vector<Beginning>& all, const Variable& input) {
  const std::vector<Json> values = values_of(input);
  if (values.empty() || all.size() * values.size() > most_beginnings) return;
  std::vector<Beginning> more;
  for (const Beginning& one : all) {
    for (const Json& value : values) {
      more.push_back(one);
      more.back().inputs[input.name] = value;
    }
  }
  all = std::move(more);
}

}  // namespace

Explorations::Explorations(const Subject& subject, Numbers numbers, std::size_t budget)
    : subject_(subject), numbers_(numbers), budget_{budget} {
  const auto& machines = subject.system.machines;
  reads_.resize(machines.size());
  subject.each_node([&](const Piece& piece, const lua::Node& node) {
    const std::string* name = lua::field_of(node, "run");
    if (!name) return;
    Reads& reads = reads_[piece.machine->id];
    reads.interactive = reads.interactive || *name == "interactive";
    reads.auto_merge = reads.auto_merge || *name == "auto_merge";
  });
  for (std::size_t round = 0; round < machines.size(); ++round) {
    for (const Machine& machine : machines) {
      for (const model::State& state : machine.states) {
        const model::Delegate* to = model::delegate_of(state.activity);
        if (!to) continue;
        Reads& reads = reads_[machine.id];
        reads.interactive = reads.interactive || reads_[to->machine].interactive;
        reads.auto_merge = reads.auto_merge || reads_[to->machine].auto_merge;
      }
    }
  }
}

const Exploration& Explorations::of(const Machine& machine) {
  const std::string key = std::to_string(machine.id);
  if (const auto known = known_.find(key); known != known_.end() && known->second) {
    return known->second->exploration;
  }
  return explored(machine, key, starts(machine), true);
}

const Exploration* Explorations::given(model::MachineId id, const Json& inputs,
                                       const chart::RunInfo& run) {
  const Machine& machine = subject_.system.machine(id);
  Beginning given{
      {"", run.interactive || !reads_[id].interactive, run.auto_merge && reads_[id].auto_merge}};
  std::vector<Beginning> all;
  for (const Variable& input : machine.inputs) {
    const auto value = inputs.find(input.name);
    if (value == inputs.end() && input.initial && is_simple(*input.initial)) {
      given.inputs[input.name] = *input.initial;
    } else if (value != inputs.end() && is_simple(*value)) {
      given.inputs[input.name] = *value;
    }
  }
  const std::string key = std::to_string(id) + (given.run.interactive ? "i" : "") +
                          (given.run.auto_merge ? "m" : "") + given.inputs.dump();
  const auto known = known_.find(key);
  if (known != known_.end()) {
    const bool usable = known->second && known->second->exploration.complete();
    return usable ? &known->second->exploration : nullptr;
  }
  if (depth_ == most_depth) return nullptr;
  all.push_back(std::move(given));
  for (const Variable& input : machine.inputs) {
    if (!all.front().inputs.contains(input.name)) branch(all, input);
  }
  const Exploration& found = explored(machine, key, std::move(all), false);
  return found.complete() ? &found : nullptr;
}

const Exploration& Explorations::explored(const Machine& machine, const std::string& key,
                                          std::vector<Beginning> beginnings, bool run) {
  known_[key] = nullptr;
  auto made = std::make_unique<Explored>(Explored{&machine, run, {}});
  if (machine.states.size() > most_states) {
    made->exploration.extent = Exploration::Extent::too_large;
    made->exploration.entered.resize(machine.states.size());
    made->exploration.taken.resize(machine.transitions.size());
    made->exploration.invariants.resize(machine.invariants.size());
  } else {
    ++depth_;
    made->exploration = explore(subject_, machine, std::move(beginnings), *this, budget_);
    --depth_;
  }
  known_[key] = made.get();
  return all_.emplace_back(std::move(made))->exploration;
}

std::vector<Beginning> Explorations::starts(const Machine& machine) const {
  std::vector<Beginning> all;
  for (const bool interactive : {true, false}) {
    for (const bool auto_merge : {false, true}) {
      if (!interactive && !reads_[machine.id].interactive) continue;
      if (auto_merge && !reads_[machine.id].auto_merge) continue;
      all.push_back({{"", interactive, auto_merge}});
    }
  }
  for (const Variable& input : machine.inputs) {
    const Json value = value_of(machine, input);
    if (value.is_null()) continue;
    for (Beginning& one : all) one.inputs[input.name] = value;
  }
  for (const Variable& input : machine.inputs) {
    if (!all.front().inputs.contains(input.name)) branch(all, input);
  }
  return all;
}

// Null where it is not known.
Json Explorations::value_of(const Machine& machine, const Variable& input) const {
  if (!is_count(input) || numbers_ == Numbers::unknown) return nullptr;
  const auto given = input.initial->get<std::int64_t>();
  if (given <= 2 || numbers_ == Numbers::defaults) return given;
  std::set<std::int64_t> smaller;
  for (const Variable& other : machine.inputs) {
    const std::int64_t value = is_count(other) ? other.initial->get<std::int64_t>() : 0;
    if (value > 2 && value <= given) smaller.insert(value);
  }
  return std::max(2 + static_cast<std::int64_t>(smaller.size()),
                  static_cast<std::int64_t>(input.minimum.value_or(0)));
}

}  // namespace agneto::lint
