#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "lint/check.h"
#include "lint/explore/explorations.h"

namespace agneto::lint {

namespace {

using lua::Node;
using model::Machine;
using Kind = Node::Kind;

// Does every assignment to the counter that is made of its old value count up? Where some count
// down, it is not clear on which side the bound is.
bool counts_up(const Subject& subject, const Machine& machine, const std::string& counter) {
  bool up = false;
  bool down = false;
  for (const Piece& piece : subject.pieces(machine)) {
    if (!piece.tree) continue;
    lua::walk(*piece.tree, [&](const Node& node) {
      if (node.kind != Kind::assignment || node.targets * 2 != node.children.size()) return;
      for (std::size_t i = 0; i < node.targets; ++i) {
        const std::string* name = lua::field_of(node.children[i], "ctx");
        const Node& value = node.children[node.targets + i];
        if (!name || *name != counter || value.kind != Kind::binary) continue;
        up = up || value.text == "+";
        down = down || value.text == "-";
      }
    });
  }
  return up && !down;
}

struct Bound {
  const std::string* counter = nullptr;
  bool reached_if = false;  // what the comparison is once the counter has come to the bound
};

// A counter that is compared with a number or an input.
std::optional<Bound> bound_of(const Node& node) {
  const bool less = node.text == "<" || node.text == "<=";
  for (const bool swapped : {false, true}) {
    const Node& counter = node.children[swapped ? 1 : 0];
    const Node& bound = node.children[swapped ? 0 : 1];
    const std::string* name = lua::field_of(counter, "ctx");
    const bool fixed = bound.kind == Kind::number || lua::field_of(bound, "inputs");
    if (name && fixed) return Bound{name, less == swapped};
  }
  return std::nullopt;
}

bool is_reached(const Compared& seen, const Bound& bound) {
  return bound.reached_if ? seen.was_true : seen.was_false;
}

// Is the comparison known to be one-sided without regard to inputs? Then a transition is dead, and
// another rule says so.
bool is_said(const Subject& subject, const Piece& piece, const Node& node) {
  if (piece.code->what != "guard") return false;
  const Exploration& found = subject.exploration(*piece.machine);
  const auto seen = found.comparisons.find(&node);
  return found.complete() && seen != found.comparisons.end() && !seen->second.was_unknown;
}

void check_piece(const Subject& subject, const Piece& piece, const Exploration& found,
                 Diagnostics& diagnostics) {
  lua::walk(*piece.tree, [&](const Node& node) {
    const auto seen = found.comparisons.find(&node);
    if (seen == found.comparisons.end() || seen->second.was_unknown) return;
    const auto bound = bound_of(node);
    if (!bound) return;
    if (is_reached(seen->second, *bound) || is_said(subject, piece, node)) return;
    if (!counts_up(subject, *piece.machine, *bound->counter)) return;
    // Small numbers may stand in each other's way.
    const Exploration& all = subject.exploration(*piece.machine, Numbers::defaults);
    const auto as_given = all.comparisons.find(&node);
    if (!all.complete() || as_given == all.comparisons.end()) return;
    if (is_reached(as_given->second, *bound)) return;
    diagnostics
        .warning(unreached_bound.name, place(piece, node),
                 fmt::format("ctx.{} never comes to this bound", *bound->counter))
        .help = fmt::format(
        "all {} configurations of the machine were explored, with the defaults of its inputs; is "
        "it set back too early, or counted elsewhere?",
        all.configurations.size());
  });
}

// A bound that an invariant says is never passed.
bool is_invariant(const Piece& piece) {
  return piece.code->what == "never" || piece.code->what == "always_eventually";
}

void check(const Subject& subject, Diagnostics& diagnostics) {
  for (const Machine& machine : subject.system.machines) {
    const Exploration& found = subject.exploration(machine, Numbers::small);
    if (!found.complete()) continue;
    for (const Piece& piece : subject.pieces(machine)) {
      if (piece.tree && !is_invariant(piece)) check_piece(subject, piece, found, diagnostics);
    }
  }
}

}  // namespace

const Check unreached_bound = {"unreached-bound", check, true};

}  // namespace agneto::lint
