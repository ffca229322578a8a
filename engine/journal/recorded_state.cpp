#include "journal/recorded_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "journal/change.h"
#include "journal/schema.h"

namespace agneto::journal {

namespace {

// From the newest whole state at or before `at`, in order; `previous` is the hash of the entry
// before them.
std::vector<Row> rows_since_whole(EntryTable& entries, std::int64_t number, Seq at,
                                  std::string& previous) {
  std::vector<Row> rows;
  entries.visit_back(number, at, [&](Row& row) {
    if (!rows.empty() && is_whole(rows.back().texts.change)) {
      previous = std::move(row.hash);
      return false;
    }
    rows.push_back(std::move(row));
    return true;
  });
  std::reverse(rows.begin(), rows.end());
  return rows;
}

RecordedState put_together(const std::vector<Row>& rows, const std::string& file,
                           const std::string& run_id) {
  RecordedState recorded;
  for (const Row& row : rows) {
    recorded.head = {row.entry.seq, row.entry.time, row.hash};
    recorded.since += row.texts.body.size() + row.texts.change.size();
    if (row.texts.change.empty()) continue;
    const Json change = Json::parse(row.texts.change, nullptr, false);
    try {
      apply_change(change, recorded.state);
    } catch (const std::invalid_argument&) {
      throw damaged(file, run_id, about(run_id, row.entry.seq, row.entry.seq, altered));
    }
    if (is_whole(row.texts.change)) {
      recorded.whole = row.texts.change.size();
      recorded.since = 0;
    }
  }
  return recorded;
}

}  // namespace

RecordedState verified_state(EntryTable& entries, std::int64_t number, const std::string& run_id) {
  std::string previous;
  const std::vector<Row> rows = rows_since_whole(entries, number, last_seq, previous);
  Seq expected = rows.empty() || !previous.empty() ? 0 : 1;  // 0: whatever the first one has
  for (const Row& row : rows) {
    const Seq seq = row.entry.seq;
    if (expected == 0) expected = seq;
    if (seq != expected) {
      throw damaged(entries.file(), run_id, about(run_id, expected, seq - 1, missing));
    }
    if (chain_hash(previous, run_id, row.entry, row.texts) != row.hash) {
      throw damaged(entries.file(), run_id, about(run_id, seq, seq, altered));
    }
    previous = row.hash;
    ++expected;
  }
  return put_together(rows, entries.file(), run_id);
}

RecordedState state_after(EntryTable& entries, std::int64_t number, const std::string& run_id,
                          Seq at) {
  std::string previous;
  const std::vector<Row> rows = rows_since_whole(entries, number, at, previous);
  if (at != last_seq && (rows.empty() || rows.back().entry.seq != at)) {
    throw Error(fmt::format("run {} has no entry {}", run_id, at));
  }
  return put_together(rows, entries.file(), run_id);
}

std::string about(const std::string& run_id, Seq first, Seq last, const std::string& what) {
  return first == last
             ? fmt::format("entry {} of run {} is {}", first, run_id, what)
             : fmt::format("entries {} to {} of run {} are {}", first, last, run_id, what);
}

Error damaged(const std::string& file, const std::string& run_id, const std::string& fault) {
  return Error(fmt::format("the journal '{}' is damaged: {}", file, fault),
               "see what can be saved with 'agneto doctor " + run_id + "'", ExitStatus::failed);
}

}  // namespace agneto::journal
