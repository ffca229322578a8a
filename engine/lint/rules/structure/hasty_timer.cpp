#include "base/text.h"
#include "lint/rule.h"

namespace agneto::lint {

namespace {

constexpr auto duration = Parameter::Kind::duration;
constexpr Parameter person = {"person", "the least time that a person has for a question", duration,
                              1000};
constexpr Parameter call = {"call", "the least `timeout` of an agent's call", duration, 2000};
constexpr Parameter program = {"program", "the least `timeout` of a program", duration, 100};
constexpr const Parameter* least_times[] = {&person, &call, &program};

bool is_less(Millis time, const Parameter& least, const Reporter& report) {
  return static_cast<double>(time.count()) < report.value(least);
}

void check_timers(const Machine& machine, const State& state, const Reporter& report) {
  const bool asks = std::holds_alternative<model::Ask>(state.activity);
  for (const TransitionId id : state.after) {
    const Transition& transition = machine.transitions[id];
    if (transition.delay_code != none || transition.timer != id) continue;
    if (transition.delay == Millis(0)) {
      report(transition.span, "this delay is none: the timer comes due at once")
          .help("say how long to wait, as in 30s; what is to come at once is `always`");
    } else if (asks && is_less(transition.delay, person, report)) {
      report(transition.span, "'{}' is taken away after {}, before anybody can answer", state.name,
             format_duration(transition.delay))
          .help("say how long a person has, as in 24h");
    }
  }
}

}  // namespace

extern const LintRule hasty_timer = {
    {"W238", "hasty-timer", "a timer that leaves no time",
     R"(A delay of nothing is no pause: what waits for something and asks again goes round as fast as it can.
And no person reads a question in less than a second, no agent's call ends in less than two, and hardly a
program in less than a tenth of one.)",
     false, least_times},
    [](const LintContext&, const Machine& machine, const Reporter& report) {
      for (const State& state : machine.states) {
        check_timers(machine, state, report);
        const auto* run = std::get_if<model::Program>(&state.activity);
        if (!run || !is_less(run->timeout, program, report)) continue;
        report(state.span, "the program of '{}' is ended after {}", state.name,
               format_duration(run->timeout))
            .help("say how long it may take, as in `timeout: 10m`");
      }
      for (const model::Agent& agent : machine.agents) {
        if (!is_less(agent.timeout, call, report)) continue;
        report(agent.span, "each call of '{}' is ended after {}, before an agent can answer",
               agent.name, format_duration(agent.timeout))
            .help("say how long a call may take, as in `timeout: 30m`");
      }
    }};

}  // namespace agneto::lint
