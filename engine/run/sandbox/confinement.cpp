#include "run/sandbox/confinement.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "base/error.h"

namespace agneto::run {

using script::Confinement;

namespace {

// They have the system's programs, libraries and set-up: a sandbox has them in any case.
constexpr const char* system_folders[] = {"/usr",   "/bin",       "/sbin",   "/lib",
                                          "/lib32", "/lib64",     "/libx32", "/etc",
                                          "/opt",   "/nix/store", "/snap"};
// Programs do not see these, even where the engine could read them.
constexpr const char* system_secrets[] = {"/etc/shadow",   "/etc/shadow-",     "/etc/gshadow",
                                          "/etc/gshadow-", "/etc/sudoers",     "/etc/sudoers.d",
                                          "/etc/ssh",      "/etc/ssl/private", "/etc/krb5.keytab"};
// Every program has these of the environment.
constexpr const char* usual_variables[] = {"PATH",        "HOME",
                                           "USER",        "LOGNAME",
                                           "SHELL",       "LANG",
                                           "LANGUAGE",    "LC_*",
                                           "TZ",          "TERM",
                                           "COLORTERM",   "NO_COLOR",
                                           "HTTP_PROXY",  "http_proxy",
                                           "HTTPS_PROXY", "https_proxy",
                                           "NO_PROXY",    "no_proxy",
                                           "ALL_PROXY",   "all_proxy",
                                           "SSL_CERT_*",  "NODE_EXTRA_CA_CERTS"};

// Without a slash at the end.
fs::path plain_path(const fs::path& path) {
  const fs::path normal = path.lexically_normal();
  return normal.has_filename() || !normal.has_relative_path() ? normal : normal.parent_path();
}

fs::path in_home(const std::string& path) {
  return plain_path(path.starts_with("~/") ? home_of_person() / path.substr(2) : fs::path(path));
}

bool is_of_system(const fs::path& path) {
  return std::ranges::any_of(system_folders,
                             [&](const char* folder) { return is_within(path, folder); });
}

bool is_in(const fs::path& path, const fs::path& folder) {
  return !folder.empty() && is_within(path, folder);
}

// Is it a folder around what programs are kept from, or in that?
bool is_kept(const fs::path& path, const SandboxPlaces& places) {
  const fs::path home = home_of_person();
  return is_in(home, path) || is_in(places.repository, path) || is_in(path, places.repository) ||
         is_in(places.git, path) || is_in(path, places.git);
}

// The folders of PATH that no sandbox has by itself, each with the libraries that belong to it, and
// the folder that a program's link there leads to.
std::vector<fs::path> program_folders(const process::Spec& spec) {
  std::vector<fs::path> all;
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string text; std::getline(folders, text, ':');) {
    const fs::path folder = plain_path(text);
    // "/tmp" and the like are no folders of programs.
    if (!folder.is_absolute() || !folder.parent_path().has_relative_path()) continue;
    all.push_back(folder);
    if (folder.filename() == "bin" && folder.parent_path() != "/var") {
      all.push_back(folder.parent_path() / "lib");
    }
    if (folder.filename() == ".bin") all.push_back(folder.parent_path());  // of node_modules
  }
  // One that is named by a path is the run's own work.
  const std::string& name = spec.argv.front();
  const auto found =
      name.find('/') == name.npos ? process::find_program(name) : std::optional<fs::path>();
  std::error_code none;
  if (found && found->is_absolute()) all.push_back(fs::canonical(*found, none).parent_path());
  return all;
}

// Where the objects are that a repository shares with others.
std::vector<fs::path> alternates_of(const fs::path& git) {
  std::vector<fs::path> all;
  std::ifstream file(git / "objects/info/alternates");
  for (std::string line; std::getline(file, line);) {
    if (!line.empty()) all.push_back(plain_path(git / "objects" / line));
  }
  return all;
}

// Mounts by their paths; of two at one place the last one counts.
class Mounts {
 public:
  // Where there is nothing, nothing is mounted.
  void add(const fs::path& path, bool writes) { add(path, path, writes); }
  void add(const fs::path& path, const fs::path& from, bool writes) {
    if (path.empty() || !is_there(from)) return;
    mounts_[path] = {path.string(), from.string(), writes};
  }
  void hide(const fs::path& path) {
    std::error_code none;
    if (fs::is_directory(path, none)) {
      mounts_[path] = {path.string(), "", false};
    } else if (is_there(path)) {
      add(path, "/dev/null", false);
    }
  }
  // Folders on the way to mounts in HOME are mounts themselves, so that no program can put a link
  // in their place while others are started.
  void hold_ways(const fs::path& home, const fs::path& private_home) {
    std::map<fs::path, Confinement::Mount> ways;
    for (const auto& [path, mount] : mounts_) {
      if (path == home || !is_within(path, home)) continue;
      fs::path way = home;
      for (const fs::path& part : path.lexically_relative(home).parent_path()) {
        way /= part;
        if (mounts_.contains(way)) break;
        ways[way] = {way.string(), (private_home / way.lexically_relative(home)).string(), true};
      }
    }
    mounts_.merge(ways);
  }

  // A folder's path comes before those of what is in it.
  std::vector<Confinement::Mount> take() {
    std::vector<Confinement::Mount> all;
    for (auto& [path, mount] : mounts_) all.push_back(std::move(mount));
    std::ranges::stable_sort(
        all, {}, [](const auto& mount) { return std::ranges::distance(fs::path(mount.path)); });
    return all;
  }

 private:
  std::map<fs::path, Confinement::Mount> mounts_;
};

// Of PATH what is there: a program could make the rest, in its HOME.
std::string existing_folders(const std::string& path) {
  std::string existing;
  std::istringstream folders(path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::error_code none;
    if (!fs::is_directory(folder, none)) continue;
    existing += (existing.empty() ? "" : ":") + folder;
  }
  return existing;
}

bool fits(std::string_view name, std::string_view pattern) {
  if (!pattern.ends_with('*')) return name == pattern;
  pattern.remove_suffix(1);
  return name.starts_with(pattern);
}

}  // namespace

fs::path home_of_person() {
  const char* home = std::getenv("HOME");
  const fs::path path = home == nullptr ? fs::path() : plain_path(home);
  return path.is_absolute() && path.has_relative_path() ? path : fs::path();
}

void require_apart(const SandboxSettings& settings, const SandboxPlaces& places) {
  for (const auto* paths : {&settings.reads, &settings.writes}) {
    for (const std::string& path : *paths) {
      if (!is_kept(in_home(path), places)) continue;
      throw Error(fmt::format("'{}' in 'sandbox' of .agneto/config.yaml has, or is in, what "
                              "programs are kept from",
                              path),
                  "name folders beside the repository and below HOME");
    }
  }
}

Confinement bare_confinement() {
  Confinement confinement;
  confinement.system = {std::begin(system_folders), std::end(system_folders)};
  confinement.cwd = "/";
  return confinement;
}

Confinement confinement_of(const process::Spec& spec, const SandboxSettings& settings,
                           const SandboxPlaces& places, const PrivateGit* git) {
  const process::Reach& reach = *spec.reach;
  const fs::path home = home_of_person();
  Mounts mounts;
  for (const char* secret : system_secrets) {
    if (::access(secret, R_OK) == 0) mounts.hide(secret);
  }
  for (const fs::path& folder : program_folders(spec)) {
    const bool is_kept_from = is_kept(folder, places) || is_in(reach.tree, folder);
    if (!is_kept_from && !is_of_system(folder)) mounts.add(folder, false);
  }
  for (const std::string& path : settings.reads) mounts.add(in_home(path), false);
  for (const std::string& path : settings.writes) mounts.add(in_home(path), true);
  for (const fs::path& objects : alternates_of(places.git)) mounts.add(objects, false);
  mounts.add(places.git, false);
  mounts.add(reach.tree, reach.writes);
  const bool is_apart = reach.tree != places.repository && is_within(reach.tree, places.repository);
  if (is_apart) {
    mounts.hide(places.repository);
  } else {
    for (const fs::path& folder : {places.repository, reach.tree}) mounts.hide(folder / ".agneto");
  }
  if (!places.git.empty()) mounts.hide(places.git / ".agneto");
  if (std::error_code none; fs::is_symlink(reach.tree / ".git", none)) {
    throw Error((reach.tree / ".git").string() + " is a link, which a program could replace",
                "put what it leads to in its place");
  }
  if (git != nullptr) {
    mounts.add(git->folder(), true);
    mounts.add(reach.tree / ".git", git->link(), false);
  } else {
    mounts.add(reach.tree / ".git", false);
  }
  mounts.add(reach.own, true);
  if (!home.empty()) {
    mounts.add(home, places.private_home, true);
    mounts.hold_ways(home, places.private_home);
  }

  Confinement confinement = bare_confinement();
  confinement.mounts = mounts.take();
  confinement.cwd = spec.cwd.string();
  confinement.network = settings.network;
  return confinement;
}

process::Environment environment_of(const process::Spec& spec, const SandboxSettings& settings) {
  std::vector<std::string_view> patterns(std::begin(usual_variables), std::end(usual_variables));
  for (const auto* named : {&settings.passes, &spec.reach->passes}) {
    patterns.insert(patterns.end(), named->begin(), named->end());
  }
  process::Environment environment;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const auto name = text.substr(0, text.find('='));
    const bool is_named = std::ranges::any_of(
        patterns, [&](std::string_view pattern) { return fits(name, pattern); });
    if (!is_named || name.size() == text.size()) continue;
    const std::string value(text.substr(name.size() + 1));
    environment.emplace_back(name, name == "PATH" ? existing_folders(value) : value);
  }
  environment.insert(environment.end(), spec.env.begin(), spec.env.end());
  return environment;
}

}  // namespace agneto::run
