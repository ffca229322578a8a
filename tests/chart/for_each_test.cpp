// One machine for each item of a list.
#include "base/error.h"
#include "chart_fixture.h"

namespace agneto::chart {
namespace {

// A state PANEL with one machine for each of a list of words; `loop` is what the for_each says
// besides, `items` the list.
Texts panel(const std::string& loop = "", const std::string& items = "{'a', 'b', 'c'}") {
  return {{"main.yaml", R"yaml(agneto: 1
name: main
context: {log: '', data: {type: any}}
initial: PANEL
states:
  PANEL:
    for_each:
      items: |
        )yaml" + items + R"yaml(
      machine: child.yaml
      with: {word: "item .. index"}
)yaml" + (loop.empty() ? "" : "      " + loop + "\n") +
                            R"yaml(
    exit: mark(-PANEL)
    on:
      done: {target: DONE, do: ctx.data = event.data}
      failed: {target: FAILED, do: ctx.data = event.data}
      error: {target: FAILED, do: ctx.data = event.data}
      leave: LEFT
      again: PANEL
  DONE: {}
  FAILED: {}
  LEFT: {}
)yaml"},
          {"child.yaml", R"yaml(agneto: 1
name: child
inputs: {word: string}
context: {log: ''}
initial: A
on: {abort: {do: mark(abort)}}
states:
  A:
    run: {argv: [x]}
    on: {ok: GOOD, failed: BAD, stop: GIVEN_UP, both: GOOD}
  GOOD: {final: true}
  BAD: {final: true, status: failed}
  GIVEN_UP: {final: true, status: aborted}
outputs: {word: inputs.word}
)yaml"}};
}

std::string results(const Play& play) {
  std::vector<std::string> all;
  const Json data = play.ctx().at("data");
  for (const Json& result : data.at("results")) {
    all.push_back(result.at("outcome").get<std::string>() + "/" +
                  result.at("status").get<std::string>());
  }
  return join(all, " ");
}

std::string message(const Play& play) {
  return play.ctx().at("data").at("message");
}

TEST(ForEach, StartsAMachineForEachItem) {
  Play play(panel());
  EXPECT_EQ(play.moved(), "+PANEL#1 +PANEL#1[1]/A#1 +PANEL#1[2]/A#1 +PANEL#1[3]/A#1");
  EXPECT_EQ(play.active(), "PANEL#1 PANEL#1[1]/A#1 PANEL#1[2]/A#1 PANEL#1[3]/A#1");
  EXPECT_EQ(play.effects(), "run PANEL#1[1]/A#1, run PANEL#1[2]/A#1, run PANEL#1[3]/A#1");
  EXPECT_EQ(play.outstanding(), "PANEL#1[1]/A#1 PANEL#1[2]/A#1 PANEL#1[3]/A#1");
  EXPECT_EQ(play.instance().data("PANEL#1[2]").at("inputs"), (Json{{"word", "b2"}}));
  EXPECT_EQ(play.instance().data("PANEL#1[4]"), nullptr);
  EXPECT_EQ(play.instance().data("PANEL#1"), nullptr);
}

TEST(ForEach, IsDoneWhenAllHaveCompletedWithTheResultsInTheirOrder) {
  Play play(panel());
  EXPECT_TRUE(play.outcome("PANEL#1[3]/A#1", "ok"));
  EXPECT_TRUE(play.outcome("PANEL#1[1]/A#1", "ok"));
  EXPECT_FALSE(play.instance().pending());
  EXPECT_EQ(play.active(), "PANEL#1 PANEL#1[2]/A#1");
  EXPECT_TRUE(play.outcome("PANEL#1[2]/A#1", "ok"));
  EXPECT_TRUE(play.queued());
  EXPECT_EQ(play.out().event, "done");
  EXPECT_EQ(play.active(), "DONE#1");
  EXPECT_EQ(play.ctx().at("data"), Json::parse(R"json({"results": [
    {"outcome": "GOOD", "status": "complete", "data": {"word": "a1"}},
    {"outcome": "GOOD", "status": "complete", "data": {"word": "b2"}},
    {"outcome": "GOOD", "status": "complete", "data": {"word": "c3"}}]})json"));
  EXPECT_EQ(play.effects(), "");
}

TEST(ForEach, StartsAsManyAtATimeAsItMay) {
  Play play(panel("max_parallel: 2", "{'a', 'b', 'c', 'd'}"));
  EXPECT_EQ(play.effects(), "run PANEL#1[1]/A#1, run PANEL#1[2]/A#1");
  play.outcome("PANEL#1[2]/A#1", "ok");
  EXPECT_EQ(play.effects(), "run PANEL#1[3]/A#1");
  EXPECT_EQ(play.active(), "PANEL#1 PANEL#1[1]/A#1 PANEL#1[3]/A#1");
  play.outcome("PANEL#1[3]/A#1", "ok");
  EXPECT_EQ(play.effects(), "run PANEL#1[4]/A#1");
  play.outcome("PANEL#1[1]/A#1", "ok");
  EXPECT_EQ(play.effects(), "");
  play.outcome("PANEL#1[4]/A#1", "ok");
  play.drain();
  EXPECT_EQ(play.active(), "DONE#1");
}

TEST(ForEach, TheFirstFailureEndsTheOthersWhereAllMustComplete) {
  Play play(panel("max_parallel: 2"));
  play.outcome("PANEL#1[2]/A#1", "failed");
  EXPECT_EQ(play.moved(), "-PANEL#1[2]/A#1 +PANEL#1[2]/BAD#1 -PANEL#1[2]/BAD#1 -PANEL#1[1]/A#1");
  EXPECT_EQ(play.effects(), "cancel PANEL#1[1]/A#1");
  EXPECT_TRUE(play.queued());
  EXPECT_EQ(play.active(), "FAILED#1");
  EXPECT_EQ(results(play), "cancelled/cancelled BAD/failed unstarted/unstarted");
  EXPECT_EQ(message(play), "0 of 3 items completed, and 3 had to; item 2 ended in 'BAD'");
}

TEST(ForEach, TheOthersGoOnWhereAFailureDoesNotStopThem) {
  Play play(panel("on_item_failure: continue"));
  play.outcome("PANEL#1[2]/A#1", "failed");
  EXPECT_EQ(play.effects(), "");
  play.outcome("PANEL#1[3]/A#1", "ok");
  EXPECT_FALSE(play.instance().pending());
  play.outcome("PANEL#1[1]/A#1", "ok");
  EXPECT_TRUE(play.queued());
  EXPECT_EQ(play.active(), "FAILED#1");
  EXPECT_EQ(results(play), "GOOD/complete BAD/failed GOOD/complete");
  EXPECT_EQ(message(play), "2 of 3 items completed, and 3 had to; item 2 ended in 'BAD'");
}

TEST(ForEach, AnyIsDoneWithTheFirstThatCompletes) {
  Play play(panel("join: any"));
  play.outcome("PANEL#1[1]/A#1", "failed");
  EXPECT_FALSE(play.instance().pending());
  play.outcome("PANEL#1[3]/A#1", "ok");
  EXPECT_EQ(play.effects(), "cancel PANEL#1[2]/A#1");
  play.drain();
  EXPECT_EQ(play.active(), "DONE#1");
  EXPECT_EQ(results(play), "BAD/failed cancelled/cancelled GOOD/complete");
}

TEST(ForEach, AnyHasFailedWhenAllHave) {
  Play play(panel("join: any"));
  for (int i : {1, 2, 3}) play.outcome("PANEL#1[" + std::to_string(i) + "]/A#1", "failed");
  play.drain();
  EXPECT_EQ(play.active(), "FAILED#1");
  EXPECT_EQ(message(play), "0 of 3 items completed, and 1 had to; item 1 ended in 'BAD'");
}

TEST(ForEach, AQuorumIsDoneWhenSoManyHaveCompleted) {
  Play play(panel("join: {quorum: 2}"));
  play.outcome("PANEL#1[1]/A#1", "failed");
  play.outcome("PANEL#1[2]/A#1", "ok");
  EXPECT_FALSE(play.instance().pending());
  play.outcome("PANEL#1[3]/A#1", "ok");
  play.drain();
  EXPECT_EQ(play.active(), "DONE#1");
}

TEST(ForEach, AQuorumHasFailedAsSoonAsItIsOutOfReach) {
  Play play(panel("join: {quorum: 2}"));
  play.outcome("PANEL#1[1]/A#1", "failed");
  play.outcome("PANEL#1[3]/A#1", "failed");
  EXPECT_EQ(play.effects(), "cancel PANEL#1[2]/A#1");
  play.drain();
  EXPECT_EQ(play.active(), "FAILED#1");
  Play never(panel("join: {quorum: 4}"));
  EXPECT_EQ(never.effects(), "");
  never.drain();
  EXPECT_EQ(results(never), "unstarted/unstarted unstarted/unstarted unstarted/unstarted");
  EXPECT_EQ(message(never), "0 of 3 items completed, and 4 had to");
}

TEST(ForEach, AFailureStopsAQuorumOnlyWhereThatIsWritten) {
  Play play(Texts(panel("join: {quorum: 1}\n      on_item_failure: stop")));
  play.outcome("PANEL#1[1]/A#1", "failed");
  play.drain();
  EXPECT_EQ(play.active(), "FAILED#1");
}

TEST(ForEach, AnItemThatWasAbortedOrEndedInAnErrorHasFailed) {
  Play play(panel("on_item_failure: continue"));
  play.outcome("PANEL#1[1]/A#1", "stop");
  play.outcome("PANEL#1[2]/A#1", "nobody.takes.this");
  play.outcome("PANEL#1[3]/A#1", "ok");
  play.drain();
  EXPECT_EQ(results(play), "GIVEN_UP/aborted error.unhandled/failed GOOD/complete");
  EXPECT_EQ(play.ctx().at("data").at("results")[1].at("data").at("message"),
            "A ended in 'nobody.takes.this', which no transition takes");
  EXPECT_EQ(message(play), "1 of 3 items completed, and 3 had to; item 1 ended in 'GIVEN_UP'");
}

TEST(ForEach, WithoutItemsAllHaveCompleted) {
  Play play(panel("", "{}"));
  EXPECT_EQ(play.moved(), "+PANEL#1");
  play.drain();
  EXPECT_EQ(play.active(), "DONE#1");
  EXPECT_EQ(play.ctx().at("data"), Json::parse(R"({"results": []})"));
}

TEST(ForEach, WithoutItemsNeitherAnyNorAQuorumHas) {
  for (const char* join : {"join: any", "join: {quorum: 1}"}) {
    Play play(panel(join, "{}"));
    play.drain();
    EXPECT_EQ(play.active(), "FAILED#1");
    EXPECT_EQ(message(play), "0 of 0 items completed, and 1 had to");
  }
}

TEST(ForEach, ItemsThatEndAtOnceStartTheNextWithoutEnd) {
  Texts texts = panel("max_parallel: 1",
                      "(function() local all = {} for i = 1, 5000 do "
                      "all[i] = 'x' end return all end)()");
  texts["child.yaml"] =
      "agneto: 1\nname: child\ninputs: {word: string}\ninitial: F\n"
      "states: {F: {final: true}}\n";
  Play play(texts);
  EXPECT_TRUE(play.queued());
  EXPECT_EQ(play.active(), "DONE#1");
  EXPECT_EQ(play.ctx().at("data").at("results").size(), 5000U);
}

std::string error_of(const Texts& texts) {
  Play play(texts);
  EXPECT_EQ(play.moved(), "+PANEL#1");
  EXPECT_EQ(play.effects(), "");
  play.drain();
  EXPECT_EQ(play.active(), "FAILED#1");
  return message(play);
}

TEST(ForEach, WhatIsNoListIsTheActivitysError) {
  EXPECT_EQ(error_of(panel("", "'a'")), R"(main.yaml:8: 'items' must give a list, found "a")");
  EXPECT_EQ(error_of(panel("", "{a = 1}")),
            R"(main.yaml:8: 'items' must give a list, found {"a":1})");
  EXPECT_EQ(error_of(panel("", "null")), "main.yaml:8: 'items' must give a list, found null");
  EXPECT_EQ(error_of(panel("", "ctx.nothing.at_all")),
            "main.yaml:9: 'nothing' is not declared in ctx; known names: data, log");
}

// Nothing has started then.
TEST(ForEach, InputsThatDoNotFitAreTheActivitysError) {
  EXPECT_EQ(error_of(panel("", "{'a', {}, 'c'}")),
            "main.yaml:11: attempt to concatenate a table value (local 'item') (item 2)");
  Texts texts = panel();
  texts["child.yaml"] =
      "agneto: 1\nname: child\ninputs: {word: integer}\ninitial: F\n"
      "states: {F: {final: true}}\n";
  EXPECT_EQ(error_of(texts),
            "main.yaml:10: child: input 'word': expected integer, found string \"a1\" (item 1)");
}

TEST(ForEach, LeavingTheStateCancelsAllItemsLastFirst) {
  Texts texts = panel("max_parallel: 2");
  texts["child.yaml"] = R"yaml(agneto: 1
name: child
inputs: {word: string}
initial: A
states:
  A:
    entry: "send('late', nil, {after = '5s', id = 's'})"
    run: {argv: [x]}
)yaml";
  Play play(texts);
  EXPECT_TRUE(play.send("leave"));
  EXPECT_EQ(play.moved(), "-PANEL#1[2]/A#1 -PANEL#1[1]/A#1 -PANEL#1 +LEFT#1");
  EXPECT_EQ(play.effects(),
            "cancel PANEL#1[2]/A#1, cancel PANEL#1[2]/send:s, cancel PANEL#1[1]/A#1, "
            "cancel PANEL#1[1]/send:s");
  EXPECT_EQ(play.outstanding(), "");
  EXPECT_FALSE(play.outcome("PANEL#1[1]/A#1", "ok"));
  EXPECT_FALSE(play.instance().pending());
}

TEST(ForEach, AnEnteredAgainStateBeginsAnew) {
  Play play(panel());
  play.outcome("PANEL#1[1]/A#1", "ok");
  play.send("again");
  EXPECT_EQ(play.active(), "PANEL#2 PANEL#2[1]/A#1 PANEL#2[2]/A#1 PANEL#2[3]/A#1");
}

TEST(ForEach, AResultForAStateThatWasLeftIsDropped) {
  Play play(panel("", "{}"));
  EXPECT_TRUE(play.instance().pending());
  play.send("leave");
  EXPECT_EQ(play.active(), "LEFT#1");
  EXPECT_FALSE(play.instance().pending());
}

TEST(ForEach, AnEventFromOutsideIsOfferedToTheItemsInTheirOrder) {
  Play play(panel());
  EXPECT_TRUE(play.send("abort"));
  for (const char* item : {"PANEL#1[1]", "PANEL#1[2]", "PANEL#1[3]"}) {
    EXPECT_EQ(play.ctx(item).at("log"), " abort") << item;
  }
  EXPECT_TRUE(play.send("both"));
  EXPECT_EQ(play.moved(),
            "-PANEL#1[1]/A#1 +PANEL#1[1]/GOOD#1 -PANEL#1[1]/GOOD#1 -PANEL#1[2]/A#1 "
            "+PANEL#1[2]/GOOD#1 -PANEL#1[2]/GOOD#1 -PANEL#1[3]/A#1 +PANEL#1[3]/GOOD#1 "
            "-PANEL#1[3]/GOOD#1");
  play.drain();
  EXPECT_EQ(play.active(), "DONE#1");
}

// All of them are offered the event before any is stopped for what another made of it.
TEST(ForEach, ItemsThatEndInTheSameStepAllCount) {
  Play play(panel("join: any"));
  play.send("both");
  play.drain();
  EXPECT_EQ(results(play), "GOOD/complete GOOD/complete GOOD/complete");
}

TEST(ForEach, RunsBesideOtherRegions) {
  Texts texts = panel();
  texts["main.yaml"] = R"yaml(
    initial: P
    states:
      P:
        parallel: true
        states:
          R:
            initial: PANEL
            states:
              PANEL:
                for_each: {items: "{'a', 'b'}", machine: child.yaml, with: {word: item}}
                on: {done: R2}
              R2: {}
          S:
            initial: SUB
            states: {SUB: {machine: child.yaml, with: {word: "'s'"}, on: {GOOD: S2}}, S2: {}}
  )yaml";
  Play play(texts);
  EXPECT_EQ(play.active(), "PANEL#1 PANEL#1[1]/A#1 PANEL#1[2]/A#1 SUB#1 SUB#1/A#1");
  play.outcome("SUB#1/A#1", "ok");
  play.outcome("PANEL#1[1]/A#1", "ok");
  play.outcome("PANEL#1[2]/A#1", "ok");
  play.drain();
  EXPECT_EQ(play.active(), "R2#1 S2#1");
}

TEST(ForEach, ALivelockOfAnItemIsItsOutcome) {
  Texts texts = panel("on_item_failure: continue", "{'a', 'b'}");
  texts["child.yaml"] = R"yaml(agneto: 1
name: child
inputs: {word: string}
initial: A
states:
  A: {on: {go: B}, run: {argv: [x]}}
  B: {always: {guard: "inputs.word == 'b2'", target: C}, on: {end: D}}
  C: {always: B}
  D: {final: true}
)yaml";
  Play play(texts);
  play.send("go");
  EXPECT_EQ(play.active(), "PANEL#1 PANEL#1[1]/B#1");
  EXPECT_THAT(play.problems(), testing::StartsWith("error.livelock at PANEL#1[2]: "));
  play.send("end");
  play.drain();
  EXPECT_EQ(results(play), "D/complete error.livelock/failed");
}

// The parent's macrostep left the items before it went round in circles.
TEST(ForEach, ARolledBackParentCancelsItsItemsOnce) {
  Texts texts = panel("workspace: own", "{'a', 'b', 'c'}");
  std::string& main = texts["main.yaml"];
  main.replace(main.find("  LEFT: {}"), 10,
               "  LEFT: {always: {target: RIGHT}}\n  RIGHT: {always: LEFT}");
  Play play(texts);
  play.outcome("PANEL#1[1]", "ok");
  play.outcome("PANEL#1[2]", "ok");
  EXPECT_TRUE(play.send("leave"));
  EXPECT_EQ(play.moved(), "-PANEL#1[2]/A#1 -PANEL#1[1]/A#1 -PANEL#1");
  EXPECT_EQ(play.effects(),
            "cancel PANEL#1[2]/A#1, cancel PANEL#1[1]/A#1, cancel PANEL#1[3], join PANEL#1 of 3:, "
            "finish error.livelock failed");
}

// Each of them starts two more; the first that cannot be started ends its kind.
TEST(ForEach, MachinesThatStartMachinesForItemsWithoutEndAreALivelock) {
  Play play(R"yaml(
    initial: PANEL
    states:
      PANEL: {for_each: {items: "{1, 2}", machine: main.yaml}, on: {done: F}}
      F: {final: true}
  )yaml");
  EXPECT_FALSE(play.queued());
  EXPECT_THAT(play.problems(),
              testing::EndsWith("item 2 ended in 'error.livelock': more than 1000 machines are at "
                                "work at the same time"));
}

TEST(ForEach, ItemsHaveItemsOfTheirOwn) {
  Texts texts = panel("", "{'a', 'b'}");
  texts["child.yaml"] = R"yaml(agneto: 1
name: child
inputs: {word: string}
initial: EACH
states:
  EACH:
    for_each: {items: "{inputs.word, inputs.word}", machine: grandchild.yaml, join: any}
    on: {done: GOOD, failed: BAD}
  GOOD: {final: true}
  BAD: {final: true, status: failed}
)yaml";
  texts["grandchild.yaml"] =
      "initial: A\nstates: {A: {run: {argv: [x]}, on: {ok: F}}, F: {final: true}}";
  Play play(texts);
  EXPECT_EQ(play.outstanding(),
            "PANEL#1[1]/EACH#1[1]/A#1 PANEL#1[1]/EACH#1[2]/A#1 PANEL#1[2]/EACH#1[1]/A#1 "
            "PANEL#1[2]/EACH#1[2]/A#1");
  play.outcome("PANEL#1[1]/EACH#1[2]/A#1", "ok");
  EXPECT_EQ(play.effects(), "cancel PANEL#1[1]/EACH#1[1]/A#1");
  play.drain();
  EXPECT_EQ(play.active(),
            "PANEL#1 PANEL#1[2]/EACH#1 PANEL#1[2]/EACH#1[1]/A#1 PANEL#1[2]/EACH#1[2]/A#1");
  play.outcome("PANEL#1[2]/EACH#1[1]/A#1", "ok");
  play.drain();
  EXPECT_EQ(play.active(), "DONE#1");
}

TEST(ForEach, PathsThatNameNoItemAreIgnored) {
  Play play(panel());
  for (const char* path :
       {"PANEL#1[0]/A#1", "PANEL#1[4]/A#1", "PANEL#1[1/A#1", "PANEL#1]/A#1", "PANEL#1[]/A#1",
        "PANEL#1/A#1", "PANEL#2[1]/A#1", "PANEL#1[1]", "PANEL#1[9]", "PANEL#1"}) {
    EXPECT_FALSE(play.outcome(path, "ok")) << path;
  }
  EXPECT_EQ(play.active(), "PANEL#1 PANEL#1[1]/A#1 PANEL#1[2]/A#1 PANEL#1[3]/A#1");
}

TEST(ForEach, IsSavedWhole) {
  Play play(panel("max_parallel: 2\n      on_item_failure: continue", "{'a', 'b', 'c', 'd'}"));
  play.outcome("PANEL#1[1]/A#1", "failed");
  const Json saved = play.instance().save();
  play.reload();
  EXPECT_EQ(play.instance().save(), saved);
  EXPECT_EQ(play.active(), "PANEL#1 PANEL#1[2]/A#1 PANEL#1[3]/A#1");
  play.outcome("PANEL#1[3]/A#1", "ok");
  EXPECT_EQ(play.effects(), "run PANEL#1[4]/A#1");
  EXPECT_EQ(play.instance().data("PANEL#1[4]").at("inputs"), (Json{{"word", "d4"}}));
  play.reload();
  play.outcome("PANEL#1[2]/A#1", "ok");
  play.reload();
  play.outcome("PANEL#1[4]/A#1", "ok");
  play.reload();
  play.drain();
  EXPECT_EQ(results(play), "BAD/failed GOOD/complete GOOD/complete GOOD/complete");
}

std::string misfit_of_items(const Texts& from, const Texts& to) {
  Play play(from);
  const Json saved = play.instance().save();
  const Workflow edited(to);
  try {
    Instance::restore(Chart(edited.system(), *edited.evaluator), saved);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(ForEach, DoesNotBecomeAnotherActivityUnderWay) {
  Texts one = panel();
  std::string& main = one["main.yaml"];
  const std::size_t begin = main.find("    for_each:");
  main.replace(begin, main.find("    exit:") - begin,
               "    machine: child.yaml\n    with: {word: \"'a'\"}\n");
  const std::string start =
      "the saved run does not fit the workflow: in machine 'main' the state 'PANEL' ";
  EXPECT_EQ(misfit_of_items(panel(), one), start + "has no for_each any more");
  EXPECT_EQ(misfit_of_items(one, panel()), start + "delegated to one machine, not for each item");
}

TEST(ForEach, IsOneEffectWhereMachinesAreNotEntered) {
  const Workflow workflow(panel());
  const Chart chart(workflow.system(), *workflow.evaluator, {.shallow = true});
  Instance instance(chart, {"run-1"});
  Effects out;
  start(instance, Json::object(), out);
  ASSERT_EQ(out.effects.size(), 1U);
  EXPECT_EQ(to_text(out.effects[0]), "machine PANEL#1");
  EXPECT_EQ(std::get<RunMachine>(out.effects[0]).inputs,
            Json::parse(R"([{"word": "a1"}, {"word": "b2"}, {"word": "c3"}])"));
  step(instance, {Event::Kind::outcome, "done", {}, "PANEL#1"}, out);
  EXPECT_TRUE(out.handled);
  EXPECT_EQ(instance.active(), std::vector<std::string>{"DONE#1"});
}

// With worktrees of their own.

TEST(OwnWorkspaces, AreOpenedBeforeTheMachinesStart) {
  Play play(panel("workspace: own\n      max_parallel: 2"));
  EXPECT_EQ(play.effects(), "open PANEL#1[1], open PANEL#1[2]");
  EXPECT_EQ(play.active(), "PANEL#1");
  EXPECT_EQ(play.outstanding(), "PANEL#1[1] PANEL#1[2]");
  EXPECT_TRUE(play.outcome("PANEL#1[2]", "ok"));
  EXPECT_EQ(play.effects(), "run PANEL#1[2]/A#1");
  EXPECT_EQ(play.outstanding(), "PANEL#1[1] PANEL#1[2]/A#1");
  EXPECT_FALSE(play.outcome("PANEL#1[2]", "ok"));
  play.reload();
  EXPECT_EQ(play.outstanding(), "PANEL#1[1] PANEL#1[2]/A#1");
  play.outcome("PANEL#1[2]/A#1", "ok");
  EXPECT_EQ(play.effects(), "open PANEL#1[3]");
}

TEST(OwnWorkspaces, OfItemsThatCompletedAreJoinedBeforeTheEnd) {
  Play play(panel("workspace: own\n      on_item_failure: continue"));
  for (const char* item : {"PANEL#1[1]", "PANEL#1[2]", "PANEL#1[3]"}) {
    play.outcome(item, "ok");
    play.outcome(item + std::string("/A#1"), item[8] == '2' ? "failed" : "ok");
  }
  EXPECT_EQ(play.effects(), "join PANEL#1 of 3: 1 3");
  EXPECT_FALSE(play.instance().pending());
  EXPECT_EQ(play.outstanding(), "PANEL#1");
  play.reload();
  EXPECT_EQ(play.outstanding(), "PANEL#1");
  EXPECT_TRUE(play.outcome("PANEL#1", "ok", {{"conflicts", Json::array()}}));
  EXPECT_TRUE(play.queued());
  EXPECT_EQ(results(play), "GOOD/complete BAD/failed GOOD/complete");
  EXPECT_EQ(play.active(), "FAILED#1");
  EXPECT_EQ(play.effects(), "");
}

void complete_all(Play& play) {
  for (const char* item : {"PANEL#1[1]", "PANEL#1[2]", "PANEL#1[3]"}) {
    play.outcome(item, "ok");
    play.outcome(item + std::string("/A#1"), "ok");
  }
}

Json conflict_of(int item) {
  return {{"conflicts", {{{"item", item}, {"branch", "agneto/x"}, {"files", {"f"}}}}}};
}

TEST(OwnWorkspaces, AConflictIsThatItemsFailure) {
  Play play(panel("workspace: own"));
  complete_all(play);
  EXPECT_TRUE(play.outcome("PANEL#1", "ok", conflict_of(2)));
  play.drain();
  EXPECT_EQ(play.active(), "FAILED#1");
  EXPECT_EQ(results(play), "GOOD/complete conflict/failed GOOD/complete");
  EXPECT_EQ(play.ctx().at("data").at("results")[1].at("data"),
            (Json{{"branch", "agneto/x"}, {"files", {"f"}}}));
  EXPECT_EQ(message(play), "2 of 3 items completed, and 3 had to; item 2 ended in 'conflict'");
}

TEST(OwnWorkspaces, AConflictOfAnItemThatIsNotNeededLeavesItDone) {
  Play play(panel("workspace: own\n      join: {quorum: 1}"));
  for (const char* item : {"PANEL#1[1]", "PANEL#1[2]", "PANEL#1[3]"}) play.outcome(item, "ok");
  play.send("both");
  EXPECT_EQ(play.effects(),
            "cancel PANEL#1[1]/A#1, cancel PANEL#1[2]/A#1, cancel PANEL#1[3]/A#1, "
            "join PANEL#1 of 3: 1 2 3");
  play.outcome("PANEL#1", "ok", conflict_of(2));
  play.drain();
  EXPECT_EQ(play.active(), "DONE#1");
}

TEST(OwnWorkspaces, AnItemWhoseWorkspaceCannotBeMadeHasFailed) {
  Play play(panel("workspace: own"));
  EXPECT_TRUE(play.outcome("PANEL#1[2]", "failed", {{"message", "no room"}}));
  EXPECT_EQ(play.effects(), "cancel PANEL#1[3], cancel PANEL#1[1], join PANEL#1 of 3:");
  ASSERT_EQ(play.out().refused.size(), 1u);
  EXPECT_EQ(play.out().refused[0].path, "PANEL#1[2]");
  EXPECT_EQ(play.out().refused[0].event, "error.workspace");
  EXPECT_EQ(play.out().refused[0].message, "no room");
  play.outcome("PANEL#1", "ok", {{"conflicts", Json::array()}});
  play.drain();
  EXPECT_EQ(results(play), "cancelled/cancelled error.workspace/failed cancelled/cancelled");
  EXPECT_EQ(message(play),
            "0 of 3 items completed, and 3 had to; item 2 ended in 'error.workspace': no room");
}

TEST(ForEach, ItemsThatCannotBeginAreToldAsOne) {
  Texts texts = panel(
      "on_item_failure: continue\n"
      "    entry: local all = {}; for i = 1, 10003 do all[i] = 'x' end; ctx.data = all",
      "ctx.data");
  texts["child.yaml"].replace(texts["child.yaml"].find("initial: A"), 10, "initial: GOOD");
  Play play(texts);
  ASSERT_EQ(play.out().refused.size(), 1u);
  EXPECT_EQ(play.out().refused[0].path, "PANEL#1[10001]");
  EXPECT_EQ(play.out().refused[0].event, "error.livelock");
  EXPECT_EQ(play.out().refused[0].message, "more than 10000 items start in one step");
}

TEST(OwnWorkspaces, AreRemovedWhenTheStateIsLeft) {
  Play play(panel("workspace: own\n      max_parallel: 2"));
  play.outcome("PANEL#1[1]", "ok");
  play.send("leave");
  EXPECT_EQ(play.effects(), "cancel PANEL#1[1]/A#1, cancel PANEL#1[2], join PANEL#1 of 2:");
  EXPECT_EQ(play.outstanding(), "");
  EXPECT_FALSE(play.outcome("PANEL#1", "ok", {{"conflicts", Json::array()}}));
  EXPECT_EQ(play.active(), "LEFT#1");
}

TEST(OwnWorkspaces, AJoinUnderWayIsTakenBackWhenTheStateIsLeft) {
  Play play(panel("workspace: own"));
  complete_all(play);
  play.send("leave");
  EXPECT_EQ(play.effects(), "cancel PANEL#1, join PANEL#1 of 3:");
}

TEST(OwnWorkspaces, WithoutItemsThereIsNothingToJoin) {
  Play play(panel("workspace: own", "{}"));
  EXPECT_EQ(play.effects(), "");
  play.drain();
  EXPECT_EQ(play.active(), "DONE#1");
}

// Whatever comes as the result of a join, it ends.
TEST(OwnWorkspaces, AJoinsResultMayBeAnything) {
  for (const Json& data : {Json(), Json("x"), Json{{"conflicts", "x"}},
                           Json{{"conflicts", {1, "x"}}}, conflict_of(9), conflict_of(0)}) {
    Play play(panel("workspace: own"));
    complete_all(play);
    EXPECT_TRUE(play.outcome("PANEL#1", "ok", data));
    play.drain();
    EXPECT_EQ(play.active(), "DONE#1") << data.dump();
  }
}

TEST(OwnWorkspaces, SayWhereAnEffectHappens) {
  Texts texts = panel("workspace: own");
  texts["child.yaml"] = R"yaml(agneto: 1
name: child
inputs: {word: string}
initial: SUB
states:
  SUB: {machine: inner.yaml, on: {any: EACH}}
  EACH:
    for_each: {items: "{1}", machine: inner.yaml, workspace: own}
    on: {any: SHARED}
  SHARED:
    for_each: {items: "{1}", machine: inner.yaml}
    on: {any: F}
  F: {final: true}
)yaml";
  texts["inner.yaml"] =
      "initial: A\nstates: {A: {run: {argv: [x]}, on: {any: F}}, F: {final: true}}";
  const Workflow workflow(texts);
  const auto place = [&](const char* path) { return workspace_of(workflow.system(), path); };
  EXPECT_EQ(place("PANEL#1"), "");
  EXPECT_EQ(place("PANEL#1[2]"), "");
  EXPECT_EQ(place("PANEL#1[2]/F#1"), "PANEL#1[2]");
  EXPECT_EQ(place("PANEL#1[2]/SUB#1/A#1"), "PANEL#1[2]");
  EXPECT_EQ(place("PANEL#1[2]/EACH#1[1]"), "PANEL#1[2]");
  EXPECT_EQ(place("PANEL#1[2]/EACH#1[1]/A#1"), "PANEL#1[2]/EACH#1[1]");
  EXPECT_EQ(place("PANEL#1[2]/SHARED#1[1]/A#1"), "PANEL#1[2]");
  EXPECT_EQ(place("GONE#1/A#1"), "");
}

TEST(OwnWorkspaces, EffectsSurviveTheJournal) {
  const Workflow workflow(panel("workspace: own"));
  const auto again = [&](const Effect& effect) {
    return to_text(effect_from_json(to_json(effect, workflow.system()), workflow.system()));
  };
  EXPECT_EQ(again(OpenWorkspace{"PANEL#1[2]"}), "open PANEL#1[2]");
  EXPECT_EQ(again(JoinWorkspaces{"PANEL#1", 3, {1, 3}}), "join PANEL#1 of 3: 1 3");
  EXPECT_EQ(again(RunCommand{"PANEL#1[2]/A#1", {"x"}, {}, "", Millis(1), {}, false}),
            "run PANEL#1[2]/A#1");
}

TEST(ForEach, ATimerIsTheLoopsAndNotAnItems) {
  Texts files = panel();
  std::string& text = files.at("main.yaml");
  text.replace(text.find("    exit:"), 0, "    after: {5s: LEFT}\n");
  Play play(files);
  EXPECT_FALSE(play.timer("PANEL#1[2]/after:1"));
  EXPECT_TRUE(play.timer("PANEL#1/after:1"));
  EXPECT_EQ(play.active(), "LEFT#1");
}

}  // namespace
}  // namespace agneto::chart
