#include "base/text.h"
#include "lint/expressions.h"
#include "lint/rule.h"

namespace agneto::lint {

namespace {

// `ctx.mode == "fats"` where no choice is "fats".
bool check_choice(const Piece& piece, const Node& name, const Node& value, const Reporter& report) {
  const model::Variable* variable = variable_of(*piece.machine, name);
  if (!variable || !is_no_choice(variable->type, value)) return false;
  report(place(piece, value), "'{}' is never \"{}\", which is none of its choices", variable->name,
         value.text)
      .help(suggestion(value.text, variable->type.choices, "choices"));
  return true;
}

// `ctx.owner == nil`: what is declared is null where it has no value.
bool check_nil(const Piece& piece, const Node& name, const Node& value, const Reporter& report) {
  const model::Variable* variable = variable_of(*piece.machine, name);
  if (!variable || value.kind != Node::Kind::nil) return false;
  report(place(piece, value), "'{}' is never nil: without a value it is null", variable->name)
      .help(variable->type.optional ? "compare it with null" : "its type allows no null either");
  return true;
}

}  // namespace

extern const LintRule impossible_comparison = {
    {"W311", "impossible-comparison", "a comparison of what can never be equal",
     R"(A text never equals a number, whatever is in it, and a choice never equals a text that it does not
list; nothing that is declared is `nil`, which is `null` here. The guard is the same for ever, mostly
because of a slip of the hand.)"},
    [](const Piece& piece, const Node& node, const Reporter& report) {
      if (node.kind != Node::Kind::binary || (node.text != "==" && node.text != "~=")) return;
      const Node& left = node.children[0];
      const Node& right = node.children[1];
      if (check_choice(piece, left, right, report)) return;
      if (check_choice(piece, right, left, report)) return;
      if (check_nil(piece, left, right, report) || check_nil(piece, right, left, report)) return;
      const auto a = static_type(*piece.machine, left);
      const auto b = static_type(*piece.machine, right);
      if (!a || !b || !are_disjoint(*a, *b)) return;
      report(place(piece, node), "a value of type {} never equals one of type {}",
             model::to_text(*a), model::to_text(*b))
          .help("in Lua \"1\" and 1 differ; tonumber and tostring make one of the other");
    }};

}  // namespace agneto::lint
