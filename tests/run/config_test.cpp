#include "run/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "model/packages.h"
#include "run/flow.h"
#include "support/errors.h"
#include "support/temporary_folder.h"

namespace agneto::run {
namespace {

using agneto::testing::error_of;
using ::testing::ElementsAre;

struct Read {
  Config config;
  std::string findings;
};

Read read(const std::string& text) {
  MemoryFiles files;
  files.add(".agneto/config.yaml", text);
  Diagnostics diagnostics;
  Read result;
  result.config = load_config(".agneto/config.yaml", files, diagnostics);
  result.findings = render(diagnostics);
  return result;
}

// Settings of the agent of that name, in a workflow that says these of it, and of its call.
AgentSettings of(const Config& config, const std::string& agent,
                 const std::string& in_workflow = "", const std::string& in_state = "") {
  const Flow flow("agneto: 1\nname: flow\nagents: {" + agent + ": {hooks: hook.lua" + in_workflow +
                  "}}\ninitial: A\nstates:\n  A: {agent: {name: " + agent + in_state +
                  "}, on: {done: B}}\n  B: {final: true}\n");
  const model::Machine& machine = flow.system.main();
  AgentSettings settings = config.of(machine, machine.find("A"));
  settings.places.clear();  // which point into a text that goes
  return settings;
}

TEST(Config, ASandboxIsANameOrAllThatCanBeSaidOfIt) {
  EXPECT_FALSE(read("patience: 1h\n").config.sandbox.is_on());
  EXPECT_EQ(read("sandbox: mine\n").config.sandbox.driver, "mine");
  EXPECT_FALSE(read("sandbox: none\n").config.sandbox.is_on());
  const auto [config, findings] = read(
      "sandbox:\n  network: none\n  reads: [~/.cargo, /srv/x/../y]\n  writes: [~/.npm]\n"
      "  passes: [A, B_*]\n");
  EXPECT_EQ(findings, "");
  EXPECT_EQ(config.sandbox.driver, "bubblewrap");
  EXPECT_FALSE(config.sandbox.network);
  EXPECT_EQ(config.sandbox.reads, (std::vector<std::string>{"~/.cargo", "/srv/x/../y"}));
  EXPECT_EQ(config.sandbox.writes, std::vector<std::string>{"~/.npm"});
  EXPECT_EQ(config.sandbox.passes, (std::vector<std::string>{"A", "B_*"}));
  EXPECT_THAT(
      read("sandbox:\n  network: some\n  reads: [cache]\n").findings,
      ::testing::AllOf(
          ::testing::HasSubstr("'sandbox.network' must be open or none"),
          ::testing::HasSubstr("'sandbox.reads' must be paths such as ~/.cargo or /srv/cache")));
}

TEST(Config, ARetryIsSaidKeyByKey) {
  const Config config = read(
                            "retry: {tries: 5, backoff: 10s}\n"
                            "agents: {coder: {retry: {tries: 2}}}\n")
                            .config;
  const std::string in_workflow = ", tries: 4, retry: {max: 1m}";
  const auto retry = [&](const std::string& agent) {
    return model::usual_of_agent.with(of(config, agent, in_workflow, ", retry: {on: error}").retry);
  };
  const model::Retry said{.tries = 4,
                          .backoff = std::chrono::seconds(10),
                          .longest = std::chrono::minutes(1),
                          .on = {"error"}};
  EXPECT_EQ(retry("reviewer"), said);
  EXPECT_EQ(retry("coder").tries, 2);
  EXPECT_EQ(retry("coder").backoff, said.backoff);
  EXPECT_EQ(
      read("retry: {tries: 0, on: ok}\n").findings,
      R"text(.agneto/config.yaml:1:16: error: no tries: the agent is never called [E408/bad-limit]
retry: {tries: 0, on: ok}
               ^
  help: tries: 1 tries it once
.agneto/config.yaml:1:23: error: 'ok' is nothing that an agent can be tried again for [E462/bad-retry]
retry: {tries: 0, on: ok}
                      ^~
  help: known outcomes: error, error.timeout, error.exit, error.spawn, error.unparsed
)text");
}

TEST(Config, AnAbsentFileIsAnEmptyConfiguration) {
  Diagnostics diagnostics;
  Config config = load_config("nowhere", MemoryFiles(), diagnostics);
  EXPECT_TRUE(diagnostics.empty());
  EXPECT_EQ(config.all.provider, "");
}

TEST(Config, NothingButCommentsIsAnEmptyConfiguration) {
  for (const char* text : {"", "\n \n", "# provider: claude\n", "\n  # a\r\n#b"}) {
    const Read found = read(text);
    EXPECT_EQ(found.findings, "") << text;
    EXPECT_EQ(found.config.all.provider, "");
  }
}

TEST(Config, PatienceIsAnHourUnlessItSaysOtherwise) {
  EXPECT_EQ(read("").config.patience, std::chrono::hours(1));
  EXPECT_EQ(read("patience: 0s\n").config.patience, Millis(0));
  EXPECT_EQ(read("patience: soon\n").findings,
            ".agneto/config.yaml:1:11: error: 'patience' must be a duration such as 90s, 20m or 4h "
            "[E302/wrong-type]\npatience: soon\n          ^~~~\n");
}

TEST(Config, AnAgentsOwnSettingsComeBeforeEverybodys) {
  Config config = read(R"(provider: claude
model: opus
instructions: Use tabs.
agents:
  coder: {model: sonnet, instructions: Write tests.}
  reviewer: {provider: codex}
)")
                      .config;
  EXPECT_EQ(of(config, "planner").model, "opus");
  EXPECT_EQ(of(config, "coder").provider, "claude");
  EXPECT_EQ(of(config, "coder").model, "sonnet");
  EXPECT_EQ(of(config, "coder").instructions, "Use tabs.\n\nWrite tests.");
  EXPECT_EQ(of(config, "reviewer").provider, "codex");
  EXPECT_EQ(of(config, "reviewer").model, "") << "claude's model is not codex's";
}

TEST(Config, AWorkflowGoesBeforeEverybodysAndAnAgentsBeforeTheWorkflow) {
  const auto model_of = [](const std::string& config) {
    const Read found = read("provider: claude\nmodel: all\n" + config);
    EXPECT_EQ(found.findings, "");
    return of(found.config, "coder", ", provider: claude, model: agent", ", model: call").model;
  };
  EXPECT_EQ(of(read("model: all\n").config, "coder").model, "all");
  EXPECT_EQ(of(read("model: all\n").config, "coder", ", model: agent").model, "agent");
  EXPECT_EQ(model_of(""), "call");
  EXPECT_EQ(model_of("agents: {coder: {model: own}}\n"), "own");
  EXPECT_EQ(model_of("agents: {coder: {model: own}}\nworkflows: {flow: {model: whole}}\n"),
            "whole");
  EXPECT_EQ(model_of("workflows: {flow: {model: whole, agents: {coder: {model: one}}}}\n"), "one");
  EXPECT_EQ(model_of("workflows: {other: {agents: {coder: {model: one}}}}\n"), "call");
  EXPECT_EQ(model_of("workflows: {flow: {provider: codex}}\n"), "") << "it is not codex's";
}

TEST(Config, AllThatAWorkflowCanSayOfAnAgent) {
  const Read found = read(R"(agents:
  coder:
    effort: high
    args: [--max-turns, "5"]
    env: {LOG_LEVEL: debug}
    mcp: {docs: {url: "https://docs.example.com/mcp"}}
)");
  EXPECT_EQ(found.findings, "");
  const AgentSettings coder =
      of(found.config, "coder", ", env: {LOG_LEVEL: info, A: b}, mcp: {lab: {command: [lab]}}");
  EXPECT_EQ(coder.effort, "high");
  EXPECT_THAT(*coder.args, ElementsAre("--max-turns", "5"));
  EXPECT_THAT(coder.env,
              ElementsAre(::testing::Pair("A", "b"), ::testing::Pair("LOG_LEVEL", "debug")));
  EXPECT_EQ(coder.mcp.size(), 2U);
  EXPECT_EQ(read("agents: {coder: {mcp: {docs: {}}, effort: [1]}}\n").findings,
            ".agneto/config.yaml:1:24: error: an MCP server needs one of command, url "
            "[E127/one-of]\n"
            "agents: {coder: {mcp: {docs: {}}, effort: [1]}}\n"
            "                       ^~~~\n"
            ".agneto/config.yaml:1:43: error: 'effort' must be text, found a list "
            "[E124/wrong-kind]\n"
            "agents: {coder: {mcp: {docs: {}}, effort: [1]}}\n"
            "                                          ^~~\n");
}

TEST(Config, AWorkflowHasTheKeysOfAllAndThoseOfItsAgents) {
  EXPECT_EQ(read("workflows: {flow: {agent: {coder: {}}, agents: {coder: {modl: x}}}}\n").findings,
            ".agneto/config.yaml:1:20: error: unknown key 'agent' in workflows.flow "
            "[E121/unknown-key]\n"
            "workflows: {flow: {agent: {coder: {}}, agents: {coder: {modl: x}}}}\n"
            "                   ^~~~~\n"
            "  help: did you mean 'agents'?\n"
            ".agneto/config.yaml:1:57: error: unknown key 'modl' in workflows.flow.agents.coder "
            "[E121/unknown-key]\n"
            "workflows: {flow: {agent: {coder: {}}, agents: {coder: {modl: x}}}}\n"
            "                                                        ^~~~\n"
            "  help: did you mean 'model'?\n");
}

TEST(Config, AnAgentsOwnToolsComeInsteadOfEverybodys) {
  Config config = read(R"(provider: claude
tools: [WebSearch]
agents:
  coder: {tools: [WebFetch, "mcp__github__*"]}
  judge: {tools: []}
  reviewer: {provider: codex}
)")
                      .config;
  using Tools = std::vector<std::string>;
  EXPECT_EQ(of(config, "planner").tools, Tools{"WebSearch"});
  EXPECT_EQ(of(config, "coder").tools, (Tools{"WebFetch", "mcp__github__*"}));
  EXPECT_EQ(of(config, "judge").tools, Tools{});
  EXPECT_EQ(of(config, "reviewer").tools, std::nullopt) << "claude's tools are not codex's";
}

TEST(Config, AToolIsANameAndNoOption) {
  EXPECT_EQ(read("tools: [--yes]\n").findings,
            ".agneto/config.yaml:1:9: error: 'tools' must be names of tools, such as WebSearch "
            "[E302/wrong-type]\ntools: [--yes]\n        ^~~~~\n");
  EXPECT_THAT(read("tools: [\"\"]\n").findings, ::testing::HasSubstr("must be names of tools"));
  EXPECT_THAT(read("tools: [\"a\\nb\"]\n").findings,
              ::testing::HasSubstr("must be names of tools"));
  EXPECT_THAT(read("tools: WebSearch\n").findings, ::testing::HasSubstr("'tools' must be a list"));
}

TEST(Config, WorkspaceLimitsAndProvidersOptions) {
  Config config = read(R"(providers:
  command: {argv: [my-agent, --fast]}
workspace:
  setup: npm ci
  copy: [.env]
  verify: npm test
limits: {calls: 50, cost: 2.5, tokens: 5000000000, time: 4h}
)")
                      .config;
  EXPECT_EQ(config.options_of("command"), (Json{{"argv", {"my-agent", "--fast"}}}));
  EXPECT_EQ(config.options_of("claude"), Json::object());
  EXPECT_EQ(config.setup, "npm ci");
  EXPECT_THAT(config.copy, ElementsAre(".env"));
  EXPECT_EQ(config.verify, "npm test");
  EXPECT_EQ(config.limits.calls, 50);
  EXPECT_EQ(config.limits.cost, 2.5);
  EXPECT_EQ(config.limits.tokens, 5'000'000'000);
  EXPECT_EQ(config.limits.time, std::chrono::hours(4));
}

TEST(Config, APriceIsThatOfTheModelOrElseOfItsProvider) {
  const Read all = read(R"(prices:
  codex: {input: 1.25, cached_input: 0.125, output: 10}
  codex/mini: {input: 0.25, output: 2}
  command: {input: 0, output: 0}
)");
  EXPECT_EQ(all.findings, "");
  const auto price = [&](const char* provider, const char* model) {
    const auto found = all.config.price_of(provider, model);
    return found ? std::vector{found->input, found->cached_input, found->output}
                 : std::vector<double>();
  };
  EXPECT_THAT(price("codex", ""), ElementsAre(1.25, 0.125, 10));
  EXPECT_THAT(price("codex", "large"), ElementsAre(1.25, 0.125, 10));
  EXPECT_THAT(price("codex", "mini"), ElementsAre(0.25, 0.25, 2));
  EXPECT_THAT(price("command", ""), ElementsAre(0, 0, 0));
  EXPECT_THAT(price("gemini", ""), ElementsAre());
  EXPECT_EQ(read("prices: {codex: {input: -1, output: 1}}\n").findings,
            ".agneto/config.yaml:1:25: error: 'input' must be 0 or a number above 0 "
            "[E302/wrong-type]\n"
            "prices: {codex: {input: -1, output: 1}}\n"
            "                        ^~\n");
}

TEST(Config, EveryMistakeIsReportedWithItsPlace) {
  EXPECT_EQ(
      read(R"(provder: claude
limits: {calls: many, time: 4 hours}
agents:
  coder: fast
)")
          .findings,
      R"(.agneto/config.yaml:1:1: error: unknown key 'provder' in config.yaml [E121/unknown-key]
provder: claude
^~~~~~~
  help: did you mean 'provider'?
.agneto/config.yaml:2:17: error: 'calls' must be a whole number above 0 [E302/wrong-type]
limits: {calls: many, time: 4 hours}
                ^~~~
.agneto/config.yaml:2:29: error: 'time' must be a duration such as 90s, 20m or 4h [E302/wrong-type]
limits: {calls: many, time: 4 hours}
                            ^~~~~~~
.agneto/config.yaml:4:10: error: 'agents.coder' must be a map [E302/wrong-type]
  coder: fast
         ^~~~
)");
}

TEST(Config, NumbersThatMeanNothingAreMistakes) {
  // The message of each, without its place.
  const auto wrong = [](const std::string& text) {
    const std::string all = read(text).findings;
    const auto begin = all.find("error: ") + 7;
    return all.substr(begin, all.find(" [E302") - begin);
  };
  for (const char* number : {"0", "-1", "1.5", "0.5", "99999999999", "0x10", "~", "[1]"}) {
    EXPECT_EQ(wrong(std::string("limits: {calls: ") + number + "}\n"),
              "'calls' must be a whole number above 0")
        << number;
  }
  for (const char* number : {"0", "-1", "inf", "nan", "five"}) {
    EXPECT_EQ(wrong(std::string("limits: {cost: ") + number + "}\n"),
              "'cost' must be a number above 0")
        << number;
  }
  EXPECT_EQ(wrong("limits: {time: 0s}\n"), "'time' must be a duration above 0");
}

TEST(Config, FilesToCopyAreBelowTheRootAndNoneOfARun) {
  for (const char* path :
       {"../x", "/etc/hosts", ".agneto", ".", "''", "./.agneto/worktrees", ".git"}) {
    EXPECT_EQ(read(std::string("workspace:\n  copy:\n    - ") + path + "\n").findings,
              std::string(".agneto/config.yaml:3:7: error: 'copy' must be paths below the root of "
                          "the checkout, outside of .agneto and .git [E302/wrong-type]\n    - ") +
                  path + "\n      ^" + std::string(std::string(path).size() - 1, '~') + "\n")
        << path;
  }
  EXPECT_EQ(read("workspace: {copy: [.env, a/../b, ./c]}\n").findings, "");
}

TEST(Config, OptionsOfAProviderAreAMap) {
  EXPECT_EQ(read("providers: {claude: fast}\n").findings,
            ".agneto/config.yaml:1:21: error: 'providers.claude' must be a map [E302/wrong-type]\n"
            "providers: {claude: fast}\n                    ^~~~\n");
}

TEST(Config, PricesAreOfAModelOrOfAProvidersOthers) {
  const Read found = read(R"(prices:
  codex: {input: 1.25, cached_input: 0.125, output: 10}
  opencode/lab/small: {input: 0, output: 2}
)");
  EXPECT_EQ(found.findings, "");
  EXPECT_EQ(found.config.price_of("codex", "any")->cached_input, 0.125);
  EXPECT_EQ(found.config.price_of("opencode", "lab/small")->output, 2);
  EXPECT_FALSE(found.config.price_of("opencode", "lab/large"));
  EXPECT_EQ(read("prices: {codex: {input: 1}}\n").findings,
            ".agneto/config.yaml:1:17: error: a price needs the key 'output' [E122/missing-key]\n"
            "prices: {codex: {input: 1}}\n                ^~~~~~~~~~\n"
            "  help: write {input: 1.25, output: 10}: US dollars for a million tokens\n");
}

// Both a provider and a model may have a / in their name.
TEST(Config, APriceMayBeOfAModelOfAPackagesDriver) {
  const Read found = read(R"(prices:
  kit/mine: {input: 1, output: 1}
  kit/mine/lab/small: {input: 1, output: 2}
  kit/mien/small: {input: 1, output: 3}
  opencode/kit/mine: {input: 1, output: 4}
  gone/small: {input: 1, output: 5}
)");
  EXPECT_EQ(found.findings, "");
  EXPECT_EQ(found.config.price_of("kit/mine", "lab/small")->output, 2);
  EXPECT_EQ(found.config.price_of("kit/mine", "lab/large")->output, 1);
  EXPECT_EQ(found.config.price_of("opencode", "kit/mine")->output, 4);
  const std::string driver = "return {command = function() end}";
  const model::Package kit{"kit", "../kit", "", "v1", std::string(40, 'a'), "abc"};
  MemoryFiles files({{".agneto/agneto.lock", model::to_yaml({kit})},
                     {".agneto/packages/kit/package.yaml", "agneto: 1\ndescription: Drivers.\n"},
                     {".agneto/packages/kit/scripts/providers/mine.lua", driver},
                     {"/usr/providers/opencode.lua", driver}});
  Diagnostics diagnostics;
  check_providers(found.config, files, {".agneto/scripts/providers", "/usr/providers"},
                  diagnostics);
  EXPECT_EQ(
      render(diagnostics),
      R"(.agneto/config.yaml:4:3: error: there is no provider 'kit/mien' [E133/unknown-provider]
  kit/mien/small: {input: 1, output: 3}
  ^~~~~~~~~~~~~~
.agneto/config.yaml:6:3: error: there is no provider 'gone' [E133/unknown-provider]
  gone/small: {input: 1, output: 5}
  ^~~~~~~~~~
)");
}

TEST(Config, AFileThatCannotBeReadIsAMistake) {
  const agneto::testing::TemporaryFolder folder;
  const fs::path file = folder / "config.yaml";
  const auto said = [&] {
    Diagnostics diagnostics;
    load_config(file, Disk(), diagnostics);
    return render(diagnostics);
  };
  EXPECT_EQ(said(), "");
  const std::string unreadable = "error: cannot read the file '" + file.string() +
                                 "' [E601/missing-file]\n  help: make it a file that can be read, "
                                 "or remove it\n";
  fs::create_directories(file);
  EXPECT_EQ(said(), unreadable);
  fs::remove(file);
  fs::create_symlink("gone.yaml", file);
  EXPECT_EQ(said(), unreadable);
}

TEST(Config, AProviderWithoutADriverIsAMistakeWhereverItIsNamed) {
  const agneto::testing::TemporaryFolder folder;
  for (const char* name : {"claude.lua", "codex.lua", "claude.test.lua"}) {
    write_file(folder / name, "return {}\n");
  }
  const Config config = read(R"(provider: cluade
agents:
  coder: {provider: auto}
  reviewer: {provider: "codx"}
  planner: {provider: claude}
providers:
  claude: {args: [-x]}
  auto: {args: [-x]}
  zz: {}
)")
                            .config;
  Diagnostics diagnostics;
  check_providers(config, Disk(), {"/nowhere", folder.path()}, diagnostics);
  EXPECT_EQ(
      render(diagnostics),
      R"(.agneto/config.yaml:1:11: error: there is no provider 'cluade' [E133/unknown-provider]
provider: cluade
          ^~~~~~
  help: did you mean 'claude'?
.agneto/config.yaml:4:24: error: there is no provider 'codx' [E133/unknown-provider]
  reviewer: {provider: "codx"}
                       ^~~~~~
  help: did you mean 'codex'?
.agneto/config.yaml:8:3: error: there is no provider 'auto' [E133/unknown-provider]
  auto: {args: [-x]}
  ^~~~
  help: known providers: claude, codex
.agneto/config.yaml:9:3: error: there is no provider 'zz' [E133/unknown-provider]
  zz: {}
  ^~
  help: known providers: claude, codex
)");
}

TEST(Config, AnOptionThatADriverDoesNotKnowIsAMistake) {
  MemoryFiles files;
  const std::string rest = "command = function() end}\n";
  files.add("/p/claude.lua", "return {options = {'args', 'env'}, " + rest);
  files.add("/p/none.lua", "return {options = {}, " + rest);
  files.add("/p/any.lua", "return {" + rest);
  files.add("/p/broken.lua", "return {options = 1}");
  const Config config = read(R"(providers:
  claude: {arsg: [-x], env: {A: b}, "args": []}
  none: {x: 1}
  any: {arsg: [-x]}
  broken: {arsg: [-x]}
  gone: {arsg: [-x]}
)")
                            .config;
  Diagnostics diagnostics;
  check_providers(config, files, {"/p"}, diagnostics);
  EXPECT_EQ(
      render(diagnostics),
      R"(.agneto/config.yaml:2:12: error: unknown key 'arsg' in providers.claude [E121/unknown-key]
  claude: {arsg: [-x], env: {A: b}, "args": []}
           ^~~~
  help: did you mean 'args'?
.agneto/config.yaml:3:10: error: unknown key 'x' in providers.none [E121/unknown-key]
  none: {x: 1}
         ^
.agneto/config.yaml:6:3: error: there is no provider 'gone' [E133/unknown-provider]
  gone: {arsg: [-x]}
  ^~~~
)");
}

// Notes what was read.
class NotedFiles : public MemoryFiles {
 public:
  std::optional<std::string> read(const fs::path& path) const override {
    asked = true;
    return MemoryFiles::read(path);
  }
  mutable bool asked = false;
};

TEST(Config, AnAgentOrAWorkflowThatThereIsNotIsRemarkedOn) {
  NotedFiles files;
  files.add("/w/other.yaml", R"(agneto: 1
name: other
agents:
  poet: {hooks: none.lua}
initial: DONE
states: {DONE: {finall: true}}
)");
  files.add("/w/broken.yaml", "agneto: [\n");
  const auto said = [&](const std::string& text) {
    const Config config = read(text).config;
    Diagnostics diagnostics;
    check_names(config, {{"coder", "reviewer"}, {"flow"}}, {"/w/other.yaml", "/w/broken.yaml"},
                files, {}, diagnostics);
    return render(diagnostics);
  };
  EXPECT_EQ(said("agents: {coder: {model: a}, reviewer: {model: b}}\nworkflows: {flow: {agents: "
                 "{coder: {model: a}}}}\n"),
            "");
  EXPECT_FALSE(files.asked);
  EXPECT_EQ(said("agents: {coder: {model: a}, poet: {model: b}}\n"), "");
  EXPECT_EQ(
      said("agents:\n  codr: {model: a}\n  x: {}\n"),
      R"(.agneto/config.yaml:2:3: warning: no workflow has an agent 'codr' [W134/unknown-agent]
  codr: {model: a}
  ^~~~
  help: did you mean 'coder'?
.agneto/config.yaml:3:3: warning: no workflow has an agent 'x' [W134/unknown-agent]
  x: {}
  ^
  help: known agents: coder, poet, reviewer
)");
  EXPECT_EQ(said("workflows:\n  othr: {model: a}\n  flow: {agents: {poett: {model: a}}}\n"),
            R"(.agneto/config.yaml:2:3: warning: there is no workflow 'othr' [W451/unknown-workflow]
  othr: {model: a}
  ^~~~
  help: did you mean 'other'?
.agneto/config.yaml:3:19: warning: no workflow has an agent 'poett' [W134/unknown-agent]
  flow: {agents: {poett: {model: a}}}
                  ^~~~~
  help: did you mean 'poet'?
)");
}

}  // namespace
}  // namespace agneto::run
