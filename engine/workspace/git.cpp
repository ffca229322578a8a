#include "workspace/git.h"

#include <sys/statvfs.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <thread>

#include "base/error.h"
#include "base/log.h"

namespace agneto::workspace {

namespace {

const Arguments own_settings = {
    "core.hooksPath=/dev/null",     "core.fsmonitor=false",
    "core.quotePath=false",         "core.safecrlf=false",
    "core.splitIndex=false",        "core.filesRefLockTimeout=3000",
    "core.packedRefsTimeout=3000",  "core.fsync=committed,reference",
    "core.fsyncMethod=batch",       "commit.gpgsign=false",
    "i18n.commitEncoding=UTF-8",    "gc.auto=0",
    "maintenance.auto=false",       "merge.verifySignatures=false",
    "submodule.recurse=false",      "worktree.useRelativePaths=false",
    "advice.addEmbeddedRepo=false", "core.ignoreStat=false",
    "core.trustctime=true",         "core.checkStat=default",
    "trailer.separators=:",
};

const process::Environment own_environment = {
    {"LC_ALL", "C"},        {"GIT_TERMINAL_PROMPT", "0"},    {"GIT_OPTIONAL_LOCKS", "0"},
    {"GIT_EDITOR", "true"}, {"GIT_NO_REPLACE_OBJECTS", "1"},
};

// Another process holds a lock, or is making a worktree: git reads of all worktrees where they
// belong, and that file is empty for a moment.
bool is_locked(const process::Captured& result) {
  return result.status != 0 && (result.error.find(".lock': File exists") != std::string::npos ||
                                result.error.find("/commondir: Success") != std::string::npos);
}

// Has the file system no room, for bytes or for files?
bool is_full(const std::filesystem::path& folder) {
  constexpr std::uint64_t least = 64 << 10;  // bytes
  struct statvfs there {};
  // Some file systems count no blocks.
  if (statvfs(folder.c_str(), &there) != 0 || there.f_blocks == 0) return false;
  const bool no_files = there.f_files > 0 && there.f_favail == 0;
  return no_files || std::uint64_t{there.f_bavail} * there.f_frsize < least;
}

}  // namespace

Git::Git(std::filesystem::path folder, Millis patience)
    : folder_(std::move(folder)),
      env_(own_environment),
      settings_(own_settings),
      patience_(patience) {}

Git Git::with(const process::Environment& env) const {
  Git other = *this;
  other.env_.insert(other.env_.end(), env.begin(), env.end());
  return other;
}

Git Git::setting(const std::string& name_and_value) const {
  Git other = *this;
  other.settings_.push_back(name_and_value);
  return other;
}

Git Git::in(std::filesystem::path folder) const {
  Git other = *this;
  other.folder_ = std::move(folder);
  return other;
}

Git Git::holding(int descriptor) const {
  Git other = *this;
  other.held_ = descriptor;
  return other;
}

process::Captured Git::run(const Arguments& arguments, std::string_view input) const {
  Arguments argv = {"git"};
  for (const std::string& setting : settings_) {
    argv.push_back("-c");
    argv.push_back(setting);
  }
  argv.insert(argv.end(), arguments.begin(), arguments.end());

  // What git waits for a lock itself counts as well.
  constexpr Millis pause(20);
  const auto begun = std::chrono::steady_clock::now();
  process::Captured result = process::capture(argv, folder_, env_, input, held_);
  Millis waited(0);
  while (is_locked(result) && waited < patience_) {
    std::this_thread::sleep_for(pause);
    result = process::capture(argv, folder_, env_, input, held_);
    waited = std::chrono::duration_cast<Millis>(std::chrono::steady_clock::now() - begun);
  }
  if (waited > Millis(0)) {
    log::warning("git waited for a lock", {{"command", arguments[0]}, {"ms", waited.count()}});
  }
  if (result.signal != 0) {
    throw CutOff("git " + arguments[0] + " was ended by signal " + std::to_string(result.signal),
                 "", ExitStatus::suspended);
  }
  if (result.status != 0) {
    log::debug("git ended", {{"command", arguments[0]}, {"status", result.status}});
  }
  return result;
}

std::string Git::text(const Arguments& arguments, std::string_view input) const {
  process::Captured result = run(arguments, input);
  if (result.status != 0) {
    log::warning("git failed", {{"command", arguments[0]},
                                {"folder", folder_.string()},
                                {"status", result.status},
                                {"error", complaint(result)}});
    require_room(result, arguments[0]);
    throw Error("git " + arguments[0] + ": " + complaint(result), "", ExitStatus::failed);
  }
  if (!result.output.empty() && result.output.back() == '\n') result.output.pop_back();
  return std::move(result.output);
}

// git does not always say why it cannot write; and what it says may not be so any more, since it
// takes away what it had written of a file.
void Git::require_room(const process::Captured& result, const std::string& command) const {
  if (result.status == 0) return;
  bool full = result.error.find("Out of diskspace") != std::string::npos || is_full(folder_);
  for (const int cause : {ENOSPC, EDQUOT}) {
    full = full || result.error.find(std::strerror(cause)) != std::string::npos;
  }
  if (!full) {
    const std::vector<std::string> ask = {"git", "rev-parse", "--path-format=absolute",
                                          "--git-common-dir"};
    const auto common = process::capture(ask, folder_, env_, {}, held_);
    full = common.status == 0 && is_full(trim(common.output));
  }
  if (full) throw DiskFull("git " + command + ": " + complaint(result));
}

Git with_identity(const Git& git) {
  const std::string known = git.run({"config", "--get-regexp", "^user\\.(name|email)$"}).output;
  Git result = git;
  if (known.find("user.name ") == std::string::npos) result = result.setting("user.name=agneto");
  if (known.find("user.email ") == std::string::npos && !std::getenv("EMAIL")) {
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

std::string complaint(const process::Captured& result) {
  std::vector<std::string> lines;
  for (std::string_view line : split_lines(result.error)) {
    if (line.starts_with("hint:") || line.starts_with("warning:")) continue;
    for (std::string_view prefix : {"fatal: ", "error: "}) {
      if (line.starts_with(prefix)) line.remove_prefix(prefix.size());
    }
    line = trim(line);
    if (!line.empty()) lines.emplace_back(line);
  }
  if (lines.empty()) return "exit status " + std::to_string(result.status);
  return shortened(valid_utf8(join(lines, "; ")), 1000);
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
