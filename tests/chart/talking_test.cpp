// Machines that send one another events while they run.
#include "chart_fixture.h"

namespace agneto::chart {
namespace {

using testing::IsEmpty;

// Keeps what it is told, and goes on until it is told to stop.
const std::string talking_worker = R"(
  initial: WORKING
  states:
    WORKING:
      run: {argv: [make]}
      on:
        ok: DONE
        note: {do: ctx.log = ctx.log .. " " .. event.text}
        stop: STOPPED
    DONE: {final: true}
    STOPPED: {final: true}
  outputs: {log: ctx.log}
)";

TEST(Talking, AMachineGetsWhatIsSentToTheStateThatDelegatesToIt) {
  Play play(Texts{{"main.yaml", R"(
                     initial: SUB
                     context: {told: ""}
                     on:
                       go: {do: 'send("note", {text = "first"}, {to = "SUB"})'}
                     states:
                       SUB:
                         machine: sub.yaml
                         on: {STOPPED: END, note: LOST}
                       END: {final: true}
                       LOST: {final: true, status: failed}
                   )"},
                  {"sub.yaml", talking_worker}});
  EXPECT_TRUE(play.send("go"));
  EXPECT_EQ(play.ctx("SUB#1"), Json({{"log", ""}}));
  EXPECT_TRUE(play.instance().pending());
  EXPECT_TRUE(play.queued());
  EXPECT_EQ(play.out().event, "note");
  EXPECT_EQ(play.out().origin, "parent");
  EXPECT_EQ(play.ctx("SUB#1"), Json({{"log", " first"}}));
  EXPECT_EQ(play.active(), "SUB#1 SUB#1/WORKING#1");
  EXPECT_FALSE(play.instance().pending());
}

TEST(Talking, WhatIsSentComesBehindWhatTheMachineHasSentItself) {
  Play play(Texts{{"main.yaml", R"(
                     initial: SUB
                     on: {both: {do: 'send("note", {text = "2"}, {to = "SUB"})'}}
                     states:
                       SUB: {machine: sub.yaml, on: {END: END}}
                       END: {final: true}
                   )"},
                  {"sub.yaml", R"(
                     initial: A
                     states:
                       A:
                         on:
                           own: {do: 'send("note", {text = "1"}) send("both", {}, {to = "parent"})
                                      send("note", {text = "3"})'}
                           note: {do: ctx.log = ctx.log .. event.text}
                       END: {final: true}
                   )"}});
  play.send("own");
  play.drain();
  EXPECT_EQ(play.ctx("SUB#1"), Json({{"log", "132"}}));
}

// A machine whose states answer who has sent them something.
const std::string echo = R"(
  initial: A
  states:
    A:
      on:
        hello: {do: 'send("echo", {from = event.origin, number = event.item, path = event.source},
                         {to = event.origin, item = event.item})'}
        over: {target: END, do: 'send("last", {}, {to = "parent"})'}
    END: {final: true}
)";

const std::string asks_echo = R"(
  initial: SUB
  context: {heard: []}
  on:
    go: {do: 'send("hello", {}, {to = "SUB"})'}
    two: {do: 'send("hello", {}, {to = "SUB", item = 2})'}
    echo: {do: 'table.insert(ctx.heard, {event.from, event.number, event.path, event.source, event.origin, event.item})'}
    last: {do: 'table.insert(ctx.heard, event.item)'}
    outside: {do: 'table.insert(ctx.heard, {event.origin, event.item})'}
  states:
    SUB:
      DELEGATES
      on: {END: END, done: END}
    END: {final: true}
)";

std::string asking(const std::string& how) {
  std::string text = asks_echo;
  return text.replace(text.find("DELEGATES"), 9, how);
}

TEST(Talking, AnEventSaysWhoSentItAndCanBeAnswered) {
  Play play(Texts{{"main.yaml", asking("machine: sub.yaml")}, {"sub.yaml", echo}});
  play.send("go");
  play.drain();
  EXPECT_EQ(play.ctx().at("heard"), Json::parse(R"([["parent", null, "", "SUB#1", "SUB", null]])"));
  play.send("outside");
  EXPECT_EQ(play.ctx().at("heard").back(), Json::parse("[null, null]"));
}

TEST(Talking, AllItemsGetItInOrderAndOneByItsNumber) {
  Play play(Texts{{"main.yaml", asking("for_each: {items: '{1, 2, 3}', machine: sub.yaml}")},
                  {"sub.yaml", echo}});
  play.send("two");
  play.drain();
  EXPECT_EQ(play.ctx().at("heard"), Json::parse(R"([["parent", null, "", "SUB#1[2]", "SUB", 2]])"));
  play.send("go");
  EXPECT_TRUE(play.queued());  // one step for all of them
  play.drain();
  EXPECT_EQ(
      play.ctx().at("heard"),
      Json::parse(
          R"([["parent", null, "", "SUB#1[2]", "SUB", 2], ["parent", null, "", "SUB#1[1]", "SUB", 1],
                            ["parent", null, "", "SUB#1[2]", "SUB", 2], ["parent", null, "", "SUB#1[3]", "SUB", 3]])"));
}

TEST(Talking, WhatAMachineSendsAsItEndsComesBeforeItsEnd) {
  Play play(Texts{{"main.yaml", asking("machine: sub.yaml")}, {"sub.yaml", echo}});
  play.send("over");
  EXPECT_EQ(play.active(), "SUB#1");
  play.reload();
  EXPECT_TRUE(play.queued());
  EXPECT_EQ(play.out().event, "last");
  EXPECT_EQ(play.ctx().at("heard"), Json::parse("[null]"));
  EXPECT_TRUE(play.queued());
  EXPECT_EQ(play.effects(), "finish END complete");
}

TEST(Talking, ItemsThatEndTellTheirNumbers) {
  Play play(Texts{{"main.yaml", asking("for_each: {items: '{1, 2}', machine: sub.yaml}")},
                  {"sub.yaml", echo}});
  play.send("over");
  play.reload();
  play.queued();
  play.queued();
  EXPECT_EQ(play.ctx().at("heard"), Json::parse("[1, 2]"));
  play.drain();
  EXPECT_EQ(play.effects(), "finish END complete");
}

TEST(Talking, TheMachinesInsideDoNotHearIt) {
  Play play(Texts{{"main.yaml", R"(
                     initial: SUB
                     on: {go: {do: 'send("hello", {}, {to = "SUB"})'}}
                     states:
                       SUB: {machine: mid.yaml, on: {END: END, hello: END}}
                       END: {final: true}
                   )"},
                  {"mid.yaml", R"(
                     initial: SUB
                     states:
                       SUB: {machine: sub.yaml, on: {END: END}}
                       END: {final: true}
                   )"},
                  {"sub.yaml", echo}});
  play.send("go");
  EXPECT_FALSE(play.queued());
  EXPECT_EQ(play.active(), "SUB#1 SUB#1/SUB#1 SUB#1/SUB#1/A#1");
  EXPECT_THAT(play.problems(), IsEmpty());
}

// `to`: the options of what is sent on `go`; `on`: what else is taken.
Texts with_worker(const std::string& to, const std::string& on = "") {
  return {{"main.yaml", "initial: SUB\ncontext: {seen: ''}\non:\n  go: {do: 'send(\"stop\", {}, {" +
                            to + "})'}\n" + on +
                            "states:\n"
                            "  SUB: {machine: sub.yaml, on: {DONE: AFTER, STOPPED: AFTER}}\n"
                            "  AFTER: {run: {argv: [make]}, on: {ok: END, error: LOST}}\n"
                            "  END: {final: true}\n"
                            "  LOST: {final: true, status: failed}\n"},
          {"sub.yaml", talking_worker}};
}

TEST(Talking, NobodyThereIsANoticeAndEndsNothing) {
  Play play(with_worker("to = \"SUB\""));
  play.outcome("SUB#1/WORKING#1", "ok");
  play.drain();
  play.send("go");
  EXPECT_FALSE(play.queued());
  EXPECT_EQ(play.out().event, "error.communication");
  EXPECT_EQ(play.problems(),
            "error.communication at /: 'stop' reached nobody: no machine is at work in SUB");
  EXPECT_EQ(play.active(), "AFTER#1");  // which takes each `error`
  EXPECT_THAT(play.effects(), IsEmpty());
}

TEST(Talking, WhoHasSentItCanTakeTheNotice) {
  Play play(with_worker("to = \"SUB\"",
                        "  error.communication: {target: END, do: 'ctx.seen = event.message .. \"; "
                        "\" .. event.event .. \" \" .. event.origin'}\n"));
  play.outcome("SUB#1/WORKING#1", "ok");
  play.drain();
  play.send("go");
  EXPECT_TRUE(play.queued());
  EXPECT_EQ(play.effects(), "cancel AFTER#1, finish END complete");
  EXPECT_THAT(play.problems(), IsEmpty());
  EXPECT_EQ(play.ctx().at("seen"), "'stop' reached nobody: no machine is at work in SUB; stop SUB");
}

TEST(Talking, AnItemThatIsNotAtWorkIsNobody) {
  Play play(Texts{{"main.yaml", R"(
                     initial: ALL
                     on: {go: {do: 'send("stop", {}, {to = "ALL", item = 2})'}}
                     states:
                       ALL:
                         for_each: {items: '{1, 2}', machine: sub.yaml, max_parallel: 1}
                         on: {done: END, failed: END}
                       END: {final: true}
                   )"},
                  {"sub.yaml", talking_worker}});
  play.send("go");
  play.queued();
  EXPECT_EQ(play.problems(),
            "error.communication at /: 'stop' reached nobody: no machine is at work in ALL[2]");
}

TEST(Talking, NoMachineIsAroundTheOneThatIsRun) {
  Play play(R"(
    initial: A
    on: {go: {do: 'send("hello", {}, {to = "parent"})'}}
    states: {A: {}}
  )");
  play.send("go");
  play.queued();
  EXPECT_EQ(play.problems(),
            "error.communication at /: 'hello' reached nobody: no machine is around 'chart'");
}

TEST(Talking, WithADelayItGoesToWhoIsThereThen) {
  Play play(Texts{{"main.yaml", R"(
                     initial: IDLE
                     states:
                       IDLE:
                         entry: send("stop", {}, {to = "SUB", after = "5m", id = "deadline"})
                         on: {go: SUB, keep: {target: SUB, do: cancel("deadline")}}
                       SUB: {machine: sub.yaml, on: {STOPPED: END, DONE: END}}
                       END: {final: true}
                   )"},
                  {"sub.yaml", talking_worker}});
  EXPECT_EQ(play.effects(), "timer send:deadline 300000ms");
  play.send("go");
  play.reload();
  EXPECT_TRUE(play.timer("send:deadline"));
  EXPECT_EQ(play.out().event, "stop");
  EXPECT_EQ(play.effects(), "cancel SUB#1/WORKING#1");
  play.drain();
  EXPECT_EQ(play.effects(), "finish END complete");
}

TEST(Talking, WhatIsNotDueYetCanBeTakenBack) {
  Play play(Texts{{"main.yaml", R"(
                     initial: SUB
                     on:
                       go: {do: 'send("stop", {}, {to = "SUB", id = "x"}) cancel("x")'}
                     states:
                       SUB: {machine: sub.yaml, on: {STOPPED: END, DONE: END}}
                       END: {final: true}
                   )"},
                  {"sub.yaml", talking_worker}});
  play.send("go");
  EXPECT_FALSE(play.instance().pending());
}

TEST(Talking, AMachineThatIsCancelledHasSaidNothing) {
  Play play(Texts{{"main.yaml", R"(
                     initial: SUB
                     on: {leave: IDLE}
                     states:
                       SUB: {machine: sub.yaml, on: {END: END}}
                       IDLE: {on: {bye: END}}
                       END: {final: true}
                   )"},
                  {"sub.yaml", R"(
                     initial: A
                     states:
                       A: {exit: 'send("bye", {}, {to = "parent"})', on: {x: END}}
                       END: {final: true}
                   )"}});
  play.send("leave");
  EXPECT_FALSE(play.instance().pending());
  EXPECT_EQ(play.active(), "IDLE#1");
}

TEST(Talking, AStepThatIsTakenBackHasSentNothing) {
  Play play(Texts{{"main.yaml", R"(
                     initial: SUB
                     states:
                       SUB:
                         machine: sub.yaml
                         on: {said: LOST, error: {target: END, do: ctx.log = event.message}}
                       END: {final: true}
                       LOST: {final: true}
                   )"},
                  {"sub.yaml", R"(
                     initial: A
                     on: {go: ROUND}
                     states:
                       A: {}
                       ROUND: {entry: 'send("said", {}, {to = "parent"})', always: ROUND}
                   )"}});
  play.send("go");
  play.drain();
  EXPECT_EQ(play.effects(), "finish END complete");
}

TEST(Talking, NobodyTellsWhatAnActivityComesTo) {
  const Texts texts = {{"main.yaml", R"(
                          initial: SUB
                          on:
                            fake: {do: 'send("ok", {}, {to = "SUB"})'}
                            error.lua: {do: ctx.log = event.message}
                            STOPPED: LOST
                          states:
                            SUB: {machine: sub.yaml, on: {STOPPED: END, DONE: END}}
                            END: {final: true}
                            LOST: {final: true}
                        )"},
                       {"sub.yaml", R"(
                          initial: WORKING
                          on: {go: {do: 'send("DONE", {}, {to = "parent"})'},
                               limit: {do: 'send("limit.calls", {}, {to = "parent"})'},
                               error.lua: {do: ctx.log = event.message}}
                          states:
                            WORKING: {run: {argv: [make]}, on: {ok: DONE}}
                            DONE: {final: true}
                            STOPPED: {final: true}
                        )"}};
  const auto refused = [](const std::string& name) {
    return "send: '" + name +
           "' is what an activity there or the engine ends in, and nobody else sends it; call the "
           "event something else";
  };
  Play play(texts);
  play.send("fake");
  EXPECT_THAT(play.ctx().at("log"), testing::EndsWith(refused("ok")));
  play.send("go");
  EXPECT_THAT(play.ctx("SUB#1").at("log"), testing::EndsWith(refused("DONE")));
  play.send("limit");
  EXPECT_THAT(play.ctx("SUB#1").at("log"), testing::EndsWith(refused("limit.calls")));
  EXPECT_FALSE(play.instance().pending());
}

TEST(Talking, WhomAnEventIsSentToIsLookedAt) {
  const auto problem = [](const std::string& options) {
    Play play(Texts{{"main.yaml", "initial: A\non:\n  go: {do: 'send(\"x\", {}, " + options +
                                      ")'}\n  error.lua: {do: ctx.log = event.message}\n"
                                      "states:\n  A: {}\n  SUB: {machine: sub.yaml}\n"
                                      "  ALL: {for_each: {items: '{}', machine: sub.yaml}}\n"},
                    {"sub.yaml", talking_worker}});
    play.send("go");
    const std::string said = play.ctx().at("log");
    return said.empty() ? said : said.substr(said.find(": ") + 2);
  };
  EXPECT_EQ(problem("{to = \"SUP\"}"), "send: unknown state 'SUP'; did you mean 'SUB'?");
  EXPECT_EQ(problem("{to = \"A\"}"), "send: 'A' does not delegate to a machine");
  EXPECT_EQ(problem("{to = event.origin}"),
            "send: 'to' must be a state's name or \"parent\", not null");
  EXPECT_EQ(problem("{to = \"SUB\", item = 1}"),
            "send: 'SUB' delegates to one machine, which is no item");
  EXPECT_EQ(problem("{to = \"parent\", item = 1}"),
            "send: 'item' is of a state with a for_each: {to = \"STATE\", item = 1}");
  for (const std::string wrong : {"0", "1.5", "\"1\"", "-1"}) {
    EXPECT_EQ(problem("{to = \"ALL\", item = " + wrong + "}"),
              "send: 'item' must be the number of an item, from 1, not " + wrong);
  }
  EXPECT_EQ(problem("{to = \"SUB\", item = event.item}"), "");
}

TEST(Talking, AMachineInsideSendsNoMoreWhereAThousandWait) {
  Play play(Texts{{"main.yaml", R"(
                     initial: ALL
                     context: {heard: 0, sent: false}
                     on:
                       x: {do: ctx.heard = ctx.heard + 1}
                       own: {do: ctx.sent = true}
                       go: {do: send("own")}
                     states:
                       ALL:
                         for_each: {items: '{1, 2, 3}', machine: sub.yaml}
                         on: {done: IDLE, failed: LOST}
                       IDLE: {}
                       LOST: {final: true}
                   )"},
                  {"sub.yaml", R"(
                     initial: A
                     on: {error.lua: REFUSED}
                     states:
                       A:
                         entry: for i = 1, 600 do send("x", {}, {to = "parent"}) end
                         always: END
                       END: {final: true}
                       REFUSED: {final: true}
                   )"}});
  EXPECT_TRUE(play.send("go"));  // though so many wait, it can still send itself something
  play.drain();
  EXPECT_EQ(play.ctx(), Json::parse(R"({"heard": 1200, "sent": true})"));
  EXPECT_EQ(play.active(), "IDLE#1");
}

TEST(Talking, WhatWaitsIsInTheSnapshot) {
  Play play(Texts{{"main.yaml", R"(
                     initial: ALL
                     on:
                       go:
                         do: |
                           send("a", {n = 1}, {to = "ALL", item = 2})
                           send("b", {}, {to = "ALL", after = "1s", id = "later"})
                           send("c", {}, {to = "parent"})
                     states:
                       ALL:
                         for_each: {items: '{1, 2}', machine: sub.yaml}
                         on: {done: END, failed: END}
                       END: {final: true}
                   )"},
                  {"sub.yaml", talking_worker}});
  play.send("go");
  const Json saved = play.instance().save().at("root");
  EXPECT_EQ(saved.at("queue"),
            Json::parse(R"([{"order": 0, "event": "a", "data": {"n": 1}, "id": "", "to": "ALL",
                             "item": 2},
                            {"order": 1, "event": "c", "data": [], "id": "", "to": "parent"}])"));
  EXPECT_EQ(saved.at("sends"),
            Json::parse(R"([{"id": "later", "event": "b", "data": [], "to": "ALL"}])"));
  play.reload();
  EXPECT_EQ(play.instance().save().at("root"), saved);
}

TEST(Talking, AWorkflowThatHasNobodyThereAnyMoreDoesNotFit) {
  Play play(with_worker("to = \"SUB\""));
  play.send("go");
  Json saved = play.instance().save();
  saved["root"]["queue"][0]["to"] = "AFTER";
  const Workflow workflow(with_worker("to = \"SUB\""));
  const Chart chart(workflow.system(), *workflow.evaluator);
  try {
    Instance::restore(chart, saved);
    FAIL();
  } catch (const std::exception& error) {
    EXPECT_STREQ(
        error.what(),
        "the saved run does not fit the workflow: in machine 'chart' the state 'AFTER' does "
        "not delegate to a machine any more");
  }
}

TEST(Outputs, OfAFinalStateComeWithTheEndOfItsCompound) {
  Play play(R"(
    initial: BOTH
    context: {log: "", n: 1}
    states:
      BOTH:
        initial: A
        on: {done.state.BOTH: {target: END, do: 'ctx.log = event.what .. event.n'}}
        states:
          A: {on: {go: LAST}}
          LAST:
            final: true
            entry: ctx.n = ctx.n + 1
            outputs: {what: event.word, n: ctx.n}
      END: {final: true}
  )");
  play.send("go", {{"word", "last "}});
  EXPECT_EQ(play.ctx().at("log"), "last 2");
}

TEST(Outputs, OfAFinalStateGoBeforeTheMachines) {
  Play play(R"(
    initial: A
    states:
      A: {on: {good: GOOD, bad: BAD}}
      GOOD: {final: true, outputs: {why: 'event.why', log: '"own"'}}
      BAD: {final: true}
    outputs: {log: '"machine"', n: 1}
  )");
  play.send("good", {{"why", "it is"}});
  EXPECT_EQ(play.effect<Finish>().outputs,
            Json::parse(R"({"why": "it is", "log": "own", "n": 1})"));
}

TEST(Outputs, ThatFailAreNull) {
  Play play(R"(
    initial: BOTH
    on: {error.lua: {do: ctx.log = event.state}}
    states:
      BOTH:
        initial: A
        on: {done.state.BOTH: {do: 'ctx.log = ctx.log .. (event.x == null and " null" or "")'}}
        states:
          A: {on: {go: LAST}}
          LAST: {final: true, outputs: {x: ctx.log.y.z}}
  )");
  play.send("go");
  EXPECT_EQ(play.ctx().at("log"), "LAST null");
  EXPECT_THAT(play.problems(), IsEmpty());
}

}  // namespace
}  // namespace agneto::chart
