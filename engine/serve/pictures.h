// Pictures for browsers: drawn by Graphviz, one at a time, and kept as long as they are asked for.
#pragma once

#include <filesystem>
#include <list>
#include <mutex>
#include <string>
#include <utility>

#include "graph/picture.h"

namespace agneto::serve {

// Its functions are called on several threads at a time.
class Pictures {
 public:
  // `guard`: the agneto-guard program.
  explicit Pictures(std::filesystem::path guard) : guard_(std::move(guard)) {}

  // An SVG. Throws Error where there is no Graphviz, or it cannot draw that.
  std::string svg_of(const graph::Picture& picture) const;

 private:
  const std::filesystem::path guard_;
  mutable std::mutex mutex_;  // of those that follow, and of the processor's time
  // What Graphviz was given, and what it has made of it; what was asked for last comes first.
  mutable std::list<std::pair<std::string, std::string>> drawn_;
};

}  // namespace agneto::serve
