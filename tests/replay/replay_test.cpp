#include "replay/replay.h"

#include "run/engine_fixture.h"

namespace agneto::replay {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::string flow = R"(agneto: 1
name: flow
inputs: {task: {type: string, main: true}}
context: {rounds: 0, note: ""}
agents: {worker: {hooks: hook.lua}}
initial: WORKING
on: {abort: STOPPED}
states:
  WORKING:
    agent: {name: worker, verdicts: {DONE: {}, MORE: {}}}
    on:
      DONE: GATE
      MORE:
        - {guard: ctx.rounds < 3, target: WORKING, do: ctx.rounds = ctx.rounds + 1}
        - STOPPED
      error: STOPPED
  GATE:
    ask: {question: Is it good, options: {YES: Take it, NO: {label: Again, feedback: required}}}
    on: {YES: FINE, NO: {target: WORKING, do: ctx.note = event.feedback}}
    after: {1h: STOPPED}
  FINE: {final: true}
  STOPPED: {final: true, status: failed}
)";

std::string edited(std::string text, const std::string& what, const std::string& by) {
  return text.replace(text.find(what), what.size(), by);
}

std::string renamed(std::string text, const std::string& what, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size()) {
    text.replace(at, what.size(), by);
  }
  return text;
}

class ReplayTest : public run::EngineTest {
 protected:
  // Asked twice, sent back once.
  void record() {
    load(flow);
    reply("worker", "MORE");
    reply("worker", "DONE");
    reply("worker", "DONE");
    human.answers = {{"NO", "not yet", {}}, {"YES", "", {}}};
    ASSERT_EQ(start(), ExitStatus::complete);
  }

  // On the workflow with that text, and that hook where one is given.
  Replay on(const std::string& yaml, const std::string& hook = "", bool prompts = false) {
    MemoryFiles now;
    now.add("/w/flow.yaml", yaml);
    now.add("/w/hook.lua", hook.empty() ? files.memory.read("/w/hook.lua").value() : hook);
    class Both : public Files {
     public:
      Both(const Files& memory, const Files& rest) : memory_(memory), rest_(rest) {}
      std::optional<std::string> read(const fs::path& path) const override {
        auto text = memory_.read(path);
        return text ? text : rest_.read(path);
      }

     private:
      const Files& memory_;
      const Files& rest_;
    } both(now, files);
    const auto workflow = run::load_workflow("/w/flow.yaml", both, {});
    const auto code = run::check_scripts(*workflow.system, both, modules);
    const Script script{*workflow.system, *code, both, modules};
    return play(&script, prompts);
  }

  Replay play(const Script* now = nullptr, bool prompts = false) {
    const Script script{*loaded.system, *evaluator, files, modules};
    ReplayOptions options;
    options.prompts = prompts;
    options.config = &config;
    return replay(store->find("r").value(), recorded(), store->state("r"), script,
                  now ? *now : script, options);
  }
};

TEST_F(ReplayTest, TheRecordedSourcesTakeTheRecordedPath) {
  record();
  const Replay same = play();
  EXPECT_TRUE(same.same());
  EXPECT_TRUE(same.faithful);
  EXPECT_EQ(same.steps, 6);
  EXPECT_EQ(same.differing, 0);
  EXPECT_EQ(same.recorded_end, "FINE (complete)");
  EXPECT_EQ(same.end, "FINE (complete)");
  EXPECT_THAT(same.waiting, IsEmpty());
  EXPECT_THAT(same.unused, IsEmpty());
}

TEST_F(ReplayTest, AnEditThatChangesNothingOfThePathIsTheSame) {
  record();
  const Replay same = on("# A comment moves all lines.\n" + flow + "\n");
  EXPECT_TRUE(same.same());
  EXPECT_EQ(same.end, "FINE (complete)");
}

TEST_F(ReplayTest, ShowsTheFirstStepThatDiffers) {
  record();
  const Replay other = on(edited(flow, "ctx.rounds < 3", "ctx.rounds < 0"));
  ASSERT_TRUE(other.first);
  EXPECT_EQ(other.first->event, "MORE of WORKING#1");
  EXPECT_THAT(other.first->lines,
              ElementsAre("- transition WORKING → WORKING on MORE", "- agent WORKING#2",
                          "-   access: read-only", "-   agent: worker", "-   verdict DONE: {}",
                          "-   verdict MORE: {}", "- in WORKING#2", "- context rounds: 1",
                          "+ transition WORKING → STOPPED on MORE", "+ finish",
                          "+   outcome: STOPPED", "+   outputs: {}", "+   status: failed",
                          "+ in STOPPED#1", "+ context rounds: 0"));
  EXPECT_EQ(other.end, "STOPPED (failed)");
  EXPECT_EQ(other.recorded_end, "FINE (complete)");
  EXPECT_THAT(other.unused,
              ElementsAre("DONE of WORKING#2: it has ended", "NO of GATE#1: it has ended",
                          "DONE of WORKING#3: it has ended", "YES of GATE#2: it has ended"));
}

TEST_F(ReplayTest, DataAloneIsADifference) {
  record();
  const Replay other = on(edited(flow, "ctx.note = event.feedback", "ctx.note = \"x\""));
  ASSERT_TRUE(other.first);
  EXPECT_EQ(other.first->event, "NO of GATE#1");
  EXPECT_THAT(other.first->lines, ::testing::Contains("- context note: not yet"));
  EXPECT_THAT(other.first->lines, ::testing::Contains("+ context note: x"));
  EXPECT_EQ(other.end, "FINE (complete)");
}

TEST_F(ReplayTest, AStateThatIsEnteredLessOftenStillGetsItsOutcomes) {
  record();
  // The first verdict leads on: what was recorded of the second entry goes to nobody, what was
  // recorded of the third to the second.
  const Replay other = on(edited(flow,
                                 "      MORE:\n        - {guard: ctx.rounds < 3, target: "
                                 "WORKING, do: ctx.rounds = ctx.rounds + 1}\n        - STOPPED\n",
                                 "      MORE: GATE\n"));
  EXPECT_EQ(other.first->event, "MORE of WORKING#1");
  EXPECT_THAT(other.unused, ElementsAre("DONE of WORKING#2: nothing waits for it"));
  EXPECT_EQ(other.end, "FINE (complete)");
  EXPECT_THAT(other.waiting, IsEmpty());
}

TEST_F(ReplayTest, ARenamedStateIsFoundByItsAgent) {
  record();
  const Replay other = on(renamed(flow, "WORKING", "CODING"));
  EXPECT_EQ(other.first->event, "the start");
  EXPECT_THAT(other.unused, IsEmpty());
  EXPECT_EQ(other.end, "FINE (complete)");
}

TEST_F(ReplayTest, AnActivityThatHasNoOutcomeIsWaitedFor) {
  record();
  const Replay other =
      on(edited(edited(flow, "      DONE: GATE\n", "      DONE: CHECKING\n"), "  GATE:\n",
                "  CHECKING: {run: {argv: [make]}, on: {ok: GATE, failed: STOPPED}}\n"
                "  GATE:\n"));
  EXPECT_EQ(other.first->event, "DONE of WORKING#2");
  EXPECT_THAT(other.waiting, ElementsAre("CHECKING#1"));
  EXPECT_EQ(other.end, "in CHECKING#1");
}

TEST_F(ReplayTest, ATimerComesDueWhereItDid) {
  load(flow);
  reply("worker", "DONE");
  seen.on["question.asked"] = [this] { clock.advance(Millis(3'600'000)); };
  ASSERT_EQ(start(), ExitStatus::failed);
  EXPECT_TRUE(play().same());
  const Replay other = on(edited(flow, "{1h: STOPPED}", "{2h: STOPPED}"));
  EXPECT_EQ(other.first->event, "DONE of WORKING#1");
  EXPECT_THAT(other.first->lines, ::testing::Contains("+   delay: 7200000"));
  EXPECT_EQ(other.end, "STOPPED (failed)");
}

TEST_F(ReplayTest, RepliesAreReadAgain) {
  record();
  const Replay other = on(flow, R"(return {
    prompt = function(m) return "work on " .. m.inputs.task end,
    parse = function(reply) if reply:find("MORE") then return "DONE" end return "DONE" end,
  })");
  EXPECT_FALSE(other.same());
  ASSERT_EQ(other.verdicts.size(), 1U);
  EXPECT_EQ(other.verdicts[0].path, "WORKING#1");
  EXPECT_EQ(other.verdicts[0].agent, "worker");
  EXPECT_THAT(other.verdicts[0].lines, ElementsAre("- MORE", "+ DONE", "  {}"));
  EXPECT_EQ(other.end, "FINE (complete)");
}

TEST_F(ReplayTest, AHookThatReadsNothingWouldAskAgain) {
  record();
  const Replay other = on(flow, R"(return {
    prompt = function(m) return "work on " .. m.inputs.task end,
    parse = function() return nil end,
  })");
  ASSERT_EQ(other.verdicts.size(), 3U);
  EXPECT_THAT(other.verdicts[0].lines,
              ElementsAre("- MORE", "- {}",
                          "+ it would be asked again: no verdict was found in the reply"));
  EXPECT_FALSE(other.first);  // the machine is fed what was recorded
}

TEST_F(ReplayTest, CallsThatFailedAndWereAskedAgainComeToTheSame) {
  load(flow);
  calls = Json::array(
      {{{"agent", "worker"},
        {"attempts",
         {{{"error", "busy"}}, {{"reply", "I looked."}}, {{"reply", "VERDICT: DONE"}}}}}});
  human.answers = {{"YES", "", {}}};
  ASSERT_EQ(start(), ExitStatus::complete);
  const Replay same = play(nullptr, true);
  EXPECT_TRUE(same.same());
  EXPECT_EQ(same.prompts, 3);
  EXPECT_THAT(same.prompt_differences, IsEmpty());
}

TEST_F(ReplayTest, PromptsAreWrittenAgain) {
  record();
  const Replay other =
      on(flow, "return {prompt = function(m) return 'do ' .. tostring(m.inputs.task) end}", true);
  EXPECT_TRUE(other.same());
  EXPECT_EQ(other.prompts, 3);
  ASSERT_EQ(other.prompt_differences.size(), 3U);
  EXPECT_EQ(other.prompt_differences[0].path, "WORKING#1");
  EXPECT_EQ(other.prompt_differences[0].lines[0], "- work on it");
  EXPECT_EQ(other.prompt_differences[0].lines[1], "+ do it");
}

TEST_F(ReplayTest, APromptThatNeedsTheWorktreeIsNamed) {
  record();
  const Replay other =
      on(flow, "return {prompt = function(m) return 'see ' .. m.workspace.diff end}", true);
  ASSERT_EQ(other.prompt_differences.size(), 3U);
  EXPECT_EQ(other.prompt_differences[0].unknown, "there is no worktree to look at");
}

TEST_F(ReplayTest, ARenamedGateIsFoundByWhatItOffers) {
  record();
  const Replay other = on(renamed(flow, "GATE", "APPROVAL"));
  EXPECT_EQ(other.first->event, "DONE of WORKING#2");
  EXPECT_THAT(other.unused, IsEmpty());
  EXPECT_THAT(other.waiting, IsEmpty());
  EXPECT_EQ(other.end, "FINE (complete)");
}

TEST_F(ReplayTest, ATimerOfARenamedStateComesDueToo) {
  load(flow);
  reply("worker", "DONE");
  seen.on["question.asked"] = [this] { clock.advance(Millis(3'600'000)); };
  ASSERT_EQ(start(), ExitStatus::failed);
  const Replay other = on(renamed(flow, "GATE", "APPROVAL"));
  EXPECT_THAT(other.unused, IsEmpty());
  EXPECT_EQ(other.end, "STOPPED (failed)");
}

TEST_F(ReplayTest, AVerdictThatIsNotDeclaredAnyMoreIsNotGiven) {
  record();
  const Replay other = on(edited(edited(flow, "MORE: {}", "AGAIN: {}"), "MORE:", "AGAIN:"));
  EXPECT_EQ(other.first->event, "the start");
  EXPECT_THAT(other.first->lines, ::testing::Contains("+   verdict AGAIN: {}"));
  EXPECT_EQ(other.unused.front(),
            "MORE of WORKING#1: the agent would be asked again: the verdict 'MORE' is not one of "
            "those declared");
  ASSERT_FALSE(other.verdicts.empty());
  EXPECT_THAT(other.verdicts[0].lines,
              ElementsAre("- MORE", "- {}",
                          "+ it would be asked again: the verdict 'MORE' is not one of those "
                          "declared"));
  // The second entry of the state is the first one now.
  EXPECT_EQ(other.end, "FINE (complete)");
}

TEST_F(ReplayTest, AnOptionThatIsNotOfferedAnyMoreIsNotChosen) {
  record();
  const Replay other =
      on(edited(edited(flow, ", NO: {label: Again, feedback: required}", ", MAYBE: Perhaps"),
                "NO: {target: WORKING, do: ctx.note = event.feedback}", "MAYBE: WORKING"));
  EXPECT_EQ(other.first->event, "DONE of WORKING#2");
  EXPECT_EQ(other.unused.front(),
            "NO of GATE#1: that question does not offer it now, but YES, MAYBE");
  // Nor is it known what would have been answered instead: the next answer is for the second gate.
  EXPECT_THAT(other.unused, ElementsAre(::testing::_, "DONE of WORKING#3: nothing waits for it"));
  EXPECT_EQ(other.end, "FINE (complete)");
}

const std::string panel = R"(agneto: 1
name: panel
inputs: {task: {type: string, main: true}}
context: {topics: [a, b, c], seen: []}
initial: PANEL
states:
  PANEL:
    for_each: {items: ctx.topics, as: topic, machine: flow2.yaml, with: {topic: topic}}
    on: {done: {target: FINE, do: ctx.seen = event.results}, failed: STOPPED}
  FINE: {final: true}
  STOPPED: {final: true, status: failed}
)";
const std::string item = R"(agneto: 1
name: item
inputs: {topic: string}
context: {note: ""}
agents: {worker: {hooks: hook.lua}}
initial: LOOKING
states:
  LOOKING:
    agent: {name: worker, verdicts: {SEEN: {}, BAD: {}}}
    on: {SEEN: OK, BAD: NOT, error: NOT}
  OK: {final: true}
  NOT: {final: true}
)";

TEST_F(ReplayTest, AnItemThatIsGoneTakesNoOtherItemsOutcome) {
  files.memory.add("/w/flow2.yaml", item);
  load(panel);
  for (int i = 0; i < 3; ++i) reply("worker", "SEEN");
  ASSERT_EQ(start(), ExitStatus::complete);
  EXPECT_TRUE(play().same());
  const Replay other = on(edited(panel, "[a, b, c]", "[a, b]"));
  EXPECT_EQ(other.first->event, "the start");
  EXPECT_THAT(other.unused,
              ::testing::Contains(::testing::StartsWith("SEEN of PANEL#1[3]/LOOKING#1: ")));
  EXPECT_EQ(other.end, "FINE (complete)");
}

TEST_F(ReplayTest, AnItemThatWasAddedTakesNoOtherItemsOutcome) {
  files.memory.add("/w/flow2.yaml", item);
  const std::string twice =
      edited(panel, "done: {target: FINE, do: ctx.seen = event.results}", "done: AGAIN");
  load(edited(twice, "  FINE:", R"(  AGAIN:
    for_each: {items: ctx.topics, as: topic, machine: flow2.yaml, with: {topic: topic}}
    on: {done: FINE, failed: STOPPED}
  FINE:)"));
  for (int i = 0; i < 6; ++i) reply("worker", "SEEN");
  ASSERT_EQ(start(), ExitStatus::complete);
  const Replay other = on(edited(files.memory.read("/w/flow.yaml").value(), "c]", "c, d]"));
  EXPECT_EQ(other.first->event, "the start");
  EXPECT_THAT(other.waiting, ElementsAre("PANEL#1[4]/LOOKING#1 (agent worker)"));
  EXPECT_EQ(other.end, "in PANEL#1, PANEL#1[4]/LOOKING#1");
}

TEST_F(ReplayTest, WhatARewindHasUndoneDoesNotCount) {
  record();
  journal::Seq gate = 0;
  for (const auto& entry : recorded()) {
    if (entry.path == "WORKING#2" && entry.get<record::Macrostep>()) gate = entry.seq;
  }
  store->own("r", "a test");
  store->rewind("r", gate, {0, {}, "rewound", "", Json::object()});
  const Replay same = play();
  EXPECT_TRUE(same.same());
  EXPECT_EQ(same.steps, 3);
  EXPECT_EQ(same.end, "in GATE#1");
  EXPECT_EQ(same.recorded_end, "in GATE#1");
  EXPECT_THAT(same.waiting, IsEmpty());
}

TEST_F(ReplayTest, AForkIsTheOtherRunUntilThen) {
  load(edited(flow, "      DONE: GATE\n", "      DONE: {target: GATE, do: ctx.note = run.id}\n"));
  reply("worker", "DONE");
  human.there = false;
  ASSERT_EQ(start(), ExitStatus::suspended);
  const auto entries = recorded();
  journal::RunRecord other = store->find("r").value();
  other.id = "other";
  other.options["interactive"] = false;
  store->fork("r", entries.back().seq, other,
              {0, {}, "forked", "", {{"run", "r"}, {"at", entries.back().seq}}});
  store->own("other", "a test");
  Json state = store->state("other");
  state["instance"]["run"]["id"] = "other";
  store->append("other", {{0, {}, "restored", "", Json::object()}}, state);
  const Script script{*loaded.system, *evaluator, files, modules};
  const Replay same = replay(other, record::decode(store->entries("other")), store->state("other"),
                             script, script, {});
  EXPECT_TRUE(same.same());
  EXPECT_EQ(same.end, "in GATE#1");
}

TEST_F(ReplayTest, EventsOfItsOwnHaveAnEnd) {
  record();
  const Replay other = on(edited(flow, "  FINE: {final: true}\n",
                                 "  FINE:\n    entry: send(\"again\")\n    on: {again: FINE}\n"));
  EXPECT_EQ(other.first->event, "YES of GATE#2");
  EXPECT_THAT(other.notes, ElementsAre("the machine goes on sending itself events, and was left "
                                       "alone after 1000 of them"));
}

TEST_F(ReplayTest, EventsOfItsOwnAreTakenAfterTheLastRecordedOne) {
  record();
  const Replay other = on(edited(flow, "  FINE: {final: true}\n",
                                 "  FINE:\n    entry: send(\"on\")\n    on: {on: STOPPED}\n"));
  EXPECT_EQ(other.end, "STOPPED (failed)");
}

TEST_F(ReplayTest, AHookThatFailsNowEndsTheCall) {
  record();
  const Replay other = on(flow, "return {prompt = function(m) return m.inputs.task.nothing.x end}");
  EXPECT_FALSE(other.same());
  ASSERT_FALSE(other.verdicts.empty());
  EXPECT_EQ(other.verdicts[0].lines[0], "- MORE");
  EXPECT_EQ(other.verdicts[0].lines[2], "+ error.lua");
  EXPECT_EQ(other.end, "STOPPED (failed)");
  EXPECT_EQ(other.prompts, 0);
}

TEST_F(ReplayTest, AHookThatFailedThenAndDoesNotNowWouldAskTheAgent) {
  load(flow);
  const std::string hook = files.memory.read("/w/hook.lua").value();
  files.memory.add("/w/hook.lua", "return {prompt = function(m) return m.no.such end}");
  reply("worker", "DONE");
  ASSERT_EQ(start(), ExitStatus::failed);
  EXPECT_TRUE(play().same());
  const Replay other = on(flow, hook);
  ASSERT_EQ(other.verdicts.size(), 1U);
  EXPECT_EQ(other.verdicts[0].lines.back(),
            "+ it would be asked now, and nothing was recorded of that");
  EXPECT_EQ(other.end, "in WORKING#1");
  EXPECT_THAT(other.waiting, ElementsAre("WORKING#1 (agent worker)"));
}

TEST_F(ReplayTest, ACallThatCouldNotBeMadeIsTheSame) {
  load(flow);
  calls =
      Json::array({{{"agent", "worker"}, {"error", "no such program"}, {"event", "error.spawn"}}});
  ASSERT_EQ(start(), ExitStatus::failed);
  EXPECT_TRUE(play().same());
}

TEST_F(ReplayTest, MovedLinesOfReplacedSourcesAreNoDifference) {
  record();
  const std::string moved = "# A comment moves all lines.\n" + flow;
  MemoryFiles now({{"/w/flow.yaml", moved}, {"/w/hook.lua", *files.memory.read("/w/hook.lua")}});
  const auto workflow = run::load_workflow("/w/flow.yaml", now, {});
  const auto code = run::check_scripts(*workflow.system, files, modules);
  const Script script{*workflow.system, *code, files, modules};
  const Replay same =
      replay(store->find("r").value(), recorded(), store->state("r"), script, script, {});
  EXPECT_TRUE(same.faithful);
  EXPECT_TRUE(same.same());
}

TEST_F(ReplayTest, AnAbortIsPartOfThePath) {
  load(edited(flow, "on: {abort: STOPPED}\n", ""));
  reply("worker", "DONE");
  seen.on["question.asked"] = [this] {
    human.interrupts = {{run::Interrupt::Kind::abort, ""}};
    engine->interrupt();
  };
  ASSERT_EQ(start(), ExitStatus::aborted);
  EXPECT_TRUE(play().same());
}

TEST_F(ReplayTest, AnAbortThatIsTakenNowIsNotTheEnd) {
  const std::string untaken = edited(flow, "on: {abort: STOPPED}\n", "");
  load(untaken);
  reply("worker", "DONE");
  seen.on["question.asked"] = [this] {
    human.interrupts = {{run::Interrupt::Kind::abort, ""}};
    engine->interrupt();
  };
  ASSERT_EQ(start(), ExitStatus::aborted);
  const Replay taken = on(edited(flow, "abort: STOPPED", "abort: WORKING"));
  EXPECT_EQ(taken.first->event, "abort");
  EXPECT_THAT(taken.unused, ElementsAre("the end by force: it has taken the abort"));
  EXPECT_THAT(taken.waiting, ElementsAre("WORKING#2 (agent worker)"));
}

TEST_F(ReplayTest, AnAbortThatNothingTakesNowIsTheEnd) {
  load(flow);
  reply("worker", "DONE");
  seen.on["question.asked"] = [this] {
    human.interrupts = {{run::Interrupt::Kind::abort, ""}};
    engine->interrupt();
  };
  ASSERT_EQ(start(), ExitStatus::failed);
  const Replay other = on(edited(flow, "on: {abort: STOPPED}\n", ""));
  EXPECT_EQ(other.first->event, "abort");
  EXPECT_EQ(other.recorded_end, "STOPPED (failed)");
  EXPECT_THAT(other.end, ::testing::EndsWith("(aborted)"));
}

TEST_F(ReplayTest, InputsThatDoNotFitAreAnError) {
  record();
  try {
    on(edited(flow, "inputs: {task: {type: string, main: true}}", "inputs: {issue: string}"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "the run's inputs do not fit this workflow: input 'issue' is missing; its type "
                 "is string; unknown input 'task'; known inputs: issue");
    EXPECT_EQ(error.help(), "give a new input a default or 'type: …?', and keep the old ones");
  }
}

}  // namespace
}  // namespace agneto::replay
