#include "run/sandbox.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <sstream>

#include "base/error.h"
#include "base/text.h"
#include "run/private_home.h"
#include "script/hooks.h"

namespace agneto::run {

using script::Confinement;

namespace {

// Where a system has its programs and libraries, and how it is set up: a sandbox has that in any
// case.
constexpr const char* system_folders[] = {"/usr",    "/bin", "/sbin", "/lib", "/lib32", "/lib64",
                                          "/libx32", "/etc", "/opt",  "/nix", "/snap"};
// What of it is nobody's business, where whoever started the run may read it.
constexpr const char* system_secrets[] = {"/etc/shadow",   "/etc/shadow-",     "/etc/gshadow",
                                          "/etc/gshadow-", "/etc/sudoers",     "/etc/sudoers.d",
                                          "/etc/ssh",      "/etc/ssl/private", "/etc/krb5.keytab"};

// What any program has of the environment.
constexpr const char* usual_variables[] = {"PATH",        "HOME",
                                           "USER",        "LOGNAME",
                                           "SHELL",       "LANG",
                                           "LANGUAGE",    "LC_*",
                                           "TZ",          "TERM",
                                           "COLORTERM",   "NO_COLOR",
                                           "HTTP_PROXY",  "HTTPS_PROXY",
                                           "NO_PROXY",    "http_proxy",
                                           "https_proxy", "no_proxy",
                                           "ALL_PROXY",   "all_proxy",
                                           "SSL_CERT_*",  "NODE_EXTRA_CA_CERTS"};

fs::path home_of_person() {
  const char* home = std::getenv("HOME");
  return home == nullptr ? fs::path() : fs::path(home).lexically_normal();
}

fs::path in_home(const std::string& path) {
  if (path.starts_with("~/")) return home_of_person() / path.substr(2);
  return path;
}

bool is_of_system(const fs::path& path) {
  return std::ranges::any_of(system_folders,
                             [&](const char* folder) { return is_within(path, folder); });
}

// The folders of PATH that no sandbox has by itself, each with the libraries that belong to it.
std::vector<fs::path> programs_elsewhere() {
  std::vector<fs::path> all;
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string text; std::getline(folders, text, ':');) {
    const fs::path folder = fs::path(text).lexically_normal();
    if (!folder.is_absolute() || is_of_system(folder)) continue;
    all.push_back(folder);
    if (folder.filename() == "bin") all.push_back(folder.parent_path() / "lib");
    if (folder.filename() == ".bin") all.push_back(folder.parent_path());  // of node_modules
  }
  return all;
}

// The folder that a program's file is in, which a link on PATH may lead to.
fs::path folder_of(const process::Spec& spec) {
  const std::string& name = spec.argv.front();
  const auto found = name.find('/') == std::string::npos ? process::find_program(name)
                                                         : std::optional(spec.cwd / name);
  std::error_code none;
  return found ? fs::canonical(*found, none).parent_path() : fs::path();
}

// What is mounted where, of two at one place the last. Nothing that is not there.
class Mounts {
 public:
  explicit Mounts(const SandboxPlaces& places, const fs::path& tree)
      : kept_{home_of_person(), places.repository, places.git, tree} {}

  void add(const fs::path& path, bool writes) { put(path, path, writes); }
  void put(const fs::path& path, const fs::path& from, bool writes) {
    if (path.empty() || !is_there(from)) return;
    mounts_[path.string()] = {path.string(), from.string(), writes};
  }
  // A folder that has what programs are kept from is not added.
  void add_harmless(const fs::path& path) {
    const auto has = [&](const fs::path& kept) { return !kept.empty() && is_within(kept, path); };
    const auto is_in = [&](const fs::path& kept) { return !kept.empty() && is_within(path, kept); };
    if (path.empty() || is_of_system(path) || std::ranges::any_of(kept_, has)) return;
    if (std::any_of(kept_.begin() + 1, kept_.end(), is_in)) return;
    add(path, false);
  }
  void hide(const fs::path& path) {
    std::error_code none;
    if (fs::is_directory(path, none)) {
      mounts_[path.string()] = {path.string(), "", false};
    } else if (is_there(path)) {
      put(path, "/dev/null", false);
    }
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
  const std::vector<fs::path> kept_;  // HOME first
  std::map<std::string, Confinement::Mount> mounts_;
};

bool fits(std::string_view name, std::string_view pattern) {
  if (!pattern.ends_with('*')) return name == pattern;
  pattern.remove_suffix(1);
  return name.starts_with(pattern);
}

}  // namespace

Confinement confinement_of(const process::Spec& spec, const SandboxSettings& settings,
                           const SandboxPlaces& places, const PrivateGit* git) {
  const process::Reach& reach = *spec.reach;
  Mounts mounts(places, reach.tree);
  for (const char* secret : system_secrets) {
    if (::access(secret, R_OK) == 0) mounts.hide(secret);
  }
  if (const fs::path home = home_of_person(); home.has_relative_path()) {
    mounts.put(home, places.home, true);
  }
  for (const fs::path& folder : programs_elsewhere()) mounts.add_harmless(folder);
  mounts.add_harmless(folder_of(spec));
  for (const std::string& path : settings.reads) mounts.add(in_home(path), false);
  for (const std::string& path : settings.writes) mounts.add(in_home(path), true);
  // Whatever else is said, these are as follows.
  mounts.add(places.git, false);
  mounts.add(reach.tree, reach.writes);
  const bool is_apart = reach.tree != places.repository && is_within(reach.tree, places.repository);
  mounts.hide(is_apart ? places.repository : places.repository / ".agneto");
  if (!places.git.empty()) mounts.hide(places.git / ".agneto");
  if (git != nullptr) {
    mounts.add(git->folder(), true);
    mounts.put(reach.tree / ".git", git->link(), false);
  } else if (std::error_code none; !fs::is_symlink(reach.tree / ".git", none)) {
    mounts.add(reach.tree / ".git", false);
  }
  mounts.add(reach.own, true);

  Confinement confinement;
  confinement.mounts = mounts.take();
  confinement.system = {std::begin(system_folders), std::end(system_folders)};
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
    if (is_named && name.size() < text.size()) {
      environment.emplace_back(name, text.substr(name.size() + 1));
    }
  }
  environment.insert(environment.end(), spec.env.begin(), spec.env.end());
  return environment;
}

SandboxedRunner::SandboxedRunner(process::Runner& runner, SandboxSettings settings,
                                 SandboxPlaces places, const Files& files,
                                 const std::vector<fs::path>& folders)
    : runner_(runner),
      settings_(std::move(settings)),
      places_(std::move(places)),
      driver_(settings_.driver, files, folders) {
  const std::string why = obstacle_to_sandbox(driver_, runner);
  if (why.empty()) return;
  throw Error(fmt::format("the sandbox '{}' cannot be had here: {}", settings_.driver, why),
              "see docs/security.md for what it needs, or write 'sandbox: none' into "
              ".agneto/config.yaml: agents have your rights then");
}

process::Exit SandboxedRunner::run(const process::Spec& spec, process::Listener& listener,
                                   std::stop_token stop) {
  if (!spec.reach) return runner_.run(spec, listener, std::move(stop));
  process::Exit failed;
  failed.kind = process::Exit::Kind::not_started;
  std::unique_ptr<PrivateGit> git;  // as long as the program runs
  process::Spec confined;
  try {
    git = git_for(*spec.reach);
    confined = confine(spec, git.get());
  } catch (const DiskFull&) {
    throw;
  } catch (const std::exception& error) {  // Error, HookError
    failed.error = error.what();
    return failed;
  }
  return runner_.run(confined, listener, std::move(stop));
}

process::Spec SandboxedRunner::confine(const process::Spec& spec, const PrivateGit* git) {
  furnish_home(places_.home, home_of_person(), spec.reach->home);
  process::Spec confined = spec;
  confined.env = environment_of(spec, settings_);
  confined.inherits = false;
  Confinement confinement = confinement_of(spec, settings_, places_, git);
  for (const auto& [name, value] : confined.env) confinement.variables.push_back(name);
  const std::lock_guard lock(mutex_);
  confined.argv = driver_.command(confinement, spec.argv);
  return confined;
}

std::unique_ptr<PrivateGit> SandboxedRunner::git_for(const process::Reach& reach) {
  std::error_code none;
  if (!reach.writes || places_.git.empty() || !fs::is_regular_file(reach.tree / ".git", none)) {
    return nullptr;
  }
  int number = 0;
  {
    const std::lock_guard lock(mutex_);
    number = ++gits_;
  }
  const fs::path place = places_.home.string() + ".git/" + std::to_string(number);
  fs::remove_all(place, none);  // of a process that was killed
  return std::make_unique<PrivateGit>(place, places_.git, reach.tree);
}

std::string obstacle_to_sandbox(script::SandboxDriver& driver, process::Runner& runner) {
  if (!driver.program().empty() && !process::find_program(driver.program())) {
    return fmt::format("there is no program '{}' on PATH", driver.program());
  }
  process::Spec spec;
  Confinement nothing;
  nothing.system = {std::begin(system_folders), std::end(system_folders)};
  nothing.cwd = "/";
  spec.timeout = Millis(10'000);
  process::Listener quiet;
  try {
    spec.argv = driver.command(nothing, {"true"});
  } catch (const script::HookError& error) {
    return error.what();
  }
  const process::Exit exit = runner.run(spec, quiet, {});
  if (exit.ok()) return {};
  const std::string said(trim(exit.error));
  return said.empty() ? process::describe(exit, spec) : printable(said);
}

}  // namespace agneto::run
