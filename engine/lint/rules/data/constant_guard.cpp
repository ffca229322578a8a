#include <functional>

#include "base/text.h"
#include "lint/expressions.h"
#include "lint/rule.h"

namespace agneto::lint {

namespace {

using TypeKind = model::Type::Kind;

// Visits what decides by being true or false, and not by its value: the guard, and what `not`,
// `and` and `or` in it join.
void each_condition(const Node& node, const std::function<void(const Node&)>& visit) {
  const bool joins = node.is(Node::Kind::unary, "not") || node.is(Node::Kind::binary, "and") ||
                     node.is(Node::Kind::binary, "or");
  if (!joins) return visit(node);
  for (const Node& child : node.children) each_condition(child, visit);
}

// What the value is, where every value of that kind is true in Lua.
std::string always_true(const Typed& lua, const Node& node) {
  if (node.kind == Node::Kind::string) return "a text";
  if (node.kind == Node::Kind::number) return "a number";
  const Facts facts = lua.facts(node);
  if (!facts.is_true() || node.kind == Node::Kind::table) return "";
  // A hook asks whether there is anything, and would be as right without.
  const bool empty_matters = lua.piece() || facts.type.optional || facts.starts_empty;
  return empty_matters ? fmt::format("a value of type {}", model::to_text(facts.type)) : "";
}

// Is the path compared with something anywhere in it, by one who knows?
bool is_compared(const Typed& lua, std::string_view path) {
  return any_node(lua.tree(), [&](const Node& node) {
    return node.kind == Node::Kind::binary && (node.text == "==" || node.text == "~=") &&
           (lua.text(node.children[0]) == path || lua.text(node.children[1]) == path);
  });
}

void check_condition(const Typed& lua, const Node& condition, const Reporter& report) {
  each_condition(condition, [&](const Node& node) {
    const std::string what = always_true(lua, node);
    if (what.empty() || (!lua.piece() && is_compared(lua, lua.text(node)))) return;
    report(lua.place(node),
           "{} is true in Lua, whatever it is: also 0, \"\", an empty list and null", what)
        .help("compare it, as in ctx.count > 0, ctx.text ~= \"\", #ctx.list > 0, ctx.name ~= null");
  });
}

// What `if` asks in statements; of several conditions each is followed by a block.
void check_ifs(const Typed& lua, const Reporter& report) {
  lua::walk(lua.tree(), [&](const Node& node) {
    if (!node.is(Node::Kind::statement, "if")) return;
    for (const Node& child : node.children) {
      if (child.kind != Node::Kind::block) check_condition(lua, child, report);
    }
  });
}

void check_guard(const Typed& lua, const Reporter& report) {
  const bool depends = any_node(lua.tree(), [](const Node& node) {
    return node.kind == Node::Kind::global || node.kind == Node::Kind::local ||
           node.kind == Node::Kind::varargs;
  });
  if (depends) return check_condition(lua, lua.value(), report);
  const model::Code& code = *lua.piece()->code;
  report(code.span, "the {} '{}' is always the same, whatever happens",
         code.what == "when" ? "condition" : "guard", trim(code.text))
      .help("leave it out if it is true, the {} if it is false; a text is always true",
            code.what == "when" ? "option" : "transition");
}

}  // namespace

extern const LintRule constant_guard = {
    {"W306", "constant-guard", "a condition that does not depend on anything",
     R"(It is the same whatever happens: a transition with `true` is the same without it, one with `false` is
never taken. So is an option's `when`. In Lua everything but `false` and `nil` is true: each number, also 0, each text, also
`""`, each list, and `null`. The same goes for what `if` asks in actions and in hooks.)"},
    [](const Typed& lua, const Reporter& report) {
      const bool decides = lua.piece() && is_one_of(lua.piece()->code->what, {"guard", "when"});
      if (decides) return check_guard(lua, report);
      check_ifs(lua, report);
    }};

}  // namespace agneto::lint
