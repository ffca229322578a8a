#include "lint/rule.h"

namespace agneto::lint {

namespace {

constexpr Millis shortest_for_people{1000};

}  // namespace

extern const LintRule hasty_timer = {
    {"W238", "hasty-timer", "a timer that leaves no time",
     R"(A delay of nothing is no pause: what waits for something and asks again goes round as fast as it can.
And no person reads a question in less than a second.)"},
    [](const LintContext&, const Machine& machine, const State& state, const Reporter& report) {
      const bool asks = std::holds_alternative<model::Ask>(state.activity);
      for (const TransitionId id : state.after) {
        const Transition& transition = machine.transitions[id];
        if (transition.delay_code != none || transition.timer != id) continue;
        if (transition.delay == Millis(0)) {
          report(transition.span, "this delay is none: the timer comes due at once")
              .help("say how long to wait, as in 30s; what is to come at once is `always`");
        } else if (asks && transition.delay < shortest_for_people) {
          report(transition.span, "'{}' is taken away after {} ms, before anybody can answer",
                 state.name, transition.delay.count())
              .help("say how long a person has, as in 24h");
        }
      }
    }};

}  // namespace agneto::lint
