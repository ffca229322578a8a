// A HOME that a run's programs have to themselves: what they leave there goes with the run.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace agneto::run {

// Makes the folder (0700) where it is not there, and copies into it those files of the person's
// HOME that are not there or have changed since, by their paths below both. A program may have put
// anything there by then, such as links, which are not followed. Throws Error.
void furnish_home(const std::filesystem::path& home, const std::filesystem::path& from,
                  const std::vector<std::string>& files);

}  // namespace agneto::run
