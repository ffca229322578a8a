// Git waits for ever where a named pipe stands in place of a file that it reads: it opens what is
// called `.gitattributes`, whatever that is.
#pragma once

#include <filesystem>

#include "process/process.h"

namespace agneto::process {

// Removes the pipes at which a git waits now that runs in `folder` with `env`, and lets it go on as
// if the files were empty. Other pipes stay. Never throws.
void remove_pipes(const std::filesystem::path& folder, const Environment& env);

}  // namespace agneto::process
