#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "lint/check.h"
#include "lint/explore/explorations.h"
#include "lint/explore/player.h"
#include "lint/explore/product.h"

namespace agneto::lint {

namespace {

using model::Invariant;
using model::Machine;
using Ids = std::vector<std::uint32_t>;

// Of what is broken, or of what can neither be proved nor disproved.
enum class Says { broken, unproven };

class Proof {
 public:
  Proof(const Subject& subject, const Machine& machine, Says says, Diagnostics& diagnostics)
      : subject_(subject),
        machine_(machine),
        found_(subject.exploration(machine, Numbers::defaults)),
        says_(says),
        diagnostics_(diagnostics) {}

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
    const auto certain = std::find_if(ids.begin(), ids.end(), [&](std::uint32_t id) {
      return found_.configurations[id].certain;
    });
    return certain == ids.end() ? ids.front() : *certain;
  }

  std::string state(std::uint32_t at) const {
    const auto& states = found_.configurations[at].states;
    return states.empty() ? machine_.name : machine_.state(states.front()).name;
  }

  void check_never(const Invariant& invariant, const std::vector<Truth>& truth) {
    if (const Ids broken = where(truth, Truth::yes); !broken.empty()) {
      const std::uint32_t at = best(broken);
      Played played = Player(subject_, machine_).to(found_, at, invariant.code);
      if (played.confirmed && played.holds == true) {
        return report(invariant, fmt::format("this happens, in '{}'", state(at)),
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
            Player(subject_, machine_).to(found_, at));
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
      Played played = Player(subject_, machine_).to(found_, at);
      std::string message =
          fmt::format("this cannot become true any more, once in '{}'", state(at));
      if (played.confirmed) return report(invariant, std::move(message), std::move(played));
      message = fmt::format("this possibly cannot become true any more, once in '{}'", state(at));
      return doubt(invariant, std::move(message), std::move(played));
    }
    const auto unguessed = [](const Edge& edge) { return !edge.guessed; };
    if (const Ids open = short_of(can_reach(found_, sure, unguessed)); !open.empty()) {
      const std::uint32_t at = best(open);
      doubt(invariant,
            fmt::format("whether this can become true in '{}' depends on what cannot be worked out",
                        state(at)),
            Player(subject_, machine_).to(found_, at));
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

  void report(const Invariant& invariant, std::string message, Played played) {
    if (says_ != Says::broken) return;
    Diagnostic& finding =
        diagnostics_.error(broken_invariant.name, span(invariant), std::move(message));
    finding.help = "change the workflow, or the invariant where it says too much";
    finding.trace = std::move(played.trace);
  }

  void doubt(const Invariant& invariant, std::string message, Played played) {
    if (says_ != Says::unproven) return;
    Diagnostic& finding =
        diagnostics_.warning(unproven_invariant.name, span(invariant), std::move(message));
    finding.help =
        "flags, choices and counters can be worked out, as far as they are assigned "
        "from each other, from literals, and from flags and choices of a verdict";
    finding.trace = std::move(played.trace);
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
    diagnostics_
        .warning(unproven_invariant.name, span(invariant),
                 "this is neither proved nor disproved: " + why)
        .help = std::move(help);
  }

  const Subject& subject_;
  const Machine& machine_;
  const Exploration& found_;
  const Says says_;
  Diagnostics& diagnostics_;
};

template <Says says>
void check(const Subject& subject, Diagnostics& diagnostics) {
  for (const Machine& machine : subject.system.machines) {
    if (machine.invariants.empty()) continue;
    Proof proof(subject, machine, says, diagnostics);
    for (std::size_t i = 0; i < machine.invariants.size(); ++i) proof.check(i);
  }
}

}  // namespace

const Check broken_invariant = {"broken-invariant", check<Says::broken>, true};
const Check unproven_invariant = {"unproven-invariant", check<Says::unproven>, true};

}  // namespace agneto::lint
