// Where the files of a workflow are: which file a path that is written in another one names.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "base/diagnostic.h"
#include "base/files.h"
#include "model/packages.h"
#include "yaml/tree.h"

namespace agneto::model {

class Places {
 public:
  // Of the workflow that was asked for as `given`.
  Places(const fs::path& given, const Files& files);

  // A file, and the folder outside of which what is written in it names nothing but packages.
  struct Place {
    fs::path file;
    fs::path root;
  };
  const Place& main() const { return main_; }
  // Reports where the workflow that was asked for is in a package that cannot be used.
  void check_main(Diagnostics& diagnostics);

  void add(const Source* source, Place place) { places_.emplace(source, std::move(place)); }
  // Where a file is that was added.
  const Place& of(const Source* source) const { return places_.at(source); }

  // The file that `path` names: in a package of the folder, or beside the file in which it is
  // written. Nothing, and reported, where it is outside of its root.
  std::optional<Place> resolve(const yaml::Node& path, Diagnostics& diagnostics);

  // As messages show it: as the workflow was given.
  std::string shown(const fs::path& file) const;

 private:
  // The folder of that package, empty where there is none; nothing, and reported, where there is
  // one that cannot be used.
  std::optional<fs::path> check_package(const fs::path& root, const std::string& name, Span span,
                                        Diagnostics& diagnostics);
  static std::optional<Place> ambiguous(const yaml::Node& path, const std::string& name,
                                        Diagnostics& diagnostics);
  std::optional<Place> in_a_package(const yaml::Node& path, const Place& place,
                                    Diagnostics& diagnostics);

  const Files& files_;
  Packages packages_;
  Place main_;
  fs::path shown_from_;  // messages show paths relative to this, where it is not empty
  std::map<const Source*, Place> places_;
};

}  // namespace agneto::model
