#include "lint/expressions.h"
#include "lint/rule.h"

namespace agneto::lint {

extern const LintRule action_in_expression = {
    {"W508", "action-in-expression", "`raise`, `send` or `cancel` in an expression",
     R"(A guard may be asked more than once, or not at all, so that it only looks. What does something belongs
into `do`, `entry` or `exit`; in an expression it raises `error.lua`.)"},
    [](const Piece& piece, const Node& node, const Reporter& report) {
      if (piece.code->kind != model::Code::Kind::expression || !calls_action(node)) return;
      report(place(piece, node), "'{}' in '{}', which may only look, is an error",
             node.children[0].text, piece.code->what)
          .help("put it into `do`, `entry` or `exit`");
    }};

}  // namespace agneto::lint
