#include "lint/static_type.h"

#include <algorithm>
#include <array>

namespace agneto::lint {

namespace {

using lua::Node;
using model::Type;
using Kind = model::Type::Kind;

Type of(Kind kind) {
  Type type;
  type.kind = kind;
  return type;
}

bool is_any_of(const std::string& text, std::initializer_list<std::string_view> all) {
  return std::find(all.begin(), all.end(), text) != all.end();
}

std::optional<Type> of_operator(const Node& node) {
  if (node.kind == Node::Kind::unary) {
    if (node.text == "not") return of(Kind::boolean);
    if (node.text == "#") return of(Kind::integer);
    return of(Kind::number);
  }
  if (node.text == "..") return of(Kind::string);
  if (is_any_of(node.text, {"==", "~=", "<", ">", "<=", ">="})) return of(Kind::boolean);
  if (is_any_of(node.text, {"and", "or"})) return std::nullopt;
  return of(Kind::number);
}

// Numbers are one family, and so are texts.
enum class Family { text, number, boolean, table };

std::optional<Family> family(const Type& type) {
  switch (type.kind) {
    case Kind::string:
    case Kind::choice:
      return Family::text;
    case Kind::integer:
    case Kind::number:
      return Family::number;
    case Kind::boolean:
      return Family::boolean;
    case Kind::list:
    case Kind::map:
      return Family::table;
    case Kind::any:
      break;
  }
  return std::nullopt;
}

const model::Variable* find(const std::vector<model::Variable>& variables,
                            const std::string* name) {
  if (!name) return nullptr;
  const auto found = std::find_if(variables.begin(), variables.end(),
                                  [&](const auto& variable) { return variable.name == *name; });
  return found == variables.end() ? nullptr : &*found;
}

}  // namespace

const model::Variable* variable_of(const model::Machine& machine, const Node& node) {
  if (const auto* variable = find(machine.context, lua::field_of(node, "ctx"))) return variable;
  return find(machine.inputs, lua::field_of(node, "inputs"));
}

std::optional<Type> static_type(const model::Machine& machine, const Node& node) {
  switch (node.kind) {
    case Node::Kind::boolean:
      return of(Kind::boolean);
    case Node::Kind::number:
      return of(Kind::number);
    case Node::Kind::string:
      return of(Kind::string);
    case Node::Kind::table:
      return of(Kind::map);
    case Node::Kind::unary:
    case Node::Kind::binary:
      return of_operator(node);
    default:
      break;
  }
  const model::Variable* variable = variable_of(machine, node);
  if (!variable || variable->type.optional || variable->type.kind == Kind::any) return std::nullopt;
  return variable->type;
}

bool are_disjoint(const Type& a, const Type& b) {
  const auto first = family(a);
  const auto second = family(b);
  if (!first || !second) return false;
  if (*first != *second) return true;
  return a.kind == Kind::choice && b.kind == Kind::choice &&
         std::none_of(a.choices.begin(), a.choices.end(), [&](const std::string& one) {
           return std::find(b.choices.begin(), b.choices.end(), one) != b.choices.end();
         });
}

bool is_no_choice(const Type& choice, const Node& node) {
  const std::string* text = lua::literal_text(node);
  return choice.kind == Kind::choice && text &&
         std::find(choice.choices.begin(), choice.choices.end(), *text) == choice.choices.end();
}

}  // namespace agneto::lint
