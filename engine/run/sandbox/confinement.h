// What a program in a sandbox may touch. See docs/security.md for the policy.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/files.h"
#include "process/process.h"
#include "run/sandbox/private_git.h"
#include "script/sandbox_driver.h"

namespace agneto::run {

// As the configuration says.
struct SandboxSettings {
  std::string driver = "none";
  bool network = true;
  // Files and folders that programs have besides; "~/" is HOME.
  std::vector<std::string> reads = {}, writes = {};
  // Variables of the environment that they have besides; the last letter may be a *.
  std::vector<std::string> passes = {};

  bool is_on() const { return driver != "none"; }
};

// The folders of a run.
struct SandboxPlaces {
  fs::path repository;    // its .agneto has the journal and the worktrees of runs
  fs::path git;           // the repository's git folder; empty: there is none
  fs::path private_home;  // the run's own HOME; its programs' git folders are beside it
};

// Throws Error where the settings name what is in the repository, or a folder around it or HOME:
// of these a program has what the policy says.
void require_apart(const SandboxSettings& settings, const SandboxPlaces& places);

// What a sandbox is told of a program; `spec` has a reach. `git`: what the program has in place of
// the git folder of its worktree; null: it has that one, and may read it. Throws Error where a link
// stands in place of the worktree's `.git`.
script::Confinement confinement_of(const process::Spec& spec, const SandboxSettings& settings,
                                   const SandboxPlaces& places, const PrivateGit* git = nullptr);
// One of a program that touches nothing.
script::Confinement bare_confinement();

// The environment of such a program: the variables that every program has, those that the settings
// and its driver name, and its own.
process::Environment environment_of(const process::Spec& spec, const SandboxSettings& settings);

// HOME, as the engine's environment has it; empty where there is none.
fs::path home_of_person();

}  // namespace agneto::run
