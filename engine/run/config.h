// .agneto/config.yaml: how a team reaches its agents, what a worktree needs, what a run may cost.
// docs/configuration.md describes it, schemas/config.schema.json does so for editors.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "agents/caller.h"
#include "base/diagnostic.h"
#include "base/files.h"
#include "base/json.h"
#include "journal/bounds.h"
#include "model/machine.h"
#include "run/notify.h"
#include "run/sandbox/confinement.h"
#include "run/schedule.h"

namespace agneto::run {

using model::AgentSettings;

// How many runs a server works on at the same time.
struct Concurrency {
  int runs = 4;
  journal::Bounds bounds;  // of all servers that share the journal
};

struct Config {
  // A name in the file, and where it stands there.
  struct Name {
    std::string text;
    Span place;
  };

  // What goes before what workflows say of their agents.
  struct OfWorkflow {
    AgentSettings all;                            // of its every agent
    std::map<std::string, AgentSettings> agents;  // by role
  };
  using CallId = std::pair<model::MachineId, model::StateId>;

  AgentSettings all;                            // the defaults of every agent
  std::map<std::string, AgentSettings> agents;  // by role; they go before a workflow's
  std::map<std::string, OfWorkflow> workflows;  // by the name of a machine; before these
  // Of the calls of one system, once it is settled who works in a run (prepare.h): all that counts.
  std::map<CallId, AgentSettings> settled;
  std::map<std::string, Json> providers;  // a driver's options, by provider
  std::string journal;                    // a database's address; empty: .agneto/runs.db
  std::string hub;    // a remote's name or an address; empty: runs stay where they were started
  std::string setup;  // shell text, once per worktree
  std::vector<std::string> copy;  // files to copy into a worktree
  std::string verify;             // the default of an input called `verify`
  // By PROVIDER/MODEL, or PROVIDER for the others. A provider of a package has a / in its name,
  // too.
  std::map<std::string, agents::Price> prices;
  model::Limits limits;
  SandboxSettings sandbox;
  Concurrency concurrency;
  std::vector<std::string> labels;  // that a server here has, so that it takes runs that need them
  std::vector<Schedule> schedules;  // in the order of the file
  std::vector<Way> ways;            // in which people are told of runs
  std::string url;                  // where people reach the server; empty: nowhere that is known
  // Of runs that have ended so long ago a server removes what `agneto clean` does; nothing: it
  // does not.
  std::optional<Millis> keep;
  Millis patience{3'600'000};  // with a provider that is away

  SourcePtr source;                   // the file's text; null where there is none
  std::vector<Name> named_providers;  // wherever, but for "auto" where one is chosen
  std::vector<Name> named_prices;     // as `prices` has them
  std::vector<Name> named_agents;
  std::vector<Name> named_workflows;
  std::map<std::string, std::vector<Name>> named_options;  // of drivers, by provider

  // With what the state calls its agent. The weakest first: everybody's, the agent's in the
  // workflow, the state's, the agent's here, and those of the workflow here.
  AgentSettings of(const model::Machine& machine, model::StateId state) const;
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

// What a configuration may name.
struct KnownNames {
  std::set<std::string> agents;
  std::set<std::string> workflows;

  void add(const model::System& system);
};

// A warning for each agent and each workflow that it names and that is neither one of `known` nor
// of these files, which are only read where `known` does not do. Of a file with errors counts what
// can be read.
void check_names(const Config& config, KnownNames known, const std::vector<fs::path>& workflows,
                 const Files& files, const std::filesystem::path& library,
                 Diagnostics& diagnostics);

}  // namespace agneto::run
