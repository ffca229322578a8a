// The calls to agents in a run: what each is told, and what is remembered of it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "agents/caller.h"
#include "chart/step.h"
#include "journal/journal.h"
#include "run/config.h"
#include "run/state.h"

namespace agneto::run {

// On the engine's thread only.
class Calls {
 public:
  // Conversations and instructions of the state are read and kept up to date. What is given
  // outlives this.
  Calls(const model::System& system, const Config& config, journal::Entries& record,
        std::string run_id, const chart::Instance& machines, RunState& state);

  // What the item of a for_each that the path is in, if any, is called: the main input of its
  // machine, or else the first one that is a text or a number. One line; may be empty.
  std::string item_name(const std::string& path) const;
  // What the agent is called with for the `nth` time in the run, but for where it works. Takes the
  // instructions that no call has taken yet. This outlives the request.
  agents::Request request(const chart::CallAgent& call, int nth);
  // The call has ended with a result. A failed one leaves its conversation as it was.
  void ended(const chart::CallAgent& call, const agents::Conversation& held, bool failed);

 private:
  // The conversation that the call belongs to is known by this; empty: it begins one of its own.
  std::string conversation_of(const chart::CallAgent& call) const;

  const model::System& system_;
  const Config& config_;
  journal::Entries& record_;
  const std::string run_id_;
  const chart::Instance& machines_;
  RunState& state_;
};

}  // namespace agneto::run
