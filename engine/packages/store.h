// The packages of a folder of workflows: brought, changed and taken away, with their lock.
//
// What somebody has changed in a package is never written over. A package that needs others has a
// lock itself; they are put into it.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "model/packages.h"
#include "packages/fetch.h"

namespace agneto::packages {

// All throw Error, and then have changed nothing.
class Store {
 public:
  // `root`: the folder that has `packages` and agneto.lock, or gets them.
  explicit Store(fs::path root) : root_(std::move(root)) {}

  const fs::path& root() const { return root_; }
  // In the order of their names. Throws Error where the lock cannot be read.
  std::vector<model::Package> packages() const;

  enum class State { good, changed, gone };
  State state_of(const model::Package& package) const;
  // What a package that is here says of itself. Throws Error.
  model::PackageFacts facts_of(const std::string& name) const;

  // Brings what is there now. A local path is relative to `from`, and noted relative to the root.
  model::Package add(Origin origin, std::string name, const fs::path& from);

  // `before` is what it was; they are the same where nothing is newer.
  struct Updated {
    model::Package before, now;
  };
  // `rev`: the revision that is wanted from now on; empty: the one that was. That is refused where
  // the tag was moved, or the branch's history rewritten.
  Updated update(const std::string& name, const std::string& rev);

  void remove(const std::string& name);

  // Brings one of them at its commit. False: it is here already.
  bool vendor(const model::Package& package);

 private:
  model::Package find(const std::vector<model::Package>& all, const std::string& name) const;
  void require_unchanged(const model::Package& package) const;
  void put(const std::string& name, const Fetched& fetched) const;
  void write_lock(std::vector<model::Package> all) const;

  const fs::path root_;
};

}  // namespace agneto::packages
