// Handing runs over to the server of their folder, for commands that do.
#pragma once

#include "cli/commands.h"
#include "serve/server.h"

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

using serve::server_of;

}  // namespace agneto::cli
