// The worktree where a resume finds it otherwise than the run left it, or where it is gone.
#include <fmt/format.h>

#include <set>

#include "chart/called.h"
#include "run/engine.h"
#include "run/recorder.h"

namespace agneto::run {
namespace {

constexpr const char* made_anew =
    "the worktree was deleted; it is made anew as it was at the last checkpoint";

}  // namespace

bool Engine::is_read_only(const chart::Effect& effect) const {
  const auto* call = std::get_if<chart::CallAgent>(&effect);
  if (!call) return false;
  return chart::activity_of(*call, setup_.system).access == model::Access::read_only;
}

// What was cut off is undone, since it is done again; of a read-only call also what is left where
// its reply came in, since its edits may not have been undone yet. Everything else stands, and is
// brought back where the folder was deleted.
void Engine::restore_tree() {
  for (const auto& [path, effect] : state_.outstanding) {
    std::optional<process::ProcessId> guard;
    std::string checkpoint, after;
    bool replied = true;
    int replies = 0;
    for (const auto& old : setup_.journal.entries_of(line_.id, path)) {
      const record::Entry entry = record::decode(old);
      if (const auto* process = entry.get<record::Process>()) {
        guard = process->id;
      } else if (const auto* prompt = entry.get<record::Prompt>()) {
        checkpoint = prompt->checkpoint;
        replied = false;
      } else if (const auto* command = entry.get<record::Command>()) {
        checkpoint = command->checkpoint;
        replied = false;
      } else if (const auto* reply = entry.get<record::Reply>()) {
        replied = reply->error.empty();
        after = reply->tree;
        if (++replies > state_.counted[path]) count(path, reply->usage);
      }
    }
    if (guard) process::end_tree(*guard);
    bool undo = !replied || is_read_only(effect);
    const std::string place = workspaces_.item_of(path);
    if (undo && !checkpoint.empty()) put_back(place, checkpoint);
    if (!undo && !after.empty() && !workspaces_.at(place).intact()) put_back(place, after);
  }
  std::set<std::string> places = {""};
  for (const auto& [path, effect] : state_.outstanding) places.insert(workspaces_.item_of(path));
  for (const auto& place : places) {
    if (!workspaces_.at(place).intact()) put_back(place, tree_of(place));
  }
}

std::string Engine::tree_of(const std::string& place) const {
  const auto tree = state_.trees.find(place);
  return tree == state_.trees.end() ? "" : tree->second;
}

// Whether a person or the cut-off call made what is undone cannot be told, so all of it is kept.
void Engine::put_back(const std::string& place, const std::string& checkpoint) {
  SharedWorkspace& tree = workspaces_.at(place);
  if (!tree.intact()) notes_.push_back(made_anew);
  std::string kept =
      tree.use([&](workspace::Checkpoints& files) { return files.rescue(checkpoint); });
  tree.restore(checkpoint);
  if (kept.empty()) return;
  notes_.push_back(fmt::format(
      "what was changed in the worktree since the last checkpoint is undone, and kept; to have it "
      "back: git diff --binary {} {} | git apply",
      checkpoint.empty() ? tree.branch() : checkpoint.substr(0, 12), kept));
}

void Engine::mend(const std::string& place) {
  SharedWorkspace& tree = workspaces_.at(place);
  if (is_busy(place, true) || tree.intact()) return;
  tree.restore(tree_of(place));
  unfurnished_.insert(place);
  publish("note", "", {{"text", made_anew}});
}

// On a worker's thread, before its own work: a set-up takes its time. What it changes of the
// recorded files is taken back.
void Engine::furnish_anew(SharedWorkspace& tree, const std::string& path,
                          const std::string& checkpoint, std::stop_token stop) {
  Recorder recorder(*this, tree, path, "", "", false);
  SetupListener listener(recorder);
  setup_.furnish(tree.path(), listener, std::move(stop));
  tree.restore(checkpoint);
}

}  // namespace agneto::run
