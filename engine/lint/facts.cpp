#include "lint/facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "lint/typed.h"
#include "model/outcomes.h"

namespace agneto::lint {

namespace {

using model::Type;
using TypeKind = Type::Kind;

Facts choice_of(std::vector<std::string> choices) {
  Facts facts = facts_of(TypeKind::choice);
  facts.type.choices = std::move(choices);
  return facts;
}

Facts of_variable(const model::Variable& variable) {
  Facts facts = facts_of(variable.type);
  const auto& initial = variable.initial;
  facts.starts_empty = variable.type.optional || (initial && (*initial == "" || initial->empty()));
  return facts;
}

// Other names are no business of the rules about fields.
Facts of_variables(const std::vector<model::Variable>& variables) {
  Facts::Fields fields;
  for (const model::Variable& one : variables) fields[one.name] = of_variable(one);
  Facts facts = table_of(std::move(fields));
  facts.closed = false;
  return facts;
}

// What both are, where it may be the one or the other.
Facts either(const Facts& a, const Facts& b) {
  if (!a.known || !b.known || a.type.kind != b.type.kind) return {};
  Facts both = a;
  both.type.optional |= b.type.optional;
  both.may_be_nil |= b.may_be_nil;
  for (const std::string& choice : b.type.choices) {
    if (std::ranges::find(a.type.choices, choice) == a.type.choices.end()) {
      both.type.choices.push_back(choice);
    }
  }
  if (a.fields != b.fields) both.fields = nullptr;
  if (a.element != b.element) both.element = nullptr;
  if (a.never != b.never) both.never.clear();
  if (a.only != b.only) both.only.clear();
  return both;
}

void merge(Facts::Fields& into, const Facts::Fields& fields) {
  for (const auto& [name, facts] : fields) {
    const auto [known, is_new] = into.try_emplace(name, facts);
    if (!is_new) known->second = either(known->second, facts);
  }
}

// What each item of a for_each has come to.
Facts of_results(const model::ForEach& loop, const model::System& system) {
  State state;
  state.activity = loop.each;
  std::vector<std::string> outcomes = {"cancelled", "unstarted"};
  Facts::Fields data = {{"message", facts_of(TypeKind::string)}, {"state", {}}, {"event", {}}};
  for (const model::Outcome& outcome : model::outcomes(state, system)) {
    outcomes.push_back(outcome.name);
    for (const model::Field& field : outcome.fields) data[field.name] = {};
  }
  if (loop.own_workspace) {
    outcomes.emplace_back("conflict");
    for (const char* field : {"commit", "files"}) data[field] = {};
  }
  const auto& errors = model::engine_errors();
  outcomes.insert(outcomes.end(), errors.begin(), errors.end());
  Facts given_back = table_of(std::move(data));
  given_back.called = "what an item gives back";
  Facts result =
      table_of({{"outcome", choice_of(std::move(outcomes))},
                {"status", choice_of({"complete", "failed", "aborted", "cancelled", "unstarted"})},
                {"data", std::move(given_back)}});
  result.called = "the result of an item";
  return list_of(std::move(result));
}

// Every error has a message; what else there may be depends on what has failed.
Facts::Fields error_facts() {
  Facts::Fields fields;
  for (const model::Field& one : model::error_fields()) fields[one.name] = facts_of(one.type);
  for (const char* other :
       {"event", "state", "status", "output", "commit", "files", "attempts", "reply"}) {
    fields[other] = {};
  }
  return fields;
}

// The state whose end the event is; none where it is something else.
StateId ended_in(const Machine& machine, const std::string& event) {
  return event.starts_with(model::done_of_state)
             ? machine.find(event.substr(model::done_of_state.size()))
             : none;
}

// The fields of the event that the transition takes; none where it may be another one than that of
// an activity: from outside, or of the machine's own actions.
std::optional<Facts::Fields> event_fields(const LintContext& context, const Machine& machine,
                                          const Transition& transition) {
  if (transition.timer != none) return Facts::Fields();  // a timer brings nothing
  if (transition.events.empty()) return std::nullopt;
  Facts::Fields known;
  for (const std::string& event : transition.events) {
    if (model::is_error(event) && !context.raised(machine).may_be(event)) {
      merge(known, error_facts());
      continue;
    }
    const StateId ended = ended_in(machine, event);
    if (ended != none && !context.raised(machine).may_be(event)) {
      Facts::Fields fields;
      for (const model::Field& one : model::done_fields(machine, ended)) {
        fields[one.name] = facts_of(one.type);
      }
      merge(known, fields);
      continue;
    }
    if (event == "any" || model::is_engines(event) || context.raised(machine).may_come(event)) {
      return std::nullopt;
    }
    bool made = false;
    for (StateId id = transition.source; id <= machine.state(transition.source).last; ++id) {
      const State& state = machine.state(id);
      const auto all = model::outcomes(state, context.system);
      const auto* outcome = model::find(all, event);
      if (!outcome) continue;
      Facts::Fields fields;
      const bool is_git = std::holds_alternative<model::WorkspaceOperation>(state.activity);
      for (const model::Field& one : outcome->fields) {
        Facts& field = fields[one.name] = facts_of(one.type);
        field.may_be_nil = is_git;  // some, where it failed
      }
      const bool is_program = std::holds_alternative<model::Program>(state.activity);
      if (is_program && event == "failed") fields["status"].never = "0";
      if (is_program && event == "ok") fields["status"].only = "0";
      const auto* loop = std::get_if<model::ForEach>(&state.activity);
      if (loop) fields["results"] = of_results(*loop, context.system);
      merge(known, fields);
      made = true;
    }
    if (!made) return std::nullopt;
  }
  return known;
}

}  // namespace

std::optional<Type> Facts::certain() const {
  if (!known || may_be_nil || type.optional || type.kind == TypeKind::any) return std::nullopt;
  return type;
}

bool Facts::is_true() const {
  return known && !may_be_nil && type.kind != TypeKind::boolean && type.kind != TypeKind::any;
}

Facts facts_of(const Type& type) {
  Facts facts{.known = true, .type = type};
  if (type.kind == TypeKind::list && type.element) {
    facts.element = std::make_shared<const Facts>(facts_of(*type.element));
  }
  if (type.fields) {
    Facts::Fields fields;
    for (const model::Field& field : *type.fields) fields[field.name] = facts_of(field.type);
    facts.fields = std::make_shared<const Facts::Fields>(std::move(fields));
    facts.closed = true;
  }
  return facts;
}

Facts facts_of(TypeKind kind) {
  Facts facts{.known = true};
  facts.type.kind = kind;
  return facts;
}

Facts list_of(Facts element) {
  Facts facts = facts_of(TypeKind::list);
  if (element.known) facts.type.element = std::make_shared<const Type>(element.type);
  facts.element = std::make_shared<const Facts>(std::move(element));
  return facts;
}

Facts table_of(Facts::Fields fields) {
  Facts facts = facts_of(TypeKind::map);
  facts.fields = std::make_shared<const Facts::Fields>(std::move(fields));
  facts.closed = true;
  return facts;
}

Given::Given(const LintContext& context, const Machine& machine)
    : context_(context),
      machine_(machine),
      inputs_(of_variables(machine.inputs)),
      data_(of_variables(machine.context)),
      transitions_(machine.code.size(), none),
      loops_(machine.code.size(), none) {
  for (TransitionId id = 0; id < machine.transitions.size(); ++id) {
    const Transition& transition = machine.transitions[id];
    if (transition.guard != none) transitions_[transition.guard] = id;
    for (const CodeId action : transition.actions) transitions_[action] = id;
  }
  for (const State& state : machine.states) {
    const auto* loop = std::get_if<model::ForEach>(&state.activity);
    if (!loop) continue;
    for (const model::Binding& one : loop->each.with) loops_[one.value] = state.id;
  }
}

Facts Given::to(CodeId code, const std::string& variable) const {
  if (variable == "ctx") return data_;
  if (variable == "inputs") return inputs_;
  if (loops_[code] != none) {
    if (variable == "index") return facts_of(TypeKind::integer);
    if (variable != machine_.code[code].item) return {};
    const auto& loop = std::get<model::ForEach>(machine_.state(loops_[code]).activity);
    const Typed* items = context_.typed(machine_, loop.items);
    const Facts list = items ? items->facts(items->value()) : Facts();
    return list.element ? *list.element : Facts();
  }
  if (variable != "event" || transitions_[code] == none) return {};
  const Transition& transition = machine_.transitions[transitions_[code]];
  const auto fields = event_fields(context_, machine_, transition);
  if (!fields) return {};
  Facts::Fields event = *fields;
  event["name"] = facts_of(TypeKind::string);
  event["source"] = {};
  for (const char* of_sender : {"origin", "item"}) event.try_emplace(of_sender);
  const std::string called = fmt::format("the event '{}'", join(transition.events, "' or '"));
  (event["data"] = table_of(*fields)).called = called;
  Facts facts = table_of(std::move(event));
  facts.called = called;
  return facts;
}

const Node* Given::function(CodeId code) const {
  return lua::function_in(context_.piece(machine_, code).tree);
}

Facts given_to_hooks(const Users& users) {
  const Facts text = facts_of(TypeKind::string);
  const Facts flag = facts_of(TypeKind::boolean);
  // Other machines may have others, and lack some of these.
  const auto of_all = [&](const std::vector<model::Variable> Machine::*variables) {
    Facts::Fields fields;
    for (const Machine* machine : users) merge(fields, *of_variables(machine->*variables).fields);
    for (auto& one : fields) {
      one.second.may_be_nil = !std::ranges::all_of(users, [&](const Machine* machine) {
        return std::ranges::count(machine->*variables, one.first, &model::Variable::name) > 0;
      });
    }
    Facts facts = table_of(std::move(fields));
    facts.closed = false;
    return facts;
  };
  const Facts::Fields changes = {
      {"base", text}, {"diff", text}, {"files", list_of(text)}, {"head", text}};
  Facts::Fields workspace = changes;
  workspace["chunk"] = table_of(changes);
  Facts state = text;
  Facts task = text;
  for (const Machine* machine : users) {
    for (const State& one : machine->states) {
      const auto* call = std::get_if<model::AgentCall>(&one.activity);
      if (!call) continue;
      state.type.choices.push_back(one.name);
      if (!call->task.empty()) task.type.choices.push_back(call->task);
    }
  }
  Facts last_error = text;
  last_error.may_be_nil = true;
  const Facts field =
      table_of({{"name", text}, {"type", text}, {"optional", flag}, {"description", text}});
  return table_of({{"attempt", facts_of(TypeKind::integer)},
                   {"ctx", of_all(&Machine::context)},
                   {"inputs", of_all(&Machine::inputs)},
                   {"last_error", std::move(last_error)},
                   {"run", table_of({{"auto_merge", flag}, {"id", text}, {"interactive", flag}})},
                   {"state", std::move(state)},
                   {"task", std::move(task)},
                   {"verdicts", list_of(table_of({{"name", text}, {"fields", list_of(field)}}))},
                   {"workspace", table_of(std::move(workspace))}});
}

}  // namespace agneto::lint
