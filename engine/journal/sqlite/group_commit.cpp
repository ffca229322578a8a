#include "journal/sqlite/group_commit.h"

#include <atomic>

namespace agneto::journal {

// The first one's thread writes for all of them. They are woken at once, and need no lock to see
// how it went.
struct GroupCommit::Group {
  enum State : int { waiting, written, failed };

  std::vector<const Write*> writes;
  std::atomic<State> state = waiting;
};

void GroupCommit::run(const Write& write) {
  std::shared_ptr<Group> group;
  bool is_first = false;
  {
    const std::lock_guard lock(mutex_);
    is_first = next_ == nullptr;
    if (is_first) next_ = std::make_shared<Group>();
    next_->writes.push_back(&write);
    group = next_;
  }
  if (is_first) {
    lead(*group);
  } else {
    group->state.wait(Group::waiting);
  }
  if (group->state == Group::written) return;
  // One of them has failed. Each tries again by itself, so that it fails in its own thread.
  const std::lock_guard lock(database_mutex_);
  commit({&write});
}

void GroupCommit::lead(Group& group) {
  auto ended = Group::written;
  {
    const std::lock_guard database_lock(database_mutex_);  // here the others join
    {
      const std::lock_guard lock(mutex_);
      next_ = nullptr;
    }
    try {
      commit(group.writes);
    } catch (...) {
      if (group.writes.size() == 1) throw;
      ended = Group::failed;
    }
  }
  group.state = ended;
  group.state.notify_all();
}

std::size_t GroupCommit::waiting() {
  const std::lock_guard lock(mutex_);
  return next_ == nullptr ? 0 : next_->writes.size();
}

void GroupCommit::commit(const std::vector<const Write*>& writes) {
  Transaction transaction(database_);
  for (const Write* write : writes) (*write)();
  transaction.commit();
}

}  // namespace agneto::journal
