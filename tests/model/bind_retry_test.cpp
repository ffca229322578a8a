#include <gmock/gmock.h>

#include "model/loading.h"

namespace agneto::model {
namespace {

using testing::ElementsAre;

Retry of_program(const std::string& retry) {
  const LoadResult result = load_states("  A:\n    run: {argv: [make]" + retry +
                                        "}\n    on: {any: B}\n  B: {final: true}\n");
  EXPECT_EQ(result.messages(), "");
  return std::get<Program>(result.main().state(1).activity).retry;
}

TEST(Retries, OfAProgram) {
  EXPECT_EQ(of_program("").tries, 1);
  const Retry usual = of_program(", retry: {}");
  EXPECT_EQ(usual.tries, 3);
  EXPECT_THAT(usual.on, ElementsAre("failed", "error.timeout", "error.exit"));
  const Retry all = of_program(", retry: {tries: 5, backoff: 10s, max: 2m, on: [failed, error]}");
  EXPECT_EQ(all.tries, 5);
  EXPECT_EQ(all.backoff, std::chrono::seconds(10));
  EXPECT_EQ(all.longest, std::chrono::minutes(2));
  EXPECT_THAT(all.on, ElementsAre("failed", "error"));
}

// Who waits long before the second try does not wait less before the third.
TEST(Retries, WaitLongerEachTimeUpToTheLongest) {
  const Retry retry = of_program(", retry: {backoff: 10s, max: 30s}");
  EXPECT_EQ(retry.wait(1, 0.5), std::chrono::seconds(10));
  EXPECT_EQ(retry.wait(2, 0.5), std::chrono::seconds(20));
  EXPECT_EQ(retry.wait(3, 0.5), std::chrono::seconds(30));
  EXPECT_EQ(retry.wait(60, 0.5), std::chrono::seconds(30));
  EXPECT_EQ(retry.wait(1, 0), Millis(7500));
  EXPECT_EQ(of_program(", retry: {backoff: 5m}").wait(1, 0.5), std::chrono::minutes(5));
}

TEST(Retries, OfAnAgentAndOfACall) {
  const LoadResult result = load_text(R"yaml(agneto: 1
name: flow
agents:
  coder: {hooks: hooks.lua, retry: {tries: 5, on: error.timeout}}
  other: {hooks: hooks.lua, tries: 2, retry: {max: 1m}}
initial: A
states:
  A: {agent: coder, on: {any: B}}
  B: {agent: {name: coder, retry: {backoff: 2s}}, on: {any: C}}
  C: {agent: other, on: {any: D}}
  D: {final: true}
)yaml");
  EXPECT_EQ(result.messages(), "");
  const auto retry = [&](StateId state) {
    const auto& call = std::get<AgentCall>(result.main().state(state).activity);
    RetrySettings said = result.main().agents[call.agent].settings.retry;
    said.lay(call.settings.retry);
    return usual_of_agent.with(said);
  };
  EXPECT_EQ(retry(1), (Retry{.tries = 5, .on = {"error.timeout"}}));
  EXPECT_EQ(retry(2),
            (Retry{.tries = 5, .backoff = std::chrono::seconds(2), .on = {"error.timeout"}}));
  EXPECT_EQ(retry(3), (Retry{.tries = 2, .longest = std::chrono::minutes(1)}));
}

TEST(RetriesReported, Mistakes) {
  EXPECT_EQ(load_text(R"yaml(agneto: 1
name: flow
agents:
  a: {hooks: hooks.lua, tries: 3, retry: {tries: 2}}
  b: {hooks: hooks.lua, retry: {tries: 2, on: [error.lua, done, error.timout, error.quota]}}
initial: A
states:
  A: {run: {argv: [make], retry: {tries: 0, backoff: 1m, max: 5s, on: error.unparsed}}, on: {any: B}}
  B: {run: {argv: [make], once: true, retry: {}}, on: {any: C}}
  C: {run: {argv: [make], retry: 3}, on: {any: D}}
  D: {agent: a, retry: {tries: 3}, on: {any: E}}
  E: {final: true}
)yaml")
                .messages(),
            R"text(flow.yaml:4:32: error: 'a' says twice how often it is tried [E127/one-of]
  a: {hooks: hooks.lua, tries: 3, retry: {tries: 2}}
                               ^
  help: keep `tries`, or that of `retry`
flow.yaml:5:48: error: 'error.lua' is the same each time, and is not tried again [E462/bad-retry]
  b: {hooks: hooks.lua, retry: {tries: 2, on: [error.lua, done, error.timout, error.quota]}}
                                               ^~~~~~~~~
  help: known outcomes: error, error.timeout, error.exit, error.spawn, error.unparsed
flow.yaml:5:59: error: 'done' is nothing that an agent can be tried again for [E462/bad-retry]
  b: {hooks: hooks.lua, retry: {tries: 2, on: [error.lua, done, error.timout, error.quota]}}
                                                          ^~~~
  help: known outcomes: error, error.timeout, error.exit, error.spawn, error.unparsed
flow.yaml:5:65: error: 'error.timout' is nothing that an agent can be tried again for [E462/bad-retry]
  b: {hooks: hooks.lua, retry: {tries: 2, on: [error.lua, done, error.timout, error.quota]}}
                                                                ^~~~~~~~~~~~
  help: did you mean 'error.timeout'?
flow.yaml:8:42: error: no tries: the program is never run [E408/bad-limit]
  A: {run: {argv: [make], retry: {tries: 0, backoff: 1m, max: 5s, on: error.unparsed}}, on: {any: B}}
                                         ^
  help: tries: 1 tries it once
flow.yaml:8:63: error: the longest wait is shorter than the first one (1m) [E408/bad-limit]
  A: {run: {argv: [make], retry: {tries: 0, backoff: 1m, max: 5s, on: error.unparsed}}, on: {any: B}}
                                                              ^~
  help: make `max` longer, or `backoff` shorter
flow.yaml:8:71: error: 'error.unparsed' is nothing that a program can be tried again for [E462/bad-retry]
  A: {run: {argv: [make], retry: {tries: 0, backoff: 1m, max: 5s, on: error.unparsed}}, on: {any: B}}
                                                                      ^~~~~~~~~~~~~~
  help: known outcomes: error, error.timeout, error.exit, error.spawn, failed
flow.yaml:9:46: error: what may run but once is not tried again [E462/bad-retry]
  B: {run: {argv: [make], once: true, retry: {}}, on: {any: C}}
                                             ^~
  help: keep `once` or `retry`
flow.yaml:10:34: error: 'retry' must be a retry (a map of its keys), found '3' [E124/wrong-kind]
  C: {run: {argv: [make], retry: 3}, on: {any: D}}
                                 ^
  help: as in retry: {tries: 3, backoff: 10s}
flow.yaml:11:17: error: a state has no key 'retry' [E121/unknown-key]
  D: {agent: a, retry: {tries: 3}, on: {any: E}}
                ^~~~~
  help: it is said of what is tried: run: {argv: [PROGRAM], retry: {tries: 3}}, agent: {name: NAME, retry: {tries: 5}}; else lead back, on: {failed: STATE}, and count in the context
)text");
}

}  // namespace
}  // namespace agneto::model
