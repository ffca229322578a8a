// With what the calls of a workflow's agents are made, and whether their providers can do that.
#pragma once

#include <filesystem>
#include <vector>

#include "base/diagnostic.h"
#include "base/files.h"
#include "model/machine.h"
#include "run/config.h"

namespace agneto::run {

// A state that calls an agent.
struct CallPlace {
  const model::Machine& machine;
  const model::State& state;

  const model::Agent& agent() const;
  // "MACHINE/STATE"
  std::string name() const { return machine.name + "/" + state.name; }
};

// In the order of the machines, and in these of the states.
std::vector<CallPlace> calls_of(const model::System& system);

// Errors, each where it is written: a provider for which the folders have no driver, and a setting
// that the provider of a call cannot be given. Warnings: a setting of a workflow that only one
// provider can understand, where none is chosen. `system` has no errors.
void check_settings(const model::System& system, const Config& config, const Files& files,
                    const std::vector<std::filesystem::path>& folders, Diagnostics& diagnostics);

}  // namespace agneto::run
