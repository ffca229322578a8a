// Patterns of paths: `*`, `?` and `[a-z]` within a folder's name or a file's, `**` for any folders.
#pragma once

#include <string_view>

namespace agneto::lint {

bool is_glob(std::string_view text);
// Both with '/' between their parts.
bool glob_matches(std::string_view pattern, std::string_view path);

}  // namespace agneto::lint
