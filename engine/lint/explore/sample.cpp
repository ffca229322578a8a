#include "lint/explore/sample.h"

#include "base/text.h"
#include "lint/outcomes.h"

namespace agneto::lint {

namespace {

using Kind = model::Type::Kind;

Json of_field(const std::string& name) {
  if (name == "status") return 1;
  if (name == "by") return "person";
  const bool lists = name == "results" || name == "files" || name == "conflicts";
  return lists ? Json::array() : Json("x");
}

const model::Type* type_of(const model::State& state, const std::string& outcome,
                           const std::string& field) {
  const auto* call = std::get_if<model::AgentCall>(&state.activity);
  if (!call) return nullptr;
  for (const model::Verdict& verdict : call->verdicts) {
    for (const model::Field& one : verdict.fields) {
      if (verdict.name == outcome && one.name == field) return &one.type;
    }
  }
  return nullptr;
}

// Of an output that is an entry of the other machine's data as it stands.
const model::Type* type_of_output(const model::State& state, const model::System& system,
                                  const std::string& field) {
  const auto* to = std::get_if<model::Delegate>(&state.activity);
  if (!to) return nullptr;
  const model::Machine& machine = system.machine(to->machine);
  for (const model::Binding& output : machine.outputs) {
    if (output.name != field) continue;
    const std::string text(trim(machine.code[output.value].text));
    for (const auto* variables : {&machine.context, &machine.inputs}) {
      for (const model::Variable& variable : *variables) {
        const std::string prefix = variables == &machine.context ? "ctx." : "inputs.";
        if (text == prefix + variable.name) return &variable.type;
      }
    }
  }
  return nullptr;
}

}  // namespace

Json sample(const model::Type& type) {
  switch (type.kind) {
    case Kind::choice:
      return type.choices.empty() ? Json("x") : Json(type.choices.front());
    case Kind::integer:
    case Kind::number:
      return 1;
    case Kind::boolean:
      return false;
    case Kind::list:
      return Json::array();
    case Kind::map:
      return Json::object();
    case Kind::string:
    case Kind::any:
      break;
  }
  return "x";
}

Json sample(const model::State& state, const model::System& system, const std::string& outcome,
            const std::set<std::string>& wanted) {
  std::vector<std::string> names = {"message"};
  if (const auto known = fields(state, system, outcome)) names = *known;
  Json data;
  for (const std::string& name : names) {
    if (!wanted.contains(name)) continue;
    const model::Type* type = type_of(state, outcome, name);
    if (!type) type = type_of_output(state, system, name);
    data[name] = type ? sample(*type) : of_field(name);
  }
  return data;
}

}  // namespace agneto::lint
