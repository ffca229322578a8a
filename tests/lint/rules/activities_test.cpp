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
    run: {command: )" + command +
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
  EXPECT_EQ(run("inputs.verify", "event.line"), "");
}

TEST(IgnoredStatus, IsThatOfACommandBeforeTheLast) {
  const auto shell = [](const std::string& script) { return lint_program("{shell: '" + script + "'}"); };
  EXPECT_THAT(shell("make; make install"),
              HasSubstr("warning: the program of 'A' goes on behind a command that failed "
                        "[W430/ignored-status]"));
  EXPECT_THAT(shell("make; echo done"), HasSubstr("[W430/"));
  for (const char* right :
       {"make && make install", "set -e; make; make install", "echo begun; make", "X=1; make",
        "make || exit 1; make install", "if make; then make install; fi"}) {
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
