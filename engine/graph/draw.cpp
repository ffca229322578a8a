#include <algorithm>
#include <filesystem>
#include <iterator>
#include <variant>

#include "base/error.h"
#include "base/text.h"
#include "graph/words.h"

namespace agneto::graph {

using model::Machine;
using model::State;
using model::StateId;
using model::StateKind;
using model::Transition;

namespace {

// What Graphviz lays out in about a minute.
constexpr int most_states = 5000;

// By the index of model::Activity.
constexpr Kind activities[] = {Kind::plain,    Kind::agent, Kind::ask,      Kind::machine,
                               Kind::for_each, Kind::run,   Kind::workspace};
static_assert(std::size(activities) == std::variant_size_v<model::Activity>);

Kind kind_of(const State& state) {
  switch (state.kind) {
    case StateKind::atomic:
      return activities[state.activity.index()];
    case StateKind::compound:
      return Kind::compound;
    case StateKind::parallel:
      return Kind::parallel;
    case StateKind::final:
      return Kind::final;
    case StateKind::shallow_history:
    case StateKind::deep_history:
      return Kind::history;
  }
  return Kind::plain;
}

bool is_failure(std::string_view event) {
  return starts_with_word(event, "error") || starts_with_word(event, "limit") ||
         event == "failed" || event == "conflict" || event == "abort";
}

// Draws one machine, and those within, at a place.
class Drawing {
 public:
  Drawing(const model::System& system, const Trail& trail) : system_(system), trail_(trail) {}

  Picture picture(const Machine& machine, int depth) {
    Picture result;
    result.trail = trail_.kind;
    result.root.kind = Kind::compound;
    result.root.name = machine.name;
    result.root.notes = notes_of(machine);
    result.root.file = machine.file.filename().string();
    fill(result.root, machine, "", depth);
    if (trail_.kind != Trail::Kind::none) mark(result);
    result.arrows = std::move(arrows_);
    return result;
  }

 private:
  // A machine that extends another has what it does not change in the other's file.
  static std::string file_of(Span place) {
    return std::filesystem::path(place.source->path()).filename().string();
  }

  static std::string id_of(const Machine& machine, StateId state, const std::string& at) {
    if (state == 0) return at;
    return (at.empty() ? "" : at + "/") + machine.state(state).name;
  }

  static std::vector<std::string> ids_of(const Machine& machine, const std::vector<StateId>& states,
                                         const std::string& at) {
    std::vector<std::string> ids;
    for (const StateId state : states) ids.push_back(id_of(machine, state, at));
    return ids;
  }

  // The machine's states into a node: the root, or the state that delegates.
  void fill(Node& node, const Machine& machine, const std::string& at, int depth) {
    const State& root = machine.state(0);
    node.start = ids_of(machine, root.start.targets, at);
    for (const State& each : machine.states) leave(machine, each, at);
    for (const StateId child : root.children) {
      node.children.push_back(state(machine, machine.state(child), at, depth));
    }
  }

  Node state(const Machine& machine, const State& state, const std::string& at, int depth) {
    if (++states_ > most_states) {
      throw Error("the picture would have more than " + std::to_string(most_states) + " states",
                  "give a smaller --depth, or draw one of its machines");
    }
    Node node;
    node.id = id_of(machine, state.id, at);
    node.name = state.name;
    node.kind = kind_of(state);
    node.notes = notes_of(system_, machine, state);
    node.status = state.status;
    node.deep = state.kind == StateKind::deep_history;
    node.start = ids_of(machine, state.start.targets, at);
    node.file = file_of(state.span);
    node.line = state.span.line();
    for (const StateId child : state.children) {
      node.children.push_back(this->state(machine, machine.state(child), at, depth));
    }
    if (const auto* delegate = model::delegate_of(state.activity)) {
      const Machine& other = system_.machine(delegate->machine);
      node.machine = other.file.filename().string();
      if (depth > 0) fill(node, other, node.id, depth - 1);
    }
    return node;
  }

  void leave(const Machine& machine, const State& state, const std::string& at) {
    for (const auto* all : {&state.on, &state.always, &state.after}) {
      for (std::size_t i = 0; i < all->size(); ++i) {
        const Transition& transition = machine.transitions[(*all)[i]];
        Arrow arrow;
        arrow.kind = all == &state.always                                 ? Arrow::Kind::eventless
                     : all == &state.after                                ? Arrow::Kind::timer
                     : std::ranges::all_of(transition.events, is_failure) ? Arrow::Kind::failure
                                                                          : Arrow::Kind::event;
        arrow.from = id_of(machine, state.id, at);
        arrow.to = ids_of(machine, transition.targets, at);
        arrow.trigger = trigger_of(machine, transition);
        arrow.guard = guard_of(machine, *all, i);
        arrow.internal = transition.internal;
        arrow.file = file_of(transition.span);
        arrow.line = transition.span.line();
        const Trail::Key key{trail_.kind == Trail::Kind::path ? at : "", machine.id, (*all)[i]};
        if (const auto taken = trail_.taken.find(key); taken != trail_.taken.end()) {
          arrow.count = taken->second;
        }
        if (const auto said = trail_.remarks.find(key); said != trail_.remarks.end()) {
          arrow.remark = said->second;
        }
        arrows_.push_back(std::move(arrow));
      }
    }
  }

  // The states that the trail goes through: what a marked arrow leaves or comes to, with the states
  // around it, and what is entered first within.
  void mark(Picture& picture) {
    list(picture.root, nullptr);
    if (!trail_.taken.empty()) enter(picture.root.id);
    for (const Arrow& arrow : arrows_) {
      if (arrow.count == 0) continue;
      pass(arrow.from);
      for (const std::string& to : arrow.to) enter(to);
    }
    for (const std::string& id : trail_.active) {
      const auto found = nodes_.find(id);
      if (found == nodes_.end()) continue;  // in a machine that is not drawn within
      found->second.first->active = true;
      pass(id);
    }
  }

  void list(Node& node, Node* parent) {
    nodes_[node.id] = {&node, parent};
    for (Node& child : node.children) list(child, &node);
  }

  void pass(const std::string& id) {
    for (Node* node = nodes_.at(id).first; node; node = nodes_.at(node->id).second) {
      node->marked = true;
    }
  }

  void enter(const std::string& id) {
    pass(id);
    const Node& node = *nodes_.at(id).first;
    if (node.kind == Kind::history) return;  // it may have gone back to another state
    for (const std::string& first : node.start) enter(first);
    if (node.kind != Kind::parallel) return;
    for (const Node& region : node.children) {
      if (region.kind != Kind::history) enter(region.id);
    }
  }

  const model::System& system_;
  const Trail& trail_;
  int states_ = 0;
  std::vector<Arrow> arrows_;
  std::map<std::string, std::pair<Node*, Node*>> nodes_;  // with the node around it
};

}  // namespace

std::string_view to_text(Kind kind) {
  constexpr std::string_view names[] = {"plain",    "compound", "parallel",  "agent",
                                        "ask",      "run",      "workspace", "machine",
                                        "for_each", "final",    "history"};
  return names[static_cast<int>(kind)];
}

std::string_view to_text(Arrow::Kind kind) {
  constexpr std::string_view names[] = {"event", "failure", "timer", "eventless"};
  return names[static_cast<int>(kind)];
}

Picture draw(const model::System& system, model::MachineId machine, int depth, const Trail& trail) {
  return Drawing(system, trail).picture(system.machine(machine), depth);
}

}  // namespace agneto::graph
