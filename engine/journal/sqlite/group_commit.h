// Several threads' writes in one transaction: the disk is waited for once.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "journal/sqlite/sqlite.h"

namespace agneto::journal {

class GroupCommit {
 public:
  using Write = std::function<void()>;

  // Both outlive it; the mutex is that of all who use the database.
  GroupCommit(Database& database, std::mutex& database_mutex)
      : database_(database), database_mutex_(database_mutex) {}

  // Runs `write` inside a transaction, which other threads' writes may share; durable on return.
  // Throws what `write` throws, or why the transaction failed, with nothing of it written. `write`
  // may be run by another thread, and once more where the shared transaction failed, maybe for
  // another's sake: it does nothing but write to the database.
  void run(const Write& write);
  // How many writes wait for their transaction to begin.
  std::size_t waiting();

 private:
  struct Group;

  void lead(Group& group);
  void commit(const std::vector<const Write*>& writes);

  Database& database_;
  std::mutex& database_mutex_;
  std::mutex mutex_;
  std::shared_ptr<Group> next_;  // null where nobody waits
};

}  // namespace agneto::journal
