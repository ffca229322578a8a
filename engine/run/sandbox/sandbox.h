// The runner that keeps a run's programs in a sandbox.
#pragma once

#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include "base/files.h"
#include "process/process.h"
#include "run/sandbox/confinement.h"
#include "script/sandbox_driver.h"

namespace agneto::run {

// Programs with a reach are started in a sandbox, all others as they are. Thread-safe.
class SandboxedRunner : public process::Runner {
 public:
  // `runner` and the files outlive this. Throws Error where there is no such sandbox, where none
  // can be made on this machine, and as `require_apart` does.
  SandboxedRunner(process::Runner& runner, SandboxSettings settings, SandboxPlaces places,
                  const Files& files, const std::vector<fs::path>& folders);
  // A program that cannot be put into it is not started. Throws what `runner` throws, and DiskFull.
  process::Exit run(const process::Spec& spec, process::Listener& listener,
                    std::stop_token stop) override;

 private:
  // Why no sandbox can be made here, found out by making one; empty: it can.
  std::string obstacle();
  // The driver's answer, with its program's path.
  std::vector<std::string> command(const script::Confinement& confinement,
                                   const std::vector<std::string>& argv);
  // What to start for it. Throws Error and script::HookError.
  process::Spec confine(const process::Spec& spec, const PrivateGit* git);
  // Null where the program has no worktree to change.
  std::unique_ptr<PrivateGit> git_for(const process::Reach& reach) const;

  process::Runner& runner_;
  const SandboxSettings settings_;
  const SandboxPlaces places_;
  const std::string git_config_;  // of the programs' git folders
  std::mutex mutex_;              // of what follows, and of the private HOME while it is furnished
  script::SandboxDriver driver_;
};

// That of a run of the repository at `root` which works in `tree`; null where the settings want
// none. Throws as the runner does.
std::unique_ptr<SandboxedRunner> sandbox_for(const SandboxSettings& settings, const fs::path& root,
                                             const std::string& run_id, const fs::path& tree,
                                             process::Runner& runner, const Files& files,
                                             const std::vector<fs::path>& folders);

}  // namespace agneto::run
