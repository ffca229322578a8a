#include "journal/diagnosis.h"

#include <fmt/format.h>

#include <optional>

#include "journal/recorded_state.h"

namespace agneto::journal {

namespace {

class Examination {
 public:
  Examination(EntryTable& entries, std::int64_t number, const std::string& run_id)
      : entries_(entries), number_(number), run_id_(run_id) {}

  Diagnosis run(const Head& sealed) {
    try {
      entries_.visit(number_, 1, last_seq, [this](Row row) { return take(std::move(row)); });
    } catch (const Error&) {
      go_on_behind(diagnosis_.newest + 1);
    }
    if (sealed.seq > diagnosis_.newest) fault(diagnosis_.newest + 1, sealed.seq, missing);
    diagnosis_.sound =
        diagnosis_.faults.empty() ? diagnosis_.newest : diagnosis_.faults.front().seq - 1;
    diagnosis_.usable = usable();
    return std::move(diagnosis_);
  }

 private:
  void fault(Seq first, Seq last, const std::string& what) {
    diagnosis_.faults.push_back({first, about(run_id_, first, last, what)});
  }

  bool take(Row row) {
    const Seq seq = row.entry.seq;
    if (seq > diagnosis_.newest + 1) {
      fault(diagnosis_.newest + 1, seq - 1, missing);
      previous_.reset();
    }
    // Whatever the entry before is worth: this one says what it was when it was written.
    if (previous_ && chain_hash(*previous_, run_id_, row) != row.hash) {
      fault(seq, seq, altered);
    }
    previous_ = std::move(row.hash);
    diagnosis_.newest = seq;
    return true;
  }

  // Reads from the end back to where nothing can be read either.
  void go_on_behind(Seq unreadable) {
    std::vector<Row> rows;
    try {
      entries_.visit_back(number_, last_seq, [&](Row row) {
        if (row.entry.seq <= unreadable) return false;
        rows.push_back(std::move(row));
        return true;
      });
    } catch (const Error&) {
    }
    const Seq behind = rows.empty() ? unreadable + 1 : rows.back().entry.seq;
    fault(unreadable, behind - 1, "not readable");
    diagnosis_.newest = behind - 1;
    previous_.reset();
    for (auto row = rows.rbegin(); row != rows.rend(); ++row) take(std::move(*row));
  }

  Seq usable() {
    if (diagnosis_.sound == 0) return 0;
    try {
      const RecordedState recorded = state_after(entries_, number_, run_id_, diagnosis_.sound);
      return recorded.state.is_null() ? 0 : diagnosis_.sound;
    } catch (const Error&) {
      return 0;
    }
  }

  EntryTable& entries_;
  std::int64_t number_;
  const std::string& run_id_;
  std::optional<std::string> previous_ = "";  // the hash of the entry before, where it is known
  Diagnosis diagnosis_;
};

}  // namespace

Diagnosis examine(RunTable& runs, SourceTable& sources, EntryTable& entries,
                  const std::string& run_id) {
  const std::int64_t number = runs.number(run_id);
  Diagnosis diagnosis = Examination(entries, number, run_id).run(runs.sealed(number));
  try {
    if (!runs.intact(number)) diagnosis.faults.push_back({0, altered_record(run_id)});
    for (const std::string& path : sources.altered(number)) {
      diagnosis.faults.push_back({0, altered_source(run_id, path)});
      diagnosis.sources_damaged = true;
    }
  } catch (const Error&) {
    diagnosis.faults.push_back({0, fmt::format("the sources of run {} are not readable", run_id)});
    diagnosis.sources_damaged = true;
  }
  return diagnosis;
}

std::string altered_record(const std::string& run_id) {
  return fmt::format("the line of run {}, or the list of its sources, is {}", run_id, altered);
}

std::string altered_source(const std::string& run_id, const std::string& path) {
  return fmt::format("source '{}' of run {} is {}", path, run_id, altered);
}

}  // namespace agneto::journal
