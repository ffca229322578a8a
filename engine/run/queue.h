// Runs that wait for somebody who takes them up: their place in the queue, and what can be done to
// them there.
#pragma once

#include <filesystem>
#include <string>

#include "journal/journal.h"

namespace agneto::run {

namespace fs = std::filesystem;

// A queued run with more is taken up before one with less.
inline constexpr int least_priority = -100, greatest_priority = 100;

// False: it was queued, and nothing of it is there but its record.
bool has_begun(journal::Reader& journal, const std::string& run_id);

// Ends a run, as "aborted", without a word to its machines, or leaves it for later, as "suspended".
// Throws Error where somebody works on it or is just taking it up.
void set_aside(journal::Journal& journal, const std::string& run_id, const std::string& status,
               const std::string& reason);
// The same of a run that this process has.
void set_aside(journal::Journal& journal, const journal::Hold& hold, const std::string& run_id,
               const std::string& status, const std::string& reason);

// From now on the run waits for a server that takes it up, wherever it stands. `by`: for people.
// Throws Error where somebody works on it, or it has ended.
void enqueue_again(journal::Journal& journal, const fs::path& home, const std::string& run_id,
                   const std::string& by);

}  // namespace agneto::run
