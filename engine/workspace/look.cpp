#include "workspace/look.h"

#include "workspace/git.h"
#include "workspace/refs.h"

namespace agneto::workspace {
namespace {

constexpr std::string_view branch_prefix = "agneto/";

// How many commits the branch has since then; nothing where one of them is not there.
std::optional<std::string> commits_since(const Git& git, const std::string& since,
                                         const std::string& branch) {
  auto counted = git.run({"rev-list", "--count", since + ".." + branch, "--"});
  if (counted.status != 0) return std::nullopt;
  return std::string(trim(counted.output));
}

}  // namespace

std::string look_command(const std::filesystem::path& repository, const std::string& base,
                         const std::string& branch) noexcept {
  try {
    if (branch.empty()) return {};
    const Git git(repository);
    std::string since = base;
    auto commits = commits_since(git, since, branch);
    if (!commits || base.size() >= 40) {
      const Refs refs(branch.substr(branch_prefix.size()));
      auto start =
          git.run({"rev-parse", "--verify", "--quiet", "--short=12", refs.base + "^{commit}"});
      if (start.status != 0) return {};
      since = std::string(trim(start.output));
      commits = commits_since(git, since, branch);
    }
    return !commits || *commits == "0" ? "" : "git log -p " + since + ".." + branch;
  } catch (...) {
    return {};
  }
}

}  // namespace agneto::workspace
