#include "lint/rule.h"

namespace agneto::lint {

extern const LintRule changing_expression = {
    {"W509", "changing-expression", "an expression that changes the context",
     R"(A guard, a template or an output says what is so. What it changed is put back, and `error.lua` is
raised. Sort or extend a copy, or do it in an action.)"},
    // `table.insert(ctx.X, …)` and the like.
    [](const Piece& piece, const Node& node, const Reporter& report) {
      if (piece.code->kind != model::Code::Kind::expression) return;
      if (node.kind != Node::Kind::call || node.children.size() < 2) return;
      const std::string* function = lua::field_of(node.children[0], "table");
      if (!function || (*function != "insert" && *function != "remove" && *function != "sort")) {
        return;
      }
      const std::string* name = lua::field_of(node.children[1], "ctx");
      if (!name) return;
      report(place(piece, node), "this changes ctx.{}, which an expression may not", *name)
          .help("put it into `do`, `entry` or `exit`, or change a copy: {{table.unpack(ctx.{})}}",
                *name);
    }};

}  // namespace agneto::lint
