// What a run's programs may touch, and the runner that keeps them to it. See docs/security.md.
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include "base/files.h"
#include "process/process.h"
#include "run/private_git.h"
#include "script/sandbox_driver.h"

namespace agneto::run {

namespace fs = std::filesystem;

// As the configuration says.
struct SandboxSettings {
  std::string driver = "none";
  bool network = true;
  // Files and folders that programs have besides; "~/" is HOME.
  std::vector<std::string> reads, writes;
  // Variables of the environment that they have besides; the last letter may be a *.
  std::vector<std::string> passes;

  bool is_on() const { return driver != "none"; }
};

// What a run has on the disk.
struct SandboxPlaces {
  fs::path repository;  // with the .agneto that has the journal and all worktrees
  fs::path git;         // its git folder; empty: there is none
  fs::path home;        // the run's own HOME, made where it is needed; git folders are beside it
};

// What a program that has that to do may touch, as a sandbox is told. `git`: what it has in place
// of the git folder of its worktree; null: that itself, to be read.
script::Confinement confinement_of(const process::Spec& spec, const SandboxSettings& settings,
                                   const SandboxPlaces& places, const PrivateGit* git = nullptr);

// The environment of such a program: what is in a list, what settings and its driver name, and its
// own.
process::Environment environment_of(const process::Spec& spec, const SandboxSettings& settings);

// Programs with a reach are started in a sandbox, all others as they are. Thread-safe.
class SandboxedRunner : public process::Runner {
 public:
  // `runner` and the files outlive this. Throws Error where there is no such sandbox, or where none
  // can be made on this machine.
  SandboxedRunner(process::Runner& runner, SandboxSettings settings, SandboxPlaces places,
                  const Files& files, const std::vector<fs::path>& folders);
  process::Exit run(const process::Spec& spec, process::Listener& listener,
                    std::stop_token stop) override;

 private:
  // What to start for it. Throws Error and script::HookError.
  process::Spec confine(const process::Spec& spec, const PrivateGit* git);
  // Null where the program has no worktree to change.
  std::unique_ptr<PrivateGit> git_for(const process::Reach& reach);

  process::Runner& runner_;
  const SandboxSettings settings_;
  const SandboxPlaces places_;
  std::mutex mutex_;  // of what follows
  int gits_ = 0;      // so many git folders were made
  script::SandboxDriver driver_;
};

// Why none can be made on this machine, found out by making one; empty: it can.
std::string obstacle_to_sandbox(script::SandboxDriver& driver, process::Runner& runner);

}  // namespace agneto::run
