// Bringing a run's branch into a branch of the user's, completely or not at all.
#pragma once

#include <filesystem>

#include "workspace/git.h"
#include "workspace/refs.h"
#include "workspace/workspace.h"

namespace agneto::workspace {

// `git` runs in the user's checkout, `common` is the repository's git folder; request.effect is the
// trailer's whole value and request.into names the target (empty: the run has no base branch).
Result merge_branch(const Git& git, const std::filesystem::path& common, const Refs& refs,
                    const MergeRequest& request);

}  // namespace agneto::workspace
