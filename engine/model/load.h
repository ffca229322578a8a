// Files -> System: reads a workflow and the machines it delegates to, checks everything that can
// be checked without running Lua, and reports every error, not only the first.
#pragma once

#include <filesystem>
#include <memory>

#include "base/diagnostic.h"
#include "base/files.h"
#include "model/machine.h"

namespace agneto::model {

// Null when there were errors. Diagnostics of files read are kept valid by the caller holding
// `sources` until they are rendered.
struct Loaded {
  std::shared_ptr<const System> system;
  std::vector<SourcePtr> sources;  // every YAML file read, in order
};

Loaded load(const std::filesystem::path& file, const Files& files, Diagnostics& diagnostics);

}  // namespace agneto::model
