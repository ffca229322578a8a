// Which runs are to be taken up, by whom, and who is there to do so.
#pragma once

#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "journal/journal.h"
#include "journal/postgresql/leases.h"
#include "journal/postgresql/pool.h"

namespace agneto::journal {

// Thread-safe. Its functions are those of Queue, Holds and Workers.
class Taking {
 public:
  // Both outlive it.
  Taking(Pool& pool, Leases& leases) : pool_(pool), leases_(leases) {}

  Due due(const Taker& taker, Time now, std::size_t most);
  std::vector<RunRecord> worked_on();
  std::unique_ptr<Hold> hold(const std::string& run_id, const Bounds& bounds);

  void present(const Worker& worker);
  void leave(const std::string& worker);
  std::vector<Worker> workers();

 private:
  Result ask(const Sql& sql, const Values& values = {});
  std::vector<std::string> dead();
  bool find_dead(const Result& holders, std::optional<Millis>& again);

  Pool& pool_;
  Leases& leases_;
  std::mutex mutex_;            // of what follows
  std::set<std::string> dead_;  // processes of this machine, whose leases are over
};

}  // namespace agneto::journal
