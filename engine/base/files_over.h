// Files before others: for what looks at what is read, or changes some of it.
#pragma once

#include "base/files.h"

namespace agneto {

// Asks the others for all that it is asked itself. They outlive it.
class FilesOver : public Files {
 public:
  explicit FilesOver(const Files& files) : files_(files) {}

  std::optional<std::string> read(const fs::path& path) const override { return files_.read(path); }
  std::optional<std::string> tree_hash(const fs::path& folder) const override {
    return files_.tree_hash(folder);
  }
  bool leads_out(const fs::path& path, const fs::path& folder) const override {
    return files_.leads_out(path, folder);
  }

 private:
  const Files& files_;
};

}  // namespace agneto
