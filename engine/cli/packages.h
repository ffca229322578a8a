// The packages that commands are about.
#pragma once

#include <string>

#include "cli/commands.h"

namespace agneto::cli {

// The folder of this checkout that has packages.
fs::path packages_of(const fs::path& folder);

// A path as somebody in the current folder would write it.
std::string shown_from(const Context& context, const fs::path& path);

}  // namespace agneto::cli
