#include "record/playback.h"

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/text.h"
#include "chart/path.h"

namespace agneto::record {
namespace {

// How long a slow answer takes where no time is given.
constexpr const char* slow_time = "30s";

constexpr double fastest = 1e6;

const std::vector<std::string> kinds = {"hang", "garbage", "exit", "slow"};

struct Steps {
  explicit Steps(const model::System& system) {
    for (const auto& machine : system.machines) {
      for (const auto& state : machine.states) {
        if (std::holds_alternative<model::Delegate>(state.activity) ||
            std::holds_alternative<model::ForEach>(state.activity)) {
          delegating.insert(state.name);
        }
        if (const auto* call = std::get_if<model::AgentCall>(&state.activity)) {
          calling.insert(state.name);
          calling.insert(machine.agents[call->agent].name);
        }
      }
    }
  }
  std::set<std::string> delegating;  // states of all machines
  std::set<std::string> calling;     // those that call an agent, and the agents
};

Json fault_options(const std::string& text, const Steps& steps) {
  const auto refuse = [&](const std::string& why, const std::string& help) {
    throw Error("--fault '" + text + "': " + why, help);
  };
  const std::size_t at = text.find('@');
  if (at == std::string::npos || at + 1 == text.size() || text.back() == '/') {
    refuse("where it strikes is missing", "write KIND@STEP, such as exit@CODING");
  }
  std::string kind = text.substr(0, at), time;
  if (const auto equals = kind.find('='); equals != std::string::npos) {
    time = kind.substr(equals + 1);
    kind.resize(equals);
    if (time.empty()) refuse("the time is missing", "write it as slow=2m@CODING");
  }
  if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) {
    refuse("there is no fault '" + kind + "'", suggestion(kind, kinds, "faults"));
  }
  if (!time.empty() && kind != "slow") {
    refuse("only 'slow' takes a time", "leave '=" + time + "' out");
  }
  if (kind == "slow" && time.empty()) time = slow_time;
  const auto duration = parse_duration(time);
  if (kind == "slow" && !duration) {
    refuse("'" + time + "' is no duration", "write it as 90s, 20m or 4h");
  }

  auto step = chart::Path::parse(std::string_view(text).substr(at + 1));
  if (!step || step->is_timer()) {
    refuse("'" + text.substr(at + 1) + "' names no step",
           "write CODING, CODING#2, or PANEL[2]/REVIEWING#1");
  }
  for (auto& part : step->parts) {
    const bool last = &part == &step->parts.back();
    const auto& known = last ? steps.calling : steps.delegating;
    if (!known.contains(part.name)) {
      refuse(last ? "no agent is called in a state '" + part.name + "', and none is called so"
                  : "no state '" + part.name + "' delegates to a machine",
             suggestion(part.name, {known.begin(), known.end()}, "steps"));
    }
    if (part.entry == 0) part.entry = 1;
  }
  Json fault = {{"text", text}, {"kind", kind}, {"step", step->text()}};
  if (duration) fault["time"] = duration->count();
  return fault;
}

}  // namespace

Json playback_options(const Playback& playback, const model::System& system) {
  if (!(playback.speed >= 0 && playback.speed <= fastest)) {
    throw Error("--speed is not between 0 and 1000000",
                "1 plays as fast as it was recorded, 0 all at once");
  }
  const Steps steps(system);
  Json faults = Json::array();
  for (const auto& text : playback.faults) faults.push_back(fault_options(text, steps));
  return {{"speed", playback.speed}, {"fuzzy", playback.any_prompt}, {"faults", std::move(faults)}};
}

}  // namespace agneto::record
