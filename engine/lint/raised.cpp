#include "lint/raised.h"

#include <algorithm>

#include "lint/subject.h"

namespace agneto::lint {

namespace {

using lua::Node;

bool is_maker(const Node& node) {
  return node.kind == Node::Kind::global &&
         (node.text == "raise" || node.text == "send" || node.text == "cancel");
}

}  // namespace

RaisedEvents::RaisedEvents(const std::vector<Piece>& pieces) {
  for (const Piece& piece : pieces) {
    if (!piece.tree) continue;
    std::set<const Node*> called;
    lua::walk(*piece.tree, [&](const Node& node) {
      if (node.kind == Node::Kind::call && is_maker(node.children[0])) {
        called.insert(&node.children[0]);
        const Node* name = node.children.size() > 1 ? &node.children[1] : nullptr;
        all_.push_back(
            {&piece, &node, node.children[0].text, name ? lua::literal_text(*name) : nullptr});
      } else if (is_maker(node) && !called.contains(&node)) {
        all_.push_back({&piece, nullptr, node.text, nullptr});
      }
    });
  }
  for (const Raised& one : all_) {
    if (one.function == "cancel") continue;
    if (one.name) {
      names_.insert(*one.name);
    } else {
      unknown_ = true;
    }
  }
}

}  // namespace agneto::lint
