#include "lint/explore/saturation.h"

#include <algorithm>

#include "lint/explore/abstract_lua.h"
#include "lint/expressions.h"

namespace agneto::lint {

namespace {

using Kind = Node::Kind;

class CounterUses {
 public:
  CounterUses(const std::string& name, const std::map<std::string, std::int64_t>& known)
      : name_(name), known_(known) {}

  // Is every use in there one of those?
  bool fit(const Node& node) {
    if (is_name(node)) return false;
    if (node.kind == Kind::assignment) return fits_assignment(node);
    if (is_comparison(node)) {
      for (const bool swapped : {false, true}) {
        if (is_name(node.children[swapped ? 1 : 0])) {
          return is_constant(node.children[swapped ? 0 : 1]);
        }
      }
    }
    return std::ranges::all_of(node.children, [&](const Node& child) { return fit(child); });
  }

  std::int64_t greatest() const { return greatest_; }

 private:
  bool is_name(const Node& node) const {
    const std::string* name = lua::field_of(node, "ctx");
    return name && *name == name_;
  }

  static bool is_comparison(const Node& node) {
    return node.kind == Kind::binary && is_one_of(node.text, {"==", "~=", "<", ">", "<=", ">="});
  }

  // Notes it.
  bool is_constant(const Node& node) {
    if (node.kind == Kind::number) {
      greatest_ = std::max(greatest_, whole_number(node.text).number);
      return true;
    }
    const std::string* input = lua::field_of(node, "inputs");
    if (!input) return false;
    const auto value = known_.find(*input);
    if (value != known_.end()) greatest_ = std::max(greatest_, value->second);
    return true;
  }

  bool fits_assignment(const Node& node) {
    if (node.targets * 2 != node.children.size()) {
      return std::ranges::all_of(node.children,
                                 [&](const Node& child) { return is_name(child) || fit(child); });
    }
    for (std::size_t i = 0; i < node.targets; ++i) {
      const Node& target = node.children[i];
      const Node& value = node.children[node.targets + i];
      if (!is_name(target) && !fit(target)) return false;
      if (!(is_name(target) && counts_up(value)) && !fit(value)) return false;
    }
    return true;
  }

  bool counts_up(const Node& value) const {
    if (!value.is(Kind::binary, "+")) return false;
    const Node& left = value.children[0];
    const Node& right = value.children[1];
    return (is_name(left) && right.kind == Kind::number) ||
           (left.kind == Kind::number && is_name(right));
  }

  const std::string& name_;
  const std::map<std::string, std::int64_t>& known_;
  std::int64_t greatest_ = 0;
};

}  // namespace

std::optional<std::int64_t> most_told_apart(const LintContext& context, const Machine& machine,
                                            const std::string& name,
                                            const std::map<std::string, std::int64_t>& known) {
  CounterUses uses(name, known);
  for (const Piece& piece : context.pieces(machine)) {
    if (!piece.tree || is_shown_alone(piece.code->what)) continue;
    if (!uses.fit(*piece.tree)) return std::nullopt;
  }
  return uses.greatest() + 1;
}

bool is_shown_alone(const std::string& what) {
  return !is_one_of(what, {"guard", "when", "do", "entry", "exit", "init"}) &&
         !model::is_of_invariant(what) && !what.starts_with("with.") &&
         !what.starts_with("outputs.");
}

}  // namespace agneto::lint
