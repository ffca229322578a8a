// Parts of a run's work in worktrees of their own, and how they come back.
#include <fmt/format.h>

#include <algorithm>

#include "workspace/diff.h"
#include "workspace/worktree/worktree.h"

namespace agneto::workspace {

Create Worktree::fork_request(const std::string& label) const {
  const std::string run = fork_run(state_.run, label);
  return {state_.repository, state_.path.parent_path() / run, run, {}};
}

std::unique_ptr<Workspace> Worktree::fork(const std::string& label) {
  Create request = fork_request(label);
  const Refs refs(request.run);
  const std::size_t there = split(git_.text({"for-each-ref", "--format=%(refname)", refs.base,
                                             refs.last, refs.full_branch}),
                                  '\n')
                                .size();
  if (there == 3 || (there > 0 && fs::exists(request.worktree))) return open(request);
  // A git that was killed while it made them has made some.
  if (there > 0) take_down(request, Branch::remove);
  request.base = checkpoint(label);
  return create(request);
}

// Three steps, each of which is there as a whole or not at all: the tree before, under the effect's
// checkpoint; the tree after, as a commit that also says what came of it; and the files, which can
// be made again from it as long as the result is not recorded elsewhere.
Joined Worktree::join(const Join& join) {
  attach();
  std::string before = checkpoint_of(join.effect);
  if (join.wanted.empty()) {
    if (!before.empty()) restore(before);
    remove_forks(join.forks, Json::array());
    return {};
  }
  if (before.empty()) keep(join.effect, before = snapshot(read_tree()));
  const std::string ref = refs_.joins + ref_part(join.effect);
  if (git_.run({"show-ref", "--verify", "--quiet", ref}).status != 0) {
    const std::string merged = merge_forks(before, join);
    git_.text({"update-ref", ref, merged});
    state_.refs[ref] = merged;
  }

  const Saved then = saved(before);
  reset(git_.text({"rev-parse", ref + "^{tree}"}), then.head, then.last);
  const Json outcome =
      Json::parse(git_.text({"log", "-1", "--no-show-signature", "--format=%B", ref, "--"}));
  const Json& conflicts = outcome.at("conflicts");
  remove_forks(join.forks, conflicts);
  Joined result{{}, outcome.at("unchanged")};
  for (const Json& conflict : conflicts) {
    const std::string fork = conflict.at("fork");
    result.conflicts.push_back({fork, Refs(fork_request(fork).run).branch, conflict.at("files")});
  }
  return result;
}

// The tree with the forks' changes in it as a commit, whose message says what came of it:
// {"conflicts": [{fork, commit, files}], "unchanged": [fork]}.
std::string Worktree::merge_forks(const std::string& before, const Join& join) {
  std::string tree = saved(before).tree;
  Json conflicts = Json::array(), unchanged = Json::array();
  for (const std::string& label : join.wanted) {
    Worktree fork(find_state(fork_request(label)));
    if (!fork.intact()) {
      const auto checkpoint = join.checkpoints.find(label);
      fork.restore(checkpoint == join.checkpoints.end() ? "" : checkpoint->second);
    }
    const std::string& base = fork.state_.base_commit;
    const Tree theirs = fork.read_tree();
    if (changed_names(git_, base, theirs.tree).files.empty()) {
      unchanged.push_back(label);
      continue;
    }
    const auto commit = [&](const std::string& of) {
      return author().text({"commit-tree", of, "-p", base, "-m", "Work of " + label});
    };
    const std::string work = commit(theirs.tree);
    const process::Captured merged = git_.run(
        {"merge-tree", "--write-tree", "--name-only", "--no-messages", "-z", commit(tree), work});
    git_.require_room(merged, "merge-tree");
    std::vector<std::string> parts = split(merged.output, '\0');
    if (merged.status > 1 || parts.empty()) {
      throw Error(fmt::format("git cannot bring in the work of {} (2.38 or newer is needed): {}",
                              label, complaint(merged)));
    }
    if (merged.status == 0) {
      tree = parts[0];
    } else {
      parts.erase(parts.begin());
      conflicts.push_back({{"fork", label}, {"commit", work}, {"files", parts}});
    }
  }
  const Json outcome = {{"conflicts", conflicts}, {"unchanged", unchanged}};
  return author().text({"commit-tree", tree, "-p", before, "-F", "-"}, to_text(outcome));
}

void Worktree::remove_forks(const std::vector<std::string>& labels, const Json& conflicts) const {
  for (const std::string& label : labels) {
    const Create request = fork_request(label);
    const auto conflict = std::find_if(conflicts.begin(), conflicts.end(), [&](const Json& other) {
      return other.at("fork") == label;
    });
    const bool kept = conflict != conflicts.end();
    if (kept) git_.text({"update-ref", Refs(request.run).full_branch, conflict->at("commit")});
    take_down(request, kept ? Branch::keep : Branch::remove);
  }
}

}  // namespace agneto::workspace
