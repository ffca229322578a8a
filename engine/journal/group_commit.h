// Several threads' writes in one transaction: the disk is waited for once.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <vector>

#include "journal/sqlite.h"

namespace agneto::journal {

class GroupCommit {
 public:
  // Both outlive it; the mutex is that of all who use the database.
  GroupCommit(Database& database, std::mutex& database_mutex)
      : database_(database), database_mutex_(database_mutex) {}

  // Runs `write` inside a transaction, which other threads' writes may share; durable on return.
  // Throws what `write` throws, or why the transaction failed, with nothing of it written. `write`
  // may be run by another thread, and once more where the shared transaction failed, maybe for
  // another's sake: it does nothing but write to the database.
  void run(const std::function<void()>& write);
  // How many writes are not through yet.
  std::size_t waiting();

 private:
  struct Waiting {
    const std::function<void()>& write;
    bool done = false;
    bool alone = false;  // the transaction that it shared has failed
    std::condition_variable turn;
  };
  using Group = std::vector<Waiting*>;

  void commit(const Group& group);

  Database& database_;
  std::mutex& database_mutex_;
  std::mutex mutex_;
  std::deque<Waiting*> waiting_;  // the first one's thread writes, for those behind it too
};

}  // namespace agneto::journal
