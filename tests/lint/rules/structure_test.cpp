// What rules about states and transitions find and leave alone, beside their examples.
#include <gmock/gmock.h>

#include "lint/linting.h"

namespace agneto::lint {
namespace {

using testing::HasSubstr;

TEST(SameGuard, IsAlsoAWiderOneBefore) {
  const auto guards = [](const std::string& first, const std::string& second) {
    return lint_text(R"(agneto: 1
name: flow
context: {n: 0, share: 0.5}
initial: WATCHING
on: {failure: {do: ctx.n = ctx.n + 1}, read: {do: ctx.share = ctx.share / 2}}
states:
  WATCHING: {after: {1h: JUDGING}}
  JUDGING:
    always:
      - {guard: )" + first +
                     ", target: NOTED}\n      - {guard: " + second + R"(, target: PAGED}
      - QUIET
  NOTED: {final: true}
  PAGED: {final: true}
  QUIET: {final: true}
)");
  };
  const char* found =
      "warning: where this is true the guard before it is true, so that this is never taken "
      "[W215/same-guard]";
  EXPECT_THAT(guards("ctx.n > 1", "ctx.n > 10"), HasSubstr(found));
  EXPECT_THAT(guards("ctx.n >= 1", "ctx.n > 0 and ctx.share < 1"), HasSubstr(found));
  EXPECT_THAT(guards("ctx.share >= 1", "ctx.share > 0"), testing::Not(HasSubstr("W215")));
  EXPECT_THAT(guards("ctx.n > 10", "ctx.n > 1"), testing::Not(HasSubstr("W215")));
  EXPECT_THAT(guards("ctx.n > 1", "ctx.share > 10"), testing::Not(HasSubstr("W215")));
}

TEST(Undecided, IsANumberThatNoGuardTakes) {
  const auto guards = [](const std::string& low) {
    return lint_text(R"(agneto: 1
name: flow
context: {score: 0}
initial: SCORING
states:
  SCORING:
    run: {argv: [score]}
    on: {ok: {target: JUDGING, do: "ctx.score = #event.output"}, failed: BAD, error: BAD}
  JUDGING:
    always:
      - {guard: ctx.score > 5, target: GOOD}
      - {guard: )" + low +
                     R"(, target: BAD}
  GOOD: {final: true}
  BAD: {final: true, status: failed}
)");
  };
  EXPECT_THAT(guards("ctx.score < 5"),
              HasSubstr("warning: where it is 5, no guard is true, and nothing ever happens in "
                        "'JUDGING' [W225/undecided]"));
  EXPECT_THAT(guards("ctx.score <= 5"), testing::Not(HasSubstr("W225")));
  EXPECT_THAT(guards("ctx.score < 6"), testing::Not(HasSubstr("W225")));
  EXPECT_THAT(guards("ctx.score < 5.5"), testing::Not(HasSubstr("W225")));
}

TEST(DeadEnd, IsNoModeOfTheStateAround) {
  const auto around = [](const std::string& alarm) {
    return lint_text(
        "agneto: 1\nname: flow\ninitial: SHIFT\nstates:\n  SHIFT:\n    initial: CALM\n"
        "    on: {alarm: " +
        alarm +
        ", over: END}\n    states:\n      CALM: {description: Nothing is on}\n"
        "      BUSY: {on: {calm: CALM}}\n  END: {final: true}\n");
  };
  EXPECT_EQ(around("{target: BUSY, internal: true}"), "");
  EXPECT_THAT(around("END"), HasSubstr("warning: nothing happens in 'CALM'"));
}

// Where it is not active it is no matter that the event comes.
TEST(LostEvent, IsNotOneThatAStateReactsToBesideOthers) {
  const auto regions = [](const std::string& running) {
    return lint_text(R"(agneto: 1
name: brake
initial: DRIVING
states:
  DRIVING:
    parallel: true
    on: {arrived: ARRIVED}
    states:
      ENGINE:
        initial: IDLE
        states:
          IDLE: {on: {throttle: RUNNING}}
          RUNNING: {on: {)" +
                     running + R"(}}
      BRAKE:
        initial: FREE
        states:
          FREE: {on: {brake: {target: BRAKED, do: raise("braked")}}}
          BRAKED: {on: {unbrake: FREE}}
  ARRIVED: {final: true}
)");
  };
  EXPECT_EQ(regions("release: IDLE, braked: IDLE"), "");
  EXPECT_THAT(regions("braked: IDLE"), HasSubstr("warning: 'braked' is lost"));
}

TEST(Deadlock, IsAnOutcomeThatLeadsNowhere) {
  EXPECT_THAT(
      lint_text("agneto: 1\nname: flow\ninitial: A\nstates:\n  A:\n    run: {argv: [make]}\n"
                "    on: {ok: END, failed: {}, error: END}\n  END: {final: true}\n"),
      HasSubstr("warning: in 'A' the machine can stop with nothing to wait for "
                "[W227/deadlock]"));
}

TEST(UnreachableState, IsNotWhatAShallowHistoryEntersAnew) {
  EXPECT_EQ(lint_text(R"(agneto: 1
name: flow
initial: OUT
states:
  OUT:
    initial: A2
    on: {hold: HELD}
    states:
      A:
        initial: A1
        states:
          A1:
            run: {argv: [make]}
            on: {ok: END, failed: END, error: END}
          A2:
            run: {argv: [make, other]}
            on: {ok: OTHER, failed: END, error: END}
      BACK: {history: shallow, default: A2}
  HELD:
    ask: {question: Again, options: {GO: Go on, HALT: Stop}}
    on: {GO: BACK, HALT: END}
  OTHER: {final: true}
  END: {final: true}
)"),
            "");
}

}  // namespace
}  // namespace agneto::lint
