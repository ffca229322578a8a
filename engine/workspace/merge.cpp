// Bringing a run's branch into a branch of the user's, completely or not at all.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>

#include "workspace/checkout.h"
#include "workspace/worktree/git_folder.h"
#include "workspace/worktree/worktree.h"

namespace agneto::workspace {

namespace {

constexpr int races = 5;  // how often the target may move under us

// The branch that is merged into.
class Target {
 public:
  Target(const Git& git, const fs::path& common, const std::string& branch)
      : git_(git), common_(common), ref_("refs/heads/" + branch) {}

  const std::string& ref() const { return ref_; }

  // Where it is checked out: there the files must follow. Empty: nowhere.
  std::string checkout() const {
    std::string path, result;
    for (const std::string& line :
         split(git_.text({"worktree", "list", "--porcelain", "-z"}), '\0')) {
      if (line.compare(0, 9, "worktree ") == 0) path = line.substr(9);
      if (line == "branch " + ref_) result = path;
      if (line.compare(0, 8, "prunable") == 0 && result == path) result.clear();
    }
    return result;
  }

  // git moves no branch that a rebase will move at its end; it only notes its name in a file.
  bool is_being_rebased() const {
    std::vector<fs::path> folders = {common_};
    std::error_code code;
    for (const auto& entry : fs::directory_iterator(common_ / "worktrees", code)) {
      folders.push_back(entry.path());
    }
    return std::any_of(folders.begin(), folders.end(), [this](const fs::path& folder) {
      for (const char* kind : {"rebase-merge", "rebase-apply"}) {
        if (text_of(folder / kind / "head-name") == ref_) return true;
      }
      return false;
    });
  }

  // Lists the files that are not committed; those in .agneto count where the merge changes them.
  std::vector<std::string> uncommitted(const fs::path& checkout,
                                       const std::set<std::string>& changed) const {
    std::vector<std::string> dirty;
    for (const std::string& line :
         split(git_.in(checkout).text(
                   {"status", "--porcelain", "-z", "--no-renames", "--untracked-files=no"}),
               '\0')) {
      const std::string file = line.substr(3);
      if (!file.starts_with(".agneto/") || changed.contains(file)) dirty.push_back(file);
    }
    return dirty;
  }

 private:
  const Git& git_;
  const fs::path& common_;
  const std::string ref_;
};

std::string changes_in_the_way(const std::string& branch, const fs::path& checkout,
                               const std::vector<std::string>& files) {
  return fmt::format("'{}' is checked out in {} with uncommitted changes: {}; commit or stash them",
                     branch, checkout.string(), listed(files));
}

class Merger {
 public:
  Merger(const Git& git, const MergeLock& lock, const fs::path& common, const Refs& refs,
         const MergeRequest& request)
      : git_(git.holding(lock.descriptor())),
        update_(git_, common),
        refs_(refs),
        request_(request),
        target_(git_, common, request.into),
        by_hand_(fmt::format("git merge {}{}", request.squash ? "--squash " : "", refs.branch)) {}

  Result merge() {
    if (request_.into.empty()) {
      return failed(
          "the run did not start from a branch, so it has none to merge into; to do it yourself: " +
          by_hand_);
    }
    update_.recover();
    for (int i = 0; i < races; ++i) {
      if (auto outcome = attempt()) return *outcome;
    }
    return failed(
        fmt::format("branch '{}' keeps moving; to do it yourself: {}", request_.into, by_hand_));
  }

 private:
  // Nothing where the target moved meanwhile.
  std::optional<Result> attempt() {
    const process::Captured found =
        git_.run({"rev-parse", target_.ref(), target_.ref() + "^{tree}", refs_.full_branch, "--"});
    const std::vector<std::string> tips = split(found.output, '\n');
    if (found.status != 0) return failed(missing(tips.size()));
    if (const std::string done = find_done(); !done.empty()) {
      return Result{Result::Kind::ok, done, "merged already", {}};
    }

    const process::Captured merged = git_.run(
        {"merge-tree", "--write-tree", "--name-only", "--no-messages", "-z", tips[0], tips[2]});
    git_.require_room(merged, "merge-tree");
    std::vector<std::string> parts = split(merged.output, '\0');
    if (merged.status > 1 || parts.empty()) {
      return failed(
          fmt::format("git cannot merge (2.38 or newer is needed): {}; to do it yourself: {}",
                      complaint(merged), by_hand_));
    }
    const std::string tree = parts[0];
    parts.erase(parts.begin());
    if (merged.status == 1) {
      return Result{Result::Kind::conflict,
                    {},
                    fmt::format("{} conflicts with '{}' in {}; to do it yourself: {}", refs_.branch,
                                request_.into, listed(parts), by_hand_),
                    parts};
    }
    if (tree == tips[1]) return Result{Result::Kind::ok, {}, "nothing to merge", {}};

    Arguments commit = {"commit-tree", tree, "-F", "-", "-p", tips[0]};
    if (!request_.squash) commit.insert(commit.end(), {"-p", tips[2]});
    return move(tips[0], git_.text(commit, with_trailer(request_.message, request_.effect)));
  }

  std::string missing(std::size_t found) const {
    if (found >= 2) return fmt::format("branch '{}' is gone", refs_.branch);
    const std::string names =
        git_.text({"for-each-ref", "--format=%(refname:short)", "refs/heads/"});
    const std::string help = suggestion(request_.into, split(names, '\n'), "branches");
    return fmt::format("there is no branch '{}' to merge into{}{}", request_.into,
                       help.empty() ? "" : "; ", help);
  }

  // The commit of this very merge, if it was made before.
  std::string find_done() const {
    const std::string log = git_.text({"log", "--no-show-signature", "--fixed-strings",
                                       "--grep=Agneto-Effect: " + request_.effect,
                                       "--format=%H " + std::string(trailer_format),
                                       refs_.base + ".." + target_.ref()});
    for (const std::string& line : split(log, '\n')) {
      if (last_word(line) == request_.effect) return line.substr(0, line.find(' '));
    }
    return {};
  }

  std::optional<Result> move(const std::string& from, const std::string& to) {
    const std::string reason = "agneto merge " + refs_.branch;
    if (target_.is_being_rebased()) {
      return failed(fmt::format("branch '{}' is being rebased; finish that, then {}", request_.into,
                                by_hand_));
    }
    const std::string checkout = target_.checkout();
    if (!checkout.empty()) {
      return update_checkout({checkout, target_.ref(), from, to}, reason);
    }
    const process::Captured moved = git_.run({"update-ref", "-m", reason, target_.ref(), to, from});
    if (moved.status == 0) return done(to);
    if (commit_of(git_, target_.ref()) != from) return std::nullopt;
    git_.require_room(moved, "update-ref");
    return failed("git update-ref: " + complaint(moved));
  }

  std::optional<Result> update_checkout(const Step& step, const std::string& reason) {
    const auto dirty = target_.uncommitted(step.checkout, update_.paths(step));
    if (!dirty.empty()) {
      return failed(changes_in_the_way(request_.into, step.checkout, dirty) + ", then " + by_hand_);
    }
    if (const auto files = update_.in_the_way(step); !files.empty()) {
      return failed(
          fmt::format("untracked files in {} would be overwritten: {}; move them away, then {}",
                      step.checkout.string(), listed({files.begin(), files.end()}), by_hand_));
    }
    const process::Captured merged = update_.fast_forward(step, reason);
    if (merged.status == 0) return done(step.to);
    if (commit_of(git_, step.branch) != step.from || target_.checkout() != step.checkout) {
      return std::nullopt;
    }
    return failed(
        fmt::format("git cannot update the checkout of '{}' in {}: {}; to do it yourself: {}",
                    request_.into, step.checkout.string(), complaint(merged), by_hand_));
  }

  Result done(const std::string& commit) const {
    return {Result::Kind::ok,
            commit,
            fmt::format("merged {} into '{}'", refs_.branch, request_.into),
            {}};
  }

  const Git git_;
  CheckoutUpdate update_;
  const Refs& refs_;
  const MergeRequest& request_;
  const Target target_;
  const std::string by_hand_;
};

}  // namespace

Result merge_branch(const Git& git, const fs::path& common, const Refs& refs,
                    const MergeRequest& request) {
  const MergeLock lock(common);
  if (!lock.held()) return {Result::Kind::busy, {}, "another merge is under way", {}};
  return Merger(git, lock, common, refs, request).merge();
}

std::string obstacle_to_merge(const fs::path& repository, const std::string& branch) {
  const Git git(repository);
  const fs::path common = common_folder(git);
  const Target target(git, common, branch);
  if (git.run({"show-ref", "--verify", "--quiet", target.ref()}).status != 0) {
    return fmt::format("'{}' is no branch, so the run's work is not merged into it", branch);
  }
  constexpr std::string_view by_when = " before the run ends, or its work is not merged";
  if (target.is_being_rebased()) {
    return fmt::format("branch '{}' is being rebased; finish that{}", branch, by_when);
  }
  const std::string checkout = target.checkout();
  if (checkout.empty()) return {};
  const auto dirty = target.uncommitted(checkout, {});
  return dirty.empty() ? "" : changes_in_the_way(branch, checkout, dirty).append(by_when);
}

}  // namespace agneto::workspace
