#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "lint/check.h"

namespace agneto::lint {

namespace {

void check(const Subject& subject, Diagnostics& diagnostics) {
  for (const model::Machine& machine : subject.system.machines) {
    std::vector<std::string> taken;
    for (const model::Transition& transition : machine.transitions) {
      taken.insert(taken.end(), transition.events.begin(), transition.events.end());
    }
    for (const Raised& one : subject.raised(machine).all()) {
      if (!one.name || one.function == "cancel") continue;
      const bool is_taken = std::any_of(taken.begin(), taken.end(), [&](const std::string& event) {
        return model::matches(event, *one.name);
      });
      if (is_taken) continue;
      diagnostics
          .warning(
              untaken_event.name, place(*one.piece, *one.call),
              fmt::format("no transition of this machine takes '{}', which is lost", *one.name))
          .help = suggestion(*one.name, taken, "events that are taken");
    }
  }
}

}  // namespace

const Check untaken_event = {"untaken-event", check};

}  // namespace agneto::lint
