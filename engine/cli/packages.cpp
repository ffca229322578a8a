#include "cli/packages.h"

#include <algorithm>

namespace agneto::cli {

fs::path packages_of(const fs::path& folder) {
  return run::checkout_of(folder) / ".agneto";
}

std::vector<fs::path> workflows_in(const fs::path& package) {
  std::vector<fs::path> files;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(package, none)) {
    const std::string name = entry.path().filename();
    if (entry.path().extension() == ".yaml" && name != "package.yaml" &&
        !name.ends_with(".test.yaml") && entry.is_regular_file(none)) {
      files.emplace_back(name);
    }
  }
  std::ranges::sort(files);
  return files;
}

std::string shown_from(const Context& context, const fs::path& path) {
  return path.lexically_proximate(fs::absolute(context.folder)).string();
}

}  // namespace agneto::cli
