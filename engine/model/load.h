// Files -> System: reads a workflow and the machines it delegates to, checks everything that can
// be checked without running Lua, and reports every error, not only the first.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "base/diagnostic.h"
#include "base/files.h"
#include "model/machine.h"
#include "yaml/tree.h"

namespace agneto::model {

// Diagnostics of files read are kept valid by the caller holding `sources` until they are rendered.
struct Loaded {
  std::shared_ptr<const System> system;  // null when there were errors
  // The same with what could be read in spite of errors, so that its Lua can be checked too: names
  // that lead nowhere are `none`, and a machine that could not be read has no states.
  std::shared_ptr<const System> draft;
  std::vector<SourcePtr> sources;  // every YAML file read, in order
  // By MachineId, with what is extended in it; null where it could not be read. Places in them are
  // good as long as the system is kept.
  std::vector<std::shared_ptr<const yaml::Node>> trees;
};

// Paths are made from `file` without looking at the disk, so that a run's recorded sources load as
// the disk did (where `file` names no folder, the current folder's name is asked for). Messages
// show `file` as it was given. `library`: the hook library of this program, beside which are the
// workflows that a file can extend by their names; empty: there are none.
Loaded load(const std::filesystem::path& file, const Files& files, Diagnostics& diagnostics,
            const std::filesystem::path& library = {});

// How many files may extend one another, of workflows and of their tests.
inline constexpr std::size_t most_levels = 100;

// The folder of the workflows that come with the program whose hook library is given; empty where
// none is.
std::filesystem::path workflows_beside(const std::filesystem::path& library);

// The folder outside of which a workflow loads nothing but packages that the folder has: the
// package that it is in itself, else its own, or its parent where that is called `workflows`.
std::filesystem::path root_of(const std::filesystem::path& file);

// The version of the language that this program knows.
inline constexpr int language_version = 1;
// Reports a file in another version, and says whether it can be read all the same: what a newer
// version means cannot be known.
bool check_version(const yaml::Node& file, Diagnostics& diagnostics);

}  // namespace agneto::model
