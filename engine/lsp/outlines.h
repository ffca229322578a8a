// The outlines of files, made when they are asked for.
#pragma once

#include <map>

#include "lsp/documents.h"
#include "lsp/outline.h"

namespace agneto::lsp {

class Outlines {
 public:
  // The documents must outlive it.
  explicit Outlines(const Documents& documents) : documents_(documents) {}

  // As it is typed, or else on the disk; null where there is no such file.
  OutlinePtr of(const fs::path& path);
  std::shared_ptr<const std::string> text(const fs::path& path) const {
    return documents_.text(path);
  }

 private:
  struct Made {
    std::shared_ptr<const std::string> text;
    OutlinePtr outline;
  };
  const Documents& documents_;
  std::map<fs::path, Made> made_;
};

// A stretch of a file, which it keeps.
struct Target {
  std::shared_ptr<const Source> source;
  std::size_t begin = 0;
  std::size_t end = 0;
};

// In the outline's own file.
Target target(const OutlinePtr& outline, const Span& span);

}  // namespace agneto::lsp
