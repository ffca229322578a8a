#include "lint/explore/faults.h"

#include <algorithm>

#include "lint/explore/abstract_lua.h"
#include "lint/expressions.h"

namespace agneto::lint {

using Shape = Node::Kind;

namespace {

bool is_number(const std::string& text) {
  return whole_number(text).known();
}

// A name of the context, the inputs, the run or the event; the last has what it has.
bool is_name(const Machine& machine, const Node& node) {
  return variable_of(machine, node) || lua::field_of(node, "event") || lua::field_of(node, "run");
}

}  // namespace

Faults::Kind Faults::kind_of(const Node& node) const {
  using Type = model::Type::Kind;
  if (node.kind == Shape::boolean) return Kind::boolean;
  if (node.kind == Shape::string) return Kind::text;
  if (node.kind == Shape::number) return is_number(node.text) ? Kind::integer : Kind::number;
  if (asked_state(node) || node.is(Shape::unary, "not")) return Kind::boolean;
  if (node.kind == Shape::binary) {
    if (is_one_of(node.text, {"==", "~=", "<", ">", "<=", ">="})) return Kind::boolean;
    if (node.text == "..") return Kind::text;
    if (!is_one_of(node.text, {"+", "-", "*"})) return Kind::any;
    const bool whole =
        kind_of(node.children[0]) == Kind::integer && kind_of(node.children[1]) == Kind::integer;
    return whole ? Kind::integer : Kind::any;  // a large product is no number any more
  }
  const model::Variable* variable = variable_of(machine_, node);
  if (!variable || variable->type.optional) return Kind::any;
  switch (variable->type.kind) {
    case Type::boolean:
      return Kind::boolean;
    case Type::integer:
      return Kind::integer;
    case Type::number:
      return Kind::number;
    case Type::string:
    case Type::choice:
      return Kind::text;
    default:
      return Kind::any;
  }
}

bool Faults::in_number(const Node& node) const {
  const Kind kind = kind_of(node);
  return (kind != Kind::integer && kind != Kind::number) || in_value(node);
}

bool Faults::in_value(const Node& node) const {
  if (is_name(machine_, node) || node.is(Shape::global, "null")) return false;
  if (const std::string* state = asked_state(node)) return machine_.find(*state) == none;
  switch (node.kind) {
    case Shape::nil:
    case Shape::boolean:
    case Shape::number:
    case Shape::string:
      return false;
    case Shape::unary:
      return node.text != "not" || in_value(node.children[0]);
    case Shape::binary:
      break;
    default:
      return true;
  }
  const Node& left = node.children[0];
  const Node& right = node.children[1];
  if (is_one_of(node.text, {"and", "or", "==", "~="})) return in_value(left) || in_value(right);
  if (is_one_of(node.text, {"<", ">", "<=", ">=", "+", "-", "*"})) {
    return in_number(left) || in_number(right);
  }
  const auto can_be_joined = [&](const Node& part) {
    return kind_of(part) != Kind::any && kind_of(part) != Kind::boolean && !in_value(part);
  };
  return node.text != ".." || !can_be_joined(left) || !can_be_joined(right);
}

bool Faults::in_statement(const Node& node) const {
  if (node.kind == Shape::assignment) {
    for (std::size_t i = 0; i < node.targets; ++i) {
      if (!variable_of(machine_, node.children[i])) return true;
      if (lua::field_of(node.children[i], "inputs")) return true;
    }
    return std::any_of(node.children.begin() + static_cast<std::ptrdiff_t>(node.targets),
                       node.children.end(), [&](const Node& value) { return in_value(value); });
  }
  if (node.is(Shape::statement, "do")) return false;
  if (node.is(Shape::statement, "if")) {
    for (std::size_t i = 0; i + 1 < node.children.size(); i += 2) {
      if (in_value(node.children[i])) return true;
    }
    return false;
  }
  // As many events as can be sent may wait already.
  const bool is_plain = calls_action(node) && node.children.size() == 2 &&
                        node.children[0].text != "send" && lua::literal_text(node.children[1]);
  return !is_plain;
}

bool Faults::in_assigning(const Node& node) const {
  if (node.kind != Shape::assignment) return false;
  if (node.targets * 2 != node.children.size()) return true;
  for (std::size_t i = 0; i < node.targets; ++i) {
    const model::Variable* variable = variable_of(machine_, node.children[i]);
    if (!variable) return true;
    if (variable->type.kind == model::Type::Kind::any) continue;
    const Node& value = node.children[node.targets + i];
    const model::Variable* from = variable_of(machine_, value);
    const bool same = from && to_text(from->type) == to_text(variable->type);
    const bool is_choice = variable->type.kind == model::Type::Kind::choice;
    const Kind wanted = kind_of(node.children[i]);
    const Kind given = kind_of(value);
    const bool fits = wanted != Kind::any && !is_choice &&
                      (wanted == given || (wanted == Kind::number && given == Kind::integer));
    const std::string* text = lua::literal_text(value);
    const bool is_one_of_them = is_choice && text && !is_no_choice(variable->type, value);
    if (!same && !fits && !is_one_of_them) return true;
  }
  return false;
}

bool Faults::in_piece(const Piece& piece) const {
  if (!piece.tree) return true;
  if (piece.code->kind == model::Code::Kind::expression) {
    const Node& value = expression(piece);
    return piece.code->what == "delay" ? in_number(value) : in_value(value);
  }
  return any_node(*piece.tree, [&](const Node& node) {
    return node.kind == Shape::block &&
           std::ranges::any_of(node.children, [&](const Node& statement) {
             return in_statement(statement) || in_assigning(statement);
           });
  });
}

}  // namespace agneto::lint
