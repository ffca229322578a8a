#include "providers/replay.h"

namespace agneto::script {
namespace {

TEST(Gemini, ChoosesTheApprovalMode) {
  EXPECT_EQ(argv(bundled("gemini").command(call_with("read-only"))),
            "gemini --output-format stream-json --skip-trust --approval-mode default");
  EXPECT_EQ(argv(bundled("gemini").command(call_with("full"))),
            "gemini --output-format stream-json --skip-trust --approval-mode yolo");
}

TEST(Gemini, EditMayRunCommandsByAPolicyOfItsOwn) {
  DriverCommand command = bundled("gemini").command(call_with("edit"));
  EXPECT_EQ(argv(command),
            "gemini --output-format stream-json --skip-trust --approval-mode auto_edit "
            "--policy {files}/policy.toml");
  EXPECT_THAT(command.files, testing::ElementsAre(testing::Pair("policy.toml",
                                                                "[[rule]]\n"
                                                                "toolName = \"run_shell_command\"\n"
                                                                "decision = \"allow\"\n"
                                                                "priority = 100\n")));
}

TEST(Gemini, AllowsTheToolsThatAreGiven) {
  DriverCall call = call_with("read-only");
  call.tools = {"web_fetch", "mcp_lab_*"};
  DriverCommand command = bundled("gemini").command(call);
  EXPECT_EQ(argv(command),
            "gemini --output-format stream-json --skip-trust --approval-mode default "
            "--policy {files}/policy.toml");
  EXPECT_THAT(command.files,
              testing::ElementsAre(testing::Pair(
                  "policy.toml",
                  "[[rule]]\ntoolName = \"web_fetch\"\ndecision = \"allow\"\npriority = 100\n\n"
                  "[[rule]]\ntoolName = \"mcp_lab_*\"\ndecision = \"allow\"\npriority = 100\n")));
  EXPECT_EQ(refusal_of_tool("gemini", "web_fetch"), "");
  EXPECT_EQ(refusal_of_tool("gemini", "mcp_lab_*"), "");
  EXPECT_EQ(refusal_of_tool("gemini", "replace"),
            "whether an agent edits is `access` in the workflow");
  for (const char* name : {"a b", "a\"b", "*"}) {
    EXPECT_EQ(refusal_of_tool("gemini", name),
              "it is no name like web_fetch, mcp_SERVER_TOOL or mcp_SERVER_*")
        << name;
  }
}

TEST(Gemini, TellsOfToolsThatWereDeniedOrFailed) {
  Driver driver = bundled("gemini");
  const auto ended = [&](const std::string& type, const std::string& message) {
    driver.event(R"({"type":"tool_use","tool_name":"web_fetch","tool_id":"t",)"
                 R"("parameters":{"url":"http://x"}})");
    return told(driver.event(R"({"type":"tool_result","tool_id":"t","status":"error",)"
                             R"("error":{"type":")" +
                             type + R"(","message":")" + message + R"("}})"));
  };
  EXPECT_EQ(ended("tool_not_registered", "Tool not found."), "end\ndenied web_fetch");
  EXPECT_EQ(ended("web_fetch_failed", "no route"), "end\nfailed web_fetch: http://x: no route");
}

TEST(Gemini, PassesThePromptOnStdinAndTheConfiguredOptionsOn) {
  DriverCall call = call_with("full");
  call.model = "gemini-2.5-pro";
  call.options = {{"args", {"--debug"}}, {"env", {{"GOOGLE_GEMINI_BASE_URL", "http://x"}}}};
  DriverCommand command = bundled("gemini").command(call);
  EXPECT_EQ(argv(command),
            "gemini --output-format stream-json --skip-trust --approval-mode yolo "
            "--model gemini-2.5-pro --debug");
  EXPECT_EQ(command.input, "Do it.");
  EXPECT_THAT(command.env,
              testing::ElementsAre(testing::Pair("GOOGLE_GEMINI_BASE_URL", "http://x")));
}

TEST(Gemini, TellsOfToolsAndEndsWithWhatWasSaidAfterTheLast) {
  Driver driver = bundled("gemini");
  EXPECT_EQ(read(driver, fixture("gemini-edit.jsonl")),
            "text Working on it.\n"
            "tool write_file: hello.txt\n"
            "end\n"
            "text Working on it.\n"
            "tool run_shell_command: echo ran >> ran.txt\n"
            "end\n"
            "text Done number 1\nVERDICT: CODE_APPLIED\n"
            "in 300\nout 60\n"
            "result Done number 1\nVERDICT: CODE_APPLIED");
}

TEST(Gemini, AnEndWithoutAResultIsAnError) {
  EXPECT_EQ(
      told(bundled("gemini").finish("", 42, "Warning: no colours\nError: no such model\n  at x")),
      "error Error: no such model");
  EXPECT_EQ(told(bundled("gemini").finish("", 41, "Invalid auth method selected.\n")),
            "refused Invalid auth method selected.; log in with 'gemini', or check "
            "GEMINI_API_KEY");
  EXPECT_EQ(told(bundled("gemini").finish("", 3, "")),
            "error gemini ended with exit status 3 and no result");
}

TEST(Gemini, ReportsWhatTheModelServerSaid) {
  Driver driver = bundled("gemini");
  EXPECT_THAT(read(driver, fixture("gemini-refused-key.jsonl")), testing::EndsWith("in 0\nout 0"));
  EXPECT_EQ(told(driver.finish("", 401 - 256, "")),
            "refused [API Error: {\"type\":\"error\",\"error\":{\"type\":\"api_error\",\"message\":"
            "\"bad key\"}}]; log in with 'gemini', or check GEMINI_API_KEY");
}

// What it says at its end, with that exit status.
std::string gemini_gives_up(const std::string& says, int status = 1,
                            const std::string& error_line = "") {
  Driver driver = bundled("gemini");
  driver.error_line(error_line);
  const std::string at_once = told(
      driver.event(R"({"type":"result","status":"error","error":{"type":"unknown","message":")" +
                   says + "\"}}"));
  return at_once.empty() ? told(driver.finish("", status, "")) : at_once;
}

// A gateway does not say Google's code; the program ends with the status's low byte.
TEST(Gemini, KnowsTheStatusOfAGatewayByItsEnd) {
  EXPECT_EQ(gemini_gives_up("[API Error: upstream gone]", 503 - 256),
            "away [API Error: upstream gone]");
  EXPECT_EQ(gemini_gives_up("[API Error: slowly]", 429 - 256), "away [API Error: slowly]");
  EXPECT_EQ(gemini_gives_up("[API Error: bad]", 400 - 256), "error [API Error: bad]");
  EXPECT_EQ(gemini_gives_up("[API Error: full]", 529 - 512,
                            "Attempt 9 failed with status 529. Retrying with backoff... _ApiError"),
            "away [API Error: full]");
}

TEST(Gemini, NotesThatItTriesAgain) {
  const auto noted = [](const std::string& line) {
    return told(bundled("gemini").error_line(line));
  };
  EXPECT_EQ(
      noted("Attempt 1 failed with status 503. Retrying with backoff... _ApiError: {\"error\"}"),
      "note the model server answered 503; trying again");
  EXPECT_EQ(noted("Attempt 2 failed: Quota is used up. Retrying after 5000ms..."),
            "note Quota is used up; trying again");
  EXPECT_EQ(noted("Attempt 1 failed. Retrying with backoff... TypeError: fetch failed"),
            "note TypeError: fetch failed; trying again");
  EXPECT_EQ(noted("Attempt 1 failed. Retrying with backoff..."),
            "note an attempt failed; trying again");
  EXPECT_EQ(noted("    at throwErrorIfNotOK (file:///x.js:1:24)"), "");
}

TEST(Gemini, TellsOutagesFromRefusals) {
  const std::string busy = R"([API Error: {\"error\":{\"code\":503,\"status\":\"UNAVAILABLE\"}}])";
  EXPECT_EQ(gemini_gives_up(busy),
            R"(away [API Error: {"error":{"code":503,"status":"UNAVAILABLE"}}])");
  EXPECT_EQ(gemini_gives_up("[API Error: exception TypeError: fetch failed sending request]"),
            "away [API Error: exception TypeError: fetch failed sending request]");
  EXPECT_EQ(gemini_gives_up("[API Error: Resource has been exhausted (e.g. check quota).]"),
            "away [API Error: Resource has been exhausted (e.g. check quota).]");
  EXPECT_EQ(gemini_gives_up("[API Error: Please retry in 7s.]"),
            "away [API Error: Please retry in 7s.]\nwait 7s");
  EXPECT_EQ(gemini_gives_up("[API Error: Please retry in 865.5ms.]"),
            "away [API Error: Please retry in 865.5ms.]\nwait 1s");
  EXPECT_EQ(
      gemini_gives_up(R"([API Error: {\"error\":{\"code\":400,\"reason\":\"API_KEY_INVALID\"}}])"),
      R"(refused [API Error: {"error":{"code":400,"reason":"API_KEY_INVALID"}}]; )"
      "log in with 'gemini', or check GEMINI_API_KEY");
  EXPECT_EQ(told(bundled("gemini").finish("", 1,
                                          "Error executing tool fetch: connect ECONNREFUSED\n"
                                          "it ended\n")),
            "error Error executing tool fetch: connect ECONNREFUSED\nit ended");
  EXPECT_EQ(gemini_gives_up(R"([API Error: {\"error\":{\"code\":401}}])"),
            "refused [API Error: {\"error\":{\"code\":401}}]; "
            "log in with 'gemini', or check GEMINI_API_KEY");
  EXPECT_EQ(gemini_gives_up("[API Error: You have exhausted your daily quota on this model.]"),
            "refused [API Error: You have exhausted your daily quota on this model.]; get more of "
            "it from the provider");
  EXPECT_EQ(gemini_gives_up("[API Error: models/x is not found for API version v1beta]"),
            "refused [API Error: models/x is not found for API version v1beta]; choose a "
            "model that there is, with 'model' in .agneto/config.yaml");
  EXPECT_EQ(gemini_gives_up("the tools went in circles"), "error the tools went in circles");
}

}  // namespace
}  // namespace agneto::script
