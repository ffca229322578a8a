// Making, finding and removing a run's workspace.
#include <fmt/format.h>

#include <exception>
#include <system_error>

#include "base/error.h"
#include "base/log.h"
#include "workspace/git.h"
#include "workspace/locks.h"
#include "workspace/refs.h"
#include "workspace/worktree/git_folder.h"
#include "workspace/worktree/worktree.h"

namespace agneto::workspace {

namespace {

struct Base {
  std::string commit;
  std::string ref;  // full name; empty for what is no branch or tag
};

std::optional<Base> look_up(const Git& git, const std::string& name) {
  const process::Captured found =
      git.run({"rev-parse", "--quiet", name + "^{commit}", "--symbolic-full-name", name, "--"});
  const std::vector<std::string> lines = split(found.output, '\n');
  if (found.status != 0 || lines.size() < 2) return std::nullopt;
  Base base{lines[0], lines[1]};
  if (base.ref.compare(0, 5, "refs/") != 0) base.ref.clear();
  return base;
}

// In the clone of a hub a branch may have a merge of another run that the hub does not have yet,
// and may never have: what begins there begins without it.
Base as_in_hub(const Git& git, Base base) {
  constexpr std::string_view heads = "refs/heads/";
  if (!base.ref.starts_with(heads)) return base;
  const std::string there =
      commit_of(git, std::string(branches_in_hub) + base.ref.substr(heads.size()));
  if (!there.empty()) base.commit = there;
  return base;
}

// A branch goes before a tag or anything else of that name.
Base find_base(const Git& git, const std::string& name) {
  if (name.empty()) {
    if (const auto base = look_up(git, "HEAD")) return *base;
    throw Error("the current branch has no commits yet",
                "a run needs a commit to start from: git add -A && git commit -m 'First commit'");
  }
  if (name[0] != '-') {
    for (const std::string& candidate : {"refs/heads/" + name, name}) {
      if (const auto base = look_up(git, candidate)) return as_in_hub(git, *base);
    }
  }
  const std::string names = git.text(
      {"for-each-ref", "--format=%(refname:short)", "refs/heads/", "refs/remotes/", "refs/tags/"});
  throw Error(fmt::format("there is no branch, tag or commit '{}' to start from", name),
              suggestion(name, split(names, '\n'), "branches"));
}

}  // namespace

std::string require_base(const fs::path& repository, const std::string& base) {
  forget_caller_repository();
  const Base found = find_base(Git(repository), base);
  return found.ref.empty() ? found.commit : found.ref;
}

UnknownRun::UnknownRun(const std::string& repository, const std::string& run)
    : Error(fmt::format("{}: this repository knows no run '{}'", repository, run),
            "its branch and refs were removed, as by 'agneto clean --force'; start a new run, and "
            "end this one: agneto abort " +
                run) {}

Error branch_is_gone(const std::string& branch, const std::string& last) {
  return Error(fmt::format("branch '{}' is gone, so this run has nothing to work on", branch),
               fmt::format("its committed work is still there; to bring it back: git branch {} {}",
                           branch, last.substr(0, 12)));
}

std::unique_ptr<Workspace> create(const Create& request) {
  forget_caller_repository();
  const Git git(request.repository);
  const Refs refs(request.run);
  const Base base = find_base(git, request.base);

  const std::string tag =
      git.text({"mktag"}, fmt::format("object {}\ntype commit\ntag {}\n"
                                      "tagger agneto <agneto@localhost> 0 +0000\n\n{}\n",
                                      base.commit, refs.branch, base.ref));
  // All or nothing: where there is the branch, there is the rest.
  const process::Captured made =
      git.run({"update-ref", "-m", "agneto run", "--stdin"},
              fmt::format("create {} {}\ncreate {} {}\ncreate {} {}\n", refs.base, tag, refs.last,
                          base.commit, refs.full_branch, base.commit));
  git.require_room(made, "update-ref");
  if (made.status != 0) {
    if (git.run({"show-ref", "--verify", "--quiet", refs.base}).status == 0) return open(request);
    throw Error(fmt::format("cannot make branch '{}': {}", refs.branch, complaint(made)),
                "a branch of that name, or one called 'agneto', stands in the way: rename it with "
                "git branch -m");
  }
  return std::make_unique<Worktree>(Worktree::State{
      request.repository,
      common_folder(git),
      request.worktree,
      request.run,
      base.ref,
      base.commit,
      base.commit,
      true,
      {{refs.base, tag}, {refs.last, base.commit}, {refs.full_branch, base.commit}}});
}

std::unique_ptr<Workspace> open(const Create& request) {
  forget_caller_repository();
  clear_ref_locks(common_folder(Git(request.repository)), request.run, Whose::and_forks);
  return std::make_unique<Worktree>(find_state(request));
}

Worktree::State find_state(const Create& request) {
  forget_caller_repository();
  const Git git(request.repository);
  const Refs refs(request.run);
  Worktree::State state{
      request.repository, common_folder(git), request.worktree, request.run, {}, {}, {}, false, {}};
  bool branch = false;
  const std::string found = git.text(
      {"for-each-ref", "--format=%(refname) %(objectname) %(*objectname) %(contents:subject)",
       refs.own, refs.full_branch});
  for (const std::string& line : split(found, '\n')) {
    const std::vector<std::string> words = split(line, ' ');
    state.refs[words[0]] = words[1];
    if (words[0] == refs.full_branch) branch = true;
    if (words[0] == refs.last) state.last = words[1];
    if (words[0] != refs.base) continue;
    state.base_commit = words[2];
    if (words.size() > 3) state.base_ref = words[3];
  }
  if (state.last.empty() || state.base_commit.empty()) {
    throw UnknownRun(request.repository, request.run);
  }
  if (!branch) throw branch_is_gone(refs.branch, state.last);
  require_own_branch(git, refs, request.worktree);
  return state;
}

void remove(const Create& request) noexcept {
  try {
    take_down(request, Branch::remove_unmoved);
  } catch (const CutOff& error) {
    log::warning("a worktree was not removed", {{"run", request.run}, {"error", error.what()}});
  }
}

void take_down(const Create& request, Branch branch) {
  try {
    const Git git(request.repository);
    const Refs refs(request.run);
    std::error_code ignored;
    const bool is_behind_link =
        !fs::is_symlink(request.worktree, ignored) && is_led_away(request.worktree, std::nullopt);
    if (!is_behind_link) fs::remove_all(request.worktree, ignored);
    const fs::path common = common_folder(git);
    if (is_behind_link &&
        !is_led_away(request.worktree, find_git_folder(common, request.worktree))) {
      fs::remove_all(request.worktree, ignored);
    }
    forget_worktree(git, common, request.worktree);
    clear_ref_locks(common, request.run, Whose::own);
    // A branch that was moved meanwhile is wanted.
    const std::string began = commit_of(git, refs.last);
    if (branch == Branch::remove_unmoved && began.empty()) return;
    std::string deletions;
    for (const auto& ref : split(git.run({"for-each-ref", "--format=%(refname)",
                                          "refs/agneto/" + request.run, refs.full_branch})
                                     .output,
                                 '\n')) {
      if (ref != refs.full_branch || branch == Branch::remove) {
        deletions += fmt::format("delete {}\n", ref);
      } else if (branch == Branch::remove_unmoved) {
        deletions += fmt::format("delete {} {}\n", ref, began);
      }
    }
    git.run({"update-ref", "--stdin"}, deletions);
  } catch (const CutOff&) {
    throw;
  } catch (const std::exception& error) {
    log::warning("a worktree was not removed", {{"run", request.run}, {"error", error.what()}});
    // What is left is a branch and a folder that `git branch -D` and `rm` remove.
  }
}

}  // namespace agneto::workspace
