// A folder without a repository.
#include "base/error.h"
#include "workspace/git.h"
#include "workspace/workspace.h"

namespace agneto::workspace {

namespace {

class Folder : public Workspace {
 public:
  explicit Folder(const fs::path& path) : Workspace(path, "", "") {}

  std::string checkpoint(const std::string&) override { return {}; }
  void restore(const std::string&) override {}
  bool changed_since(const std::string&) override { return false; }
  std::string rescue(const std::string&) override { return {}; }
  std::vector<std::string> foreign_commits() override { return {}; }
  std::vector<std::string> rewind(const std::string&) override { return {}; }
  bool intact() const override { return true; }
  void lend() override {}
  std::vector<std::string> put_right() override { return {}; }
  Changes since_base() override { return {}; }
  Changes since_last_commit() override { return {}; }
  Result commit(const std::string&, const std::string&) override { return refused(); }
  Result discard(const std::string&) override { return refused(); }
  Result merge(const MergeRequest&) override { return refused(); }
  std::unique_ptr<Workspace> fork(const std::string&) override { throw Error(refused().message); }
  std::vector<Conflict> join(const Join&) override { throw Error(refused().message); }

 private:
  Result refused() const { return failed(path().string() + ": this run has no worktree"); }
};

}  // namespace

std::unique_ptr<Workspace> plain(const fs::path& folder) {
  forget_caller_repository();
  return std::make_unique<Folder>(folder);
}

}  // namespace agneto::workspace
