#include "providers/replay.h"

namespace agneto::script {
namespace {

using testing::ElementsAre;
using testing::Pair;

TEST(Opencode, SetsThePermissions) {
  DriverCommand command = bundled("opencode").command(call_with("read-only"));
  EXPECT_EQ(argv(command), "opencode run --format json --print-logs --log-level ERROR");
  EXPECT_THAT(command.env,
              ElementsAre(Pair("OPENCODE_PERMISSION", R"({"bash":"deny","edit":"deny"})")));
  EXPECT_THAT(bundled("opencode").command(call_with("edit")).env,
              ElementsAre(Pair("OPENCODE_PERMISSION", R"({"bash":"allow","edit":"allow"})")));
  EXPECT_THAT(bundled("opencode").command(call_with("full")).env,
              ElementsAre(Pair("OPENCODE_PERMISSION", R"({"*":"allow"})")));
}

TEST(Opencode, AllowsTheToolsThatAreGiven) {
  DriverCall call = call_with("read-only");
  call.tools = {"webfetch", "lab_*"};
  EXPECT_THAT(bundled("opencode").command(call).env,
              ElementsAre(Pair("OPENCODE_PERMISSION", R"({"bash":"deny","edit":"deny",)"
                                                      R"("lab_*":"allow","webfetch":"allow"})")));
  EXPECT_EQ(refusal_of_tool("opencode", "webfetch"), "");
  EXPECT_EQ(refusal_of_tool("opencode", "lab_*"), "");
  EXPECT_EQ(refusal_of_tool("opencode", "write"),
            "whether an agent edits is `access` in the workflow");
  EXPECT_EQ(refusal_of_tool("opencode", "*"),
            "it is no name like webfetch, SERVER_TOOL or SERVER_*");
}

TEST(Opencode, TellsOfToolsThatWereDeniedOrFailed) {
  Driver driver = bundled("opencode");
  const auto used = [&](const std::string& tool, const std::string& state) {
    return told(driver.event(R"({"type":"tool_use","part":{"tool":")" + tool + R"(","state":)" +
                             state + "}}"));
  };
  EXPECT_EQ(used("invalid", R"({"status":"completed","input":{"tool":"bash"}})"),
            "end\ndenied bash\ntool invalid");
  EXPECT_EQ(used("lab_look", R"({"status":"error","input":{},"error":)"
                             R"("The user rejected permission to use this specific tool call."})"),
            "end\ndenied lab_look\ntool lab_look");
  EXPECT_EQ(used("edit", R"({"status":"error","input":{"filePath":"greet"},"error":"no match"})"),
            "end\nfailed edit: greet: no match\ntool edit: greet");
}

TEST(Opencode, ContinuesASessionWithTheConfiguredOptions) {
  DriverCall call = call_with("edit");
  call.model = "local/scripted";
  call.session = "ses_1";
  call.options = {{"args", {"--pure"}}, {"env", {{"OPENCODE_CONFIG", "/x.json"}}}};
  DriverCommand command = bundled("opencode").command(call);
  EXPECT_EQ(argv(command),
            "opencode run --format json --print-logs --log-level ERROR --session ses_1 --fork "
            "--model local/scripted --pure");
  EXPECT_EQ(command.input, "Do it.");
  EXPECT_THAT(command.env, testing::Contains(Pair("OPENCODE_CONFIG", "/x.json")));
}

TEST(Opencode, SumsTheStepsAndEndsWithTheLast) {
  Driver driver = bundled("opencode");
  EXPECT_EQ(read(driver, fixture("opencode-edit.jsonl")),
            "session ses_dffc500d5ffeQSQlK1ogeziJtd\n"
            "tool step\n"
            "text Working on it.\n"
            "end\ntool write: /workspace/hello.txt\n"
            "end\nin 100\nout 20\n"
            "session ses_dffc500d5ffeQSQlK1ogeziJtd\n"
            "tool step\n"
            "text Working on it.\n"
            "end\ntool bash: echo ran >> ran.txt\n"
            "end\nin 200\nout 40\n"
            "session ses_dffc500d5ffeQSQlK1ogeziJtd\n"
            "tool step\n"
            "text Done number 5\nVERDICT: CODE_APPLIED\n"
            "end\nin 300\nout 60\n"
            "result Done number 5\nVERDICT: CODE_APPLIED");
}

TEST(Opencode, NotesWhatItsLogTellsOfRequests) {
  const std::string log =
      R"(timestamp=2026-11-25T02:53:40.410Z level=ERROR run=46a646e7 message="stream error" )"
      R"(providerID=local small=false agent=build error.error="AI_APICallError: say \"please\"")";
  EXPECT_EQ(told(bundled("opencode").error_line(log)),
            "note a request failed: AI_APICallError: say \"please\"");
  EXPECT_EQ(told(bundled("opencode").error_line("Error: Session not found")), "");
  std::string title = log;
  title.replace(title.find("small=false"), 11, "small=true");
  EXPECT_EQ(told(bundled("opencode").error_line(title)), "");
  EXPECT_EQ(told(bundled("opencode").finish("", 1, log + "\nError: no such thing\n" + log)),
            "error Error: no such thing");
  EXPECT_EQ(told(bundled("opencode").finish("", 1, log)),
            "error opencode ended with exit status 1 and no result");
}

TEST(Opencode, KnowsALostSession) {
  EXPECT_EQ(told(bundled("opencode").finish("", 1, fixture("opencode-unknown-session.stderr"))),
            "lost\nerror Error: Session not found");
}

TEST(Opencode, ReportsWhatTheModelServerSaid) {
  Driver driver = bundled("opencode");
  EXPECT_EQ(read(driver, fixture("opencode-refused-key.jsonl")),
            "refused invalid x-api-key; "
            "log in with 'opencode auth login', or check the provider's key");
}

std::string opencode_gives_up(const std::string& data) {
  return told(bundled("opencode")
                  .event(R"({"type":"error","error":{"name":"APIError","data":{"message":"no",)" +
                         data + "}}}"));
}

TEST(Opencode, TellsOutagesFromRefusals) {
  EXPECT_EQ(opencode_gives_up(R"("statusCode":529,"isRetryable":true)"), "away no");
  EXPECT_EQ(opencode_gives_up(
                R"("statusCode":429,"isRetryable":true,"responseHeaders":{"retry-after":"7"})"),
            "away no\nwait 7s");
  EXPECT_EQ(opencode_gives_up(R"("isRetryable":true)"), "away no");
  EXPECT_EQ(opencode_gives_up(
                R"("statusCode":429,"isRetryable":true,"responseHeaders":{"retry-after":"-1"})"),
            "away no\nwait 0ms");
  EXPECT_EQ(
      told(
          bundled("opencode")
              .event(
                  R"({"type":"error","error":{"name":"UnknownError","data":{"message":"Overloaded"}}})")),
      "away Overloaded");
  EXPECT_EQ(opencode_gives_up(R"("statusCode":401,"isRetryable":false)"),
            "refused no; log in with 'opencode auth login', or check the provider's key");
  EXPECT_EQ(
      opencode_gives_up(
          R"("statusCode":429,"responseBody":"{\"error\":{\"code\":\"insufficient_quota\"}}")"),
      "refused no; get more of it from the provider");
  EXPECT_EQ(opencode_gives_up(R"("statusCode":400,"isRetryable":false)"), "error no");
}

}  // namespace
}  // namespace agneto::script
