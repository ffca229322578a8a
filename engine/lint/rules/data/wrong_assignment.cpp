#include "base/text.h"
#include "lint/expressions.h"
#include "lint/rule.h"

namespace agneto::lint {

namespace {

using TypeKind = model::Type::Kind;

// The entry of the context, a list, to whose elements that name leads; null where there is none.
const model::Variable* list_of(const Typed& lua, const Node& name) {
  const model::Variable* list =
      lua::field_of(name, "ctx") ? variable_of(*lua.piece()->machine, name) : nullptr;
  return list && list->type.kind == TypeKind::list && list->type.element ? list : nullptr;
}

void check_element(const Typed& lua, const model::Variable& list, const Node& value,
                   const Reporter& report) {
  const auto type = lua.certain(value);
  const model::Type& element = *list.type.element;
  if (!is_no_choice(element, value) && !(type && are_disjoint(*type, element))) return;
  report(lua.place(value), "the elements of ctx.{} are of type {}, which this value never is",
         list.name, model::to_text(element))
      .help("the list would stay as it was, and error.lua be raised")
      .related(list.span, "it is declared here");
}

// `ctx.names = {1, 2}`
void check_elements(const Typed& lua, const model::Variable& list, const Node& table,
                    const Reporter& report) {
  for (const Node& field : table.children) {
    if (field.children.size() == 1) check_element(lua, list, field.children[0], report);
  }
}

// `ctx.names[1] = 3`, `table.insert(ctx.names, 3)`
void check_added(const Typed& lua, const Node& node, const Reporter& report) {
  if (node.kind == Node::Kind::assignment && node.targets == 1 && node.children.size() == 2) {
    const Node& target = node.children[0];
    const model::Variable* list =
        target.kind == Node::Kind::index ? list_of(lua, target.children[0]) : nullptr;
    if (list) check_element(lua, *list, node.children[1], report);
  } else if (node.kind == Node::Kind::call && node.children.size() > 2) {
    const std::string* function = lua::field_of(node.children[0], "table");
    const model::Variable* list =
        function && *function == "insert" ? list_of(lua, node.children[1]) : nullptr;
    if (list) check_element(lua, *list, node.children.back(), report);
  }
}

}  // namespace

extern const LintRule wrong_assignment = {
    {"W310", "wrong-assignment", "a value that a context entry's type does not allow",
     R"(Types are checked when the block ends: a value that does not fit is not taken, and `error.lua` is
raised. A choice takes the texts that it lists, and no other; a list takes elements of its type alone.)"},
    [](const Typed& lua, const Reporter& report) {
      if (!lua.piece()) return;
      lua::walk(lua.tree(), [&](const Node& node) { check_added(lua, node, report); });
      each_assignment(lua.tree(), [&](const Assignment& one) {
        const model::Variable* variable = variable_of(*lua.piece()->machine, one.target);
        if (!variable || !one.value) return;
        if (is_no_choice(variable->type, *one.value)) {
          report(lua.place(*one.value), "\"{}\" is none of the choices of ctx.{}", one.value->text,
                 variable->name)
              .help(suggestion(one.value->text, variable->type.choices, "choices"));
          return;
        }
        if (one.value->kind == Node::Kind::table && list_of(lua, one.target)) {
          return check_elements(lua, *variable, *one.value, report);
        }
        const auto type = lua.certain(*one.value);
        if (!type || !are_disjoint(*type, variable->type)) return;
        report(lua.place(*one.value), "ctx.{} is of type {}, which this value never is",
               variable->name, model::to_text(variable->type))
            .help("the entry would keep its old value, and error.lua be raised")
            .related(variable->span, "it is declared here");
      });
    }};

}  // namespace agneto::lint
