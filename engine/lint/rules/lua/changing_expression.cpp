#include <fmt/format.h>

#include "lint/check.h"

namespace agneto::lint {

namespace {

using lua::Node;

// `table.insert(ctx.X, …)` and the like.
void check(const Subject& subject, Diagnostics& diagnostics) {
  subject.each_node([&](const Piece& piece, const Node& node) {
    if (piece.code->kind != model::Code::Kind::expression) return;
    if (node.kind != Node::Kind::call || node.children.size() < 2) return;
    const std::string* function = lua::field_of(node.children[0], "table");
    if (!function || (*function != "insert" && *function != "remove" && *function != "sort"))
      return;
    const std::string* name = lua::field_of(node.children[1], "ctx");
    if (!name) return;
    diagnostics
        .warning(changing_expression.name, place(piece, node),
                 fmt::format("this changes ctx.{}, which an expression may not", *name))
        .help = fmt::format(
        "put it into `do`, `entry` or `exit`, or change a copy: "
        "{{table.unpack(ctx.{})}}",
        *name);
  });
}

}  // namespace

const Check changing_expression = {"changing-expression", check};

}  // namespace agneto::lint
