#include <algorithm>
#include <cctype>
#include <set>

#include "base/text.h"
#include "lint/expressions.h"
#include "lint/rule.h"

namespace agneto::lint {

namespace {

// The uses of `ctx.X`, or of `inputs.X`, in a machine and in the modules of its agents.
struct NameUses {
  std::set<std::string> read;
  std::set<std::string> written;
  bool unknown = false;  // the whole table goes somewhere: everything in it may be read
};

// Is it the table, a global one or in a module `m.TABLE`?
bool is_table(const Node& node, std::string_view table, bool in_module) {
  if (!in_module) return node.is(Node::Kind::global, table);
  return node.kind == Node::Kind::index && node.children[1].is(Node::Kind::string, table);
}

bool is_in_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-';
}

// `{{TABLE.X}}` in a text, for which agneto.render puts the value. Where the text ends within it,
// as one that is put together, X may be any.
void find_uses_in_text(std::string_view text, std::string_view table, NameUses& uses) {
  for (std::size_t at = text.find("{{"); at != text.npos; at = text.find("{{", at + 1)) {
    std::string_view rest = trim(text.substr(at + 2));
    if (!rest.starts_with(table)) continue;
    rest.remove_prefix(table.size());
    if (rest.starts_with('.')) {
      rest.remove_prefix(1);
      const auto end = std::ranges::find_if_not(rest, is_in_name);
      uses.unknown |= end == rest.end();
      uses.read.emplace(rest.begin(), end);
    } else if (rest = trim(rest); rest.empty() || rest.starts_with("}}")) {
      uses.unknown = true;
    }
  }
}

void find_uses(const Node& tree, std::string_view table, bool in_module, NameUses& uses) {
  std::set<const Node*> accounted;  // tables of which a field is named
  std::set<const Node*> targets;
  lua::walk(tree, [&](const Node& node) {
    for (const Node& target : assigned_to(node)) targets.insert(&target);
    const bool is_field =
        node.kind == Node::Kind::index && is_table(node.children[0], table, in_module);
    if (const std::string* name = is_field ? lua::literal_text(node.children[1]) : nullptr) {
      accounted.insert(&node.children[0]);
      (targets.contains(&node) ? uses.written : uses.read).insert(*name);
    }
    if (in_module && node.kind == Node::Kind::string) find_uses_in_text(node.text, table, uses);
    if (is_table(node, table, in_module) && !accounted.contains(&node)) uses.unknown = true;
  });
}

NameUses uses_of(const LintContext& context, const Machine& machine, std::string_view table) {
  NameUses uses;
  for (const Piece& piece : context.pieces(machine)) {
    if (piece.tree) find_uses(*piece.tree, table, false, uses);
  }
  for (const Module& module : context.modules()) {
    const auto& users = module.machines;
    if (std::ranges::find(users, machine.id) == users.end()) continue;
    if (!module.tree || !module.complete) uses.unknown = true;
    if (module.tree) find_uses(*module.tree, table, true, uses);
  }
  return uses;
}

}  // namespace

extern const LintRule unused_context = {
    {"W312", "unused-context", "a context entry that nothing reads",
     R"(Guards, actions, templates, outputs and the hooks of the machine's agents were looked through. An entry
that is assigned and never read may be meant for `outputs`, without which it is gone with the
machine.)"},
    [](const LintContext& context, const Machine& machine, const Reporter& report) {
      const NameUses uses = uses_of(context, machine, "ctx");
      if (uses.unknown) return;
      for (const model::Variable& variable : machine.context) {
        if (uses.read.contains(variable.name)) continue;
        const bool written = uses.written.contains(variable.name);
        report(variable.span, "ctx.{} is {}", variable.name,
               written ? "assigned and never read" : "never used")
            .help(written ? "remove it, or give it back under `outputs`" : "remove it");
      }
    }};

extern const LintRule unused_input = {
    {"W313", "unused-input", "an input that nothing reads",
     R"(The input is asked for in vain. Guards, actions, templates, outputs, what is passed
on and the hooks of the machine's agents, with the templates in them, were looked through.)"},
    [](const LintContext& context, const Machine& machine, const Reporter& report) {
      const NameUses uses = uses_of(context, machine, "inputs");
      if (uses.unknown) return;
      for (const model::Variable& variable : machine.inputs) {
        if (uses.read.contains(variable.name)) continue;
        report(variable.span, "the input '{}' is never used", variable.name)
            .help("remove it, and from the `with` of those who give it");
      }
    }};

}  // namespace agneto::lint
