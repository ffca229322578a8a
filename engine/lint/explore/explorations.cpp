#include "lint/explore/explorations.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "lint/explore/fairness.h"
#include "lint/explore/ways.h"

namespace agneto::lint {

namespace {

using model::Variable;

constexpr std::size_t most_states = 500;  // of a machine
constexpr std::size_t most_beginnings = 256;
constexpr int most_depth = 20;  // of machines that delegate to one another

bool is_simple(const Json& value) {
  return value.is_boolean() || value.is_string() || value.is_number_integer();
}

bool is_count(const Variable& input) {
  return input.type.kind == model::Type::Kind::integer && input.initial &&
         input.initial->is_number_integer();
}

// Each of these runs begun with each value of those inputs that are not known and can have few.
std::vector<Beginning> beginnings(const Machine& machine, const std::vector<chart::RunInfo>& runs,
                                  Json known) {
  std::vector<Json> inputs = {std::move(known)};
  for (const Variable& input : machine.inputs) {
    if (inputs.front().contains(input.name)) continue;
    branch(inputs, input.name, values_of(input), most_beginnings / runs.size());
  }
  std::vector<Beginning> all;
  for (const chart::RunInfo& run : runs) {
    for (const Json& one : inputs) all.push_back({run, one});
  }
  return all;
}

bool asks_for_ways(const model::System& system) {
  return std::ranges::any_of(system.machines, [](const Machine& machine) {
    return std::ranges::any_of(machine.invariants, [](const model::Invariant& one) {
      return one.kind == model::Invariant::Kind::always_eventually;
    });
  });
}

}  // namespace

Explorations::Explorations(const LintContext& context, Numbers numbers, std::size_t budget,
                           bool faults)
    : context_(context), numbers_(numbers), budget_(budget), faults_(faults) {
  const auto& machines = context.system.machines;
  reads_.resize(machines.size());
  context.each_node([&](const Piece& piece, const Node& node) {
    const std::string* name = lua::field_of(node, "run");
    if (name) reads_[piece.machine->id].insert(*name);
  });
  for (std::size_t round = 0; round < machines.size(); ++round) {
    for (const Machine& machine : machines) {
      for (const State& state : machine.states) {
        const model::Delegate* to = model::delegate_of(state.activity);
        if (to) reads_[machine.id].merge(std::set(reads_[to->machine]));
      }
    }
  }
}

const Exploration& Explorations::about(const Machine& machine, const std::set<std::string>* only) {
  std::string key = std::to_string(machine.id);
  if (only) key += " of " + join({only->begin(), only->end()}, " ");
  if (const auto known = known_.find(key); known != known_.end()) return *known->second;
  std::vector<chart::RunInfo> runs;
  for (const bool interactive : {true, false}) {
    for (const bool auto_merge : {false, true}) {
      if (!interactive && !reads_[machine.id].contains("interactive")) continue;
      if (auto_merge && !reads_[machine.id].contains("auto_merge")) continue;
      runs.push_back({"", interactive, auto_merge});
    }
  }
  Json known = Json::object();
  for (const Variable& input : machine.inputs) {
    if (Json value = value_of(machine, input); !value.is_null()) known[input.name] = value;
  }
  return explored(machine, key, beginnings(machine, runs, std::move(known)), only);
}

const Exploration* Explorations::given(model::MachineId id, const Json& inputs,
                                       const chart::RunInfo& run) {
  const Machine& machine = context_.system.machine(id);
  const chart::RunInfo seen = {"", run.interactive || !reads_[id].contains("interactive"),
                               run.auto_merge && reads_[id].contains("auto_merge")};
  Json given = Json::object();
  for (const Variable& input : machine.inputs) {
    const auto value = inputs.find(input.name);
    if (value == inputs.end() && input.initial && is_simple(*input.initial)) {
      given[input.name] = *input.initial;
    } else if (value != inputs.end() && is_simple(*value)) {
      given[input.name] = *value;
    }
  }
  const std::string key = std::to_string(id) + (seen.interactive ? "i" : "") +
                          (seen.auto_merge ? "m" : "") + given.dump();
  const auto known = known_.find(key);
  if (known == known_.end() && depth_ == most_depth) return nullptr;
  const Exploration* found =
      known != known_.end()
          ? known->second
          : &explored(machine, key, beginnings(machine, {seen}, std::move(given)));
  return found && found->complete() ? found : nullptr;
}

const Exploration& Explorations::explored(const Machine& machine, const std::string& key,
                                          std::vector<Beginning> beginnings,
                                          const std::set<std::string>* only) {
  known_[key] = nullptr;
  Exploration found;
  if (machine.states.size() > most_states) {
    found.extent = Exploration::Extent::too_large;
    found.entered.resize(machine.states.size());
    found.taken.resize(machine.transitions.size());
    found.invariants.resize(machine.invariants.size());
    found.afters.resize(machine.invariants.size());
    found.parts.resize(machine.invariants.size());
  } else {
    ++depth_;
    found = explore(context_, machine, std::move(beginnings), *this, budget_, only, faults_);
    found.ends = always_ends(found);
    --depth_;
    if (depth_ > 0 && asks_for_ways(context_.system)) note_ways_to_ends(found, machine);
  }
  const Exploration& kept = all_.emplace_back(Explored{&machine, std::move(found)}).exploration;
  known_[key] = &kept;
  return kept;
}

// Null where it is not known.
Json Explorations::value_of(const Machine& machine, const Variable& input) const {
  if (!is_count(input) || numbers_ == Numbers::unknown) return nullptr;
  if (numbers_ == Numbers::defaults && !values_of(input).empty()) return nullptr;
  const auto given = input.initial->get<std::int64_t>();
  if (given <= 2 || numbers_ == Numbers::defaults) return given;
  std::set<std::int64_t> smaller;
  for (const Variable& other : machine.inputs) {
    const std::int64_t value = is_count(other) ? other.initial->get<std::int64_t>() : 0;
    if (value > 2 && value <= given) smaller.insert(value);
  }
  return std::clamp(2 + static_cast<std::int64_t>(smaller.size()),
                    static_cast<std::int64_t>(input.minimum.value_or(0)), given);
}

}  // namespace agneto::lint
