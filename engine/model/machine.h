// A machine as the interpreter sees it: immutable, names resolved to dense ids.
//
// States are numbered in document order (preorder): the machine itself is state 0, a state's
// descendants are the ids (id, State::last]. So document order is numeric order, and "is a
// descendant of" is a range check.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "base/source.h"
#include "base/text.h"
#include "model/agent_settings.h"
#include "model/retry.h"
#include "model/types.h"

namespace agneto::model {

using StateId = std::uint32_t;
using TransitionId = std::uint32_t;
using CodeId = std::uint32_t;
using MachineId = std::uint32_t;
using AgentId = std::uint32_t;
inline constexpr std::uint32_t none = UINT32_MAX;

// A piece of Lua in the file. `text` is as written (an expression has no `return`); its line k
// (0-based) stands on source line `lines[k]`.
struct Code {
  enum class Kind { expression, statements };
  Kind kind = Kind::expression;
  std::string what;  // "guard", "do", "show": what messages call it
  std::string text;
  Span span;
  std::vector<int> lines;
  // The name under which it sees the item of its for_each, beside `index`; empty: it sees none.
  std::string item = {};
};

// Is that what a function of the file is called?
inline bool is_function(const Code& code) {
  return code.what.starts_with("functions.");
}

// Text with {{expressions}}: parts in order; a part is literal text or code.
struct Template {
  struct Part {
    std::string text;
    CodeId code = none;
  };
  std::vector<Part> parts;
  Span span;
};

// NAME: expression. For `with`, `outputs`, `env`.
struct Binding {
  std::string name;
  CodeId value = none;
  Span span;  // the name
};

// An input or a context entry.
struct Variable {
  std::string name;
  Type type;
  std::optional<Json> initial;    // a literal default
  CodeId init = none;             // or an expression (context only)
  bool main = false;              // inputs: filled by TASK on the command line
  std::optional<double> minimum;  // inputs: the least number that is accepted
  std::optional<double> maximum;  // and the greatest
  std::string description;
  Span span;
  bool required() const { return !initial && init == none && !type.optional; }
};

enum class Access { read_only, edit, full };  // ordered: each may do what the one before may
std::string_view to_text(Access access);

enum class SessionScope { fresh, machine, run, state };

// A role: which hooks speak for it, what it may touch, how long its conversation lives.
struct Agent {
  std::string name;
  // What makes its prompts: a Lua module, or Markdown (lua/prompt.h). Lexically normal, under the
  // system's root.
  std::filesystem::path hooks;
  Access access = Access::read_only;
  SessionScope session = SessionScope::fresh;
  StateId session_state = none;  // SessionScope::state: as long as that entry of this state
  Millis timeout{30 * 60 * 1000};
  Millis idle{5 * 60 * 1000};   // silence, with no tool in flight
  std::vector<Template> files;  // patterns: what each call is given of the worktree
  AgentId extends = none;
  AgentSettings settings;
  Span span;
  Span hooks_span;
};

struct Verdict {
  std::string name;
  std::vector<Field> fields;
  Span span;
};

// Verdicts that several calls share.
struct VerdictSet {
  std::string name;
  std::vector<Verdict> verdicts;
  Span span;
};

struct AgentCall {
  AgentId agent = none;
  std::string task;  // which of the hook module's tasks; may be empty
  Access access = Access::read_only;
  std::vector<Template> files;  // its agent's, and its own
  std::vector<Verdict> verdicts;
  std::uint32_t verdict_set = none;  // whose they are; none: its own
  AgentSettings settings;            // which go before the agent's
  Span span;                         // the task, or else the agent's name
};

enum class Need { none, optional, required };

struct Option {
  std::string name;
  Template label;
  CodeId when = none;  // offered only if true; none: always
  Need feedback = Need::none;
  CodeId edit = none;  // the text to open in an editor; comes back as event.edited
  Span span;
};

struct Ask {
  Template question;
  CodeId show = none;  // the material to judge
  std::vector<Option> options;
  std::string default_option;  // taken where nobody can be asked; empty: the run suspends
  Need text = Need::none;      // asks for words instead of an option; outcome `answered`
};

struct Delegate {
  MachineId machine = none;
  std::vector<Binding> with;
  Span span;
};

// A number in the file, or one that is computed when it is needed.
struct Count {
  int number = 0;
  CodeId code = none;  // instead
};

// One machine for each item of a list. Items are numbered from 1.
struct ForEach {
  CodeId items = none;
  std::string as = "item";
  Delegate each;               // its `with` sees the item, and its number as `index`
  Count max_parallel;          // 0: all at once
  Count needed;                // how many items must complete; 0: all
  bool stops = true;           // the first item that fails ends the others
  bool own_workspace = false;  // each item works in a worktree of its own

  bool all_needed() const { return needed.number == 0 && needed.code == none; }
  bool all_at_once() const { return max_parallel.number == 0 && max_parallel.code == none; }
  bool one_by_one() const { return max_parallel.number == 1; }
};

struct Program {
  enum class Kind { argv, shell, expression };
  Kind kind = Kind::argv;
  std::vector<Template> argv;  // each template is one argument, never split
  std::string shell;           // literal shell text; values reach it by `env` only
  CodeId command = none;       // an expression giving a command line the *user* configured
  std::vector<Binding> env;
  Template cwd;  // a folder below the worktree; empty: the worktree itself
  Millis timeout{10 * 60 * 1000};
  Retry retry;
  bool once = false;
  Access access = Access::edit;  // read-only: what it changes in the worktree is taken back
};

struct WorkspaceOperation {
  enum class Kind { commit, merge, discard };
  Kind kind = Kind::commit;
  Template message;
  bool squash = true;
  Template into;  // merge: the branch; empty: the run's base
};

using Activity =
    std::variant<std::monostate, AgentCall, Ask, Delegate, ForEach, Program, WorkspaceOperation>;

// The machine that the activity starts, once or for each item; null where it starts none.
const Delegate* delegate_of(const Activity& activity);

enum class StateKind { atomic, compound, parallel, final, shallow_history, deep_history };
enum class FinalStatus { complete, failed, aborted };
std::string_view to_text(FinalStatus status);

// `initial` of a compound, `default` of a history.
struct Start {
  std::vector<StateId> targets;
  std::vector<CodeId> actions;
  Span span;
};

struct State {
  StateId id = none;
  StateId parent = none;
  StateId last = none;  // the last descendant's id; its own for a leaf
  std::string name;     // of state 0: the machine's name
  StateKind kind = StateKind::atomic;
  std::vector<StateId> children;  // in document order, history states included
  Start start;
  std::vector<CodeId> entry;  // one id per block
  std::vector<CodeId> exit;
  std::vector<TransitionId> on;      // by event, in document order
  std::vector<TransitionId> always;  // eventless
  std::vector<TransitionId> after;   // timers
  Activity activity;
  std::string outcome;  // finals
  FinalStatus status = FinalStatus::complete;
  std::vector<Binding> outputs;  // finals: what the event of their end has, beside the machine's
  Span span;                     // the name
  bool has_activity() const { return activity.index() != 0; }
  bool is_history() const {
    return kind == StateKind::shallow_history || kind == StateKind::deep_history;
  }
};

struct Transition {
  StateId source = none;
  std::vector<std::string> events;  // descriptors: a name, a dotted prefix, or "any"
  CodeId guard = none;
  std::vector<CodeId> actions;
  std::vector<StateId> targets;  // empty: only the actions run
  bool internal = false;
  Millis delay{0};           // `after` with a literal
  CodeId delay_code = none;  // `after` with an expression, giving "5s" or milliseconds
  bool wall = false;         // `after`: runs on while the run is suspended
  // `after`: alternatives under one delay share one timer, named by the first of them (which names
  // itself). When it comes due they are tried in order; other timers' transitions are not.
  TransitionId timer = none;
  Span span;
};

// What the machine, those that it delegates to included, may use; the root's are the run's.
// Untaken, each suspends the run. Zero: no limit.
struct Limits {
  int calls = 0;
  double cost = 0;          // US dollars
  std::int64_t tokens = 0;  // read and written
  Millis time{0};

  bool any() const { return calls > 0 || cost > 0 || tokens > 0 || time.count() > 0; }
  // These, and where they have no limit the others'.
  Limits before(const Limits& others) const {
    return {calls > 0 ? calls : others.calls, cost > 0 ? cost : others.cost,
            tokens > 0 ? tokens : others.tokens, time.count() > 0 ? time : others.time};
  }
};

// "300 calls, $5.00, 10000 tokens, 8h"; empty: there is no limit.
std::string to_text(const Limits& limits);

// What the author says of every run; lint proves it, and a run does not look at it.
struct Invariant {
  enum class Kind {
    never,              // the expression is false whenever the machine is at rest
    always_eventually,  // as long as the machine runs, it can come to where the expression is true
    leads_to,  // once `after` is true, the expression is so then or later, on every fair path
  };
  Kind kind = Kind::never;
  CodeId code = none;
  CodeId after = none;  // of `leads_to`
};

// Is that what a piece of code is called which an invariant is made of?
bool is_of_invariant(std::string_view what);

struct Machine {
  MachineId id = none;
  std::filesystem::path file;  // lexically normal
  std::string name;
  std::string description;
  std::vector<Variable> inputs;
  std::vector<Variable> context;
  std::vector<Agent> agents;
  std::vector<VerdictSet> verdict_sets;
  std::vector<Binding> functions;
  std::vector<State> states;
  std::vector<Transition> transitions;  // in document order
  std::vector<Code> code;               // in document order
  std::vector<Binding> outputs;
  Limits limits;
  // A run of it works in the user's checkout; what it delegates to does not matter. Where that is
  // written.
  bool in_place = false;
  Span in_place_span;
  std::vector<Invariant> invariants;
  std::unordered_map<std::string, StateId> by_name;
  // Its file's, and behind it those of the files that are extended, the nearest first.
  std::vector<SourcePtr> sources;
  Span extends;  // where its file names the next

  const State& state(StateId id) const { return states[id]; }
  // Strictly below.
  bool is_descendant(StateId state, StateId ancestor) const {
    return state > ancestor && state <= states[ancestor].last;
  }
  StateId find(const std::string& state_name) const {
    auto it = by_name.find(state_name);
    return it == by_name.end() ? none : it->second;
  }
  // Every input with its default filled in; why it does not fit is appended to `errors`, a line
  // each ("input 'issue' is missing; …", "unknown input 'isue'; did you mean 'issue'?").
  Json check_inputs(const Json& given, std::vector<std::string>& errors) const;
  // The input that TASK fills: the one marked `main`, else the only required string; or null.
  const Variable* main_input() const;
};

// A workflow and all machines it delegates to, each once. machines[0] is the one that is run.
struct System {
  std::vector<Machine> machines;
  // Files outside of these are not loaded: the workflow's own folder, or its parent where that
  // folder is called `workflows`; then those of the workflows that are extended.
  std::vector<std::filesystem::path> roots;
  const Machine& main() const { return machines.front(); }
  const Machine& machine(MachineId id) const { return machines[id]; }
  // A state of any machine here that cannot do without a worktree; null: there is none.
  const State* needs_worktree() const;
};

// Is the path absolute, or does it lead out of the folder that it is in, by its words?
bool leads_out(const std::filesystem::path& folder);

// Does a descriptor match an event's name? "any" matches all; "a.b" matches "a.b" and "a.b.c".
bool matches(std::string_view descriptor, std::string_view event);

// What `done.state.NAME` begins with: all inside the state NAME has ended.
inline constexpr std::string_view done_of_state = "done.state.";

// Does the engine alone make this event: `abort`, `error`, `limit`, `done.state`, and what begins
// like them (`abort.now`)? A descriptor is the engine's where it takes such events alone; `any` is
// not.
bool is_engines(std::string_view event);

// The event that a machine gets where nobody is there whom it has sent one: a notice, which no
// activity ends in.
inline constexpr std::string_view undelivered = "error.communication";

// Does a transition of that state with that descriptor take the event? As `matches` says; but where
// the state has an activity, `done` is its outcome, and no `done.state.NAME` of other states; and
// `error` is no `error.communication`, which is taken by its own name.
bool takes(const State& state, std::string_view descriptor, std::string_view event);

}  // namespace agneto::model
