#include "workspace/clean.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <system_error>

#include "base/error.h"
#include "workspace/branch_work.h"
#include "workspace/git.h"
#include "workspace/locks.h"
#include "workspace/refs.h"
#include "workspace/worktree/git_folder.h"

namespace agneto::workspace {
namespace {

class Cleaner {
 public:
  explicit Cleaner(const Cleaning& cleaning)
      : cleaning_(cleaning), git_(cleaning.repository), common_(common_folder(git_)) {}

  // One of the run's names: its own, or that of an item.
  void clean(const std::string& name) {
    const Refs refs(name);
    const fs::path worktree = cleaning_.worktrees / name;
    const bool stays = !clean_worktree(worktree);
    const std::string tip = commit_of(git_, refs.full_branch);
    if (!tip.empty()) {
      std::string why;
      if (stays) {
        why = "its worktree is kept";
      } else if (!cleaning_.force) {
        why = unmerged(tip, refs);
      }
      const auto places = checked_out_elsewhere(git_, refs.full_branch, worktree);
      if (!places.empty()) why = "it is checked out in " + places.front();
      if (!why.empty()) {
        keep("branch " + refs.branch + ": " + why);
        return;
      }
    } else if (stays) {
      return;
    }
    remove_refs(refs, name, tip);
  }

  Cleaned take() { return std::move(cleaned_); }

  // The names of its items, RUN.ITEM, and then the run's own.
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    const auto add = [&](std::string name) {
      if (std::find(names.begin(), names.end(), name) == names.end()) {
        names.push_back(std::move(name));
      }
    };
    const std::string item = cleaning_.run + ".";
    for (const auto& ref :
         split(git_.text({"for-each-ref", "--format=%(refname)", "refs/heads/agneto/" + item + "*",
                          "refs/agneto/" + item + "*"}),
               '\n')) {
      const std::string_view prefix =
          ref.starts_with("refs/heads/") ? "refs/heads/agneto/" : "refs/agneto/";
      const std::string rest = ref.substr(prefix.size());
      add(rest.substr(0, rest.find('/')));
    }
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(cleaning_.worktrees, ignored)) {
      std::string name = entry.path().filename();
      if (entry.is_directory() && name.starts_with(item)) add(std::move(name));
    }
    add(cleaning_.run);
    return names;
  }

 private:
  void keep(std::string what) { cleaned_.kept.push_back(std::move(what)); }
  void removed(std::string what) { cleaned_.removed.push_back(std::move(what)); }

  // Returns false where it stays.
  bool clean_worktree(const fs::path& worktree) {
    std::error_code ignored;
    if (!fs::exists(worktree, ignored)) {
      if (!find_git_folder(common_, worktree)) return true;
      if (!cleaning_.dry_run) forget_worktree(git_, common_, worktree);
      removed("what git had of the worktree " + worktree.string());
      return true;
    }
    // A link in its place is removed; what is behind one around it is not the run's.
    if (is_led_away(worktree, find_git_folder(common_, worktree)) &&
        !fs::is_symlink(worktree, ignored)) {
      keep(fmt::format("worktree {}: a link leads from here to {}, where the run has not worked",
                       worktree.string(), fs::weakly_canonical(worktree, ignored).string()));
      return false;
    }
    if (!cleaning_.force && !cleaning_.discard_uncommitted && has_changes(worktree)) {
      keep("worktree " + worktree.string() + ": it has changes that are not committed");
      return false;
    }
    if (!cleaning_.dry_run) {
      std::error_code failure;
      fs::remove_all(worktree, failure);
      if (failure) {
        keep("worktree " + worktree.string() + ": " + failure.message());
        return false;
      }
      forget_worktree(git_, common_, worktree);
    }
    removed("worktree " + worktree.string());
    return true;
  }

  bool has_changes(const fs::path& worktree) const {
    const auto folder = find_git_folder(common_, worktree);
    if (!folder) return true;  // nobody knows
    const auto status = in_worktree(git_, worktree, *folder)
                            .run({"status", "--porcelain", "--untracked-files=normal",
                                  "--ignore-submodules=dirty"});
    return status.status != 0 || !trim(status.output).empty();
  }

  // Why the branch has to stay; empty where its work is elsewhere, or there is none.
  std::string unmerged(const std::string& tip, const Refs& refs) const {
    const std::string base = commit_of(git_, refs.base);
    if (tip == base) return "";
    std::vector<std::string> into, known;
    for (const auto& name : cleaning_.into) {
      if (!name.empty()) known.push_back(name);
      if (!commit_of(git_, "refs/heads/" + name).empty()) into.push_back("refs/heads/" + name);
    }
    for (const auto& branch : into) {
      if (is_merged(git_, branch, tip)) return "";
      // What the engine merged may have been changed there since.
      const bool done = std::any_of(
          cleaning_.merges.begin(), cleaning_.merges.end(), [&](const std::string& merge) {
            return git_.run({"merge-base", "--is-ancestor", merge, branch}).status == 0;
          });
      if (done && tip == commit_of(git_, refs.last)) return "";
    }
    const auto count =
        base.empty() ? "commits" : commits(git_.text({"rev-list", "--count", base + ".." + tip}));
    return "it has " + count + " not in " + (known.empty() ? "any branch" : join(known, ", "));
  }

  static std::string commits(const std::string& count) {
    return count + (count == "1" ? " commit that is" : " commits that are");
  }

  void remove_refs(const Refs& refs, const std::string& name, const std::string& tip) {
    std::string deletions;
    if (!tip.empty()) deletions += fmt::format("delete {} {}\n", refs.full_branch, tip);
    const auto own =
        split(git_.text({"for-each-ref", "--format=%(refname) %(objectname)", refs.own}), '\n');
    for (const auto& ref : own) deletions += "delete " + ref + '\n';
    if (deletions.empty()) return;
    if (!cleaning_.dry_run) clear_ref_locks(common_, name, Whose::own);
    if (!cleaning_.dry_run) git_.text({"update-ref", "--stdin"}, deletions);
    if (!tip.empty()) {
      removed(fmt::format("branch {} (was {})", refs.branch, tip.substr(0, 12)));
    }
    // What was put aside is nowhere else; git finds it by its id for some weeks.
    for (const auto& ref : own) {
      if (!ref.starts_with(refs.rescued)) continue;
      const std::size_t end = ref.find(' ');
      removed(fmt::format("{} (was {})", ref.substr(0, end), ref.substr(end + 1, 12)));
    }
    if (!own.empty()) {
      removed(fmt::format("{} ref{} under refs/agneto/{}", own.size(), own.size() == 1 ? "" : "s",
                          name));
    }
  }

  const Cleaning& cleaning_;
  Git git_;
  fs::path common_;
  Cleaned cleaned_;
};

}  // namespace

std::vector<Trace> traces_of_runs(const fs::path& repository, const fs::path& worktrees) {
  forget_caller_repository();
  const Git git(repository);
  std::map<std::string, std::string> found;  // run -> base
  const auto name_of = [](const std::string& text) {
    return text.substr(0, text.find_first_of("./"));
  };
  constexpr std::string_view own = "refs/agneto/", heads = "refs/heads/";
  for (const std::string& line :
       split(git.text({"for-each-ref", "--format=%(refname) %(contents:subject)", "refs/agneto/"}),
             '\n')) {
    const std::string ref = line.substr(0, line.find(' '));
    const std::string run = name_of(ref.substr(own.size()));
    std::string& base = found[run];
    const std::string_view subject =
        std::string_view(line).substr(std::min(ref.size() + 1, line.size()));
    if (ref == Refs(run).base && subject.starts_with(heads)) base = subject.substr(heads.size());
  }
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(worktrees, none)) {
    if (entry.is_directory()) found[name_of(entry.path().filename())];
  }
  for (const auto& entry : fs::directory_iterator(common_folder(git) / "worktrees", none)) {
    const fs::path folder = fs::path(text_of(entry.path() / "gitdir")).parent_path();
    if (folder.parent_path() == worktrees) found[name_of(folder.filename())];
  }
  std::vector<Trace> traces;
  for (auto& [run, base] : found) traces.push_back({run, std::move(base)});
  return traces;
}

Cleaned clean(const Cleaning& cleaning) {
  forget_caller_repository();
  Cleaner cleaner(cleaning);
  for (const auto& name : cleaner.names()) cleaner.clean(name);
  return cleaner.take();
}

}  // namespace agneto::workspace
