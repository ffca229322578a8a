#include "workspace/worktree.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <system_error>

#include "base/error.h"
#include "base/files.h"
#include "base/log.h"
#include "workspace/diff.h"
#include "workspace/locks.h"
#include "workspace/stage.h"

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

fs::path real(const fs::path& path) {
  std::error_code code;
  const fs::path result = fs::weakly_canonical(path, code);
  return code ? path.lexically_normal() : result;
}

// What a person calls the branch, tag or commit that the run started from.
std::string base_of(const Worktree::State& state) {
  for (std::string_view kind : {"refs/heads/", "refs/tags/", "refs/remotes/"}) {
    if (state.base_ref.starts_with(kind)) return state.base_ref.substr(kind.size());
  }
  return state.base_commit;
}

void add_worktree(const Git& repository, const fs::path& path, const std::string& branch) {
  const auto made =
      repository.run({"worktree", "add", "--quiet", "--force", "--force", path.string(), branch});
  if (made.status == 0) return;
  repository.require_room(made, "worktree add");
  const std::string why = complaint(made);
  const bool is_filter = why.find("filter") != std::string::npos;
  throw Error("git worktree add: " + why,
              is_filter
                  ? "a filter of git's configuration has failed: install its program, or take "
                    "the filter away; to see it: git config --get-regexp '^filter[.]'"
                  : "",
              ExitStatus::failed);
}

}  // namespace

std::string text_of(const fs::path& file) {
  std::string text = Disk().read(file).value_or("");
  text.erase(text.find_last_not_of('\n') + 1);
  return text;
}

std::optional<fs::path> find_git_folder(const fs::path& common, const fs::path& worktree) {
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(common / "worktrees", code)) {
    if (real(fs::path(text_of(entry.path() / "gitdir")).parent_path()) == real(worktree)) {
      return entry.path();
    }
  }
  return std::nullopt;
}

bool is_led_away(const fs::path& worktree, const std::optional<fs::path>& folder) {
  const fs::path here = real(worktree);
  return here != worktree.lexically_normal() &&
         (!folder || here != fs::path(text_of(*folder / "gitdir")).parent_path());
}

void forget_worktree(const Git& git, const fs::path& common, const fs::path& worktree) {
  std::error_code none;
  // One that was killed early has not noted yet where the worktree is.
  const fs::path unfinished = common / "worktrees" / worktree.filename();
  if (!fs::exists(unfinished / "gitdir", none)) fs::remove(unfinished / "locked", none);
  if (const auto folder = find_git_folder(common, worktree)) fs::remove(*folder / "locked", none);
  git.run({"worktree", "prune"});
}

Git in_worktree(const Git& git, const fs::path& worktree, const fs::path& folder) {
  return git.in(worktree).with({{"GIT_DIR", folder},
                                {"GIT_COMMON_DIR", folder.parent_path().parent_path()},
                                {"GIT_WORK_TREE", worktree}});
}

std::vector<std::string> checked_out_elsewhere(const Git& git, const std::string& branch,
                                               const fs::path& worktree) {
  std::vector<std::string> found;
  std::string folder;
  for (const std::string& line : split(git.text({"worktree", "list", "--porcelain", "-z"}), '\0')) {
    if (line.starts_with("worktree ")) folder = line.substr(9);
    if (line == "branch " + branch && real(folder) != real(worktree)) found.push_back(folder);
  }
  return found;
}

void require_own_branch(const Git& git, const Refs& refs, const fs::path& worktree) {
  for (const std::string& path : checked_out_elsewhere(git, refs.full_branch, worktree)) {
    if (fs::exists(path)) {
      throw Error(fmt::format("branch '{}' is checked out in {}, so the run cannot work on it",
                              refs.branch, path),
                  fmt::format("check out another branch there: git -C {} switch -", path));
    }
  }
}

Worktree::Worktree(State state)
    : Workspace(state.path, base_of(state), Refs(state.run).branch),
      state_(std::move(state)),
      refs_(state_.run),
      git_(state_.path),
      scratch_(git_),
      kept_settings_(state_.path) {
  attach();
  find_effects();
  if (state_.begins) renewed_ = false;
}

// What is still lent is not known to be right: the file stays.
Worktree::~Worktree() {
  if (is_lent_) settings_->give_back();
}

// Makes the folder anew where it, or what git knows of it, is missing; a folder that was moved with
// its repository is connected again.
void Worktree::attach() {
  const Git repository(state_.repository);
  // What a link in its place leads to is not the run's.
  std::error_code none;
  if (fs::is_symlink(state_.path, none)) fs::remove(state_.path);
  // One whose making was cut off has no index, and no checkpoint either.
  const auto is_whole = [&](const fs::path& folder) {
    return fs::exists(fs::symlink_status(folder / "index")) ||
           !repository.text({"for-each-ref", "--count=1", refs_.checkpoints}).empty();
  };
  const auto usable = [&] {
    const auto folder = find_git_folder(state_.common, state_.path);
    const bool is = folder && fs::is_directory(state_.path) && is_whole(*folder);
    return is ? folder : std::nullopt;
  };
  std::optional<fs::path> folder = usable();
  if (folder && is_led_away(state_.path, *folder)) {
    throw Error(fmt::format("{}: a link leads from here to {}, where the run has not worked",
                            state_.path.string(), real(state_.path).string()),
                "remove that link, and put the folder back in which the run has worked");
  }
  if (!folder && fs::exists(state_.path / ".git")) {
    repository.run({"worktree", "repair", state_.path.string()});
    folder = usable();
  }
  if (!folder) {
    require_own_branch(repository, refs_, state_.path);
    renewed_ = true;
    fs::remove_all(state_.path);
    add_worktree(repository, state_.path, refs_.branch);
    folder = usable();
    if (!folder) throw Error(state_.path.string() + ": git made no worktree here");
    own_index_time_ = fs::last_write_time(*folder / "index");
  }
  const bool moved = folder_ != *folder;
  folder_ = *folder;
  connect();
  index_ = folder_ / "index";
  scratch_index_ = folder_ / "agneto.index";
  git_ = in_worktree(repository, state_.path, folder_);
  author_.reset();
  scratch_ = git_.with({{"GIT_INDEX_FILE", scratch_index_.string()}});
  if (!settings_) settings_ = settings_of(state_.common);
  if (moved) {
    own_settings_ = std::make_unique<SettingsWatch>(SettingsWatch::Files{
        {folder_ / "config.worktree"}, {folder_ / "commondir", folder_ / "gitdir"}, {}});
  }
}

// The worktree's `.git` leads to its folder in the repository, whatever stands in its place; true:
// it did not.
bool Worktree::connect() const {
  const fs::path file = state_.path / ".git";
  const std::string link = "gitdir: " + folder_.string();
  std::error_code none;
  if (fs::symlink_status(file, none).type() == fs::file_type::regular && text_of(file) == link) {
    return false;
  }
  fs::remove_all(file);
  write_file(file, link + '\n');
  return true;
}

// All commits from the base to `last` are the engine's.
void Worktree::find_effects() {
  effects_.clear();
  if (state_.last == state_.base_commit) return;
  const std::string log =
      git_.text({"log", "--no-show-signature", "--format=%H " + std::string(trailer_format),
                 state_.base_commit + ".." + state_.last, "--"});
  for (const std::string& line : split(log, '\n')) {
    effects_.emplace(last_word(line), line.substr(0, line.find(' ')));
  }
}

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

void Worktree::restore(const std::string& checkpoint) {
  attach();
  const Saved then = saved(checkpoint);
  reset(then.tree, then.head, then.last);
  find_effects();
}

bool Worktree::intact() const {
  std::error_code code;
  return !renewed_ && fs::is_directory(state_.path, code) && !fs::is_empty(state_.path, code) &&
         !is_led_away(state_.path, folder_);
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

// What killed git commands and unfinished merges leave, all of it in the worktree's own folder.
void Worktree::clear_stale_state() const {
  fs::remove(folder_ / "index.lock");
  clear_unfinished();
  clear_stale_locks();
}

void Worktree::clear_unfinished() const {
  for (const char* name :
       {"MERGE_HEAD", "MERGE_AUTOSTASH", "MERGE_MODE", "MERGE_MSG", "MERGE_RR", "MERGE_RR.lock",
        "AUTO_MERGE", "CHERRY_PICK_HEAD", "REVERT_HEAD", "REBASE_HEAD", "SQUASH_MSG", "BISECT_LOG",
        "BISECT_START", "BISECT_NAMES", "BISECT_TERMS", "BISECT_EXPECTED_REV", "rebase-merge",
        "rebase-apply", "sequencer"}) {
    fs::remove_all(folder_ / name);
  }
}

// Nobody else writes the run's own refs while the engine changes them.
void Worktree::clear_stale_locks() const {
  for (const char* name : {"HEAD.lock", "ORIG_HEAD.lock"}) remove_lock(folder_ / name);
  clear_ref_locks(state_.common, state_.run, Whose::own);
}

// What is not in the scratch index is about to be removed; the commits of a repository in there are
// nowhere else.
void Worktree::tell_lost_repositories() const {
  for (const std::string& path :
       split(scratch_.text({"ls-files", "-z", "--others", "--directory", "--exclude-standard"}),
             '\0')) {
    if (!path.ends_with('/')) continue;
    std::error_code none;
    fs::recursive_directory_iterator inside(state_.path / path, none);
    for (; inside != fs::recursive_directory_iterator(); inside.increment(none)) {
      if (inside->path().filename() != ".git") continue;
      inside.disable_recursion_pending();
      log::warning("a git repository inside the worktree is removed, with its commits",
                   {{"folder", inside->path().parent_path().string()}});
    }
  }
}

// Safe to be cut off anywhere: done again, it ends the same.
void Worktree::reset(const std::string& tree, const std::string& head, const std::string& last) {
  if (!on_branch()) require_own_branch(git_, refs_, state_.path);
  clear_stale_state();
  copy_index_to_scratch();
  scratch_.text({"read-tree", "--reset", "-u", tree});
  tell_lost_repositories();
  scratch_.text({"clean", "-ffdq"});
  fs::rename(scratch_index_, index_);
  point(head, last);
  // What the checkpoint had beyond the branch is uncommitted again.
  if (tree != head + "^{tree}") {
    const bool is_sparse = fs::exists(folder_ / "info/sparse-checkout");
    if (is_sparse) {
      git_.text({"checkout-index", "-z", "--force", "--stdin"}, unhide(head, tree));
    }
    git_.text({"read-tree", "--reset", head});
    if (is_sparse) unhide(tree, head);
  }
  own_index_time_ = fs::last_write_time(index_);
  renewed_ = false;
}

// Git leaves out of a sparse checkout what its patterns leave out, also what somebody has changed
// there. Shows it the files of the index, which is `there`, that differ from those of `other`, and
// returns them, each with a NUL behind it.
std::string Worktree::unhide(const std::string& other, const std::string& there) const {
  std::string files = git_.text({"diff-tree", "-r", "--name-only", "-z", "--no-renames",
                                 "--diff-filter=d", other, there, "--"});
  git_.text({"update-index", "-z", "--no-skip-worktree", "--stdin"}, files);
  return files;
}

bool Worktree::on_branch() const {
  return text_of(folder_ / "HEAD") == "ref: " + refs_.full_branch;
}

// HEAD to the branch, the branch to `head`.
void Worktree::point(const std::string& head, const std::string& last) {
  if (!on_branch()) git_.text({"symbolic-ref", "HEAD", refs_.full_branch});
  git_.text(
      {"update-ref", "-m", "agneto", "--stdin"},
      "update " + refs_.full_branch + " " + head + "\nupdate " + refs_.last + " " + last + "\n");
  state_.last = state_.refs[refs_.last] = last;
  state_.refs[refs_.full_branch] = head;
}

Changes Worktree::changes_since(const std::string& commit) {
  const Tree tree = read_tree();
  Changes changes;
  if (tree.tree != commit + "^{tree}") changes = compare(git_, commit, tree.tree);
  changes.base = commit;
  changes.head = tree.head;
  return changes;
}

Changes Worktree::since_base() {
  return changes_since(state_.base_commit);
}

Changes Worktree::since_last_commit() {
  return changes_since(state_.last);
}

const Git& Worktree::author() {
  if (!author_) author_ = with_identity(git_);
  return *author_;
}

// Effects of different runs have the same path; the run's name tells them apart in the base branch.
std::string Worktree::trailer(const std::string& effect) const {
  const std::string run = state_.run + "/";
  return effect.starts_with(run) ? effect : run + effect;
}

// Why a tree cannot be committed as it is: something was left out of it, or a commit would hold no
// file of a repository inside. A submodule of the project's is meant so.
std::string Worktree::why_not_committed(const Tree& tree, std::vector<std::string> found) const {
  if (!found.empty()) {
    // Each entry is its key, a line end, and the path.
    for (const std::string& entry :
         split(git_.run({"config", "-z", "--blob", tree.tree + ":.gitmodules", "--get-regexp",
                         "\\.path$"})
                   .output,
               '\0')) {
      std::erase(found, entry.substr(entry.find('\n') + 1));
    }
  }
  std::vector<std::string> reasons;
  for (const auto& [path, why] : left_out_) {
    if (path.ends_with('/')) {
      found.push_back(path.substr(0, path.size() - 1));
    } else {
      reasons.push_back(path + " cannot be committed: " + why);
    }
  }
  if (!found.empty()) {
    reasons.push_back(
        agneto::join(found, ", ") +
        ": a git repository of its own inside the worktree, whose files cannot be committed; "
        "remove its .git, or make it a submodule");
  }
  constexpr std::size_t most = 5;
  const std::size_t more = reasons.size() > most ? reasons.size() - most : 0;
  reasons.resize(reasons.size() - more);
  return agneto::join(reasons, "; ") + (more > 0 ? fmt::format("; and {} more", more) : "");
}

std::string Worktree::obstacle_to_commit() {
  const Tree tree = read_tree();
  return why_not_committed(tree, changed_names(git_, state_.last, tree.tree).repositories);
}

Result Worktree::commit(const std::string& message, const std::string& effect) try {
  clear_stale_locks();
  Result outcome;
  const std::string id = trailer(effect);
  if (const auto done = effects_.find(id); done != effects_.end()) {
    outcome.commit = done->second;
    outcome.files = changed_names(git_, done->second + "^", done->second).files;
    return outcome;
  }
  const Tree tree = read_tree();
  if (!tree.on_branch) require_own_branch(git_, refs_, state_.path);
  Names names = changed_names(git_, state_.last, tree.tree);
  if (std::string why = why_not_committed(tree, std::move(names.repositories)); !why.empty()) {
    return failed(std::move(why));
  }
  outcome.files = std::move(names.files);
  std::string head = state_.last;
  if (outcome.files.empty()) {
    outcome.message = "nothing to commit";
  } else {
    head = outcome.commit = author().text({"commit-tree", tree.tree, "-p", state_.last, "-F", "-"},
                                          with_trailer(message, id));
  }
  fs::rename(scratch_index_, index_);
  own_index_time_ = fs::last_write_time(index_);
  if (head != tree.head || !tree.on_branch) point(head, head);
  if (!outcome.commit.empty()) effects_[id] = head;
  return outcome;
} catch (const CutOff&) {
  throw;
} catch (const std::exception& error) {
  return failed(error.what());
}

Result Worktree::discard(const std::string& effect) try {
  attach();
  Result outcome;
  // Cut off after its checkpoint, it must not make another of the tree that it half discarded.
  outcome.commit = checkpoint_of(effect);
  if (outcome.commit.empty()) keep(effect, outcome.commit = snapshot(read_tree()));
  reset(state_.last + "^{tree}", state_.last, state_.last);
  return outcome;
} catch (const CutOff&) {
  throw;
} catch (const std::exception& error) {
  return failed(error.what());
}

Result Worktree::merge(const MergeRequest& request) try {
  clear_stale_locks();
  MergeRequest merge = request;
  merge.effect = trailer(request.effect);
  constexpr std::string_view heads = "refs/heads/";
  if (merge.into.empty() && state_.base_ref.starts_with(heads)) {
    merge.into = state_.base_ref.substr(heads.size());
  }
  return merge_branch(with_identity(Git(state_.repository)), state_.common, refs_, merge);
} catch (const CutOff&) {
  throw;
} catch (const std::exception& error) {
  return failed(error.what());
}

}  // namespace agneto::workspace
