#include <limits>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lint/expressions.h"
#include "lint/rule.h"

namespace agneto::lint {

namespace {

using TypeKind = model::Type::Kind;

// `ctx.files[ctx.n]`, with that counter.
const Node* indexed_by(const Typed& lua, const std::string& counter, std::uint32_t before) {
  const Node* found = nullptr;
  lua::walk(lua.tree(), [&](const Node& node) {
    if (found || node.kind != Node::Kind::index || node.begin >= before) return;
    const std::string* key = lua::field_of(node.children[1], "ctx");
    const auto type = lua.certain(node.children[0]);
    if (key && *key == counter && type && type->kind == TypeKind::list) found = &node;
  });
  return found;
}

// Does it add to the counter itself?
bool counts_on(const Assignment& one) {
  if (!one.value || !one.value->is(Node::Kind::binary, "+")) return false;
  const std::string* name = lua::field_of(one.value->children[0], "ctx");
  return name && *name == one.name;
}

// The context entries that are an index somewhere.
std::set<std::string> indexes_of(const LintContext& context, const Machine& machine) {
  std::set<std::string> names;
  context.each_node(machine, [&](const Piece&, const Node& node) {
    if (node.kind != Node::Kind::index) return;
    if (const std::string* name = lua::field_of(node.children[1], "ctx")) names.insert(*name);
  });
  return names;
}

// The blocks that run one behind the other, wherever that is.
std::vector<std::vector<CodeId>> sequences_of(const Machine& machine) {
  std::vector<std::vector<CodeId>> all;
  for (const Transition& one : machine.transitions) all.push_back(one.actions);
  for (const State& state : machine.states) {
    all.push_back(state.entry);
    all.push_back(state.exit);
  }
  return all;
}

// Where the counter is an index before it is first counted on, wherever that is done; nothing where
// it may have become something else by then.
std::optional<std::pair<const Typed*, const Node*>> used_at_nought(
    const LintContext& context, const Machine& machine,
    const std::vector<std::vector<CodeId>>& sequences, const std::string& counter) {
  std::optional<std::pair<const Typed*, const Node*>> found;
  for (const std::vector<CodeId>& blocks : sequences) {
    std::optional<std::pair<const Typed*, const Node*>> index;
    bool counted = false;
    for (const CodeId code : blocks) {
      const Typed* lua = context.typed(machine, code);
      if (!lua || uses_whole_context(lua->tree())) return std::nullopt;
      std::optional<std::uint32_t> here;
      bool certain = true;
      each_assignment(lua->tree(), [&](const Assignment& one) {
        if (one.name != counter) return;
        certain = certain && counts_on(one) && !here && !counted;
        here = one.target.begin;
      });
      if (!certain) return std::nullopt;
      const std::uint32_t end = here.value_or(std::numeric_limits<std::uint32_t>::max());
      const Node* used = counted ? nullptr : indexed_by(*lua, counter, end);
      if (used && !index) index.emplace(lua, used);
      counted = counted || here;
    }
    if (counted && !index) return std::nullopt;
    if (counted && !found) found = index;
  }
  return found;
}

}  // namespace

extern const LintRule nought_index = {
    {"W322", "nought-index", "a counter that begins at 0, for an index",
     R"(The first of a list has the index 1 in Lua, and there is nothing at 0: the first time that comes to nil.
Begin with 1, or count on before the list is looked at.)"},
    [](const LintContext& context, const Machine& machine, const Reporter& report) {
      const std::set<std::string> indexes = indexes_of(context, machine);
      if (indexes.empty()) return;
      const auto sequences = sequences_of(machine);
      for (const model::Variable& variable : machine.context) {
        if (!indexes.contains(variable.name)) continue;
        if (!variable.initial || *variable.initial != Json(0)) continue;
        const auto used = used_at_nought(context, machine, sequences, variable.name);
        if (!used) continue;
        const auto& [lua, index] = *used;
        report(lua->place(*index),
               "this is nil the first time: ctx.{} begins at 0, and a list at 1", variable.name)
            .help("begin with 1, or count on before this")
            .related(variable.span, "it begins here");
      }
    }};

}  // namespace agneto::lint
