#include "model/outcomes.h"

#include <algorithm>

#include "base/text.h"

namespace agneto::model {

namespace {

using TypeKind = Type::Kind;

struct Row {
  std::string_view activity;
  const char* outcome;
  std::vector<Field> fields;
};

Field field(const char* name, TypeKind kind = TypeKind::string) {
  Field field{name, {}};
  field.type.kind = kind;
  return field;
}

// Who answered a question.
Field by() {
  Field by = field("by", TypeKind::choice);
  by.type.choices = {"person", "default"};
  return by;
}

const std::vector<Row>& rows() {
  const std::vector<Field> exit = {field("status", TypeKind::integer), field("output"),
                                   field("message")};
  const std::vector<Field> git = {field("commit"), field("message"),
                                  field("files", TypeKind::list)};
  static const std::vector<Row> all = {
      {"agent", "done", {field("reply")}},
      {"ask", "answered", {field("text"), field("feedback"), by()}},
      {"for_each", "done", {field("results", TypeKind::list)}},
      {"for_each", "failed", {field("results", TypeKind::list), field("message")}},
      {"run", "ok", exit},
      {"run", "failed", exit},
      {"workspace", "ok", git},
      {"workspace", "failed", git},
      {"workspace", "conflict", git}};
  return all;
}

// An output that is an entry of the machine's data as it stands has that entry's type.
Type output_type(const Binding& output, const Machine& machine) {
  const std::string text(trim(machine.code[output.value].text));
  for (const Variable& variable : machine.context) {
    if (text == "ctx." + variable.name) return variable.type;
  }
  for (const Variable& variable : machine.inputs) {
    if (text == "inputs." + variable.name) return variable.type;
  }
  return {};
}

// A final state's output goes before the machine's.
void add(std::vector<Field>& fields, const Binding& output, const Machine& machine) {
  std::erase_if(fields, [&](const Field& field) { return field.name == output.name; });
  fields.push_back({output.name, output_type(output, machine)});
}

// Of two final states that end in the same: what only one of them gives may be missing.
void take_in(std::vector<Field>& fields, const std::vector<Field>& others) {
  for (const Field& other : others) {
    const auto same = std::find_if(fields.begin(), fields.end(),
                                   [&](const Field& field) { return field.name == other.name; });
    if (same == fields.end()) {
      fields.push_back({other.name, {}});
    } else if (to_text(same->type) != to_text(other.type)) {
      same->type = {};
    }
  }
  for (Field& field : fields) {
    const bool both = std::any_of(others.begin(), others.end(),
                                  [&](const Field& other) { return field.name == other.name; });
    if (!both) field.type = {};
  }
}

struct Of {
  const System& system;

  std::vector<Outcome> operator()(std::monostate) const { return {}; }
  std::vector<Outcome> operator()(const AgentCall& call) const {
    std::vector<Outcome> all;
    for (const Verdict& verdict : call.verdicts) {
      all.push_back({verdict.name, verdict.fields, "verdict", verdict.span, {}});
    }
    return all.empty() ? engine_outcomes("agent") : all;
  }
  std::vector<Outcome> operator()(const Ask& ask) const {
    std::vector<Outcome> all;
    for (const Option& option : ask.options) {
      all.push_back({option.name,
                     option_fields(option.feedback, option.edit != none),
                     "option",
                     option.span,
                     {}});
    }
    return all.empty() ? engine_outcomes("ask") : all;
  }
  std::vector<Outcome> operator()(const Delegate& delegate) const {
    const Machine& machine = system.machine(delegate.machine);
    std::vector<Field> fields;
    for (const Binding& output : machine.outputs) {
      fields.push_back({output.name, output_type(output, machine)});
    }
    std::vector<Outcome> all;
    for (const StateId child : machine.state(0).children) {
      const State& state = machine.state(child);
      if (state.kind != StateKind::final) continue;
      auto own = fields;
      for (const Binding& output : state.outputs) add(own, output, machine);
      const auto same = std::find_if(all.begin(), all.end(),
                                     [&](const Outcome& one) { return one.name == state.outcome; });
      if (same == all.end()) {
        all.push_back({state.outcome, std::move(own), "outcome", delegate.span, state.span});
      } else {
        take_in(same->fields, own);
      }
    }
    return all;
  }
  std::vector<Outcome> operator()(const ForEach&) const { return engine_outcomes("for_each"); }
  std::vector<Outcome> operator()(const Program&) const { return engine_outcomes("run"); }
  std::vector<Outcome> operator()(const WorkspaceOperation& operation) const {
    auto all = engine_outcomes("workspace");
    if (operation.kind != WorkspaceOperation::Kind::merge) all.pop_back();
    return all;
  }
};

}  // namespace

std::vector<Outcome> outcomes(const State& state, const System& system) {
  std::vector<Outcome> all = std::visit(Of{system}, state.activity);
  for (Outcome& outcome : all) {
    if (!outcome.span) outcome.span = state.span;
  }
  return all;
}

bool is_outcome(std::string_view event, const System& system) {
  return std::any_of(system.machines.begin(), system.machines.end(),
                     [&](const Machine& machine) { return ends_in(machine, event, system); });
}

bool ends_in(const Machine& machine, std::string_view event, const System& system) {
  return std::any_of(machine.states.begin(), machine.states.end(),
                     [&](const State& state) { return find(outcomes(state, system), event); });
}

const Outcome* find(const std::vector<Outcome>& outcomes, std::string_view name) {
  const auto found = std::find_if(outcomes.begin(), outcomes.end(),
                                  [&](const Outcome& outcome) { return outcome.name == name; });
  return found == outcomes.end() ? nullptr : &*found;
}

std::vector<Outcome> engine_outcomes(std::string_view activity) {
  std::vector<Outcome> all;
  for (const Row& row : rows()) {
    if (row.activity == activity) all.push_back({row.outcome, row.fields, "outcome", {}, {}});
  }
  return all;
}

bool is_engine_outcome(std::string_view name) {
  return std::any_of(rows().begin(), rows().end(),
                     [&](const Row& row) { return row.outcome == name; });
}

const std::vector<std::string>& engine_errors() {
  static const std::vector<std::string> all = {
      "error.timeout",  "error.exit",      "error.spawn",       "error.unparsed", "error.lua",
      "error.livelock", "error.unhandled", "error.interrupted", "error.workspace"};
  return all;
}

bool is_error(std::string_view event) {
  return matches("error", event);
}

bool is_known_error(std::string_view event, const System& system) {
  const auto& own = engine_errors();
  if (event == undelivered) return false;
  if (event == "error" || std::find(own.begin(), own.end(), event) != own.end()) return true;
  const auto takes = [&](const std::string& descriptor) {
    return descriptor.starts_with("error.") && matches(descriptor, event);
  };
  for (const Machine& machine : system.machines) {
    for (const Transition& transition : machine.transitions) {
      if (std::any_of(transition.events.begin(), transition.events.end(), takes)) return true;
    }
  }
  return false;
}

const std::vector<Field>& error_fields() {
  static const std::vector<Field> fields = {field("message")};
  return fields;
}

std::vector<Field> done_fields(const Machine& machine, StateId compound) {
  std::optional<std::vector<Field>> all;
  for (const StateId child : machine.state(compound).children) {
    const State& state = machine.state(child);
    if (state.kind != StateKind::final) continue;
    std::vector<Field> own;
    for (const Binding& output : state.outputs) add(own, output, machine);
    if (all) {
      take_in(*all, own);
    } else {
      all = std::move(own);
    }
  }
  return all.value_or(std::vector<Field>());
}

std::vector<Field> option_fields(Need feedback, bool edits) {
  std::vector<Field> fields = {by()};
  if (feedback != Need::none) {
    fields.push_back(field("feedback"));
    fields.back().type.optional = feedback == Need::optional;
  }
  if (edits) fields.push_back(field("edited"));
  return fields;
}

std::vector<TransitionId> takers(const Machine& machine, StateId state, std::string_view event) {
  std::vector<TransitionId> result;
  for (StateId id = state; id != none; id = machine.state(id).parent) {
    for (const TransitionId transition : machine.state(id).on) {
      const auto& events = machine.transitions[transition].events;
      if (std::any_of(events.begin(), events.end(),
                      [&](const std::string& one) { return matches(one, event); })) {
        result.push_back(transition);
      }
    }
  }
  return result;
}

}  // namespace agneto::model
