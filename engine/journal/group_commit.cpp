#include "journal/group_commit.h"

#include <exception>

namespace agneto::journal {

void GroupCommit::run(const std::function<void()>& write) {
  Waiting own{write, false, false, {}};
  std::unique_lock lock(mutex_);
  waiting_.push_back(&own);
  own.turn.wait(lock, [&] { return own.done || waiting_.front() == &own; });
  if (own.done) return;

  Group group(1, &own);
  if (!own.alone) group.assign(waiting_.begin(), waiting_.end());
  lock.unlock();
  std::exception_ptr error;
  try {
    commit(group);
  } catch (...) {
    error = std::current_exception();
  }
  // Whose fault it was shows when each tries for itself, in its own thread.
  const bool failed_together = error && group.size() > 1;
  if (failed_together) {
    error = nullptr;
    try {
      commit({&own});
    } catch (...) {
      error = std::current_exception();
    }
  }
  lock.lock();
  for (Waiting* other : group) {
    if (other == &own || !failed_together) {
      other->done = true;
      waiting_.pop_front();
      other->turn.notify_one();
    } else {
      other->alone = true;
    }
  }
  if (!waiting_.empty()) waiting_.front()->turn.notify_one();
  lock.unlock();
  if (error) std::rethrow_exception(error);
}

std::size_t GroupCommit::waiting() {
  const std::lock_guard lock(mutex_);
  return waiting_.size();
}

void GroupCommit::commit(const Group& group) {
  const std::lock_guard lock(database_mutex_);
  Transaction transaction(database_);
  for (const Waiting* waiting : group) waiting->write();
  transaction.commit();
}

}  // namespace agneto::journal
