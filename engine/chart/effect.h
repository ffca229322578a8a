// What a step asks of the world. Plain data; nothing happens until somebody makes it happen.
//
// An effect's `path` names it in the whole run and over restarts: the instance, the state, which
// entry of that state: "TASK_EXECUTING#1/CODE_REVIEW#3". Timers append "/after:N" (the N-th timer
// transition of the state) or stand as "…/send:ID".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/fields.h"
#include "base/json.h"
#include "base/text.h"
#include "model/machine.h"

namespace agneto::chart {

struct CallAgent {
  static constexpr std::string_view kind = "agent";
  std::string path;
  model::MachineId machine;
  model::StateId state;  // its activity says which agent, task, access and verdicts
  std::string instance;  // the path of the machine instance; empty for the root
  int entry = 1;         // which entry of the state this is
  // What the agent's conversation lives as long as: "" for a fresh one, "run", the instance's path
  // ("/" for the root), or the path of that entry of the named enclosing state.
  std::string scope;
  std::vector<std::string> files = {};  // patterns, of what it is given of the worktree
};

struct AskHuman {
  static constexpr std::string_view kind = "ask";
  struct Option {
    std::string name;
    std::string label;
    model::Need feedback = model::Need::none;
    std::optional<std::string> edit;  // the text to edit
  };
  std::string path;
  std::string question;
  std::string show;             // the material; tables are shown as JSON
  std::vector<Option> options;  // those that are offered now
  std::string default_option;   // empty, or one of the offered
  model::Need text = model::Need::none;
};

struct RunCommand {
  static constexpr std::string_view kind = "run";
  std::string path;
  std::vector<std::string> argv;  // a shell text is {"/bin/sh", "-c", TEXT}
  std::vector<std::pair<std::string, std::string>> env;
  std::string cwd;    // a folder below the worktree; empty: the worktree itself
  Millis timeout{0};  // of a try
  model::Retry retry;
  bool once = false;
  bool read_only = false;

  std::string shown() const;  // in one line, for people
};

struct GitOperation {
  std::string path;
  model::WorkspaceOperation::Kind kind = model::WorkspaceOperation::Kind::commit;
  std::string message;
  bool squash = true;
  std::string into;  // empty: the run's base
};

// A workspace of its own for an item of a for_each, made of the tree around it as it is now. Ends
// in `ok`, or in `failed` with a message.
struct OpenWorkspace {
  static constexpr std::string_view kind = "open workspace";
  std::string path;  // the item's: "PANEL#1[2]"
};

// The items of a for_each have ended, and with them the workspaces of the first `opened`. Brings in
// what those in `completed` changed, in order, and removes them all. Ends in `ok` with `conflicts`:
// [{item, branch, files}]. Where nothing is to be brought in, nobody may wait for the end.
struct JoinWorkspaces {
  static constexpr std::string_view kind = "join workspaces";
  std::string path;  // the state's
  std::uint32_t opened = 0;
  std::vector<std::uint32_t> completed;
};

// Instead of the machine itself, where Chart::Options::shallow says so.
struct RunMachine {
  static constexpr std::string_view kind = "machine";
  std::string path;
  model::MachineId machine;
  Json inputs;  // as `with` gives them; of a for_each a list of each item's
};

struct StartTimer {
  static constexpr std::string_view kind = "timer";
  std::string path;
  Millis delay{0};
  bool pausable = false;  // stands still while the run is suspended (a question's timer)
};

// An activity or timer that was ordered is not wanted any more.
struct Cancel {
  static constexpr std::string_view kind = "cancel";
  std::string path;
};

// The root machine has ended.
struct Finish {
  static constexpr std::string_view kind = "finish";
  std::string outcome;
  model::FinalStatus status = model::FinalStatus::complete;
  Json outputs;
  std::string reason;  // why, where the engine ended it
};

// The run cannot go on without a person: an error.lua that nobody took.
struct Suspend {
  static constexpr std::string_view kind = "suspend";
  std::string path;
  std::string reason;
};

using Effect = std::variant<CallAgent, AskHuman, RunCommand, GitOperation, OpenWorkspace,
                            JoinWorkspaces, RunMachine, StartTimer, Cancel, Finish, Suspend>;

// "agent", "workspace", …: which one it is, as in its JSON.
std::string_view kind_of(const Effect& effect);

// What the workflow, `system`, says of the call: its agent and what that is asked for.
const model::AgentCall& activity_of(const CallAgent& call, const model::System& system);
const model::Agent& agent_of(const CallAgent& call, const model::System& system);

// The item in whose own workspace the effect with that path happens; empty: in the run's.
std::string workspace_of(const model::System& system, std::string_view path);

// As the journal has them: machines and states by name, so that they survive a new build and can be
// read without the workflow.
struct NamedCall {
  static constexpr std::string_view kind = "agent";
  std::string path;
  std::string machine;
  std::string state;
  std::string instance;
  int entry = 1;
  std::string scope;
  std::vector<std::string> files = {};
};

struct NamedMachine {
  static constexpr std::string_view kind = "machine";
  std::string path;
  std::string machine;
  Json inputs;
};

using NamedEffect = std::variant<NamedCall, AskHuman, RunCommand, GitOperation, OpenWorkspace,
                                 JoinWorkspaces, NamedMachine, StartTimer, Cancel, Finish, Suspend>;

// The path of an Effect or a NamedEffect; empty for Finish.
template <typename... Each>
const std::string& path_of(const std::variant<Each...>& effect) {
  return std::visit(
      [](const auto& each) -> const std::string& {
        if constexpr (requires { each.path; }) {
          return each.path;
        } else {
          static const std::string none;
          return none;
        }
      },
      effect);
}

NamedEffect named(const Effect& effect, const model::System& system);
// Throws Error where the effect does not fit the workflow.
Effect resolved(const NamedEffect& effect, const model::System& system);

// For the journal and `simulate`.
Json to_json(const Effect& effect, const model::System& system);
Effect effect_from_json(const Json& json, const model::System& system);

}  // namespace agneto::chart

namespace agneto {

template <>
inline constexpr std::array enum_names<model::Need>{"none", "optional", "required"};
template <>
inline constexpr std::array enum_names<model::FinalStatus>{"complete", "failed", "aborted"};

// {"effect": KIND, …}
template <>
struct Coding<chart::NamedEffect> {
  static Json to(const chart::NamedEffect& effect);
  static void from(const Json& json, chart::NamedEffect& effect);
};

}  // namespace agneto
