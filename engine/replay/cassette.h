// A recorded run as a cassette, which the provider `offline` plays again; docs/providers.md
// describes the format.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/files.h"
#include "journal/journal.h"
#include "model/machine.h"
#include "record/entry.h"

namespace agneto::replay {

struct Cassette {
  std::string yaml;
  std::vector<std::string> notes;  // why it may play otherwise than the run did
};

// What changed between two checkpoints, as a patch. Throws Error where they are gone.
using PatchSource = std::function<std::string(const std::string& from, const std::string& to)>;

// Entries that do not stand are passed over. `start`: the commit that the run started from, or
// empty. `folder`: the repository, or whatever folder the run worked in.
Cassette to_cassette(const journal::RunRecord& run, const std::vector<record::Entry>& entries,
                     const model::System& system, const PatchSource& patch,
                     const std::string& start, const fs::path& folder);

}  // namespace agneto::replay
