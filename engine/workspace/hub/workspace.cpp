#include "workspace/hub/workspace.h"

#include <fmt/format.h>

#include <exception>
#include <type_traits>
#include <utility>

#include "base/error.h"
#include "workspace/refs.h"

namespace agneto::workspace {

namespace {

constexpr int most_merges = 5;  // how often the target may move under us

class HubWorkspace : public Workspace {
 public:
  HubWorkspace(std::unique_ptr<Workspace> files, std::shared_ptr<HubRun> run)
      : Workspace(files->path(), files->base(), files->branch()),
        files_(std::move(files)),
        run_(std::move(run)) {}

  std::string checkpoint(const std::string& label) override {
    return then_follow([&] { return files_->checkpoint(label); });
  }
  void restore(const std::string& checkpoint) override {
    then_follow([&] { files_->restore(checkpoint); });
  }
  bool changed_since(const std::string& checkpoint) override {
    return files_->changed_since(checkpoint);
  }
  std::string rescue(const std::string& checkpoint) override {
    return then_follow([&] { return files_->rescue(checkpoint); });
  }
  bool intact() const override { return files_->intact(); }
  void lend(bool to_edit) override { files_->lend(to_edit); }
  void give_back() override { files_->give_back(); }
  std::vector<std::string> put_right() override {
    return then_follow([&] { return files_->put_right(); });
  }
  std::string obstacle_to_commit() override { return files_->obstacle_to_commit(); }
  std::vector<std::string> left_changed() override { return files_->left_changed(); }
  Result commit(const std::string& message, const std::string& effect) override {
    return then_follow([&] { return files_->commit(message, effect); });
  }
  Result discard(const std::string& effect) override {
    return then_follow([&] { return files_->discard(effect); });
  }
  std::unique_ptr<Workspace> fork(const std::string& label) override {
    return through_hub(then_follow([&] { return files_->fork(label); }), run_);
  }
  Joined join(const Join& join) override {
    return then_follow([&] { return files_->join(join); });
  }
  Changes since_base() override { return files_->since_base(); }
  Changes since_last_commit() override { return files_->since_last_commit(); }
  std::vector<std::string> foreign_commits() override { return files_->foreign_commits(); }
  std::vector<std::string> rewind(const std::string& checkpoint) override {
    return then_follow([&] { return files_->rewind(checkpoint); });
  }

  Result merge(const MergeRequest& request) override try {
    run_->require_held();
    const std::string target =
        "refs/heads/" + (request.into.empty() ? base_branch() : request.into);
    for (int i = 0; i < most_merges; ++i) {
      if (const auto outcome = attempt_merge(request, target)) return *outcome;
    }
    return {
        Result::Kind::busy,
        {},
        fmt::format("branch '{}' of {} keeps moving", short_name(target), run_->clone().shown()),
        {}};
  } catch (const CutOff&) {
    throw;
  } catch (const std::exception& error) {
    return failed(error.what());
  }

 private:
  template <typename Action>
  std::invoke_result_t<Action> then_follow(Action action) {
    run_->require_held();
    if constexpr (std::is_void_v<std::invoke_result_t<Action>>) {
      action();
      run_->follow();
    } else {
      auto result = action();
      run_->follow();
      return result;
    }
  }

  // Nothing where the target has moved in the hub meanwhile. What was merged here alone never
  // stays.
  std::optional<Result> attempt_merge(const MergeRequest& request, const std::string& target) {
    HubClone& clone = run_->clone();
    clone.bring_up();
    const Git git = clone.git();
    const std::string there = commit_of(git, std::string(branches_in_hub) + short_name(target));
    Result result = files_->merge(request);
    if (result.kind != Result::Kind::ok || result.commit.empty()) return result;
    if (git.run({"merge-base", "--is-ancestor", result.commit, there}).status == 0) return result;
    const auto take_back = [&](const std::string& to) {
      git.run({"update-ref", "-m", "agneto", target, to, result.commit});
    };
    if (const std::string parent = commit_of(git, result.commit + "^1"); parent != there) {
      // Another run's merge is here, but not yet in the hub.
      take_back(parent);
      return Result{Result::Kind::busy, {}, "another merge is under way", {}};
    }
    const HubRun::Pushed pushed = run_->move(target, result.commit);
    if (pushed.done) return result;
    take_back(there);
    if (pushed.outdated) return std::nullopt;
    return failed(fmt::format("{} does not let its branch '{}' be moved: {}; the work stays on {}",
                              clone.shown(), short_name(target), pushed.why, branch()));
  }

  static std::string short_name(const std::string& ref) { return ref.substr(ref.find('/', 5) + 1); }

  // Empty: the run did not start from a branch.
  std::string base_branch() const {
    constexpr std::string_view heads = "refs/heads/";
    const std::string run = branch().substr(branch().find('/') + 1);
    const std::string ref =
        run_->clone().git().text({"for-each-ref", "--format=%(contents:subject)", Refs(run).base});
    return ref.starts_with(heads) ? ref.substr(heads.size()) : "";
  }

  const std::unique_ptr<Workspace> files_;
  const std::shared_ptr<HubRun> run_;
};

}  // namespace

std::unique_ptr<Workspace> through_hub(std::unique_ptr<Workspace> files,
                                       std::shared_ptr<HubRun> run) {
  return std::make_unique<HubWorkspace>(std::move(files), std::move(run));
}

}  // namespace agneto::workspace
