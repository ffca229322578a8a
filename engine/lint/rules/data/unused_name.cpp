#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "base/text.h"
#include "lint/check.h"

namespace agneto::lint {

namespace {

using lua::Node;
using model::Machine;

// The uses of `ctx.X`, or of `inputs.X`, in a machine and in the modules of its agents.
struct Uses {
  std::set<std::string> read;
  std::set<std::string> written;
  bool unknown = false;  // the whole table goes somewhere: everything in it may be read
};

// Is it `NAME.X` with a global NAME, or in a module `m.NAME.X`?
const std::string* used_field(const Node& node, std::string_view table, bool in_module) {
  if (node.kind != Node::Kind::index) return nullptr;
  const Node& what = node.children[0];
  const bool is_table = in_module ? what.kind == Node::Kind::index &&
                                        lua::literal_text(what.children[1]) &&
                                        *lua::literal_text(what.children[1]) == table
                                  : what.is(Node::Kind::global, table);
  return is_table ? lua::literal_text(node.children[1]) : nullptr;
}

bool is_table_itself(const Node& node, std::string_view table, bool in_module) {
  if (!in_module) return node.is(Node::Kind::global, table);
  return node.kind == Node::Kind::index && lua::literal_text(node.children[1]) &&
         *lua::literal_text(node.children[1]) == table;
}

bool is_in_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-';
}

// `{{TABLE.X}}` in a text, for which agneto.render puts the value. Where the text ends within it,
// as one that is put together, X may be any.
void find_uses_in_text(std::string_view text, std::string_view table, Uses& uses) {
  for (std::size_t at = text.find("{{"); at != text.npos; at = text.find("{{", at + 1)) {
    std::string_view rest = trim(text.substr(at + 2));
    if (!rest.starts_with(table)) continue;
    rest.remove_prefix(table.size());
    if (rest.starts_with('.')) {
      rest.remove_prefix(1);
      const auto end = std::find_if_not(rest.begin(), rest.end(), is_in_name);
      uses.unknown |= end == rest.end();
      uses.read.emplace(rest.begin(), end);
    } else if (rest = trim(rest); rest.empty() || rest.starts_with("}}")) {
      uses.unknown = true;
    }
  }
}

void find_uses(const Node& tree, std::string_view table, bool in_module, Uses& uses) {
  std::set<const Node*> accounted;  // tables of which a field is named
  std::set<const Node*> targets;
  lua::walk(tree, [&](const Node& node) {
    if (node.kind == Node::Kind::assignment) {
      for (std::size_t i = 0; i < node.targets; ++i) targets.insert(&node.children[i]);
    }
    if (const std::string* name = used_field(node, table, in_module)) {
      accounted.insert(&node.children[0]);
      (targets.contains(&node) ? uses.written : uses.read).insert(*name);
    }
    if (in_module && node.kind == Node::Kind::string) find_uses_in_text(node.text, table, uses);
    if (is_table_itself(node, table, in_module) && !accounted.contains(&node)) uses.unknown = true;
  });
}

Uses uses_of(const Subject& subject, const Machine& machine, std::string_view table) {
  Uses uses;
  for (const Piece& piece : subject.pieces(machine)) {
    if (piece.tree) find_uses(*piece.tree, table, false, uses);
  }
  for (const Module& module : subject.modules()) {
    const auto& users = module.machines;
    if (std::find(users.begin(), users.end(), machine.id) == users.end()) continue;
    if (!module.tree || !module.complete) uses.unknown = true;
    if (module.tree) find_uses(*module.tree, table, true, uses);
  }
  return uses;
}

void check_context(const Subject& subject, Diagnostics& diagnostics) {
  for (const Machine& machine : subject.system.machines) {
    const Uses uses = uses_of(subject, machine, "ctx");
    if (uses.unknown) continue;
    for (const model::Variable& variable : machine.context) {
      if (uses.read.contains(variable.name)) continue;
      const bool written = uses.written.contains(variable.name);
      diagnostics
          .warning(unused_context.name, variable.span,
                   fmt::format("ctx.{} is {}", variable.name,
                               written ? "assigned and never read" : "never used"))
          .help = written ? "remove it, or give it back under `outputs`" : "remove it";
    }
  }
}

void check_inputs(const Subject& subject, Diagnostics& diagnostics) {
  for (const Machine& machine : subject.system.machines) {
    const Uses uses = uses_of(subject, machine, "inputs");
    if (uses.unknown) continue;
    for (const model::Variable& variable : machine.inputs) {
      if (uses.read.contains(variable.name)) continue;
      diagnostics
          .warning(unused_input.name, variable.span,
                   fmt::format("the input '{}' is never used", variable.name))
          .help = "remove it, and from the `with` of those who give it";
    }
  }
}

}  // namespace

const Check unused_context = {"unused-context", check_context};
const Check unused_input = {"unused-input", check_inputs};

}  // namespace agneto::lint
