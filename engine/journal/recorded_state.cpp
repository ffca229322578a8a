#include "journal/recorded_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "journal/change.h"

namespace agneto::journal {

namespace {

// The rows from the newest whole state at or before `at`, in order; `previous` becomes the hash of
// the entry before them.
std::vector<Row> rows_since_whole(EntryTable& entries, std::int64_t number, Seq at,
                                  std::string& previous) {
  std::vector<Row> rows;
  entries.visit_back(number, at, [&](Row row) {
    if (!rows.empty() && is_whole(rows.back().change)) {
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
    recorded.extent.add(row);
    if (row.change.empty()) continue;
    try {
      apply_change(Json::parse(row.change, nullptr, false), recorded.state);
    } catch (const std::invalid_argument&) {
      throw damaged(file, run_id, about(run_id, row.entry.seq, row.entry.seq, altered));
    }
  }
  return recorded;
}

}  // namespace

void Extent::add(const Row& row) {
  head = row.head();
  since += row.body.size() + row.change.size();
  if (is_whole(row.change)) {
    whole = row.change.size();
    since = 0;
  }
}

RecordedState verified_state(EntryTable& entries, std::int64_t number, const std::string& run_id) {
  std::string previous;
  const std::vector<Row> rows = rows_since_whole(entries, number, last_seq, previous);
  // Where there is a hash before it, the first one may have any place.
  Seq last = previous.empty() ? 0 : rows.front().entry.seq - 1;
  for (const Row& row : rows) {
    const Seq seq = row.entry.seq;
    if (seq != last + 1) {
      throw damaged(entries.file(), run_id, about(run_id, last + 1, seq - 1, missing));
    }
    if (chain_hash(previous, run_id, row) != row.hash) {
      throw damaged(entries.file(), run_id, about(run_id, seq, seq, altered));
    }
    previous = row.hash;
    last = seq;
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
