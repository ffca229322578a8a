// The git command line under this house's rules: no hooks, no signing, no prompts, no housekeeping,
// stable English messages, and what git is told to write reaches the disk.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "process/process.h"

namespace agneto::workspace {

using Arguments = std::vector<std::string>;

class Git {
 public:
  // Runs in `folder`. A lock that another git holds is waited for, `patience` long.
  explicit Git(std::filesystem::path folder, Millis patience = Millis(2000));

  // The same with more environment, on top of the engine's, or settings
  // ("core.bigFileThreshold=1m").
  Git with(const process::Environment& env) const;
  Git setting(const std::string& name_and_value) const;
  // The same in another folder; and with a descriptor that every git has open to its end.
  Git in(std::filesystem::path folder) const;
  Git holding(int descriptor) const;

  // Whatever the exit status. Throws CutOff where a signal ended git.
  process::Captured run(const Arguments& arguments, std::string_view input = {}) const;
  // The output without its last line end. Throws Error "git NAME: why" for any status but 0, and
  // DiskFull where that was why.
  std::string text(const Arguments& arguments, std::string_view input = {}) const;
  // Throws DiskFull where git has just failed for want of room.
  void require_room(const process::Captured& result, const std::string& command) const;

 private:
  std::filesystem::path folder_;
  process::Environment env_;
  Arguments settings_;
  Millis patience_;
  int held_ = -1;
};

// Commits by it are the user's own where git knows who that is, else by agneto <agneto@localhost>.
Git with_identity(const Git& git);

// The commit of that name; empty: there is none.
std::string commit_of(const Git& git, const std::string& name);
// The names of its tree and of its parents; none: there is no such commit.
std::vector<std::string> tree_and_parents(const Git& git, const std::string& commit);
// The repository's git folder, which its worktrees share.
std::filesystem::path common_folder(const Git& git);

// What git said went wrong, on one line, without its "fatal: ".
std::string complaint(const process::Captured& result);

// The parts of a text that ends each (or separates them) by `separator`; no empty last part.
std::vector<std::string> split(std::string_view text, char separator);

// Takes what a git hook (or a caller inside one) put into the environment of this process out of
// it: GIT_DIR, GIT_INDEX_FILE and their like would point git, and the agents' git, at the user's
// checkout. Every way into this layer calls it; the first call is before any thread starts.
void forget_caller_repository();

}  // namespace agneto::workspace
