#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "lint/explore/explore.h"
#include "lint/explore/graph.h"
#include "lint/explore/player.h"
#include "lint/rule.h"

namespace agneto::lint {

namespace {

using model::Invariant;
using Ids = std::vector<std::uint32_t>;

// What is to be said of an invariant that is not proved.
struct Judgement {
  bool refuted = false;  // else it is neither proved nor disproved
  std::string message;
  std::string help;
  std::vector<std::string> trace = {};
};

class Judge {
 public:
  Judge(const LintContext& context, const Machine& machine, const Exploration& found)
      : context_(context), machine_(machine), found_(found) {}

  // Nothing where it holds.
  std::optional<Judgement> of(std::size_t number) const {
    const Invariant& invariant = machine_.invariants[number];
    const std::vector<Truth>& truth = found_.invariants[number];
    return invariant.kind == Invariant::Kind::never ? of_never(invariant.code, truth)
                                                    : of_always_eventually(truth);
  }

 private:
  static Ids where(const std::vector<Truth>& truth, Truth wanted) {
    Ids ids;
    for (std::uint32_t i = 0; i < truth.size(); ++i) {
      if (truth[i] == wanted) ids.push_back(i);
    }
    return ids;
  }

  std::optional<Judgement> of_never(CodeId code, const std::vector<Truth>& truth) const {
    if (auto broken = in(where(truth, Truth::yes), "this happens, in '{}'",
                         "this possibly happens, in '{}'", code)) {
      return broken;
    }
    if (!found_.complete()) return given_up();
    return in(where(truth, Truth::unknown), "",
              "whether this happens in '{}' depends on what cannot be worked out");
  }

  std::optional<Judgement> of_always_eventually(const std::vector<Truth>& truth) const {
    if (!found_.complete()) return given_up();
    const Ids sure = where(truth, Truth::yes);
    Ids maybe = where(truth, Truth::unknown);
    maybe.insert(maybe.end(), sure.begin(), sure.end());
    const auto all = [](const Edge&) { return true; };
    if (auto broken = in(short_of(can_reach(found_, maybe, all)),
                         "this cannot become true any more, once in '{}'",
                         "this possibly cannot become true any more, once in '{}'")) {
      return broken;
    }
    const auto unguessed = [](const Edge& edge) { return !edge.guessed; };
    return in(short_of(can_reach(found_, sure, unguessed)), "",
              "whether this can become true in '{}' depends on what cannot be worked out");
  }

  // Judges by the best of these configurations; nothing where there are none. The message is
  // `refuted` where a run gets there and `asked` is true then, and else `unproven`; both are
  // formats that take the name of a state. An empty `refuted`: no run can show it.
  std::optional<Judgement> in(const Ids& ids, std::string_view refuted, std::string_view unproven,
                              CodeId asked = none) const {
    if (ids.empty()) return std::nullopt;
    // One to which nothing was guessed, if there is one.
    const auto certain = std::ranges::find_if(
        ids, [&](std::uint32_t id) { return found_.configurations[id].certain; });
    const std::uint32_t at = certain == ids.end() ? ids.front() : *certain;
    const auto& states = found_.configurations[at].states;
    Played played = play_to(context_, machine_, found_, at, asked);
    const bool shown = !refuted.empty() && played.confirmed && played.holds.value_or(true) &&
                       !passes_unreached_limit(at);
    return Judgement{
        shown,
        fmt::format(fmt::runtime(shown ? refuted : unproven),
                    states.empty() ? machine_.name : machine_.state(states.front()).name),
        shown ? "change the workflow, or the invariant where it says too much"
              : "flags, choices and counters can be worked out, as far as they are assigned from "
                "each other, from literals, and from flags and choices of a verdict",
        std::move(played.trace)};
  }

  // Does the way there pass the limit of calls with fewer calls than the workflow allows?
  bool passes_unreached_limit(std::uint32_t at) const {
    const std::vector<std::uint32_t> way = found_.way_to(at);
    int calls = found_.configurations[way.empty() ? at : found_.edges[way.front()].from].calls;
    for (const std::uint32_t id : way) {
      const Edge& edge = found_.edges[id];
      const std::string& event = found_.alphabet[edge.input].event.name;
      const bool is_limit = event == "limit" || event == "limit.calls";
      if (is_limit && calls < machine_.limits.calls) return true;
      if (edge.machines > 0) return false;  // those call agents, too
      calls += edge.calls;
    }
    return false;
  }

  // A machine that has ended has no more to come.
  Ids short_of(const std::vector<bool>& reaches) const {
    Ids ids;
    for (std::uint32_t i = 0; i < reaches.size(); ++i) {
      if (!reaches[i] && found_.configurations[i].end == Configuration::End::none) ids.push_back(i);
    }
    return ids;
  }

  Judgement given_up() const {
    using Extent = Exploration::Extent;
    std::string why =
        fmt::format("there are more than {} configurations", found_.configurations.size());
    std::string help =
        "fewer counters, or smaller defaults of the inputs that bound them, make fewer of them";
    if (found_.extent == Extent::too_large) {
      why = "the machine has too many states";
      help = "delegate a part of them to a machine of its own";
    } else if (found_.extent == Extent::lost) {
      why = "an action does what cannot be worked out";
      help = "write out the names of events that are raised, and assign entries of `ctx` by name";
    }
    return {false, "this is neither proved nor disproved: " + why, std::move(help)};
  }

  const LintContext& context_;
  const Machine& machine_;
  const Exploration& found_;
};

// The number inputs that the machine was given, as in " where it is given n = 3".
std::string given_to(const Machine& machine, const Exploration& found) {
  std::vector<std::string> given;
  for (const model::Variable& input : machine.inputs) {
    const auto& inputs = found.beginnings.front().inputs;
    const auto value = inputs.find(input.name);
    const bool same_for_all = std::ranges::all_of(found.beginnings, [&](const Beginning& one) {
      return value != inputs.end() && one.inputs.value(input.name, Json()) == *value;
    });
    if (same_for_all) given.push_back(fmt::format("{} = {}", input.name, value->dump()));
  }
  return given.empty() ? "" : " where it is given " + join(given, ", ");
}

// As it is run by itself, and then as others delegate to it: the first that does not hold.
std::optional<Judgement> judged(const LintContext& context, const Machine& machine,
                                std::size_t invariant) {
  auto alone =
      Judge(context, machine, context.exploration(machine, Numbers::defaults)).of(invariant);
  if (alone && alone->refuted) return alone;
  for (const Exploration* found : context.explored_as_given(machine, Numbers::defaults)) {
    auto given = Judge(context, machine, *found).of(invariant);
    if (!given || (alone && !given->refuted)) continue;
    given->message += given_to(machine, *found);
    return given;
  }
  return alone;
}

template <bool refuted>
void check(const LintContext& context, const Machine& machine, const Reporter& report) {
  for (std::size_t i = 0; i < machine.invariants.size(); ++i) {
    auto judgement = judged(context, machine, i);
    if (!judgement || judgement->refuted != refuted) continue;
    report(machine.code[machine.invariants[i].code].span, std::move(judgement->message))
        .help(judgement->help)
        .trace(std::move(judgement->trace));
  }
}

}  // namespace

extern const LintRule broken_invariant = {
    {"E233", "broken-invariant", "an invariant of the workflow's author that a run can break",
     R"(The events shown lead there, with the workflow's own Lua and the defaults of its inputs, or what a machine
that delegates to it gives. `never` says
what is false whenever the machine is at rest, `always_eventually` what can still become true as long
as it runs. The workflow can be run all the same: a run does not look at invariants.)"},
    check<true>,
    true};

extern const LintRule unproven_invariant = {
    {"W234", "unproven-invariant", "an invariant that is neither proved nor disproved",
     R"(There are more configurations than are looked at, or it depends on what cannot be worked out without
running the workflow, such as a text or a list. So it may hold or not; nothing is claimed.)"},
    check<false>,
    true};

}  // namespace agneto::lint
