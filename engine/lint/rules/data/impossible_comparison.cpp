#include <fmt/format.h>

#include "base/text.h"
#include "lint/expressions.h"
#include "lint/rule.h"
#include "model/values.h"

namespace agneto::lint {

namespace {

using TypeKind = model::Type::Kind;

bool orders(std::string_view op) {
  return op == "<" || op == "<=" || op == ">" || op == ">=";
}

bool is_path(const Node& node) {
  return node.kind == Node::Kind::index || node.kind == Node::Kind::local ||
         node.kind == Node::Kind::global;
}

// `ctx.mode == "fats"` where no choice is "fats".
bool check_choice(const Typed& lua, const Node& name, const Node& value, const Reporter& report) {
  const Facts facts = is_path(name) ? lua.facts(name) : Facts();
  if (!facts.known || !is_no_choice(facts.type, value)) return false;
  report(lua.place(value), "{} is never \"{}\", which is none of its choices", lua.text(name),
         value.text)
      .help(suggestion(value.text, facts.type.choices, "choices"));
  return true;
}

// Is the same path compared with null somewhere in it, which so is thought of?
bool is_compared_with_null(const Typed& lua, std::string_view path) {
  return any_node(lua.tree(), [&](const Node& node) {
    return node.kind == Node::Kind::binary && node.children[1].is(Node::Kind::global, "null") &&
           lua.text(node.children[0]) == path;
  });
}

// `ctx.owner == nil`: what is declared is null where it has no value.
bool check_nil(const Typed& lua, const Node& name, const Node& value, const Reporter& report) {
  if (value.kind != Node::Kind::nil || name.kind != Node::Kind::index) return false;
  const Facts facts = lua.facts(name);
  if (!facts.known || facts.may_be_nil || is_compared_with_null(lua, lua.text(name))) return false;
  report(lua.place(value), "{} is never nil: without a value it is null", lua.text(name))
      .help(facts.type.optional || facts.type.kind == TypeKind::any
                ? "compare it with null"
                : "its type allows no null either");
  return true;
}

// `event.name == "Take it"`: what no event can be called.
bool check_name(const Typed& lua, const Node& name, const Node& value, const Reporter& report) {
  const std::string* field = lua::field_of(name, "event");
  const std::string* text = lua::literal_text(value);
  if (!field || *field != "name" || !text || model::is_name(*text, true)) return false;
  report(lua.place(value), "event.name is never \"{}\", which is no event's name", *text)
      .help("the event of an answer has the name of its option, and not its label");
  return true;
}

// `ctx.list == {}`: a table equals itself alone, whatever is in it.
bool check_table(const Typed& lua, const Node& name, const Node& value, const Reporter& report) {
  if (value.kind != Node::Kind::table) return false;
  const Node& shown = is_path(name) ? name : value;
  report(lua.place(value),
         "nothing equals a table that is made here: tables are compared by identity")
      .help(value.children.empty() && is_path(name)
                ? fmt::format("a list is empty where #{} == 0", lua.text(shown))
                : "compare what is in it");
  return true;
}

// `m.attempt >= m.inputs.max_rounds`
void check_attempt(const Typed& lua, const Node& node, const Reporter& report) {
  for (const std::size_t side : {0, 1}) {
    const std::string_view other = lua.text(node.children[1 - side]);
    if (lua.text(node.children[side]) != "m.attempt") continue;
    if (!other.starts_with("m.inputs.") && !other.starts_with("m.ctx.")) continue;
    report(lua.place(node),
           "m.attempt counts the tries of one call, and not how often it is called")
        .help("count the rounds in ctx, and compare m.ctx.NAME with {}", other);
  }
}

// `event.status == 0` where a program failed, `event.status == 1` where it did not.
bool check_number(const Typed& lua, const Node& name, const Node& value, const Reporter& report) {
  if (value.kind != Node::Kind::number || !is_path(name)) return false;
  const Facts facts = lua.facts(name);
  const bool is_other = !facts.only.empty() && facts.only != value.text;
  if (!is_other && (facts.never.empty() || facts.never != value.text)) return false;
  report(lua.place(value), "{} is never {} here", lua.text(name), value.text)
      .help("a program ends in `ok` where its status is 0, and in `failed` where it is not");
  return true;
}

void check_types(const Typed& lua, const Node& node, const Reporter& report) {
  const Facts left = lua.facts(node.children[0]);
  const Facts right = lua.facts(node.children[1]);
  // Where one of them may be nothing, it does not equal what the other certainly is, either.
  const bool is_certain = left.certain() || right.certain();
  if (!left.known || !right.known || !is_certain || !are_disjoint(left.type, right.type)) return;
  // not a == b
  const bool negates = node.children[0].is(Node::Kind::unary, "not");
  report(lua.place(node), "a value of type {} never equals one of type {}",
         model::to_text(left.type), model::to_text(right.type))
      .help(negates ? "`not` comes before the comparison: write a ~= b, or not (a == b)"
                    : "in Lua \"1\" and 1 differ; tonumber and tostring make one of the other");
}

}  // namespace

extern const LintRule impossible_comparison = {
    {"W311", "impossible-comparison", "a comparison of what can never be equal",
     R"(A text never equals a number, whatever is in it, and a choice never equals a text that it does not
list; nothing that is declared is `nil`, which is `null` here. The guard is the same for ever, mostly
because of a slip of the hand. Hooks are looked at, too: `m.attempt` is a number, the try of this call, and what was not set
in `m.ctx` is null.)"},
    [](const Typed& lua, const Reporter& report) {
      lua::walk(lua.tree(), [&](const Node& node) {
        if (node.kind != Node::Kind::binary) return;
        if (orders(node.text) || node.text == "==") check_attempt(lua, node, report);
        if (node.text != "==" && node.text != "~=") return;
        const Node& left = node.children[0];
        const Node& right = node.children[1];
        for (const auto check : {check_choice, check_nil, check_name, check_table, check_number}) {
          if (check(lua, left, right, report) || check(lua, right, left, report)) return;
        }
        check_types(lua, node, report);
      });
    }};

}  // namespace agneto::lint
