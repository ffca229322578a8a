#include "lint/explore/abstract_names.h"

#include <algorithm>

#include "lint/explore/saturation.h"
#include "lint/expressions.h"
#include "lint/transitions.h"

namespace agneto::lint {

namespace {

using Kind = Node::Kind;
using Names = std::set<std::string>;

bool is_finite(const model::Type& type) {
  return !type.optional &&
         (type.kind == model::Type::Kind::boolean || type.kind == model::Type::Kind::choice);
}

class Relevance {
 public:
  Relevance(const LintContext& context, const Machine& machine, const KnownInputs& known)
      : context_(context), machine_(machine), known_(known) {}

  // What it depends on, and what that is made of; without what nothing assigns, of which another
  // rule speaks.
  Names run() {
    for (const Piece& piece : context_.pieces(machine_)) {
      if (!piece.tree) continue;
      if (decides(*piece.code)) add_deciding(*piece.tree);
      if (is_handed_on(piece)) add_names(*piece.tree);
    }
    context_.each_node(machine_, [&](const Piece&, const Node& node) {
      if (!node.is(Kind::statement, "if")) return;
      for (std::size_t i = 0; i + 1 < node.children.size(); i += 2) add_deciding(node.children[i]);
    });
    return closed();
  }

 private:
  static bool decides(const model::Code& code) {
    return code.what == "guard" || code.what == "when" || model::is_of_invariant(code.what);
  }

  // The value of a flag or a choice for another machine: an output, or what `with` gives.
  bool is_handed_on(const Piece& piece) const {
    if (piece.code->what.starts_with("outputs.")) {
      const model::Variable* variable = variable_of(machine_, expression(piece));
      return variable && is_finite(variable->type);
    }
    return piece.code->what.starts_with("with.") && is_finite_input(*piece.code);
  }

  bool is_finite_input(const model::Code& code) const {
    const std::string name = code.what.substr(5);
    for (const State& state : machine_.states) {
      const auto* to = std::get_if<model::Delegate>(&state.activity);
      if (!to) continue;
      for (const model::Binding& binding : to->with) {
        if (&machine_.code[binding.value] != &code) continue;
        const auto& inputs = context_.system.machine(to->machine).inputs;
        return std::ranges::any_of(inputs, [&](const model::Variable& input) {
          return input.name == name && is_finite(input.type);
        });
      }
    }
    return false;
  }

  // Those on which it depends which way a condition goes. A counter that is compared with what is
  // not known decides nothing.
  void add_deciding(const Node& node) {
    const bool joins = node.is(Kind::binary, "and") || node.is(Kind::binary, "or") ||
                       node.is(Kind::unary, "not") || node.kind == Kind::block ||
                       node.kind == Kind::statement;
    if (joins) {
      for (const Node& child : node.children) add_deciding(child);
    } else if (!is_opaque(node)) {
      add_names(node);
    }
  }

  // Is it unknown, whatever the context?
  bool is_opaque(const Node& node) const {
    return any_node(node, [&](const Node& inner) {
      const std::string* input = lua::field_of(inner, "inputs");
      return (inner.kind == Kind::call && !inner.children[0].is(Kind::global, "state_in")) ||
             inner.kind == Kind::method || inner.kind == Kind::local ||
             inner.is(Kind::unary, "#") || inner.is(Kind::global, "event") ||
             inner.is(Kind::global, "null") || (input && !known_.contains(*input));
    });
  }

  void add_names(const Node& node) {
    lua::walk(node, [&](const Node& inner) {
      if (const std::string* name = lua::field_of(inner, "ctx")) names_.insert(*name);
    });
  }

  Names closed() {
    Names assigned;
    for (std::size_t before = 0; before != names_.size();) {
      before = names_.size();
      context_.each_node(machine_, [&](const Piece&, const Node& node) {
        for (const Node& target : assigned_to(node)) {
          const std::string* name = lua::field_of(target, "ctx");
          if (!name || !names_.contains(*name)) continue;
          assigned.insert(*name);
          add_names(node);
        }
      });
    }
    return assigned;
  }

  const LintContext& context_;
  const Machine& machine_;
  const KnownInputs& known_;
  Names names_;
};

// Are the names of the context where they are assigned, and nowhere else?
bool is_clear(const Node& tree) {
  return !uses_whole_context(tree) &&
         !any_node(tree, [](const Node& node) { return node.kind == Kind::function; });
}

bool is_wrong_about(const Machine& machine, const Node& node) {
  if (const std::string* name = asked_state(node)) return machine.find(*name) == none;
  if (node.kind != Kind::binary) return false;
  const auto impossible = [&](const Node& name, const Node& text) {
    const model::Variable* variable = variable_of(machine, name);
    return variable && is_no_choice(variable->type, text);
  };
  return impossible(node.children[0], node.children[1]) ||
         impossible(node.children[1], node.children[0]);
}

// Does the block, whatever comes before, give the name a value that is written out?
bool sets(const Node& block, const std::string& name) {
  return std::ranges::any_of(block.children, [&](const Node& node) {
    if (node.kind != Kind::assignment || node.children.size() != 2) return false;
    const std::string* target = lua::field_of(node.children[0], "ctx");
    const Kind value = node.children[1].kind;
    return target && *target == name &&
           (value == Kind::number || value == Kind::boolean || value == Kind::string);
  });
}

class Scopes {
 public:
  Scopes(const LintContext& context, const Machine& machine)
      : context_(context), machine_(machine), owner_(machine.code.size(), none) {
    for (const State& state : machine.states) {
      own(state.entry, state.id);
      own(state.exit, state.id);
      own(state.start.actions, state.id);
    }
    for (const Transition& transition : machine.transitions) {
      own(transition.actions, transition.source);
      if (transition.guard != none) owner_[transition.guard] = transition.source;
    }
  }

  // The innermost state that sets the name and around all that looks at it.
  StateId of(const std::string& name) const {
    for (StateId id = machine_.state(0).last; id > 0; --id) {
      const auto& entry = machine_.state(id).entry;
      const bool begins = std::ranges::any_of(entry, [&](CodeId code) {
        const Piece& piece = context_.piece(machine_, code);
        return piece.tree && sets(*piece.tree, name);
      });
      if (begins && holds_all(id, name)) return id;
    }
    return none;
  }

 private:
  void own(const std::vector<CodeId>& blocks, StateId state) {
    for (const CodeId code : blocks) owner_[code] = state;
  }

  bool holds_all(StateId scope, const std::string& name) const {
    for (CodeId code = 0; code < machine_.code.size(); ++code) {
      const StateId owner = owner_[code];
      const bool inside = owner != none && is_inside(machine_, owner, scope);
      if (inside || is_shown_alone(machine_.code[code].what)) continue;
      const Piece& piece = context_.piece(machine_, code);
      if (!piece.tree || mentions(*piece.tree, name)) return false;
    }
    return true;
  }

  const LintContext& context_;
  const Machine& machine_;
  std::vector<StateId> owner_;  // by CodeId: whose entry, exit or transition it is in
};

}  // namespace

AbstractNames::AbstractNames(const LintContext& context, const Machine& machine,
                             const KnownInputs& known, const std::set<std::string>* only) {
  for (const std::string& name : Relevance(context, machine, known).run()) {
    if (only && !only->contains(name)) continue;
    slots_.emplace(name, static_cast<int>(slots_.size()));
  }
  most_.resize(slots_.size());
  for (const auto& [name, slot] : slots_) {
    most_[static_cast<std::size_t>(slot)] =
        most_told_apart(context, machine, name, known).value_or(INT64_MAX);
  }
  const Scopes scopes(context, machine);
  scopes_.resize(slots_.size());
  for (const auto& [name, slot] : slots_) scopes_[static_cast<std::size_t>(slot)] = scopes.of(name);
  for (CodeId code = 0; code < machine.code.size(); ++code) {
    const Piece& piece = context.piece(machine, code);
    if (model::is_function(*piece.code)) continue;  // sees no context
    if (!piece.tree || !is_clear(*piece.tree)) {
      can_follow_ = false;
      continue;
    }
    bool idle = true;
    bool constant = true;
    lua::walk(*piece.tree, [&](const Node& node) {
      const std::string* name = lua::field_of(node, "ctx");
      idle = idle && !names_action(node) && !(name && slot(*name) >= 0);
      constant = constant && node.kind != Kind::global;
      if (is_wrong_about(machine, node)) wrong_.insert(&node);
    });
    if (idle) idle_.insert(code);
    if (constant) constant_.insert(code);
  }
}

}  // namespace agneto::lint
