// How a run stands, in a few words.
#pragma once

#include <string>

#include "base/clock.h"
#include "journal/journal.h"
#include "run/reader.h"

namespace agneto::ui {

// "queued", "running, waiting for a provider", "waiting for you", "parked until 21:03:16",
// "complete". `run`: as `run::Reader::run` gives it.
std::string standing(const journal::RunRecord& run, const run::Waiting& waiting, Time now);

}  // namespace agneto::ui
