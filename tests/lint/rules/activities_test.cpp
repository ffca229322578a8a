// What rules about activities find and leave alone, beside their examples.
#include <gmock/gmock.h>

#include "lint/linting.h"

namespace agneto::lint {
namespace {

using testing::HasSubstr;
using testing::Not;

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

TEST(ShellArgument, IsAPartOfAnyInterpretersProgram) {
  for (const char* argv : {"env, A=1, bash, -eu, -o, pipefail, -c, 'echo {{inputs.task}}'",
                           "sudo, sh, -c, 'echo {{inputs.task}}'",
                           "docker, exec, db, sh, -c, 'echo {{inputs.task}}'"}) {
    EXPECT_THAT(
        lint_program("{argv: [" + std::string(argv) + "]}"),
        HasSubstr("warning: this value becomes a part of the shell's program, whatever is in "
                  "it [W421/shell-argument]"))
        << argv;
  }
  EXPECT_THAT(
      lint_program("{argv: [python3, -W, error, -c, 'print(\"{{inputs.task}}\")']}"),
      HasSubstr("warning: this value becomes a part of python3's program, whatever is in it "
                "[W421/shell-argument]"));
  for (const char* argv :
       {"node, --eval, 'say(\"{{inputs.task}}\")'", "perl, -ne, 'print q({{inputs.task}})'",
        "awk, -F, ',', '/{{inputs.task}}/'", "ssh, -p, '22', host, 'echo {{inputs.task}}'",
        "ssh, host, echo, '{{inputs.task}}'"}) {
    EXPECT_THAT(lint_program("{argv: [" + std::string(argv) + "]}"), HasSubstr("[W421/")) << argv;
  }
  for (const char* right :
       {"python3, tell.py, -c, '{{inputs.task}}'", "python3, -c, 'import tell', '{{inputs.task}}'",
        "bash, -o, pipefail, check.sh, -c, '{{inputs.task}}'",
        "perl, -e, 'print shift', '{{inputs.task}}'", "python3, -m, tell, -c, '{{inputs.task}}'",
        "awk, -v, 'x={{inputs.task}}', '{print x}'", "awk, '-vx={{inputs.task}}', '{print x}'",
        "awk, -f, tell.awk, '{{inputs.task}}'", "ssh, -l, '{{inputs.task}}', host, uptime",
        "git, commit, -m, '{{inputs.task}}'", "node, tell.js, -e, '{{inputs.task}}'"}) {
    EXPECT_EQ(lint_program("{argv: [" + std::string(right) + "]}"), "") << right;
  }
}

TEST(ShellArgument, IsWhatGitGivesToAShell) {
  EXPECT_THAT(
      lint_program("{argv: [git, -c, 'alias.tell=!echo {{inputs.task}}', tell]}"),
      HasSubstr("warning: this value becomes a part of a command that git gives to a shell, "
                "whatever is in it [W421/shell-argument]"));
  for (const char* argv : {"git, -C, part, -c, 'core.pager=less {{inputs.task}}', log",
                           "git, rebase, -x, 'make {{inputs.task}}', main"}) {
    EXPECT_THAT(lint_program("{argv: [" + std::string(argv) + "]}"), HasSubstr("[W421/")) << argv;
  }
  for (const char* right : {"git, -c, 'user.name={{inputs.task}}', commit",
                            "git, -c, 'alias.tell=log {{inputs.task}}', tell",
                            "git, rebase, '{{inputs.task}}', -x, make",
                            "git, log, --, -c, 'core.pager={{inputs.task}}'"}) {
    EXPECT_EQ(lint_program("{argv: [" + std::string(right) + "]}"), "") << right;
  }
}

// What is said where the agent gives the name of a branch.
std::string lint_git(const std::string& argv, const std::string& guard = "event.branch ~= \"\"",
                     const char* hooks = good_hooks) {
  return lint_files({{"flow.yaml", R"(agneto: 1
name: flow
context: {branch: ""}
agents:
  namer: {hooks: hooks.lua}
initial: A
states:
  A:
    agent: {name: namer, verdicts: {NAMED: {branch: string}}}
    on:
      NAMED: [{guard: ')" + guard + R"(', target: B, do: ctx.branch = event.branch}, BAD]
      error: BAD
  B:
    run: {argv: [)" + argv + R"(]}
    on: {ok: END, failed: BAD, error: BAD}
  END: {final: true}
  BAD: {final: true, status: failed}
)"},
                     {"hooks.lua", hooks}});
}

TEST(ShellArgument, IsAnOptionOfGitThatAnAgentWrote) {
  EXPECT_EQ(
      lint_git("git, checkout, '{{ctx.branch}}'"),
      R"(/team/flow.yaml:14:34: warning: what an agent wrote is an option of git where it begins with '-' [W421/shell-argument]
    run: {argv: [git, checkout, '{{ctx.branch}}']}
                                 ^~~~~~~~~~~~~~
  help: write --end-of-options before it, or `--` before a file
)");
  EXPECT_THAT(lint_git("git, push, origin, '{{ctx.branch}}:{{ctx.branch}}'"), HasSubstr("[W421/"));
  for (const char* right :
       {"git, commit, -m, '{{ctx.branch}}'", "git, add, --, '{{ctx.branch}}'",
        "git, checkout, -b, '{{ctx.branch}}'", "git, checkout, 'agent/{{ctx.branch}}'",
        "git, rev-parse, --end-of-options, '{{ctx.branch}}'", "say, '{{ctx.branch}}'"}) {
    EXPECT_EQ(lint_git(right), "") << right;
  }
  const std::string checkout = "git, checkout, '{{ctx.branch}}'";
  EXPECT_EQ(lint_git(checkout, "event.branch:match(\"^%w+$\")"), "") << "a guard looks at it";
  EXPECT_EQ(
      lint_git(checkout, "event.branch ~= \"\"",
               "return {prompt = function(m) return 'Do it' end, parse = function(reply) return "
               "'NAMED', {branch = (reply:gsub('%W', ''))} end}"),
      "")
      << "a hook does";
}

TEST(ShellSyntax, IsAVariableBeforeTheProgram) {
  EXPECT_EQ(
      lint_program("{argv: [CI=1, make, '{{inputs.task}}']}"),
      R"(/team/flow.yaml:7:18: warning: no shell reads 'CI=', which begins the name of a program here [W426/shell-syntax]
    run: {argv: [CI=1, make, '{{inputs.task}}']}
                 ^~~~
  help: give it as env: {CI: …}, in Lua, and begin `argv` with the program
)");
  EXPECT_THAT(lint_program("{argv: ['TASK={{inputs.task}}', make]}"), HasSubstr("[W426/"));
  for (const char* right : {"env, CI=1, make", "make, CI=1", "./a=b", "'{{inputs.task}}=1'"}) {
    EXPECT_EQ(lint_program("{argv: [" + std::string(right) + "]}"), "") << right;
  }
}

TEST(MergingItem, ThrowsAwayWhatOthersHaveDone) {
  const auto lint_items = [](const std::string& how, const std::string& change = "edit") {
    return lint_files({{"flow.yaml", R"(agneto: 1
name: flow
inputs: {files: "[string]"}
initial: A
states:
  A:
    for_each: {items: inputs.files, machine: item.yaml, with: {file: item})" +
                                         how + R"(}
    on: {done: END, failed: BAD, error: BAD}
  END: {final: true}
  BAD: {final: true, status: failed}
)"},
                       {"item.yaml", R"(agneto: 1
name: item
inputs: {file: string}
agents: {coder: {hooks: hooks.lua, access: )" +
                                         change + R"(}}
initial: WRITING
states:
  WRITING: {agent: coder, on: {done: TESTING, error: BAD}}
  TESTING: {run: {argv: [make, "{{inputs.file}}"]}, on: {ok: COMMITTING, failed: CLEARING, error: BAD}}
  COMMITTING: {workspace: {commit: {message: "{{inputs.file}}"}}, on: {ok: END, failed: BAD}}
  CLEARING: {workspace: {discard: {to: last_commit}}, on: {ok: BAD, failed: BAD}}
  END: {final: true}
  BAD: {final: true, status: failed}
)"},
                       {"hooks.lua", good_hooks}});
  };
  EXPECT_THAT(
      lint_items(""),
      HasSubstr(
          "/team/item.yaml:10:3: warning: 'CLEARING' throws away what other items of 'A' have done "
          "meanwhile, too [W432/merging-item]\n"));
  EXPECT_THAT(lint_items(", workspace: own"), Not(HasSubstr("[W432/")));
  EXPECT_THAT(lint_items(", max_parallel: 1"), Not(HasSubstr("[W432/")));
}

TEST(UndefinedVariable, IsCalledAsAnEntryOrAsAVariableOfAnotherProgram) {
  EXPECT_THAT(lint_program("{shell: 'say \"$TASK\"'}"),
              HasSubstr("warning: the program of 'A' reads $TASK, which its `env` does not define "
                        "[W427/undefined-variable]\n  A:\n  ^\n  help: did you mean env: {TASK: "
                        "inputs.task}?\n"));
  const auto second = [](const std::string& shell) {
    return lint_program("{shell: 'say \"$WHAT\"', env: {WHAT: inputs.task}}",
                        ", go: B}\n  B:\n    run: {shell: '" + shell +
                            "'}\n    on: {ok: END, failed: BAD, error: BAD");
  };
  EXPECT_THAT(second("say \"$WHAT\""),
              HasSubstr("warning: the program of 'B' reads $WHAT, which its `env` does not define "
                        "[W427/undefined-variable]\n  B:\n  ^\n  help: the `env` of 'A' defines it "
                        "for that program alone\n"));
  for (const char* right : {"say \"$OTHER\"", "say \"${WHAT:-it}\"", "WHAT=it; say \"$WHAT\"",
                            "read -r FIRST WHAT; say \"$WHAT\"", ". ./names; say \"$WHAT\"",
                            "say \"${WHAT:=it}\" \"$WHAT\""}) {
    EXPECT_EQ(second(right), "") << right;
  }
}

TEST(HomePath, IsOfOnePersonAndOfThisMachine) {
  EXPECT_EQ(
      lint_program("{shell: 'cp it.tar \"/Users/ada/my files/\"'}"),
      R"(/team/flow.yaml:6:3: warning: the program of 'A' looks for '/Users/ada/my', in the home of one person [W439/home-path]
  A:
  ^
  help: write a path in the checkout, "$HOME/..." in `shell`, or an input
)");
  for (const char* right :
       {"cp it.tar /home/", "cp it.tar \"/home/$USER/\"", "curl https://x.org/home/ada/it",
        "docker run -v .:/home/node/app image", "ls ./home/ada/it"}) {
    EXPECT_EQ(lint_program("{shell: '" + std::string(right) + "'}"), "") << right;
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

// An agent edits, perhaps it is committed, and a question leads to where it may be thrown away.
std::string lint_discard(const std::string& first, const std::string& question) {
  return lint_text(
      "agneto: 1\nname: flow\nagents: {coder: {hooks: hooks.lua, access: edit}}\n"
      "initial: A\non: {error: BAD}\nstates:\n  A:\n    agent: coder\n    on: {done: " +
      first +
      "}\n  SAVE:\n    workspace: {commit: {message: It}}\n    on: {ok: Q, failed: BAD}\n"
      "  Q: " +
      question +
      "\n  DROP:\n    workspace: {discard: {to: last_commit}}\n    on: {ok: BAD, failed: BAD}\n"
      "  END: {final: true}\n  BAD: {final: true, status: failed}\n");
}

TEST(UnansweredDiscard, IsNotAnAnswerAndNotOfWhatIsCommitted) {
  const std::string asks = "{ask: {question: Well, options: {YES: It is, NO: It is not}";
  const std::string late = asks + "}, on: {YES: SAVE, NO: END}, after: {1d: DROP}}";
  EXPECT_THAT(
      lint_discard("Q", late),
      HasSubstr("warning: where nobody answers in time, what the agent of 'A' did is thrown "
                "away [W442/unanswered-discard]"));
  EXPECT_THAT(lint_discard("SAVE", late), testing::Not(HasSubstr("W442")));
  for (const char* usual : {"}", ", default: YES}"}) {
    EXPECT_THAT(lint_discard("Q", asks + usual + ", on: {YES: SAVE, NO: DROP}}"),
                testing::Not(HasSubstr("W442")))
        << usual;
  }
  EXPECT_THAT(lint_discard("Q", asks + ", default: NO}, on: {YES: SAVE, NO: DROP}}"),
              HasSubstr("W442"));
}

// What the rule says of a run that commits what its coder has changed; empty: nothing.
std::string lint_work(const std::string& states, const std::string& rule) {
  const std::string said = lint_text(
      "agneto: 1\nname: flow\ninputs: {task: {type: string, main: true}, branch: {type: string, "
      "default: main}}\nagents: {coder: {hooks: hooks.lua, access: edit}}\ninitial: CODING\n"
      "states:\n" +
      states +
      "  COMMITTING:\n    workspace: {commit: {message: \"{{inputs.task}}\"}}\n"
      "    on: {ok: MERGING, failed: BAD, error: BAD}\n"
      "  END: {final: true}\n  BAD: {final: true, status: failed}\n"
      "outputs: {branch: inputs.branch}\n");
  const std::size_t named = said.find("[" + rule + "/");
  if (named == said.npos) return "";
  const std::size_t at = said.rfind("warning: ", named);
  return said.substr(at, said.find('\n', at) - at);
}

TEST(EmptyCommit, IsAlsoOneBehindATimerThatCutsTheAgentOff) {
  const auto coding = [](const std::string& on, const std::string& before) {
    return lint_work(before + "  CODING:\n    agent: coder\n    on: {done: MERGING, error: BAD}\n" +
                         on +
                         "  MERGING:\n    run: {argv: [make], access: read-only}\n"
                         "    on: {ok: END, failed: BAD, error: BAD}\n",
                     "W433");
  };
  EXPECT_EQ(coding("    after: {40m: COMMITTING}\n", ""),
            "warning: 'COMMITTING' has nothing to commit: what 'CODING' changed is undone "
            "[W433/empty-commit]");
}

TEST(EmptyCommit, IsNoneWhereAPersonOrAnotherMachineMayHaveChangedSomething) {
  const auto before = [](const std::string& activity) {
    return lint_work(
        "  CODING:\n    workspace: {discard: {to: last_commit}}\n"
        "    on: {ok: B, failed: BAD, error: BAD}\n  B:\n    " +
            activity + "\n  MERGING:\n    always: END\n",
        "W433");
  };
  EXPECT_EQ(before("run: {argv: [make], access: read-only}\n    on: {any: COMMITTING}"),
            "warning: 'COMMITTING' has nothing to commit: nothing has changed by then "
            "[W433/empty-commit]");
  EXPECT_EQ(before("run: {argv: [make]}\n    on: {any: COMMITTING}"), "");
  EXPECT_EQ(before("ask: {question: Mend it, options: {GO: Done, HALT: Stop}}\n"
                   "    on: {GO: COMMITTING, HALT: BAD}"),
            "");
  EXPECT_EQ(before("on: {go: COMMITTING}"), "");
}

TEST(ConflictAsMerge, IsNotAnEndToWhichOtherWaysLead) {
  const auto merging = [](const std::string& on) {
    return lint_work(
        "  CODING:\n    agent: coder\n    on: {done: COMMITTING, error: BAD}\n"
        "  MERGING:\n    workspace: {merge: {}}\n    on: {" +
            on + "}\n",
        "W446");
  };
  EXPECT_EQ(merging("ok: END, conflict: END, failed: BAD, error: BAD"),
            "warning: a conflict ends in 'END' as a merge does, and nothing is merged then "
            "[W446/conflict-as-merge]");
  EXPECT_EQ(merging("ok: END, conflict: BAD, failed: BAD, error: BAD"), "");
  EXPECT_EQ(merging("ok: END, conflict: END, failed: BAD, error: BAD}\n"
                    "    always: {guard: not run.auto_merge, target: END"),
            "")
      << "the end does not say that anything was merged";
}

TEST(SingleBraces, AreAlsoNoneAtAll) {
  const auto into = [](const std::string& branch) {
    return lint_work(
        "  CODING:\n    agent: coder\n    on: {done: COMMITTING, error: BAD}\n"
        "  MERGING:\n    workspace: {merge: {into: " +
            branch + "}}\n    on: {ok: END, conflict: BAD, failed: BAD, error: BAD}\n",
        "W319");
  };
  EXPECT_EQ(into("inputs.branch"),
            "warning: this is the text 'inputs.branch', and not what is in it "
            "[W319/single-braces]");
  EXPECT_EQ(into("\"{{inputs.branch}}\""), "");
  EXPECT_EQ(into("inputs.other"), "");
}

TEST(PrintedLine, IsNotSaidOfWhatPrintsNone) {
  const auto guarded = [](const std::string& program, const std::string& guard) {
    return lint_text("agneto: 1\nname: flow\ninitial: A\nstates:\n  A:\n    run: {argv: " +
                     program + "}\n    on: {ok: [{guard: '" + guard +
                     "', target: END}, BAD], failed: BAD, error: BAD}\n  END: {final: true}\n"
                     "  BAD: {final: true, status: failed}\n");
  };
  EXPECT_THAT(guarded("[git, branch]", "event.output ~= \"main\""),
              HasSubstr("[W443/printed-line]"));
  EXPECT_EQ(guarded("[printf, main]", "event.output == \"main\""), "");
  EXPECT_EQ(guarded("[git, branch]", "event.output:find(\"main\") ~= nil"), "");
}

TEST(UndoneProgram, IsNoneThatOnlyChecksOrWhoseTreeIsItsOwn) {
  const auto running = [](const std::string& program, const std::string& top = "") {
    return lint_text("agneto: 1\nname: flow\n" + top + "initial: A\nstates:\n  A:\n    run: " +
                     program + "\n    on: {any: END}\n  END: {final: true}\n");
  };
  EXPECT_THAT(
      running("{shell: git fetch && git reset --hard}", "workspace: none\n"),
      HasSubstr("warning: 'git reset' throws away what you have not committed: a run works in your "
                "checkout [W445/undone-program]"));
  EXPECT_THAT(running("{shell: npx prettier --write ., access: read-only}"), HasSubstr("[W445/"));
  EXPECT_EQ(running("{shell: git reset --hard}"), "");
  EXPECT_EQ(running("{shell: git clean -n}", "workspace: none\n"), "");
  EXPECT_EQ(running("{shell: cargo fmt --check, access: read-only}"), "");
  EXPECT_EQ(running("{argv: [gofmt, -l, .], access: read-only}"), "");
}

TEST(LostSurroundings, AreThoseOfATextThatDoesNothingElse) {
  const auto running = [](const std::string& shell) {
    return lint_text("agneto: 1\nname: flow\ninitial: A\nstates:\n  A:\n    run: {shell: '" +
                     shell + "'}\n    on: {any: END}\n  END: {final: true}\n");
  };
  EXPECT_THAT(running("cd backend"), HasSubstr("[W444/lost-surroundings]"));
  for (const char* right : {"cd backend && make", "cd \"$(git rev-parse --show-toplevel)\"",
                            "export A=1 > out.txt", "set -e"}) {
    EXPECT_EQ(running(right), "") << right;
  }
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

TEST(ShellSyntax, IsNotTheValueOfAnOption) {
  EXPECT_EQ(lint_program("{argv: [cut, -d, '|', '{{inputs.task}}']}"), "");
  EXPECT_THAT(lint_program("{argv: [cut, '{{inputs.task}}', '|', sort]}"), HasSubstr("[W426/"));
}

TEST(UnusedEdit, IsAlsoWhatAPersonHasToWrite) {
  const auto asking = [](const std::string& again) {
    return lint_states(std::string("  A:\n    agent: {name: coder, verdicts: {OK: {}}}\n") +
                       R"(    on: {OK: ASKING, error: BAD}
  ASKING:
    ask: {question: Good, options: {GO: Go, AGAIN: {label: Again, feedback: required}}}
    on: {GO: END, AGAIN: )" +
                       again + R"(}
  BACK: {entry: local words = event, always: A}
  ON: {always: [{guard: event.feedback == 'again', target: A}, BAD]}
  END: {final: true}
  BAD: {final: true, status: failed}
)");
  };
  EXPECT_THAT(
      asking("A"),
      HasSubstr(
          R"text(/team/flow.yaml:11:45: warning: 'AGAIN' requires words, and nothing takes them over [W434/unused-edit]
    ask: {question: Good, options: {GO: Go, AGAIN: {label: Again, feedback: required}}}
                                            ^~~~~
  help: take them in the transition: AGAIN: {target: STATE, do: ctx.NAME = event.feedback}
)text"));
  EXPECT_THAT(asking("{target: A, do: local name = event.name}"), HasSubstr("W434"));
  EXPECT_THAT(asking("[{target: A, guard: state_in('A')}, END]"), Not(HasSubstr("W434")))
      << "with which the machine ends";
  for (const char* right : {"BAD", "{target: A, do: local words = event.feedback}",
                            "{target: A, do: local words = event.data}"}) {
    EXPECT_THAT(asking(right), Not(HasSubstr("W434"))) << right;
  }
  EXPECT_THAT(asking("BACK"), Not(HasSubstr("W434"))) << "where the state that is entered reads it";
  EXPECT_THAT(asking("ON"), Not(HasSubstr("W434"))) << "where what leads on from there does";
}

}  // namespace
}  // namespace agneto::lint
