#include "journal/parcel.h"

#include <fmt/format.h>

#include "journal/recorded_state.h"

namespace agneto::journal {

Head last_of(const Parcel& parcel) {
  const std::string& run_id = parcel.run.id;
  if (parcel.rows.empty()) throw Error(fmt::format("run {} has no entries", run_id));
  Head last;
  for (const Row& row : parcel.rows) {
    const Seq seq = row.entry.seq;
    if (seq != last.seq + 1 || chain_hash(last.hash, run_id, row) != row.hash) {
      throw Error(about(run_id, seq, seq, altered), "see 'agneto doctor " + run_id + "'",
                  ExitStatus::failed);
    }
    last = row.head();
  }
  return last;
}

}  // namespace agneto::journal
