// Going on with a run, for commands that end in it.
#pragma once

#include <string>

#include "cli/commands.h"

namespace agneto::cli {

// As 'agneto resume RUN' does.
ExitStatus resume(const Context& context, const std::string& run);

}  // namespace agneto::cli
