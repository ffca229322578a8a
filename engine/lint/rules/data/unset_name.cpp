#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include "base/text.h"
#include "lint/check.h"
#include "lint/following.h"

namespace agneto::lint {

namespace {

using lua::Node;
using model::CodeId;
using model::Machine;
using model::State;
using model::StateId;
using model::Transition;
using model::TransitionId;
using model::Variable;

bool mentions(const Piece& piece, const std::string& name) {
  bool found = false;
  if (!piece.tree) return true;
  lua::walk(*piece.tree, [&](const Node& node) {
    const std::string* field = lua::field_of(node, "ctx");
    found = found || (field && *field == name);
  });
  return found;
}

// May it assign the name? `ctx[key] = value` may.
bool may_assign(const Piece& piece, const std::string& name) {
  if (mentions(piece, name)) return true;
  bool found = false;
  lua::walk(*piece.tree, [&](const Node& node) {
    found = found ||
            (node.kind == Node::Kind::index && node.children[0].is(Node::Kind::global, "ctx") &&
             lua::literal_text(node.children[1]) == nullptr);
  });
  return found;
}

// Does it use the value as it is? Who compares or tests it, or calls something, may well know that
// it can be unset.
bool relies_on(const Piece& piece, const std::string& name) {
  if (!piece.tree || !mentions(piece, name)) return false;
  bool tests = false;
  lua::walk(*piece.tree, [&](const Node& node) {
    using Kind = Node::Kind;
    const bool joins = node.is(Kind::binary, "..") || node.is(Kind::unary, "#");
    tests = tests || node.kind == Kind::call || node.kind == Kind::method ||
            node.kind == Kind::function ||
            ((node.kind == Kind::binary || node.kind == Kind::unary) && !joins);
  });
  return !tests;
}

// How a machine can come to a state with a name unset, along ways that no guard decides on. What
// may assign the name is taken to do so: then it is not on such a way.
class Ways {
 public:
  Ways(const Subject& subject, const Machine& machine, const Variable& variable)
      : subject_(subject), machine_(machine), name_(variable.name) {
    if (!any(machine.state(0).start.actions)) enter(0, 0);
    while (!pending_.empty()) {
      const StateId id = pending_.front();
      pending_.pop_front();
      go_on(id);
    }
  }

  bool leads_to(StateId id) const { return before_.contains(id); }
  // "A -> B"
  std::string to_text(StateId id) const {
    std::vector<std::string> names = {machine_.state(id).name};
    while (before_.at(id) != id) {
      id = before_.at(id);
      names.insert(names.begin(), machine_.state(id).name);
    }
    return join(names, " -> ");
  }

 private:
  bool any(const std::vector<CodeId>& actions) const {
    return std::any_of(actions.begin(), actions.end(), [&](CodeId code) {
      return may_assign(subject_.piece(machine_, code), name_);
    });
  }

  // Into the state and what it begins in; `from` itself at the beginning.
  void enter(StateId id, StateId from) {
    for (StateId around = id; around != model::none; around = machine_.state(around).parent) {
      if (any(machine_.state(around).entry)) return;
    }
    const State& state = machine_.state(id);
    if (any(state.start.actions)) return;
    if (state.kind == model::StateKind::parallel) {
      for (const StateId region : state.children) enter(region, from);
    }
    for (const StateId target : state.start.targets) enter(target, from);
    if (!state.children.empty()) return;
    if (before_.try_emplace(id, from == 0 ? id : from).second) pending_.push_back(id);
  }

  void go_on(StateId id) {
    for (StateId around = id; around != model::none; around = machine_.state(around).parent) {
      const State& state = machine_.state(around);
      if (any(state.exit)) return;
      for (const auto* transitions : {&state.on, &state.always, &state.after}) {
        for (std::size_t i = 0; i < transitions->size(); ++i) {
          const Transition& transition = machine_.transitions[(*transitions)[i]];
          if (!is_open(*transitions, i) || any(transition.actions)) continue;
          if (!can_follow(machine_, id, transition)) continue;
          for (const StateId target : transition.targets) enter(target, id);
        }
      }
    }
  }

  // Does no guard decide whether it is taken, its own or that of one before it?
  bool is_open(const std::vector<TransitionId>& all, std::size_t index) const {
    const Transition& transition = machine_.transitions[all[index]];
    for (std::size_t i = 0; i <= index; ++i) {
      const Transition& other = machine_.transitions[all[i]];
      if (other.guard == model::none) continue;
      const bool same = i == index || transition.events.empty() ||
                        std::any_of(transition.events.begin(), transition.events.end(),
                                    [&](const std::string& event) {
                                      return std::find(other.events.begin(), other.events.end(),
                                                       event) != other.events.end();
                                    });
      if (same) return false;
    }
    return true;
  }

  const Subject& subject_;
  const Machine& machine_;
  const std::string& name_;
  std::map<StateId, StateId> before_;
  std::deque<StateId> pending_;
};

// Can it be unset, and is something to set it? In a parallel state another region may do so.
bool is_followed(const Subject& subject, const Machine& machine, const Variable& variable) {
  const bool has_value = variable.initial && !variable.initial->is_null();
  if (!variable.type.optional || has_value || variable.init != model::none) return false;
  if (std::any_of(machine.states.begin(), machine.states.end(),
                  [](const State& state) { return state.kind == model::StateKind::parallel; })) {
    return false;
  }
  bool assigned = false;
  for (const Piece& piece : subject.pieces(machine)) {
    assigned = assigned || (piece.code->kind == model::Code::Kind::statements &&
                            may_assign(piece, variable.name));
  }
  return assigned;
}

void add(const model::Template& text, std::vector<CodeId>& codes) {
  for (const model::Template::Part& part : text.parts) {
    if (part.code != model::none) codes.push_back(part.code);
  }
}

// What the state's activity is made of when it starts.
std::vector<CodeId> read_by(const State& state) {
  std::vector<CodeId> codes;
  if (const auto* ask = std::get_if<model::Ask>(&state.activity)) {
    add(ask->question, codes);
    if (ask->show != model::none) codes.push_back(ask->show);
    for (const model::Option& option : ask->options) add(option.label, codes);
  } else if (const auto* command = std::get_if<model::Program>(&state.activity)) {
    for (const model::Template& argument : command->argv) add(argument, codes);
    for (const model::Binding& binding : command->env) codes.push_back(binding.value);
    if (command->command != model::none) codes.push_back(command->command);
  } else if (const auto* git = std::get_if<model::WorkspaceOperation>(&state.activity)) {
    add(git->message, codes);
    add(git->into, codes);
  }
  return codes;
}

template <typename Each>
void each_followed(const Subject& subject, Each each) {
  for (const Machine& machine : subject.system.machines) {
    for (const Variable& variable : machine.context) {
      if (!is_followed(subject, machine, variable)) continue;
      each(machine, variable, Ways(subject, machine, variable));
    }
  }
}

void check_reads(const Subject& subject, Diagnostics& diagnostics) {
  each_followed(subject, [&](const Machine& machine, const Variable& variable, const Ways& ways) {
    for (const State& state : machine.states) {
      if (!ways.leads_to(state.id)) continue;
      for (const CodeId code : read_by(state)) {
        const Piece& piece = subject.piece(machine, code);
        if (!relies_on(piece, variable.name)) continue;
        Diagnostic& finding = diagnostics.warning(
            unset_name.name, piece.code->span,
            fmt::format("ctx.{} can be unset here: nothing assigns it on the way {}", variable.name,
                        ways.to_text(state.id)));
        finding.help =
            "assign it on that way, give it a default, or write what stands for it: ctx." +
            variable.name + " or \"none\"";
        finding.related.push_back({variable.span, "declared here, without a value"});
        break;
      }
    }
  });
}

// An end that did not go well may well leave something out.
void check_outputs(const Subject& subject, Diagnostics& diagnostics) {
  each_followed(subject, [&](const Machine& machine, const Variable& variable, const Ways& ways) {
    for (const model::Binding& output : machine.outputs) {
      const Piece& piece = subject.piece(machine, output.value);
      if (!relies_on(piece, variable.name)) continue;
      const auto& children = machine.state(0).children;
      const auto end = std::find_if(children.begin(), children.end(), [&](StateId id) {
        const State& state = machine.state(id);
        return state.kind == model::StateKind::final &&
               state.status == model::FinalStatus::complete && ways.leads_to(id);
      });
      if (end == children.end()) continue;
      Diagnostic& finding = diagnostics.warning(
          unset_output.name, output.span,
          fmt::format("the output '{}' can be unset: nothing assigns ctx.{} on the way {}",
                      output.name, variable.name, ways.to_text(*end)));
      finding.help = "assign it on that way, give it a default, or end in a state that failed";
      finding.related.push_back({machine.state(*end).span, "the end"});
    }
  });
}

}  // namespace

const Check unset_name = {"unset-name", check_reads};
const Check unset_output = {"unset-output", check_outputs};

}  // namespace agneto::lint
