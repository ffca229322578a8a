#include <gmock/gmock.h>

#include "base/error.h"
#include "graph/drawing.h"
#include "graph/picture.h"

namespace agneto::graph {
namespace {

using testing::ElementsAre;

// "A -event-> B [guard]"
std::vector<std::string> arrows_of(const Picture& picture) {
  std::vector<std::string> all;
  for (const Arrow& arrow : picture.arrows) {
    std::string line = arrow.from + " -" + std::string(to_text(arrow.kind)) + "-> ";
    for (const auto& to : arrow.to) line += to + " ";
    line += "| " + arrow.trigger;
    if (!arrow.guard.empty()) line += " [" + arrow.guard + "]";
    if (arrow.internal) line += " internal";
    all.push_back(line);
  }
  return all;
}

// "A: agent; agent coder; read-only", those within behind it.
void list(const Node& node, std::vector<std::string>& all) {
  for (const Node& child : node.children) {
    std::string line = child.id + ": " + std::string(to_text(child.kind));
    for (const auto& note : child.notes) line += "; " + note;
    all.push_back(line);
    list(child, all);
  }
}
std::vector<std::string> states_of(const Picture& picture) {
  std::vector<std::string> all;
  list(picture.root, all);
  return all;
}

TEST(Draw, ShowsWhatAnArrowIsTakenFor) {
  const Picture picture = drawn(R"(
  A:
    on:
      go:
        - {guard: ctx.n < 3, target: B}
        - {guard: ctx.n < 9, target: A}
        - B
      error: B
      ping: {do: ctx.n = 1}
    after:
      24h: B
  B:
    always:
      - {guard: ctx.n == 0, target: A}
      - DONE
  DONE: {final: true}
)");
  EXPECT_THAT(arrows_of(picture),
              ElementsAre("A -event-> B | go [ctx.n < 3]", "A -event-> A | go [ctx.n < 9]",
                          "A -event-> B | go [else]", "A -failure-> B | error", "A -event-> | ping",
                          "A -timer-> B | after 1d", "B -eventless-> A |  [ctx.n == 0]",
                          "B -eventless-> DONE |  [else]"));
}

TEST(Draw, ShowsWhatAStateDoes) {
  const Picture picture =
      drawn({{"flow.yaml", R"(agneto: 1
name: flow
context: {files: [], n: 0}
agents: {coder: {hooks: hooks.lua, access: edit}}
initial: A
states:
  A:
    agent: {name: coder, task: plan, access: read-only, verdicts: {OK: {}}}
    on: {OK: B}
  B:
    ask: {question: "Is {{ctx.n}} enough?", options: {YES: "Yes", NO: "No"}, default: "YES"}
    on: {YES: C, NO: A}
  C:
    run: {argv: [make, "N={{ctx.n}}"]}
    on: {ok: D, failed: FAILED}
  D:
    workspace: {commit: {message: done}}
    on: {ok: E}
  E:
    for_each: {items: ctx.files, as: file, machine: each.yaml, max_parallel: 3, join: {quorum: 2}}
    on: {done: F}
  F:
    machine: each.yaml
    on: {DONE: END}
  END: {final: true, outcome: ENOUGH}
  FAILED: {final: true, status: failed}
)"},
             {"each.yaml",
              "agneto: 1\nname: each\ninitial: X\nstates: {X: {after: {1s: DONE}}, DONE: {final: "
              "true}}\n"}});
  EXPECT_THAT(states_of(picture),
              ElementsAre("A: agent; agent coder; plan, read-only",
                          "B: ask; asks a person; “Is {{ctx.n}} enough?”; default: YES",
                          "C: run; $ make N={{ctx.n}}", "D: workspace; git: commit",
                          "E: for_each; machine each; for each of ctx.files; 3 at once, 2 needed",
                          "F: machine; machine each", "END: final; complete; outcome ENOUGH",
                          "FAILED: final; failed"));
}

const std::map<std::string, std::string> nested = {{"flow.yaml", R"(agneto: 1
name: flow
description: One in the other.
limits: {calls: 30, cost: 5, time: 2h}
inputs: {most: {type: integer, default: 3}}
initial: A
on: {abort: DONE}
states:
  A: {machine: inner.yaml, on: {DONE: B, error: B}}
  B:
    parallel: true
    on: {done.state.B: DONE}
    states:
      LEFT:
        initial: {target: L2}
        states:
          L1: {on: {go: L2}}
          L2: {final: true}
          BACK: {history: deep, default: L1}
      RIGHT: {on: {stop: BACK}}
  DONE: {final: true}
)"},
                                                   {"inner.yaml", R"(agneto: 1
name: inner
initial: X
states:
  X: {on: {go: DONE}}
  DONE: {final: true}
)"}};

TEST(Draw, LinksOtherMachinesOrDrawsThemWithin) {
  EXPECT_THAT(states_of(drawn(nested)),
              ElementsAre("A: machine; machine inner", "B: parallel; all at once", "LEFT: compound",
                          "L1: plain", "L2: final; complete", "BACK: history", "RIGHT: plain",
                          "DONE: final; complete"));
  const Picture picture = drawn(nested, 1);
  EXPECT_THAT(
      states_of(picture),
      ElementsAre("A: machine; machine inner", "A/X: plain", "A/DONE: final; complete",
                  "B: parallel; all at once", "LEFT: compound", "L1: plain", "L2: final; complete",
                  "BACK: history", "RIGHT: plain", "DONE: final; complete"));
  EXPECT_THAT(picture.root.children[0].start, ElementsAre("A/X"));
  EXPECT_THAT(picture.root.notes,
              ElementsAre("One in the other.", "at most 30 calls, $5, 2h", "most = 3"));
  EXPECT_THAT(
      arrows_of(picture),
      ElementsAre(" -failure-> DONE | abort", "A -event-> B | DONE", "A -failure-> B | error",
                  "B -event-> DONE | done.state.B", "L1 -event-> L2 | go",
                  "RIGHT -event-> BACK | stop", "A/X -event-> A/DONE | go"));
}

TEST(Draw, MarksWhatATrailWentThrough) {
  Trail trail;
  trail.kind = Trail::Kind::path;
  trail.taken[{"A", 1, 0}] = 2;  // go, within
  const Picture picture = drawn(nested, 1, trail);
  EXPECT_TRUE(picture.root.marked);
  const Node& outer = picture.root.children[0];
  EXPECT_TRUE(outer.marked);
  EXPECT_TRUE(outer.children[0].marked);
  EXPECT_TRUE(outer.children[1].marked);
  EXPECT_FALSE(picture.root.children[1].marked);
  EXPECT_EQ(picture.arrows.back().count, 2);
  EXPECT_EQ(picture.arrows.front().count, 0);
}

TEST(Draw, RegionsAreEnteredTogether) {
  Trail trail;
  trail.kind = Trail::Kind::path;
  trail.taken[{"", 0, 1}] = 1;  // A ends
  const Picture picture = drawn(nested, 0, trail);
  const Node& regions = picture.root.children[1];
  EXPECT_TRUE(regions.children[0].marked);
  EXPECT_TRUE(regions.children[0].children[1].marked);
  EXPECT_FALSE(regions.children[0].children[0].marked);
  EXPECT_FALSE(regions.children[0].children[2].marked);
  EXPECT_TRUE(regions.children[1].marked);
}

TEST(Draw, RefusesWhatNobodyCouldLookAt) {
  // Each machine delegates to itself twice.
  const std::string twice =
      "agneto: 1\nname: flow\ninitial: A\nstates:\n"
      "  A: {machine: flow.yaml, on: {DONE: B}}\n"
      "  B: {machine: flow.yaml, on: {DONE: DONE}}\n"
      "  DONE: {final: true}\n";
  const auto system = loaded({{"flow.yaml", twice}}).system;
  try {
    draw(*system, 0, 50, {});
    FAIL() << "it was drawn";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "the picture would have more than 5000 states");
    EXPECT_EQ(error.help(), "give a smaller --depth, or draw one of its machines");
  }
}

}  // namespace
}  // namespace agneto::graph
