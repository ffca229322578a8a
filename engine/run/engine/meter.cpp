#include "run/engine/meter.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "chart/path.h"

namespace agneto::run {

Meter::Meter(const model::System& system, const model::Limits& configured, Spending& used)
    : system_(system), limits_(configured.before(system.main().limits)), used_(used) {
  only_the_run_ = std::none_of(system.machines.begin() + 1, system.machines.end(),
                               [](const auto& machine) { return machine.limits.any(); });
}

void Meter::works(const std::string& path, Time now) {
  at_work_.insert(path);
  used_.totals.time.start(now);
  for (auto& [instance, use] : used_.machines) {
    if (chart::is_inside(path, instance)) use.time.start(now);
  }
}

void Meter::rests(const std::string& path, Time now) {
  if (at_work_.erase(path) == 0) return;
  if (at_work_.empty()) used_.totals.time.stop(now);
  for (auto& [instance, use] : used_.machines) {
    if (!is_at_work(instance)) use.time.stop(now);
  }
}

void Meter::all_rest(Time now) {
  at_work_.clear();
  used_.totals.time.stop(now);
  for (auto& [instance, use] : used_.machines) use.time.stop(now);
}

bool Meter::is_at_work(const std::string& instance) const {
  return std::any_of(at_work_.begin(), at_work_.end(),
                     [&](const auto& path) { return chart::is_inside(path, instance); });
}

void Meter::follow(const chart::Instance& machines) {
  if (only_the_run_ || machines.finished()) return;
  limited_.clear();
  for (const auto& active : machines.configuration()) {
    const bool limited = system_.machine(active.machine).limits.any();
    if (limited && !active.instance.empty()) limited_.emplace(active.instance, active.machine);
  }
  std::erase_if(used_.machines, [&](const auto& use) { return !limited_.contains(use.first); });
  for (const auto& [instance, machine] : limited_) used_.machines.try_emplace(instance);
}

void Meter::call_began(const std::string& path) {
  calls_.insert(path);
}

void Meter::call_ended(const std::string& path, bool asked) {
  calls_.erase(path);
  if (!asked) return;
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
  const MachineUse all = {used_.totals.calls, used_.totals.usage, used_.totals.time, {}};
  const MachineUse& use = instance.empty() ? all : used_.machines.at(instance);
  if (name == "calls" && limits.calls > 0) {
    const auto begun = std::count_if(calls_.begin(), calls_.end(), [&](const auto& path) {
      return chart::is_inside(path, instance);
    });
    if (use.calls + begun < limits.calls) return {};
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
  if (name == "time" && limits.time.count() > 0 && use.time.until(now) >= limits.time) {
    return "the limit of " + format_duration(limits.time) + " of work is reached";
  }
  return {};
}

std::vector<std::string> Meter::missed(const std::string& call, const agents::Usage& usage) const {
  std::vector<std::string> missed;
  std::vector<std::string> instances = {""};
  for (const auto& [instance, machine] : limited_) {
    if (chart::is_inside(call, instance)) instances.push_back(instance);
  }
  for (const std::string& instance : instances) {
    const model::Limits limits = limits_of(instance);
    if (limits.cost > 0 && usage.unpriced > 0) {
      missed.push_back(fmt::format("the limit of ${:.2f}", limits.cost));
    }
    if (limits.tokens > 0 && usage.uncounted > 0) {
      missed.push_back(fmt::format("the limit of {} tokens", limits.tokens));
    }
  }
  return missed;
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
