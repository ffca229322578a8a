// One document that holds all of a run: docs/export.md describes it, schemas/export.schema.json
// checks it.
#pragma once

#include <string>

#include "base/clock.h"
#include "run/reader.h"

namespace agneto::run {

constexpr int export_format = 1;

// Without secrets, as everything that a Reader gives. `program`: who writes it, "agneto 1.0".
Json export_run(const Reader& reader, const std::string& program, Time now);

}  // namespace agneto::run
