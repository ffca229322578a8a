#include <algorithm>
#include <unordered_map>
#include <utility>

#include "graph/picture.h"

namespace agneto::graph {
namespace {

using Nodes = std::unordered_map<std::string, const Node*>;

void add_all(const Node& node, Nodes& nodes) {
  nodes.emplace(node.id, &node);
  for (const Node& child : node.children) add_all(child, nodes);
}

bool is_alike(const Node& a, const Node& b) {
  return a.kind == b.kind && a.notes == b.notes && a.status == b.status && a.deep == b.deep &&
         a.machine == b.machine && a.start == b.start;
}

bool is_alike(const Arrow& a, const Arrow& b) {
  return a.from == b.from && a.to == b.to && a.trigger == b.trigger && a.guard == b.guard &&
         a.internal == b.internal;
}

// What is elsewhere now is drawn there.
Node removed(Node node, const Nodes& after) {
  node.change = Change::removed;
  std::vector<Node> children;
  for (Node& child : node.children) {
    if (!after.contains(child.id)) children.push_back(removed(std::move(child), after));
  }
  node.children = std::move(children);
  return node;
}

void compare_nodes(Node& node, const Nodes& before, const Nodes& after) {
  const auto was = before.find(node.id);
  if (was == before.end()) {
    node.change = Change::added;
  } else if (!is_alike(*was->second, node)) {
    node.change = Change::changed;
  }
  for (Node& child : node.children) compare_nodes(child, before, after);
  if (was == before.end()) return;
  for (const Node& child : was->second->children) {
    if (!after.contains(child.id)) node.children.push_back(removed(child, after));
  }
}

}  // namespace

std::string_view to_text(Change change) {
  constexpr std::string_view names[] = {"none", "added", "changed", "removed"};
  return names[static_cast<std::size_t>(change)];
}

Picture compare(const Picture& before, Picture after) {
  Nodes nodes_before;
  Nodes nodes_after;
  add_all(before.root, nodes_before);
  const Picture as_it_is = after;
  add_all(as_it_is.root, nodes_after);
  compare_nodes(after.root, nodes_before, nodes_after);

  std::vector<Arrow> left = before.arrows;
  for (Arrow& arrow : after.arrows) {
    const auto same =
        std::ranges::find_if(left, [&](const Arrow& one) { return is_alike(one, arrow); });
    if (same == left.end()) {
      arrow.change = Change::added;
    } else {
      left.erase(same);
    }
  }
  Nodes drawn;
  add_all(after.root, drawn);
  for (Arrow& arrow : left) {
    const bool has_ends =
        drawn.contains(arrow.from) &&
        std::ranges::all_of(arrow.to, [&](auto& id) { return drawn.contains(id); });
    if (!has_ends) continue;
    arrow.change = Change::removed;
    after.arrows.push_back(std::move(arrow));
  }
  after.compared = true;
  return after;
}

}  // namespace agneto::graph
