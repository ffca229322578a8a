// The record of runs: what happened, in order, durable before anything follows from it.
//
// The journal knows nothing of charts: entries and states are JSON that `run` writes and reads.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/json.h"

namespace agneto::journal {

using Seq = std::int64_t;  // 1, 2, 3, … within a run, without gaps

struct Entry {
  Seq seq = 0;  // given by the journal
  Time time;    // given by the caller; never earlier than the entry before (the journal sees to it)
  std::string kind;  // "started", "macrostep", "prompt", "reply", "answer", …; see docs/journal.md
  std::string path;  // the effect it belongs to; may be empty
  Json body;
};

// One line about a run, for lists; `run` keeps it up to date.
struct Run {
  std::string id;
  std::string workflow;  // its name
  std::string file;      // where its main file was read
  std::string task;
  std::string status;   // "running", "suspended", "complete", "failed", "aborted"
  std::string outcome;  // of the final state; or why it is suspended
  std::string base;     // branch; empty without a repository
  std::string branch;
  Time created;
  Time updated;
  Json options = Json::object();  // what it was started with: inputs, providers, models, limits
};

// Thread-safe; several processes may have one open and write runs of their own. All but `find` and
// `list` throw Error where there is no such run.
class Journal {
 public:
  virtual ~Journal() = default;

  // Creates the run with its sources (path -> text) and first entries and state, at once.
  virtual void create(const Run& run, const std::map<std::string, std::string>& sources,
                      std::vector<Entry> entries, const Json& state) = 0;
  // One transaction: all of it or nothing, durable on return. `state` replaces the run's state
  // (null: unchanged); `run` the run's line (null pointer: unchanged but for `updated`). Returns
  // the last entry's seq. Throws Error (disk full, I/O) with nothing written.
  virtual Seq append(const std::string& run_id, std::vector<Entry> entries, const Json& state,
                     const Run* run = nullptr) = 0;

  virtual std::optional<Run> find(const std::string& run_id) = 0;
  // All runs, newest first.
  virtual std::vector<Run> list() = 0;
  virtual Json state(const std::string& run_id) = 0;
  virtual std::map<std::string, std::string> sources(const std::string& run_id) = 0;
  // Replaces the run's sources (`resume --update`).
  virtual void replace_sources(const std::string& run_id,
                               const std::map<std::string, std::string>& sources) = 0;
  virtual std::vector<Entry> entries(const std::string& run_id, Seq after = 0) = 0;
  // Throws Error where an entry is not as it was written; what follows from it cannot be trusted.
  virtual void check(const std::string& run_id) = 0;
  // Those of one effect, in order; none for the empty path.
  virtual std::vector<Entry> entries_of(const std::string& run_id, const std::string& path) = 0;
};

// In memory, for tests.
std::unique_ptr<Journal> memory_journal();

// SQLite (WAL, synchronous=FULL, 0600), made where it is missing. On a full or read-only disk what
// is in it can still be read; writing throws then. Throws Error where it cannot be opened, is
// damaged, or was written by a newer version.
std::unique_ptr<Journal> open_journal(const std::string& path);

}  // namespace agneto::journal
