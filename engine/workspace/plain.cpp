// A folder without a repository.
#include <fmt/format.h>

#include <optional>
#include <utility>

#include "base/error.h"
#include "workspace/git.h"
#include "workspace/listing.h"
#include "workspace/workspace.h"

namespace agneto::workspace {

namespace {

class Folder : public Workspace {
 public:
  Folder(const fs::path& path, std::size_t most_files)
      : Workspace(path, "", ""), most_files_(most_files) {}

  std::string checkpoint(const std::string&) override { return {}; }
  void restore(const std::string&) override {}
  bool changed_since(const std::string&) override { return false; }
  std::string rescue(const std::string&) override { return {}; }
  std::vector<std::string> foreign_commits() override { return {}; }
  std::vector<std::string> rewind(const std::string&) override { return {}; }
  bool intact() const override { return true; }
  void lend(bool to_edit) override {
    lent_.reset();
    if (!to_edit) lent_ = list(path(), most_files_);
  }
  std::vector<std::string> put_right() override { return {}; }
  std::vector<std::string> left_changed() override {
    std::vector<std::string> said;
    if (!lent_) return said;
    Listing now = list(path(), most_files_);
    const std::vector<std::string> changed = difference(*lent_, now);
    if (!changed.empty()) {
      said.push_back(
          fmt::format("may only read, but while it was at work there were changes to {}; "
                      "nothing can be undone here, where the run has no worktree",
                      listed(changed)));
    }
    if (!now.whole && !std::exchange(is_part_told_, true)) {
      said.push_back(
          fmt::format("may only read; whether it does is seen in {} files here, and "
                      "there are more",
                      most_files_));
    }
    lent_ = std::move(now);
    return said;
  }
  Changes since_base() override { return {}; }
  Changes since_last_commit() override { return {}; }
  Result commit(const std::string&, const std::string&) override { return refused(); }
  Result discard(const std::string&) override { return refused(); }
  Result merge(const MergeRequest&) override { return refused(); }
  std::unique_ptr<Workspace> fork(const std::string&) override { throw Error(refused().message); }
  std::vector<Conflict> join(const Join&) override { throw Error(refused().message); }

 private:
  Result refused() const { return failed(path().string() + ": this run has no worktree"); }

  const std::size_t most_files_;
  // The files as they were when they were lent to those who may only read, or when it was looked at
  // last what these had changed.
  std::optional<Listing> lent_;
  bool is_part_told_ = false;
};

}  // namespace

std::unique_ptr<Workspace> plain(const fs::path& folder, std::size_t most_files) {
  forget_caller_repository();
  return std::make_unique<Folder>(folder, most_files);
}

}  // namespace agneto::workspace
