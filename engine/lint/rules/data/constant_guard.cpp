#include <fmt/format.h>

#include "base/text.h"
#include "lint/rule.h"

namespace agneto::lint {

namespace {

bool is_constant(const Node& tree) {
  bool constant = true;
  lua::walk(tree, [&](const Node& node) {
    constant = constant && node.kind != Node::Kind::global && node.kind != Node::Kind::local &&
               node.kind != Node::Kind::varargs;
  });
  return constant;
}

}  // namespace

extern const LintRule constant_guard = {
    {"W306", "constant-guard", "a guard that does not depend on anything",
     R"(It is the same whatever happens: a transition with `true` is the same without it, one with `false` is
never taken, and a text or a number is always true. Perhaps it was put there to try something.)"},
    [](const LintContext& context, const Machine& machine, const Reporter& report) {
      for (const Transition& transition : machine.transitions) {
        if (transition.guard == none) continue;
        const Piece& piece = context.piece(machine, transition.guard);
        if (!piece.tree || !is_constant(*piece.tree)) continue;
        report(piece.code->span,
               fmt::format("the guard '{}' is always the same, whatever happens",
                           trim(piece.code->text)),
               "leave it out if it is true, the transition if it is false; a text is always true");
      }
    }};

}  // namespace agneto::lint
