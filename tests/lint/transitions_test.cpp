// Shapes that many workflows have, and in which rules that follow transitions must find nothing.
#include <gtest/gtest.h>

#include "lint/linting.h"

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
    on: {done.state.CHUNK: MERGING}
    states:
      CODING:
        agent: {name: coder, verdicts: {CODED: {}}}
        on: {CODED: REVIEWING, error: FAILED}
      REVIEWING:
        ask: {question: "Good? {{ctx.plan}}", options: {YES: "Yes", NO: "No"}}
        on: {YES: CHECKED, NO: FAILED}
      CHECKED: {final: true}
  MERGING:
    workspace: {merge: {message: "{{ctx.plan}}"}}
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

TEST(UngatedMerge, IsNotAfterTheWorkWasThrownAway) {
  EXPECT_EQ(lint_states(R"(  A:
    agent: {name: coder, access: edit, verdicts: {OK: {}}}
    on: {OK: CHECKING, error: DISCARDING}
  CHECKING:
    run: {argv: [make, check]}
    on: {ok: MERGING, failed: DISCARDING, error: DISCARDING}
  DISCARDING:
    workspace: discard
    on: {ok: MERGING, failed: BAD, error: BAD}
  MERGING:
    workspace: {merge: {message: Done}}
    on: {ok: END, failed: BAD, conflict: BAD, error: BAD}
  END: {final: true}
  BAD: {final: true, status: failed}
)")
                .find("W422"),
            std::string::npos);
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

}  // namespace
}  // namespace agneto::lint
