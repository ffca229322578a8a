#include "cli/agent_settings.h"

#include <memory>

#include "model/settings_json.h"
#include "run/config.h"
#include "run/prepare.h"

namespace agneto::cli {

play::SettingsOf agent_settings(const Context& context, const Files& files,
                                Diagnostics& diagnostics) {
  const fs::path file =
      run::config_file(run::checkout_of(context.folder)).lexically_proximate(context.folder);
  const auto config =
      std::make_shared<const run::Config>(run::load_config(file, files, diagnostics));
  return [config](const model::Machine& machine, model::StateId state) {
    return model::to_json(config->of(machine, state));
  };
}

}  // namespace agneto::cli
