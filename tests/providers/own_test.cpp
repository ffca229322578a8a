// The providers without a CLI of their own: `command` and `offline`.
#include "providers/replay.h"
#include "script/hooks.h"
#include "support/paths.h"

namespace agneto::script {
namespace {

using testing::Pair;

std::string refusal(const std::string& provider, const DriverCall& call) {
  try {
    bundled(provider).command(call);
  } catch (const HookError& error) {
    return error.what();
  }
  return "nothing was refused";
}

TEST(Command, RunsAnyProgramAndTellsItWhoAsks) {
  DriverCall call = call_with("read-only");
  call.state = "TASK_PLANNING";
  call.task = "plan";
  call.model = "small";
  call.tools = {"search", "look at this"};
  call.options = {{"argv", {"./agent.sh", "--fast"}}, {"env", {{"KEY", "value"}}}};
  DriverCommand command = bundled("command").command(call);
  EXPECT_EQ(argv(command), "./agent.sh --fast");
  EXPECT_EQ(command.input, "Do it.");
  EXPECT_THAT(command.env,
              testing::UnorderedElementsAre(
                  Pair("AGNETO_AGENT", "coder"), Pair("AGNETO_STATE", "TASK_PLANNING"),
                  Pair("AGNETO_TASK", "plan"), Pair("AGNETO_ACCESS", "read-only"),
                  Pair("AGNETO_MODEL", "small"), Pair("AGNETO_TOOLS", "search\nlook at this"),
                  Pair("AGNETO_EFFORT", ""), Pair("AGNETO_MCP", ""), Pair("KEY", "value")));
}

TEST(Command, TakesTheWholeOutputForTheReply) {
  Driver driver = bundled("command");
  EXPECT_FALSE(driver.reads_lines()) << "they are text, as they stand";
  EXPECT_EQ(told(driver.finish("Fine.\nVERDICT: OK\n", 0, "a warning")),
            "result Fine.\nVERDICT: OK\n");
}

TEST(Command, ReportsAFailedProgramWithItsWords) {
  EXPECT_EQ(told(bundled("command").finish("half", 4, "no such model\n")),
            "error the program ended with exit status 4: no such model");
  EXPECT_EQ(told(bundled("command").finish("half", 4, "")),
            "error the program ended with exit status 4");
}

TEST(Command, ExitStatusesSayWhoseFailureItIs) {
  EXPECT_EQ(told(bundled("command").finish("", 75, "the server is busy\n")),
            "away the program ended with exit status 75: the server is busy");
  EXPECT_EQ(told(bundled("command").finish("", 77, "log in first\n")),
            "refused the program ended with exit status 77: log in first");
}

TEST(Command, SaysHowToNameTheProgramBeforeAnythingIsMade) {
  EXPECT_EQ(bundled("command").refusal({{"argv", {"./agent.sh"}}}), std::nullopt);
  EXPECT_EQ(bundled("command").refusal({{"argv", Json::array()}}),
            "the provider 'command' does not know what to run; say so in .agneto/config.yaml: "
            "'providers: {command: {argv: [PROGRAM, ARGUMENT, ...]}}'");
  EXPECT_EQ(refusal("command", call_with("edit")),
            "the provider 'command' does not know what to run; say so in .agneto/config.yaml: "
            "'providers: {command: {argv: [PROGRAM, ARGUMENT, ...]}}'");
}

DriverCall offline_call(int nth, int attempt = 1) {
  DriverCall call = call_with("edit");
  call.nth = nth;
  call.attempt = attempt;
  call.options = {
      {"cassette",
       {{"calls",
         {{{"agent", "planner"}, {"reply", "a plan"}},
          {{"agent", "coder"},
           {"reply", "done"},
           {"delay", "200ms"},
           {"edits", {{"a.txt", "text"}, {"gone.txt", nullptr}}}},
          {{"agent", "coder"}, {"attempts", {{{"error", "boom"}}, {{"reply", "the second time"}}}}},
          {{"agent", "coder"}, {"delay", "1s"}}}}}}};
  return call;
}

TEST(Offline, NeedsACassetteBeforeAnythingIsMade) {
  EXPECT_EQ(bundled("offline").refusal(offline_call(1).options), std::nullopt);
  EXPECT_EQ(bundled("offline").refusal(Json::object()),
            "the provider 'offline' answers from a cassette; name one: --cassette FILE");
  EXPECT_EQ(bundled("claude").refusal(Json::object()), std::nullopt);
}

TEST(Offline, PlaysTheCallsOfAnAgentInOrder) {
  DriverCommand command = bundled("offline").command(offline_call(1));
  ASSERT_TRUE(command.answer);
  EXPECT_EQ(command.answer->text, "done");
  EXPECT_EQ(command.answer->error, "");
  EXPECT_EQ(command.answer->delay, Millis(200));
  EXPECT_THAT(command.answer->edits,
              testing::ElementsAre(Pair("a.txt", testing::Optional(std::string("text"))),
                                   Pair("gone.txt", std::nullopt)));
}

TEST(Offline, PlaysTheAttemptsOfOneCall) {
  EXPECT_EQ(bundled("offline").command(offline_call(2, 1)).answer->error, "boom");
  EXPECT_EQ(bundled("offline").command(offline_call(2, 2)).answer->text, "the second time");
}

TEST(Offline, TheLastCallOfAnAgentMayAnswerAgain) {
  DriverCall call = offline_call(5);
  call.options["cassette"]["calls"][3]["again"] = true;
  call.options["cassette"]["calls"][3]["reply"] = "as before";
  EXPECT_EQ(bundled("offline").command(call).answer->text, "as before");
  call.nth = 1;
  EXPECT_EQ(bundled("offline").command(call).answer->text, "done");
}

TEST(Offline, SaysWhatTheCassetteLacks) {
  EXPECT_EQ(
      refusal("offline", offline_call(4)),
      "the cassette has 3 calls for 'coder', this is the 4th; add one, or let the last answer "
      "'again'");
  EXPECT_EQ(refusal("offline", offline_call(2, 3)),
            "the cassette has 2 attempts for the 2nd call of 'coder', this is the 3rd; add one");
  EXPECT_EQ(refusal("offline", offline_call(3)),
            "the cassette's 3rd call of 'coder' has neither 'reply' nor 'error'");
  DriverCall other = offline_call(1);
  other.agent = "reviewer";
  EXPECT_EQ(refusal("offline", other),
            "the cassette has 0 calls for 'reviewer', this is the 1st; add one, or let the last "
            "answer 'again'");
  EXPECT_EQ(refusal("offline", call_with("edit")),
            "the provider 'offline' answers from a cassette; name one: --cassette FILE");
}

// docs/providers.md ends with a whole driver for a reader to start from.
TEST(Providers, TheDocumentedDriverWorks) {
  std::ifstream file(std::filesystem::path(AGNETO_SOURCE_DIR) / "docs/providers.md");
  std::stringstream docs;
  docs << file.rdbuf();
  const std::string text = docs.str();
  const std::size_t begin = text.rfind("```lua\n") + 7;
  MemoryFiles files({{"/team/mycli.lua", text.substr(begin, text.find("```\n", begin) - begin)}});
  Driver driver("mycli", files, {"/team"});
  DriverCall call = call_with("read-only");
  call.session = "7";
  DriverCommand command = driver.command(call);
  EXPECT_EQ(argv(command), "mycli --json --dry --continue 7");
  EXPECT_EQ(command.input, "Do it.");
  EXPECT_EQ(read(driver, "a warning\n{\"say\":\"hm\"}\n{\"done\":\"yes\",\"id\":\"8\"}\n"),
            "text hm\nsession 8\nresult yes");
  EXPECT_EQ(told(driver.finish("", 1, "no key")), "error mycli ended with exit status 1: no key");
}

TEST(Providers, SayWhichProgramTheyNeedAndWhetherTheyRemember) {
  struct Row {
    const char* name;
    const char* program;
    bool sessions;
  };
  for (const Row& row : {Row{"claude", "claude", true}, Row{"codex", "codex", true},
                         Row{"opencode", "opencode", true}, Row{"gemini", "gemini", false},
                         Row{"command", "", false}, Row{"offline", "", false}}) {
    Driver driver = bundled(row.name);
    EXPECT_EQ(driver.program(), row.program) << row.name;
    EXPECT_EQ(driver.has_sessions(), row.sessions) << row.name;
  }
}

}  // namespace
}  // namespace agneto::script
