#include "run/engine/shared_workspace.h"

#include <fmt/format.h>

namespace agneto::run {

void SharedTree::touched() {
  const std::lock_guard lock(mutex_);
  memory_ = {};
}

std::string SharedTree::checkpoint(const std::string& label) {
  const std::lock_guard lock(mutex_);
  if (!memory_.checkpoint) memory_.checkpoint = tree_.checkpoint(label);
  return *memory_.checkpoint;
}

void SharedTree::restore(const std::string& checkpoint) {
  const std::lock_guard lock(mutex_);
  memory_ = {};
  tree_.restore(checkpoint);
}

std::string SharedTree::put_back(const std::string& checkpoint, const std::string& what) {
  const std::lock_guard lock(mutex_);
  const std::string kept = tree_.rescue(checkpoint);
  memory_ = {};
  tree_.restore(checkpoint);
  if (kept.empty()) return {};
  return fmt::format("{} is undone, and kept; to have it back: git diff --binary {} {} | git apply",
                     what, checkpoint.empty() ? branch_ : checkpoint.substr(0, 12), kept);
}

bool SharedTree::intact() {
  const std::lock_guard lock(mutex_);
  return tree_.intact();
}

std::string SharedTree::obstacle_to_commit() {
  const std::lock_guard lock(mutex_);
  return tree_.obstacle_to_commit();
}

void SharedTree::lend(bool to_edit) {
  const std::lock_guard lock(mutex_);
  tree_.lend(to_edit);
}

void SharedTree::give_back() {
  const std::lock_guard lock(mutex_);
  tree_.give_back();
}

std::vector<std::string> SharedTree::put_right() {
  const std::lock_guard lock(mutex_);
  return tree_.put_right();
}

std::vector<std::string> SharedTree::left_changed() {
  const std::lock_guard lock(mutex_);
  return tree_.left_changed();
}

bool SharedTree::undo_since(const std::string& checkpoint) {
  const std::lock_guard lock(mutex_);
  if (tree_.intact() && !tree_.changed_since(checkpoint)) return false;
  memory_ = {};
  tree_.restore(checkpoint);
  return true;
}

workspace::Changes SharedWorkspace::since_base() {
  const std::lock_guard lock(mutex_);
  if (!memory_.since_base) memory_.since_base = workspace_.since_base();
  return *memory_.since_base;
}

workspace::Changes SharedWorkspace::since_last_commit() {
  const std::lock_guard lock(mutex_);
  if (!memory_.since_last_commit) memory_.since_last_commit = workspace_.since_last_commit();
  return *memory_.since_last_commit;
}

}  // namespace agneto::run
