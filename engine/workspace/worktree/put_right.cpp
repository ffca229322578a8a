// What others did to git behind the engine's back, while they worked in the tree, is put right.
#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "workspace/worktree/git_folder.h"
#include "workspace/worktree/worktree.h"

namespace agneto::workspace {

void Worktree::lend(bool /*to_edit*/) {
  if (!std::exchange(is_lent_, true)) settings_->lend();
  own_settings_->look();
  kept_settings_.keep({settings_->memory(), own_settings_->memory()});
  others_ = refs_of_others();
}

void Worktree::give_back() {
  if (!std::exchange(is_lent_, false)) return;
  settings_->give_back();
  kept_settings_.forget();
}

// Each step relies on what the ones before it have put right.
std::vector<std::string> Worktree::put_right() {
  std::vector<std::string> said = settings_->put_back();
  if (!intact()) return said;
  put_refs_right(said);
  tell_moved_refs(said);
  if (!is_there(folder_)) register_again(said);
  for (auto& change : own_settings_->put_back()) said.push_back(std::move(change));
  if (connect()) said.push_back("damaged the worktree's .git, which is as it was again");
  if (mend_index()) {
    said.push_back(
        "damaged the worktree's index, which is as the branch has it, with the files as they are");
  }
  end_unfinished(said);
  put_head_right(said);
  if (index_time_ != fs::last_write_time(index_)) copy_index_to_scratch();
  if (!hidden_.empty()) {
    said.push_back(
        fmt::format("hid changes of {} from git (assume-unchanged, skip-worktree), "
                    "which are seen again",
                    listed(std::exchange(hidden_, {}))));
  }
  return said;
}

// The run's own refs are moved by nobody but the engine, the branch by those who commit there.
void Worktree::put_refs_right(std::vector<std::string>& said) {
  const Git git(state_.repository);
  std::map<std::string, std::string> wanted = state_.refs;
  std::string commands;
  std::vector<std::string> changed;
  const auto update = [&](const std::string& name, const std::string& id) {
    changed.push_back(name);
    commands +=
        id.empty() ? fmt::format("delete {}\n", name) : fmt::format("update {} {}\n", name, id);
  };
  for (const std::string& line :
       split(git.text({"for-each-ref", "--format=%(refname) %(objectname) %(symref)", refs_.own,
                       refs_.full_branch}),
             '\n')) {
    const std::vector<std::string> words = split(line, ' ');
    const std::string& name = words[0];
    const auto known = wanted.extract(name);
    const bool symbolic = words.size() > 2;
    if (known.empty()) {
      update(name, "");
    } else if (symbolic || (name != refs_.full_branch && known.mapped() != words[1])) {
      update(name, known.mapped());
    } else {
      state_.refs[name] = words[1];
    }
  }
  for (const auto& [name, id] : wanted) update(name, id);
  if (changed.empty()) return;
  clear_stale_locks();
  git.text({"update-ref", "--no-deref", "-m", "agneto", "--stdin"}, commands);
  said.push_back("changed refs of the run's own, which are as they were again: " + listed(changed));
}

// Of the same run, forks move theirs at any time.
RefObjects Worktree::refs_of_others() const {
  return refs_in(Git(state_.repository), state_.run.substr(0, state_.run.find('.')));
}

// Branches and tags are people's, who may have moved them; runs move their refs, too. So all are
// left as they are, but for those that no run deletes while it has its branch and its worktree.
void Worktree::tell_moved_refs(std::vector<std::string>& said) {
  if (!others_) return;
  RefObjects then = *std::exchange(others_, std::nullopt);
  RefObjects now = refs_of_others();
  if (now == then) return;
  std::vector<std::string> restored;
  for (const std::string& name : missed_refs(then, now)) {
    if (!is_there(state_.path.parent_path() / run_of_ref(name))) continue;
    const Arguments update = {"update-ref", "-m", "agneto", name, then.at(name), ""};
    if (Git(state_.repository).run(update).status == 0) restored.push_back(name);
  }
  // A new branch that HEAD is on is told with HEAD.
  const std::string head = text_of(folder_ / "HEAD");
  constexpr std::string_view link = "ref: ";
  if (head.starts_with(link) && !then.contains(head.substr(link.size()))) {
    now.erase(head.substr(link.size()));
  }
  leave_out_brought(Git(state_.repository), then, now);
  const std::vector<std::string> told = moved_refs(then, now);
  if (!told.empty()) said.push_back(left_so(listed(told)));
  if (!restored.empty()) {
    said.push_back("deleted refs of other runs, which are as they were again: " + listed(restored));
  }
}

// A new worktree without files takes the place of the one that git has forgotten, and gets its
// files.
void Worktree::register_again(std::vector<std::string>& said) {
  const Git repository(state_.repository);
  const fs::path aside = state_.path.string() + ".aside";
  fs::rename(state_.path, aside);
  const auto made = repository.run({"worktree", "add", "--quiet", "--no-checkout", "--force",
                                    "--force", state_.path.string(), refs_.branch});
  fs::remove_all(state_.path);
  fs::rename(aside, state_.path);
  const auto folder = find_git_folder(state_.common, state_.path);
  repository.require_room(made, "worktree add");
  if (made.status != 0 || !folder) {
    throw Error(state_.path.string() + ": git takes no worktree here: " + complaint(made));
  }
  in_worktree(repository, state_.path, *folder).text({"read-tree", refs_.full_branch});
  attach();
  said.push_back("took the worktree out of the repository, where it is again");
}

void Worktree::end_unfinished(std::vector<std::string>& said) {
  static const std::vector<std::pair<const char*, const char*>> signs = {
      {"rebase-merge", "rebase"},
      {"rebase-apply", "rebase"},
      {"BISECT_LOG", "bisection"},
      {"MERGE_HEAD", "merge"},
      {"CHERRY_PICK_HEAD", "cherry-pick"},
      {"REVERT_HEAD", "revert"},
      {"sequencer", "cherry-pick or revert"}};
  const auto sign =
      std::ranges::find_if(signs, [&](const auto& each) { return is_there(folder_ / each.first); });
  if (sign == signs.end()) return;
  std::string kept;
  for (const char* name : {"rebase-merge/autostash", "rebase-apply/autostash", "MERGE_AUTOSTASH"}) {
    const std::string stash = text_of(folder_ / name);
    if (is_commit_id(stash)) kept = "; what it had stashed is kept as " + put_aside(stash);
  }
  clear_unfinished();
  std::string unmerged;
  for (const std::string& entry : split(git_.text({"ls-files", "--unmerged", "-z"}), '\0')) {
    unmerged += entry.substr(entry.find('\t') + 1) + '\0';
  }
  if (!unmerged.empty()) {
    git_.text({"update-index", "-z", "--add", "--remove", "--replace", "--stdin"}, unmerged);
  }
  said.push_back(fmt::format("left a {} unfinished, which is ended, with the files as they are{}",
                             sign->second, kept));
}

void Worktree::put_head_right(std::vector<std::string>& said) {
  if (on_branch()) return;
  const Git repository(state_.repository);
  // Then the engine does not work on the branch either, and says so.
  if (!checked_out_elsewhere(repository, refs_.full_branch, state_.path).empty()) return;
  const std::string head = text_of(folder_ / "HEAD");
  std::string where = "nowhere", kept;
  if (const std::string target = head_target(head); target.starts_with("branch")) {
    where = "on " + target;
  } else if (is_commit_id(head)) {
    where = "at " + target;
    const auto holders = repository.run({"for-each-ref", "--count=1", "--contains", head,
                                         "refs/heads/", "refs/tags/", "refs/remotes/"});
    if (holders.status == 0 && holders.output.empty()) {
      kept = ", and what was committed there is kept as " + put_aside(head);
    }
  }
  clear_stale_locks();
  if (git_.run({"symbolic-ref", "HEAD", refs_.full_branch}).status != 0) {
    write_file(folder_ / "HEAD", "ref: " + refs_.full_branch + "\n");
  }
  said.push_back(fmt::format("left HEAD {}; it is on '{}' again, with the files as they are{}",
                             where, refs_.branch, kept));
}

// Files that git was told not to look at are looked at again, but for those that a sparse checkout
// leaves out.
void Worktree::show_hidden() {
  if (fs::last_write_time(index_) == own_index_time_) return;
  const process::Captured entries = git_.run({"ls-files", "-v", "-z"});
  if (entries.status != 0) return;  // the next to read it says why
  std::vector<std::string> assumed, skipped;
  std::optional<bool> sparse;
  for (const std::string& entry : split(entries.output, '\0')) {
    const char tag = entry[0];
    std::string file = entry.substr(2);
    if (tag == 'S' || tag == 's') {
      if (!sparse) {
        const auto set = git_.run({"config", "--type=bool", "core.sparseCheckout"});
        sparse = trim(set.output) == "true";
      }
      if (!*sparse || is_there(state_.path / file)) skipped.push_back(file);
    }
    if (std::islower(static_cast<unsigned char>(tag)) != 0) assumed.push_back(std::move(file));
  }
  const auto show = [&](const char* option, const std::vector<std::string>& files) {
    if (files.empty()) return;
    std::string input;
    for (const std::string& file : files) input += file + '\0';
    git_.text({"update-index", option, "-z", "--stdin"}, input);
  };
  show("--no-assume-unchanged", assumed);
  show("--no-skip-worktree", skipped);
  hidden_.insert(hidden_.end(), assumed.begin(), assumed.end());
  hidden_.insert(hidden_.end(), skipped.begin(), skipped.end());
  own_index_time_ = fs::last_write_time(index_);
}

}  // namespace agneto::workspace
