// A run's files as they were at an earlier moment: in place, or as those of another run.
#include <fmt/format.h>

#include "workspace/worktree/worktree.h"

namespace agneto::workspace {

std::vector<std::string> Worktree::foreign_commits() {
  return split(git_.text({"log", "--no-show-signature", "--format=%h %s", refs_.full_branch,
                          "--not", "--glob=" + refs_.own + "*", "--"}),
               '\n');
}

// What is put aside first is put aside once, also where this is done again.
std::vector<std::string> Worktree::rewind(const std::string& checkpoint) {
  attach();
  const std::string& base = state_.base_commit;
  const Saved then = checkpoint.empty() ? Saved{base + "^{tree}", base, base} : saved(checkpoint);
  std::vector<std::string> kept = put_forks_aside();
  const Tree now = read_tree();
  const bool there = checkpoint.empty() ? now.on_branch && now.head == base && now.tree == then.tree
                                        : now.on_branch && snapshot(now) == checkpoint;
  if (!there) kept.push_back(put_aside(rescue_of(now)));
  reset(then.tree, then.head, then.last);
  find_effects();
  return kept;
}

// Forks that are there were made later, or their items have not ended: neither is so at the moment
// that is gone back to.
std::vector<std::string> Worktree::put_forks_aside() {
  std::vector<std::string> kept;
  const std::string prefix = "refs/agneto/";
  for (const std::string& ref :
       split(git_.text({"for-each-ref", "--format=%(refname)", prefix + state_.run + ".*/base"}),
             '\n')) {
    const std::string run = ref.substr(prefix.size(), ref.rfind('/') - prefix.size());
    const Create request{state_.repository, state_.path.parent_path() / run, run, {}};
    Worktree fork(find_state(request));
    kept.push_back(put_aside(fork.rescue_of(fork.read_tree())));
    take_down(request, Branch::remove);
  }
  return kept;
}

// All or nothing: where there is the branch, there is the rest.
std::unique_ptr<Workspace> copy(const Create& from, const Create& to) {
  forget_caller_repository();
  const Git git(from.repository);
  const Refs old(from.run), refs(to.run);
  std::string base, commands;
  for (const std::string& line :
       split(git.text({"for-each-ref", "--format=%(refname) %(objectname) %(*objectname)", old.base,
                       old.own + "checkpoints"}),
             '\n')) {
    const std::vector<std::string> words = split(line, ' ');
    if (words[0] == old.base) base = words[2];
    commands +=
        fmt::format("create {}{} {}\n", refs.own, words[0].substr(old.own.size()), words[1]);
  }
  if (base.empty()) throw UnknownRun(from.repository, from.run);
  commands += fmt::format("create {0} {2}\ncreate {1} {2}\n", refs.last, refs.full_branch, base);
  git.text({"update-ref", "-m", "agneto fork", "--stdin"}, commands);
  return open(to);
}

}  // namespace agneto::workspace
