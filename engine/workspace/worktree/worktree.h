// The Workspace on a git worktree of its own.
//
// More than 25 names: it does all that is asked of a workspace, on one tree and one scratch index.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/json.h"
#include "workspace/git.h"
#include "workspace/refs.h"
#include "workspace/workspace.h"
#include "workspace/worktree/kept_settings.h"
#include "workspace/worktree/moved_refs.h"
#include "workspace/worktree/settings_watch.h"

namespace agneto::workspace {

// `remove`, with what becomes of the branch. Throws CutOff, after which it can be done again.
enum class Branch { keep, remove, remove_unmoved };
void take_down(const Create& request, Branch branch);

Error branch_is_gone(const std::string& branch, const std::string& last);

// Brings a run's branch into a branch of the user's, completely or not at all. `git` runs in the
// user's checkout, `common` is the repository's git folder; request.effect is the trailer's whole
// value and request.into names the target (empty: the run has no base branch).
Result merge_branch(const Git& git, const fs::path& common, const Refs& refs,
                    const MergeRequest& request);

class Worktree : public Workspace {
 public:
  struct State {
    fs::path repository;  // the user's checkout
    fs::path common;      // its git folder
    fs::path path;        // the worktree
    std::string run;
    std::string base_ref;  // full name of the base branch (or tag); empty: none
    std::string base_commit;
    std::string last;     // the engine's last commit, else base_commit
    bool begins = false;  // the folder is not there yet
    // The run's own refs and its branch, by full name; so they are to be until the engine moves
    // them.
    std::map<std::string, std::string> refs = {};
  };
  // The refs exist; the folder is made where it is missing.
  explicit Worktree(State state);
  ~Worktree() override;

  std::string checkpoint(const std::string& label) override;
  void restore(const std::string& checkpoint) override;
  bool changed_since(const std::string& checkpoint) override;
  std::string rescue(const std::string& checkpoint) override;
  std::vector<std::string> foreign_commits() override;
  std::vector<std::string> rewind(const std::string& checkpoint) override;
  bool intact() const override;
  void lend(bool to_edit) override;
  void give_back() override;
  std::vector<std::string> put_right() override;
  Changes since_base() override;
  Changes since_last_commit() override;
  Result commit(const std::string& message, const std::string& effect) override;
  std::string obstacle_to_commit() override;
  Result discard(const std::string& effect) override;
  Result merge(const MergeRequest& request) override;
  std::unique_ptr<Workspace> fork(const std::string& label) override;
  Joined join(const Join& join) override;

 private:
  // The files as they are now, as git objects. The scratch index holds them too.
  struct Tree {
    std::string tree;        // a tree's name, or COMMIT^{tree}
    std::string head;        // commit of the branch
    bool on_branch = false;  // HEAD is the branch
  };
  struct Saved {  // what a checkpoint says
    std::string tree, head, last;
  };
  Saved saved(const std::string& checkpoint) const;
  Tree read_tree();
  std::string checkpoint_of(const std::string& effect) const;
  std::string snapshot(const Tree& tree);
  void keep(const std::string& label, const std::string& id);
  Changes changes_since(const std::string& commit);
  void tell_lost_repositories() const;
  void reset(const std::string& tree, const std::string& head, const std::string& last);
  void point(const std::string& head, const std::string& last);
  std::string unhide(const std::string& other, const std::string& there) const;
  bool on_branch() const;

  std::string rescue_of(const Tree& now) const;
  std::string put_aside(const std::string& id);
  std::vector<std::string> put_forks_aside();

  // put_right.cpp
  RefObjects refs_of_others() const;
  void tell_moved_refs(std::vector<std::string>& said);
  void put_refs_right(std::vector<std::string>& said);
  void register_again(std::vector<std::string>& said);
  void end_unfinished(std::vector<std::string>& said);
  void put_head_right(std::vector<std::string>& said);
  bool mend_index();
  void show_hidden();

  // forks.cpp
  Create fork_request(const std::string& label) const;
  std::string merge_forks(const std::string& before, const Join& join);
  void remove_forks(const std::vector<std::string>& labels, const Json& conflicts) const;

  void attach();
  bool connect() const;
  void find_effects();
  std::string why_not_committed(const Tree& tree, std::vector<std::string> repositories) const;
  void copy_index_to_scratch();
  void clear_stale_state() const;
  void clear_unfinished() const;
  void clear_stale_locks() const;
  std::string trailer(const std::string& effect) const;
  const Git& author();

  State state_;
  Refs refs_;
  Git git_;      // in the worktree
  Git scratch_;  // the same with the scratch index
  fs::path folder_, index_, scratch_index_;
  bool renewed_ = false;                         // the folder was made anew, from the branch
  std::shared_ptr<SettingsWatch> settings_;      // of the repository
  std::unique_ptr<SettingsWatch> own_settings_;  // of the worktree
  KeptSettings kept_settings_;                   // of both
  bool is_lent_ = false;
  // The refs that are not the run's as they were when the tree was lent; nothing: it is not.
  std::optional<RefObjects> others_;
  std::vector<std::string> hidden_;  // files that were hidden from git; to be told

  std::map<std::string, std::string> effects_;  // those done, and the commit of each

  std::optional<Git> author_;
  std::set<std::string> kept_;                    // checkpoints that have a ref
  std::pair<std::string, std::string> snapshot_;  // tree, branch and `last`; their checkpoint

  // The worktree's index as it was copied last, and what was added to the copy since.
  fs::file_time_type index_time_;
  fs::file_time_type own_index_time_;  // of the index as the engine left it: it hides no file
  std::string scratch_tree_;           // empty: nothing was
  // What git could not take, and what it said; a repository's name ends in a slash.
  std::map<std::string, std::string> left_out_;
};

// Reads what the run's refs say. Throws Error as `open` does.
Worktree::State find_state(const Create& request);

}  // namespace agneto::workspace
