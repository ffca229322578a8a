// What rules about what activities end in find and leave alone, beside their examples.
#include <gmock/gmock.h>

#include "lint/linting.h"

namespace agneto::lint {
namespace {

using testing::HasSubstr;

TEST(ImpossibleOutcome, IsTheNameOfAnErrorWithoutTheWordBeforeIt) {
  EXPECT_THAT(lint_text(R"(agneto: 1
name: flow
agents: {coder: {hooks: hooks.lua}}
initial: A
states:
  A:
    agent: {name: coder, verdicts: {OK: {}}}
    on: {OK: END, timeout: BAD}
  END: {final: true}
  BAD: {final: true, status: failed}
)"),
              HasSubstr("warning: 'A' does not end in 'timeout' [W416/impossible-outcome]"));
}

TEST(UnboundedRetry, IsAMergeThatConflictsAndIsMadeAgain) {
  const auto merging = [](const std::string& conflict) {
    return lint_text(R"(agneto: 1
name: flow
initial: MAKING
states:
  MAKING:
    run: {argv: [make]}
    on: {ok: COMMITTING, failed: BAD, error: BAD}
  COMMITTING:
    workspace: {commit: {message: Made}}
    on: {ok: MERGING, failed: BAD}
  MERGING:
    workspace: {merge: {}}
    on: {ok: END, failed: BAD, conflict: )" +
                     conflict + R"(}
  END: {final: true}
  BAD: {final: true, status: failed}
)");
  };
  EXPECT_THAT(merging("MERGING"),
              HasSubstr("warning: 'MERGING' is tried again with nothing changed, and conflicts "
                        "again [W418/unbounded-retry]"));
  EXPECT_EQ(merging("BAD"), "");
  EXPECT_EQ(merging("MAKING"), "");
}

TEST(LimitGoesOn, IsNoLoopThatAPersonOrAGuardEnds) {
  const auto wrapping = [](const std::string& more) {
    return lint_text(R"(agneto: 1
name: flow
limits: {calls: 9}
context: {n: 0}
agents: {coder: {hooks: hooks.lua}}
initial: A
on: {limit: WRAPPING, error: END}
states:
  A:
    agent: coder
    on: {done: END}
  WRAPPING:
    entry: ctx.n = ctx.n + 1
    agent: coder
    on: {done: )" + more +
                     R"(}
  ASKING:
    ask: {question: More, options: {MORE: More, HALT: Stop}}
    on: {MORE: WRAPPING, HALT: {target: END, guard: ctx.n > 0}}
  END: {final: true}
)")
        .find("W436");
  };
  EXPECT_EQ(wrapping("ASKING"), std::string::npos);
  EXPECT_EQ(wrapping("[{guard: ctx.n < 2, target: WRAPPING}, ASKING]"), std::string::npos);
  EXPECT_NE(wrapping("WRAPPING"), std::string::npos);
}

TEST(WrongItems, MayGiveNilWhereTheInputTakesIt) {
  const auto items =
      [](const std::string& type) {
        return lint_files({{"flow.yaml", R"(agneto: 1
name: flow
inputs: {files: {type: [string], default: []}}
initial: A
states:
  A:
    for_each: {items: inputs.files, machine: item.yaml, with: {file: item, before: "inputs.files[index - 1]"}}
    on: {done: END, failed: BAD, error: BAD}
  END: {final: true}
  BAD: {final: true, status: failed}
)"},
                           {"item.yaml", R"(agneto: 1
name: item
inputs: {file: string, before: )" + type + R"(}
initial: A
states:
  A:
    run: {argv: [make, "{{inputs.file}}"], env: {BEFORE: inputs.before or ""}, access: read-only}
    on: {ok: END, failed: BAD, error: BAD}
  END: {final: true}
  BAD: {final: true, status: failed}
)"}}).find("W431");
      };
  EXPECT_EQ(items("'string?'"), std::string::npos);
  EXPECT_NE(items("string"), std::string::npos);
}

// The program of A fails over to the pause.
std::string lint_pause(const std::string& pause, const std::string& around = "") {
  return lint_text(
      "agneto: 1\nname: flow\ncontext: {n: 0}\ninitial: ALL\nstates:\n  ALL:\n    initial: A\n" +
      around +
      "    states:\n      A:\n        run: {argv: [probe]}\n"
      "        on: {ok: END, failed: {target: PAUSE, do: ctx.n = ctx.n + 1}, error: BAD}\n"
      "      PAUSE: " +
      pause + "\n  END: {final: true}\n  BAD: {final: true, status: failed}\n" +
      "outputs: {n: ctx.n}\n");
}

TEST(UnboundedRetry, IsOneWithAPause) {
  const auto found = HasSubstr(
      "warning: 'A' is tried again for ever where it goes on to fail [W418/unbounded-retry]");
  EXPECT_THAT(lint_pause("{after: {1m: A}}"), found);
  for (const char* pause :
       {"{after: [{delay: 1m, guard: ctx.n < 5, target: A}, {delay: 1m, target: BAD}]}",
        "{after: {1m: A}, on: {stop: BAD}}",
        "{always: {guard: ctx.n > 5, target: BAD}, after: {1m: A}}",
        "{run: {argv: [log]}, on: {ok: A, failed: A, error: BAD}}",
        "{ask: {question: Again, options: {MORE: Again, STOP: Enough}}, on: {MORE: A, STOP: "
        "BAD}}"}) {
    EXPECT_THAT(lint_pause(pause), testing::Not(HasSubstr("W418"))) << pause;
  }
  EXPECT_THAT(lint_pause("{after: {1m: A}}", "    after: {1h: BAD}\n"),
              testing::Not(HasSubstr("W418")));
  EXPECT_THAT(lint_pause("{after: {1m: A}}", "    on: {stop: BAD}\n"),
              testing::Not(HasSubstr("W418")));
}

TEST(ImpossibleOutcome, IsAnErrorOfAnotherKindOfActivity) {
  const auto ending = [](const std::string& activity, const std::string& event) {
    return lint_files(
        {{"flow.yaml",
          "agneto: 1\nname: flow\ninitial: A\nstates:\n  A:\n    " + activity +
              "\n    on: {END: END, ok: END, failed: BAD, " + event +
              ": BAD, error: BAD}\n  END: {final: true}\n  BAD: {final: true, status: failed}\n"},
         {"inner.yaml",
          "agneto: 1\nname: inner\nlimits: {time: 1h}\ninitial: END\nstates:\n"
          "  END: {final: true}\n"}});
  };
  EXPECT_THAT(ending("machine: inner.yaml", "error.timeout"),
              HasSubstr("warning: 'A' does not end in 'error.timeout' [W416/impossible-outcome]"));
  EXPECT_THAT(
      ending("machine: inner.yaml", "limit"),
      HasSubstr("warning: a limit of 'inner' is offered to that machine alone, and this one "
                "has none [W416/impossible-outcome]"));
  EXPECT_THAT(ending("run: {argv: [make]}", "error.unparsed"), HasSubstr("W416"));
  EXPECT_THAT(ending("run: {argv: [make]}", "error.timeout"),
              testing::Not(HasSubstr("error.timeout")));
  EXPECT_THAT(ending("machine: inner.yaml", "error.unhandled"),
              testing::Not(HasSubstr("unhandled'")));
}

TEST(NoOption, IsNotSaidOfWhatIsNotKnown) {
  const auto asking = [](const std::string& when, const std::string& more) {
    return lint_text(
        "agneto: 1\nname: flow\ncontext: {n: 0, words: \"\"}\ninitial: A\nstates:\n  A:\n"
        "    ask: {question: Well" +
        more + ", options: {YES: {label: It is, when: '" + when +
        "'}, NO: {label: It is not, feedback: optional, when: ctx.n < 9}}}\n"
        "    on: {YES: END, NO: {target: A, do: \"ctx.n = ctx.n + 1; ctx.words = "
        "event.feedback or ''\"}}\n  END: {final: true}\noutputs: {words: ctx.words}\n");
  };
  EXPECT_THAT(asking("ctx.n < 2", ""),
              HasSubstr("warning: 'A' can be asked where none of its options is "
                        "offered [W440/no-option]"));
  EXPECT_THAT(asking("#ctx.words < 2", ""), testing::Not(HasSubstr("W440")));
  EXPECT_THAT(asking("ctx.n >= 0", ""), testing::Not(HasSubstr("W440")));
}

TEST(NoOption, IsNotSaidOfADefaultThatOnlyPeopleMiss) {
  const auto asking = [](const std::string& when) {
    return lint_text(
        "agneto: 1\nname: flow\ninitial: A\nstates:\n  A:\n"
        "    ask: {question: Well, default: YES, options: {YES: {label: It is, when: " +
        when +
        "}, NO: It is not}}\n    on: {YES: END, NO: BAD}\n"
        "  END: {final: true}\n  BAD: {final: true, status: failed}\n");
  };
  EXPECT_THAT(asking("run.interactive"),
              HasSubstr("warning: 'A' can be asked where its default 'YES' is not offered "
                        "[W440/no-option]"));
  EXPECT_EQ(asking("not run.interactive"), "");
}

TEST(AbsentPerson, MayHaveADefaultThatSaysWhatWasDecided) {
  const auto asking = [](const std::string& usual) {
    return lint_text(
        "agneto: 1\nname: flow\ninitial: A\nstates:\n  A:\n"
        "    always: {guard: run.interactive, target: END}\n    ask: {question: Well" +
        usual +
        ", options: {YES: It is, NO: It is not}}\n    on: {YES: END, NO: BAD}\n"
        "  END: {final: true}\n  BAD: {final: true, status: failed}\n");
  };
  EXPECT_THAT(asking(""), HasSubstr("[W441/absent-person]"));
  EXPECT_EQ(asking(", default: YES"), "");
}

TEST(GuardedOutcome, IsNotTakenByAGuardThatAsksForIt) {
  const auto judging = [](const std::string& guard) {
    return lint_text(R"(agneto: 1
name: flow
agents: {judge: {hooks: hooks.lua}}
initial: A
states:
  A:
    agent: {name: judge, verdicts: {GOOD: {}, POOR: {}}}
    on:
      - {event: [GOOD, POOR], guard: )" +
                     guard + R"(, target: END}
      - {event: [POOR, error], target: BAD}
  END: {final: true}
  BAD: {final: true, status: failed}
)");
  };
  EXPECT_EQ(judging("event.name == \"GOOD\""), "");
  EXPECT_THAT(judging("event.name == \"POOR\""), HasSubstr("[W417/guarded-outcome]"));
}

}  // namespace
}  // namespace agneto::lint
