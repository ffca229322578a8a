#include <gtest/gtest.h>

#include "model/loading.h"

namespace agneto::model {
namespace {

constexpr const char* judge = R"yaml(agneto: 1
name: judge
inputs: {plan: string, number: integer, mood: {type: string, default: strict}}
initial: DONE
states:
  DONE: {final: true}
)yaml";

// A machine whose state PANEL has this under `for_each:`, which is line 8.
LoadResult load_panel(const std::string& loop) {
  return load_files({{"flow.yaml",
                      "agneto: 1\nname: flow\ncontext: {plans: []}\ninitial: PANEL\n"
                      "states:\n  PANEL:\n    for_each:\n" +
                          loop +
                          "    on: {done: DONE, failed: DONE}\n"
                          "  DONE: {final: true}\n"},
                     {"judge.yaml", judge}});
}

const ForEach& panel(const LoadResult& result) {
  return std::get<ForEach>(result.main().state(1).activity);
}

TEST(ForEachBound, WithNothingButWhatItNeeds) {
  const LoadResult result = load_panel(R"yaml(      items: ctx.plans
      machine: judge.yaml
      with: {plan: item, number: index}
)yaml");
  ASSERT_EQ(result.messages(), "");
  const ForEach& loop = panel(result);
  EXPECT_EQ(result.main().code[loop.items].text, "ctx.plans");
  EXPECT_EQ(result.main().code[loop.items].item, "");
  EXPECT_EQ(loop.as, "item");
  EXPECT_EQ(loop.each.machine, 1U);
  ASSERT_EQ(loop.each.with.size(), 2U);
  EXPECT_EQ(loop.each.with[1].name, "number");
  EXPECT_EQ(result.main().code[loop.each.with[1].value].item, "item");
  EXPECT_EQ(loop.max_parallel.number, 0);
  EXPECT_EQ(loop.needed.number, 0);
  EXPECT_TRUE(loop.stops);
  EXPECT_FALSE(loop.own_workspace);
  EXPECT_FALSE(result.system().needs_worktree());
  EXPECT_EQ(delegate_of(result.main().state(1).activity), &loop.each);
}

TEST(ForEachBound, WithEverything) {
  const LoadResult result = load_panel(R"yaml(      items: ctx.plans
      as: plan
      machine: judge.yaml
      with: {plan: plan.text, number: index}
      max_parallel: 3
      join: {quorum: 2}
      on_item_failure: stop
      workspace: own
)yaml");
  ASSERT_EQ(result.messages(), "");
  const ForEach& loop = panel(result);
  EXPECT_EQ(loop.as, "plan");
  EXPECT_EQ(result.main().code[loop.each.with[0].value].item, "plan");
  EXPECT_EQ(loop.max_parallel.number, 3);
  EXPECT_EQ(loop.needed.number, 2);
  EXPECT_TRUE(loop.stops);
  EXPECT_TRUE(loop.own_workspace);
  EXPECT_TRUE(result.system().needs_worktree());
}

TEST(ForEachBound, WithCountsThatAreComputed) {
  const LoadResult result = load_panel(R"yaml(      items: ctx.plans
      machine: judge.yaml
      with: {plan: item, number: index}
      max_parallel: "#ctx.plans // 2"
      join: {quorum: "#ctx.plans - 1"}
)yaml");
  ASSERT_EQ(result.messages(), "");
  const ForEach& loop = panel(result);
  EXPECT_EQ(result.main().code[loop.max_parallel.code].text, "#ctx.plans // 2");
  EXPECT_EQ(result.main().code[loop.needed.code].text, "#ctx.plans - 1");
  EXPECT_FALSE(loop.stops);
}

// Only where all must complete does the first failure decide.
TEST(ForEachBound, AFailureStopsTheOthersWhereAllMustComplete) {
  const std::string start =
      "      items: ctx.plans\n      machine: judge.yaml\n"
      "      with: {plan: item, number: index}\n";
  EXPECT_TRUE(panel(load_panel(start + "      join: all\n")).stops);
  EXPECT_FALSE(panel(load_panel(start + "      on_item_failure: continue\n")).stops);
  const LoadResult any = load_panel(start + "      join: any\n");
  EXPECT_EQ(panel(any).needed.number, 1);
  EXPECT_FALSE(panel(any).stops);
  EXPECT_FALSE(panel(load_panel(start + "      join: {quorum: 2}\n")).stops);
}

TEST(ForEachReported, WhatIsMissing) {
  EXPECT_EQ(load_panel("      as: plan\n").messages(),
            R"text(flow.yaml:7:5: error: a for_each needs the key 'items' [E122/missing-key]
    for_each:
    ^~~~~~~~
  help: items: The list, as Lua
flow.yaml:7:5: error: a for_each needs the key 'machine' [E122/missing-key]
    for_each:
    ^~~~~~~~
  help: machine: Delegates each item to the machine in this file
)text");
}

TEST(ForEachReported, ValuesOfTheWrongKind) {
  EXPECT_EQ(
      load_panel(R"yaml(      items: [1, 2]
      as: {x: 1}
      machine: {file: judge.yaml}
      with: item
      max_parallel: 1.5
      join: most
      on_item_failure: ignore
      workspace: mine
      each: ctx.plans
)yaml")
          .messages(),
      R"text(flow.yaml:8:7: error: 'items' must be a Lua expression, found a list [E124/wrong-kind]
      items: [1, 2]
      ^~~~~
flow.yaml:9:7: error: 'as' must be a name, found a map [E124/wrong-kind]
      as: {x: 1}
      ^~
flow.yaml:10:7: error: 'machine' must be the path of a file, found a map [E124/wrong-kind]
      machine: {file: judge.yaml}
      ^~~~~~~
flow.yaml:11:13: error: 'with' must be a map by input, found 'item' [E124/wrong-kind]
      with: item
            ^~~~
  help: as in with: {task: ctx.task}
flow.yaml:12:21: error: 'max_parallel' must be a whole number, zero or more, found '1.5' [E124/wrong-kind]
      max_parallel: 1.5
                    ^~~
flow.yaml:13:13: error: 'join' must be all or any, found 'most' [E124/wrong-kind]
      join: most
            ^~~~
flow.yaml:14:24: error: 'on_item_failure' must be stop or continue, found 'ignore' [E124/wrong-kind]
      on_item_failure: ignore
                       ^~~~~~
flow.yaml:15:18: error: 'workspace' must be shared or own, found 'mine' [E124/wrong-kind]
      workspace: mine
                 ^~~~
flow.yaml:16:7: error: a for_each has no key 'each' [E121/unknown-key]
      each: ctx.plans
      ^~~~
  help: write `items`
)text");
}

TEST(ForEachReported, AQuorumOfNothing) {
  const std::string start =
      "      items: ctx.plans\n      machine: judge.yaml\n"
      "      with: {plan: item, number: index}\n";
  EXPECT_EQ(load_panel(start + "      join: {quorum: 0}\n").messages(),
            R"text(flow.yaml:11:22: error: a quorum of 0 items waits for nothing [E412/bad-quorum]
      join: {quorum: 0}
                     ^
  help: say how many items must complete, from 1, or write `join: all`
)text");
  EXPECT_EQ(
      load_panel(start + "      join: {quorum: 1.5}\n").messages(),
      R"text(flow.yaml:11:22: error: 'quorum' must be a whole number, zero or more, found '1.5' [E124/wrong-kind]
      join: {quorum: 1.5}
                     ^~~
)text");
  EXPECT_EQ(
      load_panel(start + "      join: [any]\n").messages(),
      R"text(flow.yaml:11:7: error: 'join' must be all or any or a quorum (a map of its keys), found a list [E124/wrong-kind]
      join: [any]
      ^~~~
  help: as in join: {quorum: 2}
)text");
}

TEST(ForEachReported, ANameThatCannotBeTheItems) {
  const std::string rest =
      "\n      items: ctx.plans\n      machine: judge.yaml\n"
      "      with: {plan: item, number: index}\n";
  EXPECT_EQ(
      load_panel("      as: event" + rest).messages(),
      R"text(flow.yaml:8:11: error: 'event' means something else in Lua, and cannot name the item [E407/reserved-name]
      as: event
          ^~~~~
  help: choose another name
)text");
  EXPECT_EQ(
      load_panel("      as: until" + rest).messages(),
      R"text(flow.yaml:8:11: error: 'until' means something else in Lua, and cannot name the item [E407/reserved-name]
      as: until
          ^~~~~
  help: choose another name
)text");
  EXPECT_EQ(load_panel("      as: my-plan" + rest).messages(),
            R"text(flow.yaml:8:11: error: 'my-plan' cannot name the item [E125/bad-name]
      as: my-plan
          ^~~~~~~
  help: it is a name in Lua: letters, digits and '_'
)text");
  EXPECT_EQ(load_panel("      as: 2nd" + rest).messages(),
            R"text(flow.yaml:8:11: error: '2nd' is not a name [E125/bad-name]
      as: 2nd
          ^~~
  help: names begin with a letter or '_' and go on with letters, digits, '_', '-' and '.'
)text");
}

TEST(ForEachReported, InputsThatDoNotFitTheMachine) {
  EXPECT_EQ(
      load_panel(R"yaml(      items: ctx.plans
      machine: judge.yaml
      with: {plan: item, nubmer: index}
)yaml")
          .messages(),
      R"text(flow.yaml:9:16: error: the machine 'judge' needs the input 'number' [E603/missing-input]
      machine: judge.yaml
               ^~~~~~~~~~
  help: add it: with: {number: ...}
judge.yaml:3:24: note: declared here
inputs: {plan: string, number: integer, mood: {type: string, default: strict}}
                       ^~~~~~
flow.yaml:10:26: error: the machine 'judge' has no input 'nubmer' [E604/unknown-input]
      with: {plan: item, nubmer: index}
                         ^~~~~~
  help: did you mean 'number'?
)text");
}

TEST(ForEachReported, AMachineThatIsNotThere) {
  EXPECT_EQ(load_panel("      items: ctx.plans\n      machine: jugde.yaml\n").messages(),
            R"text(flow.yaml:9:16: error: cannot read the file 'jugde.yaml' [E601/missing-file]
      machine: jugde.yaml
               ^~~~~~~~~~
  help: paths are relative to the file they are written in
)text");
}

TEST(ForEachReported, WithBesideIt) {
  EXPECT_EQ(load_panel(R"yaml(      items: ctx.plans
      machine: judge.yaml
      with: {plan: item, number: index}
    with: {plan: item}
)yaml")
                .messages(),
            R"text(flow.yaml:11:11: error: 'with' without 'machine' [E126/key-out-of-place]
    with: {plan: item}
          ^~~~~~~~~~~~
  help: put it into the `for_each`, beside its `machine`
)text");
}

TEST(ForEachReported, ASecondActivity) {
  EXPECT_EQ(
      load_panel(R"yaml(      items: ctx.plans
      machine: judge.yaml
      with: {plan: item, number: index}
    run: {argv: [make]}
)yaml")
          .messages(),
      R"text(flow.yaml:11:5: error: 'PANEL' has 'for_each' already; a state has one activity [E401/two-activities]
    run: {argv: [make]}
    ^~~
  help: make two states of it
)text");
}

}  // namespace
}  // namespace agneto::model
