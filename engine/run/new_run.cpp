#include "run/new_run.h"

#include <cctype>
#include <random>
#include <utility>
#include <vector>

#include "run/assembly.h"
#include "workspace/workspace.h"

namespace agneto::run {

namespace fs = std::filesystem;

namespace {

std::string words_of(const std::string& task) {
  std::string slug;
  for (char c : task.substr(0, task.find('\n'))) {
    bool word = std::isalnum(static_cast<unsigned char>(c)) != 0 && static_cast<signed char>(c) > 0;
    if (word) slug += static_cast<char>(std::tolower(c));
    if (!word && !slug.empty() && slug.back() != '-') slug += '-';
    if (slug.size() >= 32) break;
  }
  while (slug.ends_with('-')) slug.pop_back();
  return slug.empty() ? "run" : slug;
}

// A lock file that nobody holds, of a run that the journal does not know, and a worktree with its
// branch.
void clear_failed_starts(const fs::path& root, const fs::path& home, journal::Journal& journal) {
  std::vector<std::string> left;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(home / "worktrees", none)) {
    std::string id = entry.path().stem();
    if (entry.path().extension() == ".lock" && !journal.find(id) &&
        !journal::is_locked(entry.path())) {
      left.push_back(std::move(id));
    }
  }
  for (const auto& id : left) {
    std::unique_ptr<journal::RunLock> lock;
    try {
      lock = lock_run(home, id);
    } catch (const journal::Locked&) {
      continue;  // by another process, just now
    }
    if (journal.find(id)) continue;
    workspace::remove({root, home / "worktrees" / id, id, ""});
    lock->discard();
  }
}

}  // namespace

std::string random_hex(int digits) {
  static const char* const alphabet = "0123456789abcdef";
  std::random_device device;
  std::string text;
  for (int i = 0; i < digits; ++i) text += alphabet[device() % 16];
  return text;
}

NewRun claim_run(const fs::path& root, const fs::path& home, journal::Journal& journal,
                 const std::string& task, const std::function<std::string(int)>& hex) {
  clear_failed_starts(root, home, journal);
  const std::string words = words_of(task);
  for (;;) {
    std::string id = words + "-" + hex(4);
    try {
      auto lock = lock_run(home, id);
      if (!journal.find(id)) return {std::move(id), std::move(lock)};
    } catch (const journal::Locked&) {
      // Another start took the lock file for one that was left behind, or the same digits.
    }
  }
}

}  // namespace agneto::run
