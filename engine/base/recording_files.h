// Remembers what was read through it: the sources that a run is recorded with; and gives them
// again.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "base/files.h"

namespace agneto {

// Wraps files that outlive it. Thread-safe.
class RecordingFiles : public Files {
 public:
  explicit RecordingFiles(const Files& files) : files_(files) {}

  // A path that was read before gives the same text again, even where the file has changed since:
  // what is recorded is what was used.
  std::optional<std::string> read(const fs::path& path) const override;

  // Texts by their lexically normal path, as MemoryFiles takes them.
  std::map<std::string, std::string> texts() const;

 private:
  const Files& files_;
  mutable std::mutex mutex_;
  mutable std::map<std::string, std::string> texts_;
};

// A run's recorded sources; what was never read before comes from the disk.
class RecordedFiles : public Files {
 public:
  RecordedFiles(std::map<std::string, std::string> texts, const Files& disk)
      : recorded_(std::move(texts)), disk_(disk) {}

  std::optional<std::string> read(const fs::path& path) const override {
    auto text = recorded_.read(path);
    return text ? text : disk_.read(path);
  }

 private:
  MemoryFiles recorded_;
  const Files& disk_;
};

}  // namespace agneto
