#include "lint/inlined.h"

#include <algorithm>
#include <map>
#include <string>

#include "lint/expressions.h"

namespace agneto::lint {

namespace {

using Kind = Node::Kind;

// A function calls others, which call others; and a value is copied to each place of its parameter.
constexpr int most_nested = 10;
constexpr std::size_t largest = 1000;  // nodes

struct Formula {
  std::vector<int> parameters;
  const Node* value = nullptr;
};

std::size_t size_of(const Node& node) {
  std::size_t size = 0;
  lua::walk(node, [&](const Node&) { ++size; });
  return size;
}

// What the function gives back, where that is all that it does; else without a value.
Formula formula_of(const Piece& piece) {
  Formula formula;
  if (!piece.tree || expression(piece).kind != Kind::function) return formula;
  const Node& function = expression(piece);
  formula.parameters = function.declarations;
  if (function.children.size() != 1) return formula;
  const Node& only = function.children[0];
  const Node& statement =
      only.kind == Kind::block && only.children.size() == 1 ? only.children[0] : only;
  if (!statement.is(Kind::statement, "return") || statement.children.size() != 1) return formula;
  const Node& value = statement.children[0];
  const bool is_plain = !any_node(value, [](const Node& node) {
    return node.kind == Kind::function || node.kind == Kind::varargs;
  });
  if (is_plain) formula.value = &value;
  return formula;
}

class Inlining {
 public:
  explicit Inlining(std::map<std::string, Formula> formulas) : formulas_(std::move(formulas)) {}

  void replace(Node& node, int depth = 0) const {
    for (Node& child : node.children) replace(child, depth);
    const bool calls = node.kind == Kind::call && node.children[0].kind == Kind::global;
    const auto found = calls ? formulas_.find(node.children[0].text) : formulas_.end();
    if (found == formulas_.end() || !found->second.value || depth == most_nested) return;
    const Formula& formula = found->second;
    if (node.children.size() != formula.parameters.size() + 1) return;
    Node value = *formula.value;
    fill(value, formula, node);
    replace(value, depth + 1);
    if (size_of(value) <= largest) node = std::move(value);
  }

 private:
  static void fill(Node& node, const Formula& formula, const Node& call) {
    const auto parameter = std::ranges::find(formula.parameters, node.declaration);
    if (node.kind == Kind::local && parameter != formula.parameters.end()) {
      node = call.children[static_cast<std::size_t>(parameter - formula.parameters.begin()) + 1];
      return;
    }
    node.begin = call.begin;
    node.end = call.end;
    for (Node& child : node.children) fill(child, formula, call);
  }

  std::map<std::string, Formula> formulas_;
};

}  // namespace

void inline_functions(const Machine& machine, std::vector<Piece>& pieces) {
  if (machine.functions.empty()) return;
  std::map<std::string, Formula> formulas;
  for (const model::Binding& function : machine.functions) {
    formulas.emplace(function.name, formula_of(pieces[function.value]));
  }
  const Inlining inlining(std::move(formulas));
  for (Piece& piece : pieces) {
    if (piece.tree && !model::is_function(*piece.code)) inlining.replace(*piece.tree);
  }
}

}  // namespace agneto::lint
