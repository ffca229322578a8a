// The files as they are now, as git objects: checkpoints, and what is put aside.
#include <system_error>

#include "base/files.h"
#include "base/log.h"
#include "workspace/diff.h"
#include "workspace/worktree/stage.h"
#include "workspace/worktree/worktree.h"

namespace agneto::workspace {

namespace {

// Checkpoints of the same tree are the same commit, no matter who makes them and when.
const process::Environment nobody_never = {
    {"GIT_AUTHOR_NAME", "agneto"},
    {"GIT_AUTHOR_EMAIL", "agneto@localhost"},
    {"GIT_AUTHOR_DATE", "@0 +0000"},
    {"GIT_COMMITTER_NAME", "agneto"},
    {"GIT_COMMITTER_EMAIL", "agneto@localhost"},
    {"GIT_COMMITTER_DATE", "@0 +0000"},
};

}  // namespace

// The scratch index starts as the worktree's, so that git need not read every file again; its time
// goes with it, because git compares it with those of the files.
void Worktree::copy_index_to_scratch() {
  mend_index();
  show_hidden();
  fs::remove(fs::path(scratch_index_) += ".lock");
  fs::remove(scratch_index_);
  scratch_tree_.clear();
  index_time_ = fs::last_write_time(index_);
  std::error_code code;
  fs::copy_file(index_, scratch_index_, code);
  const std::string what = "cannot copy '" + index_.string() + "'";
  if (is_disk_full(code.value())) throw DiskFull(what);
  if (code) throw Error(what + ": " + code.message());
  fs::last_write_time(scratch_index_, index_time_);
}

// One that is no file, or that git cannot read, is made anew from the branch; true: it was.
bool Worktree::mend_index() {
  std::error_code none;
  const bool is_file = fs::is_regular_file(fs::symlink_status(index_, none));
  if (is_file && (fs::last_write_time(index_) == own_index_time_ ||
                  git_.run({"ls-files", "--unmerged", "-z"}).status == 0)) {
    return false;
  }
  fs::remove_all(index_);
  git_.text({"read-tree", refs_.full_branch});
  own_index_time_ = fs::last_write_time(index_);
  log::warning("a worktree's index was made anew", {{"file", index_.string()}});
  return true;
}

// Where nothing changed since it was asked last, one git process is enough to know.
Worktree::Tree Worktree::read_tree() {
  std::error_code none;
  if (!fs::exists(scratch_index_) || index_time_ != fs::last_write_time(index_, none)) {
    copy_index_to_scratch();
  }
  Tree result;
  bool beyond_head = false, beyond_scratch = false;
  for (const std::string& line :
       split(scratch_.text({"status", "--porcelain=v2", "--branch", "-z", "--no-renames",
                            "--untracked-files=normal", "--ignore-submodules=dirty"}),
             '\0')) {
    if (line.compare(0, 13, "# branch.oid ") == 0) {
      result.head = line.substr(13);
    } else if (line == "# branch.head " + refs_.branch) {
      result.on_branch = true;
    }
    if (line[0] == '#') continue;
    // "1 XY …": X is the index against HEAD, Y the file against the index; "? …" is untracked.
    beyond_head = true;
    if (line[0] != '1' || line[3] != '.') beyond_scratch = true;
  }
  if (result.head == "(initial)" || !result.on_branch) {
    const process::Captured found =
        git_.run({"rev-parse", "--quiet", "--verify", refs_.full_branch});
    if (found.status != 0) throw branch_is_gone(refs_.branch, state_.last);
    result.head = trim(found.output);
    beyond_head = true;
  }
  state_.refs[refs_.full_branch] = result.head;
  if (!beyond_scratch) left_out_.clear();
  if (beyond_scratch || (beyond_head && scratch_tree_.empty())) {
    left_out_ = stage_all(scratch_);
    scratch_tree_ = scratch_.text({"write-tree"});
  }
  result.tree = beyond_head ? scratch_tree_ : result.head + "^{tree}";
  return result;
}

std::string Worktree::snapshot(const Tree& tree) {
  const std::string key = tree.tree + tree.head + state_.last;
  if (snapshot_.first == key) return snapshot_.second;
  Arguments arguments = {"commit-tree", tree.tree, "-p", tree.head, "-m", "agneto checkpoint"};
  if (tree.head != state_.last) arguments.insert(arguments.end(), {"-p", state_.last});
  snapshot_ = {key, git_.with(nobody_never).text(arguments)};
  return snapshot_.second;
}

// Garbage collection leaves what has a ref; one for each id is enough.
std::string Worktree::checkpoint(const std::string& label) {
  const std::string id = snapshot(read_tree());
  if (kept_.count(id) == 0) keep(label, id);
  return id;
}

void Worktree::keep(const std::string& label, const std::string& id) {
  const std::string name = refs_.checkpoints + ref_part(label) + "@" + id.substr(0, 16);
  git_.text({"update-ref", name, id});
  state_.refs[name] = id;
  kept_.insert(id);
}

bool Worktree::changed_since(const std::string& checkpoint) {
  const Tree tree = read_tree();
  return !tree.on_branch || snapshot(tree) != checkpoint;
}

Worktree::Saved Worktree::saved(const std::string& checkpoint) const {
  if (checkpoint.empty()) return {state_.last + "^{tree}", state_.last, state_.last};
  const std::vector<std::string> parts = tree_and_parents(git_, checkpoint);
  if (parts.size() < 2 || parts.size() > 3) {
    throw Error("there is no checkpoint '" + checkpoint + "' in this repository");
  }
  return {parts[0], parts[1], parts.back()};
}

// The one that was made before the effect changed anything; empty: there is none.
std::string Worktree::checkpoint_of(const std::string& effect) const {
  const std::string known = git_.text(
      {"for-each-ref", "--format=%(objectname)", refs_.checkpoints + ref_part(effect) + "@*"});
  return known.substr(0, known.find('\n'));
}

std::string Worktree::rescue(const std::string& checkpoint) {
  attach();
  const Saved then = saved(checkpoint);
  if (renewed_) {
    const std::string id = git_.text({"rev-parse", refs_.full_branch});
    return id == then.head || id == state_.last ? "" : put_aside(id);
  }
  const Tree now = read_tree();
  if (now.on_branch && snapshot(now) == checkpoint) return {};
  return put_aside(rescue_of(now));
}

// A commit of the tree, child of the branch and of where HEAD is otherwise.
std::string Worktree::rescue_of(const Tree& now) const {
  Arguments arguments = {"commit-tree", now.tree, "-p", now.head, "-m", "agneto rescue"};
  const process::Captured head = git_.run({"rev-parse", "--quiet", "--verify", "HEAD"});
  if (head.status == 0 && trim(head.output) != now.head) {
    arguments.insert(arguments.end(), {"-p", std::string(trim(head.output))});
  }
  return git_.with(nobody_never).text(arguments);
}

// The ref that keeps it; one for each id is enough.
std::string Worktree::put_aside(const std::string& id) {
  const std::vector<std::string> known = split(
      git_.text({"for-each-ref", "--format=%(objectname) %(refname)", refs_.rescued + "*"}), '\n');
  for (const std::string& line : known) {
    if (line.starts_with(id)) return line.substr(id.size() + 1);
  }
  std::string name;
  std::size_t number = known.size();
  do {  // one that somebody deleted leaves a gap
    name = refs_.rescued + std::to_string(++number);
  } while (git_.run({"rev-parse", "--quiet", "--verify", name}).status == 0);
  git_.text({"update-ref", name, id});
  state_.refs[name] = id;
  return name;
}

}  // namespace agneto::workspace
