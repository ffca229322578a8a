#include "run/leftovers.h"

#include <algorithm>
#include <memory>
#include <system_error>

#include "journal/holds.h"
#include "run/assembly.h"
#include "workspace/clean.h"
#include "workspace/workspace.h"

namespace agneto::run {

namespace fs = std::filesystem;

fs::path mark_of_start(const fs::path& home, const std::string& run) {
  return home / "worktrees" / (run + ".starting");
}

// A start makes the lock, then the mark, then all else; and it has the lock until its run is
// recorded, or longer.
std::vector<std::string> failed_starts(const fs::path& home, journal::Journal& journal) {
  std::vector<std::string> found;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(home / "worktrees", none)) {
    std::string id = entry.path().stem();
    const bool is_mark = entry.path().extension() == ".starting";
    const bool is_lone_lock = entry.path().extension() == ".lock" &&
                              !fs::exists(mark_of_start(home, id), none) &&
                              !fs::exists(home / "worktrees" / id, none);
    if ((is_mark || is_lone_lock) && !journal.is_held(id) && !journal.find(id)) {
      found.push_back(std::move(id));
    }
  }
  return found;
}

void clear_failed_start(const fs::path& root, const fs::path& home, journal::Journal& journal,
                        const std::string& run) {
  std::unique_ptr<journal::Hold> hold;
  try {
    hold = journal.hold(run);
  } catch (const journal::Locked&) {
    return;  // by another process, just now
  }
  if (journal.find(run)) return;
  workspace::remove({root, home / "worktrees" / run, run, ""});
  std::error_code none;
  fs::remove(mark_of_start(home, run), none);
}

std::vector<Leftover> leftovers(const fs::path& root, const fs::path& home,
                                journal::Journal& journal) {
  std::vector<Leftover> found;
  for (auto& id : failed_starts(home, journal)) found.push_back({std::move(id), "", true});
  if (!workspace::is_repository(root)) return found;
  for (auto& trace : workspace::traces_of_runs(root, home / "worktrees")) {
    const auto is_it = [&](const Leftover& other) { return other.run == trace.run; };
    if (std::ranges::any_of(found, is_it) || journal.is_held(trace.run) ||
        journal.find(trace.run)) {
      continue;
    }
    found.push_back({std::move(trace.run), std::move(trace.base)});
  }
  return found;
}

}  // namespace agneto::run
