#include <fmt/format.h>

#include <set>

#include "lint/expressions.h"
#include "lint/falls_off.h"
#include "lint/hook_functions.h"
#include "lint/rule.h"

namespace agneto::lint {

namespace {

// Local variables that hold a table from their declaration on, and nothing else ever.
std::set<int> tables_in(const Node& tree) {
  std::set<int> tables;
  lua::walk(tree, [&](const Node& node) {
    each_local(node, [&](int variable, const Node& value) {
      if (value.kind == Node::Kind::table) tables.insert(variable);
    });
  });
  lua::walk(tree, [&](const Node& node) {
    for (const Node& target : assigned_to(node)) {
      if (target.kind == Node::Kind::local) tables.erase(target.declaration);
    }
  });
  return tables;
}

// A function that is called for its value, or for an error, returns one somewhere.
bool returns_nothing(const Node& function) {
  bool returns = false;
  each_return(function, [&](const Node& node) { returns |= !node.children.empty(); });
  return !returns &&
         !any_node(function, [](const Node& node) { return node.is(Node::Kind::global, "error"); });
}

// Is it a call of one of the module's functions that returns nothing?
bool comes_to_nothing(const Typed& lua, const Node& value) {
  if (value.kind != Node::Kind::call) return false;
  const Node& function = lua.origin(value.children[0]);
  return function.kind == Node::Kind::function && returns_nothing(function);
}

void check(const Typed& lua, std::string_view name, const std::string& what,
           const Reporter& report) {
  const std::set<int> tables = tables_in(lua.tree());
  for (const Node* function : hook_functions(lua.tree(), name)) {
    bool returns = false, fails = false;
    const Node* bare = nullptr;  // the last `return` of nothing
    each_return(*function, [&](const Node& node) {
      if (node.children.empty()) {
        bare = &node;
        return;
      }
      returns = true;
      const Node& value = node.children[0];
      const bool is_table = value.kind == Node::Kind::table ||
                            (value.kind == Node::Kind::local && tables.contains(value.declaration));
      if (comes_to_nothing(lua, value)) {
        report(lua.place(value), "'{}' returns nothing, and with it this `{}`",
               lua.text(value.children[0]), name)
            .help("return in it {}", what);
      } else if (is_table) {
        report(lua.place(value), "this `{}` returns a table", name).help("return {}", what);
      }
    });
    lua::walk(*function, [&](const Node& node) { fails |= node.is(Node::Kind::global, "error"); });
    if (fails) continue;
    if (returns) {
      // A `parse` that returns nothing says that the reply is none.
      if (name != "prompt") continue;
      const Node* last = bare ? bare : falls_off(lua, *function);
      if (last) {
        report(lua.place(*last), "this `{}` may come to its end and return nothing", name)
            .help("return {} on every way", what);
      }
      continue;
    }
    report(lua.place(*function), "this `{}` returns nothing", name).help("return {}", what);
  }
}

}  // namespace

extern const LintRule silent_hook = {
    {"W515", "silent-hook", "a `prompt` or `parse` that does not return what is expected of it",
     R"(What `prompt` returns is the text that the agent is asked, and what `parse` returns is the name of its
verdict. A function that makes one and does not return it gives nil, and the call fails; so does a `prompt`
that returns it on some ways and comes to its end on others.)"},
    [](const Typed& lua, const Reporter& report) {
      if (lua.piece()) return;
      check(lua, "prompt", "the text that the agent is asked, as agneto.join makes it of several",
            report);
      check(lua, "parse", "the verdict's name and its fields", report);
    }};

}  // namespace agneto::lint
