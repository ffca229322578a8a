#include "run/sandbox/sandbox.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <optional>

#include "base/error.h"
#include "base/text.h"
#include "process/spawn.h"
#include "run/assembly.h"
#include "run/sandbox/private_home.h"
#include "script/hooks.h"
#include "workspace/git.h"
#include "workspace/workspace.h"
#include "workspace/worktree/git_folder.h"

namespace agneto::run {

using script::Confinement;

namespace {

// The system's number for why there is no such program; 0: there is one.
int obstacle_to_start(const std::string& program, const fs::path& cwd) {
  if (program.find('/') == program.npos) return process::find_program(program) ? 0 : ENOENT;
  return ::access((cwd / program).c_str(), X_OK) == 0 ? 0 : errno;
}

}  // namespace

SandboxedRunner::SandboxedRunner(process::Runner& runner, SandboxSettings settings,
                                 SandboxPlaces places, const Files& files,
                                 const std::vector<fs::path>& folders)
    : runner_(runner),
      settings_(std::move(settings)),
      places_(std::move(places)),
      git_config_(places_.git.empty() ? "" : private_git_config(places_.git)),
      driver_(settings_.driver, files, folders) {
  require_apart(settings_, places_);
  const std::string why = obstacle();
  if (why.empty()) return;
  throw Error(fmt::format("the sandbox '{}' cannot be had here: {}", settings_.driver, why),
              "see docs/security.md for what it needs, or write 'sandbox: none' into "
              ".agneto/config.yaml: agents have your rights then");
}

std::string SandboxedRunner::obstacle() {
  if (!driver_.program().empty() && !process::find_program(driver_.program())) {
    return fmt::format("there is no program '{}' on PATH", driver_.program());
  }
  process::Spec spec;
  spec.timeout = Millis(10'000);
  process::Listener quiet;
  try {
    spec.argv = command(bare_confinement(), {"true"});
  } catch (const script::HookError& error) {
    return error.what();
  }
  const process::Exit exit = runner_.run(spec, quiet, {});
  if (exit.ok()) return {};
  const std::string said(trim(exit.error));
  return said.empty() ? process::describe(exit, spec) : printable(said);
}

process::Exit SandboxedRunner::run(const process::Spec& spec, process::Listener& listener,
                                   std::stop_token stop) {
  if (!spec.reach || spec.argv.empty()) return runner_.run(spec, listener, std::move(stop));
  process::Exit failed;
  failed.kind = process::Exit::Kind::not_started;
  const std::string& name = spec.argv.front();
  if (const int error = obstacle_to_start(name, spec.cwd); error != 0) {
    failed.error = process::start_failure(name, spec.cwd, error);
    return failed;
  }
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
  process::Exit exit = runner_.run(confined, listener, std::move(stop));
  const std::string& sandbox = driver_.program();
  if (exit.kind == process::Exit::Kind::exited && exit.status == 1 && !sandbox.empty() &&
      exit.error.starts_with(sandbox + ": ")) {  // it has not come to the program
    exit.kind = process::Exit::Kind::not_started;
    exit.error = trim(exit.error);
  }
  return exit;
}

process::Spec SandboxedRunner::confine(const process::Spec& spec, const PrivateGit* git) {
  const std::lock_guard lock(mutex_);
  furnish_home(places_.private_home, home_of_person(), spec.reach->home);
  process::Spec confined = spec;
  confined.env = environment_of(spec, settings_);
  confined.inherits = false;
  Confinement confinement = confinement_of(spec, settings_, places_, git);
  make_ways(places_.private_home, home_of_person(), confinement);
  for (const auto& [name, value] : confined.env) confinement.variables.push_back(name);
  confined.argv = command(confinement, spec.argv);
  return confined;
}

std::vector<std::string> SandboxedRunner::command(const Confinement& confinement,
                                                  const std::vector<std::string>& argv) {
  auto words = driver_.command(confinement, argv);
  // PATH may have a folder that is the worktree.
  const auto program = process::find_program(words.front());
  if (words.front() == driver_.program() && program) words.front() = fs::absolute(*program);
  return words;
}

std::unique_ptr<SandboxedRunner> sandbox_for(const SandboxSettings& settings, const fs::path& root,
                                             const std::string& run_id, const fs::path& tree,
                                             process::Runner& runner, const Files& files,
                                             const std::vector<fs::path>& folders) {
  if (!settings.is_on()) return nullptr;
  const fs::path home = home_of(root);
  // A worktree of the person's own has that one's repository.
  const fs::path repository = is_within(tree, home) ? root : tree;
  const fs::path git = workspace::is_repository(repository)
                           ? workspace::common_folder(process::Git(repository))
                           : fs::path();
  return std::make_unique<SandboxedRunner>(
      runner, settings, SandboxPlaces{home, git, private_home(home / ".agneto", run_id)}, files,
      folders);
}

std::unique_ptr<PrivateGit> SandboxedRunner::git_for(const process::Reach& reach) const {
  std::error_code none;
  const auto kind = fs::symlink_status(reach.tree / ".git", none).type();
  if (!reach.writes || places_.git.empty() || kind != fs::file_type::regular) return nullptr;
  if (!workspace::find_git_folder(places_.git, reach.tree)) return nullptr;  // it is no worktree
  return std::make_unique<PrivateGit>(places_.private_home.string() + ".git", places_.git,
                                      reach.tree, git_config_);
}

}  // namespace agneto::run
