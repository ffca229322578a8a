// The cassette of a run: `agneto record`, and `--record` of `agneto run`.
#pragma once

#include <string>

#include "base/error.h"
#include "run/assembly.h"

namespace agneto::cli {

// Where `--record FILE` writes. Throws Error where it could not, before anything is paid for.
fs::path recording_file(const fs::path& folder, const std::string& file);

// Once work on the run has ended for now with `status`: writes its cassette. What cannot be written
// is said on standard error, with what to do; a run that is complete has failed then.
ExitStatus recorded(const fs::path& folder, const std::string& run, const std::string& file,
                    ExitStatus status);

}  // namespace agneto::cli
