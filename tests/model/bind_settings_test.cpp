#include <gmock/gmock.h>

#include "model/loading.h"

namespace agneto::model {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

const std::string rest =
    "initial: A\nstates:\n  A: {agent: coder, on: {done: B}}\n  B: {final: true}\n";

std::string of_agent(const std::string& settings) {
  return "agneto: 1\nname: flow\nagents:\n  coder: {hooks: hooks.lua, " + settings + "}\n" + rest;
}

TEST(Settings, OfAnAgentAndOfACall) {
  const LoadResult result = load_text(R"yaml(agneto: 1
name: flow
agents:
  coder:
    hooks: hooks.lua
    provider: claude
    model: opus
    effort: high
    instructions: Write tests.
    tools: [WebSearch, "mcp__github__*"]
    args: [--max-turns, "5"]
    env: {LOG_LEVEL: debug}
    mcp:
      github: {command: [github-mcp-server, stdio], env: {READ_ONLY: "1"}}
      docs: {url: "https://docs.example.com/mcp", headers: {X-Team: web}}
initial: A
states:
  A: {agent: {name: coder, provider: codex, model: mini, effort: low}, on: {done: B}}
  B: {final: true}
)yaml");
  ASSERT_EQ(result.messages(), "");
  const AgentSettings& agent = result.main().agents[0].settings;
  EXPECT_EQ(agent.provider, "claude");
  EXPECT_EQ(agent.model, "opus");
  EXPECT_EQ(agent.effort, "high");
  EXPECT_EQ(agent.instructions, "Write tests.");
  EXPECT_THAT(*agent.tools, ElementsAre("WebSearch", "mcp__github__*"));
  EXPECT_THAT(*agent.args, ElementsAre("--max-turns", "5"));
  EXPECT_THAT(agent.env, ElementsAre(Pair("LOG_LEVEL", "debug")));
  EXPECT_EQ(agent.mcp.at("github"),
            (McpServer{{"github-mcp-server", "stdio"}, {{"READ_ONLY", "1"}}, "", {}}));
  EXPECT_EQ(agent.mcp.at("docs"),
            (McpServer{{}, {}, "https://docs.example.com/mcp", {{"X-Team", "web"}}}));
  EXPECT_EQ(agent.place("effort").text(), "high");
  EXPECT_EQ(agent.place("mcp.docs").text(), "docs");
  EXPECT_FALSE(agent.place("nothing"));
  const State& state = result.main().state(result.main().find("A"));
  const AgentSettings& call = std::get<AgentCall>(state.activity).settings;
  EXPECT_EQ(call.provider + " " + call.model + " " + call.effort, "codex mini low");
}

TEST(Settings, ThoseOfAnotherFileAreMergedByKey) {
  const LoadResult result = load_files(
      {{"flow.yaml",
        "agneto: 1\nname: mine\nextends: base.yaml\nagents: {coder: {model: haiku, args: "
        "null, mcp: {docs: null, lab: {command: [lab]}}}}\nstates: {A: {agent: {effort: "
        "low}}}\n"},
       {"base.yaml", of_agent("provider: claude, model: opus, args: [-x], mcp: {docs: {url: "
                              "\"http://d\"}, lab: {command: [old], env: {A: b}}}")},
       {"hooks.lua", "return {}"}});
  ASSERT_EQ(result.messages(), "");
  const AgentSettings& agent = result.main().agents[0].settings;
  EXPECT_EQ(agent.provider + " " + agent.model, "claude haiku");
  EXPECT_FALSE(agent.args);
  EXPECT_THAT(agent.mcp, ElementsAre(Pair("lab", McpServer{{"lab"}, {{"A", "b"}}, "", {}})));
  const State& state = result.main().state(result.main().find("A"));
  EXPECT_EQ(std::get<AgentCall>(state.activity).settings.effort, "low");
}

TEST(Settings, WhatIsSaidMoreCloselyGoesBefore) {
  AgentSettings settings;
  settings.provider = "claude";
  settings.model = "opus";
  settings.effort = "high";
  settings.instructions = "Use tabs.";
  settings.args = {"-x"};
  settings.env = {{"A", "1"}, {"B", "1"}};
  settings.mcp = {{"lab", {{"lab"}, {}, "", {}}}};
  AgentSettings closer;
  closer.model = "haiku";
  closer.instructions = "Write tests.";
  closer.args.emplace();
  closer.env = {{"B", "2"}};
  closer.mcp = {{"docs", {{}, {}, "http://d", {}}}};
  settings.lay(closer);
  EXPECT_EQ(settings.provider + " " + settings.model + " " + settings.effort, "claude haiku high");
  EXPECT_EQ(settings.instructions, "Use tabs.\n\nWrite tests.");
  EXPECT_THAT(*settings.args, IsEmpty());
  EXPECT_THAT(settings.env, ElementsAre(Pair("A", "1"), Pair("B", "2")));
  EXPECT_EQ(settings.mcp.size(), 2U);
}

// What a model, an effort, a tool and an argument are called is the provider's own.
TEST(Settings, AnotherProviderHasItsOwnWords) {
  AgentSettings settings;
  settings.provider = "claude";
  settings.model = "opus";
  settings.effort = "max";
  settings.instructions = "Use tabs.";
  settings.tools = {"WebSearch"};
  settings.args = {"--max-turns", "5"};
  settings.env = {{"A", "1"}};
  settings.mcp = {{"lab", {{"lab"}, {}, "", {}}}};
  AgentSettings other;
  other.provider = "codex";
  other.model = "mini";
  settings.lay(other);
  EXPECT_EQ(settings.model, "mini");
  EXPECT_EQ(settings.effort, "");
  EXPECT_FALSE(settings.tools);
  EXPECT_FALSE(settings.args);
  EXPECT_EQ(settings.instructions, "Use tabs.");
  EXPECT_EQ(settings.env.size() + settings.mcp.size(), 2U) << "which are nobody's words";
}

TEST(SettingsReported, ServersThatCannotBeReached) {
  EXPECT_EQ(load_text(of_agent(R"(mcp: {
    a: {},
    b: {command: [x], url: "http://x"},
    c: {command: [x], headers: {A: b}},
    d: {url: "http://x", env: {A: b}},
    e: {url: "x:80"},
    f.g: {command: [x]},
    h: {comand: [x]},
    i: {command: []},
    j: npx})"))
                .messages(),
            R"text(flow.yaml:5:5: error: an MCP server needs one of command, url [E127/one-of]
    a: {},
    ^
flow.yaml:6:28: error: an MCP server is a program or at an address, and this one is both [E127/one-of]
    b: {command: [x], url: "http://x"},
                           ^~~~~~~~~~
  help: keep one of `command` and `url`
flow.yaml:7:23: error: `headers` go to an address, and this MCP server is a program [E459/mcp-server]
    c: {command: [x], headers: {A: b}},
                      ^~~~~~~
  help: what it must be told goes into `env`
flow.yaml:8:26: error: `env` is a program's, and this MCP server is at an address [E459/mcp-server]
    d: {url: "http://x", env: {A: b}},
                         ^~~
  help: what it must be told goes into `headers`
flow.yaml:9:14: error: the address of an MCP server begins with http:// or https:// [E459/mcp-server]
    e: {url: "x:80"},
             ^~~~~~
  help: a program that is started is a `command`: [PROGRAM, ARGUMENT]
flow.yaml:10:5: error: 'f.g' cannot name an MCP server [E125/bad-name]
    f.g: {command: [x]},
    ^~~
  help: its tools are called by its name, which has no dots
flow.yaml:11:9: error: an MCP server has no key 'comand' [E121/unknown-key]
    h: {comand: [x]},
        ^~~~~~
  help: did you mean 'command'?
flow.yaml:12:9: error: 'command' must not be empty [E123/no-value]
    i: {command: []},
        ^~~~~~~
flow.yaml:13:8: error: 'j' must be an MCP server (a map of its keys), found 'npx' [E124/wrong-kind]
    j: npx}}
       ^~~
  help: as in j: {command: [github-mcp-server, stdio]}
)text");
}

TEST(SettingsReported, WhatIsNoLiteralOrNoName) {
  EXPECT_EQ(
      load_text(of_agent(R"(model: "{{ctx.model}}", tools: [--yes], env: {1A: b}, args: --fast)"))
          .messages(),
      R"text(flow.yaml:4:36: warning: how an agent is reached is literal, so that '{{' stays as it is [W449/literal-setting]
  coder: {hooks: hooks.lua, model: "{{ctx.model}}", tools: [--yes], env: {1A: b}, args: --fast}
                                   ^~~~~~~~~~~~~~~
  help: what changes from call to call belongs into its prompt
flow.yaml:4:61: error: 'tools' must be names of tools, such as WebSearch [E124/wrong-kind]
  coder: {hooks: hooks.lua, model: "{{ctx.model}}", tools: [--yes], env: {1A: b}, args: --fast}
                                                            ^~~~~
flow.yaml:4:75: error: '1A' is not a name [E125/bad-name]
  coder: {hooks: hooks.lua, model: "{{ctx.model}}", tools: [--yes], env: {1A: b}, args: --fast}
                                                                          ^~
  help: names begin with a letter or '_' and go on with letters, digits, '_', '-' and '.'
flow.yaml:4:89: error: 'args' must be a list, found '--fast' [E124/wrong-kind]
  coder: {hooks: hooks.lua, model: "{{ctx.model}}", tools: [--yes], env: {1A: b}, args: --fast}
                                                                                        ^~~~~~
  help: as in args: [--max-turns, "5"]
)text");
}

}  // namespace
}  // namespace agneto::model
