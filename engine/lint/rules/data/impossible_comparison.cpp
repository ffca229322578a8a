#include <fmt/format.h>

#include "base/text.h"
#include "lint/check.h"
#include "lint/static_type.h"

namespace agneto::lint {

namespace {

using lua::Node;

// `ctx.mode == "fats"` where no choice is "fats".
bool check_choice(const Piece& piece, const Node& name, const Node& value,
                  Diagnostics& diagnostics) {
  const model::Variable* variable = variable_of(*piece.machine, name);
  if (!variable || !is_no_choice(variable->type, value)) return false;
  diagnostics
      .warning(impossible_comparison.name, place(piece, value),
               fmt::format("'{}' is never \"{}\", which is none of its choices", variable->name,
                           value.text))
      .help = suggestion(value.text, variable->type.choices, "choices");
  return true;
}

void check(const Subject& subject, Diagnostics& diagnostics) {
  subject.each_node([&](const Piece& piece, const Node& node) {
    if (node.kind != Node::Kind::binary || (node.text != "==" && node.text != "~=")) return;
    const Node& left = node.children[0];
    const Node& right = node.children[1];
    if (check_choice(piece, left, right, diagnostics)) return;
    if (check_choice(piece, right, left, diagnostics)) return;
    const auto a = static_type(*piece.machine, left);
    const auto b = static_type(*piece.machine, right);
    if (!a || !b || !are_disjoint(*a, *b)) return;
    diagnostics
        .warning(impossible_comparison.name, place(piece, node),
                 fmt::format("a value of type {} never equals one of type {}", model::to_text(*a),
                             model::to_text(*b)))
        .help = "in Lua \"1\" and 1 differ; tonumber and tostring make one of the other";
  });
}

}  // namespace

const Check impossible_comparison = {"impossible-comparison", check};

}  // namespace agneto::lint
