// Agneto as a library: load a workflow, lint it, drive its machine, or let it run with services of
// your own. All that is installed of the engine's headers; includes nothing but the standard
// library. docs/embedding.md has an example.
//
// What is offered is the machine: states, Lua, hooks, verdicts, timers, machines that it delegates
// to. What `agneto run` adds is not: no journal and no resuming, no worktrees or git, no provider
// drivers, tries, timeouts or limits, no .agneto/config.yaml. Until version 1.0 any release may
// change this interface.
//
// Paths name an activity over the whole machine: "CODING#2", "SUB#1/CODING#2", the number being
// which entry of the state this is. Text is UTF-8; what is not is replaced by U+FFFD, and refused
// in JSON. Times are milliseconds.
//
// Threads: a Workflow is immutable and may be used by many at a time; a Machine by one at a time.
// Errors: what cannot be done throws Error, and nothing has changed then.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

namespace agneto::embed {

// What is wrong in a file.
struct Finding {
  enum class Severity { error, warning };
  Severity severity = Severity::error;
  std::string path;     // as given, or made from it; empty: the finding has no place
  int line = 0;         // from 1; 0: no place
  int column = 0;       // from 1, in bytes
  std::string rule;     // "E203/undefined-target"
  std::string message;  // one line
  std::string help;     // what to do about it; may be empty
  std::string text;     // the whole as `agneto lint` prints it, with the line of the file
};

class Error : public std::runtime_error {
 public:
  // `what()` is "WHERE: MESSAGE".
  Error(std::string where, const std::string& message, std::string help,
        std::vector<Finding> findings = {})
      : std::runtime_error(where.empty() ? message : where + ": " + message),
        where_(std::move(where)),
        help_(std::move(help)),
        findings_(std::move(findings)) {}

  const std::string& where() const { return where_; }  // "flow.yaml:3:7", "CODING#1"; may be empty
  const std::string& help() const { return help_; }    // what to do about it; may be empty
  // All that is wrong with a workflow that cannot be used, the first of which this error tells.
  const std::vector<Finding>& findings() const { return findings_; }

 private:
  std::string where_;
  std::string help_;
  std::vector<Finding> findings_;
};

// All that `agneto lint` finds in the file and the machines that it delegates to, by place, without
// what is suppressed there. `library`: the folder of the hook library, which CMake's target
// agneto::agneto defines as AGNETO_LIBRARY.
std::vector<Finding> lint(const std::filesystem::path& file, const std::filesystem::path& library);

// A workflow that can be used. Copies share it.
class Workflow {
 public:
  // Reads the file, the machines that it delegates to and their agents' hooks. Throws Error with
  // the findings where an error is among them. Hooks are read again, from the disk, by each
  // Machine.
  Workflow(const std::filesystem::path& file, const std::filesystem::path& library);

  const std::string& name() const;

  class Impl;

 private:
  friend class Machine;
  std::shared_ptr<const Impl> impl_;
};

struct AgentCall {
  std::string path;
  std::string agent;                  // the role: "coder"
  std::string task;                   // of its hook; may be empty
  std::string access;                 // "read-only", "edit" or "full"
  std::vector<std::string> verdicts;  // what it may end in; empty: `done`
  // Calls with the same one are one conversation; empty: this one stands alone. Keeping it is the
  // caller's affair.
  std::string conversation;
  std::vector<std::string> files;  // of the work, which it is given with its prompt: patterns
};

struct Question {
  struct Option {
    std::string name;
    std::string label;
    bool needs_words = false;
    std::optional<std::string> edit;  // a text that the answer may bring back edited
  };
  std::string path;
  std::string question;
  std::string show;             // the material to judge; may be empty
  std::vector<Option> options;  // empty: it asks for words
  std::string default_option;   // where nobody can be asked; may be empty
};

struct Command {
  std::string path;
  std::vector<std::string> argv;                         // shell text is {"/bin/sh", "-c", TEXT}
  std::vector<std::pair<std::string, std::string>> env;  // beside the inherited environment
  std::string cwd;  // a folder below the one that the work is in; empty: that one
  std::chrono::milliseconds timeout{0};
  bool read_only = false;
};

// On the work so far.
struct Operation {
  std::string path;
  std::string kind;     // "commit", "merge" or "discard"
  std::string message;  // of the commit
  std::string into;     // merge: the branch; empty: the one that the work began from
  bool squash = true;   // merge
};

using Activity = std::variant<AgentCall, Question, Command, Operation>;

struct Answer {
  std::string option;                 // of those offered; empty where words are asked for
  std::string words;                  // the words, or those that go with the option
  std::optional<std::string> edited;  // instead of the option's `edit`
  std::string by = "person";          // event.by; "default" where nobody was asked
};

struct Ending {
  std::string outcome;  // the final state's
  std::string status;   // "complete", "failed" or "aborted"
  std::string outputs;  // a JSON object
  std::string reason;   // where it was aborted from outside; else empty
};

// Something that went wrong in the machine, which may have gone on.
struct Problem {
  std::string path;     // a state's or machine's
  std::string event;    // "error.lua", "error.livelock", "error.unhandled"
  std::string message;  // with file and line where there is one
};

struct Start {
  std::string inputs = "{}";  // a JSON object; defaults are filled in
  std::string run_id = "embedded";
  bool interactive = true;  // what `run.interactive` and `run.auto_merge` are
  bool auto_merge = false;
  // Hears of each macrostep as it is made: one line of JSON, as `agneto simulate --json` prints it
  // (docs/simulate.md). Must not throw, nor use the machine.
  std::function<void(const std::string&)> listener = {};
};

// A machine and where it stands. Nothing happens by itself: it has a clock of its own, which moves
// when it is told to, and whatever it wants done somebody does and says how it ended.
//
// A path that is given may leave out entry numbers and outer states where one activity alone fits.
class Machine {
 public:
  // Starts it. The workflow is kept as long as needed. Throws Error for inputs that do not fit.
  explicit Machine(const Workflow& workflow, const Start& start = {});
  ~Machine();
  Machine(Machine&&) noexcept;
  Machine& operator=(Machine&&) noexcept;

  // The active states that have no states inside, by path, in document order. Once it has ended:
  // those in which it did.
  std::vector<std::string> states() const;
  // The data of the outermost machine; a JSON object.
  std::string context() const;
  // What it waits for to be done, in document order.
  std::vector<Activity> activities() const;
  // How long until the next timer comes due; none where none runs.
  std::optional<std::chrono::milliseconds> next_timer() const;
  std::optional<Ending> ending() const;
  // All so far.
  std::vector<Problem> problems() const;

  // An event from outside. False: nothing took it. An `abort` that nothing takes ends the machine.
  // Throws Error where an activity of the workflow ends in what is called so.
  bool send(const std::string& event, const std::string& data = "null");
  // Moves the clock; what comes due on the way happens.
  void advance(std::chrono::milliseconds duration);

  // An activity other than a question ends in that outcome, or in `error…`. What `data`, a JSON
  // object, leaves out is filled in, but not the fields of a verdict.
  void end(const std::string& path, const std::string& outcome, const std::string& data = "{}");
  // A question ends.
  void answer(const std::string& path, const Answer& answer);

  // What to send to the agent, whole, made by its hook. The hook finds `m.workspace` empty.
  std::string prompt(const std::string& path);
  // What the agent says, read by its hook. False: there is no verdict in it that can be used, and
  // `prompt` asks for another one, telling the conversation so far. The third such reply ends the
  // call in error.unparsed; a mistake in the hook does in error.lua.
  bool reply(const std::string& path, const std::string& text);

  class Impl;

 private:
  std::unique_ptr<Impl> impl_;
};

// A reply, or why there is none: the call ends in error.exit then.
struct Reply {
  std::string text;
  std::string failure = {};
};

struct CommandResult {
  int status = 0;  // 0: the command ends in `ok`; else in `failed`
  std::string output = {};
};

struct OperationResult {
  std::string outcome = "ok";           // or "failed"; of a merge also "conflict"
  std::string commit = {};              // its id
  std::string message = {};             // why it failed
  std::vector<std::string> files = {};  // in conflict
};

// Who does what the machine wants done. What a service throws comes out of `run` unchanged, the
// activity as unfinished as before. A service may send the machine events; an activity that has
// ended by then has no use for the result.
struct Services {
  std::function<Reply(const AgentCall&, const std::string& prompt)> agent = {};
  // Without it a question's default is taken, where it has one.
  std::function<Answer(const Question&)> ask = {};
  std::function<CommandResult(const Command&)> command = {};
  std::function<OperationResult(const Operation&)> workspace = {};
  // Returns when so long has passed; called where nothing but a timer is left. Without it no time
  // is lost: the clock moves at once.
  std::function<void(std::chrono::milliseconds)> wait = {};
  // How long it is since some beginning: what a service takes is time for the machine, too, whose
  // timers may end the activity. Without it a service takes no time.
  std::function<std::chrono::milliseconds()> clock = {};
};

// Lets the machine go on until it has ended, one activity at a time, in document order. Nothing:
// it has not ended, but waits for an event from outside, or stands still after a problem; send it
// something, and run it again. Throws Error where a service is missing or gives what cannot be.
//
// A workflow that goes round for ever does so here: a service that throws ends it.
std::optional<Ending> run(Machine& machine, const Services& services);

}  // namespace agneto::embed
