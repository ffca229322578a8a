#include <set>

#include "lint/expressions.h"
#include "lint/rule.h"

namespace agneto::lint {

namespace {

// Does the expression come to the same each time, unless one of its local variables is assigned?
// Methods of texts, and functions of Lua's own libraries, look at nothing else.
bool is_settled(const Typed& lua, const Node& node, std::set<int>& variables) {
  if (node.kind == Node::Kind::local) variables.insert(node.declaration);
  const bool looks_elsewhere =
      node.kind == Node::Kind::global ||
      (node.kind == Node::Kind::index && !lua.facts(node).known) ||
      (node.kind == Node::Kind::call && !lua::field_of(node.children[0], "string"));
  if (node.kind == Node::Kind::method) {
    const auto type = lua.certain(node.children[0]);
    if (!type || type->kind != model::Type::Kind::string) return false;
  }
  if (looks_elsewhere) return false;
  const bool is_call = node.kind == Node::Kind::call;
  for (std::size_t i = is_call ? 1 : 0; i < node.children.size(); ++i) {
    if (!is_settled(lua, node.children[i], variables)) return false;
  }
  return true;
}

// Is the loop left otherwise, or one of the variables changed in it?
bool goes_on(const Node& body, const std::set<int>& variables) {
  return any_node(body, [&](const Node& node) {
    for (const Node& target : assigned_to(node)) {
      if (target.kind == Node::Kind::local && variables.contains(target.declaration)) return true;
    }
    return node.is(Node::Kind::statement, "break") || node.is(Node::Kind::statement, "return") ||
           node.is(Node::Kind::statement, "goto") || node.is(Node::Kind::global, "error") ||
           node.is(Node::Kind::global, "assert");
  });
}

}  // namespace

extern const LintRule endless_loop = {
    {"W517", "endless-loop", "a loop that nothing in it ends",
     R"(What `while` asks is the same each time around: nothing in the loop assigns a variable that it looks
at, and nothing leaves it. Lua is stopped in the end, and the hook's call, or the action, fails.)"},
    [](const Typed& lua, const Reporter& report) {
      lua::walk(lua.tree(), [&](const Node& node) {
        if (!node.is(Node::Kind::statement, "while")) return;
        std::set<int> variables;
        const Node& condition = node.children[0];
        if (!is_settled(lua, condition, variables) || goes_on(node.children[1], variables)) return;
        report(lua.place(condition), "nothing in this loop changes what it asks")
            .help("move on in it, or leave it with `break`");
      });
    }};

}  // namespace agneto::lint
