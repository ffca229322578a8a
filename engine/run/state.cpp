#include "run/state.h"

#include "base/fields.h"
#include "base/json.h"
#include "record/json_fields.h"

namespace agneto::agents {

void fields(auto& field, Of<Absence> auto& absence) {
  field("why", absence.why);
  field("until", absence.until);
  field("times", absence.times);
  field("waited", absence.waited);
}

}  // namespace agneto::agents

namespace agneto::run {

void fields(auto& field, Of<Conversation> auto& conversation) {
  field("provider", conversation.provider);
  field("session", conversation.session);
  field.newer("last", conversation.last);
  field.sparse("calls", conversation.calls);
}

void fields(auto& field, Of<TakenLimits> auto& taken) {
  field("hit", taken.hit);
}

void fields(auto& field, Of<Instruction> auto& instruction) {
  field("text", instruction.text);
  field("taken_by", instruction.taken_by);
}

// All but what needs the workflow. It is written at every step, so what is empty is
// left out.
void fields(auto& field, Of<RunState> auto& state) {
  field("totals", state.spent.totals);
  field.sparse("timers", state.timers);
  field.sparse("threads", state.conversations);
  field.sparse("nth", state.nth);
  field.sparse("call_numbers", state.call_numbers);
  field.sparse("instructions", state.instructions);
  field.sparse("trees", state.trees);
  field.sparse("absences", state.absences);
  field.sparse("limits_hit", state.spent.limits_hit);
  field.sparse("meters", state.spent.machines);
}

Json RunState::to_json(const model::System& system) const {
  Json json = to_fields(*this);
  for (const auto& [path, effect] : outstanding) {
    json["outstanding"][path] = chart::to_json(effect, system);
  }
  return json;
}

RunState RunState::from_json(const Json& json, const model::System& system) {
  auto state = from_fields<RunState>(json);
  for (const auto& [path, effect] : member(json, "outstanding").items()) {
    state.outstanding.emplace(path, chart::effect_from_json(effect, system));
  }
  return state;
}

}  // namespace agneto::run
