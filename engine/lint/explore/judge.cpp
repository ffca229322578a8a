#include "lint/explore/judge.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "lint/explore/explore.h"
#include "lint/explore/fairness.h"
#include "lint/explore/player.h"
#include "lint/explore/slice.h"
#include "lint/explore/ways.h"

namespace agneto::lint {

namespace {

using model::Invariant;
using Ids = std::vector<std::uint32_t>;

class Judge {
 public:
  Judge(const LintContext& context, const Machine& machine, const Exploration& found)
      : context_(context),
        machine_(machine),
        found_(found),
        met_(reached(found, [&](const Edge& edge) { return happens(edge); })) {}

  // Nothing where it holds.
  std::optional<Judgement> of(std::size_t number) const {
    const Invariant& invariant = machine_.invariants[number];
    const std::vector<Truth>& truth = found_.invariants[number];
    switch (invariant.kind) {
      case Invariant::Kind::never:
        return of_never(invariant.code, truth);
      case Invariant::Kind::always_eventually:
        return of_always_eventually(truth);
      case Invariant::Kind::leads_to:
        return of_leads_to(invariant, found_.afters[number], truth);
    }
    return std::nullopt;
  }

 private:
  bool happens(const Edge& edge) const {
    return found_.alphabet[edge.input].due != Due::impossible;
  }

  // What is impossible is looked at all the same, and does not count.
  Ids met(Ids ids) const {
    std::erase_if(ids, [&](std::uint32_t id) { return !met_[id]; });
    return ids;
  }

  // The edges that lead to the configuration, of which none is impossible.
  Ids way_to(std::uint32_t at) const {
    const Ids way = found_.way_to(at);
    const bool can_be =
        std::ranges::all_of(way, [&](std::uint32_t edge) { return happens(found_.edges[edge]); });
    if (can_be) return way;
    Ids shortest;
    for (std::uint32_t i = 0; i < met_.size(); ++i) {
      if (found_.configurations[i].distance > 0) continue;
      if (i == at) return {};
      Ids one = shortest_way(
          found_, i, [&](std::uint32_t to) { return to == at; },
          [&](const Edge& edge) { return happens(edge); }, true);
      if (!one.empty() && (shortest.empty() || one.size() < shortest.size())) {
        shortest = std::move(one);
      }
    }
    return shortest;
  }

  template <typename Value>
  static Ids where(const std::vector<Value>& values, Value wanted) {
    Ids ids;
    for (std::uint32_t i = 0; i < values.size(); ++i) {
      if (values[i] == wanted) ids.push_back(i);
    }
    return ids;
  }

  // One to which nothing was guessed, if there is one.
  std::uint32_t best(const Ids& ids) const {
    const auto certain = std::ranges::find_if(
        ids, [&](std::uint32_t id) { return found_.configurations[id].certain; });
    return certain == ids.end() ? ids.front() : *certain;
  }

  std::optional<Judgement> of_never(CodeId code, const std::vector<Truth>& truth) const {
    if (auto broken = in(met(where(truth, Truth::yes)), "this happens, in '{}'",
                         "this possibly happens, in '{}'", code)) {
      return broken;
    }
    if (!found_.complete()) return given_up();
    return in(met(where(truth, Truth::unknown)), "",
              "whether this happens in '{}' depends on what cannot be worked out");
  }

  std::optional<Judgement> of_always_eventually(const std::vector<Truth>& truth) const {
    if (!found_.complete()) return given_up();
    const Ids sure = where(truth, Truth::yes);
    Ids maybe = where(truth, Truth::unknown);
    maybe.insert(maybe.end(), sure.begin(), sure.end());
    const auto all = [&](const Edge& edge) { return happens(edge); };
    if (auto broken = in(short_of(can_reach(found_, maybe, all)),
                         "this cannot become true any more, once in '{}'",
                         "this possibly cannot become true any more, once in '{}'")) {
      return broken;
    }
    std::vector<bool> goals(truth.size());
    for (const std::uint32_t at : sure) goals[at] = true;
    const Ids doubtful = short_of(sure_ways(found_, machine_, goals));
    if (doubtful.empty()) return std::nullopt;
    const std::uint32_t from = best(doubtful);
    const auto is_goal = [&](std::uint32_t at) { return truth[at] != Truth::no; };
    const std::string rests_on =
        what_is_doubtful(found_, machine_, shortest_way(found_, from, is_goal, all, false));
    if (rests_on.empty()) {
      return in(doubtful, "",
                "whether this can become true in '{}' depends on what cannot be worked out");
    }
    auto judgement =
        in(doubtful, "", "whether this can become true in '{}' depends on whether " + rests_on);
    judgement->help = "let another way lead there, on which each step surely can happen";
    return judgement;
  }

  // Judges by the best of these configurations; nothing where there are none. The message is
  // `refuted` where a run gets there and `asked` is true then, and else `unproven`; both are
  // formats that take the name of a state. An empty `refuted`: no run can show it.
  std::optional<Judgement> in(const Ids& ids, std::string_view refuted, std::string_view unproven,
                              CodeId asked = none) const {
    if (ids.empty()) return std::nullopt;
    const std::uint32_t at = best(ids);
    std::vector<Expected> expected;
    if (asked != none) expected.push_back({asked});
    const std::vector<std::uint32_t> way = way_to(at);
    Played played = play(context_, machine_, found_, way, at, expected);
    const bool shown = !refuted.empty() && played.confirmed && !passes_unreached_limit(way, at);
    return judgement(shown, fmt::format(fmt::runtime(shown ? refuted : unproven), name_of(at)),
                     std::move(played));
  }

  static Judgement judgement(bool shown, std::string message, Played played) {
    return {shown, std::move(message),
            shown
                ? "change the workflow, or the invariant where it says too much"
                : "flags, choices and counters can be worked out, as far as they are assigned from "
                  "each other, from literals, and from flags and choices of a verdict",
            std::move(played.trace)};
  }

  const std::string& name_of(std::uint32_t at) const {
    const auto& states = found_.configurations[at].states;
    return states.empty() ? machine_.name : machine_.state(states.front()).name;
  }

  // The best that there is to show: with nothing guessed and nothing that need not come, if that
  // can be.
  std::optional<Judgement> of_leads_to(const Invariant& invariant, const std::vector<Truth>& after,
                                       const std::vector<Truth>& truth) const {
    if (!found_.complete()) return given_up();
    std::vector<bool> may_be(truth.size());
    std::vector<bool> is(truth.size());
    for (std::size_t i = 0; i < truth.size(); ++i) {
      may_be[i] = truth[i] != Truth::no;
      is[i] = truth[i] == Truth::yes;
    }
    const std::vector<bool> possible = possible_traps(found_, is);
    const Counts all = [&](const Edge& edge) {
      return happens(edge) && !is[edge.from] && !is[edge.to];
    };
    const auto starts = [&](Truth wanted, const std::vector<bool>& traps, const Counts& counts) {
      const std::vector<bool> reaches = can_reach(found_, where(traps, true), counts);
      Ids ids;
      for (std::uint32_t i = 0; i < after.size(); ++i) {
        const bool starts_here = after[i] == Truth::yes || after[i] == wanted;
        if (starts_here && reaches[i] && met_[i]) ids.push_back(i);
      }
      return ids;
    };
    const Ids doubtful = starts(Truth::unknown, possible, all);
    if (doubtful.empty()) return std::nullopt;
    const std::vector<bool> certain = certain_traps(found_, may_be);
    const Counts open = [&](const Edge& edge) {
      return happens(edge) && !may_be[edge.from] && !may_be[edge.to];
    };
    const Counts unguessed = [&](const Edge& edge) { return open(edge) && !edge.guessed; };
    const Counts usual = [&](const Edge& edge) {
      return unguessed(edge) && found_.alphabet[edge.input].due != Due::never;
    };
    for (const Counts& counts : {usual, unguessed, open}) {
      const Ids ids = starts(Truth::yes, certain, counts);
      if (ids.empty()) continue;
      auto judgement = without_end(invariant, best(ids), certain, counts, true);
      if (judgement.refuted) return judgement;
    }
    return without_end(invariant, best(doubtful), possible, all, false);
  }

  // Tells what leads from the configuration to where the invariant's expression need not come true.
  Judgement without_end(const Invariant& invariant, std::uint32_t from,
                        const std::vector<bool>& traps, const Counts& counts, bool refutes) const {
    const Lasso on = lasso(found_, from, traps, counts);
    std::vector<std::uint32_t> way = way_to(from);
    const std::size_t before = way.size();
    way.insert(way.end(), on.way.begin(), on.way.end());
    const std::uint32_t end = on.way.empty() ? from : found_.edges[on.way.back()].to;
    const std::vector<Expected> expected = {{invariant.after, before, before},
                                            {invariant.code, before, way.size(), false}};
    Played played = play(context_, machine_, found_, way, end, expected);
    const bool shown = refutes && played.confirmed && !passes_unreached_limit(way, end);
    Judgement result =
        judgement(shown,
                  fmt::format("once in '{}', this {} become true: {}", name_of(from),
                              shown ? "need never" : "possibly need never", what_happens(on, end)),
                  std::move(played));
    if (!shown) {
      result.help =
          "what a guard on a text decides, and what another machine ends in, may be the same each "
          "time";
    }
    return result;
  }

  std::string what_happens(const Lasso& on, std::uint32_t end) const {
    using End = Configuration::End;
    const Configuration& one = found_.configurations[end];
    if (one.end == End::final) {
      return fmt::format("the machine ends in '{}' without it", name_of(end));
    }
    if (one.end == End::failure) {
      return fmt::format("the machine fails in '{}' without it", name_of(end));
    }
    if (on.loop == 0) return fmt::format("the machine may wait in '{}' for ever", name_of(end));
    const auto told = std::count_if(
        on.way.end() - static_cast<std::ptrdiff_t>(on.loop), on.way.end(), [&](std::uint32_t edge) {
          return found_.alphabet[found_.edges[edge].input].event.kind != chart::Event::Kind::queued;
        });
    if (told == 0) return fmt::format("the machine goes round in '{}' for ever", name_of(end));
    return fmt::format("the last {} shown lead{} back to '{}', and so on for ever",
                       told == 1 ? "event" : std::to_string(told) + " events", told == 1 ? "s" : "",
                       name_of(end));
  }

  // Does the way there pass the limit of calls with fewer calls than the workflow allows?
  bool passes_unreached_limit(const Ids& way, std::uint32_t at) const {
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
      const bool goes_on = found_.configurations[i].end == Configuration::End::none;
      if (!reaches[i] && met_[i] && goes_on) ids.push_back(i);
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
  const std::vector<bool> met_;  // by configuration: does anything possible lead there?
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

// Where there are too many configurations, by what the invariant looks at.
std::optional<Judgement> judge_alone(const LintContext& context, const Machine& machine,
                                     std::size_t invariant) {
  const Exploration& all = context.exploration(machine, Numbers::defaults);
  auto judgement = Judge(context, machine, all).of(invariant);
  const bool given_up = all.extent == Exploration::Extent::over_budget;
  if (!given_up || !judgement || judgement->refuted) return judgement;
  const auto names = looked_at(context, machine, machine.invariants[invariant]);
  if (names.size() >= all.names) return judgement;
  const Exploration& some = context.exploration_about(machine, names);
  auto of_some = Judge(context, machine, some).of(invariant);
  const bool decides = some.complete() || (of_some && of_some->refuted);
  return decides ? of_some : judgement;
}

}  // namespace

std::optional<Judgement> judge(const LintContext& context, const Machine& machine,
                               std::size_t invariant) {
  auto alone = judge_alone(context, machine, invariant);
  if (alone && alone->refuted) return alone;
  for (const Exploration* found : context.explored_as_given(machine, Numbers::defaults)) {
    auto given = Judge(context, machine, *found).of(invariant);
    if (!given || (alone && !given->refuted)) continue;
    given->message += given_to(machine, *found);
    return given;
  }
  return alone;
}

std::optional<Judgement> judge_in(const LintContext& context, const Machine& machine,
                                  const Exploration& found, std::size_t invariant) {
  return Judge(context, machine, found).of(invariant);
}

}  // namespace agneto::lint
