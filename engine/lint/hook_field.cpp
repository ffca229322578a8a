#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "lint/check.h"

namespace agneto::lint {

namespace {

using lua::Node;

// X of `m.TABLE.X`, where m is a local variable.
const std::string* hook_field_of(const Node& node, std::string_view table) {
  if (node.kind != Node::Kind::index) return nullptr;
  const Node& inner = node.children[0];
  if (inner.kind != Node::Kind::index || !inner.children[0].is(Node::Kind::local, "m"))
    return nullptr;
  const std::string* name = lua::literal_text(inner.children[1]);
  return name && *name == table ? lua::literal_text(node.children[1]) : nullptr;
}

// Every variable of every machine whose agents use the module.
std::vector<std::string> names(const Subject& subject, const Module& module, bool context) {
  std::set<std::string> result;
  for (const model::MachineId id : module.machines) {
    const model::Machine& machine = subject.system.machine(id);
    for (const model::Variable& one : context ? machine.context : machine.inputs) {
      result.insert(one.name);
    }
  }
  return {result.begin(), result.end()};
}

void check_table(const Subject& subject, const Module& module, std::string_view table,
                 Diagnostics& diagnostics) {
  const auto known = names(subject, module, table == "ctx");
  lua::walk(*module.tree, [&](const Node& node) {
    const std::string* name = hook_field_of(node, table);
    if (!name || std::find(known.begin(), known.end(), *name) != known.end()) return;
    // A module may serve other workflows too, so that a name of its own is no mistake.
    const std::string near = closest(*name, known);
    if (near.empty()) return;
    diagnostics
        .warning(hook_field.name, place(module, node),
                 fmt::format("no machine that calls this agent has {}.{}", table, *name))
        .help = fmt::format("did you mean m.{}.{}?", table, near);
  });
}

void check(const Subject& subject, Diagnostics& diagnostics) {
  for (const Module& module : subject.modules()) {
    if (!module.tree) continue;
    check_table(subject, module, "ctx", diagnostics);
    check_table(subject, module, "inputs", diagnostics);
  }
}

}  // namespace

const Check hook_field = {"hook-field", check};

}  // namespace agneto::lint
