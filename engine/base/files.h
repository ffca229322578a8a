// Reading files, behind a seam: the disk, or the sources that a run recorded.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace agneto {

namespace fs = std::filesystem;

class Files {
 public:
  virtual ~Files() = default;
  // Nothing where there is no such regular file or it cannot be read. Thread-safe.
  virtual std::optional<std::string> read(const fs::path& path) const = 0;
};

// The real disk.
class Disk : public Files {
 public:
  std::optional<std::string> read(const fs::path& path) const override;
};

// Texts by their lexically normal path: a run's recorded sources, and tests.
class MemoryFiles : public Files {
 public:
  MemoryFiles() = default;
  explicit MemoryFiles(const std::map<std::string, std::string>& texts);
  void add(const fs::path& path, std::string text);
  std::optional<std::string> read(const fs::path& path) const override;

 private:
  std::map<std::string, std::string> texts_;
};

// Writes whole or not at all (temporary file, fsync, rename), keeping the mode of a file that was
// there and following a link; a device is written to. Throws Error with the path and the
// cause.
void write_file(const fs::path& path, std::string_view text);

}  // namespace agneto
