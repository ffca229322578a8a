#include "workspace/hub/clone.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <system_error>

#include "base/error.h"
#include "base/files.h"
#include "base/log.h"
#include "base/redact.h"
#include "base/text.h"
#include "process/git_address.h"
#include "workspace/hub/hub.h"
#include "workspace/locks.h"
#include "workspace/refs.h"
#include "workspace/worktree/git_folder.h"

namespace agneto::workspace {

namespace {

constexpr Millis patience_with_hub{30'000};    // with a hub that is not reached
constexpr Millis patience_with_lock{600'000};  // another may be making the clone
constexpr std::string_view runs_seen = "refs/agneto-hub/runs/";
constexpr std::string_view heads_seen = "refs/agneto-hub/heads/";
constexpr std::string_view runs_there = "refs/agneto/", heads_there = "refs/heads/agneto/";

const Arguments branches_and_tags = {"+refs/heads/*:refs/heads/*",
                                     "+refs/heads/*:refs/agneto-hub/branches/*",
                                     "^refs/heads/agneto/*", "+refs/tags/*:refs/tags/*"};

// What old commits have that does no harm; all else that git finds wrong in objects is refused.
constexpr const char* known_harmless[] = {
    "badDate",        "badDateOverflow",        "badEmail",
    "badTimezone",    "missingEmail",           "missingNameBeforeEmail",
    "zeroPaddedDate", "missingSpaceBeforeDate", "missingSpaceBeforeEmail"};

// The address as git takes it from wherever it runs.
std::string whole_address(const std::string& address) {
  switch (process::fault_of_address(address)) {
    case process::AddressFault::none:
      break;
    case process::AddressFault::no_address:
      throw Error("'" + printable(address) + "' is no address of a git repository",
                  "a hub is a path, or an address such as ssh://HOST/PATH, HOST:PATH or "
                  "https://HOST/PATH");
    case process::AddressFault::password:
      throw Error("the address of the hub has a password in it, which others could read",
                  "leave it out, and give it to git: git help credentials");
  }
  if (!process::is_path(address)) return address;
  fs::path path = fs::absolute(address).lexically_normal();
  if (!path.has_filename()) path = path.parent_path();
  return path.string();
}

// "kit-0123456789ab"
std::string clone_name(const std::string& address) {
  std::string name = address.substr(std::min(address.find_last_of("/:") + 1, address.size()));
  if (name.ends_with(".git")) name.resize(name.size() - 4);
  std::erase_if(name, [](unsigned char c) { return !std::isalnum(c) && c != '-' && c != '_'; });
  return (name.empty() ? "hub" : name.substr(0, 60)) + "-" + sha256(address).substr(0, 12);
}

std::string on_one_line(std::string_view text) {
  std::string line = Redactor().text(printable(text));
  std::ranges::replace_if(
      line, [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return line;
}

bool is_of_run(std::string_view name, std::string_view place, const std::string& run) {
  if (!name.starts_with(place)) return false;
  name.remove_prefix(place.size());
  if (!name.starts_with(run)) return false;
  name.remove_prefix(run.size());
  return name.empty() || name.front() == '/' || name.front() == '.';
}

}  // namespace

HubClone::HubClone(const fs::path& cache, const std::string& address, Clock& clock)
    : address_(whole_address(address)), shown_(on_one_line(address_)), clock_(clock) {
  forget_caller_repository();
  const std::string name = clone_name(address_);
  const fs::path where = fs::weakly_canonical(fs::absolute(cache));
  folder_ = where / name;
  lock_ = where / (name + ".lock");
}

Create HubClone::place(const std::string& run, const std::string& base) const {
  return {folder_, folder_ / ".agneto" / "worktrees" / run, run, base};
}

process::Fd HubClone::lock() const {
  std::error_code code;
  fs::create_directories(lock_.parent_path(), code);
  if (code) throw Error(lock_.parent_path().string() + ": cannot make it: " + code.message());
  constexpr Millis pause{20};
  for (const Millis begun = clock_.elapsed();;) {
    if (process::Fd held = try_lock(lock_)) return held;
    if (clock_.elapsed() - begun >= patience_with_lock ||
        !clock_.sleep(pause, process::heeded_stop())) {
      throw CutOff(folder_.string() + ": another process is fetching into this clone",
                   "wait until it has ended", ExitStatus::suspended);
    }
  }
}

std::string HubClone::told(const process::Captured& result) const {
  return on_one_line(complaint(result));
}

void HubClone::patiently(const std::function<std::string()>& attempt) const {
  const Millis begun = clock_.elapsed();
  for (Millis pause{500};; pause = std::min(2 * pause, Millis(8000))) {
    const std::string why = attempt();
    if (why.empty()) return;
    log::warning("a hub was not reached", {{"hub", shown_}, {"error", why}});
    if (clock_.elapsed() + pause - begun > patience_with_hub ||
        !clock_.sleep(pause, process::heeded_stop())) {
      throw HubAway(shown_, why);
    }
  }
}

// The error that git had; empty: none.
std::string HubClone::fetch(const fs::path& folder, const Arguments& what) const {
  Arguments arguments = {"fetch",
                         "--quiet",
                         "--no-tags",
                         "--prune",
                         "--update-head-ok",
                         "--no-write-fetch-head",
                         "--no-recurse-submodules",
                         "--end-of-options",
                         address_};
  arguments.insert(arguments.end(), what.begin(), what.end());
  Git git = process::on_its_way(Git(folder), address_).setting("fetch.fsckObjects=true");
  for (const char* finding : known_harmless) {
    git = git.setting(fmt::format("fetch.fsck.{}=ignore", finding));
  }
  const auto run = [&] {
    const process::Captured result = git.run(arguments);
    if (result.status == 0) return std::string();
    git.require_room(result, "fetch");
    if (result.error.find("fsck error") != std::string::npos) {
      throw Error(fmt::format("{}: git does not take what this hub has: {}", shown_, told(result)),
                  "to find it, in a clone: git fsck", ExitStatus::failed);
    }
    return told(result);
  };
  try {
    return run();
  } catch (const process::Locked&) {
    // Nobody else fetches here now; it is a lock that a killed one has left, or a worker's.
    for (const fs::path& lock : stale_locks(folder)) remove_lock(lock);
    return run();
  }
}

std::string HubClone::fetch_branches(const fs::path& folder) const {
  return fetch(folder, branches_and_tags);
}

void HubClone::look_at(const std::vector<std::string>& runs) {
  Arguments what;
  for (const std::string& run : runs) {
    what.push_back(fmt::format("+{0}{2}*:{1}{2}*", runs_there, runs_seen, run));
    what.push_back(fmt::format("+{0}{2}*:{1}{2}*", heads_there, heads_seen, run));
  }
  if (!is_there(folder_)) bring_up();
  patiently([&] {
    const process::Fd held = lock();
    return fetch(folder_, what);
  });
}

// Its settings and files are there as a whole or not at all.
void HubClone::make() {
  const fs::path made = folder_.string() + ".new";
  std::error_code none;
  fs::remove_all(made, none);
  try {
    Git(made.parent_path()).text({"init", "--quiet", "--template=", "--", made.string()});
    const Git git(made);
    // For the workflow's own programs; the engine itself goes by the address alone.
    git.text({"config", "remote.origin.url", address_});
    git.text({"config", "remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*"});
    if (const std::string why = fetch_branches(made); !why.empty()) throw HubAway(shown_, why);
    check_out(made);
    fs::rename(made, folder_);
  } catch (...) {
    fs::remove_all(made, none);
    throw;
  }
}

void HubClone::bring_up() {
  patiently([&]() -> std::string {
    const process::Fd held = lock();
    if (!is_there(folder_)) {
      make();
      return {};
    }
    if (std::string why = fetch_branches(folder_); !why.empty()) return why;
    try {
      check_out(folder_);
      return {};
    } catch (const HubAway& error) {
      return error.why();
    }
  });
  prepare_home(folder_);
}

process::Captured HubClone::list(const std::string& ref) const {
  // Where there is no clone yet, git runs in a folder that is there.
  const Git git(is_there(folder_) ? folder_ : fs::path("/"));
  return process::on_its_way(git, address_)
      .run({"ls-remote", "--symref", "--end-of-options", address_, ref});
}

HubClone::Default HubClone::ask_default() const {
  const process::Captured found = list("HEAD");
  if (found.status != 0) throw HubAway(shown_, told(found));
  Default result;
  constexpr std::string_view link = "ref: refs/heads/";
  for (const std::string& line : split(found.output, '\n')) {
    const std::size_t tab = line.find('\t');
    if (tab == std::string::npos || line.substr(tab + 1) != "HEAD") continue;
    const std::string what = line.substr(0, tab);
    if (what.starts_with(link)) {
      result.branch = what.substr(link.size());
    } else {
      result.commit = what;
    }
  }
  return result;
}

std::string HubClone::default_branch() const {
  Default found = ask_default();
  if (!found.branch.empty() && !found.commit.empty()) return found.branch;
  // Where HEAD names a branch that was never pushed, the only one there is meant.
  std::vector<std::string> branches;
  for (std::string& name :
       split(git().text({"for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads"}), '\n')) {
    if (!name.starts_with("agneto/")) branches.push_back(std::move(name));
  }
  if (branches.size() == 1) return branches.front();
  throw Error(shown_ + ": this hub has no default branch",
              "name the branch to start from, or set it there: git symbolic-ref HEAD "
              "refs/heads/main");
}

// HEAD to the commit of the default branch, with its files. Those that nobody committed stay.
void HubClone::check_out(const fs::path& folder) const {
  const Git git(folder);
  const Default found = ask_default();
  std::string commit = found.commit;
  if (!commit.empty() && commit_of(git, commit).empty()) {
    // It is newer than what was fetched: the branch as it was then.
    commit =
        found.branch.empty() ? "" : commit_of(git, std::string(branches_in_hub) + found.branch);
    if (commit.empty()) throw HubAway(shown_, "its default branch moved while it was fetched");
  }
  if (commit.empty()) {
    const auto branches =
        split(git.text({"for-each-ref", "--format=%(objectname) %(refname)", "refs/heads"}), '\n');
    for (const std::string& branch : branches) {
      if (branch.find(" refs/heads/agneto/") != std::string::npos) continue;
      commit = branch.substr(0, branch.find(' '));
    }
    if (commit.empty()) {
      throw Error(shown_ + ": this hub has no branch yet",
                  "push one there first: git push HUB main", ExitStatus::failed);
    }
  }
  const fs::path own = folder / ".git";
  if (text_of(own / "HEAD") == commit && is_there(own / "index")) return;
  const std::vector<std::string> kinds =
      split(git.text({"cat-file", "--batch-check=%(objecttype)"},
                     fmt::format("{0}:.agneto\n{0}:.agneto/worktrees\n", commit)),
            '\n');
  const bool has_home = !kinds[0].ends_with("missing");
  if ((has_home && kinds[0] != "tree") || !kinds[1].ends_with("missing")) {
    const std::string path = kinds[0] == "tree" ? ".agneto/worktrees" : ".agneto";
    throw Error(fmt::format("{}: '{}' is committed there, where runs work", shown_, path),
                "take it out of the repository: git rm -r --cached " + path, ExitStatus::failed);
  }
  for (const char* name : {"index.lock", "HEAD.lock"}) {
    if (is_there(own / name)) remove_lock(own / name);
  }
  git.with({{"GIT_LFS_SKIP_SMUDGE", "1"}})
      .text({"checkout", "--quiet", "--detach", "--force", commit, "--"});
}

RefObjects HubClone::seen(const std::string& run) const {
  RefObjects found;
  for (const std::string& line :
       split(git().text({"for-each-ref", "--format=%(objectname) %(refname)",
                         fmt::format("{}{}*", heads_seen, run), fmt::format("{}{}", runs_seen, run),
                         fmt::format("{}{}.*/**", runs_seen, run)}),
             '\n')) {
    const std::size_t space = line.find(' ');
    const std::string id = line.substr(0, space), name = line.substr(space + 1);
    if (is_of_run(name, runs_seen, run)) {
      found[std::string(runs_there) + name.substr(runs_seen.size())] = id;
    } else if (is_of_run(name, heads_seen, run)) {
      found[std::string(heads_there) + name.substr(heads_seen.size())] = id;
    }
  }
  return found;
}

RefObjects HubClone::here(const std::string& run) const {
  RefObjects found;
  for (const std::string& line :
       split(git().text(
                 {"for-each-ref", "--format=%(objectname) %(refname)",
                  fmt::format("{}{}", heads_there, run), fmt::format("{}{}.*", heads_there, run),
                  fmt::format("{}{}", runs_there, run), fmt::format("{}{}.*/**", runs_there, run)}),
             '\n')) {
    const std::size_t space = line.find(' ');
    found[line.substr(space + 1)] = line.substr(0, space);
  }
  return found;
}

std::optional<std::string> HubClone::ask(const std::string& ref, std::string& why) const {
  const process::Captured found = list(ref);
  if (found.status != 0) {
    why = told(found);
    return std::nullopt;
  }
  for (const std::string& line : split(found.output, '\n')) {
    if (line.ends_with("\t" + ref)) return line.substr(0, line.find('\t'));
  }
  return std::string();
}

process::Captured HubClone::push(const Arguments& arguments) const {
  Arguments all = {"push",        "--quiet",          "--porcelain", "--atomic",
                   "--no-verify", "--no-follow-tags", "--no-signed", "--recurse-submodules=no"};
  for (const std::string& argument : arguments) {
    if (argument.starts_with("--force-with-lease=")) all.push_back(argument);
  }
  all.insert(all.end(), {"--end-of-options", address_});
  for (const std::string& argument : arguments) {
    if (!argument.starts_with("--")) all.push_back(argument);
  }
  return process::on_its_way(git(), address_).run(all);
}

}  // namespace agneto::workspace
