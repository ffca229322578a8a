#include <fmt/format.h>

#include "base/text.h"
#include "lint/check.h"

namespace agneto::lint {

namespace {

using lua::Node;

bool is_constant(const Node& tree) {
  bool constant = true;
  lua::walk(tree, [&](const Node& node) {
    constant = constant && node.kind != Node::Kind::global && node.kind != Node::Kind::local &&
               node.kind != Node::Kind::varargs;
  });
  return constant;
}

void check(const Subject& subject, Diagnostics& diagnostics) {
  for (const model::Machine& machine : subject.system.machines) {
    for (const model::Transition& transition : machine.transitions) {
      if (transition.guard == model::none) continue;
      const Piece& piece = subject.piece(machine, transition.guard);
      if (!piece.tree || !is_constant(*piece.tree)) continue;
      diagnostics
          .warning(constant_guard.name, piece.code->span,
                   fmt::format("the guard '{}' is always the same, whatever happens",
                               trim(piece.code->text)))
          .help =
          "leave it out if it is true, the transition if it is false; a text is always true";
    }
  }
}

}  // namespace

const Check constant_guard = {"constant-guard", check};

}  // namespace agneto::lint
