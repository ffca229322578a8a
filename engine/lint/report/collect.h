// Which files `agneto lint` is about.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace agneto::lint {

namespace fs = std::filesystem;

// Each once, in the order of their paths. An argument is a file; a folder, of which every workflow
// is meant, in folders inside too; or a glob (glob.h). Of folders and globs only *.yaml and *.yml
// files with the key `agneto` count, and none in .git, node_modules and the worktrees of runs.
// Throws Error where an argument leads to none, and to no package's description.
std::vector<fs::path> workflow_files(const std::vector<std::string>& arguments);
// The descriptions of packages among them, which are no workflows.
std::vector<fs::path> package_files(const std::vector<std::string>& arguments);

// Is it what a package says of itself, by its name?
bool is_package_file(const fs::path& file);

// Those in which another file may come to be one of them.
std::set<fs::path> workflow_folders(const std::vector<std::string>& arguments);

// Has the text of a YAML file the key `agneto`?
bool is_workflow(std::string_view text);

}  // namespace agneto::lint
