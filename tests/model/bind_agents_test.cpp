#include <gmock/gmock.h>

#include "model/loading.h"

namespace agneto::model {
namespace {

TEST(FilesReported, Agents) {
  EXPECT_EQ(load_text(R"yaml(agneto: 1
name: flow
agents:
  a: {access: edit}
  b: {hooks: missing.lua}
  c: {hooks: ../outside.lua}
  d: {hooks: /etc/passwd}
  e: {hooks: hooks.lua, session: CHUNKS}
  f: {hooks: hooks.lua, retry: {tries: 0}, timeout: 0s, idle: long}
  g: {hooks: hooks.lua, access: readonly}
  h: {hooks: hooks.lua, prompt: missing.md}
  i: {hooks: missing.md}
  j: {prompt: hooks.lua}
initial: CHUNK
states: {CHUNK: {final: true}}
)yaml")
                .messages(),
            R"text(flow.yaml:4:3: error: an agent needs one of prompt, hooks [E127/one-of]
  a: {access: edit}
  ^
flow.yaml:5:14: error: cannot read the file 'missing.lua' [E601/missing-file]
  b: {hooks: missing.lua}
             ^~~~~~~~~~~
  help: paths are relative to the file they are written in
flow.yaml:6:14: error: '../outside.lua' is outside of the workflow's folder '.' [E602/outside-root]
  c: {hooks: ../outside.lua}
             ^~~~~~~~~~~~~~
  help: a workflow loads files of its own folder, and of the folder around it where its own is called 'workflows'; put the two together
flow.yaml:7:14: error: '/etc/passwd' is outside of the workflow's folder '.' [E602/outside-root]
  d: {hooks: /etc/passwd}
             ^~~~~~~~~~~
  help: a workflow loads files of its own folder, and of the folder around it where its own is called 'workflows'; put the two together
flow.yaml:8:34: error: there is no state 'CHUNKS' for the agent's conversation to live in [E409/undefined-session]
  e: {hooks: hooks.lua, session: CHUNKS}
                                 ^~~~~~
  help: did you mean 'CHUNK'?
flow.yaml:9:40: error: no tries: the agent is never called [E408/bad-limit]
  f: {hooks: hooks.lua, retry: {tries: 0}, timeout: 0s, idle: long}
                                       ^
  help: tries: 1 tries it once
flow.yaml:9:53: error: a limit of no time lets nothing happen [E408/bad-limit]
  f: {hooks: hooks.lua, retry: {tries: 0}, timeout: 0s, idle: long}
                                                    ^~
  help: give it a duration, or remove the key for the default
flow.yaml:9:63: error: 'idle' must be a duration such as 10m, found 'long' [E124/wrong-kind]
  f: {hooks: hooks.lua, retry: {tries: 0}, timeout: 0s, idle: long}
                                                              ^~~~
flow.yaml:10:33: error: 'access' must be read-only, edit or full, found 'readonly' [E124/wrong-kind]
  g: {hooks: hooks.lua, access: readonly}
                                ^~~~~~~~
  help: did you mean 'read-only'?
flow.yaml:11:25: error: an agent has 'hooks' already, and takes one of them [E127/one-of]
  h: {hooks: hooks.lua, prompt: missing.md}
                        ^~~~~~
flow.yaml:11:33: error: cannot read the file 'missing.md' [E601/missing-file]
  h: {hooks: hooks.lua, prompt: missing.md}
                                ^~~~~~~~~~
  help: paths are relative to the file they are written in
flow.yaml:12:14: error: 'missing.md' is Markdown and no Lua module [E415/hooks]
  i: {hooks: missing.md}
             ^~~~~~~~~~
  help: write prompt: missing.md
flow.yaml:13:15: error: 'hooks.lua' is no Markdown file [E415/hooks]
  j: {prompt: hooks.lua}
              ^~~~~~~~~
  help: a prompt is a file of Markdown, as in prompt: coder.md, or the text itself; a Lua module is named by `hooks`
)text");
}

TEST(FilesReported, AMachineThatIsNotThere) {
  EXPECT_EQ(load_states(R"yaml(  A:
    machine: other.yaml
    on: {any: B}
  B: {final: true}
)yaml")
                .messages(),
            R"text(flow.yaml:6:14: error: cannot read the file 'other.yaml' [E601/missing-file]
    machine: other.yaml
             ^~~~~~~~~~
  help: paths are relative to the file they are written in
)text");
}

TEST(Limits, OfAMachine) {
  const Limits limits = load_text(R"(agneto: 1
name: flow
limits: {calls: 5, cost: 2.5, tokens: 5000000000, time: 1h}
initial: A
states: {A: {final: true}}
)")
                            .main()
                            .limits;
  EXPECT_EQ(limits.calls, 5);
  EXPECT_EQ(limits.cost, 2.5);
  EXPECT_EQ(limits.tokens, 5'000'000'000);
  EXPECT_EQ(limits.time, std::chrono::hours(1));
}

TEST(LimitsReported, ThatLetNothingHappen) {
  EXPECT_EQ(load_text(R"(agneto: 1
name: flow
limits: {calls: 0, cost: 0, tokens: 0, time: 0s}
initial: A
states: {A: {final: true}}
)")
                .messages(),
            R"(flow.yaml:3:17: error: a limit of nothing lets nothing happen [E408/bad-limit]
limits: {calls: 0, cost: 0, tokens: 0, time: 0s}
                ^
  help: give a number above 0, or remove the key
flow.yaml:3:26: error: a limit of nothing lets nothing happen [E408/bad-limit]
limits: {calls: 0, cost: 0, tokens: 0, time: 0s}
                         ^
  help: give a number above 0, or remove the key
flow.yaml:3:37: error: a limit of nothing lets nothing happen [E408/bad-limit]
limits: {calls: 0, cost: 0, tokens: 0, time: 0s}
                                    ^
  help: give a number above 0, or remove the key
flow.yaml:3:46: error: a limit of no time lets nothing happen [E408/bad-limit]
limits: {calls: 0, cost: 0, tokens: 0, time: 0s}
                                             ^~
  help: give it a duration, or remove the key for the default
)");
}

}  // namespace
}  // namespace agneto::model
