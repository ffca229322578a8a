// What scenario tests expect of prompts.
#include <gtest/gtest.h>

#include "playing.h"

namespace agneto::play {
namespace {

const char* const worker = R"lua(return {prompt = function(m)
  local note = m.ctx.note ~= "" and "\n## Feedback\n\nIt was said: " .. m.ctx.note or ""
  return "You are the worker.\nDo " .. m.inputs.task .. " with care." .. note
end}
)lua";

// What is printed where these are the steps, and this is expected at the end.
std::string prompted(const std::string& steps, const std::string& expect) {
  return played(case_of("    steps: [" + steps + "]\n    expect: {" + expect + "}\n"),
                {{"/w/worker.lua", worker}});
}
const char* const sent_back =
    "{at: WORKING, outcome: DONE, data: {note: ''}}, {at: GATE, answer: 'NO', feedback: again}";

TEST(ComparePrompt, ThatIsAsExpectedSaysNothing) {
  EXPECT_EQ(prompted("", R"(prompt: {agent: worker, contains: [the worker, "Do it with care.\n"], )"
                         R"(lacks: Feedback, matches: ['^You', 'Do %a+ with']})"),
            "");
  EXPECT_EQ(prompted(sent_back, "prompt: {contains: \"## Feedback\\n\\nIt was said: again\"}"), "");
  EXPECT_EQ(played(case_of("    steps:\n      - {at: WORKING, outcome: MORE, expect: {prompt: "
                           "{contains: it}}}\n      - {at: WORKING, outcome: error}\n")),
            "");
}

TEST(ComparePrompt, ShowsTheNearestPart) {
  EXPECT_EQ(prompted(sent_back,
                     "prompt: {contains: \"It was said: never\", lacks: with, "
                     "matches: 'was (%d+)'}"),
            R"(flow.test.yaml:6:33: error: the prompt of 'worker' has no such text in it
    expect: {prompt: {contains: "It was said: never", lacks: with, matches: 'was (%d+)'}}
                                ^~~~~~~~~~~~~~~~~~~~
    - It was said: never
      line 5 of 5:
    + It was said: again
flow.test.yaml:6:62: error: the prompt of 'worker' has this text in it
    expect: {prompt: {contains: "It was said: never", lacks: with, matches: 'was (%d+)'}}
                                                             ^~~~
      line 2 of 5:
    + Do it with care.
flow.test.yaml:6:77: error: nothing in the prompt of 'worker' is matched by this
    expect: {prompt: {contains: "It was said: never", lacks: with, matches: 'was (%d+)'}}
                                                                            ^~~~~~~~~~~
    - was (%d+)
      line 5 of 5:
    + It was said: again
)");
  EXPECT_EQ(prompted("", R"(prompt: {contains: "You were\nDo this", matches: '%'})"),
            R"(flow.test.yaml:6:33: error: the prompt of 'worker' has no such text in it
    expect: {prompt: {contains: "You were\nDo this", matches: '%'}}
                                ^~~~~~~~~~~~~~~~~~~
    - You were
    - Do this
      lines 1 to 2 of 2:
    + You are the worker.
    + Do it with care.
flow.test.yaml:6:63: error: this pattern cannot be used: malformed pattern (ends with '%')
    expect: {prompt: {contains: "You were\nDo this", matches: '%'}}
                                                              ^~~
)");
}

// The lines under the place of the one mistake.
std::string details(const std::string& all) {
  return all.substr(std::min(all.size(), all.find("\n    - ") + 1));
}

TEST(ComparePrompt, ShowsLittleOfALongPrompt) {
  const std::string hook =
      "return {prompt = function() return ('x '):rep(2000) .. 'the colour of it ' .. "
      "('y '):rep(2000) end}\n";
  const auto shown = [&](const std::string& wanted) {
    return details(played(case_of("    expect: {prompt: {contains: " + wanted + "}}\n"),
                          {{"/w/worker.lua", hook}}));
  };
  EXPECT_EQ(
      shown("the colours of it"),
      "    - the colours of it\n      line 1 of 1:\n    + … x x x x x x x x x x x x x x x x "
      "x x x x x x x x x x x x x x x x x x x x x x x x the colour of it y y y y y y y y y y y "
      "y y y y y y y y y y y y y y y y y y y y y… (3937 bytes more)\n");
  EXPECT_EQ(shown("zeal"), "    - zeal\n      nothing like it is in its 1 lines\n");
}

TEST(ComparePrompt, WhichOneIsMeantMustBeClear) {
  const std::string two = R"yaml(agneto: 1
name: flow
agents: {first: {hooks: worker.lua}, second: {hooks: worker.lua}}
initial: BOTH
states:
  BOTH:
    parallel: true
    states:
      A: {initial: ONE, states: {ONE: {agent: {name: first}, on: {done: END}}, END: {final: true}}}
      B: {initial: TWO, states: {TWO: {agent: {name: second}, on: {done: END2}}, END2: {final: true}}}
    on: {stop: FINE}
  FINE: {final: true}
)yaml";
  const auto expecting = [&](const std::string& prompt, const std::string& steps = "") {
    return played("agneto-test: 1\ncases:\n  - {name: one, steps: [" + steps +
                      "], expect: {prompt: " + prompt + "}}\n",
                  {{"/w/flow.yaml", two},
                   {"/w/worker.lua", "return {prompt = function(m) return m.state end}\n"}});
  };
  EXPECT_EQ(expecting("[{agent: first, contains: ONE}, {at: TWO, contains: TWO}]"), "");
  EXPECT_EQ(expecting("{contains: TWO}", "{at: ONE, outcome: done}"), "");
  EXPECT_EQ(expecting("{contains: ONE}"),
            R"(flow.test.yaml:3:45: error: the prompt may be any of several
  - {name: one, steps: [], expect: {prompt: {contains: ONE}}}
                                            ^~~~~~~~~~~~~~~
  help: say which with 'agent' or 'at': first at ONE, second at TWO
)");
  EXPECT_EQ(expecting("{agent: first, contains: x}", "{at: ONE, outcome: done}"),
            R"(flow.test.yaml:3:69: error: no such call is waiting for its agent at the end
  - {name: one, steps: [{at: ONE, outcome: done}], expect: {prompt: {agent: first, contains: x}}}
                                                                    ^~~~~~~~~~~~~~~~~~~~~~~~~~~
  help: waiting: second at TWO
)");
}

TEST(ComparePrompt, AHookThatWantsAWorktreeHasNone) {
  EXPECT_EQ(
      played(case_of("    expect: {prompt: {contains: x}}\n"),
             {{"/w/worker.lua",
               "return {prompt = function(m) return m.workspace.files[1].path end}\n"}}),
      R"(flow.test.yaml:5:22: error: the prompt of 'worker' cannot be made without a worktree: /w/worker.lua:1: attempt to index a nil value (field 'integer index')
    expect: {prompt: {contains: x}}
                     ^~~~~~~~~~~~~
  help: test what the hook makes of one in Lua; see docs/testing.md
)");
}

TEST(ComparePrompt, WhatIsExpectedIsRead) {
  EXPECT_EQ(prompted("", "prompt: [{agent: wroker, at: WORKNG, contains: x}, {agent: worker}]"),
            R"(flow.test.yaml:6:65: error: this expects nothing of the prompt
    expect: {prompt: [{agent: wroker, at: WORKNG, contains: x}, {agent: worker}]}
                                                                ^~~~~~~~~~~~~~~
  help: give it 'contains', 'lacks', 'matches' or 'snapshot'
)");
  EXPECT_EQ(prompted("", "prompt: {agent: wroker, at: WORKNG, contains: x}"),
            R"(flow.test.yaml:6:30: error: there is no agent 'wroker'
    expect: {prompt: {agent: wroker, at: WORKNG, contains: x}}
                             ^~~~~~
  help: did you mean 'worker'?
flow.test.yaml:6:42: error: there is no state 'WORKNG' in flow.yaml
    expect: {prompt: {agent: wroker, at: WORKNG, contains: x}}
                                         ^~~~~~
  help: did you mean 'WORKING'?
)");
  EXPECT_EQ(prompted("", "prompt: {contains: ''}"),
            R"(flow.test.yaml:6:33: error: every prompt has the empty text in it
    expect: {prompt: {contains: ''}}
                                ^~
)");
}

// As far as the workflow says how it is called.
TEST(ComparePrompt, OfACallIsKnownHowItIsMade) {
  EXPECT_EQ(prompted("",
                     "effects: [{kind: agent, access: read-only, session: fresh, timeout: 1800000, "
                     "idle: 300000, tries: 3}]"),
            "");
}

}  // namespace
}  // namespace agneto::play
