#include "journal/group_commit.h"

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
  const auto [group, is_first] = join(write);
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

std::pair<std::shared_ptr<GroupCommit::Group>, bool> GroupCommit::join(const Write& write) {
  const std::lock_guard lock(mutex_);
  const bool is_first = next_ == nullptr;
  if (is_first) next_ = std::make_shared<Group>();
  next_->writes.push_back(&write);
  return {next_, is_first};
}

void GroupCommit::lead(Group& group) {
  auto ended = Group::written;
  {
    const std::lock_guard database_lock(database_mutex_);  // here the others join
    close();
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

void GroupCommit::close() {
  const std::lock_guard lock(mutex_);
  next_ = nullptr;
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
