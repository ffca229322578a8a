#include <map>
#include <optional>
#include <set>

#include "base/text.h"
#include "lint/expressions.h"
#include "lint/rule.h"

namespace agneto::lint {

namespace {

// The names that a table constructor has; nothing where one is worked out.
std::optional<std::set<std::string>> names_of(const Node& table) {
  std::set<std::string> names;
  for (const Node& field : table.children) {
    if (field.children.size() != 2) continue;  // of a list
    const std::string* key = lua::literal_text(field.children[0]);
    if (!key) return std::nullopt;
    names.insert(*key);
  }
  return names;
}

// How often the module itself returns; functions in it are not counted.
int count_returns(const Node& node) {
  int count = node.is(Node::Kind::statement, "return") ? 1 : 0;
  for (const Node& child : node.children) {
    if (child.kind != Node::Kind::function) count += count_returns(child);
  }
  return count;
}

// What the module's table has: the one it returns, or a local one that it fills and returns.
// Nothing where that cannot be seen, as the table is given to something else.
std::optional<std::set<std::string>> members(const Node& tree) {
  if (count_returns(tree) != 1) return std::nullopt;
  const Node& last = tree.children.back();
  if (!last.is(Node::Kind::statement, "return") || last.children.size() != 1) return std::nullopt;
  const Node& result = last.children[0];
  if (result.kind == Node::Kind::table) return names_of(result);
  if (result.kind != Node::Kind::local) return std::nullopt;

  std::optional<std::set<std::string>> names;
  int uses = 0;        // of the local table
  int understood = 1;  // what is returned
  lua::walk(tree, [&](const Node& node) {
    if (node.kind == Node::Kind::local && node.declaration == result.declaration) ++uses;
    if (node.kind == Node::Kind::local_declaration && node.children.size() == 1 &&
        node.declarations == std::vector<int>{result.declaration} &&
        node.children[0].kind == Node::Kind::table) {
      names = names_of(node.children[0]);
    }
    if (field_of_local(node, result.declaration)) ++understood;
  });
  if (!names || uses != understood) return std::nullopt;
  lua::walk(tree, [&](const Node& node) {
    for (const Node& target : assigned_to(node)) {
      if (const std::string* key = field_of_local(target, result.declaration)) names->insert(*key);
    }
  });
  return names;
}

// Looks at one module's uses of those that it requires.
class MemberUses {
 public:
  MemberUses(const LintContext& context, const Module& module) : module_(module) {
    lua::walk(*module.tree, [&](const Node& node) {
      each_local(node, [&](int variable, const Node& value) {
        if (const std::string* name = required_name(value)) variables_[variable] = *name;
      });
      const std::string* name = required_name(node);
      if (!name || known_.contains(*name)) return;
      const Module* required = context.required(module, *name);
      known_[*name] = required && required->tree ? members(*required->tree) : std::nullopt;
    });
    // What is assigned is there from then on; a variable that is assigned is something else.
    lua::walk(*module.tree, [&](const Node& node) {
      for (const Node& target : assigned_to(node)) {
        const Node& what = target.kind == Node::Kind::index ? target.children[0] : target;
        if (what.kind == Node::Kind::local) variables_.erase(what.declaration);
      }
    });
  }

  void check(const Reporter& report) const {
    lua::walk(*module_.tree, [&](const Node& node) {
      if (node.kind != Node::Kind::index && node.kind != Node::Kind::method) return;
      const std::string* member =
          node.kind == Node::Kind::method ? &node.text : lua::literal_text(node.children[1]);
      const std::string* name = module_name(node.children[0]);
      if (!member || !name) return;
      const auto& names = known_.at(*name);
      if (!names || names->contains(*member)) return;
      report(place(module_, node), "the module '{}' has no '{}'", *name, *member)
          .help(suggestion(*member, {names->begin(), names->end()}, "names"));
    });
  }

 private:
  const std::string* module_name(const Node& node) const {
    if (node.kind != Node::Kind::local) return required_name(node);
    const auto variable = variables_.find(node.declaration);
    return variable == variables_.end() ? nullptr : &variable->second;
  }

  const Module& module_;
  std::map<int, std::string> variables_;  // by declaration: the module that it holds
  std::map<std::string, std::optional<std::set<std::string>>> known_;  // what modules have
};

}  // namespace

extern const LintRule undefined_member = {
    {"W514", "undefined-member", "a name that a required module does not have",
     R"(A module is the table that its file returns. Another name of it is nil, and to call that raises an error
in the middle of a run, when the hook gets there. Nothing is said of modules whose table is not
plain to see.)"},
    [](const LintContext& context, const Reporter& report) {
      for (const Module& module : context.modules()) {
        if (module.tree) MemberUses(context, module).check(report);
      }
    }};

}  // namespace agneto::lint
