// The workspaces of a for_each's items: made, joined, removed.
#include <algorithm>

#include "run/engine.h"
#include "run/recorder.h"

namespace agneto::run {

namespace {

std::string item_of(const chart::JoinWorkspaces& effect, std::uint32_t item) {
  return effect.path + "[" + std::to_string(item) + "]";
}

}  // namespace

bool Engine::open_workspace(const chart::OpenWorkspace& effect) {
  const std::string place = workspaces_.item_of(effect.path);
  if (is_busy(place, false)) return false;
  SharedWorkspace& around = workspaces_.of(effect.path);
  start_worker(effect.path, place, false,
               [this, &around, path = effect.path,
                label = workspaces_.label_of(effect.path)](std::stop_token stop) {
                 Done done;
                 done.path = path;
                 done.event = "ok";
                 try {
                   const auto fork =
                       around.use([&](workspace::Forks& tree) { return tree.fork(label); });
                   Recorder recorder(*this, around, path, "", "", false);
                   SetupListener listener(recorder);
                   if (setup_.furnish) setup_.furnish(fork->path(), listener, stop);
                 } catch (const Error& error) {
                   done.event = "failed";
                   done.data = {{"message", error.what()}};
                 }
                 return done;
               });
  return true;
}

// Waits for everything that still works, or is to be done, for one of the items.
bool Engine::join_workspaces(const chart::JoinWorkspaces& effect) {
  const auto is_inside = [&](const auto& entry) {
    return entry.first.starts_with(effect.path + "[");
  };
  if (std::any_of(workers_.begin(), workers_.end(), is_inside) ||
      std::any_of(state_.outstanding.begin(), state_.outstanding.end(), is_inside)) {
    return false;
  }
  if (!effect.completed.empty() && is_busy(workspaces_.item_of(effect.path), true)) return false;

  workspace::Join join;
  join.effect = effect_id(effect.path);
  for (std::uint32_t item = 1; item <= effect.opened; ++item) {
    const std::string place = item_of(effect, item);
    join.forks.push_back(workspaces_.label_of(place));
    join.checkpoints[join.forks.back()] = tree_of(place);
    workspaces_.forget(place);
    state_.trees.erase(place);
  }
  for (const std::uint32_t item : effect.completed) join.wanted.push_back(join.forks[item - 1]);
  SharedWorkspace& tree = workspaces_.of(effect.path);
  Json conflicts = Json::array();
  for (const workspace::Conflict& conflict :
       tree.change([&](workspace::Forks& forks) { return forks.join(join); })) {
    const auto fork = std::find(join.forks.begin(), join.forks.end(), conflict.fork);
    conflicts.push_back({{"item", fork - join.forks.begin() + 1},
                         {"branch", conflict.branch},
                         {"files", conflict.files}});
  }
  if (!effect.completed.empty()) {
    state_.trees[workspaces_.item_of(effect.path)] = tree.checkpoint(effect.path);
    publish("workspace.joined", effect.path,
            {{"items", effect.completed}, {"conflicts", conflicts}});
  }
  outcome(effect.path, "ok", {{"conflicts", std::move(conflicts)}});
  return true;
}

// A join that was cut off has to be done before anything else looks at the files; those of items
// in items come first.
void Engine::finish_joins() {
  std::vector<std::string> joins;
  for (const std::string& path : ready_) {
    if (std::holds_alternative<chart::JoinWorkspaces>(state_.outstanding.at(path))) {
      joins.push_back(path);
    }
  }
  std::sort(joins.rbegin(), joins.rend());
  for (const std::string& path : joins) {
    if (!over_ && dispatch(path)) std::erase(ready_, path);
  }
}

// The run has ended, and what it still had ordered is this.
void Engine::remove_workspaces() {
  for (auto it = state_.outstanding.rbegin(); it != state_.outstanding.rend(); ++it) {
    const auto* effect = std::get_if<chart::JoinWorkspaces>(&it->second);
    if (!effect) continue;
    workspace::Join join;
    join.effect = effect_id(effect->path);
    for (std::uint32_t item = 1; item <= effect->opened; ++item) {
      join.forks.push_back(workspaces_.label_of(item_of(*effect, item)));
    }
    try {
      workspaces_.of(effect->path).change([&](workspace::Forks& forks) {
        return forks.join(join);
      });
    } catch (const Error& error) {
      publish("note", effect->path,
              {{"text", "the worktrees of the items stay: " + std::string(error.what())}});
    }
  }
}

}  // namespace agneto::run
