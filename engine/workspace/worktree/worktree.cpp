#include "workspace/worktree/worktree.h"

#include <fmt/format.h>

#include <system_error>

#include "base/error.h"
#include "base/files.h"
#include "workspace/diff.h"
#include "workspace/worktree/git_folder.h"

namespace agneto::workspace {

namespace {

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

// Makes the folder anew if it is missing, if git knows nothing of it, or if somebody was killed
// while making it. A folder that was moved with its repository is connected again.
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
  const fs::path renewal = mark_of_renewal(state_.common, state_.run);
  const auto usable = [&]() -> std::optional<fs::path> {
    if (!renewed_ && fs::exists(renewal)) return std::nullopt;
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
    if (!state_.begins) {
      fs::create_directories(renewal.parent_path());
      write_file(renewal, "");
    }
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

bool Worktree::intact() const {
  std::error_code code;
  return !renewed_ && fs::is_directory(state_.path, code) && !fs::is_empty(state_.path, code) &&
         !is_led_away(state_.path, folder_);
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

}  // namespace agneto::workspace
