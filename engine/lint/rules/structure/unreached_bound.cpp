#include <optional>

#include "lint/counters.h"
#include "lint/explore/explore.h"
#include "lint/expressions.h"
#include "lint/rule.h"

namespace agneto::lint {

namespace {

using Kind = Node::Kind;

// Does every assignment to the counter that is made of its old value count up? Where some count
// down, it is not clear on which side the bound is.
bool counts_up(const LintContext& context, const Machine& machine, const std::string& counter) {
  bool up = false;
  bool down = false;
  for (const Piece& piece : context.pieces(machine)) {
    if (!piece.tree) continue;
    each_assignment(*piece.tree, [&](const Assignment& one) {
      if (one.name != counter || !one.value) return;
      up = up || one.value->is(Kind::binary, "+");
      down = down || one.value->is(Kind::binary, "-");
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
bool is_said(const LintContext& context, const Piece& piece, const Node& node) {
  if (piece.code->what != "guard") return false;
  const Exploration& found = context.exploration(*piece.machine);
  const auto seen = found.comparisons.find(&node);
  return found.complete() && seen != found.comparisons.end() && !seen->second.was_unknown;
}

std::string_view how_counted(const Counter& counter, const NumberTest& test) {
  const bool equality = test.sign == "==" || test.sign == "~=";
  if (counter.only_grows() && (!equality || counter.least.value_or(test.bound) > test.bound)) {
    return "only grows";
  }
  if (counter.only_shrinks() && (!equality || counter.most.value_or(test.bound) < test.bound)) {
    return "only shrinks";
  }
  return "is counted past it";
}

// Reports what is only counted and is counted away from its bound, or in steps past it, whatever
// else happens.
void check_counters(const LintContext& context, const Machine& machine, const Reporter& report) {
  const auto counters = counters_of(context, machine);
  context.each_node(machine, [&](const Piece& piece, const Node& node) {
    const std::string& what = piece.code->what;
    if (what == "never" || what == "always_eventually") return;
    const auto test = number_test(machine, node);
    const auto counter = test && test->table == "ctx" ? counters.find(test->name) : counters.end();
    const auto always = counter == counters.end() ? std::nullopt : settled(counter->second, *test);
    if (!always || is_said(context, piece, node)) return;
    report(place(piece, node), "ctx.{} never comes to this bound, as it {}: this is always {}",
           test->name, how_counted(counter->second, *test), *always ? "true" : "false")
        .help("count the other way, or compare with < or >, which no step jumps over");
  });
}

}  // namespace

extern const LintRule unreached_bound = {
    {"W232", "unreached-bound", "a counter that never comes to the bound it is compared with",
     R"(Every configuration was explored, with the defaults of the inputs, and the counter is always below its
bound where the two are compared: it is set back too early, or not counted where it should be. Or it is
counted away from the bound, or in steps that jump over it. So the bound ends nothing.)"},
    [](const LintContext& context, const Machine& machine, const Reporter& report) {
      const Exploration& found = context.exploration(machine, Numbers::small);
      check_counters(context, machine, report);
      if (!found.complete()) return;
      context.each_node(machine, [&](const Piece& piece, const Node& node) {
        const auto seen = found.comparisons.find(&node);
        if (seen == found.comparisons.end() || seen->second.was_unknown) return;
        // An invariant's is one that it says is never passed.
        if (model::is_of_invariant(piece.code->what)) return;
        const auto bound = bound_of(node);
        if (!bound) return;
        if (is_reached(seen->second, *bound) || is_said(context, piece, node)) return;
        if (!counts_up(context, machine, *bound->counter)) return;
        // Small numbers may stand in each other's way.
        const Exploration& all = context.exploration(machine, Numbers::defaults);
        const auto as_given = all.comparisons.find(&node);
        if (!all.complete() || as_given == all.comparisons.end()) return;
        if (is_reached(as_given->second, *bound)) return;
        report(place(piece, node), "ctx.{} never comes to this bound", *bound->counter)
            .help(
                "all {} configurations of the machine were explored, with the defaults of its "
                "inputs; is it set back too early, or counted elsewhere?",
                all.configurations.size());
      });
    },
    true};

}  // namespace agneto::lint
