#include "lint/rule.h"

namespace agneto::lint {

namespace {

constexpr Millis shortest_for_people{1000};
constexpr Millis shortest_call{2000};  // an agent's program has to start
constexpr Millis shortest_program{100};

void check_timers(const Machine& machine, const State& state, const Reporter& report) {
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
}

}  // namespace

extern const LintRule hasty_timer = {
    {"W238", "hasty-timer", "a timer that leaves no time",
     R"(A delay of nothing is no pause: what waits for something and asks again goes round as fast as it can.
And no person reads a question in less than a second, no agent's call ends in less than two, and hardly a
program in less than a tenth of one.)"},
    [](const LintContext&, const Machine& machine, const Reporter& report) {
      for (const State& state : machine.states) {
        check_timers(machine, state, report);
        const auto* program = std::get_if<model::Program>(&state.activity);
        if (!program || program->timeout >= shortest_program) continue;
        report(state.span, "the program of '{}' is ended after {} ms", state.name,
               program->timeout.count())
            .help("say how long it may take, as in `timeout: 10m`");
      }
      for (const model::Agent& agent : machine.agents) {
        if (agent.timeout >= shortest_call) continue;
        report(agent.span, "each call of '{}' is ended after {} ms, before an agent can answer",
               agent.name, agent.timeout.count())
            .help("say how long a call may take, as in `timeout: 30m`");
      }
    }};

}  // namespace agneto::lint
