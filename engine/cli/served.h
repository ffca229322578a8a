// Handing runs over to the server of their folder, for commands that do.
#pragma once

#include "cli/commands.h"
#include "cli/runs.h"
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

// Does a server go on with the run, or the next one where that is gone?
bool is_for_server(const journal::RunRecord& run);
// Says on stderr what is missing where a server or worker is to go on with the run and none that is
// there can; false: there is nothing to say.
bool says_what_is_missing(Runs& runs, const journal::RunRecord& run);

using serve::server_of;

}  // namespace agneto::cli
