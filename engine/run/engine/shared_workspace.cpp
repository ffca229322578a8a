#include "run/engine/shared_workspace.h"

#include <fmt/format.h>

namespace agneto::run {

void SharedWorkspace::touched() {
  const std::lock_guard lock(mutex_);
  checkpoint_.reset();
  since_base_.reset();
  since_last_commit_.reset();
}

std::string SharedWorkspace::checkpoint(const std::string& label) {
  const std::lock_guard lock(mutex_);
  if (!checkpoint_) checkpoint_ = workspace_.checkpoint(label);
  return *checkpoint_;
}

void SharedWorkspace::restore(const std::string& checkpoint) {
  change([&](workspace::Checkpoints& tree) { tree.restore(checkpoint); });
}

std::string SharedWorkspace::put_back(const std::string& checkpoint, const std::string& what) {
  const std::string kept =
      use([&](workspace::Checkpoints& tree) { return tree.rescue(checkpoint); });
  restore(checkpoint);
  if (kept.empty()) return {};
  return fmt::format("{} is undone, and kept; to have it back: git diff --binary {} {} | git apply",
                     what, checkpoint.empty() ? branch() : checkpoint.substr(0, 12), kept);
}

bool SharedWorkspace::intact() {
  return use([](const workspace::Checkpoints& tree) { return tree.intact(); });
}

std::string SharedWorkspace::obstacle_to_commit() {
  return use([](workspace::Commits& tree) { return tree.obstacle_to_commit(); });
}

void SharedWorkspace::lend() {
  use([](workspace::Checkpoints& tree) { tree.lend(); });
}

std::vector<std::string> SharedWorkspace::put_right() {
  return use([](workspace::Checkpoints& tree) { return tree.put_right(); });
}

bool SharedWorkspace::undo_since(const std::string& checkpoint) {
  const bool changed = use([&](workspace::Checkpoints& tree) {
    return !tree.intact() || tree.changed_since(checkpoint);
  });
  if (changed) restore(checkpoint);
  return changed;
}

workspace::Changes SharedWorkspace::since_base() {
  const std::lock_guard lock(mutex_);
  if (!since_base_) since_base_ = workspace_.since_base();
  return *since_base_;
}

workspace::Changes SharedWorkspace::since_last_commit() {
  const std::lock_guard lock(mutex_);
  if (!since_last_commit_) since_last_commit_ = workspace_.since_last_commit();
  return *since_last_commit_;
}

}  // namespace agneto::run
