// Forms of a recorded run that this program reads again. What may play otherwise than the run did
// is said on standard error.
#pragma once

#include <string>

#include "cli/commands.h"
#include "run/reader.h"

namespace agneto::cli {

std::string export_cassette(const fs::path& folder, const run::Reader& reader);
// `file`: the one that the text is for; it may name the workflow from there. Empty or "-": none.
std::string export_scenario(const Context& context, const run::Reader& reader,
                            const std::string& file);

// The run's document of that format, in the file or on standard output. Throws Error where the
// record is damaged: what was altered must not pass for what was recorded.
ExitStatus write_export(const Context& context, const std::string& run, const std::string& format,
                        const std::string& file);

}  // namespace agneto::cli
