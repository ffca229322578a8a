// What a run's journal says: one type for each kind of entry. docs/journal.md describes them.
//
// Whatever reads a record visits `Entry::body`; the JSON of the journal is made and read in
// entry.cpp alone.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "agents/caller.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/json.h"
#include "chart/effect.h"
#include "chart/event.h"
#include "chart/step.h"
#include "journal/journal.h"
#include "process/process.h"
#include "record/question.h"

namespace agneto::record {

using journal::Seq;

// The run began. Its inputs are checked.
struct Started {
  static constexpr std::string_view kind = "started";
  std::string workflow;
  Json inputs;
};

// The run was asked for, or is to go on, and waits until somebody takes it up.
struct Queued {
  static constexpr std::string_view kind = "queued";
  std::string by;           // who asked for it; empty: whoever worked on it until then
  std::string reason = {};  // why that one works on it no more; else empty
};

// A transition that was taken, told by names so that it can be read without the workflow.
struct Transition {
  std::string instance;  // path of the machine instance; empty for the root
  std::string event;     // what it was taken for, "after" for a timer; empty for an eventless one
  std::string from;
  std::vector<std::string> to;
  int line = 0;             // in the machine's file
  std::string origin = {};  // of the event, where another machine has sent it
  std::uint32_t item = 0;
};

Json to_json(const Transition& transition);

struct Problem {
  std::string path;  // the state or instance it happened in
  std::string event;
  std::string message;
};

// One step of the machines, and what it asks for.
struct Macrostep {
  static constexpr std::string_view kind = "macrostep";
  bool handled = false;
  // What it was made for, with its name also where it was queued; none: the start, or a forced end.
  std::optional<chart::Event> event;
  std::vector<Transition> transitions;
  std::vector<chart::NamedEffect> effects;
  std::vector<Problem> problems;
  std::vector<Problem> refused = {};  // activities and items that could not begin
  std::vector<Problem> caught = {};   // errors in its code that its transitions were taken for

  // The activity's outcome that it was made for; null: it was made for something else.
  const chart::Event* outcome() const {
    return event && event->kind == chart::Event::Kind::outcome ? &*event : nullptr;
  }
};

// An attempt of a call, before it is sent.
struct Prompt : agents::PromptRecord {
  static constexpr std::string_view kind = "prompt";
  std::string item = {};  // what the for_each's item is called that it works for; may be empty
};

// What an agent says and which tools it uses, while it is at work.
struct Said {
  static constexpr std::string_view kind = "said";
  int attempt = 1;
  std::vector<agents::Output> output;
};

// A process that works for an effect, so that a next owner can end it.
struct Process {
  static constexpr std::string_view kind = "process";
  process::ProcessId id;
};

// What came of an attempt; `output` has what it said since the last Said.
struct Reply : agents::ReplyRecord {
  static constexpr std::string_view kind = "reply";
  std::string tree = {};  // checkpoint of what an editing call has left; may be empty
  std::string kept = {};  // of an attempt that was stopped: how to have back what it had changed
  std::vector<std::string> put_right = {};  // what it did to git behind the engine's back
  bool undone = false;                      // it may only read: what it had changed was taken back
};

// A program is called: written before it is started.
struct ProgramCall {
  static constexpr std::string_view kind = "command";
  std::vector<std::string> argv;
  std::string checkpoint;  // the files as they are before; may be empty
  std::string item = {};   // as a prompt's
  std::string cwd = {};    // the folder below the worktree
};

struct Answered : GivenAnswer {
  static constexpr std::string_view kind = "answer";
};

// A person's word to the next agent.
struct Instructed {
  static constexpr std::string_view kind = "instruction";
  std::string text;
};

// A person's event was offered to the machines.
struct Sent {
  static constexpr std::string_view kind = "sent";
  std::string name;
  bool taken = false;
  std::string by;  // who sent it; may be empty
};

// What the engine has told people, and nothing else in the record says.
struct Noted {
  static constexpr std::string_view kind = "noted";
  std::string text;
};

// A word from another process was not acted on.
struct Refused {
  static constexpr std::string_view kind = "refused";
  std::string message;  // of which kind that was
  std::string reason;
};

// The run is to be suspended once what is under way has ended.
struct StopAsked {
  static constexpr std::string_view kind = "stop";
  std::string reason;
};

struct AbortAsked {
  static constexpr std::string_view kind = "abort";
  std::string reason = "aborted by a person";
};

struct Suspended {
  static constexpr std::string_view kind = "suspended";
  std::string reason;
};

// Nothing is under way: the run waits for a word or a time, and nobody works on it meanwhile.
struct Parked {
  static constexpr std::string_view kind = "parked";
  std::string reason;
};

struct Resumed {
  static constexpr std::string_view kind = "resumed";
  std::vector<std::string> notes;
};

// The run goes on from what it was after `to`.
struct Rewound {
  static constexpr std::string_view kind = "rewound";
  Seq to = 0;
};

// The run begins as a copy of what another one was after `at`.
struct Forked {
  static constexpr std::string_view kind = "forked";
  std::string run;
  Seq at = 0;
};

// After a rewind or a fork: files, timers and conversations are those of then, too.
struct Restored {
  static constexpr std::string_view kind = "restored";
  std::vector<std::string> kept;  // refs of what that took away
};

// The journal was brought here from an older format.
struct Migrated {
  static constexpr std::string_view kind = "migrated";
  int format = 0;
};

using Body = std::variant<Queued, Started, Macrostep, Prompt, Said, Process, Reply, ProgramCall,
                          Answered, Instructed, Sent, Noted, Refused, StopAsked, AbortAsked,
                          Suspended, Parked, Resumed, Rewound, Forked, Restored, Migrated>;

struct Entry {
  Seq seq = 0;  // given by the journal
  Time time;
  std::string path;  // the effect it belongs to; may be empty
  Body body;
  bool stands = true;  // false where a rewind has undone it
  // The message of another process that led to it; 0: none.
  journal::MessageId message = 0;

  // Null where it is of another kind.
  template <typename Kind>
  const Kind* get() const {
    return std::get_if<Kind>(&body);
  }
  std::string_view kind() const;
};

// An entry that this version cannot read: it says which one, and what is malformed.
class Malformed : public Error {
 public:
  using Error::Error;
};

journal::Entry encode(const Entry& entry);
std::vector<journal::Entry> encode(const std::vector<Entry>& entries);
// Throws Malformed.
Entry decode(const journal::Entry& entry);
std::vector<Entry> decode(const std::vector<journal::Entry>& entries);
// The body alone, as JSON.
Json body_json(const Body& body);

// `event`: what the step was made for; null: the start, or a forced end.
Macrostep macrostep_of(const chart::Event* event, const chart::Effects& out,
                       const model::System& system);
Transition transition_of(const chart::Effects::Taken& taken, const model::System& system);

}  // namespace agneto::record
