// What the checkout's configuration says of agents, for commands that call none.
#pragma once

#include "base/diagnostic.h"
#include "cli/commands.h"
#include "play/macrostep.h"

namespace agneto::cli {

// `provider` and `model` of an agent: "auto", and null for the CLI's own, where nothing else is
// said. Reports what is wrong with the configuration; findings are good as long as the result.
play::SettingsOf agent_settings(const Context& context, const Files& files,
                                Diagnostics& diagnostics);

}  // namespace agneto::cli
