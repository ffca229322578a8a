#include "play/simulator.h"

#include "play/simulating.h"

namespace agneto::play {
namespace {

TEST(Simulator, BeginsWithTheStartAndAnswersEachInput) {
  Simulation play(R"(
initial: A
states:
  A: {on: {go: B}}
  B: {}
)");
  EXPECT_EQ(play.read(), ": A");
  EXPECT_EQ(play.steps().front().input, 0);
  EXPECT_EQ(play("# a comment"), "");
  EXPECT_EQ(play("go"), "go: B");
  EXPECT_EQ(play.steps().front().input, 2);
  EXPECT_EQ(play("go"), "-go: B");
}

TEST(Simulator, QueuedEventsAreMacrostepsOfTheSameInput) {
  Simulation play(R"(
initial: A
states:
  A: {on: {go: {target: B, do: 'send("one") send("two")'}}}
  B: {on: {one: C}}
  C: {on: {two: D}}
  D: {}
)");
  EXPECT_EQ(play("go"), "go: B | one: C | two: D");
  for (const Macrostep& step : play.steps()) EXPECT_EQ(step.input, 1);
}

TEST(Simulator, AnOutcomeIsAddressedAndABroadcastIsNot) {
  const std::string text = R"(
initial: P
states:
  P:
    parallel: true
    states:
      L: {initial: L1, states: {L1: {run: {argv: [x]}, on: {ok: L2}}, L2: {}}}
      R: {initial: R1, states: {R1: {run: {argv: [x]}, on: {ok: R2}}, R2: {}}}
)";
  Simulation addressed(text);
  EXPECT_EQ(addressed(R"({"event": "ok", "from": "R1#1"})"), "ok: L1, R2");
  EXPECT_EQ(addressed(R"({"event": "ok", "from": "R1#1"})"), "-ok: L1, R2");
  Simulation broadcast(text);
  EXPECT_EQ(broadcast("ok"), "ok: L2, R2");
}

TEST(Simulator, AnActivityRunsOnAfterABroadcastThatLeavesItsStateAlone) {
  Simulation play(R"(
initial: A
states:
  A: {run: {argv: [x]}, on: {ok: B, nudge: {}}}
  B: {}
)");
  EXPECT_EQ(play("nudge"), "nudge: A");
  EXPECT_EQ(play(R"({"event": "ok", "from": "A"})"), "ok: B");
}

TEST(Simulator, AnUntakenOutcomeFailsTheMachine) {
  Simulation play(R"(
initial: A
states:
  A: {run: {argv: [x]}, on: {ok: A}}
)");
  EXPECT_EQ(play(R"({"event": "failed", "from": "A"})"), "-failed: A");
  EXPECT_EQ(play.json().at("outcome"), "error.unhandled");
  EXPECT_EQ(play.json().at("status"), "failed");
  EXPECT_EQ(play.json().at("problems"),
            (Json::array({{{"path", ""},
                           {"event", "error.unhandled"},
                           {"message", "A ended in 'failed', which no transition takes"}}})));
}

std::string refusal(Simulation& play, const std::string& from) {
  play(R"({"event": "x", "from": ")" + from + "\"}");
  return play.steps().front().refused;
}

const std::map<std::string, std::string> two_machines = {{"flow.yaml", R"(
initial: P
states:
  P:
    parallel: true
    states:
      L: {initial: SUB, states: {SUB: {machine: sub.yaml, on: {DONE: L2, error: L2}}, L2: {}}}
      R: {initial: WORK, states: {WORK: {run: {argv: [x]}, on: {again: WORK, ok: R2}}, R2: {}}}
)"},
                                                         {"sub.yaml", R"(
initial: WORK
context: {n: 0}
states:
  WORK:
    run: {argv: [w]}
    on: {ok: DONE, again: {target: WORK, do: ctx.n = ctx.n + 1}}
  DONE: {final: true}
)"}};

TEST(Simulator, FromMayLeaveOutWhatGoesWithoutSaying) {
  Simulation play(two_machines);
  EXPECT_EQ(play.read(), ": SUB, SUB#1/WORK, WORK");
  EXPECT_EQ(refusal(play, "SUB"), "no activity runs at 'SUB'; running: SUB#1/WORK#1, WORK#1");
  EXPECT_EQ(refusal(play, "WORK#2"), "no activity runs at 'WORK#2'; running: SUB#1/WORK#1, WORK#1");
  // The whole path without numbers comes before one whose end it is.
  EXPECT_EQ(play(R"({"event": "again", "from": "WORK"})"), "again: SUB, SUB#1/WORK, WORK");
  EXPECT_EQ(refusal(play, "X/WORK"), "no activity runs at 'X/WORK'; running: SUB#1/WORK#1, WORK#2");
  EXPECT_EQ(play(R"({"event": "ok", "from": "WORK#2"})"), "ok: SUB, SUB#1/WORK, R2");
  EXPECT_EQ(play(R"({"event": "again", "from": "WORK"})"), "again: SUB, SUB#1/WORK, R2");
  EXPECT_EQ(play(R"({"event": "ok", "from": "SUB/WORK#2"})"), "ok: SUB, R2 | DONE: L2, R2");
  EXPECT_EQ(refusal(play, "WORK"), "no activity runs at 'WORK'; running: none");
}

TEST(Simulator, AnAmbiguousFromIsRefused) {
  std::map<std::string, std::string> texts = two_machines;
  texts["flow.yaml"] = R"(
initial: P
states:
  P:
    parallel: true
    states:
      A: {machine: sub.yaml, on: {DONE: {}}}
      B: {machine: sub.yaml, on: {DONE: {}}}
)";
  Simulation play(texts);
  EXPECT_EQ(refusal(play, "WORK"), "'WORK' may be any of A#1/WORK#1, B#1/WORK#1");
  EXPECT_EQ(play(R"({"event": "again", "from": "B/WORK"})"), "again: A, A#1/WORK, B, B#1/WORK");
  EXPECT_EQ(play.json().at("machines"), (Json{{"A#1", {{"n", 0}}}, {"B#1", {{"n", 1}}}}));
}

TEST(Simulator, WhatNoRunWouldGiveIsPlayedAndSaid) {
  Simulation play(R"(
agents: {worker: {hooks: hooks.lua}}
initial: A
states:
  A:
    agent: {name: worker, verdicts: {WELL: {note: string}, AGAIN: {}}}
    on: {WELL: A, AGAIN: A, error.quota: A, error: A, nudge: A}
)");
  const auto doubt = [&](const std::string& line) {
    play(line);
    return play.steps().front().doubt;
  };
  EXPECT_EQ(doubt(R"({"event": "WELL", "from": "A"})"),
            "the field 'note' of WELL (string) is missing; give an agent's fields under 'data'");
  EXPECT_EQ(play.read(), "WELL: A");
  EXPECT_EQ(doubt(R"({"event": "AGAIN", "from": "A", "data": {"note": 1}})"),
            "AGAIN has no field 'note'");
  EXPECT_EQ(doubt(R"({"event": "AGIAN", "from": "A"})"),
            "'AGIAN' is not a verdict of this call; did you mean 'AGAIN'?");
  Simulation errors(R"(
initial: A
states: {A: {run: {argv: [x]}, on: {error.quota: A, error: A, ok: A}}}
)");
  for (const std::string from : {"", R"(, "from": "A")"}) {
    const auto said = [&](const std::string& event) {
      errors("{\"event\": \"" + event + "\"" + from + "}");
      return errors.steps().front().doubt;
    };
    EXPECT_EQ(said("error.tiemout"),
              "no activity ends in 'error.tiemout'; did you mean 'error.timeout'?");
    for (const char* event : {"error.timeout", "error.quota", "error.quota.daily", "error", "ok"}) {
      EXPECT_EQ(said(event), "") << event;
    }
  }
}

TEST(Simulator, ShallowDoesNotEnterOtherMachines) {
  Options options;
  options.shallow = true;
  Simulation play(two_machines, options);
  EXPECT_EQ(play.read(), ": SUB, WORK");
  EXPECT_EQ(play.json().at("effects").at(0), (Json{{"kind", "machine"},
                                                   {"name", "sub"},
                                                   {"path", "SUB#1"},
                                                   {"machine", "sub"},
                                                   {"inputs", Json::object()}}));
  EXPECT_EQ(play(R"({"event": "DONE", "from": "SUB"})"), "DONE: L2, WORK");
}

TEST(Simulator, TheClockFiresWhatIsDueInOrder) {
  Simulation play(R"(
initial: P
context: {log: ""}
states:
  P:
    entry: send("s", null, {after = "2s", id = "x"})
    parallel: true
    states:
      L: {after: {2s: {do: ctx.log = ctx.log .. "l"}}, on: {s: {do: ctx.log = ctx.log .. "s"}}}
      R: {after: {1s: {do: ctx.log = ctx.log .. "r"}}}
)");
  EXPECT_EQ(play(R"({"advance": 999})"), "-: L, R");
  EXPECT_EQ(play.json().at("event"), nullptr);
  EXPECT_EQ(play(R"({"advance": "1ms"})"), "after: L, R");
  EXPECT_EQ(play(R"({"advance": "1h"})"), "s: L, R | after: L, R");
  EXPECT_EQ(play.json(1).at("context"), (Json{{"log", "rsl"}}));
  EXPECT_EQ(play.simulator().machine().now(), Millis(3'601'000));
  EXPECT_EQ(play.steps().at(0).time, Millis(2000));
}

TEST(Simulator, ATimerCountsFromWhenItWasOrdered) {
  Simulation play(R"(
initial: A
states:
  A: {after: {1s: B}}
  B: {after: {1s: A}}
)");
  EXPECT_EQ(play(R"({"advance": "3500ms"})"), "after: B | after: A | after: B");
  EXPECT_EQ(play(R"({"advance": "499ms"})"), "-: B");
  EXPECT_EQ(play(R"({"advance": 1})"), "after: A");
}

TEST(Simulator, WhatWasCancelledDoesNotFire) {
  Simulation play(R"(
initial: A
states:
  A:
    entry: send("late", null, {after = "1s", id = "x"})
    after: {1s: C}
    on: {go: {target: B, do: cancel("x")}}
  B: {on: {late: C}}
  C: {}
)");
  EXPECT_EQ(play("go"), "go: B");
  EXPECT_EQ(play(R"({"advance": "1h"})"), "-: B");
}

TEST(Simulator, AtTheEndTheConfigurationIsThatBeforeTheFinalExits) {
  Simulation play(R"(
initial: A
context: {n: 0}
states:
  A: {initial: A1, states: {A1: {on: {go: END}}}}
  END: {final: true, outcome: fine, exit: ctx.n = 1}
outputs: {n: ctx.n}
)");
  EXPECT_EQ(play("go"), "go: END");
  Json ended = play.json();
  EXPECT_EQ(ended.at("configuration"), Json::array({"END"}));
  EXPECT_EQ(ended.at("active"), Json::array({"END"}));
  EXPECT_EQ(ended.at("context"), (Json{{"n", 1}}));
  EXPECT_EQ(ended.at("done"), true);
  EXPECT_EQ(ended.at("outcome"), "fine");
  EXPECT_EQ(ended.at("status"), "complete");
  EXPECT_EQ(play("go"), "-go: END");
  EXPECT_EQ(play.json().at("done"), true);
  EXPECT_EQ(play(R"({"advance": "1h"})"), "-: END");
  EXPECT_EQ(refusal(play, "A"), "the machine has ended");
}

TEST(Simulator, AbortAlwaysEnds) {
  const std::string text = R"(
initial: A
on: {abort: LEAVING}
states:
  A: {}
  LEAVING: {after: {1h: GONE}}
  GONE: {final: true}
)";
  Simulation untaken("initial: A\nstates: {A: {}}\n");
  EXPECT_EQ(untaken("abort"), "-abort: A");
  EXPECT_EQ(untaken.json().at("status"), "aborted");
  Simulation twice(text);
  EXPECT_EQ(twice("abort"), "abort: LEAVING");
  EXPECT_EQ(twice.json().at("done"), false);
  EXPECT_EQ(twice("abort"), "-abort: LEAVING");
  EXPECT_EQ(twice.json().at("status"), "aborted");
  Simulation late(text);
  late("abort");
  EXPECT_EQ(late(R"({"advance": "9999ms"})"), "-: LEAVING");
  EXPECT_EQ(late(R"({"advance": "1d"})"), "-abort: LEAVING");
  EXPECT_EQ(late.json().at("outcome"), "aborted");
}

TEST(Simulator, AnErrorIsToldAndDoesNotStopIt) {
  Simulation play(R"(
initial: A
states:
  A: {on: {go: {target: B, do: ctx.x = 1}}}
  B: {on: {go: A}}
)");
  EXPECT_EQ(play("go"), "go: B");
  EXPECT_EQ(play.json().at("problems"),
            (Json::array({{{"path", "A#1"},
                           {"event", "error.lua"},
                           {"message", "flow.yaml:6: 'x' is not declared in ctx"}}})));
  EXPECT_EQ(play("go"), "go: A");
}

TEST(Simulator, EndlessEventsEnd) {
  Options options;
  options.max_macrosteps = 100;
  Simulation sends(R"(
initial: A
states:
  A: {on: {go: {do: send("go")}, other: B}}
  B: {}
)",
                   options);
  sends("go");
  ASSERT_EQ(sends.steps().size(), 101u);
  EXPECT_EQ(sends.steps().back().problems.at(0).message,
            "the machine does not come to rest: 100 events followed at one moment");
  EXPECT_EQ(sends("other"), "other: B | -go: B");

  Simulation timers("initial: A\nstates: {A: {after: {0ms: A}}}\n", options);
  timers(R"({"advance": 0})");
  EXPECT_EQ(timers.steps().size(), 101u);
}

TEST(Simulator, TicksOverALongTimeAreNoEndlessEvents) {
  Options options;
  options.max_macrosteps = 100;
  Simulation play("initial: A\nstates: {A: {after: {1s: A}}}\n", options);
  play(R"({"advance": "200s"})");
  EXPECT_EQ(play.steps().size(), 200u);
}

TEST(Simulator, TellsEverythingOfAMacrostepAsJson) {
  Simulation play(R"(
agents:
  judge: {hooks: hooks.lua}
initial: A
states:
  A: {on: {go: {target: [L2, R2]}}}
  P:
    parallel: true
    states:
      L: {initial: L1, states: {L1: {}, L2: {agent: judge, after: {1m: A}, on: {done: {}}}}}
      R: {initial: R1, states: {R1: {}, R2: {}}}
)");
  play(R"({"event": "go", "data": 1})");
  EXPECT_EQ(play.json(),
            (Json{{"input", 1},
                  {"event", "go"},
                  {"handled", true},
                  {"configuration", {"L2", "R2"}},
                  {"active", {"P", "L", "L2", "R", "R2"}},
                  {"transitions",
                   Json::array({{{"source", "A"}, {"target", {"L2", "R2"}}, {"line", 8}}})},
                  {"effects", Json::array({{{"kind", "timer"},
                                            {"name", "L2"},
                                            {"path", "L2#1/after:1"},
                                            {"delay", 60'000},
                                            {"pausable", false}},
                                           {{"kind", "agent"},
                                            {"name", "judge"},
                                            {"path", "L2#1"},
                                            {"machine", "flow"},
                                            {"state", "L2"},
                                            {"instance", ""},
                                            {"entry", 1},
                                            {"scope", ""},
                                            {"access", "read-only"},
                                            {"task", ""},
                                            {"session", "fresh"},
                                            {"timeout", 1'800'000},
                                            {"idle", 300'000},
                                            {"tries", 3}}})},
                  {"context", Json::object()},
                  {"done", false},
                  {"outcome", nullptr},
                  {"status", nullptr}}));
}

TEST(Simulator, TransitionsOfOtherMachinesSayWhere) {
  Simulation play(two_machines);
  play(R"({"event": "ok", "from": "SUB/WORK"})");
  EXPECT_EQ(play.json(0).at("transitions"),
            (Json::array(
                {{{"source", "WORK"}, {"target", "DONE"}, {"line", 9}, {"instance", "SUB#1"}}})));
  EXPECT_EQ(play.json(1).at("transitions"),
            (Json::array({{{"source", "SUB"}, {"target", "L2"}, {"line", 9}}})));
}

TEST(Simulator, WorktreesOfItemsOpenAndJoinByThemselves) {
  const std::map<std::string, std::string> texts = {{"flow.yaml", R"(
initial: EACH
states:
  EACH:
    for_each: {items: "{1, 2}", machine: item.yaml, workspace: own}
    on: {done: OVER}
  OVER: {}
)"},
                                                    {"item.yaml", R"(
initial: WORK
states:
  WORK: {run: {argv: [w]}, on: {ok: DONE}}
  DONE: {final: true}
)"}};
  Simulation play(texts);
  EXPECT_EQ(play.read(),
            ": EACH | ok: EACH, EACH#1[1]/WORK | ok: EACH, EACH#1[1]/WORK, EACH#1[2]/WORK");
  EXPECT_EQ(play(R"({"event": "ok", "from": "EACH[1]/WORK"})"), "ok: EACH, EACH#1[2]/WORK");
  EXPECT_EQ(play(R"({"event": "ok", "from": "EACH[2]/WORK"})"), "ok: EACH | ok: EACH | done: OVER");
}

}  // namespace
}  // namespace agneto::play
