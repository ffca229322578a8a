#include "base/recording_files.h"

namespace agneto {

std::optional<std::string> RecordingFiles::read(const fs::path& path) const {
  const std::string name = path.lexically_normal().string();
  const std::lock_guard lock(mutex_);
  if (const auto found = texts_.find(name); found != texts_.end()) return found->second;
  std::optional<std::string> text = files_.read(path);
  if (text) texts_.emplace(name, *text);
  return text;
}

std::map<std::string, std::string> RecordingFiles::texts() const {
  const std::lock_guard lock(mutex_);
  return texts_;
}

}  // namespace agneto
