#include "lint/expressions.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"

namespace agneto::lint {

namespace {

using model::Type;
using TypeKind = model::Type::Kind;

// Numbers are one family, and so are texts.
enum class Family { text, number, boolean, table };

std::optional<Family> family(const Type& type) {
  switch (type.kind) {
    case TypeKind::string:
    case TypeKind::choice:
      return Family::text;
    case TypeKind::integer:
    case TypeKind::number:
      return Family::number;
    case TypeKind::boolean:
      return Family::boolean;
    case TypeKind::list:
    case TypeKind::map:
      return Family::table;
    case TypeKind::any:
      break;
  }
  return std::nullopt;
}

const model::Variable* find(const std::vector<model::Variable>& variables,
                            const std::string* name) {
  if (!name) return nullptr;
  const auto found = std::ranges::find(variables, *name, &model::Variable::name);
  return found == variables.end() ? nullptr : &*found;
}

// X of a call `FUNCTION("X")` of a global function; else null.
const std::string* only_argument(const Node& node, std::string_view function) {
  const bool calls = node.kind == Node::Kind::call && node.children.size() == 2 &&
                     node.children[0].is(Node::Kind::global, function);
  return calls ? lua::literal_text(node.children[1]) : nullptr;
}

}  // namespace

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> all) {
  return std::ranges::find(all, text) != all.end();
}

const Node& expression(const Piece& piece) {
  return piece.tree->children[0].children[0];
}

bool any_node(const Node& tree, const std::function<bool(const Node&)>& fits) {
  return fits(tree) || std::ranges::any_of(
                           tree.children, [&](const Node& child) { return any_node(child, fits); });
}

bool mentions(const Node& tree, const std::string& name) {
  return any_node(tree, [&](const Node& node) {
    const std::string* field = lua::field_of(node, "ctx");
    return field && *field == name;
  });
}

bool uses_whole_context(const Node& tree) {
  std::set<const Node*> named;
  return any_node(tree, [&](const Node& node) {
    if (lua::field_of(node, "ctx")) named.insert(&node.children[0]);
    return node.is(Node::Kind::global, "ctx") && !named.contains(&node);
  });
}

bool reads_event(const Piece& piece, std::initializer_list<std::string_view> fields) {
  if (!piece.tree) return true;
  int events = 0;
  int other_fields = 0;
  lua::walk(*piece.tree, [&](const Node& node) {
    const std::string* field = lua::field_of(node, "event");
    events += node.is(Node::Kind::global, "event");
    other_fields += field && *field != "data" && !is_one_of(*field, fields);
  });
  return events > other_fields;
}

const std::string* asked_state(const Node& node) {
  return only_argument(node, "state_in");
}

const std::string* required_name(const Node& node) {
  return only_argument(node, "require");
}

bool names_action(const Node& node) {
  return node.kind == Node::Kind::global && is_one_of(node.text, {"raise", "send", "cancel"});
}

bool calls_action(const Node& node) {
  return node.kind == Node::Kind::call && names_action(node.children[0]);
}

const std::string* field_of_local(const Node& node, int declaration) {
  const bool fits = node.kind == Node::Kind::index && node.children[0].kind == Node::Kind::local &&
                    node.children[0].declaration == declaration;
  return fits ? lua::literal_text(node.children[1]) : nullptr;
}

void each_local(const Node& node, const std::function<void(int, const Node&)>& visit) {
  if (node.kind != Node::Kind::local_declaration) return;
  const std::size_t count = std::min(node.children.size(), node.declarations.size());
  for (std::size_t i = 0; i < count; ++i) visit(node.declarations[i], node.children[i]);
}

std::vector<const model::Template*> templates_of(const State& state) {
  std::vector<const model::Template*> all;
  if (const auto* ask = std::get_if<model::Ask>(&state.activity)) {
    all.push_back(&ask->question);
    for (const model::Option& option : ask->options) all.push_back(&option.label);
  } else if (const auto* program = std::get_if<model::Program>(&state.activity)) {
    for (const model::Template& argument : program->argv) all.push_back(&argument);
  } else if (const auto* git = std::get_if<model::WorkspaceOperation>(&state.activity)) {
    all = {&git->message, &git->into};
  }
  return all;
}

std::optional<std::string> literal(const model::Template& text) {
  std::string result;
  for (const model::Template::Part& part : text.parts) {
    if (part.code != none) return std::nullopt;
    result += part.text;
  }
  return result;
}

void each_result(const Node& node, const std::function<void(const Node&)>& visit) {
  if (node.is(Node::Kind::binary, "and")) return each_result(node.children[1], visit);
  if (node.is(Node::Kind::binary, "or")) {
    for (const Node& child : node.children) each_result(child, visit);
  } else if (node.kind == Node::Kind::index && node.children[0].kind == Node::Kind::table) {
    for (const Node& field : node.children[0].children) each_result(field.children.back(), visit);
  } else {
    visit(node);
  }
}

const std::string* unit_that_is_none(const Node& node) {
  const Node* end = &node;
  while (end->is(Node::Kind::binary, "..")) end = &end->children[1];
  const std::string* text = lua::literal_text(*end);
  if (!text || text->empty() || parse_duration(*text)) return nullptr;
  return end != &node && parse_duration("1" + *text) ? nullptr : text;
}

std::optional<std::map<std::string, const Node*>> written_fields(const Node& table) {
  std::map<std::string, const Node*> fields;
  for (const Node& field : table.children) {
    const std::string* name =
        field.children.size() == 2 ? lua::literal_text(field.children[0]) : nullptr;
    if (!name) return std::nullopt;
    fields[*name] = &field.children[1];
  }
  return fields;
}

std::span<const Node> assigned_to(const Node& node) {
  const bool assigns = node.kind == Node::Kind::assignment;
  return {node.children.data(), assigns ? node.targets : 0};
}

void each_assignment(const Node& tree, const std::function<void(const Assignment&)>& visit) {
  lua::walk(tree, [&](const Node& node) {
    if (node.kind != Node::Kind::assignment) return;
    const bool paired = node.targets * 2 == node.children.size();
    for (std::size_t i = 0; i < node.targets; ++i) {
      const std::string* name = lua::field_of(node.children[i], "ctx");
      const Node* value = paired ? &node.children[node.targets + i] : nullptr;
      if (name) visit({*name, node.children[i], value});
    }
  });
}

const model::Variable* variable_of(const Machine& machine, const Node& node) {
  if (const auto* variable = find(machine.context, lua::field_of(node, "ctx"))) return variable;
  return find(machine.inputs, lua::field_of(node, "inputs"));
}

const model::Variable* variable_of(const Machine& machine, std::string_view path) {
  const std::string_view text = trim(path);
  const std::size_t dot = std::min(text.find('.'), text.size());
  const std::string name(text.substr(std::min(dot + 1, text.size())));
  if (text.substr(0, dot) == "ctx") return find(machine.context, &name);
  return text.substr(0, dot) == "inputs" ? find(machine.inputs, &name) : nullptr;
}

bool names_word(const Machine& machine, std::string_view expression) {
  const model::Variable* variable = variable_of(machine, expression);
  return variable &&
         (variable->type.kind == TypeKind::integer || variable->type.kind == TypeKind::number ||
          variable->type.kind == TypeKind::boolean || variable->type.kind == TypeKind::choice);
}

bool are_disjoint(const Type& a, const Type& b) {
  const auto first = family(a);
  const auto second = family(b);
  if (!first || !second) return false;
  if (*first != *second) return true;
  if (a.kind == TypeKind::list && b.kind == TypeKind::list && a.element && b.element) {
    return are_disjoint(*a.element, *b.element);
  }
  return a.kind == TypeKind::choice && b.kind == TypeKind::choice &&
         std::ranges::none_of(a.choices, [&](const std::string& one) {
           return std::ranges::find(b.choices, one) != b.choices.end();
         });
}

bool is_no_choice(const Type& choice, const Node& node) {
  const std::string* text = lua::literal_text(node);
  return choice.kind == TypeKind::choice && text &&
         std::ranges::find(choice.choices, *text) == choice.choices.end();
}

}  // namespace agneto::lint
