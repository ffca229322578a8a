// Is the work of a commit in a branch already?
#pragma once

#include <string>

#include "workspace/git.h"

namespace agneto::workspace {

// Would merging `commit` into `branch` change nothing? So it is found out also where it was
// squashed. Throws Error where there is no such branch.
bool is_merged(const Git& git, const std::string& branch, const std::string& commit);

}  // namespace agneto::workspace
