// What rules about states and transitions find and leave alone, beside their examples.
#include <gmock/gmock.h>

#include <array>

#include "lint/linting.h"

namespace agneto::lint {
namespace {

using testing::HasSubstr;
using testing::Not;

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

// The state A is tried as long as the guard is true, and the entry is counted so.
std::string lint_counter(const std::string& entry, const std::string& guard,
                         const std::string& count) {
  return lint_text(
      "agneto: 1\nname: flow\nlimits: {calls: 9}\ninputs: {tries: {type: integer, "
      "default: 3, minimum: 1}, share: {type: number, default: 2}}\n"
      "agents: {coder: {hooks: hooks.lua}}\ncontext: {n: " +
          entry +
          "}\ninitial: A\nstates:\n  A:\n"
          "    agent: {name: coder, verdicts: {OK: {}, AGAIN: {}}}\n    on:\n      OK: END\n"
          "      AGAIN:\n        - {guard: " +
          guard + ", target: A, do: '" + count +
          "'}\n        - BAD\n      error: BAD\n  END: {final: true}\n"
          "  BAD: {final: true, status: failed}\n"
          "outputs: {tries: inputs.tries, share: inputs.share, n: ctx.n}\n",
      {.configurations = 100});
}

TEST(UnreachedBound, IsOfWhatIsCountedAwayFromIt) {
  const auto said = [](const std::string& how) {
    return HasSubstr("warning: ctx.n never comes to this bound, as it " + how +
                     " [W232/unreached-bound]");
  };
  EXPECT_THAT(lint_counter("3", "ctx.n > 0", "ctx.n = ctx.n + 1"),
              said("only grows: this is always true"));
  EXPECT_THAT(lint_counter("{type: integer, init: inputs.tries}", "ctx.n > 0", "ctx.n = 1 + ctx.n"),
              said("only grows: this is always true"));
  EXPECT_THAT(lint_counter("0", "ctx.n < 5", "ctx.n = ctx.n - 1"),
              said("only shrinks: this is always true"));
  EXPECT_THAT(lint_counter("0", "ctx.n ~= 5", "ctx.n = ctx.n + 2"),
              said("is counted past it: this is always true"));
  EXPECT_THAT(lint_counter("0", "not (ctx.n == 5)", "ctx.n = ctx.n - 1"),
              said("only shrinks: this is always false"));
}

TEST(UnreachedBound, IsNotOfWhatMayComeToIt) {
  for (const auto& [entry, guard, count] : std::vector<std::array<const char*, 3>>{
           {"0", "ctx.n < 5", "ctx.n = ctx.n + 1"},
           {"3", "ctx.n > 0", "ctx.n = ctx.n - 1"},
           {"1", "ctx.n ~= 5", "ctx.n = ctx.n + 2"},
           {"3", "ctx.n > 0", "ctx.n = ctx.n + inputs.tries"},
           {"{type: number, init: inputs.share}", "ctx.n > 0", "ctx.n = ctx.n + 1"},
           {"0", "ctx.n ~= 5", "ctx.n = ctx.n + 0.5"}}) {
    EXPECT_THAT(lint_counter(entry, guard, count), testing::Not(HasSubstr("W232"))) << guard;
  }
}

// A state that is left for `tick` after the delay, and has a timer.
std::string lint_tick(const std::string& send, const std::string& on,
                      const std::string& more = "") {
  return lint_text("agneto: 1\nname: flow\ninitial: A\nstates:\n  A:\n    entry: |\n      " + send +
                       "\n" + more +
                       "    ask: {question: Well, options: {YES: It is, NO: It is not}}\n"
                       "    on: {YES: END, NO: END, " +
                       on + "}\n    after: {1h: LATE}\n  END: {final: true}\n" +
                       "  LATE: {final: true, status: failed}\n",
                   {.explore = false});
}

TEST(ShadowedTimer, IsBehindAnEventThatTheStateSendsItself) {
  EXPECT_THAT(
      lint_tick("send(\"tick\", {}, {after = \"10m\"})", "tick: A"),
      HasSubstr("warning: 'A' is left for 'tick' after 10m already, and where it is entered again "
                "this begins anew [W221/shadowed-timer]"));
  EXPECT_EQ(lint_tick("send(\"tick\", {}, {after = \"10m\"})", "tick: {}"), "");
  EXPECT_EQ(lint_tick("send(\"tick\", {}, {after = \"2h\"})", "tick: A"), "");
  EXPECT_EQ(
      lint_tick("if run.auto_merge then send(\"tick\", {}, {after = \"10m\"}) end", "tick: A"), "");
}

TEST(StaleEvent, ComesInTheStateThatIsEnteredAgain) {
  const auto tries = [](const std::string& id, const std::string& exit) {
    return lint_text(
        "agneto: 1\nname: flow\ncontext: {n: 0}\ninitial: A\nstates:\n  A:\n"
        "    entry: |\n      ctx.n = ctx.n + 1\n      send(\"slow\", {}, {after = \"10m\"" +
            id + "})\n" + exit +
            "    run: {argv: [make], timeout: 1h}\n    on:\n      ok: END\n      slow: BAD\n"
            "      failed: [{guard: ctx.n < 3, target: A}, BAD]\n      error: BAD\n"
            "  END: {final: true}\n  BAD: {final: true, status: failed}\n",
        {.explore = false});
  };
  EXPECT_THAT(tries("", ""),
              HasSubstr("warning: 'slow' may still be on its way when 'A' is entered "
                        "again, and ends that too early [W242/stale-event]"));
  EXPECT_EQ(tries(", id = \"slow\"", "    exit: cancel(\"slow\")\n"), "");
}

TEST(StaleEvent, ComesInTheNextRound) {
  const auto rounds = [](const std::string& id, const std::string& exit, const std::string& next) {
    return lint_text(R"(agneto: 1
name: flow
context: {n: 0}
initial: A
states:
  A:
    entry: |
      ctx.n = ctx.n + 1
      send("slow", {}, {after = "30m", id = )" +
                         id + "})\n" + exit + R"(    run: {argv: [make], timeout: 1h}
    on: {ok: NEXT, slow: NEXT, failed: NEXT, error: BAD}
  NEXT:
)" + next + R"(    always: [{guard: ctx.n < 5, target: A}, END]
  END: {final: true}
  BAD: {final: true, status: failed}
)",
                     {.explore = false});
  };
  EXPECT_EQ(
      rounds("\"slow-\" .. ctx.n", "", ""),
      R"text(/team/flow.yaml:9:7: warning: 'slow' may still be on its way when 'A' is entered again, and ends that too early [W242/stale-event]
      send("slow", {}, {after = "30m", id = "slow-" .. ctx.n})
      ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
  help: take it back by its id: exit: cancel(ID)
)text");
  EXPECT_THAT(rounds("\"slow\"", "", ""), HasSubstr("help: take it back: exit: cancel(\"slow\")"));
  EXPECT_EQ(rounds("\"slow-\" .. ctx.n", "    exit: cancel(\"slow-\" .. ctx.n)\n", ""), "");
}

TEST(StaleEvent, IsNotWhatComesBeforeItsStateIsEnteredAgain) {
  EXPECT_EQ(lint_text(R"(agneto: 1
name: flow
context: {n: 0}
initial: A
states:
  A:
    entry: |
      ctx.n = ctx.n + 1
      send("slow", {}, {after = "10m"})
    run: {argv: [make], timeout: 1h}
    on: {ok: PAUSE, slow: PAUSE, failed: BAD, error: BAD}
  PAUSE:
    after: {1h: [{guard: ctx.n < 5, target: A}, END]}
  END: {final: true}
  BAD: {final: true, status: failed}
)",
                      {.explore = false}),
            "");
}

TEST(StaleEvent, IsNotWhatAnotherStateWaitsFor) {
  EXPECT_EQ(lint_text(R"(agneto: 1
name: flow
context: {n: 0}
initial: A
states:
  A:
    entry: |
      ctx.n = ctx.n + 1
      send("tick", {}, {after = "10m"})
    run: {argv: [make], timeout: 1h}
    on: {ok: PAUSE, tick: PAUSE, failed: BAD, error: BAD}
  PAUSE:
    on: {tick: [{guard: ctx.n < 3, target: A}, END]}
  END: {final: true}
  BAD: {final: true, status: failed}
)",
                      {.explore = false}),
            "");
}

TEST(FirstRegion, IsNotOfTheParallelStatesOwnEnd) {
  const auto regions = [](const std::string& on) {
    return lint_text(
        "agneto: 1\nname: flow\ninitial: A\nstates:\n  A:\n    parallel: true\n    on: {" + on +
        R"(, error: BAD}
    states:
      L:
        initial: L1
        states: {L1: {run: {argv: [make]}, on: {ok: L2, failed: BAD}}, L2: {final: true}}
      R:
        initial: R1
        states: {R1: {run: {argv: [make]}, on: {ok: R2, failed: BAD}}, R2: {final: true}}
  END: {final: true}
  BAD: {final: true, status: failed}
)");
  };
  EXPECT_THAT(
      regions("done.state: END"),
      HasSubstr("warning: this takes `done.state.L`, too, when the others are still at work "
                "[W243/first-region]"));
  EXPECT_EQ(regions("done.state.A: END"), "");
  EXPECT_EQ(regions("done: {guard: 'state_in(\"L2\") and state_in(\"R2\")', target: END}"), "");
}

// A parallel state whose regions are NOTES and TESTS.
std::string lint_regions(const std::string& on, const std::string& tests) {
  return lint_text(
      "agneto: 1\nname: flow\ninitial: A\nstates:\n  A:\n    parallel: true\n    on: {" + on +
      R"(, error: BAD}
    states:
      NOTES:
        initial: WRITING
        states: {WRITING: {run: {argv: [notes]}, on: {ok: WRITTEN, failed: BAD}}, WRITTEN: {final: true}}
      TESTS:
        initial: TESTING
        states: )" +
      tests + R"(
  END: {final: true}
  BAD: {final: true, status: failed}
)");
}

TEST(FirstRegion, CutsOffWhatMayYetFail) {
  const std::string tests =
      "{TESTING: {run: {argv: [make]}, on: {ok: TESTED, failed: BAD}}, TESTED: {final: true}}";
  EXPECT_EQ(
      lint_regions("done.state.NOTES: END", tests),
      R"(/team/flow.yaml:7:28: warning: this leaves 'A' as soon as 'NOTES' has ended, and cuts off 'TESTING' in 'TESTS' [W243/first-region]
    on: {done.state.NOTES: END, error: BAD}
                           ^~~
  help: write done.state.A, which comes when all of them have ended; where the first one is enough, take done.state.TESTS, too
/team/flow.yaml:14:18: note: what this comes to is not waited for
        states: {TESTING: {run: {argv: [make]}, on: {ok: TESTED, failed: BAD}}, TESTED: {final: true}}
                 ^~~~~~~
)");
  EXPECT_EQ(lint_regions("done.state.NOTES: END, done.state.TESTS: END", tests), "") << "a race";
  EXPECT_EQ(
      lint_regions(
          "done.state.NOTES: {guard: state_in(\"TESTED\"), target: END}, done.state.A: END", tests),
      "");
  EXPECT_EQ(
      lint_regions("done.state.NOTES: {do: raise(\"written\")}, done.state.A: END, written: {}",
                   tests),
      "");
  EXPECT_EQ(lint_regions("done.state.NOTES: END",
                         "{TESTING: {run: {argv: [warm-up]}, on: {ok: TESTED, failed: TESTED}}, "
                         "TESTED: {final: true}}"),
            "")
      << "it does not matter what that comes to";
  EXPECT_EQ(lint_regions("done.state.NOTES: END",
                         "{TESTING: {run: {argv: [watch]}, on: {ok: BAD, failed: BAD}}}"),
            "")
      << "it watches for as long as the other works";
}

TEST(HastyTimer, IsALimitInWhichNothingEnds) {
  const auto limits = [](const std::string& call, const std::string& run) {
    return lint_text(
        "agneto: 1\nname: flow\nagents: {coder: {hooks: hooks.lua, timeout: " + call +
        "}}\ninitial: A\nstates:\n  A:\n    agent: coder\n    on: {done: B, error: END}\n"
        "  B:\n    run: {argv: [make], timeout: " +
        run + "}\n    on: {ok: END, failed: END, error: END}\n  END: {final: true}\n");
  };
  EXPECT_EQ(
      limits("600ms", "60ms"),
      R"text(/team/flow.yaml:3:10: warning: each call of 'coder' is ended after 600ms, before an agent can answer [W238/hasty-timer]
agents: {coder: {hooks: hooks.lua, timeout: 600ms}}
         ^~~~~
  help: say how long a call may take, as in `timeout: 30m`
/team/flow.yaml:9:3: warning: the program of 'B' is ended after 60ms [W238/hasty-timer]
  B:
  ^
  help: say how long it may take, as in `timeout: 10m`
)text");
  EXPECT_EQ(limits("90s", "500ms"), "");
}

TEST(ShadowedTimer, IsAnIdleThatIsLongerThanTheCall) {
  const auto agent = [](const std::string& times) {
    return lint_text(
        "agneto: 1\nname: flow\nagents: {coder: {hooks: hooks.lua, " + times +
        "}}\ninitial: A\nstates:\n  A:\n    agent: coder\n    on: {done: END, error: END}\n"
        "  END: {final: true}\n");
  };
  EXPECT_EQ(
      agent("timeout: 20m, idle: 90m"),
      R"text(/team/flow.yaml:3:10: warning: each call of 'coder' is ended after 20m, so that `idle: 1h 30m` does nothing [W221/shadowed-timer]
agents: {coder: {hooks: hooks.lua, timeout: 20m, idle: 90m}}
         ^~~~~
  help: give it a longer `timeout`, or a shorter `idle`
)text");
  for (const char* right : {"timeout: 15m, idle: 15m", "timeout: 2m", "timeout: 2h, idle: 90m"}) {
    EXPECT_EQ(agent(right), "") << right;
  }
  EXPECT_THAT(agent("idle: 1h"), HasSubstr("W221"));
}

TEST(UnitlessDelay, IsATextWithAnotherUnit) {
  const auto waiting = [](const std::string& delay) {
    return lint_text(
        "agneto: 1\nname: flow\ninputs: {n: {type: integer, default: 1}}\ninitial: A\n"
        "states:\n  A:\n    after:\n      - {delay: '" +
        delay + "', target: END}\n  END: {final: true}\n");
  };
  EXPECT_EQ(
      waiting("inputs.n * 5 .. \"min\""),
      R"text(/team/flow.yaml:8:18: warning: no duration ends in 'min', so that this timer never begins [W237/unitless-delay]
      - {delay: 'inputs.n * 5 .. "min"', target: END}
                 ^~~~~~~~~~~~~~~~~~~~~
  help: the units are ms, s, m, h and d, without a space before them, as in "5m"
)text");
  for (const char* wrong : {"inputs.n .. \" m\"", "inputs.n > 1 and \"5 minutes\" or \"1m\"",
                            "({\"1m\", \"5min\"})[inputs.n]"}) {
    EXPECT_THAT(waiting(wrong), HasSubstr("no duration ends in")) << wrong;
  }
  for (const char* right :
       {"inputs.n .. \"m\"", "inputs.n .. \"m30s\"", "\"1\" .. inputs.n .. \"\" .. \"ms\"",
        "inputs.n > 1 and \"5m\" or \"1h30m\"", "({\"1m\", \"5m\"})[inputs.n]",
        "\"1h\" .. inputs.n .. \"m\""}) {
    EXPECT_EQ(waiting(right), "") << right;
  }
}

// A compound that ends in BUILT or in BROKEN.
std::string lint_build(const std::string& after, const std::string& broken = "{final: true}",
                       const std::string& failed = "BROKEN") {
  return lint_text(R"(agneto: 1
name: flow
context: {reason: ""}
agents: {coder: {hooks: hooks.lua}}
initial: BUILD
on: {error: BAD}
states:
  BUILD:
    initial: MAKING
    on: {done.state.BUILD: )" +
                   after + R"(}
    states:
      MAKING:
        run: {argv: [make]}
        on: {ok: BUILT, failed: )" +
                   failed + R"(}
      BUILT: {final: true}
      BROKEN: )" + broken +
                   R"(
  TELLING:
    agent: coder
    on: {done: PUBLISHING}
  PUBLISHING:
    run: {argv: [make, publish]}
    on: {ok: END, failed: BAD}
  ASKING:
    ask: {question: Publish it, options: {GO: Go, HALT: Stop}}
    on: {GO: TELLING, HALT: BAD}
  END: {final: true}
  BAD: {final: true, status: failed}
outputs: {reason: ctx.reason}
)");
}

TEST(CompleteFailure, IsAnEndOfACompoundThatLeadsOnLikeTheOthers) {
  EXPECT_THAT(
      lint_build("PUBLISHING"),
      HasSubstr(
          R"text(/team/flow.yaml:16:7: warning: 'BROKEN' ends 'BUILD' like 'BUILT', and leads to 'PUBLISHING' [W240/complete-failure]
      BROKEN: {final: true}
      ^~~~~~
  help: lead to a state outside of 'BUILD' where it fails
/team/flow.yaml:10:28: note: this is taken after either
    on: {done.state.BUILD: PUBLISHING}
                           ^~~~~~~~~~
)text"));
  EXPECT_THAT(
      lint_build("PUBLISHING", "{final: true}", "{target: BROKEN, do: ctx.reason = event.output}"),
      HasSubstr("W240"));
  for (const std::string& said :
       {lint_build("[{guard: ctx.reason == '', target: PUBLISHING}, BAD]"), lint_build("ASKING"),
        lint_build("TELLING", "{final: true, entry: ctx.reason = 'no'}")}) {
    EXPECT_THAT(said, Not(HasSubstr("W240"))) << "where somebody, or hooks, may look first";
  }
}

TEST(IdleHistory, IsThatOfOneRegion) {
  const auto held = [](const std::string& inside, const std::string& above,
                       const std::string& soaked = "{final: true}") {
    return lint_text(R"(agneto: 1
name: flow
initial: BUILD
on: {error: BAD}
states:
  BUILD:
    parallel: true
    on: {done.state.BUILD: END, hold: HELD}
    states:
)" + above + R"(      CODE:
        initial: A
        states:
          A: {run: {argv: [make]}, on: {ok: B, failed: BAD}}
          B: {final: true}
)" + inside + R"(      SOAK:
        initial: C
        states:
          C: {run: {argv: [soak]}, on: {ok: D, failed: BAD}}
          D: )" + soaked +
                     R"(
  HELD:
    ask: {question: Go on, options: {GO: Go, HALT: Stop}}
    on: {GO: WHERE, HALT: BAD}
  END: {final: true}
  BAD: {final: true, status: failed}
)");
  };
  EXPECT_EQ(
      held("          WHERE: {history: deep, default: A}\n", ""),
      R"text(/team/flow.yaml:15:11: warning: 'WHERE' remembers 'CODE' alone: 'SOAK' beside it begins anew [W239/idle-history]
          WHERE: {history: deep, default: A}
          ^~~~~
  help: move it to the states of 'BUILD', so that it remembers all of them
/team/flow.yaml:23:14: note: here all of them are entered again
    on: {GO: WHERE, HALT: BAD}
             ^~~~~
)text");
  EXPECT_EQ(held("", "      WHERE: {history: deep, default: [A, C]}\n"), "");
  EXPECT_THAT(held("          WHERE: {history: deep, default: A}\n", "", "{after: {1h: C}}"),
              Not(HasSubstr("W239")))
      << "which goes round and has nothing to remember";
}

}  // namespace
}  // namespace agneto::lint
