// What rules about changes in the worktree find and leave alone, beside their examples: what is
// committed, merged, thrown away or left.
#include <gmock/gmock.h>

#include "lint/linting.h"

namespace agneto::lint {
namespace {

using testing::HasSubstr;
using testing::Not;

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
