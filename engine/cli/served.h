// Handing runs over to the server of their folder, for commands that do.
#pragma once

#include <optional>

#include "cli/commands.h"

namespace agneto::cli {

struct Handover {
  int priority = 0;
  bool start_server = false;  // in the background, where nobody serves the folder
  bool json = false;
};

// Queues a new run, and says so.
ExitStatus submit(const Context& context, const run::Request& request, const Handover& how);
// The same with a run that was suspended or cut off.
ExitStatus submit_again(const Context& context, const std::string& run, const Handover& how);

// The process that serves the folder; nothing where nobody does.
std::optional<int> server_of(const fs::path& folder);

}  // namespace agneto::cli
