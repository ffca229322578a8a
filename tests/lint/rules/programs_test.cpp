// What rules about programs and their arguments find and leave alone, beside their examples.
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

TEST(ShellSyntax, IsNotTheValueOfAnOption) {
  EXPECT_EQ(lint_program("{argv: [cut, -d, '|', '{{inputs.task}}']}"), "");
  EXPECT_THAT(lint_program("{argv: [cut, '{{inputs.task}}', '|', sort]}"), HasSubstr("[W426/"));
}

}  // namespace
}  // namespace agneto::lint
