// What a machine sends: to itself for later, as a timer of its own, and to other machines.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "lint/context.h"

namespace agneto::lint {

// Is the call one of its piece's own statements, so that it is made whatever else is so?
bool is_made_always(const Raised& one);

// The value under that key of a table that is written out; null where it has none.
const Node* value_of(const Node& table, std::string_view key);

// The machines that a machine can send an event to, each with the state that delegates to it; the
// machines around it have none.
std::vector<std::pair<model::MachineId, const State*>> neighbours(const model::System& system,
                                                                  const Machine& machine);

// A `send` with a delay that is written out, which is made whenever the state is entered.
struct DelayedSend {
  const Raised* sent = nullptr;
  std::string event;
  Millis after{0};
  bool has_id = false;
  std::string id;  // empty: it has none, or one that is computed
};

std::vector<DelayedSend> delayed_sends(const LintContext& context, const Machine& machine,
                                       const State& state);
// May the machine take it back?
bool may_be_cancelled(const LintContext& context, const Machine& machine, const DelayedSend& sent);

}  // namespace agneto::lint
