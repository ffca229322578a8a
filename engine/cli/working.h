// A process that works on runs at which nobody sits, from its start to its end.
#pragma once

#include <functional>
#include <string>

#include "cli/commands.h"
#include "journal/journal.h"
#include "serve/server.h"

namespace agneto::cli {

// Works until a signal ends it, and prints what becomes of the runs. `grace`: how long what is
// under way may take then, as a person has written it. `ready` is called once nobody else serves
// the folder, before anything is taken up.
ExitStatus work_until_ended(const Context& context, serve::Options options,
                            const std::string& grace,
                            const std::function<void(journal::Journal&)>& ready);

}  // namespace agneto::cli
