// The files that a driver wants beside its program, in a private folder that goes with them.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace agneto::agents {

class Scratch {
 public:
  // Makes the folder (0700) where there are files. Throws Error where that fails.
  explicit Scratch(const std::vector<std::pair<std::string, std::string>>& files);
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  // The text with "{files}" replaced by the folder's path.
  std::string resolve(std::string text) const;
  // Empty: there is none.
  const std::filesystem::path& folder() const { return folder_; }
  // The folder's path; it stays.
  std::filesystem::path keep() { return std::exchange(folder_, {}); }

 private:
  std::filesystem::path folder_;
};

}  // namespace agneto::agents
