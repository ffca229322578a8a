#include "workspace/git.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "base/text.h"

namespace agneto::workspace {

Git with_identity(const Git& git) {
  const Arguments ask = {"config", "-z", "--name-only", "--get-regexp", "^user\\.(name|email)$"};
  const std::vector<std::string> known = split(git.run(ask).output, '\0');
  const auto is_known = [&](const char* key) {
    return std::ranges::find(known, key) != known.end();
  };
  Git result = git;
  if (!is_known("user.name")) result = result.setting("user.name=agneto");
  if (!is_known("user.email") && !std::getenv("EMAIL")) {
    result = result.setting("user.email=agneto@localhost");
  }
  return result;
}

std::string commit_of(const Git& git, const std::string& name) {
  const auto found = git.run({"rev-parse", "--verify", "--quiet", name + "^{commit}"});
  return found.status == 0 ? std::string(trim(found.output)) : "";
}

std::vector<std::string> tree_and_parents(const Git& git, const std::string& commit) {
  const auto found = git.run(
      {"log", "-1", "--no-show-signature", "--format=%T %P", "--end-of-options", commit, "--"});
  return found.status == 0 ? split(trim(found.output), ' ') : std::vector<std::string>();
}

std::filesystem::path common_folder(const Git& git) {
  return git.text({"rev-parse", "--path-format=absolute", "--git-common-dir"});
}

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t most = 5;
  if (names.size() <= most) return join(names, ", ");
  const std::vector<std::string> shown(names.begin(), names.begin() + most);
  return fmt::format("{} and {} more", join(shown, ", "), names.size() - most);
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

void forget_caller_repository() {
  for (const char* name : {"GIT_DIR",
                           "GIT_WORK_TREE",
                           "GIT_IMPLICIT_WORK_TREE",
                           "GIT_INDEX_FILE",
                           "GIT_COMMON_DIR",
                           "GIT_OBJECT_DIRECTORY",
                           "GIT_ALTERNATE_OBJECT_DIRECTORIES",
                           "GIT_QUARANTINE_PATH",
                           "GIT_PREFIX",
                           "GIT_NAMESPACE",
                           "GIT_GRAFT_FILE",
                           "GIT_SHALLOW_FILE",
                           "GIT_REPLACE_REF_BASE",
                           "GIT_INTERNAL_SUPER_PREFIX",
                           "GIT_CONFIG",
                           "GIT_CONFIG_PARAMETERS",
                           "GIT_AUTHOR_DATE",
                           "GIT_COMMITTER_DATE",
                           "GIT_REFLOG_ACTION",
                           "GIT_EXTERNAL_DIFF",
                           "GIT_DIFF_OPTS",
                           "GIT_LITERAL_PATHSPECS",
                           "GIT_GLOB_PATHSPECS",
                           "GIT_NOGLOB_PATHSPECS",
                           "GIT_ICASE_PATHSPECS",
                           "GIT_DEFAULT_HASH"}) {
    if (std::getenv(name)) unsetenv(name);
  }
}

}  // namespace agneto::workspace
