#include <fmt/format.h>

#include "lint/check.h"

namespace agneto::lint {

namespace {

using lua::Node;

// The name at the left end of `a.b[c].d`, where it is global.
const Node* root(const Node& node) {
  const Node* at = &node;
  while (at->kind == Node::Kind::index) at = &at->children[0];
  return at->kind == Node::Kind::global ? at : nullptr;
}

void check(const Subject& subject, Diagnostics& diagnostics) {
  subject.each_node([&](const Piece& piece, const Node& node) {
    if (node.kind != Node::Kind::assignment) return;
    for (std::size_t i = 0; i < node.targets; ++i) {
      const Node& target = node.children[i];
      const Node* name = target.kind == Node::Kind::index ? root(target) : nullptr;
      if (!name || (name->text != "inputs" && name->text != "event" && name->text != "run"))
        continue;
      diagnostics
          .warning(
              read_only.name, place(piece, target),
              fmt::format("'{}' can be read and not be written, which is an error", name->text))
          .help = "declare a name of its own under `context`, and assign that";
    }
  });
}

}  // namespace

const Check read_only = {"read-only", check};

}  // namespace agneto::lint
