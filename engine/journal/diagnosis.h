// What a run's record is worth, looked at from the first entry to the last.
#pragma once

#include <string>

#include "journal/stored_run.h"

namespace agneto::journal {

// What is damaged is told in the diagnosis only.
Diagnosis examine(StoredRun& run);
// Throws Error with the first fault, where there is one.
void check(StoredRun& run);

std::string altered_record(const std::string& run_id);
std::string altered_source(const std::string& run_id, const std::string& path);

}  // namespace agneto::journal
