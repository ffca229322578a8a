#include "providers/replay.h"

namespace agneto::script {
namespace {

TEST(Claude, ReadOnlyTakesTheEditingToolsAway) {
  EXPECT_EQ(argv(bundled("claude").command(call_with("read-only"))),
            "claude -p --output-format stream-json --verbose --include-partial-messages "
            "--permission-mode dontAsk "
            "--disallowedTools Edit,Write,NotebookEdit,EnterWorktree");
}

TEST(Claude, EditMayChangeFilesAndRunCommands) {
  EXPECT_EQ(argv(bundled("claude").command(call_with("edit"))),
            "claude -p --output-format stream-json --verbose --include-partial-messages "
            "--permission-mode acceptEdits "
            "--allowedTools Bash --disallowedTools EnterWorktree");
}

TEST(Claude, FullSkipsPermissions) {
  EXPECT_EQ(argv(bundled("claude").command(call_with("full"))),
            "claude -p --output-format stream-json --verbose --include-partial-messages "
            "--dangerously-skip-permissions");
}

TEST(Claude, AllowsTheToolsThatAreGiven) {
  DriverCall call = call_with("read-only");
  call.tools = {"WebFetch(domain:example.com)", "mcp__github__*"};
  EXPECT_EQ(argv(bundled("claude").command(call)),
            "claude -p --output-format stream-json --verbose --include-partial-messages "
            "--permission-mode dontAsk "
            "--allowedTools WebFetch(domain:example.com),mcp__github__* "
            "--disallowedTools Edit,Write,NotebookEdit,EnterWorktree");
  call.access = "edit";
  EXPECT_THAT(argv(bundled("claude").command(call)),
              testing::HasSubstr("--allowedTools Bash,WebFetch(domain:example.com),mcp__github"));
}

TEST(Claude, GivesNoToolThatEditsOrIsNoName) {
  for (const char* name : {"WebSearch", "mcp__github", "mcp__github__get-issue", "mcp__github__*",
                           "Bash(npm run test:*)", "Bash(make a, b)", "WebFetch(domain:a.b)"}) {
    EXPECT_EQ(refusal_of_tool("claude", name), "") << name;
  }
  for (const char* name : {"Edit", "Write(/etc/*)", "NotebookEdit", "EnterWorktree"}) {
    EXPECT_EQ(refusal_of_tool("claude", name), "whether an agent edits is `access` in the workflow")
        << name;
  }
  for (const char* name : {"a b", "a,b", "--x", "Bash(a) Edit", "Bash(a),Edit(b)", "Bash(a"}) {
    EXPECT_EQ(refusal_of_tool("claude", name),
              "it is no name like WebFetch, WebFetch(domain:example.com), mcp__SERVER__TOOL or "
              "mcp__SERVER__*")
        << name;
  }
}

TEST(Claude, PassesThePromptOnStdinAndTheConfiguredOptionsOn) {
  DriverCall call = call_with("full");
  call.model = "opus";
  call.session = "5e55";
  call.schema = {{"type", "object"}};
  call.options = {{"args", {"--effort", "high"}}, {"env", {{"ANTHROPIC_BASE_URL", "http://x"}}}};
  DriverCommand command = bundled("claude").command(call);
  EXPECT_EQ(argv(command),
            "claude -p --output-format stream-json --verbose --include-partial-messages "
            "--dangerously-skip-permissions "
            "--resume 5e55 --fork-session --model opus --json-schema {\"type\":\"object\"} "
            "--effort high");
  EXPECT_EQ(command.input, "Do it.");
  EXPECT_THAT(command.env, testing::ElementsAre(testing::Pair("ANTHROPIC_BASE_URL", "http://x")));
}

TEST(Claude, TellsOfToolsAndEndsWithTheResult) {
  Driver driver = bundled("claude");
  EXPECT_EQ(read(driver, fixture("claude-edit.jsonl")),
            "session 20e0a457-5b75-40fc-9d64-99d75a99b77e\n"
            "in 100\nout 1\ntext Working on it.\n"
            "in 100\nout 1\ntool Write: /workspace/hello.txt\n"
            "end\n"
            "in 200\nout 2\ntext Working on it.\n"
            "in 200\nout 2\ntool Bash: echo ran >> ran.txt\n"
            "end\n"
            "in 300\nout 3\ntext Done number 1\nVERDICT: CODE_APPLIED\n"
            "session 20e0a457-5b75-40fc-9d64-99d75a99b77e\n"
            "cost 0.0024\nin 300\nout 60\n"
            "result Done number 1\nVERDICT: CODE_APPLIED");
  EXPECT_EQ(told(driver.finish("", 0, "")), "");
}

// A call that is cut off has cost that at least, its sub-agents' answers included.
TEST(Claude, CountsWhatItSeesOfTokens) {
  Driver driver = bundled("claude");
  const auto says = [&](const std::string& id, const std::string& parent) {
    return told(driver.event(R"({"type":"assistant","parent_tool_use_id":)" + parent +
                             R"(,"message":{"id":")" + id +
                             R"(","content":[],"usage":{"input_tokens":10,)"
                             R"("cache_creation_input_tokens":20,"cache_read_input_tokens":70,)"
                             R"("output_tokens":3}}})"));
  };
  EXPECT_EQ(says("m1", "null"), "in 100\ncached 70\nout 3");
  EXPECT_EQ(says("m1", "null"), "in 100\ncached 70\nout 3") << "another part of the same answer";
  EXPECT_EQ(says("m2", "\"toolu_1\""), "in 200\ncached 140\nout 6");
}

TEST(Claude, GivesTheStructuredAnswerAfterTheWords) {
  Driver driver = bundled("claude");
  EXPECT_THAT(read(driver, fixture("claude-structured.jsonl")),
              testing::EndsWith("result Done number 2\nVERDICT: CODE_APPLIED\n\n"
                                "```json\n{\"n\":2,\"verdict\":\"CODE_APPLIED\"}\n```"));
}

// Such a reply is asked for again, in the same session.
TEST(Claude, AVerdictThatDoesNotComeInItsFormIsNoFailure) {
  Driver driver = bundled("claude");
  driver.event(R"({"type":"assistant","message":{"content":[{"type":"text","text":"Done."}]}})");
  EXPECT_EQ(
      told(driver.event(R"({"type":"result","subtype":"error_max_structured_output_retries",)"
                        R"("is_error":true,"session_id":"5e55","total_cost_usd":0.5,"errors":)"
                        R"(["Failed to provide valid structured output after 5 attempts"]})")),
      "session 5e55\ncost 0.5000\nresult Done.");
}

TEST(Claude, CountsAContinuedSessionsEarlierCostOnce) {
  Driver driver = bundled("claude");
  EXPECT_THAT(read(driver, fixture("claude-resumed.jsonl")),
              testing::HasSubstr("cost 0.0018\nin 300\nout 60\n"));
}

TEST(Claude, KnowsALostSession) {
  Driver driver = bundled("claude");
  EXPECT_EQ(read(driver, fixture("claude-unknown-session.jsonl")),
            "cost 0.0000\nin 0\nout 0\nlost\n"
            "error No conversation found with session ID: 11111111-2222-4333-8444-555555555555");
}

TEST(Claude, DoesNotWaitForTenTriesWithARefusedKey) {
  Driver driver = bundled("claude");
  EXPECT_EQ(read(driver, fixture("claude-refused-key.jsonl")),
            "session b5af9743-1d73-462b-a638-671fa40c8064\n"
            "note the model server answered 401 (authentication_failed); trying again\n"
            "refused the model server answered 401 (authentication_failed); "
            "log in with 'claude', or check ANTHROPIC_API_KEY");
}

TEST(Claude, AnOverloadedServerIsNotTheEnd) {
  Driver driver = bundled("claude");
  EXPECT_EQ(told(driver.event(R"({"type":"system","subtype":"api_retry","attempt":1,)"
                              R"("error_status":529,"error":"overloaded"})")),
            "note the model server answered 529 (overloaded); trying again");
}

TEST(Claude, TellsOfToolsThatWereDeniedOrFailed) {
  Driver driver = bundled("claude");
  const auto uses = [&](const std::string& id, const std::string& name) {
    driver.event(R"({"type":"assistant","message":{"content":[{"type":"tool_use","id":")" + id +
                 R"(","name":")" + name + R"(","input":{"file_path":"greet"}}]}})");
  };
  const auto ends = [&](const std::string& id) {
    return told(driver.event(R"({"type":"user","message":{"content":[{"type":"tool_result",)"
                             R"("is_error":true,"tool_use_id":")" +
                             id + R"(","content":"no"}]}})"));
  };
  uses("t1", "WebFetch");
  EXPECT_EQ(told(driver.event(R"({"type":"system","subtype":"permission_denied",)"
                              R"("tool_name":"WebFetch","tool_use_id":"t1"})")),
            "denied WebFetch");
  EXPECT_EQ(ends("t1"), "end");
  uses("t2", "Edit");
  EXPECT_EQ(ends("t2"), "end\nfailed Edit: greet");
  uses("t3", "Bash");
  EXPECT_EQ(ends("t3"), "end") << "a command with another status than 0";
  EXPECT_EQ(told(driver.event(R"({"type":"system","subtype":"permission_denied",)"
                              R"("tool_name":"WebSearch","parent_tool_use_id":"t4"})")),
            "denied WebSearch")
      << "of a sub-agent";
}

TEST(Claude, LeavesOutWhatASubAgentDoes) {
  Driver driver = bundled("claude");
  EXPECT_EQ(told(driver.event(R"({"type":"assistant","parent_tool_use_id":"toolu_1","message":)"
                              R"({"content":[{"type":"text","text":"looking"}]}})")),
            "");
}

TEST(Claude, IgnoresLinesThatAreNotItsOwn) {
  Driver driver = bundled("claude");
  for (const char* line : {"", "npm warn something", "[1,2]", "null", "{\"type\":\"new\"}", "{}"}) {
    EXPECT_EQ(told(driver.event(line)), "") << line;
  }
}

TEST(Claude, AnEndWithoutAResultIsAnError) {
  EXPECT_EQ(told(bundled("claude").finish("", 1,
                                          "--dangerously-skip-permissions cannot be used "
                                          "with root/sudo privileges\n")),
            "error --dangerously-skip-permissions cannot be used with root/sudo privileges");
  EXPECT_EQ(told(bundled("claude").finish("", 3, "")),
            "error claude ended with exit status 3 and no result");
}

// What Claude Code 2 prints at its end: the word for what is wrong, the status, what it says.
std::string claude_gives_up(const std::string& word, const std::string& status,
                            const std::string& says) {
  Driver driver = bundled("claude");
  driver.event(R"({"type":"assistant","error":")" + word +
               R"(","message":{"content":[{"type":"text","text":"x"}]}})");
  return told(driver.event(R"({"type":"result","subtype":"success","is_error":true,"result":")" +
                           says + R"(","api_error_status":)" + status + "}"));
}

TEST(Claude, TellsOutagesFromRefusals) {
  EXPECT_EQ(claude_gives_up("server_error", "529", "API Error: Repeated 529 Overloaded errors."),
            "away API Error: Repeated 529 Overloaded errors.");
  EXPECT_EQ(claude_gives_up("rate_limit", "429", "API Error: Request rejected (429)"),
            "away API Error: Request rejected (429)");
  EXPECT_EQ(claude_gives_up("server_error", "null", "API Error: Connection refused"),
            "away API Error: Connection refused");
  EXPECT_EQ(claude_gives_up("billing_error", "400", "Credit balance is too low"),
            "refused Credit balance is too low; get more of it from the "
            "provider");
  EXPECT_EQ(claude_gives_up("authentication_failed", "403", "Failed to authenticate."),
            "refused Failed to authenticate.; log in with 'claude', or check "
            "ANTHROPIC_API_KEY");
  EXPECT_EQ(claude_gives_up("model_not_found", "404", "There's an issue with the selected model"),
            "refused There's an issue with the selected model; choose a model that there is, "
            "with 'model' in .agneto/config.yaml");
  EXPECT_EQ(claude_gives_up("rate_limit", "null", "Rate limited"), "away Rate limited");
  EXPECT_EQ(claude_gives_up("overloaded", "null", "Overloaded"), "away Overloaded");
  EXPECT_EQ(claude_gives_up("account_on_hold", "403", "Your account is on hold"),
            "refused Your account is on hold");
  EXPECT_EQ(claude_gives_up("max_output_tokens", "null", "too long"), "error too long");
  EXPECT_EQ(claude_gives_up("invalid_request", "400", "prompt is too long"),
            "error prompt is too long");
}

TEST(Claude, KnowsWhenALimitEnds) {
  Driver driver = bundled("claude");
  driver.event(R"({"type":"rate_limit_event","rate_limit_info":{"status":"rejected",)"
               R"("resetsAt":1795449600,"rateLimitType":"five_hour"}})",
               Time(std::chrono::seconds(1795449000)));
  driver.event(R"({"type":"assistant","error":"rate_limit","message":{"content":[]}})");
  EXPECT_EQ(told(driver.event(R"({"type":"result","subtype":"success","is_error":true,)"
                              R"("result":"You've hit your limit","api_error_status":429})")),
            "away You've hit your limit\nwait 10m");
}

}  // namespace
}  // namespace agneto::script
