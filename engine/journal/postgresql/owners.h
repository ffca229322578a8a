// Keeps the runs that one journal object may write. Whoever owned such a run before can write
// nothing more to it.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "journal/postgresql/leases.h"
#include "journal/postgresql/run_lines.h"
#include "journal/recorded_state.h"

namespace agneto::journal {

// A run that this object may write, and where it stands.
struct OwnedRun {
  explicit OwnedRun(std::string run_id) : id(std::move(run_id)) {}

  // What is thrown where another one owns it by now, as its line says.
  OwnerLost lost(const RunLine& now) const;

  const std::string id;
  const std::string token = new_token();  // nobody else's, nor this object's when it owns it again
  std::int64_t number = 0;
  std::mutex mutex;  // one append after the other
  RunLine line;
  RecordedState recorded;
  bool unsure = false;  // whether its last append was written is not known
};

// Thread-safe. Its functions promise what Journal's of the same names do.
class Owners {
 public:
  Owners(Pool& pool, Leases& leases) : pool_(pool), leases_(leases) {}

  void own(const std::string& run_id, const std::string& who);
  void release(const std::string& run_id);
  Seq append(const std::string& run_id, std::vector<Entry> entries, Json state,
             const RunRecord* run, const std::vector<MessageId>& handled);

  // One that was written as this object's own.
  void keep(const std::shared_ptr<OwnedRun>& owned);
  // Throws Error where there is none.
  std::shared_ptr<OwnedRun> of(const std::string& run_id);

 private:
  struct Append {
    const Prepared& added;
    const RunRecord* run;
    const std::vector<MessageId>& handled;
    RunLine& line;  // as it is then
  };

  bool try_to_own(Connection& connection, OwnedRun& owned, const std::string& who);
  void write(OwnedRun& owned, const Append& append);
  static std::vector<Command> commands_of(const OwnedRun& owned, const Append& append);
  bool was_written(Connection& connection, const OwnedRun& owned, const Append& append);
  CutOff unsure(const OwnedRun& owned) const;

  Pool& pool_;
  Leases& leases_;
  std::mutex mutex_;  // of what follows
  std::map<std::string, std::shared_ptr<OwnedRun>> owned_;
};

}  // namespace agneto::journal
