// Syntax tree -> Machine, for one file whose shape was checked (shape.h). One class over several
// files, an idea each; what has the wrong shape is skipped without a word.
//
// Code, transitions and verdicts are numbered as they are met, so entries of a map are visited in
// the order in which they are written.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/diagnostic.h"
#include "base/text.h"
#include "model/keys.h"
#include "model/machine.h"
#include "yaml/tree.h"

namespace agneto::model {

// "did you mean 'X'?" for the mistakes of a workflow.
//
// A name is compared with every name there is. In a file with thousands of mistakes and names that
// would take longer than all else, so the last of very many mistakes get no suggestion.
class Suggestions {
 public:
  // Does what agneto::suggest does, with the names that `names()` gives, until it has given up.
  template <typename Names>
  void give(Diagnostic& finding, std::string_view name, std::string_view kind, Names names) {
    if (compared_ >= most_compared) return;
    const auto& known = names();
    compared_ += known.size();
    suggest(finding, name, known, kind);
  }

 private:
  static constexpr std::size_t most_compared = 5'000'000;
  std::size_t compared_ = 0;
};

// What a binder needs to know of other files.
class References {
 public:
  virtual ~References() = default;
  // The machine in `path` as written in the file that is bound; reports and returns none where
  // there is no such file.
  virtual MachineId machine(const yaml::Node& path) = 0;
  // A hook module; reports it where it is not there, and returns an empty path where it cannot be.
  virtual std::filesystem::path hooks(const yaml::Node& path) = 0;
  // The file that is bound in which the node is written.
  virtual std::filesystem::path file_of(const yaml::Node& node) const = 0;
};

// Reads `string`, `integer?`, `[string]` (a YAML list of one type, or quoted), `enum [a, b]`
// (quoted where YAML asks for it), `{enum: [a, b]}`. Reports what is wrong and returns nothing.
// (type_syntax.cpp)
std::optional<Type> read_type(const yaml::Node& node, Diagnostics& diagnostics);
// NAME: TYPE, or NAME: {type: TYPE, description: TEXT}.
std::vector<Field> read_fields(const yaml::Node& node, Diagnostics& diagnostics);

// More than 25 names: each part of the language is bound by a function of its own, and all report
// to one list about one machine.
class Binder {
 public:
  Binder(Machine& machine, References& references, Suggestions& suggestions,
         Diagnostics& diagnostics)
      : machine_(machine),
        references_(references),
        suggestions_(suggestions),
        diagnostics_(diagnostics) {}

  void bind(const yaml::Node& root);

 private:
  using Node = yaml::Node;
  using Entry = yaml::Entry;

  // bind_names_and_code.cpp: which states there are, and names that refer to them.
  void declare_root(const Node& root);
  void declare_states(const Node& states, StateId parent);
  void declare_state(const Entry& entry, StateId parent);
  std::vector<std::string> state_names() const {
    return names_of(std::span(machine_.states).subspan(1));
  }
  // The states that a scalar or a list names; reports those that do not exist.
  std::vector<StateId> targets(const Node& node);
  void check_orthogonal(std::vector<StateId> targets, Span span);
  StateId common_ancestor(StateId a, StateId b) const;

  // bind_states.cpp
  void bind_state(const Entry& entry);
  // What the machine has as its states have it: where it begins, states inside, transitions.
  void bind_part(StateId of, const std::string& key, const Node& value);
  void check_keys(const State& state, const Entry& entry);
  // Says how a file gets rid of the first of two keys that exclude each other, where that is in one
  // that it extends.
  static void offer_removal(Diagnostic& problem, const Node& first, const Node& second);
  Start start(const Node& node, StateId of, std::string_view key);
  void bind_final(State& state, const Node& node);

  // bind_transitions.cpp
  void bind_on(StateId source, const Node& node);
  void bind_always(StateId source, const Node& node);
  void bind_after(StateId source, const Node& node);
  template <typename Each>
  void alternatives(StateId source, const Node& node, Each each);
  TransitionId transition(StateId source, const Node& node);
  void check_internal(const Transition& transition, const Node& node);

  // bind_activities.cpp
  void bind_activity(StateId state, const Entry& entry, const Node& of);
  Ask ask(const Node& node, Span span);
  Option option(const Entry& entry);
  Delegate delegate(const Node& machine, const Node* with, const std::string& item = {});
  Program program(const Node& node, Span span);
  // Below the worktree; reports where that is written and is not so.
  Template path(const Node& node, std::string_view what);
  std::vector<Template> paths(const Node& node, std::string_view what);
  WorkspaceOperation workspace(const Node& node, Span span);
  void check_default_option(const Ask& ask, const Node& name);
  void check_outcome_name(const Node& name, std::string_view noun);
  void check_one_of(const Node& node, Span span, ConstructId id,
                    std::initializer_list<std::string_view> keys);

  ForEach for_each(const Node& node);
  void bind_join(ForEach& loop, const Node& node);
  Count count(const Node& node, std::string_view what);
  // Can Lua have it as a name of its own?
  bool check_lua_name(const Node& name, std::string_view noun);

  // bind_agents.cpp: agents, and the calls to them
  enum class Progress { waiting, begun, done };
  void bind_agents(const Node& agents);
  void bind_agent(const Node& agents, AgentId id, std::vector<Progress>& progress);
  void set_parts(Agent& agent, const Node& node);
  void set_session(Agent& agent, const Node& node);
  // Says an agent twice how often it is tried?
  void check_tries(const Node& node, const std::string& agent);
  // Reports where there is none.
  AgentId agent_named(const Node& name);
  AgentCall agent_call(const Node& node, StateId state);
  void set_verdicts(AgentCall& call, const Node& node);
  std::vector<Verdict> verdicts(const Node& node);
  // Is the agent called where its conversation lives?
  void check_session(const Agent& agent, StateId state, Span span);
  static std::optional<Access> read_access(const Node& node);
  std::optional<Millis> time_limit(const Node& node);

  // bind_machine.cpp: `bind`, and what a file says of its machine besides states
  void bind_inputs(const Node& inputs);
  Variable input(const Entry& entry);
  Variable context_entry(const Entry& entry);
  void bind_functions(const Node& functions);
  void bind_limits(const Node& limits);
  void bind_invariants(const Node& invariants);
  // Sets the `minimum` or the `maximum` of an input.
  void set_bound(Variable& variable, const Node& node, std::string_view which);
  // The type, description and default, which inputs and context entries have alike.
  void set_parts(Variable& variable, const Node& node);

  CodeId code(const Node& node, Code::Kind kind, std::string_view what);
  CodeId expression(const Node& node, std::string_view what);
  std::vector<CodeId> blocks(const Node& node, std::string_view what);
  Template text_template(const Node& node, std::string_view what);
  // `item`: the name under which the expressions see a for_each's item, if they do.
  std::vector<Binding> bindings(const Node& node, std::string_view what,
                                const std::string& item = {});

  Machine& machine_;
  References& references_;
  Suggestions& suggestions_;
  Diagnostics& diagnostics_;
  std::unordered_map<const Node*, StateId> ids_;  // a state's map -> its id
  std::unordered_map<std::string_view, AgentId> agent_ids_;
  bool agents_unread_ = false;  // what is wrong with them is reported
};

}  // namespace agneto::model
