// A cassette for the provider `offline`, read; docs/providers.md describes the format.
#pragma once

#include "base/files.h"
#include "base/json.h"

namespace agneto::record {

// The file as JSON. Throws Error where it cannot be read or is no cassette, InvalidFile with all
// its mistakes and their places.
Json load_cassette(const fs::path& file, const Files& files);

}  // namespace agneto::record
