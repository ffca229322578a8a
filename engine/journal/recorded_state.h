// A run's state, put together from the newest entry that holds it whole and the changes after it.
#pragma once

#include <string>

#include "base/error.h"
#include "journal/sqlite/entry_table.h"

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
RecordedState verified_state(EntryTable& entries, std::int64_t number, const std::string& run_id);
// The one after entry `at`, which is the newest for `last_seq`. Throws Error where there is no such
// entry, or it cannot be read; does not look at hashes.
RecordedState state_after(EntryTable& entries, std::int64_t number, const std::string& run_id,
                          Seq at);

// "entry 3 of run r1 is WHAT", "entries 3 to 5 of run r1 are WHAT"
std::string about(const std::string& run_id, Seq first, Seq last, const std::string& what);
inline constexpr const char* altered = "not as it was written";
inline constexpr const char* missing = "missing";
// "the journal 'F' is damaged: …"
Error damaged(const std::string& file, const std::string& run_id, const std::string& fault);

}  // namespace agneto::journal
