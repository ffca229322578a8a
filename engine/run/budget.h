// Whether a run's limits can be kept with the providers that its agents have.
#pragma once

#include <filesystem>
#include <vector>

#include "base/files.h"
#include "model/machine.h"
#include "run/config.h"

namespace agneto::run {

// `config`: with the limits of the run and the provider of each agent. Throws Error where a limit
// of cost or tokens, the run's or a machine's, counts an agent whose provider says nothing of that.
void require_keepable_limits(const model::System& system, const Config& config, const Files& files,
                             const std::vector<std::filesystem::path>& folders);

}  // namespace agneto::run
