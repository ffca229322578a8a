#include "process/git.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <optional>
#include <system_error>
#include <thread>

#include "base/error.h"
#include "base/files.h"
#include "base/log.h"
#include "process/pipes.h"

namespace agneto::process {

namespace fs = std::filesystem;

namespace {

const Arguments own_settings = {
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.quotePath=false",
    "core.safecrlf=false",
    "core.splitIndex=false",
    "core.filesRefLockTimeout=3000",
    "core.packedRefsTimeout=3000",
    "core.fsync=committed,reference",
    "core.fsyncMethod=batch",
    "commit.gpgsign=false",
    "i18n.commitEncoding=UTF-8",
    "i18n.logOutputEncoding=UTF-8",
    "gc.auto=0",
    "maintenance.auto=false",
    "merge.verifySignatures=false",
    "submodule.recurse=false",
    "worktree.useRelativePaths=false",
    "advice.addEmbeddedRepo=false",
    "core.ignoreStat=false",
    "core.trustctime=true",
    "core.checkStat=default",
    "trailer.separators=:",
};

const Environment own_environment = {
    {"LC_ALL", "C"},        {"GIT_TERMINAL_PROMPT", "0"},    {"GIT_OPTIONAL_LOCKS", "0"},
    {"GIT_EDITOR", "true"}, {"GIT_NO_REPLACE_OBJECTS", "1"},
};

// Another process holds a lock, or is making a worktree: git reads of all worktrees where they
// belong, and that file is empty for a moment. Only git's words say so: by now it may have ended.
bool is_locked(const Captured& result) {
  return result.status != 0 && (result.error.find(".lock': File exists") != std::string::npos ||
                                result.error.find("/commondir: ") != std::string::npos);
}

// So much of the processor's time a git may take. Whoever works in a folder can write patterns into
// a .gitignore that no git comes to an end with.
constexpr Millis most_work = std::chrono::minutes(10);

thread_local std::stop_token heeded;
thread_local Millis heeded_after{0};

void end_if_asked(int pid, Millis at_work) {
  if (heeded.stop_requested() && at_work >= heeded_after) kill(pid, SIGTERM);
}

void bound(int pid) {
  const rlim_t seconds = std::chrono::duration_cast<std::chrono::seconds>(most_work).count();
  const rlimit time{seconds, RLIM_INFINITY}, core{0, RLIM_INFINITY};
  prlimit(pid, RLIMIT_CPU, &time, nullptr);
  prlimit(pid, RLIMIT_CORE, &core, nullptr);
}

// For how long nobody has touched the lock of packed refs, or what is being written under it; none:
// there is no such lock. It is the whole repository's, and a git that was killed leaves it for
// good.
std::optional<Millis> untouched(const fs::path& lock) {
  std::error_code none;
  std::optional<Millis> age;
  for (const fs::path& file : {lock, fs::path(lock).replace_extension(".new")}) {
    const auto written = fs::last_write_time(file, none);
    if (none && file == lock) return std::nullopt;
    if (none) continue;
    const auto since =
        std::chrono::duration_cast<Millis>(fs::file_time_type::clock::now() - written);
    age = age ? std::min(*age, since) : since;
  }
  return age;
}

}  // namespace

GitHeeds::GitHeeds(std::stop_token stop, Millis patience) {
  heeded = std::move(stop);
  heeded_after = patience;
}

GitHeeds::~GitHeeds() {
  heeded = {};
}

std::stop_token heeded_stop() {
  return heeded;
}

Git::Git(std::filesystem::path folder, Millis patience)
    : folder_(std::move(folder)),
      env_(own_environment),
      settings_(own_settings),
      patience_(patience) {}

Git Git::with(const Environment& env) const {
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

Captured Git::run(const Arguments& arguments, std::string_view input) const {
  Arguments argv = {"git"};
  for (const std::string& setting : settings_) {
    argv.push_back("-c");
    argv.push_back(setting);
  }
  argv.insert(argv.end(), arguments.begin(), arguments.end());

  // What git waits for a lock itself counts as well.
  constexpr Millis pause(20);
  const auto begun = std::chrono::steady_clock::now();
  auto started = std::chrono::steady_clock::now();
  const auto late = [&](int pid) {
    end_if_asked(pid,
                 std::chrono::duration_cast<Millis>(std::chrono::steady_clock::now() - started));
    bound(pid);
    remove_pipes(folder_, env_);
  };
  Captured result = capture(argv, folder_, env_, input, held_, late);
  Millis waited(0);
  while (is_locked(result)) {
    constexpr Millis at_most(15'000);
    if (waited >= patience_ && (waited >= at_most || !frees_packed_refs(result))) break;
    std::this_thread::sleep_for(pause);
    started = std::chrono::steady_clock::now();
    result = capture(argv, folder_, env_, input, held_, late);
    waited = std::chrono::duration_cast<Millis>(std::chrono::steady_clock::now() - begun);
  }
  if (waited > Millis(0)) {
    log::warning("git waited for a lock", {{"command", arguments[0]}, {"ms", waited.count()}});
  }
  if (result.signal == SIGXCPU) {
    throw CutOff(fmt::format("git {} did not come to an end in {}: it was at work for {}",
                             arguments[0], folder_.string(), format_duration(most_work)),
                 "patterns in a .gitignore or a .gitattributes there may be why",
                 ExitStatus::suspended);
  }
  if (result.signal != 0) {
    throw CutOff("git " + arguments[0] + " was ended by signal " + std::to_string(result.signal),
                 "", ExitStatus::suspended);
  }
  if (is_locked(result)) {
    throw Locked("git " + arguments[0] + ": " + complaint(result),
                 "wait until who holds that lock has ended; where that was killed, remove the file",
                 ExitStatus::failed);
  }
  if (result.status != 0) {
    log::debug("git ended", {{"command", arguments[0]}, {"status", result.status}});
  }
  return result;
}

// True: the lock was a dead git's and is gone, or is soon known to be one.
bool Git::frees_packed_refs(const Captured& result) const {
  constexpr Millis dead(5000);
  if (result.error.find("packed-refs.lock': File exists") == std::string::npos) return false;
  const Captured common = capture(
      {"git", "rev-parse", "--path-format=absolute", "--git-common-dir"}, folder_, env_, {}, held_);
  const fs::path lock = fs::path(trim(common.output)) / "packed-refs.lock";
  const auto age = untouched(lock);
  if (!age) return true;
  if (*age < dead) return *age >= Millis(0);
  std::error_code none;
  if (!fs::remove(lock, none)) return false;
  log::warning("a git lock that was left behind was removed", {{"file", lock.string()}});
  return true;
}

std::string Git::text(const Arguments& arguments, std::string_view input) const {
  Captured result = run(arguments, input);
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
void Git::require_room(const Captured& result, const std::string& command) const {
  if (result.status == 0) return;
  bool full = result.error.find("Out of diskspace") != std::string::npos || !has_room(folder_);
  for (const int cause : {ENOSPC, EDQUOT}) {
    full = full || result.error.find(std::strerror(cause)) != std::string::npos;
  }
  if (!full) {
    const std::vector<std::string> ask = {"git", "rev-parse", "--path-format=absolute",
                                          "--git-common-dir"};
    const auto common = capture(ask, folder_, env_, {}, held_);
    full = common.status == 0 && !has_room(trim(common.output));
  }
  if (full) throw DiskFull("git " + command + ": " + complaint(result));
}

std::string complaint(const Captured& result) {
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

}  // namespace agneto::process
