#include "run/engine/worktrees.h"

#include "chart/effect.h"

namespace agneto::run {

std::string Worktrees::item_of(const std::string& path) const {
  return chart::workspace_of(system_, path);
}

std::string Worktrees::label_of(const std::string& item) const {
  const std::string around = item_of(item);
  return around.empty() ? item : item.substr(around.size() + 1);
}

SharedWorkspace& Worktrees::at(const std::string& item) {
  if (item.empty()) return own_;
  std::unique_ptr<Fork>& fork = forks_[item];
  if (!fork) {
    fork = std::make_unique<Fork>(
        of(item).use([&](workspace::Forks& around) { return around.fork(label_of(item)); }));
  }
  return fork->shared;
}

void Worktrees::leave(const std::string& item, std::string checkpoint) {
  left_[item] = std::move(checkpoint);
}

std::string Worktrees::left(const std::string& item) const {
  const auto found = left_.find(item);
  return found == left_.end() ? "" : found->second;
}

void Worktrees::forget(const std::string& item) {
  forks_.erase(item);
  left_.erase(item);
}

std::vector<std::string> Worktrees::put_back(const std::string& item,
                                             const std::string& checkpoint) {
  SharedWorkspace& tree = at(item);
  std::vector<std::string> notes;
  if (!tree.intact()) notes.push_back(made_anew);
  std::string kept =
      tree.put_back(checkpoint, "what was changed in the worktree since the last checkpoint");
  if (!kept.empty()) notes.push_back(std::move(kept));
  return notes;
}

bool Worktrees::mend(const std::string& item) {
  SharedWorkspace& tree = at(item);
  if (tree.intact()) return false;
  tree.restore(left(item));
  unfurnished_.insert(item);
  return true;
}

}  // namespace agneto::run
