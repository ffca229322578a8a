// With what a workflow's agents are called in this checkout, for commands that call none.
#pragma once

#include "base/diagnostic.h"
#include "cli/commands.h"
#include "play/macrostep.h"

namespace agneto::cli {

// As model::to_json has them, of the workflow and the configuration. Reports what is wrong with the
// latter; findings are good as long as the result.
play::SettingsOf agent_settings(const Context& context, const Files& files,
                                Diagnostics& diagnostics);

}  // namespace agneto::cli
