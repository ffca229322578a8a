// A HOME that a run's programs have to themselves: what they leave there goes with the run. They
// may have put anything there by then, such as links, which are not followed.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "script/sandbox_driver.h"

namespace agneto::run {

// That of a run. `agneto`: the repository's .agneto.
std::filesystem::path private_home(const std::filesystem::path& agneto, const std::string& run_id);
// The runs that have one there.
std::set<std::string> runs_with_homes(const std::filesystem::path& agneto);

// Makes the folder (0700) where it is not there, and copies into it those files of the person's
// HOME `from`, which may be empty, that were not copied before or have changed there since, by
// their paths below both. These throw Error, DiskFull where there is no room.
void furnish_home(const std::filesystem::path& home, const std::filesystem::path& from,
                  const std::vector<std::string>& files);

// Makes what is to be mounted on in it: `shown_at` is where programs see it.
void make_ways(const std::filesystem::path& home, const std::filesystem::path& shown_at,
               const script::Confinement& confinement);

// Removes it and what is beside it for its run. Returns whether nothing is left.
bool remove_home(const std::filesystem::path& home);
// Removes a folder that a program has had, whatever rights it has left on what is in it. Returns
// whether it is gone.
bool remove_tree(const std::filesystem::path& folder);

}  // namespace agneto::run
