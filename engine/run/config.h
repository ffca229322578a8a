// .agneto/config.yaml: how a team reaches its agents, what a worktree needs, what a run may cost.
#pragma once

#include <map>
#include <optional>
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
};

struct Config {
  AgentSettings all;                            // the defaults of every agent
  std::map<std::string, AgentSettings> agents;  // by role
  std::map<std::string, Json> providers;        // a driver's options, by provider
  std::string setup;                            // shell text, once per worktree
  std::vector<std::string> copy;                // files to copy into a worktree
  std::string verify;                           // the default of an input called `verify`
  std::map<std::string, agents::Price> prices;  // by PROVIDER/MODEL, or PROVIDER for the others
  model::Limits limits;
  Millis patience{3'600'000};  // with a provider that is away

  // Settings of one agent: its own, else everybody's; both instructions, everybody's first.
  AgentSettings of(const std::string& agent) const;
  Json options_of(const std::string& provider) const;
  std::optional<agents::Price> price_of(const std::string& provider,
                                        const std::string& model) const;
};

// An absent file is an empty configuration. Findings carry the file's own places; `sources` keeps
// them valid.
Config load_config(const fs::path& file, const Files& files, Diagnostics& diagnostics,
                   std::vector<SourcePtr>& sources);

}  // namespace agneto::run
