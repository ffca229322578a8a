#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "model/binder.h"
#include "model/keys.h"
#include "model/rules.h"
#include "model/shape.h"
#include "model/values.h"

namespace agneto::model {

namespace {

constexpr std::array<std::string_view, 6> activity_keys = {"agent",    "ask", "machine",
                                                           "for_each", "run", "workspace"};

bool is_activity(std::string_view key) {
  return std::find(activity_keys.begin(), activity_keys.end(), key) != activity_keys.end();
}

std::string_view noun(StateKind kind) {
  constexpr std::string_view nouns[] = {"an atomic state", "a compound state", "a parallel state",
                                        "a final state",   "a history state",  "a history state"};
  return nouns[static_cast<std::size_t>(kind)];
}

// Why a state of this kind cannot have the key; empty if it can.
std::string_view forbidden(StateKind kind, std::string_view key) {
  if (key == "description") return {};
  switch (kind) {
    case StateKind::final:
      if (key == "final" || key == "outcome" || key == "status" || key == "outputs" ||
          key == "entry" || key == "exit") {
        return {};
      }
      return "nothing goes on after a final state; use a state that leads to it";
    case StateKind::shallow_history:
    case StateKind::deep_history:
      if (key == "history" || key == "default") return {};
      return "a history state only leads elsewhere; put this on the state around it";
    default:
      break;
  }
  if (key == "default") return "a `default` belongs to a history state; a compound has `initial`";
  if (key == "outcome" || key == "status") return "add `final: true` if the machine ends here";
  if (key == "outputs") {
    return "what is given back is said of a final state, or of the machine: `outputs` at the top "
           "of the file";
  }
  const bool has_children = kind == StateKind::compound || kind == StateKind::parallel;
  if (has_children && (is_activity(key) || key == "with")) {
    return "only an atomic state has an activity; give it to a state inside";
  }
  if (kind == StateKind::parallel && key == "initial") {
    return "all its regions are entered; give each region an `initial`";
  }
  if (kind == StateKind::atomic && key == "initial") return "add `states`, or remove `initial`";
  return {};
}

// The key that makes a state one of that kind; null: that it has none of them.
const yaml::Node* deciding_key(StateKind kind, const yaml::Node& state) {
  const bool is_history = kind == StateKind::shallow_history || kind == StateKind::deep_history;
  const std::string_view name = kind == StateKind::final ? "final"
                                : is_history             ? "history"
                                                         : "states";
  const auto found = std::ranges::find(state.entries, name,
                                       [](const yaml::Entry& entry) { return entry.key.text; });
  return found == state.entries.end() ? nullptr : &found->key;
}

}  // namespace

void Binder::offer_removal(Diagnostic& problem, const Node& first, const Node& second) {
  if (first.span.source == second.span.source) return;
  problem.help = fmt::format("write {}: null beside it, which removes that of '{}'", first.text,
                             first.span.source->path());
  problem.related.push_back({first.span, "it is here"});
}

void Binder::check_keys(const State& state, const Entry& entry) {
  const Node* activity = nullptr;
  const Node* decides = deciding_key(state.kind, entry.value);
  for (const Entry& each : entry.value.entries) {
    const Node& key = each.key;
    if (!find_key(construct(ConstructId::state), key.text)) continue;  // reported
    if (const std::string_view why = forbidden(state.kind, key.text); !why.empty()) {
      Diagnostic& problem =
          diagnostics_.report(rules::key_out_of_place, key.span,
                              fmt::format("{} has no '{}'", noun(state.kind), key.text), why);
      if (decides && decides->span.source != key.span.source) {
        problem.related.push_back({decides->span, "this makes it one"});
      }
      continue;
    }
    if (!is_activity(key.text)) continue;
    if (activity) {
      Diagnostic& problem =
          diagnostics_.report(rules::two_activities, key.span,
                              fmt::format("'{}' has '{}' already; a state has one activity",
                                          state.name, activity->text),
                              "make two states of it");
      offer_removal(problem, *activity, key);
    }
    activity = &key;
  }
  if (const Node* with = entry.value.find("with");
      with && !entry.value.find("machine") && state.kind == StateKind::atomic) {
    diagnostics_.report(rules::key_out_of_place, with->span, "'with' without 'machine'",
                        entry.value.find("for_each")
                            ? "put it into the `for_each`, beside its `machine`"
                            : "name the machine to delegate to: machine: FILE");
  }
  const auto require = [&](std::string_view key, std::string_view help) {
    if (has_or_means(entry.value, construct(ConstructId::state), key)) return;
    diagnostics_.report(rules::missing_key, state.span,
                        fmt::format("{} needs the key '{}'", noun(state.kind), key), help);
  };
  if (state.kind == StateKind::compound) {
    require("initial", "initial: the state inside to begin in");
  }
  if (state.kind == StateKind::parallel) require("states", "states: its regions");
  if (state.is_history()) require("default", "default: where it leads the first time");
  if (state.kind == StateKind::final && machine_.states[state.parent].kind == StateKind::parallel) {
    diagnostics_.report(rules::bad_region, state.span,
                        "a region of a parallel state cannot be final",
                        "put the final state into a region");
  }
}

void Binder::bind_state(const Entry& entry) {
  const Node& node = entry.value;
  const auto known = ids_.find(&node);
  if (known == ids_.end() || node.kind != yaml::Kind::map) return;
  const StateId id = known->second;
  check_keys(machine_.states[id], entry);
  State& state = machine_.states[id];
  for (const Entry& child : node.entries) {
    const std::string& key = child.key.text;
    if (!forbidden(state.kind, key).empty()) continue;
    if (key == "default") {
      state.start = start(child.value, id, key);
    } else if (is_activity(key)) {
      bind_activity(id, child, node);
    } else {
      bind_part(id, key, child.value);
    }
  }
  if (state.kind == StateKind::final) bind_final(state, node);
}

void Binder::bind_part(StateId of, const std::string& key, const Node& value) {
  State& state = machine_.states[of];
  if (key == "entry") {
    state.entry = blocks(value, key);
  } else if (key == "exit") {
    state.exit = blocks(value, key);
  } else if (key == "outputs") {
    (of == 0 ? machine_.outputs : state.outputs) = bindings(value, key);
  } else if (key == "on") {
    bind_on(of, value);
  } else if (key == "always") {
    bind_always(of, value);
  } else if (key == "after") {
    bind_after(of, value);
  } else if (key == "initial") {
    state.start = start(value, of, key);
  } else if (key == "states") {
    for (const Entry& entry : value.entries) bind_state(entry);
  }
}

Start Binder::start(const Node& node, StateId of, std::string_view key) {
  Start result;
  result.span = node.span;
  const Node* target = &node;
  if (node.kind == yaml::Kind::map) {
    target = node.find("target");
    if (const Node* actions = node.find("do")) result.actions = blocks(*actions, "do");
  }
  if (!target) return result;
  result.targets = targets(*target);
  const State& state = machine_.states[of];
  const bool is_initial = key == "initial";
  const StateId around = is_initial ? of : state.parent;
  for (const StateId id : result.targets) {
    const State& to = machine_.states[id];
    if (!machine_.is_descendant(id, around)) {
      diagnostics_.report(
          rules::bad_targets, target->span,
          fmt::format("'{}' is not inside {}", to.name,
                      around == 0 ? "the machine" : "'" + machine_.states[around].name + "'"),
          fmt::format("'{}' names a state inside", key));
    } else if (!is_initial && to.is_history()) {
      diagnostics_.report(rules::bad_targets, target->span,
                          fmt::format("'{}' is a history state itself", to.name),
                          "the default of a history names a state to enter");
    }
  }
  return result;
}

void Binder::bind_final(State& state, const Node& node) {
  state.outcome = state.name;
  if (const Node* outcome = node.find("outcome"); outcome && as_text(*outcome)) {
    state.outcome = outcome->text;
    check_outcome_name(*outcome, "an outcome");
  }
  if (const Node* status = node.find("status"); status && as_text(*status)) {
    if (status->text == "failed") state.status = FinalStatus::failed;
    if (status->text == "aborted") state.status = FinalStatus::aborted;
  }
  if (state.parent == 0) return;
  for (const std::string_view key : {"outcome", "status"}) {
    if (const Node* value = node.find(key)) {
      diagnostics_.report(
          rules::key_out_of_place, value->span,
          fmt::format("'{}' on a final state that does not end the machine", key),
          fmt::format("it ends '{}' alone, which raises done.state.{}",
                      machine_.states[state.parent].name, machine_.states[state.parent].name));
    }
  }
}

}  // namespace agneto::model
