// The journal's entries as JSON; docs/journal.md describes each.
#pragma once

#include "agents/caller.h"
#include "base/json.h"
#include "chart/step.h"
#include "run/human.h"

namespace agneto::run {

Json macrostep_entry(const chart::Event* event, const chart::Effects& out,
                     const model::System& system);

Json to_json(const agents::PromptRecord& record);
agents::PromptRecord prompt_record(const Json& json);
Json to_json(const agents::ReplyRecord& record);
agents::ReplyRecord reply_record(const Json& json);
Json to_json(const Answer& answer, const std::string& by);

// "from", "to" and "event" of a transition, for observers.
Json describe(const chart::Effects::Taken& taken, const model::System& system);

// The name of the state, and whether it is one of the run's main stages: a child of the root.
Json describe(const chart::Effects::Moved& moved, const model::System& system);

}  // namespace agneto::run
