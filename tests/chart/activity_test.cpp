// What states ask of the world, and what becomes of the outcomes.
#include "chart_fixture.h"

namespace agneto::chart {
namespace {

TEST(Activities, AnAgentCallSaysWhoseItIs) {
  Play play(R"yaml(
    agneto: 1
    name: chart
    agents:
      once: {hooks: hooks.lua}
      all: {hooks: hooks.lua, session: run}
      own: {hooks: hooks.lua, session: machine}
      part: {hooks: hooks.lua, session: OUTER}
    initial: OUTER
    states:
      OUTER:
        initial: A
        states:
          A: {agent: {name: once, verdicts: {OK: {}}}, on: {OK: B}}
          B: {agent: {name: all, verdicts: {OK: {}}}, on: {OK: C}}
          C: {agent: {name: own, verdicts: {OK: {}}}, on: {OK: D}}
          D: {agent: {name: part, verdicts: {OK: {}}}, on: {OK: OUTER}}
  )yaml");
  const auto& call = play.effect<CallAgent>();
  EXPECT_EQ(call.path, "A#1");
  EXPECT_EQ(play.system().machine(call.machine).state(call.state).name, "A");
  EXPECT_EQ(call.instance, "");
  EXPECT_EQ(call.entry, 1);
  EXPECT_EQ(call.scope, "");
  play.outcome("A#1", "OK");
  EXPECT_EQ(play.effect<CallAgent>().scope, "run");
  play.outcome("B#1", "OK");
  EXPECT_EQ(play.effect<CallAgent>().scope, "/");
  play.outcome("C#1", "OK");
  EXPECT_EQ(play.effect<CallAgent>().scope, "OUTER#1");
  play.outcome("D#1", "OK");
  EXPECT_EQ(play.effect<CallAgent>().path, "A#2");
  EXPECT_EQ(play.effect<CallAgent>().entry, 2);
}

TEST(Activities, AQuestionIsRendered) {
  Play play(R"yaml(
    initial: A
    context: {log: '', word: plan, list: [1, 2], nothing: {type: 'string?'}}
    states:
      A:
        ask:
          question: "The {{ctx.word}} {{ctx.list}}{{ctx.nothing}}: {{1 + 1}}?"
          show: ctx.list
          options:
            YES: "Take the {{ctx.word}}"
            NEVER: {label: Never, when: 'false'}
            EDIT: {label: Change it, feedback: required, edit: ctx.word}
          default: 'YES'
        on: {any: B}
      B: {}
  )yaml");
  const auto& ask = play.effect<AskHuman>();
  EXPECT_EQ(ask.path, "A#1");
  EXPECT_EQ(ask.question, "The plan [1,2]: 2?");
  EXPECT_EQ(ask.show, "[\n  1,\n  2\n]");
  ASSERT_EQ(ask.options.size(), 2u);
  EXPECT_EQ(ask.options[0].name, "YES");
  EXPECT_EQ(ask.options[0].label, "Take the plan");
  EXPECT_EQ(ask.options[0].feedback, model::Need::none);
  EXPECT_EQ(ask.options[0].edit, std::nullopt);
  EXPECT_EQ(ask.options[1].name, "EDIT");
  EXPECT_EQ(ask.options[1].feedback, model::Need::required);
  EXPECT_EQ(ask.options[1].edit, "plan");
  EXPECT_EQ(ask.default_option, "YES");
}

TEST(Activities, ADefaultThatIsNotOfferedIsNone) {
  Play play(R"yaml(
    initial: A
    states:
      A:
        ask: {question: Well, options: {A1: {label: a, when: 'false'}, A2: b}, default: A1}
        on: {any: B}
      B: {}
  )yaml");
  EXPECT_EQ(play.effect<AskHuman>().default_option, "");
}

TEST(Activities, AnErrorInAQuestionIsItsOutcome) {
  Play play(R"yaml(
    initial: A
    states:
      A:
        ask: {question: "{{nothing.at_all}}", options: {OK: ok}}
        on: {OK: B, error.lua: C}
      B: {}
      C: {entry: "ctx.log = event.state .. ' ' .. event.message"}
  )yaml");
  EXPECT_EQ(play.effects(), "");
  EXPECT_EQ(play.outstanding(), "");
  EXPECT_TRUE(play.queued());
  EXPECT_EQ(play.active(), "C#1");
  EXPECT_THAT(play.log(), testing::StartsWith("A main.yaml:7: "));
}

TEST(Activities, AQuestionWithNothingToAnswerIsAnErrorToo) {
  Play play(R"yaml(
    initial: A
    states:
      A:
        ask: {question: Well, options: {OK: {label: ok, when: 'false'}}}
        on: {OK: B}
      B: {}
  )yaml");
  play.queued();
  EXPECT_EQ(play.problems(),
            "error.unhandled at /: A ended in 'error.lua', which no transition takes: "
            "main.yaml:6: no option of the question can be offered");
}

TEST(Activities, WhatCannotBeginIsSaidAlsoWhereThatIsTaken) {
  Play play(R"yaml(
    initial: A
    context: {l: null}
    states:
      A: {run: {command: ctx.l}, on: {ok: B, error: B}}
      B: {}
  )yaml");
  ASSERT_EQ(play.out().refused.size(), 1u);
  EXPECT_EQ(play.out().refused[0].path, "A#1");
  EXPECT_EQ(play.out().refused[0].event, "error.lua");
  EXPECT_EQ(play.out().refused[0].message,
            "main.yaml:6: 'command' must give a command line, found null");
  play.queued();
  EXPECT_EQ(play.active(), "B#1");
  EXPECT_TRUE(play.out().refused.empty());
  EXPECT_EQ(play.problems(), "");
}

TEST(Activities, AProgramGetsItsValuesByArgumentAndEnvironment) {
  Play play(R"yaml(
    initial: A
    context: {word: "two words; rm", n: 3}
    states:
      A:
        run: {argv: [tool, "--say={{ctx.word}}", "{{ctx.n}}"], env: {WORD: ctx.word, N: ctx.n}, timeout: 5s, once: true}
        on: {ok: B, failed: B}
      B:
        run: {shell: 'echo "$WORD"'}
        on: {ok: C, failed: C}
      C:
        run: {command: "'make ' .. ctx.n"}
        on: {ok: D, failed: D}
      D: {run: {command: ctx.n}}
  )yaml");
  const auto run = play.effect<RunCommand>();
  EXPECT_EQ(run.argv, (std::vector<std::string>{"tool", "--say=two words; rm", "3"}));
  EXPECT_THAT(run.env, testing::ElementsAre(testing::Pair("WORD", "two words; rm"),
                                            testing::Pair("N", "3")));
  EXPECT_EQ(run.timeout, Millis(5000));
  EXPECT_TRUE(run.once);
  play.outcome("A#1", "ok");
  EXPECT_EQ(play.effect<RunCommand>().argv,
            (std::vector<std::string>{"/bin/sh", "-c", "echo \"$WORD\""}));
  play.outcome("B#1", "ok");
  EXPECT_EQ(play.effect<RunCommand>().argv, (std::vector<std::string>{"/bin/sh", "-c", "make 3"}));
  play.outcome("C#1", "ok");
  EXPECT_EQ(play.effects(), "");
  play.queued();
  EXPECT_EQ(play.effect<Finish>().reason,
            "D ended in 'error.lua', which no transition takes: main.yaml:15: 'command' must give "
            "a command line, found 3");
}

TEST(Activities, AGitOperationIsRendered) {
  Play play(R"yaml(
    initial: A
    context: {summary: Add it}
    states:
      A:
        workspace: {commit: {message: "{{ctx.summary}} now"}}
        on: {ok: B, failed: B}
      B:
        workspace: {merge: {squash: false, into: "re{{'lease'}}"}}
        on: {ok: C, failed: C, conflict: C}
      C: {}
  )yaml");
  EXPECT_EQ(play.effect<GitOperation>().kind, model::WorkspaceOperation::Kind::commit);
  EXPECT_EQ(play.effect<GitOperation>().message, "Add it now");
  play.outcome("A#1", "ok");
  EXPECT_EQ(play.effect<GitOperation>().into, "release");
  EXPECT_FALSE(play.effect<GitOperation>().squash);
}

TEST(Activities, LeavingTheStateCancelsThem) {
  Play play("initial: A\nstates: {A: {run: {argv: [x]}, on: {go: B, ok: B}}, B: {}}");
  EXPECT_EQ(play.outstanding(), "A#1");
  play.send("go");
  EXPECT_EQ(play.effects(), "cancel A#1");
  EXPECT_EQ(play.outstanding(), "");
  EXPECT_FALSE(play.outcome("A#1", "ok"));
}

TEST(Activities, ThatHaveEndedAreNotCancelled) {
  Play play("initial: A\nstates: {A: {run: {argv: [x]}, on: {ok: B}}, B: {}}");
  EXPECT_TRUE(play.outcome("A#1", "ok"));
  EXPECT_EQ(play.effects(), "");
}

TEST(Activities, AnOutcomeOfAnEarlierEntryIsIgnored) {
  Play play("initial: A\nstates: {A: {run: {argv: [x]}, on: {again: A, ok: B}}, B: {}}");
  play.send("again");
  EXPECT_FALSE(play.outcome("A#1", "ok"));
  EXPECT_EQ(play.active(), "A#2");
  EXPECT_EQ(play.problems(), "");
}

TEST(Activities, ASelfTransitionOrdersThemAgain) {
  Play play("initial: A\nstates: {A: {run: {argv: [x]}, on: {failed: A}}}");
  play.outcome("A#1", "failed");
  EXPECT_EQ(play.effects(), "run A#2");
}

TEST(Outcomes, NeverReachASiblingRegion) {
  Play play(R"yaml(
    initial: P
    states:
      P:
        parallel: true
        on: {ok: {do: mark(P)}}
        states:
          R: {initial: R1, states: {R1: {run: {argv: [x]}}}}
          S: {initial: S1, states: {S1: {on: {ok: {do: mark(S)}}}}}
  )yaml");
  EXPECT_TRUE(play.outcome("R1#1", "ok", {{"status", 0}}));
  EXPECT_EQ(play.log(), "P");
  play.send("ok");
  EXPECT_EQ(play.log(), "P S") << "a broadcast does";
}

TEST(Outcomes, CarryTheirDataAndSource) {
  Play play(R"yaml(
    initial: A
    states:
      A: {run: {argv: [x]}, on: {ok: {target: B, do: "ctx.log = event.source .. ' ' .. event.output"}}}
      B: {}
  )yaml");
  play.outcome("A#1", "ok", {{"output", "done"}});
  EXPECT_EQ(play.log(), "A#1 done");
}

TEST(Outcomes, ThatNobodyTakesEndTheMachineAsFailed) {
  Play play(R"yaml(
    initial: A
    states:
      A: {run: {argv: [x]}, on: {ok: B}, exit: mark(-A)}
      B: {}
  )yaml");
  EXPECT_FALSE(play.outcome("A#1", "failed", {{"status", 1}}));
  EXPECT_EQ(play.problems(),
            "error.unhandled at /: A ended in 'failed', which no transition takes");
  EXPECT_EQ(play.effects(), "finish error.unhandled failed");
  EXPECT_EQ(play.effect<Finish>().reason, "A ended in 'failed', which no transition takes");
  EXPECT_EQ(play.moved(), "-A#1");
  EXPECT_EQ(play.log(), "-A");
  EXPECT_TRUE(play.instance().finished());
}

TEST(Outcomes, TheSameHoldsForErrorsAndSaysTheirMessage) {
  Play play("initial: A\nstates: {A: {run: {argv: [x]}, on: {ok: B}}, B: {}}");
  play.outcome("A#1", "error.timeout", {{"message", "no reply within 5m"}});
  EXPECT_EQ(play.effect<Finish>().reason,
            "A ended in 'error.timeout', which no transition takes: no reply within 5m");
}

TEST(Outcomes, AnUntakenOneCancelsWhatRunsBeside) {
  Play play(R"yaml(
    initial: P
    states:
      P:
        parallel: true
        states:
          R: {initial: R1, states: {R1: {run: {argv: [x]}}}}
          S: {initial: S1, states: {S1: {run: {argv: [z]}, after: {1h: S1}}}}
  )yaml");
  play.outcome("R1#1", "ok");
  EXPECT_EQ(play.effects(), "cancel S1#1, cancel S1#1/after:1, finish error.unhandled failed");
}

TEST(Outcomes, AGuardThatFailsCanBeMadeGood) {
  Play play(R"yaml(
    initial: A
    states:
      A: {run: {argv: [x]}, on: {ok: {guard: nothing.at_all, target: B}, error: C}}
      B: {}
      C: {}
  )yaml");
  EXPECT_FALSE(play.outcome("A#1", "ok"));
  EXPECT_EQ(play.active(), "C#1");
  EXPECT_EQ(play.problems(), "");
}

TEST(Abort, ForcedCancelsEverythingAndFinishes) {
  Play play(R"yaml(
    initial: A
    states:
      A: {run: {argv: [x]}, after: {1h: A}, entry: "send('x', nil, {after = '5s', id = 's'})", exit: mark(-A)}
  )yaml");
  play.abort("asked twice");
  EXPECT_EQ(play.effects(),
            "cancel A#1, cancel A#1/after:1, cancel send:s, finish aborted aborted");
  EXPECT_EQ(play.effect<Finish>(3).reason, "asked twice");
  EXPECT_EQ(play.log(), "-A");
  EXPECT_TRUE(play.instance().finished());
}

}  // namespace
}  // namespace agneto::chart
