// What a file defines once and uses at several places: sets of verdicts, agents that are like
// others, functions.
#include <gmock/gmock.h>

#include "model/loading.h"

namespace agneto::model {
namespace {

using testing::ElementsAre;

TEST(Shared, VerdictsOfSeveralCalls) {
  const LoadResult result = load_text(R"yaml(agneto: 1
name: flow
agents: {a: {hooks: hooks.lua}}
verdicts:
  review: {GOOD: {}, BAD: {reason: {type: string, description: What is wrong}}}
initial: A
states:
  A: {agent: {name: a, verdicts: review}, on: {GOOD: B, BAD: B}}
  B: {agent: {name: a, verdicts: review}, on: {GOOD: C, BAD: C}}
  C: {final: true}
)yaml");
  EXPECT_EQ(result.messages(), "");
  for (const StateId state : {1U, 2U}) {
    const auto& call = std::get<AgentCall>(result.main().state(state).activity);
    EXPECT_EQ(call.verdict_set, 0U);
    EXPECT_THAT(names_of(call.verdicts), ElementsAre("GOOD", "BAD"));
    EXPECT_EQ(call.verdicts[1].fields[0].description, "What is wrong");
  }
}

TEST(Shared, AnAgentThatIsLikeAnother) {
  const LoadResult result = load_text(R"yaml(agneto: 1
name: flow
agents:
  tester: {extends: coder, session: fresh, timeout: 1m}
  coder: {hooks: hooks.lua, access: edit, session: run, idle: 10m, retry: {tries: 5}}
initial: A
states: {A: {agent: tester, on: {any: B}}, B: {final: true}}
)yaml");
  EXPECT_EQ(result.messages(), "");
  const Agent& tester = result.main().agents[0];
  EXPECT_EQ(tester.name, "tester");
  EXPECT_EQ(tester.extends, 1U);
  EXPECT_EQ(tester.hooks, "hooks.lua");
  EXPECT_EQ(tester.access, Access::edit);
  EXPECT_EQ(tester.session, SessionScope::fresh);
  EXPECT_EQ(tester.timeout, std::chrono::minutes(1));
  EXPECT_EQ(tester.idle, std::chrono::minutes(10));
  EXPECT_EQ(tester.settings.retry.tries, 5);
  EXPECT_EQ(result.main().agents[1].session, SessionScope::run);
}

TEST(SharedReported, WhatIsNotThereAndCircles) {
  EXPECT_EQ(load_text(R"yaml(agneto: 1
name: flow
agents:
  a: {extends: b}
  b: {extends: c, hooks: hooks.lua}
  c: {extends: a}
  d: {extends: d}
  e: {extends: codr}
  f: {extends: b, prompt: coder.md, hooks: hooks.lua}
verdicts: {review: {GOOD: {}}}
functions:
  index: function() return 1 end
  is-small: function(n) return n < 3 end
initial: A
states:
  A: {agent: {name: b, verdicts: reviews}, on: {any: B}}
  B: {final: true}
)yaml")
                .messages(),
            R"text(flow.yaml:6:16: error: the agent 'c' extends itself, by 'a' [E612/extension]
  c: {extends: a}
               ^
  help: write out in one of them what both have
flow.yaml:4:3: note: the circle begins here
  a: {extends: b}
  ^
flow.yaml:7:16: error: the agent 'd' extends itself [E612/extension]
  d: {extends: d}
               ^
  help: write out in one of them what both have
flow.yaml:7:3: note: the circle begins here
  d: {extends: d}
  ^
flow.yaml:8:16: error: there is no agent 'codr' [E402/undefined-agent]
  e: {extends: codr}
               ^~~~
  help: known agents: a, b, c, d, e, f
flow.yaml:9:27: error: cannot read the file 'coder.md' [E601/missing-file]
  f: {extends: b, prompt: coder.md, hooks: hooks.lua}
                          ^~~~~~~~
  help: paths are relative to the file they are written in
flow.yaml:9:37: error: an agent has 'prompt' already, and takes one of them [E127/one-of]
  f: {extends: b, prompt: coder.md, hooks: hooks.lua}
                                    ^~~~~
flow.yaml:12:3: error: 'index' means something else in Lua, and cannot name a function [E407/reserved-name]
  index: function() return 1 end
  ^~~~~
  help: choose another name
flow.yaml:13:3: error: 'is-small' cannot name a function [E125/bad-name]
  is-small: function(n) return n < 3 end
  ^~~~~~~~
  help: it is a name in Lua: letters, digits and '_'
flow.yaml:16:34: error: there is no set of verdicts 'reviews' [E461/undefined-verdicts]
  A: {agent: {name: b, verdicts: reviews}, on: {any: B}}
                                 ^~~~~~~
  help: did you mean 'review'?
)text");
}

TEST(SharedReported, ASetWhereThereIsNone) {
  EXPECT_EQ(
      load_text(R"yaml(agneto: 1
name: flow
agents: {a: {hooks: hooks.lua}}
initial: A
states:
  A: {agent: {name: a, verdicts: review}, on: {any: B}}
  B: {final: true}
)yaml")
          .messages(),
      R"text(flow.yaml:6:34: error: there is no set of verdicts 'review' [E461/undefined-verdicts]
  A: {agent: {name: a, verdicts: review}, on: {any: B}}
                                 ^~~~~~
  help: define it under `verdicts` at the top of the file, or write {GOOD: {}, BAD: {}}
)text");
}

}  // namespace
}  // namespace agneto::model
