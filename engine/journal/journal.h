// The record of runs: what happened, in order, durable before anything follows from it.
//
// The journal knows nothing of charts: entries and states are JSON that `run` writes and reads.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "base/json.h"
#include "journal/bounds.h"
#include "journal/holds.h"

namespace agneto::journal {

using Seq = std::int64_t;  // 1, 2, 3, … within a run, without gaps
constexpr Seq last_seq = 0xFFFFFFFF;
using MessageId = std::int64_t;  // ascending within a database, never given twice

struct Entry {
  Seq seq = 0;  // given by the journal
  Time time;    // given by the caller; never earlier than the entry before (the journal sees to it)
  std::string kind;  // "started", "prompt", …: record/entry.h has them all
  std::string path;  // the effect it belongs to; may be empty
  Json body;
  bool stands = true;  // given by the journal: false where a rewind has undone it
};

// What lists show of a run; `run` keeps it up to date.
struct RunRecord {
  std::string id;
  std::string workflow;  // its name
  std::string file;      // where its main file was read
  std::string task;
  std::string status;   // one of those below
  std::string outcome;  // of the final state; or why it is parked or suspended
  std::string base;     // branch; empty without a repository
  std::string branch;
  Time created;
  Time updated;  // when read: never earlier than the newest entry
  // What it was started with: inputs, providers, models, limits; `served`: not at a terminal.
  Json options = Json::object();
  int priority = 0;               // of queued ones, those with more are taken up first
  std::optional<Time> wake = {};  // of a parked one: when it goes on, whatever is said to it
  int questions = 0;              // that it asks; `unknown_questions` in a record of format 4
  // What has caused it, where that may cause one run alone: no two runs have the same. Given when
  // the run is made, and never changed. Empty: a person's word.
  std::string origin = {};
  // Whoever takes it up has all of these labels. They are given when the run is made.
  std::vector<std::string> needs = {};
};
constexpr int unknown_questions = -1;

inline constexpr std::array open_statuses = {"queued", "running", "parked", "suspended"};
inline constexpr std::array ended_statuses = {"complete", "failed", "aborted"};
bool has_ended(const RunRecord& run);

// Which runs a list is to have. What is empty asks for nothing.
struct Wanted {
  std::vector<std::string> status = {};  // any of these
  bool asking = false;                   // those too that ask something, of `status` or not
  bool resting = false;                  // of parked ones only those that ask nothing
  std::string workflow = {};
  std::string id = {};      // the start of one
  std::string before = {};  // a run's id: only those made before it
  std::size_t most = 0;     // 0: all of them
};

// A word to the owner of a run, from any process.
struct Message {
  std::string kind;  // "answer", "event", …: record/message.h has them all
  Json body;
  Time time{};
  MessageId id = 0;  // given by the journal
};

// What a run's record is worth.
struct Diagnosis {
  struct Fault {
    Seq seq = 0;  // the entry that it is about; 0: the run as a whole
    std::string what;
  };
  Seq newest = 0;                // the last entry there is
  Seq sound = 0;                 // entries 1 to `sound` are as they were written
  Seq usable = 0;                // the last of those whose state can be had; 0: none
  bool file_damaged = false;     // the database itself: nothing can be written there any more
  bool sources_damaged = false;  // to go on, the run needs other ones
  std::vector<Fault> faults;     // in the order of entries; none: all is well
};

// Somebody else owns the run by now: nothing more may be done for it here, not even undone.
class OwnerLost : public Error {
 public:
  using Error::Error;
};

// There is a run of that origin already.
class OriginTaken : public Error {
 public:
  using Error::Error;
};

// What happened in a run. Both throw Error where there is no such run.
class Entries {
 public:
  virtual ~Entries() = default;

  // Gives those behind `after` and up to `to`, in order, also if they do not stand; others need not
  // be readable.
  virtual std::vector<Entry> entries(const std::string& run_id, Seq after = 0,
                                     Seq to = last_seq) = 0;
  // Gives those of one effect that stand, in order; none for the empty path.
  virtual std::vector<Entry> entries_of(const std::string& run_id, const std::string& path) = 0;
};

// All that is recorded of a run. Throws Error where there is no such run.
class Reader : public Entries {
 public:
  // The last entry's place.
  virtual Seq newest(const std::string& run_id) = 0;
  virtual Json state(const std::string& run_id) = 0;
  // The state after the entry `at`, whether that stands or not. Throws Error where there is no such
  // entry.
  virtual Json state_at(const std::string& run_id, Seq at) = 0;
  // Throws Error where one is not as it was written.
  virtual std::map<std::string, std::string> sources(const std::string& run_id) = 0;
  // The messages that the owner has not handled yet, oldest first.
  virtual std::vector<Message> inbox(const std::string& run_id) = 0;
};

// Records a new run, and then what happens in it.
class Writer {
 public:
  virtual ~Writer() = default;

  // Creates the run with its sources (path -> text) and first entries and state, at once, and owns
  // it. Throws OriginTaken where another one has its origin.
  virtual void create(const RunRecord& run, const std::map<std::string, std::string>& sources,
                      std::vector<Entry> entries, Json state) = 0;
  // One transaction: all of it or nothing, durable on return. `state` is the run's state after the
  // entries, of which there is one at least then (null: unchanged); `run` the run's record (null
  // pointer: unchanged); `handled` leave the inbox. Returns the last entry's seq. Throws Error
  // where this object is not the run's owner, OwnerLost where it is not any more. What several
  // threads append to several runs at the same time waits for the disk together; none of them sees
  // another one's error.
  virtual Seq append(const std::string& run_id, std::vector<Entry> entries, Json state,
                     const RunRecord* run = nullptr,
                     const std::vector<MessageId>& handled = {}) = 0;
};

// Somebody who takes runs up.
struct Taker {
  std::vector<std::string> labels = {};  // only runs that need no other ones
  Bounds bounds = {};                    // of all that are worked on
  std::vector<std::string> except = {};  // ids of runs that are not for it now
};

// The runs that are to be taken up.
struct Due {
  std::vector<RunRecord> runs;
  // What somebody has now may be free after this; nothing: nobody has any.
  std::optional<Millis> again = {};
};

// The runs that somebody is to work on, found without looking at the others.
class Queue {
 public:
  virtual ~Queue() = default;

  // Gives those that nobody has and that may be worked on beside those that are, `most` at most, in
  // the order in which they are to be taken up: running ones, whose process is gone, and whose
  // options have a `served` that is true; parked ones whose time has come, or for which there is a
  // message; queued ones, by priority and age. `hold` says whether one is still free when it is
  // taken.
  virtual Due due(const Taker& taker, Time now, std::size_t most) = 0;
  // Gives those that somebody works on, as far as that is known.
  virtual std::vector<RunRecord> worked_on() = 0;
  // When the time of the next parked one comes, of those whose time comes after that.
  virtual std::optional<Time> next_wake(Time after) = 0;
  // Of the runs whose origins begin with that text, the one whose origin is the greatest, byte by
  // byte.
  virtual std::optional<RunRecord> newest_of(const std::string& origins) = 0;
  // How many runs have that status.
  virtual std::int64_t count(const std::string& status) = 0;
};

// Who may reach the runs over the network. The token itself is not kept, but its SHA-256.
struct Grant {
  std::string name;
  std::string scope;
  std::string hash;
  Time created{};
};

class Grants {
 public:
  virtual ~Grants() = default;

  // By name.
  virtual std::vector<Grant> grants() = 0;
  // Durable on return. Throws Error where there is one of that name.
  virtual void grant(const Grant& grant) = 0;
  // False: there is none of that name.
  virtual bool revoke(const std::string& name) = 0;
};

// How a run's record has changed.
struct Changed {
  std::int64_t number = 0;  // ascending within a database
  RunRecord run;
};

// A process that takes up runs of this journal, as it says itself.
struct Worker {
  std::string name;  // no two have the same
  Json body;         // what it can do, and how much of that it does: serve/worker.h has it
};

class Workers {
 public:
  virtual ~Workers() = default;

  // It is there, for as long as a lease lasts: to be said again before that is over.
  virtual void present(const Worker& worker) = 0;
  // It takes up nothing more.
  virtual void leave(const std::string& worker) = 0;
  // Gives those that are there, by name. A journal that is a file gives none: at most one process
  // takes up its runs, and that one holds its folder's lock (serve/server.h).
  virtual std::vector<Worker> workers() = 0;
};

// While it lives, somebody is told of something.
class Watch {
 public:
  virtual ~Watch() = default;
};

struct Parcel;

// Thread-safe; several processes may have one open. A run is written by its owner only: the Journal
// object that created it or called `own` last. What writes throws Error with nothing written (disk
// full, I/O), and, but for `create`, where there is no such run.
class Journal : public Reader,
                public Writer,
                public Queue,
                public Grants,
                public Workers,
                public Holds {
 public:
  virtual std::optional<RunRecord> find(const std::string& run_id) = 0;
  // All runs, the last one made first, whatever its clock said.
  virtual std::vector<RunRecord> list(const Wanted& wanted = {}) = 0;
  // The runs whose records have changed since the change of that number, each with its newest one,
  // in their order; `most` at most.
  virtual std::vector<Changed> changes(std::int64_t after, std::size_t most) = 0;
  // The number of the newest change.
  virtual std::int64_t newest_change() = 0;
  // Another number whenever another Journal object, of this process or not, has written anything.
  virtual std::int64_t written_by_others() = 0;

  // Calls `heard`, by another thread, soon after somebody has posted a message to that run. The
  // empty id stands for messages to any run, and for holds that end: a run that was queued can be
  // taken from then on. At times it is called where there is nothing. Null for a journal that is a
  // file: its users are on one machine, and wake each other up by themselves (run/wakeup.h).
  virtual std::unique_ptr<Watch> watch(const std::string& run_id, std::function<void()> heard) = 0;

  // From now on this object is the run's owner, and any other one's writes are refused; `who` is
  // for people. Throws Error, and nothing has changed, where the run's record, or what its newest
  // state is made of, is not as it was written.
  virtual void own(const std::string& run_id, const std::string& who) = 0;
  // This object does not write the run any more, and forgets what it knew of it.
  virtual void release(const std::string& run_id) = 0;
  // The run's state is again what it was after entry `to`, which `note` (kind "rewound", `to` is
  // put into its body) says. What lies between stays in the record, but does not stand any more.
  // Only the owner may do so.
  virtual Seq rewind(const std::string& run_id, Seq to, Entry note,
                     const RunRecord* run = nullptr) = 0;
  // Replaces the run's sources (`resume --update`). Only the owner may do so.
  virtual void replace_sources(const std::string& run_id,
                               const std::map<std::string, std::string>& sources) = 0;
  // A new run with the sources of this one, the entries that stood at `at`, numbered anew, the
  // state after them, and `note`. Nobody owns it.
  virtual void fork(const std::string& run_id, Seq at, const RunRecord& fork, Entry note) = 0;
  // All of a run, for another journal. Throws Error where any of it is not as it was written.
  virtual Parcel pack(const std::string& run_id) = 0;
  // Records a run that another journal has packed, as it was there. Nobody owns it. Throws Error
  // where there is one of that id, or the entries are not tied to each other, and OriginTaken.
  virtual void unpack(const Parcel& parcel) = 0;
  // Removes all that is recorded of a run, for good; texts of its sources, which others may have,
  // stay. Throws Error where it has not ended.
  virtual void remove(const std::string& run_id) = 0;
  // A message to the run's owner; durable on return.
  virtual MessageId post(const std::string& run_id, const Message& message) = 0;

  // Throws Error where an entry or a source is not as it was written.
  virtual void check(const std::string& run_id) = 0;
  // What is wrong where, and what can be saved, however damaged the run is.
  virtual Diagnosis diagnose(const std::string& run_id) = 0;
};

// Shows these runs, `wanted.most` of which it reads at a time (0: many), until `see` says false.
void each_run(Journal& journal, Wanted wanted, const std::function<bool(RunRecord)>& see);

// The journal at a path is SQLite's (WAL, synchronous=FULL, 0600): made where it is missing,
// brought up to this format where it has an older one. On a full or read-only disk what is in it
// can still be read; writing throws then. One at "postgresql://…" is in that database, in a schema
// of its own. Throws Error where it cannot be opened, is damaged, or was written by a newer
// version.
std::unique_ptr<Journal> open_journal(const std::string& where);

}  // namespace agneto::journal
