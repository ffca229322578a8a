// A run's state, put together from the newest entry that holds it whole and the changes after it.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "journal/stored_run.h"

namespace agneto::journal {

// How far the entries of a run are known.
struct Extent {
  Head head;              // the last one
  std::size_t whole = 0;  // bytes of the change that holds a state whole
  std::size_t since = 0;  // bytes of the entries after it: what a reader has to go through

  // One more entry is known.
  void add(const Row& row);
};

struct RecordedState {
  Extent extent;  // to the entry after which it is so
  Json state;     // null: none was recorded
};

// The newest one. Throws Error where what it is made of is not as it was written.
RecordedState verified_state(StoredRun& run);
// The state from which a run goes on when it is taken up. Throws Error where its line or its newest
// part is not as it was written.
RecordedState state_to_go_on_from(StoredRun& run);
// The one after entry `at`, which is the newest for `last_seq`. Throws Error where there is no such
// entry, or it cannot be read; does not look at hashes.
RecordedState state_after(StoredRun& run, Seq at);
// The same of one entry. Throws Error where none was recorded up to it, too.
Json required_state(StoredRun& run, Seq at);

// What an append writes, and where the run stands then.
struct Prepared {
  std::vector<Row> rows;
  Extent extent;
};

// The rows that come after what is recorded. Now and then the state is written whole, so that
// reading it stays short. `state` is null where it stays as it was.
Prepared prepared(const std::string& run_id, const RecordedState& before,
                  std::vector<Entry> entries, const Json& state);
// They are written.
void take_over(RecordedState& recorded, Prepared added, Json state);

// "entry 3 of run r1 is WHAT", "entries 3 to 5 of run r1 are WHAT"
std::string about(const std::string& run_id, Seq first, Seq last, const std::string& what);
inline constexpr const char* altered = "not as it was written";
inline constexpr const char* missing = "missing";
// "the journal 'PLACE' is damaged: …"
Error damaged(const std::string& place, const std::string& run_id, const std::string& fault);

}  // namespace agneto::journal
