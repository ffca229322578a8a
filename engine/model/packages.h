// Packages: folders of other git repositories that a folder of workflows has in its `packages`.
//
// Beside them `agneto.lock` says which they are, where they come from, and what is in them. A
// package is a folder of workflows itself: what is written in it names files of its own, or of the
// packages that it has itself.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/files.h"

namespace agneto::model {

// As agneto.lock has it.
struct Package {
  std::string name;
  std::string url;     // what git fetches: a path is relative to the lock's folder
  std::string folder;  // of that repository; empty: all of it
  std::string rev;     // the branch, tag or commit that was asked for
  std::string commit;  // that it was
  std::string tree;    // Files::tree_hash
};

fs::path lock_of(const fs::path& root);
fs::path package_folder(const fs::path& root, const std::string& name);

// The innermost package of `root` that the file is in, by its path; `root` where it is in none.
fs::path package_root(const fs::path& root, const fs::path& file);

// What a lock has that could be read; the rest is reported.
std::vector<Package> read_lock(const SourcePtr& source, Diagnostics& diagnostics);
std::string to_yaml(const std::vector<Package>& packages);

// package.yaml: what a package says of itself.
struct PackageFacts {
  std::string description;
  std::vector<std::string> programs;  // that it needs
};
// Reports what is wrong with it, as findings of lint.
PackageFacts read_package(const SourcePtr& source, Diagnostics& diagnostics);

// The packages of folders, each looked at once.
class Packages {
 public:
  explicit Packages(const Files& files) : files_(files) {}

  struct Found {
    fs::path folder;           // empty: there is no such package, or there is a problem
    std::string problem = {};  // empty: none
    std::string help = {};
  };
  // The package of that name which files of `root` can name. It is as the lock has it.
  const Found& find(const fs::path& root, const std::string& name);

 private:
  struct Lock {
    std::vector<Package> packages;
    std::string problem;  // that it cannot be read
    std::string help;
  };
  const Lock& lock(const fs::path& root);
  Found look(const fs::path& root, const std::string& name);

  const Files& files_;
  std::map<fs::path, Lock> locks_;
  std::map<fs::path, Found> found_;  // by the folder
};

}  // namespace agneto::model
