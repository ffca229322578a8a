#include "model/load.h"

#include <gmock/gmock.h>

#include "model/loading.h"
#include "support/paths.h"

namespace agneto::model {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

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

LoadResult load_triage() {
  LoadResult result = load_files(
      {{"team/workflows/triage.yaml", triage}, {"team/scripts/triager.lua", "return {}"}},
      "team/workflows/triage.yaml");
  EXPECT_EQ(result.messages(), "");
  return result;
}

// "TRIAGING -> CONFIRMING" and the like, for every transition of a list.
std::vector<std::string> arrows(const Machine& machine, const std::vector<TransitionId>& ids) {
  std::vector<std::string> result;
  for (const TransitionId id : ids) {
    const Transition& transition = machine.transitions[id];
    std::string text = join(transition.events, "+") + " ->";
    for (const StateId target : transition.targets) text += " " + machine.state(target).name;
    result.push_back(std::move(text));
  }
  return result;
}

TEST(Load, ReadsAMachinesHead) {
  const LoadResult result = load_triage();
  const Machine& machine = result.main();
  EXPECT_EQ(machine.name, "triage");
  EXPECT_EQ(machine.description, "Ask one agent, let a person decide.");
  EXPECT_EQ(machine.file, "team/workflows/triage.yaml");
  EXPECT_EQ(result.system().roots, std::vector<std::filesystem::path>{"team"});
  ASSERT_EQ(machine.agents.size(), 1U);
  const Agent& agent = machine.agents[0];
  EXPECT_EQ(agent.hooks, "team/scripts/triager.lua");
  EXPECT_EQ(agent.access, Access::read_only);
  EXPECT_EQ(agent.session, SessionScope::run);
  EXPECT_EQ(agent.timeout, std::chrono::minutes(10));
  EXPECT_EQ(agent.settings.retry.tries, std::nullopt);
  ASSERT_EQ(machine.context.size(), 2U);
  EXPECT_EQ(to_text(machine.context[0].type), "string");
  EXPECT_EQ(machine.context[1].initial, Json(0));
  ASSERT_EQ(machine.outputs.size(), 1U);
  EXPECT_EQ(machine.code[machine.outputs[0].value].text, "ctx.label");
}

TEST(Load, ReadsActivities) {
  const LoadResult result = load_triage();
  const Machine& machine = result.main();
  const auto& call = std::get<AgentCall>(machine.state(machine.find("TRIAGING")).activity);
  EXPECT_EQ(call.agent, 0U);
  ASSERT_EQ(call.verdicts.size(), 2U);
  EXPECT_EQ(call.verdicts[0].name, "LABELLED");
  EXPECT_EQ(call.verdicts[0].fields.at(0).name, "label");
  EXPECT_THAT(call.verdicts[1].fields, IsEmpty());
  const auto& ask = std::get<Ask>(machine.state(machine.find("CONFIRMING")).activity);
  ASSERT_EQ(ask.question.parts.size(), 3U);
  EXPECT_EQ(ask.question.parts[0].text, "Label this issue '");
  EXPECT_EQ(machine.code[ask.question.parts[1].code].text, "ctx.label");
  EXPECT_EQ(ask.question.parts[2].text, "'?");
  EXPECT_EQ(ask.default_option, "SKIP");
  ASSERT_EQ(ask.options.size(), 2U);
  EXPECT_EQ(ask.options[0].label.parts.at(0).text, "Apply it");
  EXPECT_EQ(ask.options[1].feedback, Need::optional);
}

TEST(Load, ReadsTransitionsInOrder) {
  const LoadResult result = load_triage();
  const Machine& machine = result.main();
  EXPECT_THAT(arrows(machine, machine.state(0).on), ElementsAre("abort -> ABORTED"));
  const State& triaging = machine.state(machine.find("TRIAGING"));
  EXPECT_THAT(arrows(machine, triaging.on),
              ElementsAre("LABELLED -> CONFIRMING", "UNSURE -> TRIAGING", "UNSURE -> CONFIRMING",
                          "error -> FAILED"));
  const Transition& retry = machine.transitions[triaging.on[1]];
  EXPECT_EQ(machine.code[retry.guard].text, "ctx.rounds < 3");
  EXPECT_EQ(machine.code[retry.guard].kind, Code::Kind::expression);
  EXPECT_EQ(machine.code[retry.actions.at(0)].kind, Code::Kind::statements);
  EXPECT_EQ(machine.state(machine.find("FAILED")).status, FinalStatus::failed);
  EXPECT_EQ(machine.state(machine.find("DONE")).outcome, "DONE");
}

TEST(Load, NumbersStatesInDocumentOrder) {
  const LoadResult result = load_states(R"(  P:
    parallel: true
    states:
      A:
        initial: A1
        states:
          HISTORY: {history: deep, default: A1}
          A1: {}
          A2: {}
      B: {}
  END: {final: true}
)");
  ASSERT_EQ(result.messages(), "");
  const Machine& machine = result.main();
  std::vector<std::string> names;
  std::vector<StateId> lasts;
  for (const State& state : machine.states) {
    names.push_back(state.name);
    lasts.push_back(state.last);
  }
  EXPECT_THAT(names, ElementsAre("flow", "P", "A", "HISTORY", "A1", "A2", "B", "END"));
  EXPECT_THAT(lasts, ElementsAre(7, 6, 5, 3, 4, 5, 6, 7));
  EXPECT_THAT(machine.state(2).children, ElementsAre(3, 4, 5));
  EXPECT_EQ(machine.state(1).kind, StateKind::parallel);
  EXPECT_EQ(machine.state(2).kind, StateKind::compound);
  EXPECT_EQ(machine.state(3).kind, StateKind::deep_history);
  EXPECT_THAT(machine.state(3).start.targets, ElementsAre(4));
  EXPECT_TRUE(machine.is_descendant(5, 1));
  EXPECT_FALSE(machine.is_descendant(6, 2));
}

TEST(Load, GivesEachLineOfLuaItsPlace) {
  const LoadResult result = load_states(R"(  A:
    entry: |
      -- first
      ctx.a = 1

      ctx.b = 2
    exit: [x = 1, y = 2]
    ask:
      question: |
        Do you
        want {{ctx.this}} or
        {{ctx.that}}?
      text: required
    on: {answered: {guard: ctx.c, do: ["ctx.d = 1", ctx.e = 1], target: A}}
)");
  ASSERT_EQ(result.messages(), "");
  std::vector<std::string> found;
  for (const Code& code : result.main().code) {
    for (const int line : code.lines) found.push_back(code.what + " " + std::to_string(line));
  }
  EXPECT_THAT(found, ElementsAre("entry 7", "entry 8", "entry 9", "entry 10", "exit 11", "exit 11",
                                 "question 15", "question 16", "guard 18", "do 18", "do 18"));
  const Code& that = result.main().code[4];
  EXPECT_EQ(that.text, "ctx.that");
  EXPECT_EQ(that.span.position().column, 9);
}

TEST(Load, AlternativesUnderOneDelayShareATimer) {
  const LoadResult result = load_states(R"(  A:
    after:
      10s: [{guard: ctx.x, target: B, wall: true}, {do: ctx.y = 1}]
      ctx.wait: B
  B:
    after:
      - {delay: 1h30m, target: A}
      - {delay: 2m, target: C}
  C: {final: true}
)");
  ASSERT_EQ(result.messages(), "");
  const std::vector<Transition>& all = result.main().transitions;
  ASSERT_EQ(all.size(), 5U);
  EXPECT_EQ(all[0].delay, std::chrono::seconds(10));
  EXPECT_TRUE(all[0].wall);
  EXPECT_EQ(all[1].delay, std::chrono::seconds(10));
  EXPECT_EQ(all[2].delay_code == none ? "" : result.main().code[all[2].delay_code].text,
            "ctx.wait");
  EXPECT_EQ(all[3].delay, std::chrono::minutes(90));
  std::vector<TransitionId> timers;
  for (const Transition& transition : all) timers.push_back(transition.timer);
  EXPECT_THAT(timers, ElementsAre(0, 0, 2, 3, 4));
}

TEST(Load, ReadsOneTransitionForSeveralEvents) {
  const LoadResult result = load_states(R"(  A:
    on:
      - {event: [GO, error.timeout], target: B}
      - {event: any, do: ctx.n = 1}
      - {event: STOP}
  B: {final: true}
)");
  ASSERT_EQ(result.messages(), "");
  EXPECT_THAT(arrows(result.main(), result.main().state(1).on),
              ElementsAre("GO+error.timeout -> B", "any ->", "STOP ->"));
}

TEST(Load, ReadsProgramsAndWorkspaceOperations) {
  const LoadResult result = load_states(R"(  A:
    run:
      argv: [make, "-j{{ctx.n}}", "two words"]
      env: {TASK: inputs.task}
      timeout: 90s
      once: true
    on: {any: B}
  B:
    run: {shell: make test}
    on: {any: C}
  C:
    run: {command: inputs.verify}
    on: {any: D}
  D:
    workspace: {merge: {squash: false, into: "release/{{ctx.n}}"}}
    on: {any: E}
  E: {final: true}
)");
  ASSERT_EQ(result.messages(), "");
  const Machine& machine = result.main();
  const auto& first = std::get<Program>(machine.state(1).activity);
  EXPECT_EQ(first.kind, Program::Kind::argv);
  ASSERT_EQ(first.argv.size(), 3U);
  EXPECT_EQ(first.argv[1].parts.size(), 2U);
  EXPECT_EQ(first.env.at(0).name, "TASK");
  EXPECT_EQ(first.timeout, std::chrono::seconds(90));
  EXPECT_TRUE(first.once);
  EXPECT_EQ(std::get<Program>(machine.state(2).activity).shell, "make test");
  EXPECT_EQ(std::get<Program>(machine.state(2).activity).timeout, std::chrono::minutes(10));
  const auto& third = std::get<Program>(machine.state(3).activity);
  EXPECT_EQ(third.kind, Program::Kind::expression);
  EXPECT_EQ(machine.code[third.command].text, "inputs.verify");
  const auto& merge = std::get<WorkspaceOperation>(machine.state(4).activity);
  EXPECT_EQ(merge.kind, WorkspaceOperation::Kind::merge);
  EXPECT_FALSE(merge.squash);
  EXPECT_EQ(merge.into.parts.size(), 2U);
}

const char* const outer = R"(agneto: 1
name: outer
initial: A
states:
  A:
    machine: inner.yaml
    with: {task: "'x'"}
    on: {any: END}
  END: {final: true}
)";

const char* const inner = R"(agneto: 1
name: inner
inputs:
  task: string
  depth: {type: integer, default: 0}
initial: A
states:
  A:
    machine: ./inner.yaml
    with: {task: inputs.task}
    on: {any: END}
  END: {final: true}
)";

TEST(Load, ReadsEachMachineOnce) {
  const LoadResult result = load_files({{"flow.yaml", outer}, {"inner.yaml", inner}});
  ASSERT_EQ(result.messages(), "");
  ASSERT_EQ(result.system().machines.size(), 2U);
  const Machine& machine = result.system().machines[1];
  EXPECT_EQ(machine.name, "inner");
  EXPECT_EQ(machine.id, 1U);
  EXPECT_EQ(std::get<Delegate>(result.main().state(1).activity).machine, 1U);
  EXPECT_EQ(std::get<Delegate>(machine.state(1).activity).machine, 1U);
}

TEST(Load, ReportsInputsThatDoNotFitTheMachineDelegatedTo) {
  const LoadResult result = load_files({{"flow.yaml", R"(agneto: 1
name: outer
initial: A
states:
  A:
    machine: inner.yaml
    with: {tsak: inputs.task, depth: 3}
    on: {any: END}
  END: {final: true}
)"},
                                        {"inner.yaml", inner}});
  EXPECT_EQ(
      result.messages(),
      R"(flow.yaml:6:14: error: the machine 'inner' needs the input 'task' [E603/missing-input]
    machine: inner.yaml
             ^~~~~~~~~~
  help: add it: with: {task: ...}
inner.yaml:4:3: note: declared here
  task: string
  ^~~~
flow.yaml:7:12: error: the machine 'inner' has no input 'tsak' [E604/unknown-input]
    with: {tsak: inputs.task, depth: 3}
           ^~~~
  help: did you mean 'task'?
)");
}

TEST(Load, ReportsTheErrorsOfEveryFile) {
  const LoadResult result = load_files({{"flow.yaml", outer + std::string("colour: red\n")},
                                        {"inner.yaml", "agneto: 1\nname: [\n"}});
  EXPECT_EQ(result.loaded.system, nullptr);
  EXPECT_EQ(result.messages(),
            R"(flow.yaml:10:1: error: a machine has no key 'colour' [E121/unknown-key]
colour: red
^~~~~~
  help: known keys: agneto, extends, name, description, inputs, context, agents, verdicts, functions, limits, initial, on, …
inner.yaml:2:7: error: this '[' is never closed [E101/yaml]
name: [
      ^
  help: close it with ']'
)");
}

TEST(Load, ReportsAFileThatIsNotThere) {
  EXPECT_EQ(load_files({}).messages(),
            "error: cannot read the file 'flow.yaml' [E601/missing-file]\n");
}

TEST(Load, ReportsAnEmptyFile) {
  EXPECT_EQ(load_files({{"flow.yaml", "# nothing yet\n"}}).messages(),
            "flow.yaml:1:1: error: the file is empty [E103/yaml-empty]\n"
            "# nothing yet\n"
            "^\n");
}

TEST(Load, KeepsADraftInSpiteOfErrors) {
  const LoadResult result = load_states("  A: {entry: x = 1, on: {GO: B}}\n");
  EXPECT_EQ(result.loaded.system, nullptr);
  ASSERT_NE(result.loaded.draft, nullptr);
  EXPECT_EQ(result.loaded.draft->main().code.at(0).text, "x = 1");
}

TEST(Load, KnowsTheFolderAroundWorkflows) {
  EXPECT_EQ(root_of("a/workflows/b.yaml"), "a");
  EXPECT_EQ(root_of("workflows/b.yaml"), ".");
  EXPECT_EQ(root_of("a/b.yaml"), "a");
  EXPECT_EQ(root_of("b.yaml"), ".");
  EXPECT_EQ(root_of("/x/workflows/../c/b.yaml"), "/x/c");
}

TEST(Load, FindsNothingInTheBundledWorkflow) {
  Diagnostics diagnostics;
  const Loaded loaded =
      load(fs::path(AGNETO_SOURCE_DIR) / "workflows" / "agneto.yaml", Disk(), diagnostics);
  EXPECT_EQ(render(diagnostics), "");
  EXPECT_NE(loaded.system, nullptr);
}

}  // namespace
}  // namespace agneto::model
