#include "lint/report/assessment.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "lint/explore/abstract_values.h"
#include "lint/explore/explorations.h"
#include "lint/explore/faults.h"
#include "lint/explore/judge.h"
#include "lint/expressions.h"

namespace agneto::lint {

namespace {

using Extent = Exploration::Extent;

#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
constexpr std::size_t most_assessed = 300;
#else
constexpr std::size_t most_assessed = 300'000;
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

// Lines of the Lua that can fail, unless an error in it is one of an activity.
std::vector<int> fallible(const LintContext& context, const model::Machine& machine) {
  const Faults faults(machine);
  std::set<int> lines;
  for (const Piece& piece : context.pieces(machine)) {
    const bool counts = is_one_of(piece.code->what, {"guard", "do", "entry", "exit", "delay"});
    const bool begins = piece.code->what == "init";
    if (begins || (counts && faults.in_piece(piece))) lines.insert(piece.code->span.line());
  }
  return {lines.begin(), lines.end()};
}

// Numbers that are taken to be their defaults, as there may be too many others.
Json numbers_of(const model::Machine& machine) {
  Json numbers = Json::object();
  for (const model::Variable& input : machine.inputs) {
    const bool is_number = input.initial && input.initial->is_number_integer();
    if (is_number && values_of(input).empty()) numbers[input.name] = *input.initial;
  }
  return numbers;
}

class Proofs {
 public:
  explicit Proofs(const LintContext& context)
      : context_(context), faulty_(context, Numbers::defaults, most_assessed, true) {}

  std::vector<Proof> of(const model::Machine& machine) {
    std::vector<Proof> proofs;
    for (std::size_t i = 0; i < machine.invariants.size(); ++i) {
      const model::Invariant& invariant = machine.invariants[i];
      Proof proof;
      proof.line = machine.code[invariant.code].span.line();
      const auto judgement = judge(context_, machine, i);
      if (judgement) {
        proof.result = judgement->refuted ? Proof::Result::broken : Proof::Result::open;
      } else {
        proof.fair = invariant.kind == model::Invariant::Kind::leads_to;
        proof.inputs = numbers_of(machine);
        proof.but_for = fallible(context_, machine);
        if (!proof.but_for.empty() && holds_with_errors(machine, i)) proof.but_for.clear();
      }
      proofs.push_back(std::move(proof));
    }
    return proofs;
  }

 private:
  bool holds_with_errors(const model::Machine& machine, std::size_t invariant) {
    faulty_.of(context_.system.main());
    faulty_.of(machine);
    return std::ranges::all_of(faulty_.all(), [&](const Explorations::Explored& one) {
      return one.machine != &machine || !judge_in(context_, machine, one.exploration, invariant);
    });
  }

  const LintContext& context_;
  Explorations faulty_;
};

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

std::string text_of(const Proof& proof) {
  std::string text = fmt::format("    invariant in line {}: ", proof.line);
  if (proof.result == Proof::Result::broken) return text + "broken\n";
  if (proof.result == Proof::Result::open) return text + "neither proved nor disproved\n";
  std::vector<std::string> rests = {"proved"};
  for (const auto& [name, value] : proof.inputs.items()) {
    rests.push_back(fmt::format("with {} = {}", name, value.dump()));
  }
  if (proof.fair) rests.emplace_back("for fair runs");
  if (!proof.but_for.empty()) {
    rests.push_back(fmt::format("but for errors of the Lua in line{} {}",
                                proof.but_for.size() == 1 ? "" : "s",
                                fmt::join(proof.but_for, ", ")));
  }
  return text + join(rests, ", ") + "\n";
}

Json to_json(const Proof& proof) {
  constexpr std::string_view results[] = {"proved", "broken", "open"};
  return {{"line", proof.line},
          {"result", results[static_cast<std::size_t>(proof.result)]},
          {"fair", proof.fair},
          {"inputs", proof.inputs},
          {"but_for", proof.but_for}};
}

Json to_json(const std::vector<Proof>& proofs) {
  Json all = Json::array();
  for (const Proof& proof : proofs) all.push_back(to_json(proof));
  return all;
}

std::string text_of(const Assessment::Machine& machine) {
  std::string text = "  " + machine.name + ": " + counted(machine.configurations, "configuration");
  if (machine.inputs > 1) text += fmt::format(", given {} different inputs", machine.inputs);
  std::string proofs;
  for (const Proof& proof : machine.invariants) proofs += text_of(proof);
  if (machine.extent != Extent::complete) {
    return text +
           fmt::format("; {}, so that nothing {}is proved\n", reason(machine.extent),
                       proofs.empty() ? "" : "but what is said here ") +
           proofs;
  }
  text += fmt::format("\n    calls of agents: {}\n", to_text(machine.worst.calls));
  text += fmt::format("    longest path in events: {}\n", to_text(machine.worst.steps));
  text += fmt::format("    farthest configuration: after {}\n",
                      counted(machine.worst.farthest, "event"));
  return text + proofs;
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
  Explorations explorations(context, Numbers::defaults, most_assessed);
  explorations.of(system.main());
  WorstCases worst;
  Proofs proofs(context);
  Assessment result{system.main().file.string(), {}, system.main().limits};
  for (const model::Machine& machine : system.machines) {
    Assessment::Machine one{machine.name, machine.file.string(), 0, 0, Extent::complete, {}, {}};
    one.worst.calls.count = one.worst.steps.count = 0;
    for (const auto& explored : explorations.all()) {
      if (explored.machine == &machine) add(one, explored, worst, system);
    }
    one.invariants = proofs.of(machine);
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
                        {"invariants", to_json(machine.invariants)},
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
