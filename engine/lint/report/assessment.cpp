#include "lint/report/assessment.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "lint/explore/explorations.h"

namespace agneto::lint {

namespace {

using Extent = Exploration::Extent;

#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
constexpr std::size_t most_configurations = 300;
#else
constexpr std::size_t most_configurations = 300'000;
#endif

// The worse of the two.
void add(Most& all, const Most& one) {
  if (all.count && one.count) {
    all.count = std::max(*all.count, *one.count);
  } else if (all.count) {
    all = one;
  }
}

void add(Assessment::Machine& machine, const Explorations::Explored& explored, WorstCases& worst,
         const model::System& system) {
  const Exploration& found = explored.exploration;
  machine.configurations += found.configurations.size();
  ++machine.inputs;
  if (!found.complete()) machine.extent = found.extent;
  if (machine.extent != Extent::complete) return;
  const WorstCase& one = worst.of(found, *explored.machine, system);
  add(machine.worst.calls, one.calls);
  add(machine.worst.steps, one.steps);
  machine.worst.farthest = std::max(machine.worst.farthest, one.farthest);
}

// "1,234"
std::string grouped(std::int64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
  return text;
}

// "1 call", "1,234 calls"
std::string counted(std::int64_t number, std::string_view noun) {
  return fmt::format("{} {}{}", grouped(number), noun, number == 1 ? "" : "s");
}

std::string to_text(const Most& most) {
  if (most.count) return "at most " + grouped(*most.count);
  std::string text = "no bound, because of " + most.loop;
  if (most.between) {
    text += fmt::format("; at most {} between two answers of a person or events from outside",
                        grouped(*most.between));
  }
  return text;
}

Json to_json(const Most& most) {
  return {{"most", most.count ? Json(*most.count) : Json()},
          {"loop", most.loop.empty() ? Json() : Json(most.loop)},
          {"between", most.between ? Json(*most.between) : Json()}};
}

std::string text_of(const Assessment::Machine& machine) {
  std::string text = "  " + machine.name + ": " + counted(machine.configurations, "configuration");
  if (machine.inputs > 1) text += fmt::format(", given {} different inputs", machine.inputs);
  if (machine.extent != Extent::complete) {
    return text + fmt::format("; {}, so that nothing is proved\n", reason(machine.extent));
  }
  text += fmt::format("\n    calls of agents: {}\n", to_text(machine.worst.calls));
  text += fmt::format("    longest path in events: {}\n", to_text(machine.worst.steps));
  return text + fmt::format("    farthest configuration: after {}\n",
                            counted(machine.worst.farthest, "event"));
}

std::string text_of(const model::Limits& limits) {
  if (!limits.any()) return "  limits: none\n";
  return fmt::format("  limits: {}, passed by no more than what is under way\n",
                     model::to_text(limits));
}

// The most calls of agents in a run, from the bounds in it and its limit; none: there is no bound.
std::optional<std::int64_t> most_calls(const Assessment& assessment) {
  std::optional<std::int64_t> most;
  if (assessment.complete()) most = assessment.machines.front().worst.calls.count;
  const int limit = assessment.limits.calls;
  if (limit > 0) most = std::min<std::int64_t>(most.value_or(limit), limit);
  return most;
}

// The price of a call is not known before it is made.
std::string cost_of(const Assessment& assessment) {
  const std::optional<std::int64_t> calls = most_calls(assessment);
  if (calls == 0) return "nothing, as no agent is called";
  std::string text;
  if (assessment.limits.cost > 0) text = fmt::format("at most ${:.2f}", assessment.limits.cost);
  if (calls) {
    text += fmt::format("{}that of {}, of unknown price", text.empty() ? "" : "; ",
                        counted(*calls, "call"));
  }
  if (!text.empty()) return text;
  return assessment.complete() ? "no bound" : "not known, as not all was looked at";
}

}  // namespace

std::size_t Assessment::configurations() const {
  std::size_t sum = 0;
  for (const Machine& machine : machines) sum += machine.configurations;
  return sum;
}

bool Assessment::complete() const {
  return std::ranges::all_of(machines,
                             [](const Machine& one) { return one.extent == Extent::complete; });
}

Assessment assess(const model::System& system, const Files& files, const fs::path& library) {
  const LintContext context(system, files, library);
  Explorations explorations(context, Numbers::defaults, most_configurations);
  explorations.of(system.main());
  WorstCases worst;
  Assessment result{system.main().file.string(), {}, system.main().limits};
  for (const model::Machine& machine : system.machines) {
    Assessment::Machine one{machine.name, machine.file.string(), 0, 0, Extent::complete, {}};
    one.worst.calls.count = one.worst.steps.count = 0;
    for (const auto& explored : explorations.all()) {
      if (explored.machine == &machine) add(one, explored, worst, system);
    }
    if (one.inputs > 0) result.machines.push_back(std::move(one));
  }
  return result;
}

std::string to_text(const Assessment& assessment) {
  std::string text = fmt::format("{}: {}, {}\n", assessment.file,
                                 counted(assessment.configurations(), "configuration"),
                                 assessment.complete() ? "which are all" : "which are not all");
  for (const Assessment::Machine& machine : assessment.machines) text += text_of(machine);
  return text + text_of(assessment.limits) + "  cost: " + cost_of(assessment) + "\n";
}

Json to_json(const Assessment& assessment) {
  Json machines = Json::array();
  for (const Assessment::Machine& machine : assessment.machines) {
    const bool complete = machine.extent == Extent::complete;
    machines.push_back({{"machine", machine.name},
                        {"file", valid_utf8(machine.file)},
                        {"configurations", machine.configurations},
                        {"inputs", machine.inputs},
                        {"complete", complete},
                        {"reason", complete ? Json() : Json(reason(machine.extent))},
                        {"calls", complete ? to_json(machine.worst.calls) : Json()},
                        {"steps", complete ? to_json(machine.worst.steps) : Json()},
                        {"farthest", complete ? Json(machine.worst.farthest) : Json()}});
  }
  const model::Limits& limits = assessment.limits;
  const std::optional<std::int64_t> calls = most_calls(assessment);
  return {{"file", valid_utf8(assessment.file)},
          {"complete", assessment.complete()},
          {"configurations", assessment.configurations()},
          {"machines", std::move(machines)},
          {"limits",
           {{"calls", limits.calls > 0 ? Json(limits.calls) : Json()},
            {"cost", limits.cost > 0 ? Json(limits.cost) : Json()},
            {"tokens", limits.tokens > 0 ? Json(limits.tokens) : Json()}}},
          {"cost",
           {{"most", limits.cost > 0 ? Json(limits.cost) : Json()},
            {"calls", calls ? Json(*calls) : Json()}}}};
}

}  // namespace agneto::lint
