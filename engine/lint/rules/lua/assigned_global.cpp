#include <fmt/format.h>

#include "lint/check.h"

namespace agneto::lint {

namespace {

using lua::Node;

template <typename Where>
void check_node(const Where& where, const Node& node, bool in_module, Diagnostics& diagnostics) {
  if (node.kind != Node::Kind::assignment) return;
  for (std::size_t i = 0; i < node.targets; ++i) {
    const Node& target = node.children[i];
    if (target.kind != Node::Kind::global || target.text == "_ENV") continue;
    diagnostics
        .warning(assigned_global.name, place(where, target),
                 fmt::format("'{}' is global, and to assign it is an error", target.text))
        .help = in_module ? fmt::format("write `local {}`", target.text)
                          : fmt::format(
                                "for a while: local {}; to keep it: ctx.{}, declared under "
                                "`context`",
                                target.text, target.text);
  }
}

void check(const Subject& subject, Diagnostics& diagnostics) {
  subject.each_node(
      [&](const Piece& piece, const Node& node) { check_node(piece, node, false, diagnostics); });
  for (const Module& module : subject.modules()) {
    if (!module.tree) continue;
    lua::walk(*module.tree, [&](const Node& node) { check_node(module, node, true, diagnostics); });
  }
}

}  // namespace

const Check assigned_global = {"assigned-global", check};

}  // namespace agneto::lint
