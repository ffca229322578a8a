#include "play/rehearsal.h"

#include <gtest/gtest.h>

#include "agents/message.h"
#include "base/text.h"
#include "run/prepare.h"
#include "run/request.h"
#include "support/errors.h"
#include "support/paths.h"

namespace agneto::play {
namespace {

using testing::error_of;

// What a rehearsal says, a line each; prompts without their form of the answer.
class Notes : public DryRunListener {
 public:
  void prompt(const Prompt& prompt) override {
    add("? " + prompt.path + " " + prompt.agent + ": " +
        (prompt.problem.empty() ? prompt.text.substr(0, prompt.text.find('\n'))
                                : "PROBLEM " + prompt.problem) +
        (prompt.saw_no_files ? " [no files]" : ""));
  }
  void decision(const Decision& decision) override {
    add(decision.path + " " + decision.what +
        (decision.timeout > Millis(0) ? " (" + format_duration(decision.timeout) + ")" : "") +
        " -> " + decision.outcome +
        (decision.others.empty() ? "" : " or " + join(decision.others, ", ")));
  }
  void timer(const PlannedTimer& timer) override {
    add("@ " + timer.path + " " + format_duration(timer.delay) + ": " + join(timer.targets, ", "));
  }
  void problem(const chart::Effects::Problem& problem) override {
    add("! " + problem.event + ": " + problem.message);
  }
  std::string text() const { return text_; }
  void add(const std::string& line) { text_ += line + "\n"; }

 private:
  std::string text_;
};

constexpr const char* kReviewed = R"yaml(
agneto: 1
name: reviewed
inputs: {task: {type: string, main: true}}
context: {note: "", plan: {type: "string?"}}
agents:
  planner: {hooks: worker.lua}
  coder: {hooks: worker.lua, access: edit}
initial: PLANNING
states:
  PLANNING:
    agent: {name: planner, verdicts: {PLAN: {plan: string, risk: 'enum [low, high]', why: 'string?'}, UNCLEAR: {}}}
    on:
      PLAN: {target: CODING, do: ctx.plan = event.plan}
      UNCLEAR: LEFT
      error: LEFT
  CODING:
    agent: {name: coder, verdicts: {DONE: {}, STUCK: {}, ABSENT: {}}}
    on: {DONE: GATE, STUCK: LEFT, ABSENT: LEFT, error: LEFT}
  GATE:
    ask:
      question: Good?
      options: {NO: {label: Once more, feedback: required}, YES: Fine}
    on: {'YES': TESTING, 'NO': {target: CODING, do: ctx.note = event.feedback}}
  TESTING:
    run: {argv: [make, test]}
    on: {ok: WAITING, failed: CODING, error: LEFT}
  WAITING:
    after: {1h: MERGING}
  MERGING:
    workspace: {merge: {message: "{{inputs.task}}"}}
    on: {ok: DONE, failed: LEFT, conflict: LEFT, error: LEFT}
  DONE: {final: true}
  LEFT: {final: true, status: failed}
)yaml";

constexpr const char* kWorker = R"lua(
return {prompt = function(m) return m.state .. ": " .. m.inputs.task .. " " .. m.ctx.note end}
)lua";

std::string rehearsed(const std::map<std::string, std::vector<std::string>>& choices = {},
                      const std::string& workflow = kReviewed, const std::string& worker = kWorker,
                      const std::string& item = "") {
  MemoryFiles files;
  files.add("/w/flow.yaml", workflow);
  files.add("/w/worker.lua", worker);
  files.add("/w/item.yaml", item);
  const script::ModulePaths modules{{"/w"}, fs::path(AGNETO_SOURCE_DIR) / "scripts" / "lib"};
  files.add(modules.library / "agneto.lua",
            Disk().read(modules.library / "agneto.lua").value_or(""));
  const model::Loaded loaded = run::load_workflow("/w/flow.yaml", files, {});
  const auto evaluator = run::check_scripts(*loaded.system, files, modules);
  Notes notes;
  const Plan plan{{{"task", "greet"}}, {"dry-run", true, false}, choices};
  script::Hooks hooks(files, modules);
  const auto prompt_of = [&](const chart::CallAgent& call, const chart::Instance& instance) {
    const auto request = run::request_of(call, *loaded.system, instance, run::Config());
    const auto made = agents::preview(request, hooks);
    Prompt prompt{.path = call.path, .agent = request.agent};
    prompt.text = made.text;
    prompt.problem = made.problem;
    prompt.saw_no_files = made.saw_no_files;
    return prompt;
  };
  const DryRunEnd ending = rehearse(plan, *loaded.system, *evaluator, prompt_of, notes);
  notes.add("= " + ending.outcome + ending.reason);
  for (const auto& unused : ending.unused) notes.add("unused " + unused);
  return notes.text();
}

TEST(Rehearsal, GoesTheFirstWayAndThenTheNearest) {
  EXPECT_EQ(rehearsed(), R"(? PLANNING#1 planner: PLANNING: greet
PLANNING#1 agent planner -> PLAN or UNCLEAR
? CODING#1 coder: CODING: greet
CODING#1 agent coder -> DONE or STUCK, ABSENT
GATE#1 asks: Good? -> NO or YES
? CODING#2 coder: CODING: greet <feedback>
CODING#2 agent coder -> DONE or STUCK, ABSENT
GATE#2 asks: Good? -> YES or NO
TESTING#1 runs: make test (10m) -> ok or failed
@ WAITING 1h: MERGING
WAITING waits -> after 1h
MERGING#1 merges into the base branch: greet -> ok or failed, conflict
= DONE
)");
}

TEST(Rehearsal, ShowsThePromptsOfAllThatBeginTogether) {
  EXPECT_EQ(rehearsed({}, R"yaml(
agneto: 1
name: both
inputs: {task: {type: string, main: true}}
context: {note: ""}
agents: {coder: {hooks: worker.lua}}
initial: BOTH
states:
  BOTH:
    parallel: true
    states:
      LEFT: {initial: L, states: {L: {agent: {name: coder}, on: {done: ENOUGH, error: ENOUGH}}}}
      RIGHT: {initial: R, states: {R: {agent: {name: coder}, on: {done: ENOUGH, error: ENOUGH}}}}
  ENOUGH: {final: true}
)yaml"),
            R"(? L#1 coder: L: greet
? R#1 coder: R: greet
L#1 agent coder -> done
= ENOUGH
)");
}

TEST(Rehearsal, GoesWhereItIsToldTo) {
  EXPECT_EQ(rehearsed({{"PLANNING", {"UNCLEAR"}}}), R"(? PLANNING#1 planner: PLANNING: greet
PLANNING#1 agent planner -> UNCLEAR or PLAN
= LEFT
)");
  EXPECT_EQ(rehearsed({{"GATE", {"YES", "NO"}}, {"TESTING", {"failed", "error.timeout"}}}),
            R"(? PLANNING#1 planner: PLANNING: greet
PLANNING#1 agent planner -> PLAN or UNCLEAR
? CODING#1 coder: CODING: greet
CODING#1 agent coder -> DONE or STUCK, ABSENT
GATE#1 asks: Good? -> YES or NO
TESTING#1 runs: make test (10m) -> failed or ok
? CODING#2 coder: CODING: greet
CODING#2 agent coder -> DONE or STUCK, ABSENT
GATE#2 asks: Good? -> NO or YES
? CODING#3 coder: CODING: greet <feedback>
CODING#3 agent coder -> DONE or STUCK, ABSENT
GATE#3 asks: Good? -> YES or NO
TESTING#2 runs: make test (10m) -> error.timeout or ok, failed
= LEFT
)");
}

TEST(Rehearsal, SaysWhichChoicesAreImpossibleOrUnused) {
  EXPECT_EQ(error_of([] {
              rehearsed({{"CODING", {"DUNE"}}});
            }),
            "CODING: 'DUNE' is not a verdict of this call\n"
            "did you mean 'DONE'?");
  EXPECT_EQ(error_of([] {
              rehearsed({{"GATE", {"MAYBE"}}});
            }),
            "GATE: 'MAYBE' is not offered\nchoose one of NO, YES");
  EXPECT_EQ(error_of([] {
              rehearsed({{"CODNG", {"DONE"}}});
            }),
            "no state 'CODNG' has an activity\ndid you mean 'CODING'?");
  EXPECT_EQ(rehearsed({{"PLANNING", {"UNCLEAR", "PLAN"}}, {"TESTING", {"ok"}}}),
            R"(? PLANNING#1 planner: PLANNING: greet
PLANNING#1 agent planner -> UNCLEAR or PLAN
= LEFT
unused PLANNING=PLAN
unused TESTING=ok
)");
}

TEST(Rehearsal, ShowsWhereAPromptCannotBeMadeOrLooksAtFiles) {
  EXPECT_EQ(rehearsed({{"PLANNING", {"UNCLEAR"}}}, kReviewed,
                      "return {prompt = function(m) return m.ctx.nothing .. '' end}"),
            "? PLANNING#1 planner: PROBLEM /w/worker.lua:1: attempt to concatenate a nil value "
            "(field 'nothing')\nPLANNING#1 agent planner -> error.lua or PLAN, UNCLEAR\n= LEFT\n");
  EXPECT_EQ(rehearsed({{"PLANNING", {"UNCLEAR"}}}, kReviewed,
                      "return {prompt = function(m) return 'diff:' .. m.workspace.diff end}"),
            "? PLANNING#1 planner: diff: [no files]\nPLANNING#1 agent planner -> UNCLEAR or PLAN\n"
            "= LEFT\n");
}

TEST(Rehearsal, SaysWhereItDoesNotEnd) {
  EXPECT_EQ(rehearsed({}, R"yaml(
agneto: 1
name: waiting
inputs: {task: {type: string, main: true}}
initial: ASLEEP
states:
  ASLEEP: {on: {kiss: AWAKE}}
  AWAKE: {final: true}
)yaml"),
            "= in ASLEEP it waits for an event from outside\n");
}

std::string turning(const std::string& states, const std::string& context = "") {
  return rehearsed({}, "agneto: 1\nname: round\ninputs: {task: {type: string, main: true}}\n" +
                           context + "initial: TURNING\nstates:\n" + states);
}

TEST(Rehearsal, EndsWhereAllIsAsItWasBefore) {
  EXPECT_EQ(turning(R"yaml(  TURNING:
    run: {argv: [turn]}
    on: {ok: AGAIN, failed: FAR, error: FAR}
  AGAIN: {after: {1m: TURNING}}
  FAR: {final: true}
)yaml"),
            R"(TURNING#1 runs: turn (10m) -> ok or failed
@ AGAIN 1m: TURNING
AGAIN waits -> after 1m
TURNING#2 runs: turn (10m) -> ok or failed
@ AGAIN 1m: TURNING
= it goes round: it is in AGAIN again, and all would be as it was before
)");
}

// It ends one day, but nobody wants to see that.
TEST(Rehearsal, EndsAfterManySteps) {
  const std::string round = turning(R"yaml(  TURNING:
    run: {argv: [turn]}
    on: {ok: {target: TURNING, do: ctx.n = ctx.n + 1}, failed: FAR, error: FAR}
  FAR: {final: true}
)yaml",
                                    "context: {n: 0}\n");
  EXPECT_TRUE(round.ends_with("= it goes round: after 300 steps it is still in TURNING\n"))
      << round.substr(round.size() - 200);
}

// Two items, each of which is reviewed again where a review fails.
TEST(Rehearsal, AChoiceIsForEachItem) {
  const std::string panel = R"yaml(
agneto: 1
name: panel
inputs: {task: {type: string, main: true}}
initial: PANEL
states:
  PANEL:
    for_each: {items: "{1, 2}", machine: item.yaml, max_parallel: 1}
    on: {done: DONE, failed: LEFT, error: LEFT}
  DONE: {final: true}
  LEFT: {final: true, status: failed}
)yaml";
  const std::string item = R"yaml(
agneto: 1
name: item
initial: REVIEWING
states:
  REVIEWING:
    run: {argv: [review]}
    on: {ok: GOOD, failed: REVIEWING, error: BAD}
  GOOD: {final: true}
  BAD: {final: true, status: failed}
)yaml";
  for (const char* place : {"PANEL/REVIEWING", "REVIEWING"}) {
    EXPECT_EQ(rehearsed({{place, {"failed", "ok", "ok"}}}, panel, kWorker, item),
              std::string(R"(PANEL#1[1]/REVIEWING#1 runs: review (10m) -> failed or ok
PANEL#1[1]/REVIEWING#2 runs: review (10m) -> ok or failed
PANEL#1[2]/REVIEWING#1 runs: review (10m) -> failed or ok
PANEL#1[2]/REVIEWING#2 runs: review (10m) -> ok or failed
= DONE
unused )") + place +
                  "=ok\n");
  }
  EXPECT_EQ(rehearsed({{"PANEL[2]/REVIEWING", {"failed"}}}, panel, kWorker, item),
            R"(PANEL#1[1]/REVIEWING#1 runs: review (10m) -> ok or failed
PANEL#1[2]/REVIEWING#1 runs: review (10m) -> failed or ok
PANEL#1[2]/REVIEWING#2 runs: review (10m) -> ok or failed
= DONE
)");
}

}  // namespace
}  // namespace agneto::play
