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

void Meter::follow(const chart::Instance& machines) {
  if (only_the_run_ || machines.finished()) return;
  limited_.clear();
  for (const auto& active : machines.configuration()) {
    const bool limited = system_.machine(active.machine).limits.any();
    if (limited && !active.instance.empty()) limited_.emplace(active.instance, active.machine);
  }
  std::erase_if(used_.machines, [&](const auto& taken) {
    if (limited_.contains(taken.first)) return false;
    tally_.unwatch(taken.first);
    return true;
  });
  for (const auto& [instance, machine] : limited_) {
    used_.machines.try_emplace(instance);
    tally_.watch(instance);
  }
}

void Meter::count(const std::vector<record::Entry>& all) {
  tally_ = {};
  for (const auto& [instance, machine] : limited_) tally_.watch(instance);
  for (const auto& entry : all) tally_.add(entry);
  used_.totals = tally_.totals();
}

void Meter::count(const record::Entry& next) {
  tally_.add(next);
  used_.totals = tally_.totals();
}

bool Meter::call_over(const std::string& path) {
  calls_.erase(path);
  return tally_.is_counted(path);
}

const Totals& Meter::used_in(const std::string& instance) const {
  return instance.empty() ? tally_.totals() : tally_.totals(instance);
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
  const Totals& use = used_in(instance);
  if (name == "calls" && limits.calls > 0) {
    if (use.calls < limits.calls) return {};
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
  for (const std::string& instance : around(call)) {
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

// The run first, then the instances: all of them, or those around `path`.
std::vector<std::string> Meter::around(const std::string& path) const {
  std::vector<std::string> instances = {""};
  for (const auto& [instance, machine] : limited_) {
    if (path.empty() || chart::is_inside(path, instance)) instances.push_back(instance);
  }
  return instances;
}

std::optional<Meter::Reached> Meter::first(const std::vector<const char*>& names,
                                           const std::string& path, Time now) const {
  for (const std::string& instance : around(path)) {
    for (const char* name : names) {
      if (is_taken(name, instance)) continue;
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
  if (tally_.is_counted(call)) return std::nullopt;  // before the run was suspended
  return first({"calls"}, call, Time());
}

bool Meter::must_wait(const std::string& call) const {
  if (tally_.is_counted(call)) return false;
  return std::ranges::any_of(around(call), [&](const std::string& instance) {
    const int most = limits_of(instance).calls;
    if (most == 0 || is_taken("calls", instance)) return false;
    const auto unasked = std::ranges::count_if(calls_, [&](const std::string& begun) {
      return chart::is_inside(begun, instance) && !tally_.is_counted(begun);
    });
    return used_in(instance).calls + unasked >= most;
  });
}

bool Meter::is_taken(const std::string& name, const std::string& instance) const {
  const auto& taken = taken_of(instance);
  return std::ranges::find(taken, name) != taken.end();
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
