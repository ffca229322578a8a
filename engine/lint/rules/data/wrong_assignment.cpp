#include <fmt/format.h>

#include "base/text.h"
#include "lint/expressions.h"
#include "lint/rule.h"

namespace agneto::lint {

namespace {

void check_value(const Piece& piece, const Node& target, const Node& value,
                 const Reporter& report) {
  if (!lua::field_of(target, "ctx")) return;
  const model::Variable* variable = variable_of(*piece.machine, target);
  if (!variable) return;
  if (is_no_choice(variable->type, value)) {
    report(place(piece, value),
           fmt::format("\"{}\" is none of the choices of ctx.{}", value.text, variable->name),
           suggestion(value.text, variable->type.choices, "choices"));
    return;
  }
  const auto type = static_type(*piece.machine, value);
  if (!type || !are_disjoint(*type, variable->type)) return;
  report(place(piece, value),
         fmt::format("ctx.{} is of type {}, which this value never is", variable->name,
                     model::to_text(variable->type)),
         "the entry would keep its old value, and error.lua be raised")
      .related = {{variable->span, "it is declared here"}};
}

}  // namespace

extern const LintRule wrong_assignment = {
    {"W310", "wrong-assignment", "a value that a context entry's type does not allow",
     R"(Types are checked when the block ends: a value that does not fit is not taken, and `error.lua` is
raised. A choice takes the texts that it lists, and no other.)"},
    [](const Piece& piece, const Node& node, const Reporter& report) {
      if (node.kind != Node::Kind::assignment || node.targets * 2 != node.children.size()) return;
      for (std::size_t i = 0; i < node.targets; ++i) {
        check_value(piece, node.children[i], node.children[node.targets + i], report);
      }
    }};

}  // namespace agneto::lint
