#include "base/text.h"
#include "lint/expressions.h"
#include "lint/rule.h"

namespace agneto::lint {

extern const LintRule constant_guard = {
    {"W306", "constant-guard", "a guard that does not depend on anything",
     R"(It is the same whatever happens: a transition with `true` is the same without it, one with `false` is
never taken, and a text or a number is always true. Perhaps it was put there to try something.)"},
    [](const LintContext& context, const Machine& machine, const Reporter& report) {
      for (const Piece& piece : context.pieces(machine)) {
        if (piece.code->what != "guard") continue;
        const bool depends = !piece.tree || any_node(*piece.tree, [](const Node& node) {
          return node.kind == Node::Kind::global || node.kind == Node::Kind::local ||
                 node.kind == Node::Kind::varargs;
        });
        if (depends) continue;
        report(piece.code->span, "the guard '{}' is always the same, whatever happens",
               trim(piece.code->text))
            .help(
                "leave it out if it is true, the transition if it is false; a text is always true");
      }
    }};

}  // namespace agneto::lint
