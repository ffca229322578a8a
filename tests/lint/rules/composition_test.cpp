// Rules about machines that delegate to each other.
#include <gmock/gmock.h>

#include "lint/linting.h"

namespace agneto::lint {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(EndlessRecursion, GoesByWhatGuardsRead) {
  const auto splitting = [](const std::string& guard, const std::string& with) {
    return lint_text(R"(agneto: 1
name: flow
inputs: {depth: {type: integer, default: 2}, task: {type: string, main: true}}
initial: BEGIN
states:
  BEGIN:
    always:
      - {guard: ')" + guard +
                     R"(', target: HALF}
      - WORKING
  HALF:
    machine: flow.yaml
    with: {)" + with +
                     R"(}
    on: {END: WORKING, BAD: BAD, error: BAD}
  WORKING:
    run: {argv: [work, "{{inputs.task}}"]}
    on: {ok: END, failed: BAD, error: BAD}
  END: {final: true}
  BAD: {final: true, status: failed}
)");
  };
  EXPECT_EQ(
      splitting("inputs.depth > 0", "depth: inputs.depth, task: inputs.task"),
      R"text(/team/flow.yaml:11:14: warning: 'flow' comes here again with the same inputs, and so on for ever [W606/endless-recursion]
    machine: flow.yaml
             ^~~~~~~~~
  help: change what its guards read, as in depth: inputs.depth - 1
)text");
  EXPECT_EQ(splitting("inputs.depth > 0", "depth: inputs.depth - 1, task: inputs.task"), "");
  EXPECT_EQ(splitting("inputs.depth > 0", "task: inputs.task"), "") << "the default decides";
  EXPECT_EQ(splitting("inputs.depth > 0 and #inputs.task > 80",
                      "depth: inputs.depth, task: inputs.task .. inputs.task"),
            "");
  EXPECT_EQ(
      splitting("run.interactive and inputs.depth > 0", "depth: inputs.depth, task: inputs.task"),
      "");
}

TEST(EndlessRecursion, IsWhereEachWayToACompleteEndLeadsThroughItself) {
  const auto walking = [](const std::string& listed, const std::string& walked) {
    return lint_text(R"(agneto: 1
name: flow
inputs: {depth: {type: integer, default: 0}}
initial: LISTING
states:
  LISTING:
    run: {argv: [list, "{{inputs.depth}}"]}
    on: {ok: )" + listed +
                     R"(, failed: BAD, error: BAD}
  DEEPER:
    machine: flow.yaml
    with: {depth: inputs.depth + 1}
    on: {)" + walked +
                     R"(}
  END: {final: true}
  BAD: {final: true, status: failed}
)");
  };
  EXPECT_EQ(
      walking("DEEPER", "END: END, BAD: BAD, error: BAD"),
      R"text(/team/flow.yaml:10:14: warning: 'flow' completes only where another 'flow' has, so that none ever does [W606/endless-recursion]
    machine: flow.yaml
             ^~~~~~~~~
  help: give it a way to an end without this, as one for inputs.depth == 0
)text");
  EXPECT_EQ(
      walking("[{guard: inputs.depth < 3, target: DEEPER}, END]", "END: END, BAD: BAD, error: BAD"),
      "");
  EXPECT_EQ(walking("DEEPER", "END: END, BAD: END, error: BAD"), "") << "the innermost fails";
  EXPECT_EQ(walking("DEEPER", "END: END, BAD: BAD, error: END"), "");
}

// What the items of three mirrors come to, and what is made of it.
std::string lint_mirrors(const std::string& join, const std::string& action,
                         const std::string& items = "inputs.mirrors") {
  return lint_files({{"flow.yaml", R"(agneto: 1
name: flow
inputs: {mirrors: {type: "[string]", default: [a, b]}}
context: {report: ""}
initial: ASKING
states:
  ASKING:
    for_each: {items: ')" + items + R"(', machine: mirror.yaml, with: {address: item}, join: )" +
                                       join + R"(}
    on:
      done:
        target: END
        do: |
          )" + action + R"(
      failed: BAD
      error: BAD
  END: {final: true}
  BAD: {final: true, status: failed}
outputs: {report: ctx.report, mirrors: inputs.mirrors}
)"},
                     {"mirror.yaml", R"(agneto: 1
name: mirror
inputs: {address: string}
context: {report: ""}
initial: ASKING
states:
  ASKING:
    run: {argv: [curl, "{{inputs.address}}"], access: read-only}
    on: {ok: {target: END, do: ctx.report = event.output}, failed: BAD, error: BAD}
  END: {final: true}
  BAD: {final: true, status: failed}
outputs: {report: ctx.report}
)"}});
}

TEST(FirstOfAny, IsAResultThatMayHaveFailed) {
  const std::string first = "ctx.report = event.results[1].data.report";
  EXPECT_EQ(
      lint_mirrors("any", first),
      R"text(/team/flow.yaml:13:24: warning: item 1 may be one that was cancelled or failed [W613/first-of-any]
          ctx.report = event.results[1].data.report
                       ^~~~~~~~~~~~~~~~
  help: look for one that has completed: for _, one in ipairs(event.results) do if one.status == "complete" then … end end
)text");
  EXPECT_THAT(lint_mirrors("{quorum: 2}", first, "{\"a\", \"b\", \"c\"}"), HasSubstr("W613"));
  EXPECT_EQ(lint_mirrors("all", first), "");
  EXPECT_EQ(lint_mirrors("{quorum: 2}", first, "{\"a\", \"b\"}"), "");
  EXPECT_EQ(lint_mirrors("any", "if event.results[1].status == \"complete\" then " + first +
                                    " else ctx.report = event.results[2].data.report end"),
            "");
}

std::string lint_votes(const std::string& done, const std::string& judge,
                       const std::string& against) {
  return lint_files({{"flow.yaml", R"(agneto: 1
name: flow
context: {results: []}
initial: VOTING
states:
  VOTING:
    for_each: {items: '{"a", "b", "c"}', machine: vote.yaml, with: {side: item}, join: {quorum: 2}}
    on: {done: )" + done + R"(, failed: BAD, error: BAD}
  END: {final: true}
  BAD: {final: true, status: failed}
outputs: {results: ctx.results}
)"},
                     {"hooks.lua", good_hooks},
                     {"vote.yaml", R"(agneto: 1
name: vote
inputs: {side: string}
agents: {judge: {hooks: hooks.lua, access: edit}}
initial: JUDGING
states:
  JUDGING:
    agent: {name: judge, access: )" + judge +
                                       R"(, verdicts: {FOR: {}, AGAINST: {}}}
    on: {FOR: FOR, AGAINST: AGAINST, error: BROKEN}
  FOR: {final: true}
  AGAINST: {final: true, status: )" + against +
                                       R"(}
  BROKEN: {final: true, status: failed}
outputs: {side: inputs.side}
)"}});
}

TEST(WrongInput, IsANumberOutOfItsRange) {
  const auto give = [](const std::string& rounds) {
    return lint_files({{"flow.yaml", R"(agneto: 1
name: flow
initial: A
states:
  A:
    machine: part.yaml
    with: {rounds: )" + rounds + R"(}
    on: {END: END, BAD: BAD, error: BAD}
  END: {final: true}
  BAD: {final: true, status: failed}
)"},
                       {"part.yaml", R"(agneto: 1
name: part
inputs: {rounds: {type: integer, minimum: 1, maximum: 9}}
initial: A
states:
  A: {run: {argv: [make, "{{inputs.rounds}}"]}, on: {ok: END, failed: BAD, error: BAD}}
  END: {final: true}
  BAD: {final: true, status: failed}
)"}});
  };
  EXPECT_THAT(give("0"),
              HasSubstr("warning: the input 'rounds' must be at least 1 [W605/wrong-input]"));
  EXPECT_THAT(give("10"),
              HasSubstr("warning: the input 'rounds' must be at most 9 [W605/wrong-input]"));
  EXPECT_EQ(give("1"), "");
  EXPECT_EQ(give("9"), "");
}

TEST(VotesAlike, AreSuchAsNothingTellsApart) {
  EXPECT_THAT(lint_votes("END", "read-only", "complete"), HasSubstr("[W609/votes-alike]"));
  EXPECT_THAT(lint_votes("END", "read-only", "failed"), Not(HasSubstr("W609")));
  EXPECT_THAT(lint_votes("END", "edit", "complete"), Not(HasSubstr("W609")))
      << "what it has changed is there";
  EXPECT_THAT(lint_votes("{target: END, do: ctx.results = event.results}", "read-only", "complete"),
              Not(HasSubstr("W609")));
}

std::string lint_review(const std::string& on, const std::string& after = "MERGING") {
  return lint_files({{"flow.yaml", R"(agneto: 1
name: flow
context: {note: ""}
initial: REVIEW
on: {error: BAD}
states:
  REVIEW:
    machine: review.yaml
    on: )" + on + R"(
  COMMITTING:
    workspace: {commit: {message: "work {{ctx.note}}"}}
    on: {ok: )" + after + R"(, failed: BAD}
  ASKING:
    ask: {question: Merge it, options: {GO: Go, HALT: Stop}}
    on: {GO: MERGING, HALT: BAD}
  MERGING:
    workspace: {merge: {}}
    on: {ok: END, conflict: BAD, failed: BAD}
  END: {final: true}
  BAD: {final: true, status: failed}
outputs: {note: ctx.note}
)"},
                     {"hooks.lua", good_hooks},
                     {"review.yaml", R"(agneto: 1
name: review
agents: {coder: {hooks: hooks.lua, access: edit}, reviewer: {hooks: hooks.lua}}
initial: CODING
states:
  CODING:
    agent: coder
    on: {done: JUDGING, error: REFUSED}
  JUDGING:
    agent: {name: reviewer, verdicts: {GOOD: {}, BAD: {}}}
    on: {GOOD: APPROVED, BAD: REFUSED, error: REFUSED}
  APPROVED: {final: true}
  REFUSED: {final: true, status: failed}
)"}});
}

TEST(MergedFailure, IsOneInTheSameWords) {
  const auto is_found = [](const std::string& on, const std::string& after = "MERGING") {
    return lint_review(on, after).find("[W610/merged-failure]") != std::string::npos;
  };
  EXPECT_TRUE(is_found("{APPROVED: COMMITTING, REFUSED: COMMITTING}"));
  EXPECT_FALSE(is_found("{APPROVED: COMMITTING, REFUSED: BAD}"));
  EXPECT_FALSE(
      is_found("{APPROVED: COMMITTING, REFUSED: {target: COMMITTING, do: ctx.note = 'wip'}}"));
  EXPECT_FALSE(is_found("[{event: [APPROVED, REFUSED], target: COMMITTING}]"))
      << "which is said on purpose";
  EXPECT_FALSE(is_found("{APPROVED: COMMITTING, REFUSED: COMMITTING}", "ASKING"));
}

// What the main machine and the one inside it do on events of each other.
std::string lint_answers(const std::string& on_pong, const std::string& on_ping,
                         const std::string& more = "") {
  return lint_files({{"flow.yaml",
                      "agneto: 1\nname: flow\ncontext: {n: 0}\ninitial: A\nstates:\n  A:\n"
                      "    machine: inner.yaml\n    on:\n      END: END\n      error: END\n"
                      "      pong: " +
                          on_pong + "\n  END: {final: true}\noutputs: {n: ctx.n}\n"},
                     {"inner.yaml",
                      "agneto: 1\nname: inner\ninitial: B\nstates:\n  B:\n"
                      "    entry: send(\"pong\", {}, {to = \"parent\"})\n"
                      "    run: {argv: [make]}\n    on:\n      ok: END\n      failed: END\n"
                      "      error: END\n      ping: " +
                          on_ping + "\n" + more + "  END: {final: true}\n"}});
}

TEST(Livelock, IsOfTwoMachinesThatAnswerEachOther) {
  const std::string ping = R"({do: 'ctx.n = ctx.n + 1; send("ping", {}, {to = "A"})'})";
  const std::string pong = R"({do: 'send("pong", {}, {to = event.origin, item = event.item})'})";
  EXPECT_EQ(
      lint_answers(ping, pong),
      R"text(/team/flow.yaml:11:38: warning: this is answered at once, and so is the answer, for ever: ping -> pong -> ping [W229/livelock]
      pong: {do: 'ctx.n = ctx.n + 1; send("ping", {}, {to = "A"})'}
                                     ^~~~~~~~~~~~~~~~~~~~~~~~~~~~
  help: let one of the two have the last word: by a guard, or by leaving the state
/team/inner.yaml:12:19: note: the answer of 'inner'
      ping: {do: 'send("pong", {}, {to = event.origin, item = event.item})'}
                  ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
)text");
  const auto none = [&](const std::string& on_pong, const std::string& on_ping) {
    EXPECT_THAT(lint_answers(on_pong, on_ping), Not(HasSubstr("W229"))) << on_pong << on_ping;
  };
  none(R"({guard: ctx.n < 3, do: 'ctx.n = ctx.n + 1; send("ping", {}, {to = "A"})'})", pong);
  none(R"({target: END, do: 'send("ping", {}, {to = "A"})'})", pong);
  none(R"({do: 'ctx.n = ctx.n + 1; if ctx.n < 3 then send("ping", {}, {to = "A"}) end'})", pong);
  none(R"({do: 'send("ping", {}, {to = "A", after = "1m"})'})", pong);
  none(ping, R"({do: 'send("done", {}, {to = "parent"})'})");
}

}  // namespace
}  // namespace agneto::lint
