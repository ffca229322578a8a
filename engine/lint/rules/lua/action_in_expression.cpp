#include <fmt/format.h>

#include "lint/check.h"

namespace agneto::lint {

namespace {

using lua::Node;

void check(const Subject& subject, Diagnostics& diagnostics) {
  subject.each_node([&](const Piece& piece, const Node& node) {
    if (piece.code->kind != model::Code::Kind::expression || node.kind != Node::Kind::call) return;
    const Node& function = node.children[0];
    const bool acts = function.is(Node::Kind::global, "raise") ||
                      function.is(Node::Kind::global, "send") ||
                      function.is(Node::Kind::global, "cancel");
    if (!acts) return;
    diagnostics
        .warning(action_in_expression.name, place(piece, node),
                 fmt::format("'{}' in '{}', which may only look, is an error", function.text,
                             piece.code->what))
        .help = "put it into `do`, `entry` or `exit`";
  });
}

}  // namespace

const Check action_in_expression = {"action-in-expression", check};

}  // namespace agneto::lint
