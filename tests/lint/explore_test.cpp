#include "lint/explore.h"

#include <gmock/gmock.h>

#include "lint/linting.h"
#include "model/load.h"
#include "support/paths.h"

namespace agneto::lint {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct Explored {
  Findings findings;
  Exploration exploration;

  explicit Explored(const std::string& states, std::size_t budget = 1000) {
    MemoryFiles files;
    files.add("/team/flow.yaml", "agneto: 1\nname: flow\ninitial: A\n" + states);
    findings = lint("/team/flow.yaml", files, "/lib");
    EXPECT_FALSE(findings.diagnostics.has_errors()) << render(findings.diagnostics);
    const Subject subject(*findings.system, files, "/lib");
    exploration = explore(subject, findings.system->main(), budget);
  }

  std::vector<std::string> entered() const {
    std::vector<std::string> names;
    for (const model::State& state : findings.system->main().states) {
      if (exploration.entered[state.id] && state.id != 0) names.push_back(state.name);
    }
    return names;
  }
};

TEST(Explore, FollowsFlagsAndCounters) {
  const Explored found(R"(context: {tries: 0, checked: false}
states:
  A:
    entry: ctx.tries = ctx.tries + 1
    run: {argv: [make]}
    on:
      ok: {target: END, do: ctx.checked = true}
      failed:
        - {guard: ctx.tries < 3, target: A}
        - {guard: ctx.tries > 3, target: B}
        - {guard: ctx.checked, target: C}
        - END
      error: END
  B: {run: {argv: [b]}, on: {any: END}}
  C: {run: {argv: [c]}, on: {any: END}}
  END: {final: true}
)");
  EXPECT_TRUE(found.exploration.complete);
  EXPECT_THAT(found.entered(), ElementsAre("A", "END"));
}

TEST(Explore, TriesBothWaysOfWhatIsNotKnown) {
  const Explored found(R"(inputs: {task: string, mode: "enum [x, y]"}
context: {text: ""}
states:
  A:
    run: {argv: [make]}
    on:
      ok:
        - {guard: inputs.task == "b", target: B}
        - {guard: string.len(ctx.text) > 3 and run.interactive, target: C}
        - {guard: inputs.mode == "x" and inputs.mode == "y", target: D}
        - END
      any: END
  B: {run: {argv: [b]}, on: {any: END}}
  C: {run: {argv: [c]}, on: {any: END}}
  D: {run: {argv: [d]}, on: {any: END}}
  END: {final: true}
)");
  EXPECT_TRUE(found.exploration.complete);
  EXPECT_THAT(found.entered(), ElementsAre("A", "B", "C", "END"));
}

TEST(Explore, KnowsNothingOfWhatAnOpaqueActionAssigns) {
  const Explored found(R"(context: {n: 0}
states:
  A:
    run: {argv: [make]}
    on:
      ok:
        - {guard: ctx.n > 5, target: B}
        - {target: A, do: ctx.n = event.status}
      any: END
  B: {run: {argv: [b]}, on: {any: END}}
  END: {final: true}
)");
  EXPECT_TRUE(found.exploration.complete);
  EXPECT_THAT(found.entered(), ElementsAre("A", "B", "END"));
}

TEST(Explore, SaysWhenItIsNotAllThereIs) {
  const std::string counting = R"(context: {n: 0}
states:
  A:
    run: {argv: [make]}
    on:
      ok: {target: A, do: ctx.n = ctx.n + 1}
      failed: {guard: ctx.n == 7, target: END}
      error: END
  END: {final: true}
)";
  EXPECT_FALSE(Explored(counting, 50).exploration.complete);
  EXPECT_FALSE(Explored(R"(context: {name: go}
states:
  A:
    run: {argv: [make]}
    on: {ok: {do: raise(ctx.name)}, go: {target: END, guard: false == run.interactive}, any: END}
  END: {final: true}
)")
                   .exploration.complete);
}

TEST(Explore, ShowsTheEventsThatLeadToADeadlock) {
  const Explored found(R"(states:
  A:
    parallel: true
    on: {done.state.A: END}
    states:
      L: {initial: L1, states: {L1: {run: {argv: [l]}, on: {ok: L2, failed: L3, error: END}}, L2: {final: true}, L3: {}}}
      R: {initial: R1, states: {R1: {run: {argv: [r]}, on: {any: R2}}, R2: {final: true}}}
  END: {final: true}
)");
  EXPECT_TRUE(found.exploration.complete);
  ASSERT_EQ(found.exploration.deadlocks.size(), 1U);
  EXPECT_THAT(found.exploration.deadlocks[0].events,
              ElementsAre(R"({"event":"failed","from":"L1"})", R"({"event":"ok","from":"R1"})"));
}

TEST(Explore, KnowsTheBundledMachinesCompletely) {
  const fs::path source = AGNETO_SOURCE_DIR;
  const Findings findings = lint(source / "workflows/agneto.yaml", Disk(), source / "scripts/lib");
  const Subject subject(*findings.system, Disk(), source / "scripts/lib");
  for (const model::Machine& machine : findings.system->machines) {
    const Exploration found = explore(subject, machine, 2000);
    EXPECT_TRUE(found.complete) << machine.name << ": " << found.states;
    EXPECT_GT(found.states, 20U) << machine.name;
    EXPECT_THAT(found.deadlocks, IsEmpty()) << machine.name;
  }
}

}  // namespace
}  // namespace agneto::lint
