// Putting the files of a worktree, as they are, into an index.
#pragma once

#include <map>
#include <string>

#include "workspace/git.h"

namespace agneto::workspace {

// What `git add --all` does, but that starts git in the repositories inside, and so the filters
// that those configure. Gives what git does not take, and why: a repository without a commit (its
// path ends in a slash), a file that cannot be read, a name that means something to git. Throws
// DiskFull.
std::map<std::string, std::string> stage_all(const Git& git);

}  // namespace agneto::workspace
