// What a run's record is worth, looked at from the first entry to the last.
#pragma once

#include "journal/sqlite/run_table.h"

namespace agneto::journal {

// Throws Error where there is no such run; what is damaged is told in the diagnosis only.
Diagnosis examine(RunTable& runs, SourceTable& sources, EntryTable& entries,
                  const std::string& run_id);

std::string altered_record(const std::string& run_id);
std::string altered_source(const std::string& run_id, const std::string& path);

}  // namespace agneto::journal
