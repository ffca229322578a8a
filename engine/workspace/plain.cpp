// The folder itself, where nothing is put back.
#include <fmt/format.h>

#include <optional>
#include <utility>

#include "base/error.h"
#include "workspace/git.h"
#include "workspace/listing.h"
#include "workspace/workspace.h"
#include "workspace/worktree/git_folder.h"
#include "workspace/worktree/moved_refs.h"
#include "workspace/worktree/settings_watch.h"

namespace agneto::workspace {

namespace {

// What others do to the git of a folder, which is the user's; to tell it.
class GitWatch {
 public:
  GitWatch(const fs::path& folder, const fs::path& own, const fs::path& common)
      : git_(folder), head_file_(own / "HEAD"), settings_(settings_files(common)) {
    look();
  }

  void look() {
    settings_.look();
    head_ = text_of(head_file_);
    refs_ = refs();
  }
  // Says what was changed since, each change once.
  std::vector<std::string> changes() {
    std::vector<std::string> said = settings_.tell();
    std::string head = text_of(head_file_);
    std::vector<std::string> moved;
    if (head != head_) {
      moved.push_back("HEAD moved from " + head_target(head_) + " to " + head_target(head));
    }
    if (auto now = refs()) {
      if (refs_) {
        for (auto& change : moved_refs(*refs_, *now)) moved.push_back(std::move(change));
        for (auto& name : missed_refs(*refs_, *now)) moved.push_back("'" + name + "' was deleted");
      }
      refs_ = std::move(now);
    }
    head_ = std::move(head);
    if (!moved.empty()) said.push_back(left_so(listed(moved)));
    return said;
  }

 private:
  // Nothing where git cannot say it, as with settings that somebody has damaged.
  std::optional<RefObjects> refs() const {
    try {
      return refs_in(git_, "");
    } catch (const CutOff&) {
      throw;
    } catch (const Error&) {
      return std::nullopt;
    }
  }

  const Git git_;
  const fs::path head_file_;
  SettingsWatch settings_;
  std::string head_;
  std::optional<RefObjects> refs_;
};

// Nothing where the folder is in no repository that git can use.
std::unique_ptr<GitWatch> watch_of(const fs::path& folder) {
  const auto asked =
      Git(folder).run({"rev-parse", "--path-format=absolute", "--git-dir", "--git-common-dir"});
  const std::vector<std::string> folders = split(asked.output, '\n');
  if (asked.status != 0 || folders.size() != 2) return nullptr;
  return std::make_unique<GitWatch>(folder, folders[0], folders[1]);
}

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
    if (git_) {
      git_->look();
    } else {
      git_ = watch_of(path());
    }
    lent_.reset();
    if (!to_edit) lent_ = list(path(), most_files_);
  }
  void give_back() override {}
  std::vector<std::string> put_right() override {
    return git_ ? git_->changes() : std::vector<std::string>();
  }
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
  Joined join(const Join&) override { throw Error(refused().message); }

 private:
  Result refused() const { return failed(path().string() + ": this run has no worktree"); }

  const std::size_t most_files_;
  std::unique_ptr<GitWatch> git_;
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
