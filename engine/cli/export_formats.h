// A recorded run as a document. What of one that this program reads again may play otherwise than
// the run did is said on standard error.
#pragma once

#include <string>

#include "cli/commands.h"

namespace agneto::cli {

// The run's document of that format, in the file or on standard output. Throws Error where the
// record is damaged: what was altered must not pass for what was recorded.
ExitStatus write_export(const Context& context, const std::string& run, const std::string& format,
                        const std::string& file);

// Where `agneto run --record FILE` writes. Throws Error where it could not, before anything is paid
// for.
fs::path recording_file(const fs::path& folder, const std::string& file);

// Once work on the run has ended for now with `status`: writes its cassette. What cannot be written
// is said on standard error, with what to do; a run that is complete has failed then.
ExitStatus recorded(const fs::path& folder, const std::string& run, const std::string& file,
                    ExitStatus status);

}  // namespace agneto::cli
