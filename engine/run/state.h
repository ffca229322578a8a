// Everything a run knows besides its machines' instances: what is outstanding, conversations,
// totals. Written whole with every macrostep, so that resume reads one value.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "agents/caller.h"
#include "base/clock.h"
#include "base/json.h"
#include "chart/effect.h"
#include "record/surroundings.h"
#include "record/totals.h"

namespace agneto::run {

// A conversation with an agent. What was said is in the journal, under the path of each call; a
// call's prompts name the call that it follows (conversation.h).
struct Conversation {
  std::string provider;
  std::string session;
  std::string last;                // the newest call's path
  std::vector<std::string> calls;  // those before, of journals whose prompts name none
};

// A person's word to whichever agent is called next.
struct Instruction {
  std::string text;
  std::string taken_by;  // the call's path; empty: nobody yet
};

using record::Totals;
using record::totals_from;

// The limits of a machine instance that it has taken: each is offered once.
struct TakenLimits {
  std::vector<std::string> hit;
};

// What a run has used, as its journal says, and which limits were taken.
struct Spending {
  Totals totals;
  std::vector<std::string> limits_hit;          // of the run, that were taken
  std::map<std::string, TakenLimits> machines;  // by path, of the instances inside that have limits
};

struct RunState {
  std::map<std::string, chart::Effect> outstanding;   // activities, by path
  record::Timers timers;                              // by path
  std::map<std::string, Conversation> conversations;  // by scope and agent
  std::map<std::string, int> nth;                     // calls ordered so far, by agent
  std::map<std::string, int> call_numbers;            // of outstanding calls, by path
  std::vector<Instruction> instructions;
  // Checkpoints of the worktrees as the run left them, by item (worktrees.h); none: nothing has
  // changed there yet.
  std::map<std::string, std::string> trees;
  std::map<std::string, agents::Absence> absences;  // of outstanding calls, by path
  Spending spent;

  Json to_json(const model::System& system) const;
  // Throws Error or Json::exception where it cannot be read.
  static RunState from_json(const Json& json, const model::System& system);
};

}  // namespace agneto::run
