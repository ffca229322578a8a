// .agneto/config.yaml: how a team reaches its agents, what a worktree needs, what a run may cost.
// docs/configuration.md describes it, schemas/config.schema.json does so for editors.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "agents/caller.h"
#include "base/diagnostic.h"
#include "base/files.h"
#include "base/json.h"
#include "model/machine.h"

namespace agneto::run {

struct AgentSettings {
  std::string provider;
  std::string model;
  std::string instructions;
  std::optional<std::vector<std::string>> tools;  // as the provider calls them

  // Another provider than it had: what it calls a model or a tool, this one does not.
  void change_provider(const std::string& name);
};

struct Config {
  // A name in the file, and where it stands there.
  struct Name {
    std::string text;
    Span place;
  };

  AgentSettings all;                            // the defaults of every agent
  std::map<std::string, AgentSettings> agents;  // by role
  std::map<std::string, Json> providers;        // a driver's options, by provider
  std::string setup;                            // shell text, once per worktree
  std::vector<std::string> copy;                // files to copy into a worktree
  std::string verify;                           // the default of an input called `verify`
  std::map<std::string, agents::Price> prices;  // by PROVIDER/MODEL, or PROVIDER for the others
  model::Limits limits;
  Millis patience{3'600'000};  // with a provider that is away

  SourcePtr source;                   // the file's text; null where there is none
  std::vector<Name> named_providers;  // wherever, but for "auto" where one is chosen
  std::vector<Name> named_agents;
  std::map<std::string, std::vector<Name>> named_options;  // of drivers, by provider

  // Settings of one agent: its own, else everybody's; both instructions, everybody's first.
  AgentSettings of(const std::string& agent) const;
  Json options_of(const std::string& provider) const;
  std::optional<agents::Price> price_of(const std::string& provider,
                                        const std::string& model) const;
};

// The file of the checkout, or of another folder with an `.agneto`.
fs::path config_file(const fs::path& checkout);

// An absent file is an empty configuration, and one that cannot be read is an error. Findings point
// into the configuration's source.
Config load_config(const fs::path& file, const Files& files, Diagnostics& diagnostics);

// An error for each provider that it names and of which the folders have no driver, and for each
// option that a driver does not know.
void check_providers(const Config& config, const Files& files, const std::vector<fs::path>& folders,
                     Diagnostics& diagnostics);

// A warning for each agent that it names and that is neither one of `known` nor of a workflow of
// these files, which are only read where `known` does not do. Of a file with errors counts what can
// be read.
void check_agents(const Config& config, std::set<std::string> known,
                  const std::vector<fs::path>& workflows, const Files& files,
                  const std::filesystem::path& library, Diagnostics& diagnostics);

}  // namespace agneto::run
