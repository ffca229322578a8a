// How an activity may end, as a run has it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "chart/answer.h"
#include "chart/step.h"
#include "model/outcomes.h"
#include "script/hooks.h"

namespace agneto::play {

// What it may end in, besides `error.*`, in the order of the file; of a question's options those
// that are offered.
std::vector<model::Outcome> outcomes_of(const chart::Effect& effect, const model::System& system);

// To an activity that ends in `event` with this data: why no run would give an outcome or an error
// that there is not, a verdict without one of its fields or with another. A verdict that is right
// gets exactly its fields, in their types; other data is not looked at.
std::optional<chart::Refusal> objection_to(const chart::Effect& effect, const std::string& event,
                                           Json& data, const model::System& system);
// To an error of this name.
std::optional<chart::Refusal> objection_to_error(const std::string& event,
                                                 const model::System& system);

struct ActivityEnd {
  std::string event;
  Json data;
};

// The end in `event`; what `data` leaves out is filled in: an agent's fields must all be there, a
// command's output is empty, an error has a message. Throws Error where it is not possible.
ActivityEnd end_of(const chart::Effect& effect, const std::string& event, const Json& data,
                   const model::System& system);

// A question's end by an answer. Throws Error where it is none.
ActivityEnd end_of(const chart::AskHuman& question, const chart::Answer& answer,
                   const chart::AnswerForms& forms, const std::string& by = "person");

// What the hook of an agent makes of a reply.
struct ReadReply {
  std::optional<ActivityEnd> end;  // none: there is no verdict that can be used; ask again
  std::string problem;             // why there is none; the last one's ends in error.unparsed
};

// `number`: which reply to this call it is, from 1. A mistake in the hook ends the call in
// error.lua.
ReadReply read_reply(const chart::CallAgent& call, const std::string& reply, std::size_t number,
                     script::Hooks& hooks, const model::System& system,
                     const chart::Instance& instance);

}  // namespace agneto::play
