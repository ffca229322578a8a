// The files that a run works on: a git worktree of its own, on a branch of its own.
//
// The user's checkout, index and branches are never touched before `merge`. All operations are
// idempotent by effect id (a trailer on commits). Engine commits run no git hooks, are unsigned,
// and fall back to an `agneto` identity. Not thread-safe; one writer at a time.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"

namespace agneto::workspace {

namespace fs = std::filesystem;

// What the tree holds beyond a commit.
struct Changes {
  std::string diff;                // unified, untracked files included; bounded
  std::vector<std::string> files;  // changed paths
  std::string base;                // commit the diff is against
  std::string head;                // commit of the branch
};

// What a commit, discard or merge ended in.
struct Result {
  enum class Kind { ok, failed, conflict, busy };
  Kind kind = Kind::ok;
  std::string commit;              // what was made, if anything (discard: the checkpoint)
  std::string message;             // why not; or what there was to say
  std::vector<std::string> files;  // conflicting, or committed
};

inline Result failed(std::string why) {
  return {Result::Kind::failed, {}, std::move(why), {}};
}

struct MergeRequest {
  std::string into;  // branch; empty: the run's base branch
  std::string message;
  bool squash = true;
  std::string effect;  // the effect's id
};

// Parts of the work that were done in forks, on their way back.
struct Join {
  std::vector<std::string> forks;   // labels of all of them; afterwards they are gone
  std::vector<std::string> wanted;  // those whose changes are brought in, in order
  // By label: the checkpoint of the fork that counts where somebody deleted its folder.
  std::map<std::string, std::string> checkpoints;
  std::string effect;  // the effect's id
};

// What could not be brought in.
struct Conflict {
  std::string fork;                // its label
  std::string branch;              // holds its work still, as one commit
  std::vector<std::string> files;  // conflicting
};

// What came of a join.
struct Joined {
  std::vector<Conflict> conflicts;
  std::vector<std::string> unchanged;  // labels of wanted forks that have changed nothing
};

// A way back, for those who let others work in the tree.
class Checkpoints {
 public:
  virtual ~Checkpoints() = default;

  // Records tree (tracked, untracked, not ignored) and branch without touching branch or index,
  // under refs/agneto/RUN/…; returns its id. The same tree and branch give the same id, whatever
  // the label. These throw Error, DiskFull where there is no room.
  virtual std::string checkpoint(const std::string& label) = 0;
  // Makes tree and branch as they were then, or, for the empty id, as the engine's last commit left
  // them; commits made since are gone from the branch.
  virtual void restore(const std::string& checkpoint) = 0;
  virtual bool changed_since(const std::string& checkpoint) = 0;
  // Before a restore that may undo what a person did: keeps tree and branch under
  // refs/agneto/RUN/rescued-N where they are not as in the checkpoint. Returns that ref, or
  // nothing.
  virtual std::string rescue(const std::string& checkpoint) = 0;
  // False: somebody deleted the folder, or put a link in its place. What was not committed is
  // missing until `restore`, even where `open` has made the folder anew.
  virtual bool intact() const = 0;
  // Others are about to work in the tree, and may change files there or only read: the repository's
  // settings are to stay as they are now, also if the engine is killed meanwhile.
  virtual void lend(bool to_edit) = 0;
  // Nobody works there any more, and all is put right.
  virtual void give_back() = 0;
  // After others have worked in the tree, and before anything else: the repository's settings and,
  // where the tree is intact, HEAD, the run's refs and the link to the repository are as they are
  // to be; no merge is unfinished, and no file hidden from git. What is in the files stays. Says
  // each thing that had to be put right: "left HEAD on branch 'x'; it is on 'agneto/r' again"; and
  // what may be a person's doing, such as a branch that moved since `lend`, which stays. Where
  // nothing can be restored, all of it stays.
  virtual std::vector<std::string> put_right() = 0;
  // Which files in the tree a commit would fail for, why, and what to do; empty: none. Throws
  // Error.
  virtual std::string obstacle_to_commit() { return {}; }
  // Where nothing can be restored: after others have worked in the tree who may only read, what was
  // changed there since it was lent to them, and where that was not looked at. Said as by
  // `put_right`.
  virtual std::vector<std::string> left_changed() { return {}; }
};

// What a workflow's workspace operations need. All three say what went wrong in their result; only
// CutOff, after which they can be done again, is thrown.
class Commits {
 public:
  virtual ~Commits() = default;
  // Commits all changes since the engine's last commit as one commit (an agent's own commits are
  // squashed into it). Nothing to commit is ok, with an empty `commit`.
  virtual Result commit(const std::string& message, const std::string& effect) = 0;
  // Back to the engine's last commit, after a checkpoint labelled with the effect: its `commit`.
  virtual Result discard(const std::string& effect) = 0;
  // Into a branch of the user's; see docs/workspace.md for what it refuses and why. `busy`: another
  // merge is under way in the repository, so nothing was done; try again a moment later.
  virtual Result merge(const MergeRequest& request) = 0;
};

// The repository, or the hub, has nothing of a run, as after a clean.
class UnknownRun : public Error {
 public:
  UnknownRun(const std::string& repository, const std::string& run);
};

class Workspace;

// What a for_each needs whose items work in workspaces of their own. Both throw Error.
class Forks {
 public:
  virtual ~Forks() = default;
  // A workspace for a part of the work, which starts with the tree as it is now. The same again
  // where the label's was made before.
  virtual std::unique_ptr<Workspace> fork(const std::string& label) = 0;
  // Applies to the tree what each wanted fork changed since it was made, all of it or, where that
  // conflicts with what is there or came before, nothing; then removes the forks. Where none is
  // wanted, a join of that effect that was cut off is undone.
  virtual Joined join(const Join& join) = 0;
};

class Workspace : public Checkpoints, public Commits, public Forks {
 public:
  Workspace(fs::path path, std::string base, std::string branch)
      : path_(std::move(path)), base_(std::move(base)), branch_(std::move(branch)) {}

  virtual Changes since_base() = 0;         // the whole run's work
  virtual Changes since_last_commit() = 0;  // the chunk's work: since the engine's last commit
  // Commits on the branch, "ID SUBJECT", that neither the engine nor an agent is known to have
  // made.
  virtual std::vector<std::string> foreign_commits() = 0;
  // Makes tree and branch as they were at the checkpoint, or, for the empty id, as the run began;
  // what the engine committed since is not done any more, and there are no forks. What that takes
  // away is kept under refs/agneto/RUN/rescued-N; returns those refs.
  virtual std::vector<std::string> rewind(const std::string& checkpoint) = 0;

  const fs::path& path() const { return path_; }         // where agents work
  const std::string& base() const { return base_; }      // branch (or commit) the run started from
  const std::string& branch() const { return branch_; }  // empty: no repository

 private:
  fs::path path_;
  std::string base_, branch_;
};

// The functions below also take GIT_DIR and the like, which a git hook sets, out of this process's
// environment, agents' included: call the first one before any thread starts.

// The top of the working tree that contains `folder`. Throws Error: no git, not a repository, bare,
// inside .git, no commits yet.
fs::path find_repository(const fs::path& folder);

// Is the folder in one? Also where `find_repository` refuses it.
bool is_repository(const fs::path& folder);

// .agneto/ of the repository (or of a folder without one), with its .gitignore.
fs::path prepare_home(const fs::path& root);

struct Create {
  fs::path repository;
  fs::path worktree;  // .agneto/worktrees/RUN
  std::string run;
  std::string base;  // empty: the current branch
};
// Makes branch agneto/RUN and its worktree. Throws Error: unknown base (with a suggestion), ….
std::unique_ptr<Workspace> create(const Create& request);
// Throws Error where `create` would for this base; returns what it means: the full name of a branch
// or tag, or else a commit.
std::string require_base(const fs::path& repository, const std::string& base);
// Why a merge into that branch would be refused as things are now, whatever is merged; empty:
// nothing is known that speaks against it. Throws Error.
std::string obstacle_to_merge(const fs::path& repository, const std::string& branch);
// Opens what `create` made; makes the worktree anew if it was deleted. Throws Error if the branch
// is gone.
std::unique_ptr<Workspace> open(const Create& request);
// A workspace for `to`, which begins where `from` began and knows the checkpoints of `from`; the
// base in `to` does not count. Throws Error.
std::unique_ptr<Workspace> copy(const Create& from, const Create& to);
// Takes back what `create` made, for a run that never began: worktree, branch, private refs.
// Never throws: what cannot be removed stays.
void remove(const Create& request) noexcept;
// For runs without a worktree: works in the folder itself. Nothing is checkpointed
// (ids are empty, nothing ever changed); commit, discard and merge fail with the reason. Changes
// are looked for in so many files.
std::unique_ptr<Workspace> plain(const fs::path& folder, std::size_t most_files = 100'000);

}  // namespace agneto::workspace
