#include <fmt/format.h>

#include "lint/rule.h"

namespace agneto::lint {

namespace {

// The name at the left end of `a.b[c].d`, where it is global.
const Node* root(const Node& node) {
  const Node* at = &node;
  while (at->kind == Node::Kind::index) at = &at->children[0];
  return at->kind == Node::Kind::global ? at : nullptr;
}

}  // namespace

extern const LintRule read_only = {
    {"W309", "read-only", "an assignment to an input, an event or the run",
     R"(What a machine was given does not change while it runs; to assign it raises `error.lua`. What changes
belongs into `context`, which can begin as an input: `{type: string, init: inputs.task}`.)"},
    [](const Piece& piece, const Node& node, const Reporter& report) {
      if (node.kind != Node::Kind::assignment) return;
      for (std::size_t i = 0; i < node.targets; ++i) {
        const Node& target = node.children[i];
        const Node* name = target.kind == Node::Kind::index ? root(target) : nullptr;
        if (!name || (name->text != "inputs" && name->text != "event" && name->text != "run")) {
          continue;
        }
        report(place(piece, target),
               fmt::format("'{}' can be read and not be written, which is an error", name->text),
               "declare a name of its own under `context`, and assign that");
      }
    }};

}  // namespace agneto::lint
