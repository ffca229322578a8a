#include "run/state.h"

#include "base/json.h"

namespace agneto::run {
namespace {

Json saved(const Timer& timer) {
  return {{"due", timer.due.time_since_epoch().count()},
          {"pausable", timer.pausable},
          {"left", timer.left.count()}};
}

Timer timer_from(const Json& json) {
  return {Time(Millis(json.at("due").get<std::int64_t>())), json.at("pausable").get<bool>(),
          Millis(json.at("left").get<std::int64_t>())};
}

Json saved(const Conversation& conversation) {
  Json json = {{"provider", conversation.provider},
               {"session", conversation.session},
               {"last", conversation.last}};
  if (!conversation.calls.empty()) json["calls"] = conversation.calls;
  return json;
}

Conversation conversation_from(const Json& json) {
  return {json.at("provider"), json.at("session"), json.value("last", ""),
          json.value("calls", std::vector<std::string>())};
}

Json saved(const MachineUse& use) {
  return {{"calls", use.calls},
          {"cost", use.usage.cost},
          {"input_tokens", use.usage.input_tokens},
          {"output_tokens", use.usage.output_tokens},
          {"began", use.began.count()},
          {"hit", use.hit}};
}

MachineUse use_from(const Json& json) {
  return {json.at("calls"),
          {json.at("cost"), json.at("input_tokens"), json.at("output_tokens")},
          Millis(json.at("began").get<std::int64_t>()),
          json.at("hit")};
}

}  // namespace

// At every step, so what is empty is left out.
Json RunState::to_json(const model::System& system) const {
  Json json = Json::object();
  json["totals"] = record::to_json(spent.totals);
  if (!nth.empty()) json["nth"] = nth;
  if (!call_numbers.empty()) json["call_numbers"] = call_numbers;
  if (!spent.counted.empty()) json["counted"] = spent.counted;
  if (!spent.limits_hit.empty()) json["limits_hit"] = spent.limits_hit;
  if (!trees.empty()) json["trees"] = trees;
  for (const auto& [path, effect] : outstanding) {
    json["outstanding"][path] = chart::to_json(effect, system);
  }
  for (const auto& [id, timer] : timers) json["timers"][id] = saved(timer);
  for (const auto& [key, conversation] : conversations) json["threads"][key] = saved(conversation);
  for (const auto& [path, use] : spent.machines) json["meters"][path] = saved(use);
  for (const auto& instruction : instructions) {
    json["instructions"].push_back(
        {{"text", instruction.text}, {"taken_by", instruction.taken_by}});
  }
  return json;
}

RunState RunState::from_json(const Json& json, const model::System& system) {
  RunState state;
  for (const auto& [path, effect] : member(json, "outstanding").items()) {
    state.outstanding.emplace(path, chart::effect_from_json(effect, system));
  }
  for (const auto& [id, timer] : member(json, "timers").items()) {
    state.timers.emplace(id, timer_from(timer));
  }
  for (const auto& [key, conversation] : member(json, "threads").items()) {
    state.conversations.emplace(key, conversation_from(conversation));
  }
  state.nth = json.value("nth", std::map<std::string, int>());
  state.call_numbers = json.value("call_numbers", std::map<std::string, int>());
  state.spent.counted = json.value("counted", std::map<std::string, int>());
  for (const auto& instruction : member(json, "instructions")) {
    state.instructions.push_back({instruction.at("text"), instruction.at("taken_by")});
  }
  state.trees = json.value("trees", std::map<std::string, std::string>());
  state.spent.limits_hit = json.value("limits_hit", std::vector<std::string>());
  for (const auto& [path, use] : member(json, "meters").items()) {
    state.spent.machines.emplace(path, use_from(use));
  }
  state.spent.totals = totals_from(json.at("totals"));
  return state;
}

}  // namespace agneto::run
