#include <algorithm>
#include <set>
#include <vector>

#include "lint/expressions.h"
#include "lint/rule.h"
#include "lint/transitions.h"

namespace agneto::lint {

namespace {

// What runs behind the actions of a transition, as far as that is certain: the entry of the states
// that it enters, outermost first, and what leads to those inside.
class RunsBehind {
 public:
  RunsBehind(const Machine& machine, const Transition& transition) : machine_(machine) {
    if (transition.internal || transition.targets.size() != 1) return;
    const StateId target = transition.targets.front();
    if (machine.state(target).is_history()) return;
    const auto around = lineage(machine, target);
    for (auto state = around.rbegin(); state != around.rend(); ++state) {
      const StateId id = (*state)->id;
      const bool is_around =
          id != target && id != transition.source && is_inside(machine, transition.source, id);
      if (id != 0 && !is_around) enter(**state);
    }
    StateId at = target;
    while (machine.state(at).start.targets.size() == 1) {
      const model::Start& start = machine.state(at).start;
      add(start.actions);
      const StateId next = start.targets.front();
      if (machine.state(next).parent != at || machine.state(next).is_history()) return;
      enter(machine.state(at = next));
    }
  }

  std::vector<CodeId> codes;

 private:
  void add(const std::vector<CodeId>& more) {
    if (!ended_) codes.insert(codes.end(), more.begin(), more.end());
  }

  // What else begins with a state may look at the context, too.
  void enter(const State& state) {
    add(state.entry);
    ended_ = ended_ || state.has_activity() || state.kind == StateKind::parallel ||
             std::ranges::any_of(state.after, [&](TransitionId id) {
               return machine_.transitions[id].delay_code != none;
             });
  }

  const Machine& machine_;
  bool ended_ = false;
};

// Can it be said what is read in it, and in which order?
bool is_straight(const Piece& piece) {
  return piece.tree && !uses_whole_context(*piece.tree) &&
         !any_node(*piece.tree, [](const Node& node) {
           return node.kind == Node::Kind::function ||
                  (node.kind == Node::Kind::statement && node.text != "if");
         });
}

// Is it read in the tree behind that place?
bool is_read(const Node& tree, const std::string& name, std::uint32_t behind = 0) {
  std::set<const Node*> assigned;
  bool found = false;
  lua::walk(tree, [&](const Node& node) {
    for (const Node& target : assigned_to(node)) assigned.insert(&target);
    const std::string* field = lua::field_of(node, "ctx");
    found |= field && *field == name && node.begin >= behind && !assigned.contains(&node);
  });
  return found;
}

struct Overwritten {
  const Piece* piece = nullptr;
  const Node* target = nullptr;
  const Node* value = nullptr;  // null: which of several is not known
};

// The assignment in the piece that gives the name a value whatever happens, before anything there
// reads it; none where there is none.
Overwritten overwrites(const Piece& piece, const std::string& name) {
  for (const Node& statement : piece.tree->children) {
    if (is_read(statement, name)) return {};
    if (statement.kind != Node::Kind::assignment) continue;
    Overwritten found;
    each_assignment(statement, [&](const Assignment& one) {
      if (one.name == name) found = {&piece, &one.target, one.value};
    });
    if (found.piece) return found;
  }
  return {};
}

// Where what is assigned is overwritten before anything reads it; nowhere where it is not.
Overwritten overwritten(const LintContext& context, const Machine& machine,
                        const std::vector<CodeId>& codes, const std::string& name) {
  for (const CodeId code : codes) {
    const Piece& piece = context.piece(machine, code);
    if (!is_straight(piece)) return {};
    if (const Overwritten found = overwrites(piece, name); found.piece) return found;
    if (is_read(*piece.tree, name)) return {};
  }
  return {};
}

std::string_view text_of(const Piece& piece, const Node& node) {
  return std::string_view(piece.code->text).substr(node.begin, node.end - node.begin);
}

void check(const LintContext& context, const Machine& machine, const Transition& transition,
           const Reporter& report) {
  const std::vector<CodeId> behind = RunsBehind(machine, transition).codes;
  if (behind.empty()) return;
  for (std::size_t i = 0; i < transition.actions.size(); ++i) {
    const Piece& piece = context.piece(machine, transition.actions[i]);
    if (!is_straight(piece)) return;
    std::vector<CodeId> codes(transition.actions.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                              transition.actions.end());
    codes.insert(codes.end(), behind.begin(), behind.end());
    each_assignment(*piece.tree, [&](const Assignment& one) {
      if (!one.value || is_read(*piece.tree, one.name, one.value->end)) return;
      const Overwritten by = overwritten(context, machine, codes, one.name);
      if (!by.piece || by.piece->code->what != "entry") return;
      // What is set to the same in both is only said twice.
      if (by.value && text_of(*by.piece, *by.value) == text_of(piece, *one.value)) return;
      report(place(piece, one.target),
             "ctx.{} is overwritten by an entry before anything looks at what this assigns",
             one.name)
          .help("`entry` runs behind `do`: reset it elsewhere, as in `exit`, or leave this out")
          .related(place(*by.piece, *by.target), "it is overwritten here");
    });
  }
}

}  // namespace

extern const LintRule overwritten_value = {
    {"W324", "overwritten-value", "an assignment that the entry of the next state undoes",
     R"(A transition's `do` runs first, then the `entry` of the states that it enters. Where an entry assigns the
same name anew, what `do` has assigned is gone, and nothing has seen it: mostly a reset that was meant for
the first entry alone.)"},
    [](const LintContext& context, const Machine& machine, const Reporter& report) {
      for (const Transition& transition : machine.transitions) {
        if (!transition.actions.empty()) check(context, machine, transition, report);
      }
    }};

}  // namespace agneto::lint
