#include "lint/report/assessment.h"

#include <gmock/gmock.h>

#include "lint/linting.h"
#include "support/paths.h"

namespace agneto::lint {
namespace {

std::string assessed(std::map<std::string, std::string> texts) {
  MemoryFiles files;
  for (auto& [path, text] : texts) files.add("/team/" + path, std::move(text));
  files.add("/team/hooks.lua", good_hooks);
  const Findings findings = lint("/team/flow.yaml", files, "/lib");
  EXPECT_FALSE(findings.diagnostics.has_errors()) << render(findings.diagnostics);
  return to_text(assess(*findings.system, files, "/lib"));
}

const std::string counting = R"(agneto: 1
name: flow
inputs: {tries: {type: integer, default: 5}}
context: {n: 0}
agents: {coder: {hooks: hooks.lua}}
initial: A
states:
  A:
    entry: ctx.n = ctx.n + 1
    agent: {name: coder, verdicts: {DONE: {}, AGAIN: {}}}
    on:
      DONE: END
      AGAIN:
        - {guard: ctx.n < inputs.tries, target: A}
        - END
      error: END
  END: {final: true}
)";

TEST(Assessment, CountsWhatBoundsLet) {
  EXPECT_EQ(assessed({{"flow.yaml", counting}}),
            R"(/team/flow.yaml: 6 configurations, which are all
  flow: 6 configurations
    calls of agents: at most 5
    longest path in events: at most 5
    farthest configuration: after 4 events
  limits: none
  cost: that of 5 calls, of unknown price
)");
}

TEST(Assessment, SaysWhatAProofRestsOn) {
  EXPECT_EQ(assessed({{"flow.yaml", R"(agneto: 1
name: flow
inputs: {tries: {type: integer, default: 5}}
context: {n: 0, ready: false, notes: []}
outputs: {notes: ctx.notes}
invariants:
  - never: ctx.n > inputs.tries
  - never: state_in("B") and not ctx.ready
  - {after: state_in("A"), eventually: state_in("END")}
initial: A
states:
  A:
    entry: ctx.n = ctx.n + 1
    run: {argv: [make]}
    on:
      ok:
        target: B
        do: |
          table.insert(ctx.notes, event.output)
          ctx.ready = true
      failed:
        - {guard: ctx.n < inputs.tries, target: A}
        - END
      error: END
  B: {run: {argv: [make]}, on: {ok: END, failed: END, error.exit: END}}
  END: {final: true}
)"}}),
            R"(/team/flow.yaml: 20 configurations, which are all
  flow: 20 configurations
    calls of agents: at most 0
    longest path in events: at most 6
    farthest configuration: after 6 events
    invariant in line 7: proved, with tries = 5
    invariant in line 8: proved, with tries = 5, but for errors of the Lua in line 18
    invariant in line 9: proved, with tries = 5, for fair runs
  limits: none
  cost: nothing, as no agent is called
)");
}

TEST(Assessment, NamesTheLoopWithoutABound) {
  EXPECT_EQ(assessed({{"flow.yaml", R"(agneto: 1
name: flow
limits: {calls: 20, cost: 2.5}
agents: {coder: {hooks: hooks.lua}}
initial: A
states:
  A:
    agent: {name: coder, verdicts: {DONE: {}, AGAIN: {}}}
    on: {DONE: ASKING, AGAIN: A, error: END}
  ASKING:
    ask: {question: Well, options: {MORE: More, STOP: Stop}}
    on: {MORE: A, STOP: END}
  END: {final: true}
)"}}),
            R"(/team/flow.yaml: 4 configurations, which are all
  flow: 4 configurations
    calls of agents: no bound, because of A -> A
    longest path in events: no bound, because of A -> A
    farthest configuration: after 2 events
  limits: 20 calls, $2.50, passed by no more than what is under way
  cost: at most $2.50; that of 20 calls, of unknown price
)");
}

TEST(Assessment, SaysHowMuchThereIsBetweenTwoAnswersOfAPerson) {
  EXPECT_EQ(assessed({{"flow.yaml", R"(agneto: 1
name: flow
initial: A
states:
  A:
    machine: inner.yaml
    with: {tries: "3"}
    on: {END: ASKING, error: ENDED}
  ASKING:
    ask: {question: Well, options: {MORE: More, STOP: Stop}}
    on: {MORE: A, STOP: ENDED}
  ENDED: {final: true}
)"},
                      {"inner.yaml", counting}}),
            R"(/team/flow.yaml: 8 configurations, which are all
  flow: 4 configurations
    calls of agents: no bound, because of ASKING -> A -> ASKING; at most 3 between two answers of a person or events from outside
    longest path in events: no bound, because of A -> ASKING -> A; at most 2 between two answers of a person or events from outside
    farthest configuration: after 2 events
  flow: 4 configurations
    calls of agents: at most 3
    longest path in events: at most 3
    farthest configuration: after 2 events
  limits: none
  cost: no bound
)");
}

TEST(Assessment, ProvesNothingOfWhatItCannotFollow) {
  EXPECT_EQ(assessed({{"flow.yaml", R"(agneto: 1
name: flow
context: {name: go}
initial: A
states:
  A:
    run: {argv: [make]}
    on: {ok: {do: raise(ctx.name)}, go: END, failed: END, error: END}
  END: {final: true}
)"}}),
            R"(/team/flow.yaml: 3 configurations, which are not all
  flow: 3 configurations; an action does what cannot be followed, so that nothing is proved
  limits: none
  cost: not known, as not all was looked at
)");
}

}  // namespace
}  // namespace agneto::lint
