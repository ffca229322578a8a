// The steps before a run's first: read, check, resolve. Each throws Error or InvalidFile.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/files.h"
#include "chart/evaluator.h"
#include "model/load.h"
#include "process/process.h"
#include "record/options.h"
#include "run/assembly.h"
#include "run/config.h"
#include "script/hooks.h"
#include "workspace/workspace.h"

namespace agneto::run {

// `library`: the hook library of this program.
model::Loaded load_workflow(const fs::path& file, const Files& files, const fs::path& library);
// A run's own, of its recorded files.
model::Loaded load_recorded(const journal::RunRecord& run, const Files& files);

// Compiles all Lua of the system and loads every hook module it names.
std::unique_ptr<chart::Evaluator> check_scripts(const model::System& system, const Files& files,
                                                const script::ModulePaths& modules);

// The configuration of the checkout, which names no provider without a driver in the folders.
Config read_config(const fs::path& checkout, const Files& files,
                   const std::vector<fs::path>& folders);
// As it is on the disk now, for runs of that folder.
Config current_config(const fs::path& folder, const Resources& resources);

// An error for each schedule that it names and that cannot be run as it says.
void check_schedules(const Config& config, const fs::path& folder, const Resources& resources,
                     const Files& files, Diagnostics& diagnostics);
// What is wrong with each that cannot be run, by its name.
std::map<std::string, std::string> wrong_schedules(const Config& config, const fs::path& folder,
                                                   const Resources& resources, const Files& files);

// A remark for each agent that is configured and that neither the workflow nor one of those files
// has.
std::vector<std::string> unknown_agents(const Config& config, const model::System& system,
                                        const std::vector<fs::path>& workflows, const Files& files,
                                        const fs::path& library);

// The texts of --input, besides what is `given` already, checked against what the machine declares.
Json read_inputs(const model::Machine& machine, const std::map<std::string, std::string>& texts,
                 Json given);

// The repository of which a run of the workflow, started in that folder, has a worktree; nothing:
// it works in the folder itself, as the workflow says or because there is no repository. Throws
// Error where there is none and the workflow needs one, and where the request has an option that
// means nothing to such a run.
std::optional<fs::path> repository_for(const model::System& system, const Request& request);

// TASK, --input and the configuration, checked against what the workflow declares.
Json read_inputs(const model::Machine& machine, const Request& request, const Config& config);

// What a run is called by: its main input.
std::string task_text(const model::Machine& machine, const Json& inputs);

// Where drivers are: the project's, the user's, those that come with Agneto.
std::vector<fs::path> provider_folders(const fs::path& folder, const Resources& resources);
std::vector<fs::path> sandbox_folders(const fs::path& folder, const Resources& resources);

// Settles in `config` with what each call of an agent is made, with the provider "auto" where
// nothing says which; `options` are as below. Nobody is looked for.
void choose_providers(const model::System& system, Config& config,
                      const record::RunOptions& options);

// Throws InvalidFile where a provider cannot be given what its agent is to have.
void require_settings(const model::System& system, const Config& config, const Files& files,
                      const std::vector<fs::path>& folders);

// The same with a real provider for each call, that can be given what its agent is to have. Returns
// them by agent, and those of an agent that has several by "MACHINE/STATE". `options`: what the
// command line said (chosen, model, cassette), and on a resume what was resolved before
// (providers).
std::map<std::string, std::string> resolve_providers(const model::System& system, Config& config,
                                                     const record::RunOptions& options,
                                                     const Files& files,
                                                     const std::vector<fs::path>& folders);
// As `config` has settled them.
std::map<std::string, std::string> resolved_providers(const model::System& system,
                                                      const Config& config);
// "claude", or "coder: codex, others: claude".
std::string describe_providers(const std::map<std::string, std::string>& providers);

// A new worktree: copies what the configuration names, runs its set-up. Where agents have worked on
// what is in it already, the runner is one that keeps programs in a sandbox.
void furnish(const fs::path& worktree, const fs::path& repository, const Config& config,
             process::Runner& runner, process::Listener& listener, std::stop_token stop);

}  // namespace agneto::run
