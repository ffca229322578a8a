#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "lint/rule.h"

namespace agneto::lint {

namespace {

// X of `m.TABLE.X`, or without a table of `m.X`, where m is a local variable.
const std::string* hook_field_of(const Node& node, std::string_view table) {
  if (node.kind != Node::Kind::index) return nullptr;
  const Node& inner = node.children[0];
  if (table.empty()) {
    return inner.is(Node::Kind::local, "m") ? lua::literal_text(node.children[1]) : nullptr;
  }
  if (inner.kind != Node::Kind::index || !inner.children[0].is(Node::Kind::local, "m")) {
    return nullptr;
  }
  const std::string* name = lua::literal_text(inner.children[1]);
  return name && *name == table ? lua::literal_text(node.children[1]) : nullptr;
}

// Every variable of every machine.
std::vector<std::string> names(const Users& users, bool context) {
  std::set<std::string> result;
  for (const Machine* machine : users) {
    for (const model::Variable& one : context ? machine->context : machine->inputs) {
      result.insert(one.name);
    }
  }
  return {result.begin(), result.end()};
}

// What the engine gives every hook.
const std::map<std::string_view, std::vector<std::string>> given = {
    {"",
     {"attempt", "ctx", "inputs", "last_error", "run", "state", "task", "verdicts", "workspace"}},
    {"run", {"auto_merge", "id", "interactive"}},
    {"workspace", {"base", "chunk", "diff", "files", "head"}}};

void check_table(const Module& module, std::string_view table,
                 const std::vector<std::string>& known, const Reporter& report) {
  const std::string path = table.empty() ? "m" : fmt::format("m.{}", table);
  lua::walk(*module.tree, [&](const Node& node) {
    const std::string* name = hook_field_of(node, table);
    if (!name || std::ranges::find(known, *name) != known.end()) return;
    // A module may serve workflows that are not known, so that a name of its own is no mistake.
    const std::string near = closest(*name, known);
    if (near.empty()) return;
    report(place(module, node),
           given.contains(table)
               ? fmt::format("hooks are given no {}.{}", path, *name)
               : fmt::format("no machine that calls this agent has {}.{}", table, *name))
        .help("did you mean {}.{}?", path, near);
  });
}

}  // namespace

extern const LintRule hook_field = {
    {"W512", "hook-field", "a hook that reads a name which its machines do not have",
     R"(In a hook, `m.ctx` and `m.inputs` are those of the machine that calls the agent. A name that none of
them has, and that is nearly one they have, is a slip of the hand: it is nil, and the prompt lacks
it. The same goes for the fields of `m` itself, of `m.run` and of `m.workspace`. Where several
workflows are linted together, the machines of all that use the hook count.)"},
    [](const Module& module, const Users& users, const Reporter& report) {
      check_table(module, "ctx", names(users, true), report);
      check_table(module, "inputs", names(users, false), report);
      for (const auto& [table, known] : given) check_table(module, table, known, report);
    }};

}  // namespace agneto::lint
