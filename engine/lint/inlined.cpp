#include "lint/inlined.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "lint/expressions.h"

namespace agneto::lint {

namespace {

using Kind = Node::Kind;

constexpr std::size_t largest = 1000;  // nodes of what stands in the place of a call

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
  const Node* function = lua::function_in(piece.tree);
  if (!function) return formula;
  formula.parameters = function->declarations;
  if (function->children.size() != 1) return formula;
  const Node& statement = function->children[0];
  if (!statement.is(Kind::statement, "return") || statement.children.size() != 1) return formula;
  const Node& value = statement.children[0];
  const bool is_plain = !any_node(value, [](const Node& node) {
    return node.kind == Kind::function || node.kind == Kind::varargs;
  });
  if (is_plain) formula.value = &value;
  return formula;
}

// Each function is worked out once, with what it calls itself in it; a function that comes back to
// itself is left as a call there. So a copy is never larger than `largest`, and there is one for
// each call that is written.
class Inlining {
 public:
  explicit Inlining(std::map<std::string, Formula> formulas) : formulas_(std::move(formulas)) {}

  void replace(Node& node) {
    for (Node& child : node.children) replace(child);
    const bool calls = node.kind == Kind::call && node.children[0].kind == Kind::global;
    const auto found = calls ? formulas_.find(node.children[0].text) : formulas_.end();
    if (found == formulas_.end() || !found->second.value) return;
    const Formula& formula = found->second;
    if (node.children.size() != formula.parameters.size() + 1) return;
    const Node* whole = worked_out(found->first, formula);
    if (!whole || size_with(*whole, formula, node) > largest) return;
    Node value = *whole;
    fill(value, formula, node);
    node = std::move(value);
  }

 private:
  // Null while it is worked out itself.
  const Node* worked_out(const std::string& name, const Formula& formula) {
    const auto [known, is_new] = done_.try_emplace(name);
    if (is_new) {
      Node value = *formula.value;
      replace(value);
      done_[name] = std::move(value);
    }
    const auto& whole = done_[name];
    return whole ? &*whole : nullptr;
  }

  static const Node* argument(const Node& node, const Formula& formula, const Node& call) {
    const auto parameter = std::ranges::find(formula.parameters, node.declaration);
    if (node.kind != Kind::local || parameter == formula.parameters.end()) return nullptr;
    return &call.children[static_cast<std::size_t>(parameter - formula.parameters.begin()) + 1];
  }

  static std::size_t size_with(const Node& value, const Formula& formula, const Node& call) {
    std::vector<std::size_t> sizes;
    for (const Node& child : call.children) sizes.push_back(size_of(child));
    std::size_t size = 0;
    lua::walk(value, [&](const Node& node) {
      const Node* given = argument(node, formula, call);
      size += given ? sizes[static_cast<std::size_t>(given - call.children.data())] : 1;
    });
    return size;
  }

  static void fill(Node& node, const Formula& formula, const Node& call) {
    if (const Node* given = argument(node, formula, call)) {
      node = Node(*given);
      return;
    }
    node.begin = call.begin;
    node.end = call.end;
    for (Node& child : node.children) fill(child, formula, call);
  }

  const std::map<std::string, Formula> formulas_;
  std::map<std::string, std::optional<Node>> done_;
};

}  // namespace

void inline_functions(const Machine& machine, std::vector<Piece>& pieces) {
  if (machine.functions.empty()) return;
  std::map<std::string, Formula> formulas;
  for (const model::Binding& function : machine.functions) {
    formulas.emplace(function.name, formula_of(pieces[function.value]));
  }
  Inlining inlining(std::move(formulas));
  for (Piece& piece : pieces) {
    if (piece.tree && !model::is_function(*piece.code)) inlining.replace(*piece.tree);
  }
}

}  // namespace agneto::lint
