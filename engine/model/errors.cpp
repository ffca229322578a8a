#include "model/errors.h"

#include <algorithm>

#include "base/text.h"

namespace agneto::model {

const std::vector<std::string>& engine_errors() {
  static const std::vector<std::string> all = {
      "error.timeout", "error.exit",     "error.spawn",     "error.unparsed",
      "error.lua",     "error.livelock", "error.unhandled", "error.interrupted"};
  return all;
}

bool is_error(std::string_view event) {
  return event == "error" || event.starts_with("error.");
}

bool is_known_error(std::string_view event, const System& system) {
  const auto& own = engine_errors();
  if (event == "error" || std::find(own.begin(), own.end(), event) != own.end()) return true;
  const auto takes = [&](const std::string& descriptor) {
    return descriptor.starts_with("error.") && event.starts_with(descriptor) &&
           (event.size() == descriptor.size() || event[descriptor.size()] == '.');
  };
  for (const Machine& machine : system.machines) {
    for (const Transition& transition : machine.transitions) {
      if (std::any_of(transition.events.begin(), transition.events.end(), takes)) return true;
    }
  }
  return false;
}

}  // namespace agneto::model
