#include "model/load.h"

#include <gmock/gmock.h>

#include "model/loading.h"

namespace agneto::model {
namespace {

const char* const triage = R"(agneto: 1
name: triage
description: Ask one agent, let a person decide.

inputs:
  issue: {type: string, main: true, description: The report to triage}

context:
  label: ""
  rounds: 0

agents:
  triager: {hooks: ../scripts/triager.lua, access: read-only, session: run, timeout: 10m}

initial: TRIAGING
on:
  abort: ABORTED
states:
  TRIAGING:
    agent:
      name: triager
      verdicts: {LABELLED: {label: string}, UNSURE: {}}
    on:
      LABELLED: {target: CONFIRMING, do: ctx.label = event.label}
      UNSURE:
        - {guard: ctx.rounds < 3, target: TRIAGING, do: ctx.rounds = ctx.rounds + 1}
        - CONFIRMING
      error: FAILED
  CONFIRMING:
    ask:
      question: "Label this issue '{{ctx.label}}'?"
      show: inputs.issue
      options:
        APPLY: Apply it
        SKIP: {label: Leave it alone, feedback: optional}
      default: SKIP
    after: {24h: SKIPPED}
    on: {APPLY: DONE, SKIP: SKIPPED}
  DONE: {final: true}                  # outcome: DONE unless it says otherwise
  SKIPPED: {final: true}
  FAILED: {final: true, status: failed}
  ABORTED: {final: true, status: aborted}
outputs: {label: ctx.label}
)";

TEST(Load, ReadsAWholeMachine) {
  const LoadResult result = load_files(
      {{"team/workflows/triage.yaml", triage}, {"team/scripts/triager.lua", "return {}"}},
      "team/workflows/triage.yaml");
  ASSERT_EQ(result.messages(), "");
  const Machine& machine = result.main();
  EXPECT_EQ(machine.name, "triage");
  EXPECT_EQ(machine.states.size(), 7U);
}

}  // namespace
}  // namespace agneto::model
