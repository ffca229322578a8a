// Attempts that were under way when the owner of a run was killed: sent and paid for, and nobody
// was there any more to record what came of them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "record/entry.h"

namespace agneto::record {

// `entries`: all of the run, in order; nobody is at work on it any more. Gives the reply of each
// attempt whose program was started: it was stopped when the last entry was recorded, which is the
// time that it has; what it has used is not known. `is_free`: does a call to that provider and
// model cost nothing? Once these replies are recorded, there are none left.
std::vector<Entry> cut_off(
    const std::vector<Entry>& entries,
    const std::function<bool(const std::string& provider, const std::string& model)>& is_free);

}  // namespace agneto::record
