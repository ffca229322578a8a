// Shapes that many workflows have, and in which rules that follow transitions must find nothing.
#include "lint/transitions.h"

#include <gtest/gtest.h>

#include "lint/linting.h"
#include "lint/merges.h"
#include "support/paths.h"

namespace agneto::lint {
namespace {

// A stage with steps of its own is left by its end, not from wherever it is.
TEST(Following, GoesOnFromAStageWhereItEnds) {
  EXPECT_EQ(lint_text(R"yaml(agneto: 1
name: stages
context: {plan: {type: "string?"}}
agents: {coder: {hooks: hooks.lua, access: edit}, planner: {hooks: hooks.lua}}
initial: PLANNING
states:
  PLANNING:
    initial: DRAFTING
    on: {done.state.PLANNING: CHUNK}
    states:
      DRAFTING:
        agent: {name: planner, verdicts: {PLANNED: {plan: string}}}
        on: {PLANNED: {target: PLANNED, do: ctx.plan = event.plan}, error: FAILED}
      PLANNED: {final: true}
  CHUNK:
    initial: CODING
    on: {done.state.CHUNK: COMMITTING}
    states:
      CODING:
        agent: {name: coder, verdicts: {CODED: {}}}
        on: {CODED: REVIEWING, error: FAILED}
      REVIEWING:
        ask: {question: "Good? {{ctx.plan}}", options: {YES: "Yes", NO: "No"}}
        on: {YES: CHECKED, NO: FAILED}
      CHECKED: {final: true}
  COMMITTING:
    workspace: {commit: {message: "{{ctx.plan}}"}}
    on: {ok: MERGING, failed: FAILED, error: FAILED}
  MERGING:
    workspace: {merge: {}}
    on: {ok: DONE, failed: FAILED, conflict: FAILED, error: FAILED}
  DONE: {final: true}
  FAILED: {final: true, status: failed}
outputs: {plan: ctx.plan}
)yaml"),
            "");
}

TEST(Following, LeavesToTheInnerStateWhatItTakes) {
  EXPECT_EQ(lint_text(R"yaml(agneto: 1
name: inner
context: {result: {type: "string?"}}
initial: WORK
states:
  WORK:
    initial: BUILDING
    on: {failed: DONE}
    states:
      BUILDING:
        run: {argv: [make]}
        on:
          ok: {target: CHECKING, do: ctx.result = event.output}
          failed: {target: DONE, do: ctx.result = "broken"}
          error: FAILED
      CHECKING:
        run: {argv: [make, check]}
        on: {ok: DONE, error: FAILED}
  DONE: {final: true}
  FAILED: {final: true, status: failed}
outputs: {result: ctx.result}
)yaml"),
            "");
}

TEST(Following, ThinksThatAComputedNameMayBeAny) {
  EXPECT_EQ(lint_text(R"yaml(agneto: 1
name: computed
context: {title: {type: "string?"}}
agents: {planner: {hooks: hooks.lua}}
initial: PLANNING
states:
  PLANNING:
    agent: {name: planner, verdicts: {PLANNED: {values: map}}}
    on:
      PLANNED: {target: DONE, do: "for name, value in pairs(event.values) do ctx[name] = value end"}
      error: FAILED
  DONE: {final: true}
  FAILED: {final: true, status: failed}
outputs: {title: ctx.title}
)yaml"),
            "");
}

// A machine whose agent may edit; its states begin on line 7.
const std::string editing =
    "agneto: 1\nname: flow\nagents:\n  coder: {hooks: hooks.lua, access: edit}\ninitial: "
    "A\nstates:\n";

TEST(UncommittedMerge, IsOneThatAnEditReachesWithoutACommit) {
  const auto merging = [](const std::string& failed) {
    return lint_text(editing + R"(  A:
    agent: {name: coder, verdicts: {OK: {}, BAD: {}, NO: {}}}
    on: {OK: COMMITTING, NO: DISCARDING, BAD: )" +
                     failed + R"(, error: MERGING}
  COMMITTING:
    workspace: {commit: {message: Done}}
    on: {ok: CHECKING, failed: BAD, error: BAD}
  DISCARDING:
    workspace: {discard: {to: last_commit}}
    on: {ok: CHECKING, failed: BAD, error: BAD}
  CHECKING:
    run: {argv: [make, check]}
    on: {ok: MERGING, failed: BAD, error: BAD}
  MERGING:
    workspace: {merge: {}}
    on: {ok: END, failed: BAD, conflict: BAD, error: BAD}
  END: {final: true}
  BAD: {final: true, status: failed}
)");
  };
  EXPECT_EQ(merging("DISCARDING"), "") << "what a failing agent has edited is undone";
  EXPECT_EQ(
      merging("CHECKING"),
      R"text(/team/flow.yaml:19:3: warning: 'MERGING' does not merge what the agent of 'A' did: nothing commits it [W428/uncommitted-merge]
  MERGING:
  ^~~~~~~
  help: put a state before it with workspace: {commit: {message: …}}
/team/flow.yaml:7:3: note: the agent that may edit
  A:
  ^
)text");
}

TEST(UncommittedMerge, IsOneInAMachineThatCommitsNothing) {
  const std::string merging = R"(agneto: 1
name: flow
initial: A
states:
  A:
    workspace: {merge: {}}
    on: {ok: END, any: END}
  END: {final: true}
)";
  EXPECT_EQ(
      lint_text(merging),
      R"text(/team/flow.yaml:5:3: warning: 'A' merges nothing: this machine commits nothing [W428/uncommitted-merge]
  A:
  ^
  help: put a state before it with workspace: {commit: {message: …}}
)text");
  EXPECT_EQ(lint_files({{"flow.yaml", R"(agneto: 1
name: flow
initial: MAKING
states:
  MAKING:
    run: {argv: [make]}
    on: {any: A}
  A:
    workspace: {commit: {message: Made}}
    on: {ok: B, any: END}
  B:
    machine: merging.yaml
    on: {END: END}
  END: {final: true}
)"},
                        {"merging.yaml", merging}}),
            "");
}

TEST(ParallelWriters, AreItemsThatEditOneWorktree) {
  const auto items = [](const std::string& more, const std::string& access) {
    return lint_files({{"flow.yaml", R"(agneto: 1
name: flow
initial: A
states:
  A:
    for_each: {items: "{1, 2}", as: n, machine: item.yaml, with: {n: n})" +
                                         more + R"(}
    on: {done: END, failed: BAD}
  END: {final: true}
  BAD: {final: true, status: failed}
)"},
                       {"item.yaml", R"(agneto: 1
name: item
inputs: {n: integer}
agents: {coder: {hooks: hooks.lua, access: )" +
                                         access + R"(}}
initial: WORK
states:
  WORK:
    entry: ctx.n = inputs.n
    agent: {name: coder, verdicts: {OK: {}}}
    on: {OK: END, error: BAD}
  END: {final: true}
  BAD: {final: true, status: failed}
context: {n: 0}
outputs: {n: ctx.n}
)"},
                       {"hooks.lua", good_hooks}});
  };
  for (const char* more : {", workspace: own", ", max_parallel: 1"})
    EXPECT_EQ(items(more, "edit"), "");
  EXPECT_EQ(items("", "read-only"), "");
  EXPECT_EQ(
      items(", max_parallel: 2", "edit"),
      R"text(/team/flow.yaml:5:3: warning: the items of 'A' edit one worktree at the same time: each finds what others do [W419/parallel-writers]
  A:
  ^
  help: give each a worktree of its own with `workspace: own`, or do one after the other with `max_parallel: 1`
/team/item.yaml:7:3: note: the agent that may edit
  WORK:
  ^~~~
)text");
}

TEST(UngatedMerge, IsNotAfterTheWorkWasThrownAway) {
  EXPECT_EQ(lint_text(editing + R"(  A:
    agent: {name: coder, verdicts: {OK: {}}}
    on: {OK: DISCARDING, error: BAD}
  DISCARDING:
    workspace: {discard: {to: last_commit}}
    on: {ok: WRITING, failed: BAD, error: BAD}
  WRITING:
    run: {argv: [make, notes]}
    on: {ok: NOTING, failed: BAD, error: BAD}
  NOTING:
    workspace: {commit: {message: The notes}}
    on: {ok: MERGING, failed: BAD, error: BAD}
  MERGING:
    workspace: {merge: {}}
    on: {ok: END, failed: BAD, conflict: BAD, error: BAD}
  END: {final: true}
  BAD: {final: true, status: failed}
)"),
            "");
}

TEST(ConflictingRegions, MayHaveGuardsThatExcludeEachOther) {
  const auto flow = [](const std::string& guard) {
    return lint_text(R"(agneto: 1
name: regions
inputs: {strict: boolean}
initial: BOTH
states:
  BOTH:
    parallel: true
    states:
      LEFT: {initial: L, states: {L: {on: {stop: {)" +
                     guard + R"(target: END}}}}}
      RIGHT: {initial: R, states: {R: {on: {stop: {target: BAD}}}}}
  END: {final: true}
  BAD: {final: true, status: failed}
)")
        .find("W235");
  };
  EXPECT_NE(flow(""), std::string::npos);
  EXPECT_EQ(flow("guard: inputs.strict, "), std::string::npos);
}

TEST(GeneralFirst, IsNotSaidWhereTheGuardLooksAtTheEvent) {
  const auto flow = [](const std::string& guard) {
    return lint_states(
               "  A:\n    agent: {name: coder, verdicts: {OK: {}}}\n    on:\n      - {event: OK, "
               "target: END}\n      - {event: error, guard: '" +
               guard +
               "', target: A}\n      - {event: error.timeout, target: LATE}\n      - {event: "
               "error, target: END}\n  END: {final: true}\n  LATE: {final: true, status: "
               "failed}\n")
        .find("W236");
  };
  EXPECT_NE(flow("run.interactive"), std::string::npos);
  EXPECT_EQ(flow("run.interactive and event.name ~= \"error.timeout\""), std::string::npos);
}

TEST(ShellArgument, IsNotANumberNorBehindTheScript) {
  const auto flow = [](const std::string& argv) {
    return lint_text(
               "agneto: 1\nname: shell\ninputs: {jobs: integer, task: string}\ninitial: "
               "A\nstates:\n  "
               "A:\n    run: {argv: [" +
               argv + "]}\n    on: {ok: END, failed: END, error: END}\n  END: {final: true}\n")
        .find("W421");
  };
  EXPECT_NE(flow("bash, -c, 'make {{inputs.task}}'"), std::string::npos);
  EXPECT_NE(flow("bash, -e, -c, 'make {{inputs.task}}'"), std::string::npos);
  EXPECT_EQ(flow("bash, -c, 'make -j{{inputs.jobs}}'"), std::string::npos);
  EXPECT_EQ(flow("bash, script.sh, -c, '{{inputs.task}}'"), std::string::npos);
}

// One search for all states finds what one for each does.
TEST(NextStates, AreThoseOfEachState) {
  const fs::path source = AGNETO_SOURCE_DIR;
  std::size_t found = 0;
  for (const char* folder : {"workflows", "tests/lint/probe/correct"}) {
    for (const auto& entry : fs::recursive_directory_iterator(source / folder)) {
      if (entry.path().extension() != ".yaml") continue;
      const auto system =
          lint(entry.path(), Disk(), source / "scripts/lib", {.explore = false}).system;
      if (!system) continue;
      for (const Machine& machine : system->machines) {
        const OfState stops = [](const State& state) {
          return std::holds_alternative<model::Ask>(state.activity);
        };
        for (const OfState& fits : {OfState(is_merge), OfState([](const State& state) {
                                      return state.kind == StateKind::final;
                                    })}) {
          const NextStates next(machine, fits, stops);
          for (const State& state : machine.states) {
            const State* one = next_state(machine, state, fits, stops);
            EXPECT_EQ(next.from(state) != nullptr, one != nullptr) << entry.path() << state.name;
            found += one != nullptr;
          }
        }
      }
    }
  }
  EXPECT_GT(found, 100U);
}

}  // namespace
}  // namespace agneto::lint
