#include <algorithm>
#include <deque>
#include <map>

#include "base/text.h"
#include "lint/expressions.h"
#include "lint/rule.h"
#include "lint/transitions.h"

namespace agneto::lint {

namespace {

using model::Variable;

// May it assign the name? `ctx[key] = value` may.
bool may_assign(const Piece& piece, const std::string& name) {
  return !piece.tree || any_node(*piece.tree, [&](const Node& node) {
    if (node.kind != Node::Kind::index || !node.children[0].is(Node::Kind::global, "ctx")) {
      return false;
    }
    const std::string* key = lua::literal_text(node.children[1]);
    return !key || *key == name;
  });
}

// Does it use the value as it is? What compares or tests it, or calls something, may well know that
// it can be unset.
bool relies_on(const Piece& piece, const std::string& name) {
  using Kind = Node::Kind;
  return piece.tree && mentions(*piece.tree, name) && !any_node(*piece.tree, [](const Node& node) {
           const bool joins = node.is(Kind::binary, "..") || node.is(Kind::unary, "#");
           return node.kind == Kind::call || node.kind == Kind::method ||
                  node.kind == Kind::function ||
                  ((node.kind == Kind::binary || node.kind == Kind::unary) && !joins);
         });
}

// How a machine can come to a state with a name unset, along ways that no guard decides on. What
// may assign the name is taken to do so: then it is not on such a way.
class UnsetWays {
 public:
  UnsetWays(const LintContext& context, const Machine& machine, const Variable& variable)
      : context_(context), machine_(machine), name_(variable.name) {
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
    return std::ranges::any_of(
        actions, [&](CodeId code) { return may_assign(context_.piece(machine_, code), name_); });
  }

  // Into the state and what it begins in; `from` itself at the beginning.
  void enter(StateId id, StateId from) {
    for (const State* around : lineage(machine_, id)) {
      if (any(around->entry)) return;
    }
    const State& state = machine_.state(id);
    if (any(state.start.actions)) return;
    if (state.kind == StateKind::parallel) {
      for (const StateId region : state.children) enter(region, from);
    }
    for (const StateId target : state.start.targets) enter(target, from);
    if (!state.children.empty()) return;
    if (before_.try_emplace(id, from == 0 ? id : from).second) pending_.push_back(id);
  }

  void go_on(StateId id) {
    for (const State* around : lineage(machine_, id)) {
      if (any(around->exit)) return;
      for (const auto* transitions : {&around->on, &around->always, &around->after}) {
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
    const auto& events = machine_.transitions[all[index]].events;
    for (std::size_t i = 0; i <= index; ++i) {
      const Transition& other = machine_.transitions[all[i]];
      const bool same = i == index || events.empty() ||
                        std::ranges::find_first_of(events, other.events) != events.end();
      if (same && other.guard != none) return false;
    }
    return true;
  }

  const LintContext& context_;
  const Machine& machine_;
  const std::string& name_;
  std::map<StateId, StateId> before_;
  std::deque<StateId> pending_;
};

// Does it begin without a value? As an empty text?
bool begins_unset(const Variable& variable) {
  const bool has_value = variable.initial && !variable.initial->is_null();
  return variable.type.optional && !has_value && variable.init == none;
}
bool begins_empty(const Variable& variable) {
  return variable.initial && *variable.initial == "" && variable.init == none;
}

// Is something to set it? In a parallel state another region may do so.
bool is_set(const LintContext& context, const Machine& machine, const Variable& variable) {
  return std::ranges::none_of(
             machine.states,
             [](const State& state) { return state.kind == StateKind::parallel; }) &&
         std::ranges::any_of(context.pieces(machine), [&](const Piece& piece) {
           return piece.code->kind == model::Code::Kind::statements &&
                  may_assign(piece, variable.name);
         });
}

// Is it given a value that is declared as one that can be null? Then null is one of its own.
bool may_be_given_null(const LintContext& context, const Machine& machine,
                       const Variable& variable) {
  const std::vector<Piece>& pieces = context.pieces(machine);
  for (CodeId code = 0; code < static_cast<CodeId>(pieces.size()); ++code) {
    const Typed* lua = context.typed(machine, code);
    if (!lua) continue;
    bool found = false;
    each_assignment(lua->tree(), [&](const Assignment& one) {
      if (one.name != variable.name || !one.value) return;
      const Facts facts = lua->facts(*one.value);
      found |= facts.known && facts.type.optional;
    });
    if (found) return true;
  }
  return false;
}

// What the state's activity is made of when it starts.
std::vector<CodeId> read_by(const State& state) {
  std::vector<CodeId> codes;
  for (const model::Template* text : templates_of(state)) {
    for (const model::Template::Part& part : text->parts) {
      if (part.code != none) codes.push_back(part.code);
    }
  }
  if (const auto* ask = std::get_if<model::Ask>(&state.activity)) {
    if (ask->show != none) codes.push_back(ask->show);
  } else if (const auto* command = std::get_if<model::Program>(&state.activity)) {
    for (const model::Binding& binding : command->env) codes.push_back(binding.value);
    if (command->command != none) codes.push_back(command->command);
  }
  return codes;
}

template <typename Each>
void each_followed(const LintContext& context, const Machine& machine,
                   bool (*begins)(const Variable&), Each each) {
  for (const Variable& variable : machine.context) {
    if (!begins(variable) || !is_set(context, machine, variable)) continue;
    each(variable, UnsetWays(context, machine, variable));
  }
}

// A question that shows nothing but the entry, where that is still empty.
void check_material(const LintContext& context, const Machine& machine, const Variable& variable,
                    const UnsetWays& ways, const Reporter& report) {
  for (const State& state : machine.states) {
    const auto* ask = std::get_if<model::Ask>(&state.activity);
    if (!ask || ask->show == none || !ways.leads_to(state.id)) continue;
    const Piece& piece = context.piece(machine, ask->show);
    const std::string* shown = piece.tree ? lua::field_of(expression(piece), "ctx") : nullptr;
    if (!shown || *shown != variable.name) continue;
    // One of the ways to it brings something: then it is known that others do not.
    const bool is_brought = std::ranges::any_of(machine.transitions, [&](const Transition& one) {
      return std::ranges::count(one.targets, state.id) > 0 &&
             std::ranges::any_of(one.actions, [&](CodeId code) {
               return may_assign(context.piece(machine, code), variable.name);
             });
    });
    if (is_brought) continue;
    report(piece.code->span, "ctx.{} is empty here: nothing assigns it on the way {}",
           variable.name, ways.to_text(state.id))
        .help("ask behind the state that assigns it")
        .related(variable.span, "it begins as an empty text");
  }
}

}  // namespace

extern const LintRule unset_name = {
    {"W315", "unset-name", "a context entry that is read where nothing may have assigned it",
     R"(An entry with a type such as `string?` and no default is null until something assigns it. The states
shown lead there, along transitions that no guard decides on, and none of them does. An expression
that compares or tests the value, as in `ctx.plan or "none"`, is left alone. A question that shows an
entry which is still an empty text has nothing to show.)"},
    [](const LintContext& context, const Machine& machine, const Reporter& report) {
      each_followed(context, machine, begins_unset,
                    [&](const Variable& variable, const UnsetWays& ways) {
                      for (const State& state : machine.states) {
                        if (!ways.leads_to(state.id)) continue;
                        for (const CodeId code : read_by(state)) {
                          const Piece& piece = context.piece(machine, code);
                          if (!relies_on(piece, variable.name)) continue;
                          report(piece.code->span,
                                 "ctx.{} can be unset here: nothing assigns it on the way {}",
                                 variable.name, ways.to_text(state.id))
                              .help(
                                  "assign it on that way, give it a default, or write what stands "
                                  "for it: ctx." +
                                  variable.name + " or \"none\"")
                              .related(variable.span, "declared here, without a value");
                          break;
                        }
                      }
                    });
      each_followed(context, machine, begins_empty,
                    [&](const Variable& variable, const UnsetWays& ways) {
                      check_material(context, machine, variable, ways, report);
                    });
    }};

extern const LintRule unset_output = {
    {"W316", "unset-output", "an output that is null where a machine ended well",
     R"(It gives back a context entry without a default, which nothing assigns on the way shown. What runs
the machine or delegates to it counts on its outputs where it has not failed. An entry to which a value
is assigned that can be null itself is left alone.)"},
    // An end that did not go well may well leave something out.
    [](const LintContext& context, const Machine& machine, const Reporter& report) {
      each_followed(
          context, machine, begins_unset, [&](const Variable& variable, const UnsetWays& ways) {
            if (may_be_given_null(context, machine, variable)) return;
            const auto check = [&](const model::Binding& output, auto gives) {
              const Piece& piece = context.piece(machine, output.value);
              if (!relies_on(piece, variable.name)) return;
              const auto& children = machine.state(0).children;
              const auto end = std::ranges::find_if(children, [&](StateId id) {
                const State& state = machine.state(id);
                return state.kind == StateKind::final && gives(state) &&
                       state.status == model::FinalStatus::complete && ways.leads_to(id);
              });
              if (end == children.end()) return;
              report(output.span,
                     "the output '{}' can be unset: nothing assigns ctx.{} on the way {}",
                     output.name, variable.name, ways.to_text(*end))
                  .help("assign it on that way, give it a default, or end in a state that failed")
                  .related(machine.state(*end).span, "the end");
            };
            for (const model::Binding& output : machine.outputs) {
              check(output, [&](const State& state) {  // has it none of its own?
                return std::ranges::count(state.outputs, output.name, &model::Binding::name) == 0;
              });
            }
            for (const State& state : machine.states) {
              for (const model::Binding& output : state.outputs) {
                check(output, [&](const State& one) { return &one == &state; });
              }
            }
          });
    }};

}  // namespace agneto::lint
