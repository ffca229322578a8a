// What a person sees of a run: one stream of events. The console, the log and `--json` are
// observers of it; docs/runs.md describes the JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/clock.h"
#include "base/json.h"
#include "record/entry.h"
#include "record/question.h"

namespace agneto::record {

struct RunStarted {
  static constexpr std::string_view kind = "run.started";
  std::string workflow;
  std::string task;
  std::string base;
  std::string branch;
  std::string worktree;  // only while it happens
  std::string provider;
};

// The run waits until somebody takes it up.
struct RunQueued {
  static constexpr std::string_view kind = "run.queued";
  std::string task;
  std::string by;           // empty: whoever worked on it until then
  std::string reason = {};  // why that one works on it no more; else empty
};

// It waits for a word or a time, and nobody works on it meanwhile.
struct RunParked {
  static constexpr std::string_view kind = "run.parked";
  std::string reason;
};

struct RunResumed {
  static constexpr std::string_view kind = "run.resumed";
  std::string workflow;
  std::string task;
  std::string branch;
  std::string worktree;  // only while it happens
};

struct StateEntered {
  static constexpr std::string_view kind = "state.entered";
  std::string state;
  bool stage = false;  // is it a child of the root?
};

struct StateExited {
  static constexpr std::string_view kind = "state.exited";
  std::string state;
  bool stage = false;
};

struct TransitionTaken : Transition {
  static constexpr std::string_view kind = "transition";
};

struct ProblemMet : Problem {
  static constexpr std::string_view kind = "problem";
};

// An error in the workflow's code that a transition is taken for: the one that is told next.
struct ProblemCaught : Problem {
  static constexpr std::string_view kind = "problem.caught";
};

// An activity could not begin: the error that it has ended in.
struct ActivityRefused : Problem {
  static constexpr std::string_view kind = "activity.refused";
};

struct AgentStarted {
  static constexpr std::string_view kind = "agent.started";
  std::string agent;
  std::string provider;
  std::string model;
  int attempt = 1;
  std::string state;
  std::string item = {};    // what the for_each's item is called that it works for; may be empty
  std::string effort = {};  // where one is set
};

struct AgentText {
  static constexpr std::string_view kind = "agent.text";
  std::string text;
};

struct AgentTool {
  static constexpr std::string_view kind = "agent.tool";
  std::string tool;
};

struct AgentToolEnd {
  static constexpr std::string_view kind = "agent.tool_end";
};

// An agent was not allowed to use a tool, called as `tools` of the configuration calls it.
struct AgentToolDenied {
  static constexpr std::string_view kind = "agent.tool_denied";
  std::string tool;
};

// A tool came to nothing: "edit: greet".
struct AgentToolFailed {
  static constexpr std::string_view kind = "agent.tool_failed";
  std::string tool;
};

struct AgentRetry {
  static constexpr std::string_view kind = "agent.retry";
  std::string reason;
};

// What a run has spent so far.
struct Spent {
  int calls = 0;
  agents::Usage usage;
};

struct AgentFinished {
  static constexpr std::string_view kind = "agent.finished";
  std::string agent;
  std::string verdict;
  Json fields;
  Spent spent;
};

// A prompt and a reply from their first to their last line; told where somebody asks for them.
struct AgentPrompt {
  static constexpr std::string_view kind = "agent.prompt";
  Prompt prompt;
};

struct AgentReply {
  static constexpr std::string_view kind = "agent.reply";
  Reply reply;
};

struct QuestionAsked {
  static constexpr std::string_view kind = "question.asked";
  Question question;
  Spent spent = {};
};

struct QuestionAnswered : GivenAnswer {
  static constexpr std::string_view kind = "question.answered";
};

struct CommandStarted {
  static constexpr std::string_view kind = "command.started";
  std::vector<std::string> argv;
  std::string item = {};  // as an agent's
  std::string cwd = {};   // the folder below the worktree
};

struct CommandOutput {
  static constexpr std::string_view kind = "command.output";
  std::string line;
};

struct CommandFinished {
  static constexpr std::string_view kind = "command.finished";
  std::string event;
  std::string message;
  std::vector<std::string> output = {};  // its last lines, where it failed
};

// What came of an operation on the repository.
struct GitResult {
  std::string commit;  // empty: there was nothing to do
  std::string message;
  std::vector<std::string> files;
  std::optional<std::string> subject;  // of the commit, where one was to be made
  std::optional<std::string> into;     // the branch that was merged into
};

struct Committed : GitResult {
  static constexpr std::string_view kind = "workspace.committed";
};

struct Merged : GitResult {
  static constexpr std::string_view kind = "workspace.merged";
};

struct Discarded : GitResult {
  static constexpr std::string_view kind = "workspace.discarded";
};

// It was not done; `message` says why.
struct GitRefused : GitResult {
  static constexpr std::string_view kind = "workspace.refused";
};

// The work of a for_each's items that completed was brought in, as far as they changed anything.
struct Joined {
  static constexpr std::string_view kind = "workspace.joined";
  struct Conflict {
    std::uint32_t item = 0;
    std::string branch;  // has the item's work
    std::vector<std::string> files;
  };
  std::vector<std::uint32_t> items;
  std::vector<Conflict> conflicts;
  std::vector<std::uint32_t> unchanged = {};  // those of the items that have changed nothing
};

// What an agent that may only read has changed was taken back.
struct Undone {
  static constexpr std::string_view kind = "workspace.undone";
  std::string agent;
};

struct Note {
  static constexpr std::string_view kind = "note";
  std::string text;
  std::string fault = {};  // the fault of a cassette that was injected; else empty
};

struct RunPaused {
  static constexpr std::string_view kind = "run.paused";
};

struct RunSuspended {
  static constexpr std::string_view kind = "run.suspended";
  std::string reason;
  std::optional<Question> question;  // the first one that nobody could be asked
  std::vector<std::string> others;   // paths of the other ones
  Spent spent = {};
};

struct RunFinished {
  static constexpr std::string_view kind = "run.finished";
  std::string outcome;
  model::FinalStatus status = model::FinalStatus::complete;
  Json outputs;
  std::string reason;  // why, where the engine ended it
  std::string branch;
  std::string base;
  Spent spent;
  Millis worked{0};  // in which an agent or a program was at work
};

using EventBody =
    std::variant<RunQueued, RunStarted, RunParked, RunResumed, StateEntered, StateExited,
                 TransitionTaken, ProblemMet, ProblemCaught, ActivityRefused, AgentStarted,
                 AgentText, AgentTool, AgentToolEnd, AgentToolDenied, AgentToolFailed, AgentRetry,
                 AgentFinished, AgentPrompt, AgentReply, QuestionAsked, QuestionAnswered,
                 CommandStarted, CommandOutput, CommandFinished, Committed, Merged, Discarded,
                 GitRefused, Joined, Undone, Note, RunPaused, RunSuspended, RunFinished>;

// A state of the machines that was entered or exited.
EventBody move_event(const chart::Effects::Moved& moved, const model::System& system);
// What an operation on the repository is told as. `message`: as the commit has it. `data`: its
// outcome's, {"commit", "message", "files"}. `base`: the run's, into which a merge goes by default.
EventBody git_event(const chart::GitOperation& operation, const std::string& message, bool done,
                    const Json& data, const std::string& base);
// `data`: the outcome's, {"message", "output"}.
CommandFinished command_finished(const std::string& event, const Json& data);
// `data`: the outcome's, {"conflicts": [{"item", "branch", "files"}], "unchanged": [item]}.
Joined joined(std::vector<std::uint32_t> items, const Json& data);
// "'go' was sent by lea, and nothing takes it"
std::string describe(const Sent& sent);
std::string describe(const StopAsked& stop);
// "judge may only read, but changed files: undone"
std::string describe(const Undone& undone);

struct RunEvent {
  Time time;
  std::string run;
  std::string path;  // of the state, the activity or (of a transition) the machine instance
  EventBody body;
  std::int64_t seq = 0;  // the journal's entry that tells of it; 0: it happens now
  bool undone = false;   // a rewind has undone it

  // Null where it is of another kind.
  template <typename Kind>
  const Kind* get() const {
    return std::get_if<Kind>(&body);
  }
  std::string_view kind() const;
};

// {"time", "run", "type": KIND, "path"?, "seq"?, "undone"?} and the fields of its kind.
Json to_json(const RunEvent& event);
// The fields of its kind alone, and back. Throws Error where they cannot be read.
Json body_json(const EventBody& body);
EventBody event_body(std::string_view kind, const Json& json);

// Called on the engine's thread only, in order. Must not block for long and must not throw.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void event(const RunEvent& event) = 0;
  // A few times a second while nothing happens, so that clocks on a screen go on.
  virtual void tick(Time) {}
};

// Nobody listens.
class NoObserver : public Observer {
 public:
  void event(const RunEvent&) override {}
};

}  // namespace agneto::record
