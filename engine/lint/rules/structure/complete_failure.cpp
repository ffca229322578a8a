#include <algorithm>
#include <set>

#include "lint/expressions.h"
#include "lint/rule.h"
#include "lint/transitions.h"

namespace agneto::lint {

namespace {

// Do the words of the name say that something went wrong?
bool names_failure(std::string_view name) {
  for (const std::string_view word : {"FAIL", "ERROR", "BROKEN", "CRASHED"}) {
    const std::size_t at = name.find(word);
    if (at == 0 || (at != name.npos && name[at - 1] == '_' && name.find("NOT_") > at &&
                    name.find("NO_") > at && name.find("WITHOUT_") > at)) {
      return true;
    }
  }
  return false;
}

// The names that are assigned on the way into the state, and there.
std::set<std::string> assigned_into(const LintContext& context, const Machine& machine,
                                    const State& state) {
  std::vector<CodeId> codes = state.entry;
  for (const Transition& transition : machine.transitions) {
    if (std::ranges::count(transition.targets, state.id) == 0) continue;
    codes.insert(codes.end(), transition.actions.begin(), transition.actions.end());
  }
  std::set<std::string> names;
  for (const CodeId code : codes) {
    const Piece& piece = context.piece(machine, code);
    if (!piece.tree) continue;
    each_assignment(*piece.tree, [&](const Assignment& one) { names.insert(one.name); });
  }
  return names;
}

// Is one of them read by anything but outputs, or may it be by an agent's hooks?
bool decides(const LintContext& context, const Machine& machine, const State& next,
             const std::set<std::string>& names) {
  if (names.empty()) return false;
  const auto never = [](const State&) { return false; };
  const auto calls = [](const State& state) {
    return std::holds_alternative<model::AgentCall>(state.activity);
  };
  if (calls(next) || next_state(machine, next, calls, never)) return true;
  return std::ranges::any_of(context.pieces(machine), [&](const Piece& piece) {
    const bool acts = is_one_of(piece.code->what, {"do", "entry", "exit"}) && piece.tree &&
                      !any_node(*piece.tree, [](const Node& node) {
                        return node.is(Node::Kind::statement, "if");
                      });
    if (acts || piece.code->what.starts_with("outputs.")) return false;
    return !piece.tree || uses_whole_context(*piece.tree) ||
           std::ranges::any_of(
               names, [&](const std::string& name) { return mentions(*piece.tree, name); });
  });
}

// Where the machine goes from the end of the compound, if that is the same at each end; else null.
const Transition* way_on(const Machine& machine, const State& compound) {
  const Transition* first = first_taker(machine, compound, "done.state." + compound.name);
  return first && first->guard == none && first->targets.size() == 1 ? first : nullptr;
}

// A final state inside a compound beside others, of which nothing is known afterwards.
void check_inner(const LintContext& context, const Machine& machine, const State& state,
                 const Reporter& report) {
  const State& compound = machine.state(state.parent);
  if (compound.kind != StateKind::compound || compound.parent == none ||
      machine.state(compound.parent).kind == StateKind::parallel) {
    return;
  }
  const auto good = std::ranges::find_if(compound.children, [&](StateId id) {
    const State& other = machine.state(id);
    return other.kind == StateKind::final && !names_failure(other.name);
  });
  const Transition* on = way_on(machine, compound);
  if (good == compound.children.end() || !on) return;
  const StateId target = entered(machine, on->targets.front());
  if (target == none) return;
  const State& next = machine.state(target);
  const bool works = std::holds_alternative<model::Program>(next.activity) ||
                     std::holds_alternative<model::WorkspaceOperation>(next.activity);
  if (!works || decides(context, machine, next, assigned_into(context, machine, state))) return;
  report(state.span, "'{}' ends '{}' like '{}', and leads to '{}'", state.name, compound.name,
         machine.state(*good).name, next.name)
      .help("lead to a state outside of '{}' where it fails", compound.name)
      .related(on->span, "this is taken after either");
}

}  // namespace

extern const LintRule complete_failure = {
    {"W240", "complete-failure",
     "an end whose name says that it failed, and that counts as any other",
     R"(Without `status` a final state ends the run as `complete`, with exit status 0, and CI goes on. Say
`status: failed` where something went wrong. A final state inside a compound has no status: whichever is
reached, `done.state.NAME` follows. What fails in there leads out of the compound, or to something that a
guard on that event reads.)"},
    [](const LintContext& context, const Machine& machine, const State& state,
       const Reporter& report) {
      if (state.kind != StateKind::final || !names_failure(state.name)) return;
      if (state.parent != 0) return check_inner(context, machine, state, report);
      if (state.status != model::FinalStatus::complete) return;
      report(state.span, "a run that ends in '{}' ends as complete", state.name)
          .help("say so: {}: {{final: true, status: failed}}", state.name);
    }};

}  // namespace agneto::lint
