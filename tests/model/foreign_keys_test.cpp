// What people write who know other tools: each mistake gets one message, which says how it is done
// here.
#include <gtest/gtest.h>

#include "model/loading.h"

namespace agneto::model {
namespace {

TEST(ForeignKeys, OfAMachine) {
  EXPECT_EQ(load_text(R"yaml(version: 1
id: flow
start: A
roles: {coder: {hooks: hooks.lua}}
steps:
  - name: A
    agent: coder
)yaml")
                .messages(),
            R"text(flow.yaml:1:1: error: a machine has no key 'version' [E121/unknown-key]
version: 1
^~~~~~~
  help: write `agneto: 1`
flow.yaml:2:1: error: a machine has no key 'id' [E121/unknown-key]
id: flow
^~
  help: write `name`
flow.yaml:3:1: error: a machine has no key 'start' [E121/unknown-key]
start: A
^~~~~
  help: write `initial`
flow.yaml:4:1: error: a machine has no key 'roles' [E121/unknown-key]
roles: {coder: {hooks: hooks.lua}}
^~~~~
  help: write `agents`
flow.yaml:5:1: error: a machine has no key 'steps' [E121/unknown-key]
steps:
^~~~~
  help: what are steps elsewhere are `states`, by name; what comes next is said in each, under `on`
)text");
}

TEST(ForeignKeys, OfAnAgent) {
  EXPECT_EQ(load_text(R"yaml(agneto: 1
name: flow
agents:
  coder: {prompt: Write it, reasoning: high, mcpServers: {}}
  reviewer: {hook: hooks.lua}
initial: A
states:
  A:
    agent: {name: coder, prompt: Write it, output: [DONE]}
    on: {DONE: B}
  B: {final: true}
)yaml")
                .messages(),
            R"text(flow.yaml:4:29: error: an agent has no key 'reasoning' [E121/unknown-key]
  coder: {prompt: Write it, reasoning: high, mcpServers: {}}
                            ^~~~~~~~~
  help: write `effort`
flow.yaml:4:46: error: an agent has no key 'mcpServers' [E121/unknown-key]
  coder: {prompt: Write it, reasoning: high, mcpServers: {}}
                                             ^~~~~~~~~~
  help: write `mcp`
flow.yaml:5:14: error: an agent has no key 'hook' [E121/unknown-key]
  reviewer: {hook: hooks.lua}
             ^~~~
  help: did you mean 'hooks'?
flow.yaml:9:26: error: an agent's call has no key 'prompt' [E121/unknown-key]
    agent: {name: coder, prompt: Write it, output: [DONE]}
                         ^~~~~~
  help: what an agent is told is said under `agents`, prompt: FILE.md, or the text itself
flow.yaml:9:44: error: an agent's call has no key 'output' [E121/unknown-key]
    agent: {name: coder, prompt: Write it, output: [DONE]}
                                           ^~~~~~
  help: write `verdicts`
)text");
}

TEST(ForeignKeys, OfAStateAndItsActivity) {
  EXPECT_EQ(
      load_states(R"yaml(  A:
    run: make test
    on: {ok: B, failed: B, error: B}
    timeout: 10m
  B:
    run: {cmd: make test, dir: src}
    next: C
  C:
    ask: {prompt: Merge it, choices: [Yes, No]}
    on: {Yes: D, No: D}
  D: {end: true}
)yaml")
          .messages(),
      R"text(flow.yaml:6:10: error: 'run' must be a program to run (a map of its keys), found 'make test' [E124/wrong-kind]
    run: make test
         ^~~~~~~~~
  help: write run: {shell: 'make test'}
flow.yaml:8:5: error: a state has no key 'timeout' [E121/unknown-key]
    timeout: 10m
    ^~~~~~~
  help: time is an event of a state: after: {10m: STATE}
flow.yaml:10:11: error: a program to run has no key 'cmd' [E121/unknown-key]
    run: {cmd: make test, dir: src}
          ^~~
  help: write `argv`
flow.yaml:10:27: error: a program to run has no key 'dir' [E121/unknown-key]
    run: {cmd: make test, dir: src}
                          ^~~
  help: write `cwd`
flow.yaml:11:5: error: a state has no key 'next' [E121/unknown-key]
    next: C
    ^~~~
  help: where a state leads is said by event, on: {EVENT: STATE}; always: STATE needs no event
flow.yaml:13:11: error: a question has no key 'prompt' [E121/unknown-key]
    ask: {prompt: Merge it, choices: [Yes, No]}
          ^~~~~~
  help: write `question`
flow.yaml:13:29: error: a question has no key 'choices' [E121/unknown-key]
    ask: {prompt: Merge it, choices: [Yes, No]}
                            ^~~~~~~
  help: write `options`
flow.yaml:15:7: error: a state has no key 'end' [E121/unknown-key]
  D: {end: true}
      ^~~
  help: write `final`
)text");
}

TEST(ForeignKeys, WhereStatesOrAgentsCannotBeReadTheirNamesAreNotMissed) {
  EXPECT_EQ(
      load_text(R"yaml(agneto: 1
name: flow
initial: A
agents: [coder]
states:
  A: {agent: coder, on: {done: B}}
  B: {final: true}
)yaml")
          .messages(),
      R"text(flow.yaml:4:1: error: 'agents' must be a map by agent, found a list [E124/wrong-kind]
agents: [coder]
^~~~~~
  help: as in agents: {coder: {hooks: coder.lua}}
)text");
  EXPECT_EQ(
      load_text(R"yaml(agneto: 1
name: flow
initial: A
states: [A, B]
)yaml")
          .messages(),
      R"text(flow.yaml:4:1: error: 'states' must be a map by state, found a list [E124/wrong-kind]
states: [A, B]
^~~~~~
  help: as in states: {WORKING: {agent: coder}, DONE: {final: true}}
)text");
}

TEST(ForeignKeys, OfACompoundState) {
  EXPECT_EQ(load_states(R"yaml(  A:
    intial: B
    states:
      B: {final: true}
)yaml")
                .messages(),
            R"text(flow.yaml:6:5: error: a state has no key 'intial' [E121/unknown-key]
    intial: B
    ^~~~~~
  help: did you mean 'initial'?
)text");
}

}  // namespace
}  // namespace agneto::model
