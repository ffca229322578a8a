#include <algorithm>

#include "lint/expressions.h"
#include "lint/rule.h"
#include "lint/transitions.h"

namespace agneto::lint {

namespace {

// event.results[1]
bool is_numbered_result(const Node& node) {
  if (node.kind != Node::Kind::index || node.children[1].kind != Node::Kind::number) return false;
  const std::string* list = lua::field_of(node.children[0], "event");
  return list && *list == "results";
}

// Does it look at what a result came to?
bool asks_how_it_ended(const Piece& piece) {
  return !piece.tree || any_node(*piece.tree, [](const Node& node) {
    const std::string* key =
        node.kind == Node::Kind::index ? lua::literal_text(node.children[1]) : nullptr;
    return key && is_one_of(*key, {"status", "outcome"});
  });
}

// Can an item be left that does not complete?
bool may_leave_one(const LintContext& context, const Machine& machine, const model::ForEach& loop) {
  const Piece& items = context.piece(machine, loop.items);
  if (loop.all_needed() || !items.tree) return false;
  const Node& list = expression(items);
  return list.kind != Node::Kind::table || loop.needed.code != model::none ||
         list.children.size() > static_cast<std::size_t>(loop.needed.number);
}

}  // namespace

extern const LintRule first_of_any = {
    {"W613", "first-of-any",
     "a result by its number, where another item may be the one that completed",
     R"(With `join: any` or a quorum `done` comes when enough items have completed, whichever they are.
`event.results` has all of them in the order of the items, those too that were cancelled or failed, and
what these give back is not what a completed one does. Look for one whose `status` is `complete`.)"},
    [](const LintContext& context, const Machine& machine, const State& state,
       const Reporter& report) {
      const auto* loop = std::get_if<model::ForEach>(&state.activity);
      if (!loop || !may_leave_one(context, machine, *loop)) return;
      for (const TransitionId id : state.on) {
        const Transition& transition = machine.transitions[id];
        if (!takes(transition, "done")) continue;
        std::vector<CodeId> codes = transition.actions;
        if (transition.guard != none) codes.push_back(transition.guard);
        if (std::ranges::any_of(codes, [&](CodeId code) {
              return asks_how_it_ended(context.piece(machine, code));
            })) {
          continue;
        }
        for (const CodeId code : codes) {
          const Piece& piece = context.piece(machine, code);
          lua::walk(*piece.tree, [&](const Node& node) {
            if (!is_numbered_result(node)) return;
            report(place(piece, node), "item {} may be one that was cancelled or failed",
                   node.children[1].text)
                .help(
                    "look for one that has completed: for _, one in ipairs(event.results) do if "
                    "one.status == \"complete\" then … end end");
          });
        }
      }
    }};

}  // namespace agneto::lint
