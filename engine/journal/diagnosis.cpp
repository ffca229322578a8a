#include "journal/diagnosis.h"

#include <fmt/format.h>

#include <optional>

#include "journal/recorded_state.h"

namespace agneto::journal {

namespace {

class Examination {
 public:
  explicit Examination(StoredRun& run) : run_(run) {}

  Diagnosis entries() {
    const Head sealed = run_.sealed();  // first, since entries may come meanwhile
    try {
      run_.visit(1, last_seq, [this](Row row) { return take(std::move(row)); });
    } catch (const CutOff&) {
      throw;
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
    diagnosis_.faults.push_back({first, about(run_.id(), first, last, what)});
  }

  bool take(Row row) {
    const Seq seq = row.entry.seq;
    if (seq > diagnosis_.newest + 1) {
      fault(diagnosis_.newest + 1, seq - 1, missing);
      previous_.reset();
    }
    // Whatever the entry before is worth: this one says what it was when it was written.
    if (previous_ && chain_hash(*previous_, run_.id(), row) != row.hash) {
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
      run_.visit_back(last_seq, [&](Row row) {
        if (row.entry.seq <= unreadable) return false;
        rows.push_back(std::move(row));
        return true;
      });
    } catch (const CutOff&) {
      throw;
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
      const RecordedState recorded = state_after(run_, diagnosis_.sound);
      return recorded.state.is_null() ? 0 : diagnosis_.sound;
    } catch (const CutOff&) {
      throw;
    } catch (const Error&) {
      return 0;
    }
  }

  StoredRun& run_;
  std::optional<std::string> previous_ = "";  // the hash of the entry before, where it is known
  Diagnosis diagnosis_;
};

}  // namespace

Diagnosis examine(StoredRun& run) {
  Diagnosis diagnosis = Examination(run).entries();
  try {
    if (!run.intact()) diagnosis.faults.push_back({0, altered_record(run.id())});
    for (const std::string& path : run.altered_sources()) {
      diagnosis.faults.push_back({0, altered_source(run.id(), path)});
      diagnosis.sources_damaged = true;
    }
  } catch (const CutOff&) {
    throw;
  } catch (const Error&) {
    diagnosis.faults.push_back(
        {0, fmt::format("the sources of run {} are not readable", run.id())});
    diagnosis.sources_damaged = true;
  }
  return diagnosis;
}

void check(StoredRun& run) {
  const Diagnosis diagnosis = examine(run);
  if (diagnosis.faults.empty()) return;
  throw damaged(run.place(), run.id(), diagnosis.faults.front().what);
}

std::string altered_record(const std::string& run_id) {
  return fmt::format("the line of run {}, or the list of its sources, is {}", run_id, altered);
}

std::string altered_source(const std::string& run_id, const std::string& path) {
  return fmt::format("source '{}' of run {} is {}", path, run_id, altered);
}

}  // namespace agneto::journal
