#include "lint/falls_off.h"

#include <algorithm>
#include <set>
#include <span>

#include "lint/expressions.h"

namespace agneto::lint {

namespace {

using Kind = Node::Kind;

// `if` … `elseif` … without an `else`.
bool is_open_if(const Node& node) {
  return node.is(Kind::statement, "if") && node.children.size() % 2 == 0;
}

// Adds what a path is compared with: X in `PATH == X`, and in several of these with `or`. False
// where the condition is another, or of another path.
bool add_compared(const Typed& lua, const Node& condition, const Node*& path,
                  std::set<std::string>& values) {
  if (condition.is(Kind::binary, "or")) {
    return add_compared(lua, condition.children[0], path, values) &&
           add_compared(lua, condition.children[1], path, values);
  }
  if (!condition.is(Kind::binary, "==")) return false;
  const Node& value = condition.children[1];
  if (value.kind != Kind::string && value.kind != Kind::number) return false;
  if (path && lua.text(*path) != lua.text(condition.children[0])) return false;
  path = &condition.children[0];
  values.insert(value.text);
  return true;
}

// Is it certain that all of the conditions can be false?
bool leave_out(const Typed& lua, const std::vector<const Node*>& conditions) {
  const Node* path = nullptr;
  std::set<std::string> values;
  const bool is_switch = std::ranges::all_of(
      conditions, [&](const Node* one) { return add_compared(lua, *one, path, values); });
  if (!is_switch) return conditions.size() == 1 && !conditions.front()->is(Kind::unary, "not");
  const Facts facts = lua.facts(*path);
  const bool counts = facts.known && (facts.type.kind == model::Type::Kind::integer ||
                                      facts.type.kind == model::Type::Kind::number);
  return counts || std::ranges::any_of(facts.type.choices, [&](const std::string& choice) {
           return !values.contains(choice);
         });
}

const Node* falls_off(const Typed& lua, std::span<const Node> statements);

// Does no branch of it come to its end?
bool branches_end(const Typed& lua, const Node& node) {
  return std::ranges::none_of(node.children, [&](const Node& child) {
    return child.kind == Kind::block && falls_off(lua, child.children);
  });
}

const Node* falls_off(const Typed& lua, std::span<const Node> statements) {
  if (statements.empty()) return nullptr;
  const Node& last = statements.back();
  if (last.kind == Kind::assignment || last.kind == Kind::local_declaration) return &last;
  if (last.kind != Kind::statement) return nullptr;  // a call may raise an error
  if (last.text == "do" && last.children.size() == 1) {
    return falls_off(lua, last.children.front().children);
  }
  if (last.text != "if") return nullptr;
  for (const Node& child : last.children) {
    const Node* inner =
        child.kind == Kind::block ? falls_off(lua, std::span<const Node>(child.children)) : nullptr;
    if (inner) return inner;
  }
  if (!is_open_if(last)) return nullptr;
  // Those before it that return may leave it nothing else.
  std::vector<const Node*> conditions;
  for (const Node& statement : statements) {
    if (!is_open_if(statement) || !branches_end(lua, statement)) continue;
    for (std::size_t i = 0; i < statement.children.size(); i += 2) {
      conditions.push_back(&statement.children[i]);
    }
  }
  return leave_out(lua, conditions) ? &last : nullptr;
}

}  // namespace

const Node* falls_off(const Typed& lua, const Node& function) {
  return falls_off(lua, std::span<const Node>(function.children));
}

}  // namespace agneto::lint
