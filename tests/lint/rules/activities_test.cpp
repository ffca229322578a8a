// What rules about activities find and leave alone, beside their examples.
#include <gmock/gmock.h>

#include "lint/linting.h"

namespace agneto::lint {
namespace {

using testing::HasSubstr;

// A program, what it leads to and what it may lead to besides.
std::string lint_program(const std::string& program, const std::string& more = "") {
  return lint_text(
      "agneto: 1\nname: flow\ninputs: {task: {type: string, main: true}}\ninitial: A\nstates:\n"
      "  A:\n    run: " +
      program + "\n    on: {ok: END, failed: BAD, error: BAD" + more +
      "}\n  END: {final: true}\n  BAD: {final: true, status: failed}\noutputs: {task: "
      "inputs.task}\n");
}

TEST(ShellArgument, IsAVariableThatIsReadAsAProgramOnceMore) {
  EXPECT_THAT(lint_program("{shell: 'eval \"$STEPS\"', env: {STEPS: inputs.task}}"),
              HasSubstr("warning: what is in STEPS is read as a program once more, whatever it is "
                        "[W421/shell-argument]"));
  EXPECT_THAT(lint_program("{shell: 'bash -ec \"deploy $B\"', env: {B: inputs.task}}"),
              HasSubstr("[W421/"));
  for (const char* right :
       {"{shell: 'deploy \"$B\"', env: {B: inputs.task}}", "{shell: 'eval \"$HOME\"'}",
        "{shell: 'python3 eval.py \"$B\"', env: {B: inputs.task}}",
        "{shell: 'npm run eval -- \"$B\"', env: {B: inputs.task}}",
        "{shell: 'bash -e check.sh \"$B\"', env: {B: inputs.task}}",
        "{shell: 'python3 -c \"print(1)\" \"$B\"', env: {B: inputs.task}}",
        "{shell: \"sh -c 'deploy \\\"$1\\\"' _ \\\"$B\\\"\", env: {B: inputs.task}}"}) {
    EXPECT_EQ(lint_program(right), "") << right;
  }
}

TEST(ShellArgument, IsACommandLineOfAnAgent) {
  const auto run = [](const std::string& command, const std::string& value) {
    return lint_text(R"(agneto: 1
name: flow
inputs: {verify: {type: string, default: make}}
context: {line: ""}
agents: {reader: {hooks: hooks.lua}}
initial: READING
states:
  READING:
    agent: {name: reader, verdicts: {FOUND: {line: string}}}
    on: {FOUND: {target: TRYING, do: ctx.line = )" +
                     value + R"(}, error: BAD}
  TRYING:
    run: {command: )" +
                     command +
                     R"(}
    on: {ok: END, failed: BAD, error: BAD}
  END: {final: true}
  BAD: {final: true, status: failed}
outputs: {line: ctx.line}
)");
  };
  EXPECT_THAT(run("ctx.line", "event.line"),
              HasSubstr("warning: what an agent wrote is run as a command line, whatever is in it "
                        "[W421/shell-argument]"));
  EXPECT_EQ(run("ctx.line", "inputs.verify"), "");
  EXPECT_EQ(lint_text(R"(agneto: 1
name: flow
context: {line: ""}
agents: {reader: {hooks: hooks.lua}}
initial: READING
states:
  READING:
    agent: {name: reader, verdicts: {FOUND: {line: string}}}
    on: {FOUND: {target: ASKING, do: ctx.line = event.line}, error: BAD}
  ASKING:
    ask: {question: Run it, show: ctx.line, options: {GO: Run it, HALT: Leave it}}
    on: {GO: TRYING, HALT: BAD}
  TRYING:
    run: {command: ctx.line}
    on: {ok: END, failed: BAD, error: BAD}
  END: {final: true}
  BAD: {final: true, status: failed}
)"),
            "");
  EXPECT_EQ(run("inputs.verify", "event.line"), "");
}

TEST(IgnoredStatus, IsThatOfACommandBeforeTheLast) {
  const auto shell = [](const std::string& script) {
    return lint_text(
        "agneto: 1\nname: flow\ninitial: A\nstates:\n  A:\n    run:\n      shell: |\n        " +
        script +
        "\n    on: {ok: END, failed: BAD, error: BAD}\n  END: {final: true}\n"
        "  BAD: {final: true, status: failed}\n");
  };
  EXPECT_EQ(shell("sed -e 's/a/b/;s/c/d/' file"), "");
  EXPECT_THAT(shell("make; make install"),
              HasSubstr("warning: the program of 'A' goes on behind a command that failed "
                        "[W430/ignored-status]"));
  EXPECT_THAT(shell("make; echo done"), HasSubstr("[W430/"));
  for (const char* right :
       {"make && make install", "set -e; make; make install", "echo begun; make", "X=1; make",
        "make || exit 1; make install", "if make; then make install; fi",
        "set -ue; make; make install", "make &&\n        make install"}) {
    EXPECT_EQ(shell(right), "") << right;
  }
}

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

TEST(UncommittedMerge, IsNotOfItemsThatOnlyLook) {
  const auto merging = [](const std::string& access) {
    return lint_files({{"flow.yaml", R"(agneto: 1
name: flow
inputs: {files: {type: [string], default: []}}
initial: MAKING
states:
  MAKING:
    run: {argv: [make]}
    on: {ok: COMMITTING, failed: BAD, error: BAD}
  COMMITTING:
    workspace: {commit: {message: Made}}
    on: {ok: CHECKS, failed: BAD}
  CHECKS:
    for_each: {items: inputs.files, machine: item.yaml, with: {file: item}, workspace: own}
    on: {done: MERGING, failed: BAD, error: BAD}
  MERGING:
    workspace: {merge: {}}
    on: {ok: END, failed: BAD, conflict: BAD}
  END: {final: true}
  BAD: {final: true, status: failed}
)"},
                       {"item.yaml", R"(agneto: 1
name: item
inputs: {file: string}
initial: A
states:
  A:
    run: {argv: [make, "{{inputs.file}}"], access: )" +
                                         access + R"(}
    on: {ok: END, failed: BAD, error: BAD}
  END: {final: true}
  BAD: {final: true, status: failed}
)"}});
  };
  EXPECT_EQ(merging("read-only"), "");
  EXPECT_THAT(merging("edit"), HasSubstr("warning: 'MERGING' does not merge what the items of "
                                         "'CHECKS' did: nothing commits it [W428/"));
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

TEST(UnusedEdit, MayBeTakenOverWhereTheMachineGoes) {
  const auto asking = [](const std::string& entry) {
    return lint_text(R"(agneto: 1
name: flow
context: {notes: ""}
initial: WRITING
states:
  WRITING:
    run: {argv: [make, notes]}
    on: {ok: {target: ASKING, do: ctx.notes = event.output}, failed: BAD, error: BAD}
  ASKING:
    ask:
      question: Publish them?
      show: ctx.notes
      options: {GO: Publish them, EDITED: {label: As I edit them, edit: ctx.notes}}
    on: {GO: SENDING, EDITED: SENDING}
  SENDING:
    entry: )" + entry +
                     R"(
    run: {argv: [send, "{{ctx.notes}}"]}
    on: {ok: END, failed: BAD, error: BAD}
  END: {final: true}
  BAD: {final: true, status: failed}
)");
  };
  EXPECT_THAT(asking("ctx.notes = event.name"), HasSubstr("[W434/unused-edit]"));
  EXPECT_EQ(asking("ctx.notes = event.edited or ctx.notes"), "");
  EXPECT_EQ(asking("local e = event; ctx.notes = e.edited or ctx.notes"), "");
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

TEST(ParallelWriters, AreItemsThatCommitInOneWorktree) {
  const auto items = [](const std::string& more) {
    return lint_files({{"flow.yaml", R"(agneto: 1
name: flow
inputs: {files: {type: [string], default: []}}
initial: A
states:
  A:
    for_each: {items: inputs.files, machine: item.yaml, with: {file: item})" +
                                         more + R"(}
    on: {done: END, failed: BAD, error: BAD}
  END: {final: true}
  BAD: {final: true, status: failed}
)"},
                       {"item.yaml", R"(agneto: 1
name: item
inputs: {file: string}
initial: A
states:
  A:
    run: {argv: [make, "{{inputs.file}}"]}
    on: {ok: B, failed: BAD, error: BAD}
  B:
    workspace: {commit: {message: "{{inputs.file}}"}}
    on: {ok: END, failed: BAD}
  END: {final: true}
  BAD: {final: true, status: failed}
)"}});
  };
  EXPECT_THAT(items(""), HasSubstr("warning: the items of 'A' commit in one worktree: a commit has "
                                   "what others half did [W419/parallel-writers]"));
  EXPECT_EQ(items(", workspace: own"), "");
  EXPECT_EQ(items(", max_parallel: 1"), "");
}

}  // namespace
}  // namespace agneto::lint
