#include <functional>

#include "base/text.h"
#include "lint/expressions.h"
#include "lint/rule.h"

namespace agneto::lint {

namespace {

using Kind = model::Type::Kind;

// Visits what decides by being true or false, and not by its value: the guard, and what `not`,
// `and` and `or` in it join.
void each_condition(const Node& node, const std::function<void(const Node&)>& visit) {
  const bool joins = node.is(Node::Kind::unary, "not") || node.is(Node::Kind::binary, "and") ||
                     node.is(Node::Kind::binary, "or");
  if (!joins) return visit(node);
  for (const Node& child : node.children) each_condition(child, visit);
}

// What the value is, where every value of that kind is true in Lua.
std::string always_true(const Machine& machine, const Node& node) {
  if (const model::Variable* variable = variable_of(machine, node)) {
    const bool varies = variable->type.kind == Kind::boolean || variable->type.kind == Kind::any;
    return varies ? "" : fmt::format("a value of type {}", model::to_text(variable->type));
  }
  if (node.kind != Node::Kind::unary && node.kind != Node::Kind::binary) return "";
  const auto type = static_type(machine, node);
  return type && type->kind != Kind::boolean ? fmt::format("a {}", model::to_text(*type)) : "";
}

void check_conditions(const Piece& piece, const Reporter& report) {
  each_condition(expression(piece), [&](const Node& node) {
    const std::string what = always_true(*piece.machine, node);
    if (what.empty()) return;
    report(place(piece, node),
           "{} is true in Lua, whatever it is: also 0, \"\", an empty list and null", what)
        .help("compare it, as in ctx.count > 0, ctx.text ~= \"\", #ctx.list > 0, ctx.name ~= null");
  });
}

}  // namespace

extern const LintRule constant_guard = {
    {"W306", "constant-guard", "a guard that does not depend on anything",
     R"(It is the same whatever happens: a transition with `true` is the same without it, one with `false` is
never taken. In Lua everything but `false` and `nil` is true: each number, also 0, each text, also
`""`, each list, and `null`.)"},
    [](const LintContext& context, const Machine& machine, const Reporter& report) {
      for (const Piece& piece : context.pieces(machine)) {
        if (piece.code->what != "guard") continue;
        const bool depends = !piece.tree || any_node(*piece.tree, [](const Node& node) {
          return node.kind == Node::Kind::global || node.kind == Node::Kind::local ||
                 node.kind == Node::Kind::varargs;
        });
        if (depends) {
          if (piece.tree) check_conditions(piece, report);
          continue;
        }
        report(piece.code->span, "the guard '{}' is always the same, whatever happens",
               trim(piece.code->text))
            .help(
                "leave it out if it is true, the transition if it is false; a text is always true");
      }
    }};

}  // namespace agneto::lint
