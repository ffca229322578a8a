#include <fmt/format.h>

#include "base/text.h"
#include "lint/check.h"
#include "lint/static_type.h"

namespace agneto::lint {

namespace {

using lua::Node;

void check_value(const Piece& piece, const Node& target, const Node& value,
                 Diagnostics& diagnostics) {
  if (!lua::field_of(target, "ctx")) return;
  const model::Variable* variable = variable_of(*piece.machine, target);
  if (!variable) return;
  if (is_no_choice(variable->type, value)) {
    diagnostics
        .warning(wrong_assignment.name, place(piece, value),
                 fmt::format("\"{}\" is none of the choices of ctx.{}", value.text, variable->name))
        .help = suggestion(value.text, variable->type.choices, "choices");
    return;
  }
  const auto type = static_type(*piece.machine, value);
  if (!type || !are_disjoint(*type, variable->type)) return;
  Diagnostic& finding =
      diagnostics.warning(wrong_assignment.name, place(piece, value),
                          fmt::format("ctx.{} is of type {}, which this value never is",
                                      variable->name, model::to_text(variable->type)));
  finding.help = "the entry would keep its old value, and error.lua be raised";
  finding.related.push_back({variable->span, "it is declared here"});
}

void check(const Subject& subject, Diagnostics& diagnostics) {
  subject.each_node([&](const Piece& piece, const Node& node) {
    if (node.kind != Node::Kind::assignment || node.targets * 2 != node.children.size()) return;
    for (std::size_t i = 0; i < node.targets; ++i) {
      check_value(piece, node.children[i], node.children[node.targets + i], diagnostics);
    }
  });
}

}  // namespace

const Check wrong_assignment = {"wrong-assignment", check};

}  // namespace agneto::lint
