#include "lint/explore/slice.h"

#include <algorithm>

#include "lint/expressions.h"
#include "lint/transitions.h"

namespace agneto::lint {

namespace {

class Slice {
 public:
  Slice(const LintContext& context, const Machine& machine)
      : context_(context), machine_(machine) {}

  void begin(CodeId code) {
    const Piece& piece = context_.piece(machine_, code);
    if (!piece.tree) return;
    add(*piece.tree);
    lua::walk(*piece.tree, [&](const Node& node) {
      const std::string* asked = asked_state(node);
      const StateId state = asked ? machine_.find(*asked) : none;
      if (state == none) return;
      for (const Transition& transition : machine_.transitions) {
        const bool leads_there = std::ranges::any_of(transition.targets, [&](StateId target) {
          return is_inside(machine_, target, state) || is_inside(machine_, state, target);
        });
        if (leads_there) add_code(transition.guard);
      }
    });
  }

  std::set<std::string> closed() {
    for (std::size_t before = SIZE_MAX; before != names_.size();) {
      before = names_.size();
      for (const Piece& piece : context_.pieces(machine_)) {
        if (piece.tree && assigns(*piece.tree)) add(*piece.tree);
      }
      for (const Transition& transition : machine_.transitions) {
        const bool counts = std::ranges::any_of(transition.actions, [&](CodeId code) {
          const Piece& piece = context_.piece(machine_, code);
          return piece.tree && assigns(*piece.tree);
        });
        if (counts) add_code(transition.guard);
      }
    }
    return std::move(names_);
  }

 private:
  bool assigns(const Node& tree) const {
    return any_node(tree, [&](const Node& node) {
      return std::ranges::any_of(assigned_to(node), [&](const Node& target) {
        const std::string* name = lua::field_of(target, "ctx");
        return name && names_.contains(*name);
      });
    });
  }

  void add_code(CodeId code) {
    if (code == none) return;
    const Piece& piece = context_.piece(machine_, code);
    if (piece.tree) add(*piece.tree);
  }

  // What is assigned alone does not matter.
  void add(const Node& node) {
    if (const std::string* name = lua::field_of(node, "ctx")) names_.insert(*name);
    const std::size_t targets = assigned_to(node).size();
    for (std::size_t i = targets; i < node.children.size(); ++i) add(node.children[i]);
  }

  const LintContext& context_;
  const Machine& machine_;
  std::set<std::string> names_;
};

}  // namespace

std::set<std::string> looked_at(const LintContext& context, const Machine& machine,
                                const model::Invariant& invariant) {
  Slice slice(context, machine);
  slice.begin(invariant.code);
  if (invariant.after != none) slice.begin(invariant.after);
  return slice.closed();
}

}  // namespace agneto::lint
