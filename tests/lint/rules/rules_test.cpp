#include <gmock/gmock.h>

#include "lint/linting.h"

namespace agneto::lint {
namespace {

const std::string calling = "  A:\n    agent: {name: coder, verdicts: {OK: {}}}\n";

TEST(UnreachableState, IsReportedWithoutWhatIsInside) {
  EXPECT_EQ(lint_states(calling + R"(    on: {OK: END}
  LOST:
    initial: DEEPER
    on: {OK: END}
    states: {DEEPER: {entry: raise("OK")}}
  END: {final: true}
)"),
            R"text(/team/flow.yaml:10:3: warning: 'LOST' is never entered [W210/unreachable-state]
  LOST:
  ^~~~
  help: give a transition, or the `initial` around it, this target; or remove it
)text");
}

TEST(UnreachableState, IsNotWhatAHistoryOrARegionEnters) {
  EXPECT_EQ(lint_states(calling + R"(    on: {OK: RESUME}
  WORK:
    initial: FIRST
    on: {DONE: END}
    states:
      RESUME: {history: deep, default: SECOND}
      FIRST: {entry: raise("DONE")}
      SECOND:
        parallel: true
        on: {BACK: FIRST}
        states:
          LEFT: {initial: L, states: {L: {on: {GO: L}}}}
          RIGHT: {}
  END: {final: true}
)"),
            "");
}

TEST(ShadowedTimer, IsOneInAStateThatIsLeftBefore) {
  const auto inside = [](const std::string& timer) {
    return lint_text(
        "agneto: 1\nname: flow\ninitial: OUTER\nstates:\n"
        R"(  OUTER:
    initial: A
    after: {1m: END}
    states:
      A:
        on: {go: END}
        after: )" +
        timer + R"(
  END: {final: true}
)");
  };
  EXPECT_EQ(
      inside("{1h: A}"),
      R"text(/team/flow.yaml:11:21: warning: 'A' is always left after 1m already, so that this never happens [W221/shadowed-timer]
        after: {1h: A}
                    ^
  help: give the earlier one a guard, or remove this one
/team/flow.yaml:7:17: note: it is left here
    after: {1m: END}
                ^~~
)text");
  for (const std::string timer :
       {"{30s: A}", "{1h: {target: A, wall: true}}", "{'tostring(3) .. \"m\"': A}"}) {
    EXPECT_EQ(inside(timer), "") << timer;
  }
}

TEST(ShadowedTimer, IsOneThatIsLongerThanItsProgramMayTake) {
  const auto beside = [](const std::string& program, const std::string& on,
                         const std::string& timer) {
    return lint_text("agneto: 1\nname: flow\ninitial: A\nstates:\n  A:\n    run: " + program +
                     "\n    on: " + on + "\n    after: " + timer + "\n  END: {final: true}\n");
  };
  const std::string all = "{ok: END, failed: END, error: END}";
  EXPECT_EQ(
      beside("{argv: [make], timeout: 5m}", all, "{5m: END}"),
      R"text(/team/flow.yaml:8:17: warning: the program of 'A' is ended after 5m already, so that this never happens [W221/shadowed-timer]
    after: {5m: END}
                ^~~
  help: give the program a longer `timeout`, or take `error.timeout` in place of this
)text");
  EXPECT_EQ(beside("{argv: [make], timeout: 5m}", all, "{4m: END}"), "");
  EXPECT_THAT(beside("{argv: [make], timeout: 5m}", "{ok: END, error: END}", "{5m: END}"),
              ::testing::Not(::testing::HasSubstr("W221")))
      << "it may stay when that has failed";
}

TEST(ShellSyntax, IsNotWhatAProgramTakesForItself) {
  const auto argv = [](const std::string& words) {
    return lint_text("agneto: 1\nname: flow\ninitial: A\nstates:\n  A:\n    run: {argv: [" + words +
                     "]}\n    on: {ok: END, failed: END}\n  END: {final: true}\n");
  };
  for (const char* right :
       {"find, ., -name, x, -exec, rm, '{}', ';'", "test, a, '>', b", "sh, -c, 'a && b'", "rm, x",
        "'./my tool'", "pytest, '*.py'", "grep, '$(x', f", "grep, 'foo$', f", "make, 'A=$B'"}) {
    EXPECT_EQ(argv(right), "") << right;
  }
  EXPECT_EQ(
      argv("ls, '${HOME}'"),
      R"text(/team/flow.yaml:6:22: warning: no shell reads the argument '${HOME}', which 'ls' is given as it is [W426/shell-syntax]
    run: {argv: [ls, '${HOME}']}
                     ^~~~~~~~~
  help: write the line as `shell: …`, with its values in `env`
)text");
}

TEST(ShellSyntax, IsWhatNobodyExpandsOrSplits) {
  const auto argv = [](const std::string& words) {
    return lint_text("agneto: 1\nname: flow\ninitial: A\nstates:\n  A:\n    run: {argv: [" + words +
                     "]}\n    on: {ok: END, failed: END}\n  END: {final: true}\n");
  };
  for (const char* wrong : {"rm, 'build/*.o'", "ls, ~/x", "cat, '${HOME}/x'"}) {
    EXPECT_THAT(argv(wrong), testing::HasSubstr("[W426/shell-syntax]")) << wrong;
  }
  EXPECT_EQ(
      argv("make test"),
      R"text(/team/flow.yaml:6:18: warning: there is no program called 'make test': nothing splits an argument [W426/shell-syntax]
    run: {argv: [make test]}
                 ^~~~~~~~~
  help: write each argument by itself, as in [make, test]
)text");
}

TEST(IgnoredStatus, IsThatOfALineThatNeverFails) {
  const auto shell = [](const std::string& script,
                        const std::string& on = "{ok: END, failed: BAD}") {
    return lint_text(
        "agneto: 1\nname: flow\ninitial: A\nstates:\n  A:\n    run:\n      shell: |\n        " +
        script + "\n    on: " + on +
        "\n  END: {final: true}\n  BAD: {final: true, status: failed}\n");
  };
  EXPECT_EQ(
      shell("make || true", "{ok: END, failed: BAD}"),
      R"text(/team/flow.yaml:5:3: warning: the program of 'A' never ends in 'failed': '|| true' makes a success of every failure [W430/ignored-status]
  A:
  ^
  help: let the status of what matters be the last one, or take 'ok' alone
/team/flow.yaml:9:27: note: this is never taken
    on: {ok: END, failed: BAD}
                          ^~~
)text");
  for (const char* wrong : {"make &", "make 2>&1 | tee log", "make\n        make install || :"}) {
    EXPECT_THAT(shell(wrong), testing::HasSubstr("[W430/ignored-status]")) << wrong;
  }
  for (const char* right : {"make && true", "make || exit 1", "set -o pipefail; make | tee log",
                            "make || true\n        make check", "grep -rn TODO src || true",
                            "tee log < x", "make || tee x"}) {
    EXPECT_EQ(shell(right), "") << right;
  }
  EXPECT_THAT(shell("make || true", "{ok: END, failed: END, error: BAD}"), "");
}

TEST(UndefinedVariable, IsOneInSingleQuotesOrWithANameThatNoShellKnows) {
  const auto shell = [](const std::string& name, const std::string& script) {
    return lint_text("agneto: 1\nname: flow\ninitial: A\nstates:\n  A:\n    run:\n      env: {" +
                     name + ": '\"x\"'}\n      shell: |\n        " + script +
                     "\n    on: {ok: END, failed: END}\n  END: {final: true}\n");
  };
  EXPECT_THAT(
      shell("TEAM", "say '#$TEAM'"),
      testing::HasSubstr(
          "warning: in single quotes the shell does not put in $TEAM [W427/undefined-variable]"));
  EXPECT_THAT(
      shell("API-TOKEN", "say $API-TOKEN"),
      testing::HasSubstr(
          "warning: a shell cannot read a variable called 'API-TOKEN' [W427/undefined-variable]"));
  for (const char* right :
       {"say 'it' \"$TEAM\"", "bash -c 'echo $TEAM'", "echo \"it's $TEAM\"", "say '$TEAM' $TEAM"}) {
    EXPECT_EQ(shell("TEAM", right), "") << right;
  }
}

TEST(UndefinedVariable, IsNotWhatTheProgramSetsOrGivesAValue) {
  const auto shell = [](const std::string& script) {
    return lint_text(
        "agneto: 1\nname: flow\ninputs: {tag: {type: string, main: true}}\ninitial: A\nstates:\n"
        "  A:\n    run:\n      env: {TAG: inputs.tag}\n      shell: |\n        " +
        script + "\n    on: {ok: END, failed: END}\n  END: {final: true}\n");
  };
  for (const char* right :
       {"git tag $TAG", "TAGS=$TAG; echo $TAGS", "for TAGS in a b; do echo $TAGS; done",
        "read -r TAGS; echo $TAGS", "echo ${TAGS:-none}", "echo '$TAGS'", "echo \\$TAGS",
        "echo $TAG $TAGS", "echo $HOME"}) {
    EXPECT_EQ(shell(right), "") << right;
  }
  EXPECT_EQ(
      shell("git tag \"${TAGS}\""),
      R"text(/team/flow.yaml:8:13: warning: the program reads $TAGS, which nothing defines; `env` has TAG [W427/undefined-variable]
      env: {TAG: inputs.tag}
            ^~~
  help: call both the same
)text");
}

TEST(ImpossibleOutcome, IsAnErrorThatIsNearlyOneOfTheEngines) {
  const auto taking = [](const std::string& event) {
    return lint_states(calling + "    on: {OK: END, " + event +
                       ": END, error: END}\n  END: {final: true}\n");
  };
  EXPECT_EQ(
      taking("error.timedout"),
      R"text(/team/flow.yaml:9:35: warning: 'A' does not end in 'error.timedout' [W416/impossible-outcome]
    on: {OK: END, error.timedout: END, error: END}
                                  ^~~
  help: did you mean 'error.timeout'?
)text");
  EXPECT_EQ(taking("error.quota"), "") << "a provider may give it";
}

TEST(ShadowedTransition, IsReportedWithTheOneBeforeIt) {
  EXPECT_EQ(
      lint_states(calling + R"(    on:
      OK: END
      error: END
      error.timeout: A
  END: {final: true}
)"),
      R"text(/team/flow.yaml:12:22: warning: this transition on 'error.timeout' is never taken [W214/shadowed-transition]
      error.timeout: A
                     ^
  help: put it before the one that takes its event, or give that one a guard
/team/flow.yaml:11:14: note: its event is always taken here
      error: END
             ^~~
)text");
}

// `done` is the activity's outcome there.
TEST(ShadowedTransition, IsNotADoneStateBehindAnOutcome) {
  EXPECT_EQ(lint_states(R"(  A:
    parallel: true
    states:
      LEFT: {initial: L, states: {L: {agent: coder, on: {done: M, done.state.RIGHT: N, error: M}}, M: {}, N: {agent: coder, on: {any: M}}}}
      RIGHT: {initial: R, states: {R: {on: {GO: S}}, S: {final: true}}}
    on: {GO: END}
  END: {final: true}
)"),
            "");
}

TEST(ShadowedTransition, IsNotBehindAGuard) {
  EXPECT_EQ(lint_states(calling + R"(    on:
      - {event: OK, guard: run.interactive, target: END}
      - {event: [OK, MORE], target: END}
      - {event: [OK, LATER], target: END}
  END: {final: true}
)"),
            "");
}

TEST(UntakenOutcome, OfAnAgent) {
  EXPECT_EQ(
      lint_states(R"(  A:
    agent: {name: coder, verdicts: {APPROVED: {}, REVISE: {}}}
    on: {APPROVD: END, GO: END}
  END: {final: true}
)"),
      R"text(/team/flow.yaml:8:37: warning: no transition of 'A' or around it takes the verdict 'APPROVED', which fails the machine [W413/untaken-outcome]
    agent: {name: coder, verdicts: {APPROVED: {}, REVISE: {}}}
                                    ^~~~~~~~
  help: a transition takes 'APPROVD'; did you mean 'APPROVED'?
/team/flow.yaml:8:51: warning: no transition of 'A' or around it takes the verdict 'REVISE', which fails the machine [W413/untaken-outcome]
    agent: {name: coder, verdicts: {APPROVED: {}, REVISE: {}}}
                                                  ^~~~~~
  help: add a transition: on: {REVISE: STATE}
)text");
}

TEST(UntakenOutcome, IsNoSlipForAnOutcomeOfItsOwn) {
  EXPECT_EQ(
      lint_states("  A:\n    agent: {name: coder, verdicts: {PASSED: {}, PASSES: {}}}\n"
                  "    on: {PASSED: END}\n  END: {final: true}\n"),
      R"text(/team/flow.yaml:8:49: warning: no transition of 'A' or around it takes the verdict 'PASSES', which fails the machine [W413/untaken-outcome]
    agent: {name: coder, verdicts: {PASSED: {}, PASSES: {}}}
                                                ^~~~~~
  help: add a transition: on: {PASSES: STATE}
)text");
}

TEST(UntakenOutcome, OfAnAgentWithoutVerdicts) {
  EXPECT_EQ(
      lint_states("  A:\n    agent: coder\n    on: {DONE: END}\n  END: {final: true}\n"),
      R"text(/team/flow.yaml:7:3: warning: no transition of 'A' or around it takes the outcome 'done', which fails the machine [W413/untaken-outcome]
  A:
  ^
  help: a transition takes 'DONE'; did you mean 'done'?
)text");
}

TEST(UntakenOutcome, OfAQuestion) {
  EXPECT_EQ(
      lint_states(calling + R"(    on: {OK: ASKING}
  ASKING:
    ask: {question: Well, options: {SAME: So it is, OTHER: Not quite}}
    on: {SAME: TELLING}
  TELLING:
    ask: {question: How, text: required}
    on: {OK: END}
  END: {final: true}
)"),
      R"text(/team/flow.yaml:11:53: warning: no transition of 'ASKING' or around it takes the option 'OTHER', which fails the machine [W413/untaken-outcome]
    ask: {question: Well, options: {SAME: So it is, OTHER: Not quite}}
                                                    ^~~~~
  help: add a transition: on: {OTHER: STATE}
/team/flow.yaml:13:3: warning: no transition of 'TELLING' or around it takes the outcome 'answered', which fails the machine [W413/untaken-outcome]
  TELLING:
  ^~~~~~~
  help: add a transition: on: {answered: STATE}
)text");
}

TEST(UntakenOutcome, OfProgramsAndTheWorkspace) {
  EXPECT_EQ(
      lint_states(calling + R"(    on: {OK: RUNNING}
  RUNNING:
    run: {argv: [make]}
    on: {ok: COMMITTING}
  COMMITTING:
    workspace: {commit: {message: Made}}
    on: {ok: MERGING, failed: END}
  MERGING:
    workspace: {merge: {}}
    on: {ok: END, failed: END}
  END: {final: true}
)"),
      R"text(/team/flow.yaml:10:3: warning: no transition of 'RUNNING' or around it takes the outcome 'failed', which fails the machine [W413/untaken-outcome]
  RUNNING:
  ^~~~~~~
  help: add a transition: on: {failed: STATE}
/team/flow.yaml:16:3: warning: no transition of 'MERGING' or around it takes the outcome 'conflict', which fails the machine [W413/untaken-outcome]
  MERGING:
  ^~~~~~~
  help: add a transition: on: {conflict: STATE}
)text");
}

TEST(UntakenOutcome, OfAMachine) {
  EXPECT_EQ(
      lint_files({{"flow.yaml", R"(agneto: 1
name: flow
initial: A
states:
  A:
    machine: inner.yaml
    on: {END: END}
  END: {final: true}
)"},
                  {"inner.yaml", R"(agneto: 1
name: inner
initial: A
states:
  A:
    run: {argv: [make]}
    on: {ok: END, failed: LOST}
  END: {final: true}
  LOST: {final: true, status: failed}
)"}}),
      R"text(/team/flow.yaml:6:14: warning: no transition of 'A' or around it takes the outcome 'LOST', which fails the machine [W413/untaken-outcome]
    machine: inner.yaml
             ^~~~~~~~~~
  help: add a transition: on: {LOST: STATE}
/team/inner.yaml:9:3: note: it comes from here
  LOST: {final: true, status: failed}
  ^~~~
)text");
}

TEST(UntakenOutcome, OfAForEach) {
  EXPECT_EQ(
      lint_files({{"flow.yaml", R"(agneto: 1
name: flow
initial: A
states:
  A:
    for_each: {items: "{1, 2}", machine: inner.yaml}
    on: {doen: END}
  END: {final: true}
)"},
                  {"inner.yaml", R"(agneto: 1
name: inner
initial: END
states:
  END: {final: true}
)"}}),
      R"text(/team/flow.yaml:5:3: warning: no transition of 'A' or around it takes the outcome 'done', which fails the machine [W413/untaken-outcome]
  A:
  ^
  help: a transition takes 'doen'; did you mean 'done'?
/team/flow.yaml:5:3: warning: no transition of 'A' or around it takes the outcome 'failed', which fails the machine [W413/untaken-outcome]
  A:
  ^
  help: add a transition: on: {failed: STATE}
)text");
}

TEST(UntakenOutcome, IsTakenAroundTheStateOrByAny) {
  EXPECT_EQ(lint_states(R"(  A:
    initial: B
    on: {any: END}
    states:
      B:
        agent: {name: coder, verdicts: {APPROVED: {}, REVISE: {}}}
        on: {APPROVED: END}
  END: {final: true}
)"),
            "");
}

TEST(DeadEnd, IsAStateInWhichNothingHappens) {
  EXPECT_EQ(
      lint_states(calling + R"(    on: {OK: STOP, MORE: END}
  STOP: {}
  END: {final: true}
)"),
      R"text(/team/flow.yaml:10:3: warning: nothing happens in 'STOP', and no transition of its own leaves it [W211/dead-end]
  STOP: {}
  ^~~~
  help: add `final: true` if the machine ends here, or an activity or a transition
)text");
}

TEST(NeverEnds, IsReportedAtTheName) {
  EXPECT_EQ(
      lint_states(calling + "    on: {OK: A}\n    after: {1d: A}\n"),
      R"text(/team/flow.yaml:2:7: warning: the machine 'flow' reaches no final state, so that it never ends [W212/never-ends]
name: flow
      ^~~~
  help: lead to a state with `final: true` directly under the machine's `states`
)text");
}

TEST(RegionCrossing, IsReported) {
  EXPECT_EQ(
      lint_states(R"(  A:
    parallel: true
    on: {STOP: END}
    states:
      LEFT:
        initial: L
        states: {L: {on: {GO: R2, UP: LEFT}}}
      RIGHT:
        initial: R
        states: {R: {on: {GO: R2}}, R2: {}}
  END: {final: true}
)"),
      R"text(/team/flow.yaml:4:3: warning: no state calls the agent 'coder' [W414/unused-agent]
  coder: {hooks: hooks.lua}
  ^~~~~
  help: remove it
/team/flow.yaml:13:31: warning: 'R2' is in another region of 'A', all of which is left and entered again [W213/region-crossing]
        states: {L: {on: {GO: R2, UP: LEFT}}}
                              ^~
  help: raise an event that the other region takes, if it alone is to move
)text");
}

TEST(UnusedAgent, IsReported) {
  EXPECT_EQ(
      lint_states("  A: {final: true}\n"),
      R"text(/team/flow.yaml:4:3: warning: no state calls the agent 'coder' [W414/unused-agent]
  coder: {hooks: hooks.lua}
  ^~~~~
  help: remove it
)text");
}

TEST(BareWord, IsAnExpressionThatLooksLikeText) {
  EXPECT_EQ(
      lint_states(calling + R"(    on: {OK: [{guard: ready, target: RUNNING}, END]}
  RUNNING:
    run:
      argv: [make]
      env: {MODE: "fast", RUN: run, NONE: null, COUNT: 3, TRUTH: true, TEXT: '"fast"'}
    on: {any: END}
  END: {final: true}
)"),
      R"text(/team/flow.yaml:9:23: warning: 'ready' is Lua here, and names nothing that Lua knows [W504/bare-word]
    on: {OK: [{guard: ready, target: RUNNING}, END]}
                      ^~~~~
  help: for the text write '"ready"'; for an entry of the context, ctx.ready
/team/flow.yaml:13:19: warning: 'fast' is Lua here, and names nothing that Lua knows [W504/bare-word]
      env: {MODE: "fast", RUN: run, NONE: null, COUNT: 3, TRUTH: true, TEXT: '"fast"'}
                  ^~~~~~
  help: for the text write '"fast"'; for an entry of the context, ctx.fast
)text");
}

TEST(BareWord, IsNotTheItemOfAForEach) {
  EXPECT_EQ(
      lint_files({{"flow.yaml", R"(agneto: 1
name: flow
initial: A
states:
  A:
    for_each: {items: plans, as: plan, machine: inner.yaml, with: {p: plan, n: index, q: item}}
    on: {any: END}
  END: {final: true}
)"},
                  {"inner.yaml", R"(agneto: 1
name: inner
inputs: {p: any, n: any, q: any}
initial: END
states:
  END: {final: true}
outputs: {p: inputs.p, n: inputs.n, q: inputs.q}
)"}}),
      R"text(/team/flow.yaml:6:23: warning: 'plans' is Lua here, and names nothing that Lua knows [W504/bare-word]
    for_each: {items: plans, as: plan, machine: inner.yaml, with: {p: plan, n: index, q: item}}
                      ^~~~~
  help: for the text write '"plans"'; for an entry of the context, ctx.plans
/team/flow.yaml:6:90: warning: 'item' is Lua here, and names nothing that Lua knows [W504/bare-word]
    for_each: {items: plans, as: plan, machine: inner.yaml, with: {p: plan, n: index, q: item}}
                                                                                         ^~~~
  help: for the text write '"item"'; for an entry of the context, ctx.item
)text");
}

TEST(UntakenError, IsReportedWhereSomeErrorsAreTaken) {
  EXPECT_EQ(
      lint_states(calling + R"(    on: {OK: END, error.timeout: END}
  END: {final: true}
)"),
      R"text(/team/flow.yaml:7:3: warning: no transition of 'A' or around it takes every error of its agent, which fails the machine [W425/untaken-error]
  A:
  ^
  help: add a transition: on: {error: STATE}
/team/flow.yaml:9:34: note: this takes some
    on: {OK: END, error.timeout: END}
                                 ^~~
)text");
}

TEST(UntakenError, IsNotSaidWhereNoneIsTakenOrAll) {
  const std::string second = "  B:\n    agent: {name: coder, verdicts: {OK: {}}}\n";
  const std::string end = "  END: {final: true}\n";
  EXPECT_EQ(lint_states(calling + "    on: {OK: B}\n" + second + "    on: {OK: END}\n" + end), "");
  EXPECT_EQ(lint_states(calling + "    on: {OK: B, error: END}\n" + second +
                        "    on: {OK: END, any: END}\n" + end),
            "");
}

// A round of calls from A to B and back.
std::string lint_round(const std::string& back, const std::string& more = {}) {
  return lint_states(R"(  A:
    agent: {name: coder, verdicts: {OK: {}}}
    on: {OK: B}
  B:
    agent: {name: coder, verdicts: {OK: {}, AGAIN: {}}}
    on: {OK: END, AGAIN: )" +
                     back + "}\n" + more + "  END: {final: true}\n");
}

TEST(NoBudget, IsARoundThatNothingBounds) {
  EXPECT_EQ(
      lint_round("A"),
      R"text(/team/flow.yaml:12:26: warning: A -> B -> A goes on for as long as the agents want: no guard counts, nobody is asked, and there are no `limits` [W424/no-budget]
    on: {OK: END, AGAIN: A}
                         ^
  help: bound what a run may come to, as in limits: {calls: 30}; or count the rounds in the context
)text");
}

// Where nobody can be asked, the guard ends nothing.
TEST(NoBudget, IsARoundOfARunWithoutAPerson) {
  EXPECT_THAT(lint_round("[{guard: run.interactive, target: END}, A]"),
              testing::HasSubstr("warning: A -> B -> A goes on for as long as the agents want"));
}

TEST(NoBudget, IsNotARoundThatAGuardOrAPersonOrTimeMayEnd) {
  EXPECT_EQ(lint_round("[{guard: '#run.id > 3', target: END}, A]"), "");
  EXPECT_EQ(lint_round("ASK",
                       "  ASK:\n    ask: {question: Again, options: {MORE: More, STOP: Stop}}\n"
                       "    on: {MORE: A, STOP: END}\n"),
            "");
  EXPECT_EQ(lint_round("A}\n    after: {2h: END"), "");
}

// Where nobody can be asked, a question is answered by its default.
TEST(NoBudget, IsARoundThatADefaultLeadsBackInto) {
  const auto asking = [](const std::string& more, const std::string& on = "MORE: A, STOP: END") {
    return lint_round(
        "ASK", "  ASK:\n    ask: {question: Again, options: {MORE: More, STOP: Stop}" + more +
                   "}\n    on: {" + on + "}\n");
  };
  EXPECT_EQ(
      asking(", default: MORE"),
      R"text(/team/flow.yaml:15:16: warning: where nobody can be asked, A -> B -> ASK -> A goes on by the default: no guard counts, and there are no `limits` [W424/no-budget]
    on: {MORE: A, STOP: END}
               ^
  help: let the default be an option that ends it, or bound what a run may come to, as in limits: {calls: 30}
)text");
  EXPECT_EQ(asking(", default: STOP"), "");
  EXPECT_EQ(asking(", default: MORE", "MORE: [{guard: '#run.id > 3', target: A}, END], STOP: END"),
            "");
}

TEST(GeneralFirst, IsNotSaidOfAnyOrOfWhatLeadsToTheSame) {
  EXPECT_EQ(lint_states(calling + R"(    on:
      - {event: any, guard: run.interactive, target: END}
      - {event: OK, target: END}
      - {event: error, guard: run.auto_merge, target: STOP}
      - {event: error.timeout, target: STOP}
      - {event: error, target: END}
  END: {final: true}
  STOP: {final: true, status: failed}
)"),
            "");
}

}  // namespace
}  // namespace agneto::lint
