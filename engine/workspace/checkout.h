// Taking a checkout of the user's from one commit of its branch to the next, all or nothing.
//
// git itself writes the files and moves the branch. But where it cannot go on, for want of room or
// because it was killed, it leaves what it has written. So what it is about to do is noted first;
// what is left of it is known by its content and taken back, at once or by the next merge.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "process/fd.h"
#include "process/process.h"
#include "workspace/git.h"

namespace agneto::workspace {

// One merge at a time in a repository. Another has it, too, while a git lives that was started
// `holding` its descriptor, also where the engine that started it is dead.
class MergeLock {
 public:
  explicit MergeLock(const std::filesystem::path& common);

  bool held() const { return bool(file_); }  // false: another has it
  int descriptor() const { return file_.get(); }

 private:
  process::Fd file_;
};

struct Step {
  std::filesystem::path checkout;
  std::string branch;    // full name; checked out there
  std::string from, to;  // commits
};

// The caller holds the MergeLock, and so does `git`, which runs anywhere in the repository, of
// which `common` is the git folder.
class CheckoutUpdate {
 public:
  CheckoutUpdate(Git git, std::filesystem::path common);

  // Takes back what a step that was cut off has left. What is not its work stays as it is.
  void recover();

  // What the step changes.
  std::set<std::string> paths(const Step& step) const;
  // Untracked files in the checkout that the step would write over or take away.
  std::set<std::string> in_the_way(const Step& step) const;

  // `git merge --ff-only`: its status and words. For any status but 0 nothing has changed. Throws
  // CutOff; then nothing has changed either, or `recover` has to be called again.
  process::Captured fast_forward(const Step& step, const std::string& reason);

 private:
  struct Change;
  std::vector<Change> changes(const Step& step) const;
  void take_back(const Step& step);
  void remove_stale_locks(const Step& step) const;

  Git git_;
  std::filesystem::path note_, common_;
};

}  // namespace agneto::workspace
