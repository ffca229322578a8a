// agneto run --dry-run
#pragma once

#include <string>
#include <vector>

#include "cli/commands.h"

namespace agneto::cli {

// Prints each prompt that the run would send, and what was assumed to come of it, and calls nobody;
// needs no repository and leaves nothing behind. `choices`: "STATE=OUTCOME". `json`: a line each.
// Complete where the workflow came to an end, else failed. Throws Error.
ExitStatus dry_run(const run::Request& request, const std::vector<std::string>& choices, bool json,
                   const Context& context);

}  // namespace agneto::cli
