#include "workspace/merged.h"

#include "base/text.h"

namespace agneto::workspace {

bool is_merged(const Git& git, const std::string& branch, const std::string& commit) {
  if (git.run({"merge-base", "--is-ancestor", commit, branch}).status == 0) return true;
  const auto merged = git.run({"merge-tree", "--write-tree", branch, commit});
  return merged.status == 0 && trim(merged.output) == git.text({"rev-parse", branch + "^{tree}"});
}

}  // namespace agneto::workspace
