#include "cli/packages.h"

namespace agneto::cli {

fs::path packages_of(const fs::path& folder) {
  return run::checkout_of(folder) / ".agneto";
}

std::string shown_from(const Context& context, const fs::path& path) {
  return path.lexically_proximate(fs::absolute(context.folder)).string();
}

}  // namespace agneto::cli
