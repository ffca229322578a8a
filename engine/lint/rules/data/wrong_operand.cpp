#include <fmt/format.h>

#include "lint/expressions.h"
#include "lint/rule.h"

namespace agneto::lint {

namespace {

using Kind = model::Type::Kind;

bool is_text(const model::Type& type) {
  return type.kind == Kind::string || type.kind == Kind::choice;
}
bool is_number(const model::Type& type) {
  return type.kind == Kind::integer || type.kind == Kind::number;
}
bool is_table(const model::Type& type) {
  return type.kind == Kind::list || type.kind == Kind::map;
}

// Why the operator fails on that operand; empty: it does not, as far as one can tell.
std::string why_not(const std::string& op, bool unary, const model::Type& type) {
  const std::string what = model::to_text(type);
  if (op == "#") {
    return is_text(type) || is_table(type) ? ""
                                           : fmt::format("a value of type {} has no length", what);
  }
  if (op == "..") {
    return is_text(type) || is_number(type)
               ? ""
               : fmt::format("'..' cannot join a value of type {}", what);
  }
  const bool calculates =
      op == "+" || op == "*" || op == "/" || op == "//" || op == "%" || op == "^" || op == "-";
  // Lua makes a number of a text that looks like one.
  if (calculates && (is_table(type) || type.kind == Kind::boolean)) {
    return fmt::format("'{}' cannot calculate with a value of type {}", op, what);
  }
  const bool orders = !unary && (op == "<" || op == "<=" || op == ">" || op == ">=");
  if (orders && (is_table(type) || type.kind == Kind::boolean)) {
    return fmt::format("'{}' cannot order a value of type {}", op, what);
  }
  return "";
}

void check_order(const Piece& piece, const Node& node, const Reporter& report) {
  const auto a = static_type(*piece.machine, node.children[0]);
  const auto b = static_type(*piece.machine, node.children[1]);
  if (!a || !b || !((is_text(*a) && is_number(*b)) || (is_number(*a) && is_text(*b)))) return;
  report(place(piece, node), "a value of type {} cannot be ordered with one of type {}",
         model::to_text(*a), model::to_text(*b))
      .help("in Lua \"1\" and 1 differ; tonumber and tostring make one of the other");
}

// `ctx.list.length`
void check_field(const Piece& piece, const Node& node, const Reporter& report) {
  const model::Variable* variable = variable_of(*piece.machine, node.children[0]);
  const std::string* field = lua::literal_text(node.children[1]);
  if (!variable || !field || variable->type.kind != Kind::list) return;
  report(place(piece, node), "the list '{}' has no field '{}': this is nil", variable->name, *field)
      .help("#ctx.list is its length; table.insert(ctx.list, value) adds to it");
}

}  // namespace

extern const LintRule wrong_operand = {
    {"W317", "wrong-operand", "an operator on a value that it fails on",
     R"(Lua has no order of texts and numbers, no length of a number, and `..` joins texts and numbers alone. In
a guard the error counts as false; in an action what it would have set stays as it was.)"},
    [](const Piece& piece, const Node& node, const Reporter& report) {
      if (node.kind == Node::Kind::index) return check_field(piece, node, report);
      const bool unary = node.kind == Node::Kind::unary;
      if (!unary && node.kind != Node::Kind::binary) return;
      for (const Node& operand : node.children) {
        const auto type = static_type(*piece.machine, operand);
        const std::string why = type ? why_not(node.text, unary, *type) : "";
        if (why.empty()) continue;
        report(place(piece, operand), why).help("is another value meant, or another operator?");
        return;
      }
      if (!unary &&
          (node.text == "<" || node.text == "<=" || node.text == ">" || node.text == ">=")) {
        check_order(piece, node, report);
      }
    }};

}  // namespace agneto::lint
