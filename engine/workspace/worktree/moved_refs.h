// What becomes of a repository's refs and of a HEAD while others work there.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "workspace/git.h"

namespace agneto::workspace {

// Objects by full names; but for what was fetched, and for what is a run's or its forks'
// (`but_run`; empty: no run's), who move theirs at any time. Throws Error.
using RefObjects = std::map<std::string, std::string>;
RefObjects refs_in(const Git& git, const std::string& but_run);

// Takes out of both what is a branch that is as the repository's hub has it now, or that neither
// has any more: it was brought here from there. Throws Error.
void leave_out_brought(const Git& git, RefObjects& then, RefObjects& now);

// What has become of branches, tags and other refs that are people's: "'main' moved from
// 0123456789ab to ba9876543210", "'v1' was deleted (it was …)", "'topic' was made, at …".
std::vector<std::string> moved_refs(const RefObjects& then, const RefObjects& now);
// Refs of runs that were deleted while the run's branch is there still, which no run does.
std::vector<std::string> missed_refs(const RefObjects& then, const RefObjects& now);
// The run that a ref under refs/agneto/ is of.
std::string run_of_ref(std::string_view name);

bool is_commit_id(std::string_view text);
// What a HEAD of that text leads to: "branch 'main'", "commit 0123456789ab"; else "nothing".
std::string head_target(std::string_view head);

// "was at work while A, B; nobody has put that back"
std::string left_so(const std::string& what);

}  // namespace agneto::workspace
