// A test file -> its cases, ready to be played, and everything that is wrong with it.
#pragma once

#include <optional>

#include "base/diagnostic.h"
#include "model/machine.h"
#include "play/scenario.h"

namespace agneto::play {

// The version of the format that this program knows.
inline constexpr int format_version = 1;

// Reads the file's text; nothing where it cannot be understood. `suite->workflow` is the file it
// names, beside it, or NAME.yaml for NAME.test.yaml. Reports all mistakes; named steps are written
// out. Of another test file that it extends (extended_suite.h), so are the cases. Spans live as
// long as `suite->sources`, of which the caller gives the first.
std::optional<Suite> read_suite(const fs::path& file, const SourcePtr& source, const Files& files,
                                const fs::path& library, Diagnostics& diagnostics);

// Is what the cases name there: inputs, states, context? Reports each mistake once.
void check_suite(const Suite& suite, const model::System& system, Diagnostics& diagnostics);

}  // namespace agneto::play
