// Where a run's files are: in the repository that it was started in, or, where it travels through a
// hub, in the clone that this machine has of that.
#pragma once

#include <optional>
#include <string>

#include "journal/journal.h"
#include "run/assembly.h"
#include "run/config.h"
#include "workspace/hub/hub.h"
#include "workspace/inspect.h"

namespace agneto::run {

// The address that the configuration's `hub` means in that repository, where it may name one of its
// remotes; empty: it says none. Throws Error for what is no address.
std::string hub_address(const Config& config, const fs::path& repository);

// What people are to know of a branch there that a run begins with, where the hub is one of the
// remotes: that this has less of it than the repository, as far as git knows without asking it;
// empty: nothing.
std::string not_pushed(const Config& config, const fs::path& repository, const std::string& base);

// The hub that it travels through; nothing: it stays where it was started. Nothing is fetched.
std::optional<workspace::Hub> hub_of(const journal::RunRecord& run, const Resources& resources);

// The repository that has its branch; of one that stays where it was started, the one of `folder`.
fs::path root_of(const journal::RunRecord& run, const fs::path& folder, const Resources& resources);

// Removes what this machine's clones of hubs have of runs that have ended; all of it is in the hub.
// What goes wrong is logged.
void tidy_clones(journal::Journal& journal, const Resources& resources);
void tidy_clone(const journal::RunRecord& run, const Resources& resources);

// Where to look at its files, which are brought here from its hub. Throws Error where they cannot.
workspace::Place place_of(const journal::RunRecord& run, const fs::path& folder,
                          const Resources& resources);

}  // namespace agneto::run
