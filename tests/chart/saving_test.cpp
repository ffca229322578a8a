// Saving and restoring whole instance trees.
#include "base/error.h"
#include "chart_fixture.h"

namespace agneto::chart {
namespace {

const Texts everything = {{"main.yaml", R"yaml(
    initial: P
    states:
      P:
        parallel: true
        on: {out: OUT}
        states:
          R:
            initial: R1
            states:
              R1: {on: {next: R2}, after: {1h: R2}}
              R2: {run: {argv: [x]}, entry: "send('tick', {n = 1}, {after = '5s', id = 't'}); send('soon')", on: {ok: R1, tick: {do: mark(tick)}, soon: {do: mark(soon)}}}
          S: {initial: SUB, states: {SUB: {machine: child.yaml, on: {F: S2}}, S2: {}}}
          H: {history: deep, default: [R1, SUB]}
      OUT: {on: {back: H}}
  )yaml"},
                          {"child.yaml", R"yaml(
    initial: A
    states: {A: {run: {argv: [z]}, on: {ok: F}}, F: {final: true}}
  )yaml"}};

// Plays the same events twice, the second time saving and restoring before each.
void expect_same(const Texts& texts, const std::vector<Event>& events) {
  const auto workflow = std::make_shared<Workflow>(texts);
  Play whole(workflow);
  Play restarted(workflow);
  EXPECT_EQ(whole.effects(), restarted.effects());
  for (const Event& event : events) {
    restarted.reload();
    whole.step(event);
    restarted.step(event);
    SCOPED_TRACE(event.name + event.path);
    EXPECT_EQ(whole.out().handled, restarted.out().handled);
    EXPECT_EQ(whole.moved(), restarted.moved());
    EXPECT_EQ(whole.effects(), restarted.effects());
    EXPECT_EQ(whole.active(), restarted.active());
    EXPECT_EQ(whole.outstanding(), restarted.outstanding());
    EXPECT_EQ(whole.instance().pending(), restarted.instance().pending());
    EXPECT_EQ(whole.instance().save(), restarted.instance().save());
  }
}

TEST(Saving, GoesOnAsIfNothingHadHappened) {
  using enum Event::Kind;
  expect_same(everything, {{external, "next", {}, {}},
                           {queued, {}, {}, {}},
                           {outcome, "ok", {}, "SUB#1/A#1"},
                           {external, "out", {}, {}},
                           {external, "back", {}, {}},
                           {timer, "", {}, "send:t"},
                           {outcome, "ok", {}, "SUB#2/A#1"},
                           {queued, {}, {}, {}},
                           {queued, {}, {}, {}},
                           {outcome, "ok", {}, "R2#2"},
                           {timer, "", {}, "R1#2/after:1"},
                           {outcome, "failed", {}, "R2#3"},
                           {external, "next", {}, {}}});
}

TEST(Saving, HoldsNamesOnly) {
  Play play(everything);
  play.send("next");
  const Json saved = play.instance().save();
  EXPECT_EQ(saved.at("run"), (Json{{"id", "run-1"}, {"interactive", true}, {"auto_merge", false}}));
  const Json& root = saved.at("root");
  EXPECT_EQ(root.at("active"), (Json{"P", "R", "R2", "S", "SUB"}));
  EXPECT_EQ(root.at("running"), (Json{"R2"}));
  EXPECT_EQ(root.at("children").at("SUB").at("active"), (Json{"A"}));
  EXPECT_EQ(root.at("entries").at("R1"), 1);
}

TEST(Saving, BeforeTheStartAndAfterTheEnd) {
  const Workflow workflow("initial: F\nstates: {F: {final: true}}\noutputs: {x: '1'}");
  const Chart chart(workflow.system(), *workflow.evaluator);
  Instance instance(chart, {"run-2", false, true});
  Instance fresh = Instance::restore(chart, instance.save());
  EXPECT_FALSE(fresh.finished());
  EXPECT_EQ(fresh.run().id, "run-2");
  EXPECT_FALSE(fresh.run().interactive);
  EXPECT_TRUE(fresh.run().auto_merge);
  Effects out;
  start(fresh, Json::object(), out);
  EXPECT_TRUE(fresh.finished());
  const Instance over = Instance::restore(chart, fresh.save());
  EXPECT_TRUE(over.finished());
  EXPECT_EQ(over.data("").at("ctx"), (Json{{"log", ""}}));
  EXPECT_FALSE(over.pending());
}

// What `from` saved, restored with `to`.
std::string misfit(const Texts& from, const Texts& to,
                   const std::vector<const char*>& events = {}) {
  Play play(from);
  for (const char* event : events) play.send(event);
  const Json saved = play.instance().save();
  const Workflow edited(to);
  try {
    Instance::restore(Chart(edited.system(), *edited.evaluator), saved);
  } catch (const Error& error) {
    return error.what();
  }
  return "fits";
}

Texts main_only(const std::string& text) {
  return {{"main.yaml", text}};
}

TEST(Saving, SurvivesAnEditThatKeepsTheStatesInUse) {
  EXPECT_EQ(misfit(main_only("initial: A\nstates: {A: {on: {go: B}}, B: {}}"),
                   main_only("initial: NEW\nstates: {NEW: {}, B: {on: {x: NEW}}}"), {"go"}),
            "fits");
}

TEST(Saving, NamesTheActiveStateThatIsGone) {
  EXPECT_EQ(
      misfit(main_only("initial: A\nstates: {A: {}}"), main_only("initial: B\nstates: {B: {}}")),
      "the saved run does not fit the workflow: in machine 'chart' the state 'A' is gone");
}

TEST(Saving, NamesTheStateThatHasMoved) {
  EXPECT_EQ(misfit(main_only("initial: A\nstates: {A: {}}"),
                   main_only("initial: B\nstates: {B: {initial: A, states: {A: {}}}}")),
            "the saved run does not fit the workflow: in machine 'chart' the state 'A' has moved, "
            "or other states are inside it");
}

TEST(Saving, NamesTheStateWhoseActivityIsGone) {
  EXPECT_EQ(misfit(main_only("initial: A\nstates: {A: {run: {argv: [x]}, on: {any: A}}}"),
                   main_only("initial: A\nstates: {A: {}}")),
            "the saved run does not fit the workflow: in machine 'chart' the state 'A' has no "
            "activity any more");
}

TEST(Saving, NamesTheStateWhoseTimerIsGone) {
  EXPECT_EQ(misfit(main_only("initial: A\nstates: {A: {after: {5s: A}}}"),
                   main_only("initial: A\nstates: {A: {}}")),
            "the saved run does not fit the workflow: in machine 'chart' the state 'A' has no "
            "timer 1 any more");
}

TEST(Saving, NamesTheStateThatNoLongerDelegates) {
  const Texts child = {{"main.yaml", "initial: A\nstates: {A: {machine: child.yaml}}"},
                       {"child.yaml", "initial: B\nstates: {B: {}}"}};
  EXPECT_EQ(misfit(child, main_only("initial: A\nstates: {A: {}}")),
            "the saved run does not fit the workflow: in machine 'chart' the state 'A' does not "
            "delegate to a machine any more");
}

TEST(Saving, NamesTheRememberedStateThatHasMoved) {
  const std::string before = R"yaml(
    initial: P
    states:
      P:
        parallel: true
        on: {out: OUT}
        states:
          R: {initial: A, states: {A: {}}}
          S: {initial: B, states: {B: {}}}
          H: {history: deep, default: [A, B]}
      OUT: {on: {back: H}}
  )yaml";
  const std::string after = R"yaml(
    initial: P
    states:
      P:
        parallel: true
        on: {out: OUT}
        states:
          R: {initial: A, states: {A: {}, B: {}}}
          S: {initial: C, states: {C: {}}}
          H: {history: deep, default: [A, C]}
      OUT: {on: {back: H}}
  )yaml";
  EXPECT_EQ(misfit(main_only(before), main_only(before), {"out"}), "fits");
  EXPECT_EQ(misfit(main_only(before), main_only(after), {"out"}),
            "the saved run does not fit the workflow: in machine 'chart' the state 'B' has moved, "
            "or other states are inside it");
}

TEST(Saving, SaysThatARecordIsDamaged) {
  const Workflow workflow("initial: A\nstates: {A: {}}");
  const Chart chart(workflow.system(), *workflow.evaluator);
  try {
    Instance::restore(chart, {{"run", Json()}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::StartsWith("the saved run is damaged: "));
  }
}

TEST(Saving, RefusesItemsAndTimersThatCannotBe) {
  const Workflow workflow({{"main.yaml", R"yaml(agneto: 1
name: main
initial: ALL
states:
  ALL:
    for_each: {items: "{'a', 'b'}", machine: child.yaml}
    after: {5s: ALL}
    on: {done: ALL}
)yaml"},
                           {"child.yaml", R"yaml(agneto: 1
name: child
initial: A
states:
  A: {run: {argv: [x]}}
)yaml"}});
  const Chart chart(workflow.system(), *workflow.evaluator);
  Instance instance(chart, {"run"});
  Effects out;
  start(instance, Json::object(), out);
  const Json saved = instance.save();
  const auto error_with = [&](const std::string& at, const Json& value) {
    Json other = saved;
    other.at(Json::json_pointer(at)) = value;
    try {
      Instance::restore(chart, other);
      return std::string("none");
    } catch (const Error& error) {
      return std::string(error.what());
    }
  };
  EXPECT_EQ(error_with("/root/batches/ALL/started", 3), "the saved run is damaged: for_each ALL");
  EXPECT_EQ(error_with("/root/batches/ALL/items", Json::array()),
            "the saved run is damaged: for_each ALL");
  EXPECT_EQ(error_with("/root/batches", Json::object()), "the saved run is damaged: child ALL[1]");
  EXPECT_EQ(error_with("/root/timers/0/number", 0),
            "the saved run does not fit the workflow: in machine 'main' the state 'ALL' has no "
            "timer 0 any more");
}

}  // namespace
}  // namespace agneto::chart
