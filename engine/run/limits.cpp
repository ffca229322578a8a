#include "run/limits.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "run/engine.h"

namespace agneto::run {

model::Limits limits_of_run(const model::Limits& configured, const model::Limits& declared) {
  model::Limits limits = declared;
  if (configured.calls > 0) limits.calls = configured.calls;
  if (configured.cost > 0) limits.cost = configured.cost;
  if (configured.tokens > 0) limits.tokens = configured.tokens;
  if (configured.time.count() > 0) limits.time = configured.time;
  return limits;
}

std::string reached(const std::string& name, const model::Limits& limits, const Use& use) {
  if (name == "calls" && limits.calls > 0 && use.calls >= limits.calls) {
    return fmt::format("the limit of {} agent call{} is reached", limits.calls,
                       limits.calls == 1 ? "" : "s");
  }
  if (name == "cost" && limits.cost > 0 && use.usage.cost >= limits.cost) {
    return fmt::format("the limit of ${:.2f} is reached: ${:.2f} spent", limits.cost,
                       use.usage.cost);
  }
  const std::int64_t tokens = use.usage.input_tokens + use.usage.output_tokens;
  if (name == "tokens" && limits.tokens > 0 && tokens >= limits.tokens) {
    return fmt::format("the limit of {} tokens is reached: {} used", limits.tokens, tokens);
  }
  if (name == "time" && limits.time.count() > 0 && use.worked >= limits.time) {
    return "the limit of " + format_duration(limits.time) + " of work is reached";
  }
  return {};
}

bool is_inside(const std::string& path, const std::string& instance) {
  return instance.empty() || path.starts_with(instance + "/");
}

// The machine instances that have limits are known by name, the root's by none.
void Engine::note_instances() {
  if (!meters_machines_ || instance_.finished()) return;
  std::map<std::string, model::MachineId> live;
  for (const auto& active : instance_.configuration()) {
    const bool limited = setup_.system.machine(active.machine).limits.any();
    if (limited && !active.instance.empty()) live.emplace(active.instance, active.machine);
  }
  std::erase_if(state_.meters, [&](const auto& meter) { return !live.contains(meter.first); });
  for (const auto& [instance, machine] : live) {
    const auto [meter, is_new] = state_.meters.try_emplace(instance);
    if (is_new) meter->second.began = worked();
  }
  limited_ = std::move(live);
}

Millis Engine::worked() const {
  return state_.totals.worked_until(last_time_);
}

model::Limits Engine::limits_of(const std::string& instance) const {
  if (!instance.empty()) return setup_.system.machine(limited_.at(instance)).limits;
  return limits_of_run(setup_.config.limits, setup_.system.main().limits);
}

Use Engine::use_of(const std::string& instance) const {
  const auto at_work = std::count_if(workers_.begin(), workers_.end(), [&](const auto& entry) {
    return entry.second.calls && is_inside(entry.first, instance);
  });
  const int calls = static_cast<int>(at_work);
  if (instance.empty()) return {state_.totals.calls + calls, state_.totals.usage, worked()};
  const Meter& meter = state_.meters.at(instance);
  return {meter.calls + calls, meter.usage, worked() - meter.began};
}

// A call has ended, or was cancelled: it was made.
void Engine::count_call(const std::string& path) {
  ++state_.totals.calls;
  for (auto& [instance, meter] : state_.meters) {
    if (is_inside(path, instance)) ++meter.calls;
  }
}

void Engine::count(const std::string& path, const agents::Usage& usage) {
  if (state_.outstanding.contains(path)) ++state_.counted[path];
  ++state_.totals.attempts;
  state_.totals.usage += usage;
  for (auto& [instance, meter] : state_.meters) {
    if (is_inside(path, instance)) meter.usage += usage;
  }
}

std::vector<std::string> Engine::limited_around(const std::string& path) const {
  std::vector<std::string> instances = {""};
  for (const auto& [instance, machine] : limited_) {
    if (is_inside(path, instance)) instances.push_back(instance);
  }
  return instances;
}

// May the call be made? Where a limit that the workflow takes leaves it ordered, it may.
bool Engine::may_call(const std::string& path) {
  for (const auto& instance : limited_around(path)) {
    const std::string why = reached("calls", limits_of(instance), use_of(instance));
    if (why.empty()) continue;
    if (!hit_limit(instance, "calls", why)) return false;
    if (!state_.outstanding.contains(path)) return true;
  }
  return true;
}

void Engine::check_limits() {
  now();
  std::vector<std::string> instances = {""};
  for (const auto& [instance, machine] : limited_) instances.push_back(instance);
  for (const auto& instance : instances) {
    for (const char* name : {"cost", "tokens", "time"}) {
      if (over_ || (!instance.empty() && !limited_.contains(instance))) break;
      const std::string why = reached(name, limits_of(instance), use_of(instance));
      if (!why.empty()) hit_limit(instance, name, why);
    }
  }
}

// Offers limit.NAME to the machine, once; untaken, it suspends the run. True: it was taken now or
// before, and the run goes on.
bool Engine::hit_limit(const std::string& instance, const std::string& name,
                       const std::string& reason) {
  auto& hit = instance.empty() ? state_.limits_hit : state_.meters.at(instance).hit;
  if (std::find(hit.begin(), hit.end(), name) != hit.end()) return true;
  hit.push_back(name);
  const model::Machine& machine =
      instance.empty() ? setup_.system.main() : setup_.system.machine(limited_.at(instance));
  chart::Event event;
  event.name = "limit." + name;
  event.data = {{"message", reason}};
  event.path = instance.empty() ? "." : instance;
  chart::Effects out;
  chart::step(instance_, event, out);
  const bool taken = out.handled;
  if (!taken) hit.pop_back();  // asked again after a resume with another limit
  if (taken) publish("note", "", {{"text", reason}});
  commit(&event, out, {});
  if (taken || over_) return taken;
  suspend_now(instance.empty()
                  ? reason + "; to go on, raise limits." + name + " in .agneto/config.yaml"
                  : fmt::format("{} ({}): {}; to go on, raise limits.{} in {} and resume with "
                                "--update",
                                instance, machine.name, reason, name, machine.file.string()));
  return false;
}

}  // namespace agneto::run
