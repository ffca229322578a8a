#include <gtest/gtest.h>

#include "playing.h"

namespace agneto::play {
namespace {

TEST(Play, ACaseThatPassesSaysNothing) {
  EXPECT_EQ(played(case_of(R"yaml(    steps:
      - at: WORKING
        reply: |
          It works.

          ```json
          {"verdict": "DONE", "note": "fine"}
          ```
        expect:
          in: GATE
          configuration: [GATE]
          context: {note: fine}
          effects: [{kind: timer}, {kind: ask, at: GATE, question: 'Good?'}]
          outcome: null
      - {at: GATE, answer: 'NO', feedback: again}
      - {at: WORKING#2, outcome: MORE}
      - {at: WORKING, outcome: DONE, data: {note: better}}
      - {at: GATE, answer: 'YES'}
      - {at: TESTING, outcome: ok}
    expect:
      outcome: FINE
      status: complete
      outputs: {note: better}
      path: [WORKING, GATE, WORKING, WORKING, GATE, TESTING, FINE]
      effects: [{kind: run, argv: [make, test]}, {kind: finish}]
)yaml")),
            "");
}

TEST(Play, TimeIsAStep) {
  EXPECT_EQ(played(case_of(R"yaml(    steps:
      - {at: WORKING, outcome: DONE, data: {note: ''}}
      - {advance: 59m, expect: {in: GATE}}
      - {advance: 1m}
    expect: {outcome: LATE, path: ['...', LATE]}
)yaml")),
            "");
}

// As a run would; but there is no worktree to look at.
TEST(Play, APromptThatCannotBeMadeFailsTheCase) {
  const std::string steps =
      "    steps: [{at: WORKING, outcome: DONE, data: {note: ''}}, {at: GATE, answer: 'NO', "
      "feedback: "
      "again}]\n    expect: {in: WORKING}\n";
  const auto with_hook = [&](const std::string& expression) {
    return played(case_of(steps), {{"/w/worker.lua", "return {prompt = function(m)\n  return " +
                                                         expression + "\nend}\n"}});
  };
  EXPECT_EQ(
      with_hook("m.ctx.rounds == 0 and m.ctx.note == '' and 'Do it' or m.ctx.nothing .. ''"),
      R"text(flow.test.yaml:5:80: error: the prompt of 'worker' cannot be made: /w/worker.lua:2: attempt to concatenate a nil value (field 'nothing')
    steps: [{at: WORKING, outcome: DONE, data: {note: ''}}, {at: GATE, answer: 'NO', feedback: again}]
                                                                               ^~~~
  help: a run would end this call in error.lua
)text");
  EXPECT_EQ(with_hook("m.workspace.files[1].path .. ''"), "");
}

TEST(Play, AReplyWithoutAVerdictIsAskedForAgain) {
  EXPECT_EQ(played(case_of(R"yaml(    steps:
      - {at: WORKING, reply: I looked.}
      - {at: WORKING, reply: '{"verdict": "DONE"}', expect: {in: WORKING}}
      - {at: WORKING, reply: 'VERDICT: MAYBE'}
    expect:
      outcome: BROKEN
      context:
        note: "agent 'worker' gave no usable verdict in 3 replies; of the last: the verdict 'MAYBE' is not one of those declared"
)yaml")),
            "");
  EXPECT_EQ(played(case_of("    steps: [{at: WORKING, reply: I looked.}]\n"
                           "    expect: {in: GATE}\n")),
            R"(flow.test.yaml:6:18: error: 'GATE' is not active at the end
    expect: {in: GATE}
                 ^~~~
flow.test.yaml:5:34: note: the hook could not use this reply: no verdict was found in the reply
    steps: [{at: WORKING, reply: I looked.}]
                                 ^~~~~~~~~
    - GATE
    + WORKING
)");
}

// The message and the help of the one mistake in a case; empty: there is none.
std::string mistake(const std::string& steps) {
  const std::string all = played(case_of("    steps: [" + steps + "]\n"));
  if (all.empty()) return {};
  const auto begin = all.find("error: ") + 7;
  const auto help = all.find("  help: ");
  return all.substr(begin, all.find('\n') - begin) +
         (help == std::string::npos ? "" : "\n" + all.substr(help + 8, all.size() - help - 9));
}

TEST(Play, AStepThatIsNotPossibleEndsTheCase) {
  EXPECT_EQ(mistake("{at: GATE, answer: 'YES'}"), "no activity runs at 'GATE'; running: WORKING#1");
  EXPECT_EQ(mistake("{at: WORKING, answer: 'YES'}"),
            "nothing is asked there\nwrite 'outcome: NAME', or 'reply: TEXT' of an agent");
  EXPECT_EQ(mistake("{at: WORKING, outcome: DONE}"),
            "the field 'note' of DONE (string) is missing\ngive an agent's fields under 'data'");
  EXPECT_EQ(mistake("{at: WORKING, outcome: MORE, data: {note: x}}"), "MORE has no field 'note'");
  EXPECT_EQ(mistake("{at: WORKING, outcome: DON}"),
            "'DON' is not a verdict of this call\ndid you mean 'DONE'?");
  EXPECT_EQ(mistake("{at: WORKING, outcome: MORE, data: 5}"),
            "the data of MORE is 5, not its fields\n"
            "give an agent's fields under 'data', as {NAME: VALUE}");
  EXPECT_EQ(mistake("{at: WORKING, outcome: error.tiemout}"),
            "no activity ends in 'error.tiemout'\ndid you mean 'error.timeout'?");
  EXPECT_EQ(mistake("{at: WORKING, outcome: error.quota}"),
            "no activity ends in 'error.quota'\nknown errors: error.timeout, error.exit, "
            "error.spawn, error.unparsed, error.lua, error.livelock, error.unhandled, "
            "error.interrupted, error.workspace");
  EXPECT_EQ(mistake("{at: WORKING, outcome: error}"), "");
  EXPECT_EQ(mistake("{event: hello}"),
            "nothing took the event\nwhere that is meant, say 'expect: {handled: false}'");
  EXPECT_EQ(mistake("{event: hello, expect: {handled: false}}"), "");
  EXPECT_EQ(mistake("{at: WORKING, outcome: error.exit}, {at: WORKING, outcome: MORE}"),
            "the machine has ended");
}

TEST(Play, AnAnswerIsCheckedAsARunWould) {
  const auto answer = [](const std::string& text) {
    return mistake("{at: WORKING, outcome: DONE, data: {note: ''}}, {at: GATE, " + text + "}");
  };
  EXPECT_EQ(answer("answer: MAYBE"), "'MAYBE' is not offered\nchoose one of YES, NO");
  EXPECT_EQ(answer("answer: 'NO'"), "NO needs words\ngive them with 'feedback'");
  EXPECT_EQ(answer("answer: 'YES', feedback: x"), "YES takes no words\nleave out 'feedback'");
  EXPECT_EQ(answer("answer: 'YES', edited: x"), "YES edits nothing\nleave out 'edited'");
  EXPECT_EQ(answer("text: x"), "it has options\nchoose one of YES, NO");
  EXPECT_EQ(answer("outcome: 'YES'"),
            "a question is answered\nwrite 'answer: OPTION', or 'text: WORDS'");
  EXPECT_EQ(answer("reply: 'YES'"),
            "no agent is called there\nwrite 'outcome: NAME', or 'answer: OPTION'");
  EXPECT_EQ(answer("answer: 'NO', feedback: x"), "");
}

TEST(Play, ShowsAllThatDiffers) {
  EXPECT_EQ(played(case_of(R"yaml(    steps:
      - {at: WORKING, outcome: DONE, data: {note: "a\nb\nc"}}
    expect:
      configuration: [WORKING]
      path: [WORKING, WORKING, GATE]
      context: {note: "a\nx\nc"}
      effects: [{kind: run}]
      outcome: FINE
      status: complete
)yaml")),
            R"(flow.test.yaml:8:22: error: the active states at the end are others
      configuration: [WORKING]
                     ^~~~~~~~~
    - WORKING
    + GATE
flow.test.yaml:9:13: error: the path is another
      path: [WORKING, WORKING, GATE]
            ^~~~~~~~~~~~~~~~~~~~~~~~
      WORKING
    - WORKING
      GATE
flow.test.yaml:10:23: error: 'note' has another value at the end
      context: {note: "a\nx\nc"}
                      ^~~~~~~~~
      a
    - x
    + b
      c
flow.test.yaml:11:17: error: no such effect was ordered
      effects: [{kind: run}]
                ^~~~~~~~~~~
    - {"kind":"run"}
    + {"access":"read-only","at":"WORKING","entry":1,"idle":300000,"instance":"","kind":"agent","machine":"flow","name":"worker","path":"WORKING#1","scope":"","session":"fresh","state":"WORKING","task":"","timeout":1800000,"tries":3}
    + {"at":"GATE/after:1","delay":3600000,"kind":"timer","name":"GATE","path":"GATE#1/after:1","pausable":true}
    + {"at":"GATE","default":"","kind":"ask","name":"GATE","options":[{"feedback":"none","label":"Yes","name":"YES"},{"feedback":"required","label":"No","name":"NO"}],"path":"GATE#1","question":"Good?","show":"","text":"none"}
flow.test.yaml:12:16: error: the outcome is another
      outcome: FINE
               ^~~~
    - FINE
    + (it has not ended)
flow.test.yaml:13:15: error: the machine has not ended at the end
      status: complete
              ^~~~~~~~
)");
}

// The lines of the diff where the note is not as expected.
std::string note_diff(const std::string& expected, const std::string& found) {
  const std::string all =
      played(case_of("    steps: [{at: WORKING, outcome: DONE, data: {note: " + found +
                     "}}]\n    expect: {context: {note: " + expected + "}}\n"));
  const auto begin = all.find("\n    ", all.find('^'));
  return begin == std::string::npos ? all : all.substr(begin + 1);
}

TEST(Play, ADifferenceIsSeenWhateverItIs) {
  EXPECT_EQ(note_diff("b", "a"), "    - b\n    + a\n");
  EXPECT_EQ(note_diff("1", "'1'"), "    - 1\n    + \"1\"\n");
  EXPECT_EQ(note_diff("a", "''"), "    - \"a\"\n    + \"\"\n");
  EXPECT_EQ(note_diff("a", "'a '"), "    - \"a\"\n    + \"a \"\n");
  EXPECT_EQ(note_diff("a b", R"("a\tb")"), "    - \"a b\"\n    + \"a\\tb\"\n");
  EXPECT_EQ(note_diff("a", R"("\e[1ma")"), "    - \"a\"\n    + \"\\u001b[1ma\"\n");
  EXPECT_EQ(note_diff("a", R"("\u202ea")"), "    - \"a\"\n    + \"\\u202ea\"\n");
  EXPECT_EQ(note_diff("a", R"("a\n")"), "      (only ends of lines differ)\n");
  EXPECT_EQ(note_diff(R"("a\nb ")", R"("a\nc")"), "      \"a\\n\n    - b \"\n    + c\"\n");
}

TEST(Play, ProblemsAreExpectedOrFailTheCase) {
  const std::map<std::string, std::string> files = {{"/w/flow.yaml", R"yaml(agneto: 1
name: flow
context: {n: 0}
initial: A
states:
  A: {on: {go: {target: B, do: ctx.n = nil + 1}}}
  B: {on: {end: C}}
  C: {final: true}
)yaml"}};
  const auto test = [&](const std::string& row) {
    return played("agneto-test: 1\ncases: [{name: one, " + row + "}]\n", files);
  };
  EXPECT_EQ(test("steps: [{event: go}]").find("flow.test.yaml:2:37: error: error.lua: "), 0U);
  EXPECT_EQ(test("steps: [{event: go, expect: {problems: error.lua}}]"), "");
  EXPECT_EQ(test("steps: [{event: go}], expect: {problems: error.lua}"), "");
  EXPECT_EQ(test("expect: {problems: error.lua}"),
            R"(flow.test.yaml:2:40: error: there was no 'error.lua'
cases: [{name: one, expect: {problems: error.lua}}]
                                       ^~~~~~~~~
)");
}

TEST(Play, OtherMachinesAreEnteredOrNot) {
  const std::map<std::string, std::string> files = {{"/w/flow.yaml", R"yaml(agneto: 1
name: flow
context: {n: 0}
initial: WORK
states:
  WORK:
    machine: sub.yaml
    on: {WELL: {target: END, do: ctx.n = event.n}}
  END: {final: true}
)yaml"},
                                                    {"/w/sub.yaml", R"yaml(agneto: 1
name: sub
context: {n: 0}
initial: COUNTING
states:
  COUNTING: {on: {more: {do: ctx.n = ctx.n + 1}, end: WELL}}
  WELL: {final: true}
outputs: {n: ctx.n}
)yaml"}};
  EXPECT_EQ(played(R"yaml(agneto-test: 1
cases:
  - name: deep
    steps:
      - {event: more, expect: {configuration: [WORK, WORK/COUNTING], machines: {WORK: {n: 1}}}}
      - {event: end}
    expect: {path: [WORK, WORK/COUNTING, END], context: {n: 1}}
  - name: shallow
    shallow: true
    steps: [{at: WORK, outcome: WELL, data: {n: 7}}]
    expect: {path: [WORK, END], context: {n: 7}}
)yaml",
                   files),
            "");
  EXPECT_EQ(played(R"yaml(agneto-test: 1
cases:
  - {name: one, shallow: true, steps: [{at: WORK, outcome: WEL}]}
  - {name: two, expect: {machines: {WORK: {m: 1}}}}
)yaml",
                   files),
            R"(flow.test.yaml:3:60: error: 'WEL' is not an outcome of that machine
  - {name: one, shallow: true, steps: [{at: WORK, outcome: WEL}]}
                                                           ^~~
  help: did you mean 'WELL'?
flow.test.yaml:4:44: error: the context of WORK#1 has no 'm'
  - {name: two, expect: {machines: {WORK: {m: 1}}}}
                                           ^
)");
}

}  // namespace
}  // namespace agneto::play
