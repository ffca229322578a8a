// Where processes are on several machines, the one that works on a run has a lease of it. The lease
// lasts for a while by the database's clock, and is renewed for as long as the process lives. If
// the process dies on this machine, the lease is over at once.
#pragma once

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "journal/holds.h"
#include "journal/journal.h"
#include "journal/postgresql/pool.h"

namespace agneto::journal {

// Thread-safe. Renews all that it has by one statement, three times in a lease's time.
class Leases : public std::enable_shared_from_this<Leases> {
 public:
  Leases(std::shared_ptr<Pool> pool, Millis lease);
  ~Leases();
  Leases(const Leases&) = delete;
  Leases& operator=(const Leases&) = delete;

  // How all of its leases are told from those of others, and for how long each lasts.
  const std::string& holder() const { return holder_; }
  const std::string& process() const { return process_; }
  Millis lease() const { return lease_; }

  // As Holds says. Whoever listens for runs to take up is told when one is released.
  std::unique_ptr<Hold> hold(const std::string& run_id);
  std::optional<std::string> holder(const std::string& run_id);
  // Throws OwnerLost where the run was held here, and its lease ended before it was renewed.
  void require_not_lost(const std::string& run_id);
  // Takes the lease once more, in a transaction that waits for the disk, where the run is held
  // here: a server that fails forgets one that was taken just before, and others may have it then.
  // It writes nothing where they do.
  std::optional<Command> confirming(const std::string& run_id);
  // The same; throws OwnerLost where they do.
  void confirm(Connection& connection, const std::string& run_id);

 private:
  class Held;
  struct Lease {
    std::string owner;
    bool taken = false;
    Millis renewed{};  // by this machine's clock, before the server was asked
    bool lost = false;
  };

  struct Other {
    std::string owner, process;
  };

  void take(const std::string& run_id, const std::string& owner);
  // Whose lease it is.
  std::optional<Other> look_at(const std::string& run_id);
  void release(const std::string& run_id);
  Values values_of(const std::string& run_id, const std::string& owner,
                   const std::string& dead) const;
  OwnerLost lost(const std::string& run_id) const;
  Millis left(const std::string& run_id);
  Millis left(const Lease& lease) const;
  void renew_now_and_then(const std::stop_token& stop);
  void renew(Connection& connection);

  const std::shared_ptr<Pool> pool_;
  const Millis lease_;
  const std::string holder_;   // of all of its leases, and of nobody else's
  const std::string process_;  // this one, as others on its machine know it
  std::mutex mutex_;           // of all that follows
  std::map<std::string, Lease> held_;
  std::condition_variable_any ended_;
  std::jthread renewing_;  // once there was something to renew
};

}  // namespace agneto::journal
