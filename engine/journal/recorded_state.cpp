#include "journal/recorded_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "journal/change.h"
#include "journal/diagnosis.h"

namespace agneto::journal {

namespace {

// A new owner reads the run's newest whole state and what came after it. Where that has become
// more than this, and several times the state, the state is written whole again: so reading stays
// short, and the journal grows by what happens.
constexpr std::size_t read_at_most = 256 * 1024;
constexpr std::size_t read_per_whole = 4;

// The rows from the newest whole state at or before `at`, in order; `previous` becomes the hash of
// the entry before them.
std::vector<Row> rows_since_whole(StoredRun& run, Seq at, std::string& previous) {
  std::vector<Row> rows;
  run.visit_back(at, [&](Row row) {
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

RecordedState put_together(const std::vector<Row>& rows, const StoredRun& run) {
  RecordedState recorded;
  for (const Row& row : rows) {
    recorded.extent.add(row);
    if (row.change.empty()) continue;
    try {
      apply_change(Json::parse(row.change, nullptr, false), recorded.state);
    } catch (const std::invalid_argument&) {
      throw damaged(run.place(), run.id(), about(run.id(), row.entry.seq, row.entry.seq, altered));
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

RecordedState verified_state(StoredRun& run) {
  std::string previous;
  const std::vector<Row> rows = rows_since_whole(run, last_seq, previous);
  // Where there is a hash before it, the first one may have any place.
  Seq last = previous.empty() ? 0 : rows.front().entry.seq - 1;
  for (const Row& row : rows) {
    const Seq seq = row.entry.seq;
    if (seq != last + 1) {
      throw damaged(run.place(), run.id(), about(run.id(), last + 1, seq - 1, missing));
    }
    if (chain_hash(previous, run.id(), row) != row.hash) {
      throw damaged(run.place(), run.id(), about(run.id(), seq, seq, altered));
    }
    previous = row.hash;
    last = seq;
  }
  return put_together(rows, run);
}

RecordedState state_to_go_on_from(StoredRun& run) {
  if (!run.intact()) throw damaged(run.place(), run.id(), altered_record(run.id()));
  RecordedState recorded = verified_state(run);
  // The chain does not show that entries were taken away from its end; the run's record does.
  const Seq newest = recorded.extent.head.seq, sealed = run.sealed().seq;
  if (sealed > newest) {
    throw damaged(run.place(), run.id(), about(run.id(), newest + 1, sealed, missing));
  }
  return recorded;
}

RecordedState state_after(StoredRun& run, Seq at) {
  std::string previous;
  const std::vector<Row> rows = rows_since_whole(run, at, previous);
  if (at != last_seq && (rows.empty() || rows.back().entry.seq != at)) {
    throw Error(fmt::format("run {} has no entry {}", run.id(), at));
  }
  return put_together(rows, run);
}

Json required_state(StoredRun& run, Seq at) {
  Json state = state_after(run, at).state;
  if (!state.is_null()) return state;
  throw Error(fmt::format("the state of run {} after entry {} was not recorded", run.id(), at),
              "choose a later entry");
}

Prepared prepared(const std::string& run_id, const RecordedState& before,
                  std::vector<Entry> entries, const Json& state) {
  Prepared added{{}, before.extent};
  if (entries.empty() && !state.is_null()) {
    throw std::logic_error("a state is that after an entry");
  }
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Head& last = added.extent.head;
    Row row{std::move(entries[i]), {}, {}, {}};
    if (last.seq != 0) row.entry.time = std::max(row.entry.time, last.time);
    row.entry.seq = last.seq + 1;
    row.body = to_text(row.entry.body);
    if (i + 1 == entries.size() && !state.is_null()) {
      const Extent& known = before.extent;
      const bool due = known.since > std::max(read_at_most, read_per_whole * known.whole);
      row.change = due ? whole(state) : change_between(before.state, state);
    }
    row.hash = chain_hash(last.hash, run_id, row);
    added.extent.add(row);
    added.rows.push_back(std::move(row));
  }
  return added;
}

void take_over(RecordedState& recorded, Prepared added, Json state) {
  recorded.extent = std::move(added.extent);
  if (!state.is_null()) recorded.state = std::move(state);
}

std::string about(const std::string& run_id, Seq first, Seq last, const std::string& what) {
  return first == last
             ? fmt::format("entry {} of run {} is {}", first, run_id, what)
             : fmt::format("entries {} to {} of run {} are {}", first, last, run_id, what);
}

Error damaged(const std::string& place, const std::string& run_id, const std::string& fault) {
  return Error(fmt::format("the journal '{}' is damaged: {}", place, fault),
               "see what can be saved with 'agneto doctor " + run_id + "'", ExitStatus::failed);
}

}  // namespace agneto::journal
