// A worktree as git knows it: its own folder inside the repository's git folder.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "workspace/git.h"
#include "workspace/refs.h"
#include "workspace/workspace.h"

namespace agneto::workspace {

// The path without links, as far as it exists.
fs::path real(const fs::path& path);

// The text of a file of git's without the line end behind it; empty where there is no such file.
std::string text_of(const fs::path& file);

// The worktree's own folder inside the repository's git folder, where its HEAD and index are.
// Looked up in the repository: the `.git` file in the worktree is the agents' to damage.
std::optional<fs::path> find_git_folder(const fs::path& common, const fs::path& worktree);

// Is a worktree, or a folder that it is in, a link by now that leads elsewhere? A link that was
// there when the worktree was made is the user's. `folder` is the worktree's own, as git has it.
bool is_led_away(const fs::path& worktree, const std::optional<fs::path>& folder);

// This file exists while a worktree that was made anew does not have the run's files yet. Whoever
// opens the worktree then makes it anew once more.
fs::path mark_of_renewal(const fs::path& common, const std::string& run);

// Makes git forget a worktree whose folder is gone; also one that a killed git has left locked, as
// it is while it is made.
void forget_worktree(const Git& git, const fs::path& common, const fs::path& worktree);

// Git there, whatever has become of that `.git` file and of the worktree's own `folder`, which says
// where the repository is.
Git in_worktree(const Git& git, const fs::path& worktree, const fs::path& folder);
// The folders where somebody has the branch (its full name) checked out, but for that worktree.
std::vector<std::string> checked_out_elsewhere(const Git& git, const std::string& branch,
                                               const fs::path& worktree);

// Throws Error where the run's branch is checked out anywhere but in its worktree: as git, the
// engine does not move a branch under somebody's feet.
void require_own_branch(const Git& git, const Refs& refs, const fs::path& worktree);

}  // namespace agneto::workspace
