#include "run/workbench.h"

namespace agneto::run {

void Workbench::touched() {
  std::lock_guard lock(mutex_);
  checkpoint_.reset();
  since_base_.reset();
  since_last_commit_.reset();
}

std::string Workbench::checkpoint(const std::string& label) {
  std::lock_guard lock(mutex_);
  if (!checkpoint_) checkpoint_ = workspace_.checkpoint(label);
  return *checkpoint_;
}

void Workbench::restore(const std::string& checkpoint) {
  touched();
  std::lock_guard lock(mutex_);
  workspace_.restore(checkpoint);
}

std::string Workbench::rescue(const std::string& checkpoint) {
  std::lock_guard lock(mutex_);
  return workspace_.rescue(checkpoint);
}

bool Workbench::intact() {
  std::lock_guard lock(mutex_);
  return workspace_.intact();
}

bool Workbench::undo_since(const std::string& checkpoint) {
  {
    std::lock_guard lock(mutex_);
    if (workspace_.intact() && !workspace_.changed_since(checkpoint)) return false;
  }
  restore(checkpoint);
  return true;
}

workspace::Changes Workbench::since_base() {
  std::lock_guard lock(mutex_);
  if (!since_base_) since_base_ = workspace_.since_base();
  return *since_base_;
}

workspace::Changes Workbench::since_last_commit() {
  std::lock_guard lock(mutex_);
  if (!since_last_commit_) since_last_commit_ = workspace_.since_last_commit();
  return *since_last_commit_;
}

workspace::Outcome Workbench::commit(const std::string& message, const std::string& effect) {
  touched();
  std::lock_guard lock(mutex_);
  return workspace_.commit(message, effect);
}

workspace::Outcome Workbench::discard(const std::string& effect) {
  touched();
  std::lock_guard lock(mutex_);
  return workspace_.discard(effect);
}

workspace::Outcome Workbench::merge(const workspace::MergeRequest& request) {
  touched();
  std::lock_guard lock(mutex_);
  return workspace_.merge(request);
}

std::unique_ptr<workspace::Workspace> Workbench::fork(const std::string& label) {
  std::lock_guard lock(mutex_);
  return workspace_.fork(label);
}

std::vector<workspace::Conflict> Workbench::join(const workspace::Join& join) {
  touched();
  std::lock_guard lock(mutex_);
  return workspace_.join(join);
}

}  // namespace agneto::run
