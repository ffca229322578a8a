// Which runs may be worked on beside those that are.
#pragma once

#include <map>
#include <string>

#include "journal/journal.h"
#include "run/assembly.h"
#include "run/config.h"

namespace agneto::serve {

class Room {
 public:
  void set(run::Concurrency most) { most_ = std::move(most); }

  // Is there room for one more at all?
  bool any() const { return busy_.size() < static_cast<std::size_t>(most_.runs); }
  // Why this one, which is not worked on yet, has to wait; empty: it has not.
  std::string obstacle(const journal::RunRecord& run) const;
  // It is worked on from now on.
  void take(const journal::RunRecord& run) { busy_.emplace(run.id, run); }
  void leave(const std::string& run_id) { busy_.erase(run_id); }

  bool is_busy(const std::string& run_id) const { return busy_.contains(run_id); }
  bool empty() const { return busy_.empty(); }

 private:
  run::Concurrency most_;
  std::map<std::string, journal::RunRecord> busy_;  // by id
};

// Why nobody works on a run that is queued, as far as it can be seen from any process; empty: it is
// not queued, or its turn has come.
std::string why_queued(journal::Journal& journal, const fs::path& folder,
                       const run::Resources& resources, const journal::RunRecord& run);

}  // namespace agneto::serve
