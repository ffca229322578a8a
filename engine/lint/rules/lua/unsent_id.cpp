#include <algorithm>
#include <set>
#include <vector>

#include "base/text.h"
#include "lint/expressions.h"
#include "lint/rule.h"
#include "lint/transitions.h"

namespace agneto::lint {

namespace {

struct Sent {
  std::string id;
  const Raised& raised;
};

// The `id` in the options of a `send`. False where it cannot be said.
bool read_id(const Raised& sent, std::vector<Sent>& ids) {
  if (sent.call->children.size() < 4) return true;
  const Node& options = sent.call->children[3];
  if (options.kind != Node::Kind::table) return false;
  for (const Node& field : options.children) {
    if (field.children.size() != 2) continue;
    const std::string* key = lua::literal_text(field.children[0]);
    if (!key) return false;
    if (*key != "id") continue;
    const std::string* id = lua::literal_text(field.children[1]);
    if (!id) return false;
    ids.push_back({*id, sent});
  }
  return true;
}

bool is_after(const Node& field) {
  const std::string* key =
      field.children.size() == 2 ? lua::literal_text(field.children[0]) : nullptr;
  return key && *key == "after";
}

// The atomic state whose `entry` the code is; null where it is none.
const State* entered_with(const Machine& machine, const Piece& piece) {
  const auto code = static_cast<CodeId>(piece.code - machine.code.data());
  const auto state = std::ranges::find_if(machine.states, [&](const State& one) {
    return one.kind == StateKind::atomic && std::ranges::count(one.entry, code) > 0;
  });
  return state == machine.states.end() ? nullptr : &*state;
}

// May the state be entered again, as far as targets say? Yes for what is inside of a parallel
// state.
bool may_come_back(const Machine& machine, StateId state) {
  std::set<StateId> entered;
  std::set<StateId> followed;
  std::vector<StateId> pending;
  const auto add = [&](const std::vector<StateId>& more) {
    pending.insert(pending.end(), more.begin(), more.end());
  };
  const auto follow = [&](StateId from) {
    for (const State* around : lineage(machine, from)) {
      if (!followed.insert(around->id).second) continue;
      for (const Transition* taken : transitions_of(machine, *around)) add(taken->targets);
      if (around->kind == StateKind::parallel) add(around->children);
    }
  };
  follow(state);
  while (!pending.empty()) {
    const StateId id = pending.back();
    pending.pop_back();
    if (!entered.insert(id).second) continue;
    if (id == state || machine.state(id).is_history()) return true;
    follow(id);
    add(machine.state(id).start.targets);
  }
  return false;
}

// A state behind this one in which the event, where it comes late, leads away; null: there is none.
const State* hit_late(const Machine& machine, const State& state, const std::string& event) {
  for (const State* around : lineage(machine, state.parent)) {
    for (const TransitionId id : around->on) {
      const Transition& taken = machine.transitions[id];
      if (taken.guard != none || taken.targets.empty()) continue;
      if (std::ranges::count(taken.events, event) == 0) continue;
      const auto is_hit = [&](const State& other) {
        return other.id != state.id && other.kind == StateKind::atomic &&
               is_inside(machine, other.id, around->id) &&
               std::ranges::count(taken.targets, other.id) == 0;
      };
      const auto never = [](const State&) { return false; };
      if (const State* hit = next_state(machine, state, is_hit, never)) return hit;
    }
  }
  return nullptr;
}

// An id that nothing cancels, sent once: a second time it would take the place of the first.
void check_sent(const Machine& machine, const std::vector<Sent>& ids,
                const std::vector<Raised>& all, const Reporter& report) {
  for (const Sent& sent : ids) {
    const std::string& id = sent.id;
    const Raised& raised = sent.raised;
    const bool is_used =
        std::ranges::count(ids, id, &Sent::id) > 1 ||
        std::ranges::any_of(all, [&](const Raised& one) {
          // A cancel of what nobody sends is meant for one of them, and is reported.
          return one.function == "cancel" && (!one.name || *one.name == id ||
                                              std::ranges::count(ids, *one.name, &Sent::id) == 0);
        });
    const bool waits = std::ranges::any_of(raised.call->children[3].children, is_after);
    const State* state = entered_with(machine, *raised.piece);
    if (is_used || !waits || raised.to || !raised.name) continue;
    if (!state || may_come_back(machine, state->id)) continue;
    const State* hit = hit_late(machine, *state, *raised.name);
    if (!hit) continue;
    report(place(*raised.piece, *raised.call),
           "nothing cancels '{}', so that '{}' comes also when '{}' is left, and ends '{}'", id,
           *raised.name, state->name, hit->name)
        .help("take it back on leaving '{}': exit: cancel(\"{}\")", state->name, id);
  }
}

}  // namespace

extern const LintRule unsent_id = {
    {"W511", "unsent-id", "a `cancel` of what is never sent, or an id that nothing cancels",
     R"(`cancel` takes back what was sent with that `id` and is not due yet. An id that no `send` of the machine
has cancels nothing. And an id that nothing cancels takes nothing back: what a state sends itself as its
deadline comes after it was left, and ends whatever is at work by then. An `after` of the state ends with it.)"},
    [](const LintContext& context, const Machine& machine, const Reporter& report) {
      const std::vector<Raised>& all = context.raised(machine).all();
      std::vector<Sent> ids;
      const bool known = std::ranges::all_of(all, [&](const Raised& one) {
        return one.call && (one.function != "send" || read_id(one, ids));
      });
      if (!known) return;
      check_sent(machine, ids, all, report);
      for (const Raised& one : all) {
        if (one.function != "cancel" || !one.name) continue;
        if (std::ranges::count(ids, *one.name, &Sent::id) > 0) continue;
        std::vector<std::string> names;
        for (const Sent& sent : ids) names.push_back(sent.id);
        report(place(*one.piece, *one.call),
               "nothing is sent with the id '{}', so that nothing is cancelled", *one.name)
            .help(names.empty() ? "name what is sent: send(\"event\", null, {id = \"x\"})"
                                : suggestion(*one.name, names, "ids"));
      }
    }};

}  // namespace agneto::lint
