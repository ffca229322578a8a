// What is asked of git in many places here.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "process/git.h"

namespace agneto::workspace {

using process::Arguments;
using process::complaint;
using process::Git;

// Commits by it are the user's own where git knows who that is, else by agneto <agneto@localhost>.
Git with_identity(const Git& git);

// The commit of that name; empty: there is none.
std::string commit_of(const Git& git, const std::string& name);
// The names of its tree and of its parents; none: there is no such commit.
std::vector<std::string> tree_and_parents(const Git& git, const std::string& commit);
// The repository's git folder, which its worktrees share.
std::filesystem::path common_folder(const Git& git);

// "a.txt, b.txt", and how many more there are than five.
std::string listed(const std::vector<std::string>& names);

// The parts of a text that ends each (or separates them) by `separator`; no empty last part.
std::vector<std::string> split(std::string_view text, char separator);

// Takes what a git hook (or a caller inside one) put into the environment of this process out of
// it: GIT_DIR, GIT_INDEX_FILE and their like would point git, and the agents' git, at the user's
// checkout. Every way into this layer calls it; the first call is before any thread starts.
void forget_caller_repository();

}  // namespace agneto::workspace
