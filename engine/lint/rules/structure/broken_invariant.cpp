#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "lint/explore/explorations.h"
#include "lint/explore/graph.h"
#include "lint/explore/player.h"
#include "lint/rule.h"

namespace agneto::lint {

namespace {

using model::Invariant;
using Ids = std::vector<std::uint32_t>;

// Which findings are reported: what is broken, or what can neither be proved nor disproved.
enum class Says { broken, unproven };

class Proof {
 public:
  Proof(const LintContext& context, const Machine& machine, Says says, const Reporter& report)
      : context_(context),
        machine_(machine),
        found_(context.exploration(machine, Numbers::defaults)),
        says_(says),
        report_(report) {}

  void check(std::size_t number) {
    const Invariant& invariant = machine_.invariants[number];
    const std::vector<Truth>& truth = found_.invariants[number];
    if (invariant.kind == Invariant::Kind::never) {
      check_never(invariant, truth);
    } else {
      check_always_eventually(invariant, truth);
    }
  }

 private:
  const Span& span(const Invariant& invariant) const { return machine_.code[invariant.code].span; }

  static Ids where(const std::vector<Truth>& truth, Truth wanted) {
    Ids ids;
    for (std::uint32_t i = 0; i < truth.size(); ++i) {
      if (truth[i] == wanted) ids.push_back(i);
    }
    return ids;
  }

  // One to which nothing was guessed, if there is one.
  std::uint32_t best(const Ids& ids) const {
    const auto certain = std::ranges::find_if(
        ids, [&](std::uint32_t id) { return found_.configurations[id].certain; });
    return certain == ids.end() ? ids.front() : *certain;
  }

  std::string state(std::uint32_t at) const {
    const auto& states = found_.configurations[at].states;
    return states.empty() ? machine_.name : machine_.state(states.front()).name;
  }

  void check_never(const Invariant& invariant, const std::vector<Truth>& truth) {
    if (const Ids broken = where(truth, Truth::yes); !broken.empty()) {
      const std::uint32_t at = best(broken);
      Played played = Player(context_, machine_).to(found_, at, invariant.code);
      if (played.confirmed && played.holds == true) {
        return refute(invariant, fmt::format("this happens, in '{}'", state(at)),
                      std::move(played));
      }
      return doubt(invariant, fmt::format("this possibly happens, in '{}'", state(at)),
                   std::move(played));
    }
    if (!found_.complete()) return give_up(invariant);
    if (const Ids open = where(truth, Truth::unknown); !open.empty()) {
      const std::uint32_t at = best(open);
      doubt(invariant,
            fmt::format("whether this happens in '{}' depends on what cannot be worked out",
                        state(at)),
            Player(context_, machine_).to(found_, at));
    }
  }

  void check_always_eventually(const Invariant& invariant, const std::vector<Truth>& truth) {
    if (!found_.complete()) return give_up(invariant);
    const Ids sure = where(truth, Truth::yes);
    Ids maybe = where(truth, Truth::unknown);
    maybe.insert(maybe.end(), sure.begin(), sure.end());
    const auto all = [](const Edge&) { return true; };
    if (const Ids broken = short_of(can_reach(found_, maybe, all)); !broken.empty()) {
      const std::uint32_t at = best(broken);
      Played played = Player(context_, machine_).to(found_, at);
      std::string message =
          fmt::format("this cannot become true any more, once in '{}'", state(at));
      if (played.confirmed) return refute(invariant, std::move(message), std::move(played));
      message = fmt::format("this possibly cannot become true any more, once in '{}'", state(at));
      return doubt(invariant, std::move(message), std::move(played));
    }
    const auto unguessed = [](const Edge& edge) { return !edge.guessed; };
    if (const Ids open = short_of(can_reach(found_, sure, unguessed)); !open.empty()) {
      const std::uint32_t at = best(open);
      doubt(invariant,
            fmt::format("whether this can become true in '{}' depends on what cannot be worked out",
                        state(at)),
            Player(context_, machine_).to(found_, at));
    }
  }

  // A machine that has ended has no more to come.
  Ids short_of(const std::vector<bool>& reaches) const {
    Ids ids;
    for (std::uint32_t i = 0; i < reaches.size(); ++i) {
      if (!reaches[i] && found_.configurations[i].end == Configuration::End::none) ids.push_back(i);
    }
    return ids;
  }

  void refute(const Invariant& invariant, std::string message, Played played) {
    if (says_ != Says::broken) return;
    report_(span(invariant), std::move(message),
            "change the workflow, or the invariant where it says too much")
        .trace = std::move(played.trace);
  }

  void doubt(const Invariant& invariant, std::string message, Played played) {
    if (says_ != Says::unproven) return;
    report_(span(invariant), std::move(message),
            "flags, choices and counters can be worked out, as far as they are assigned from each "
            "other, from literals, and from flags and choices of a verdict")
        .trace = std::move(played.trace);
  }

  void give_up(const Invariant& invariant) {
    if (says_ != Says::unproven) return;
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
    report_(span(invariant), "this is neither proved nor disproved: " + why, std::move(help));
  }

  const LintContext& context_;
  const Machine& machine_;
  const Exploration& found_;
  const Says says_;
  const Reporter report_;
};

template <Says says>
void check(const LintContext& context, const Machine& machine, const Reporter& report) {
  if (machine.invariants.empty()) return;
  Proof proof(context, machine, says, report);
  for (std::size_t i = 0; i < machine.invariants.size(); ++i) proof.check(i);
}

}  // namespace

extern const LintRule broken_invariant = {
    {"E233", "broken-invariant", "an invariant of the workflow's author that a run can break",
     R"(The events shown lead there, with the workflow's own Lua and the defaults of its inputs. `never` says
what is false whenever the machine is at rest, `always_eventually` what can still become true as long
as it runs. The workflow can be run all the same: a run does not look at invariants.)"},
    check<Says::broken>,
    true};

extern const LintRule unproven_invariant = {
    {"W234", "unproven-invariant", "an invariant that is neither proved nor disproved",
     R"(There are more configurations than are looked at, or it depends on what cannot be worked out without
running the workflow, such as a text or a list. So it may hold or not; nothing is claimed.)"},
    check<Says::unproven>,
    true};

}  // namespace agneto::lint
