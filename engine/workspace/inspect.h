// A run's place in the repository, looked at from outside: nothing is changed, nobody is disturbed.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace agneto::workspace {

namespace fs = std::filesystem;

struct Place {
  fs::path repository;
  fs::path worktree;
  std::string run;
};

// What the run has changed, as two commits or trees that `git diff FROM TO` takes: from where it
// started to its worktree, uncommitted and untracked files included, or, where that is gone or
// `committed` is wanted, to its branch. Throws Error where neither is there any more, and where git
// may start what somebody has named in its configuration who works for a run, or did when it was
// killed.
struct Range {
  std::string from, to;
};
Range changes_of(const Place& place, bool committed);

// The same as a diff as workspace::Changes has it.
std::string diff_of(const Place& place, bool committed);

// The paths of all the files that differ there.
std::vector<std::string> files_of(const Place& place, bool committed);

struct Commit {
  std::string name;     // its hash
  std::string time;     // of the author, "2026-11-21T21:02:36+01:00"
  std::string subject;  // without control characters
};
// The commits that the run has made on its branch, the oldest first, 10,000 at most. Throws Error
// as above.
std::vector<Commit> commits_of(const Place& place);
// What one of them has changed, as a diff as workspace::Changes has it.
std::string diff_of_commit(const Place& place, const std::string& commit);

// The work in the worktree that is not committed yet; where there is none, all that the run has
// changed. A diff as workspace::Changes has it. Throws Error as above.
std::string work_of(const Place& place);

struct Inspection {
  bool folder = false;               // the worktree is there
  bool registered = false;           // and git knows it
  bool moved = false;                // and git knows it where it was before the repository moved
  fs::path leads_to;                 // where a link in its place, or around it, leads; empty: none
  std::string tip;                   // of the branch; empty: it is gone
  std::string last;                  // the engine's last commit; empty: its ref is gone
  bool base = false;                 // it is known where the run started
  std::string checked_out;           // a folder where somebody else has the branch checked out
  std::vector<std::string> missing;  // those of `commits` that are not in the repository
  std::vector<fs::path> locks;       // of git's on its refs and its worktree
};
// Throws Error where git cannot be asked.
Inspection inspect(const Place& place, const std::vector<std::string>& commits);

}  // namespace agneto::workspace
