#include "run/engine/meter.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "chart/path.h"

namespace agneto::run {
namespace {}  // namespace

Meter::Meter(const model::System& system, const model::Limits& configured, Spending& used)
    : system_(system), limits_(configured.before(system.main().limits)), used_(used) {
  only_the_run_ = std::none_of(system.machines.begin() + 1, system.machines.end(),
                               [](const auto& machine) { return machine.limits.any(); });
}

void Meter::start(Time now) {
  used_.totals.since = now;
}

void Meter::stop(Time now) {
  used_.totals.stop(now);
}

void Meter::follow(const chart::Instance& machines, Time now) {
  if (only_the_run_ || machines.finished()) return;
  limited_.clear();
  for (const auto& active : machines.configuration()) {
    const bool limited = system_.machine(active.machine).limits.any();
    if (limited && !active.instance.empty()) limited_.emplace(active.instance, active.machine);
  }
  std::erase_if(used_.machines, [&](const auto& use) { return !limited_.contains(use.first); });
  for (const auto& [instance, machine] : limited_) {
    const auto [use, is_new] = used_.machines.try_emplace(instance);
    if (is_new) use->second.began = used_.totals.worked_until(now);
  }
}

void Meter::call_began(const std::string& path) {
  at_work_.insert(path);
}

void Meter::call_ended(const std::string& path) {
  at_work_.erase(path);
  ++used_.totals.calls;
  for (auto& [instance, use] : used_.machines) {
    if (chart::is_inside(path, instance)) ++use.calls;
  }
}

void Meter::count_reply(const std::string& path, const agents::Usage& usage, bool outstanding) {
  if (outstanding) ++used_.counted[path];
  ++used_.totals.attempts;
  used_.totals.usage += usage;
  for (auto& [instance, use] : used_.machines) {
    if (chart::is_inside(path, instance)) use.usage += usage;
  }
}

void Meter::recount(const std::string& path, const std::vector<agents::Usage>& replies) {
  const auto found = used_.counted.find(path);
  const auto counted = static_cast<std::size_t>(found == used_.counted.end() ? 0 : found->second);
  for (std::size_t i = counted; i < replies.size(); ++i) count_reply(path, replies[i], true);
}

model::Limits Meter::limits_of(const std::string& instance) const {
  return instance.empty() ? limits_ : system_.machine(limited_.at(instance)).limits;
}

std::vector<std::string>& Meter::taken_of(const std::string& instance) const {
  return instance.empty() ? used_.limits_hit : used_.machines.at(instance).hit;
}

// Why that limit of the instance is reached; empty: it is not, or there is none.
std::string Meter::why(const std::string& name, const std::string& instance, Time now) const {
  const model::Limits limits = limits_of(instance);
  const MachineUse all = {used_.totals.calls, used_.totals.usage, Millis(0), {}};
  const MachineUse& use = instance.empty() ? all : used_.machines.at(instance);
  if (name == "calls" && limits.calls > 0) {
    const auto at_work = std::count_if(at_work_.begin(), at_work_.end(), [&](const auto& path) {
      return chart::is_inside(path, instance);
    });
    if (use.calls + at_work < limits.calls) return {};
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
  if (name == "time" && limits.time.count() > 0 &&
      used_.totals.worked_until(now) - use.began >= limits.time) {
    return "the limit of " + format_duration(limits.time) + " of work is reached";
  }
  return {};
}

// Looks at the run first, then at the instances: all of them, or those around `path`.
std::optional<Meter::Reached> Meter::first(const std::vector<const char*>& names,
                                           const std::string& path, Time now) const {
  std::vector<std::string> instances = {""};
  for (const auto& [instance, machine] : limited_) {
    if (path.empty() || chart::is_inside(path, instance)) instances.push_back(instance);
  }
  for (const std::string& instance : instances) {
    const auto& taken = taken_of(instance);
    for (const char* name : names) {
      if (std::find(taken.begin(), taken.end(), name) != taken.end()) continue;
      if (std::string reason = why(name, instance, now); !reason.empty()) {
        return Reached{instance, name, std::move(reason)};
      }
    }
  }
  return std::nullopt;
}

std::optional<Meter::Reached> Meter::reached(Time now) const {
  return first({"cost", "tokens", "time"}, "", now);
}

std::optional<Meter::Reached> Meter::reached_by(const std::string& call) const {
  return first({"calls"}, call, Time());
}

void Meter::taken(const Reached& limit) {
  taken_of(limit.instance).push_back(limit.name);
}

std::string Meter::advice(const Reached& limit) const {
  if (limit.instance.empty()) {
    return fmt::format(
        "{}; to go on, resume with a higher --max-{}, or raise limits.{} in .agneto/config.yaml",
        limit.why, limit.name, limit.name);
  }
  const model::Machine& machine = system_.machine(limited_.at(limit.instance));
  return fmt::format("{} ({}): {}; to go on, raise limits.{} in {} and resume with --update",
                     limit.instance, machine.name, limit.why, limit.name, machine.file.string());
}

}  // namespace agneto::run
