#include <gmock/gmock.h>

#include "lsp/client.h"

namespace agneto::lsp {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::string hooks = "return {prompt = function(m) return 'Do it' end}\n";

std::string flow(const std::string& target) {
  return R"(agneto: 1
name: flow
initial: A
states:
  A:
    run: {argv: [make]}
    on: {ok: )" +
         target + R"(, failed: END}
  END: {final: true}
)";
}

const std::string wrong_target =
    "flow.yaml 6:13-6:16 error E203/undefined-target there is no state 'EDN'\nhelp: did you mean "
    "'END'?";

// One machine that delegates to another, and an agent of either.
const std::string outer = R"(agneto: 1
name: outer
agents:
  coder: {hooks: ../scripts/coder.lua}
initial: A
states:
  A:
    machine: inner.yaml
    on: {GOOD: B, error: END}
  B:
    agent: {name: coder, verdicts: {OK: {}}}
    on: {OK: END, error: END}
  END: {final: true}
)";

std::string inner(const std::string& inputs) {
  return "agneto: 1\nname: inner\n" + inputs + "initial: GOOD\nstates:\n  GOOD: {final: true}\n";
}

// It has the key `agneto`, and is no workflow.
TEST(Diagnostics, NoneAreOfWhatAPackageSaysOfItself) {
  const std::map<std::string, std::string> texts = {
      {"package.yaml", "agneto: 1\ndescription: Reviews\n"}};
  Client client(texts);
  client.open("package.yaml");
  client.settle();
  EXPECT_THAT(client.shown(), IsEmpty());
}

TEST(Diagnostics, ComeWhileTypingAndGoWhenMended) {
  Client client({{"flow.yaml", flow("END")}});
  client.open("flow.yaml");
  client.settle();
  EXPECT_EQ(client.diagnostics["flow.yaml"], Json::array());

  const Json range = {{"start", {{"line", 6}, {"character", 14}}},
                      {"end", {{"line", 6}, {"character", 16}}}};
  client.change("flow.yaml", Json::array({{{"range", range}, {"text", "DN"}}}));
  client.settle();
  EXPECT_THAT(client.shown(), ElementsAre(wrong_target));
  EXPECT_EQ(client.diagnostics["flow.yaml"][0]["source"], "agneto");
  EXPECT_EQ(client.diagnostics["flow.yaml"][0]["codeDescription"]["href"],
            "file:///share/docs/rules/E203-undefined-target.md");

  client.type("flow.yaml", flow("END"));
  client.settle();
  EXPECT_THAT(client.shown(), IsEmpty());
}

TEST(Diagnostics, OfTheLatestTextCount) {
  Client client({{"flow.yaml", flow("END")}});
  client.open("flow.yaml");
  client.settle();
  client.published = 0;
  client.type("flow.yaml", flow("EDN"));
  const Job stale = client.server().next_job();
  const Completion of_old_text = stale();
  client.type("flow.yaml", flow("END"));
  client.server().finish(of_old_text);
  client.settle();
  EXPECT_THAT(client.shown(), IsEmpty());
  EXPECT_EQ(client.published, 0U);
}

TEST(Diagnostics, AreNotSentTwice) {
  Client client({{"flow.yaml", flow("EDN")}});
  client.open("flow.yaml");
  client.settle();
  EXPECT_EQ(client.published, 1U);
  client.type("flow.yaml", flow("EDN"));
  client.settle();
  EXPECT_EQ(client.published, 1U);
}

std::vector<std::string> codes(const Client& client) {
  std::vector<std::string> result;
  for (const auto& [path, list] : client.diagnostics) {
    for (const Json& one : list) {
      result.push_back(fmt::format("{} {} {}", path, one["severity"].get<int>(),
                                   one["code"].get<std::string>()));
    }
  }
  return result;
}

TEST(Diagnostics, OfUnsavedEditsInAnotherFile) {
  Client client({{"workflows/outer.yaml", outer},
                 {"workflows/inner.yaml", inner("")},
                 {"scripts/coder.lua", hooks}});
  client.open("workflows/inner.yaml");
  client.settle();
  EXPECT_THAT(codes(client), IsEmpty());
  client.type("workflows/inner.yaml", inner("inputs: {n: integer}\n"));
  client.settle();
  EXPECT_THAT(codes(client), ElementsAre("workflows/inner.yaml 2 W313/unused-input",
                                         "workflows/outer.yaml 1 E603/missing-input"));
  EXPECT_EQ(
      client.diagnostics["workflows/outer.yaml"][0]["relatedInformation"].dump(),
      R"([{"location":{"range":{"end":{"character":10,"line":2},"start":{"character":9,"line":2}},"uri":"file:///team/workflows/inner.yaml"},"message":"declared here"}])");
  client.close("workflows/inner.yaml");
  client.settle();
  EXPECT_THAT(codes(client), IsEmpty());
}

TEST(Diagnostics, OfAHookAreThoseOfTheWorkflowsThatUseIt) {
  Client client({{"workflows/outer.yaml", outer},
                 {"workflows/inner.yaml", inner("")},
                 {"scripts/coder.lua", hooks}});
  client.open("scripts/coder.lua", "return {\n  prompt = function(m) return 'Do it' end,,\n}\n");
  client.settle();
  EXPECT_THAT(client.shown(), ElementsAre("scripts/coder.lua 1:2-1:43 error E415/hooks unexpected "
                                          "symbol near ','"));
  client.type("scripts/coder.lua", "return {}");
  client.settle();
  EXPECT_THAT(codes(client), ElementsAre("workflows/outer.yaml 1 E415/hooks"));
  client.type("scripts/coder.lua", hooks);
  client.settle();
  EXPECT_THAT(codes(client), IsEmpty());
}

TEST(Diagnostics, FollowTheDisk) {
  Client client({{"workflows/outer.yaml", outer}, {"workflows/inner.yaml", inner("")}});
  client.open("workflows/outer.yaml");
  client.settle();
  EXPECT_THAT(codes(client), ElementsAre("workflows/outer.yaml 1 E601/missing-file"));
  client.wrote("scripts/coder.lua", hooks);
  client.settle();
  EXPECT_THAT(codes(client), IsEmpty());
  client.wrote("workflows/inner.yaml", inner("inputs: {n: integer}\n"));
  client.settle();
  EXPECT_THAT(codes(client), ElementsAre("workflows/outer.yaml 1 E603/missing-input"));
}

TEST(Diagnostics, HaveTheSeverityThatTheTeamWants) {
  const std::string unused =
      "agneto: 1\nname: flow\ncontext: {n: 0} # lint: ignore W312 -- for later\ninitial: "
      "A\nstates:\n  A: {run: {argv: [make]}, on: {ok: B}}\n  B: {final: true}\n";
  Client client({{"flow.yaml", unused}});
  client.open("flow.yaml");
  client.settle();
  EXPECT_THAT(codes(client), ElementsAre("flow.yaml 2 W413/untaken-outcome"));
  client.open(".agneto/config.yaml", "lint: {rules: {W413: error}}\n");
  client.settle();
  EXPECT_THAT(codes(client), ElementsAre("flow.yaml 1 W413/untaken-outcome"));
  client.type(".agneto/config.yaml", "lint: {rules: {W413: off}}\n");
  client.settle();
  EXPECT_THAT(codes(client), IsEmpty());
  client.type(".agneto/config.yaml", "lint: {rules: {W413: of}}\n");
  client.settle();
  EXPECT_THAT(codes(client), ElementsAre(".agneto/config.yaml 1 E302/wrong-type",
                                         "flow.yaml 2 W413/untaken-outcome"));
}

TEST(Diagnostics, GoByTheParametersThatTheTeamSets) {
  const std::string asking =
      "agneto: 1\nname: flow\ninitial: A\nstates:\n  A:\n    ask: {question: Q, options: {YEA: "
      "Do it, NAY: Leave it}}\n    on: {YEA: B, NAY: B}\n    after: {90s: B}\n  B: {final: true}\n";
  Client client({{"flow.yaml", asking}});
  client.open("flow.yaml");
  client.settle();
  EXPECT_THAT(codes(client), IsEmpty());
  client.open(".agneto/config.yaml", "lint: {rules: {hasty-timer: {person: 5m}}}\n");
  client.settle();
  EXPECT_THAT(codes(client), ElementsAre("flow.yaml 2 W238/hasty-timer"));
}

TEST(Diagnostics, OfAConfigurationAreShownWhereItAloneIsOpen) {
  Client client({{"flow.yaml", flow("END")}});
  client.open(".agneto/config.yaml", "provider: typo\n");
  client.settle();
  EXPECT_THAT(codes(client), ElementsAre(".agneto/config.yaml 1 E133/unknown-provider"));
  client.open("flow.yaml");
  client.settle();
  EXPECT_THAT(codes(client), ElementsAre(".agneto/config.yaml 1 E133/unknown-provider"));
  client.type(".agneto/config.yaml", "provider: claude\n");
  client.settle();
  EXPECT_THAT(codes(client), IsEmpty());
}

TEST(Diagnostics, SayWhatAProviderCannotBeGiven) {
  const std::map<std::string, std::string> texts = {
      {"flow.yaml",
       "agneto: 1\nname: flow\nagents: {coder: {hooks: hooks.lua, effort: high}}\n"
       "initial: A\nstates:\n  A: {agent: coder, on: {done: B, error: B}}\n"
       "  B: {final: true}\n"},
      {"hooks.lua", hooks}};
  Client client(texts);
  client.open("flow.yaml");
  client.settle();
  EXPECT_THAT(codes(client), ElementsAre("flow.yaml 1 E458/unusable-setting"));
  client.open(".agneto/config.yaml", "provider: codex\n");
  client.settle();
  EXPECT_THAT(codes(client), IsEmpty());
}

TEST(Diagnostics, CountInWhatTheClientCounts) {
  const std::string text =
      "agneto: 1\nname: a\ninitial: \"\xF0\x9F\x98\x80\xC3\xA4\"\n"
      "states: {A: {final: true}}\n";
  const std::map<std::string, std::string> texts = {{"a.yaml", text}};
  Client client(texts);
  client.open("a.yaml");
  client.settle();
  EXPECT_EQ(Client::brief(client.diagnostics["a.yaml"][0]["range"]), "2:9-2:14");
  Client other(texts, Json::parse(R"({"general": {"positionEncodings": ["utf-8"]}})"));
  other.open("a.yaml");
  other.settle();
  EXPECT_EQ(Client::brief(other.diagnostics["a.yaml"][0]["range"]), "2:9-2:17");
  EXPECT_FALSE(other.diagnostics["a.yaml"][0].contains("codeDescription"));
}

TEST(Diagnostics, OfWhatIsNoWorkflowThereAreNone) {
  const std::map<std::string, std::string> texts = {{"compose.yaml", "services: {}\n"}};
  Client client(texts);
  client.open("compose.yaml");
  client.notify("textDocument/didOpen",
                Json::parse(R"({"textDocument": {"uri": "untitled:1", "languageId": "yaml",
                                "version": 1, "text": "agneto: 1\n"}})"));
  client.settle();
  EXPECT_THAT(client.shown(), IsEmpty());
  EXPECT_EQ(client.published, 1U);
}

TEST(Diagnostics, StayWhenTheFileIsNoWorkflowForAMoment) {
  Client client({{"flow.yaml", flow("END")}});
  client.open("flow.yaml");
  client.type("flow.yaml", "agne" + flow("END"));
  client.settle();
  EXPECT_THAT(codes(client),
              ElementsAre("flow.yaml 1 E121/unknown-key", "flow.yaml 1 E122/missing-key"));
}

// A machine that may wait for ever, which only exploring shows; and one that is wrong besides.
TEST(Diagnostics, ThatTakeLongerComeAfterTheOthers) {
  using Strings = std::vector<std::string>;
  const std::string text = R"yaml(agneto: 1
name: flow
context: {n: 0}
initial: ASKED
states:
  ASKED: {on: {asked: WORKING}}
  WORKING:
    parallel: true
    on: {done.state.WORKING: DONE}
    states:
      LEFT:
        initial: BUILDING
        states:
          BUILDING: {run: {argv: [make]}, on: {ok: BUILT, failed: BROKEN, error: BROKEN}}
          BUILT: {final: true}
          BROKEN: {}
      RIGHT:
        initial: READY
        states:
          READY: {final: true}
  DONE: {final: true}
)yaml";
  Client client({{"flow.yaml", text}});
  client.open("flow.yaml");
  client.server().finish(client.server().next_job()());  // what lint sees at once
  client.drain();
  const Strings at_once = codes(client);
  EXPECT_THAT(at_once, testing::Contains("flow.yaml 2 W312/unused-context"));
  EXPECT_THAT(at_once, testing::Not(testing::Contains("flow.yaml 2 W227/deadlock")));

  const Job exploring = client.server().next_job();
  client.open("notes.yaml", "of something else\n");  // which ends it
  client.server().finish(exploring());
  client.drain();
  EXPECT_EQ(codes(client), at_once);

  client.settle();
  EXPECT_THAT(codes(client), testing::IsSupersetOf(at_once));
  EXPECT_THAT(codes(client), testing::Contains("flow.yaml 2 W227/deadlock"));

  client.open(".agneto/config.yaml", "lint: {explore: false}\n");
  client.settle();
  EXPECT_THAT(codes(client), testing::Not(testing::Contains("flow.yaml 2 W227/deadlock")));
}

}  // namespace
}  // namespace agneto::lsp
