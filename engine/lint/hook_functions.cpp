#include "lint/hook_functions.h"

#include <map>
#include <set>
#include <string>
#include <utility>

#include "lint/expressions.h"

namespace agneto::lint {

namespace {

class Found {
 public:
  Found(const Node& tree, std::string_view name) : name_(name) {
    if (tree.children.empty()) return;
    const Node& last = tree.children.back();
    if (!last.is(Node::Kind::statement, "return") || last.children.empty()) return;
    for (const Node& statement : tree.children) {
      each_local(statement, [&](int variable, const Node& value) { held_[variable] = &value; });
    }
    const Node& result = last.children[0];
    if (result.kind == Node::Kind::table) add_table(result);
    if (result.kind == Node::Kind::local) add_assigned(tree, result.declaration);
  }

  std::vector<const Node*> take() { return std::move(all_); }

 private:
  const Node& value(const Node& node) const {
    const auto held = node.kind == Node::Kind::local ? held_.find(node.declaration) : held_.end();
    return held == held_.end() ? node : *held->second;
  }

  void add(const Node& node) {
    if (value(node).kind == Node::Kind::function) all_.push_back(&value(node));
  }

  void add_table(const Node& table) {
    if (!added_.insert(&table).second) return;
    for (const Node& field : table.children) {
      const std::string* key =
          field.children.size() == 2 ? lua::literal_text(field.children[0]) : nullptr;
      if (!key) continue;
      if (*key == name_) add(field.children[1]);
      if (*key != "tasks" || value(field.children[1]).kind != Node::Kind::table) continue;
      for (const Node& task : value(field.children[1]).children) {
        if (task.children.size() == 2 && value(task.children[1]).kind == Node::Kind::table) {
          add_table(value(task.children[1]));
        }
      }
    }
  }

  // function M.NAME(…) … end
  void add_assigned(const Node& tree, int module) {
    if (const auto held = held_.find(module); held != held_.end()) add_table(*held->second);
    for (const Node& statement : tree.children) {
      if (statement.kind != Node::Kind::assignment || statement.children.size() != 2) continue;
      const std::string* key = field_of_local(statement.children[0], module);
      if (key && *key == name_) add(statement.children[1]);
    }
  }

  const std::string_view name_;
  std::map<int, const Node*> held_;  // by declaration: what a local variable holds from the start
  std::set<const Node*> added_;      // tables
  std::vector<const Node*> all_;
};

}  // namespace

std::vector<const Node*> hook_functions(const Node& module, std::string_view name) {
  return Found(module, name).take();
}

void each_return(const Node& node, const std::function<void(const Node&)>& visit) {
  for (const Node& child : node.children) {
    if (child.kind == Node::Kind::function) continue;
    if (child.is(Node::Kind::statement, "return")) visit(child);
    each_return(child, visit);
  }
}

}  // namespace agneto::lint
