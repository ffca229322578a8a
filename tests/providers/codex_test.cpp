#include "providers/replay.h"

namespace agneto::script {
namespace {

TEST(Codex, UsesItsOwnSandbox) {
  EXPECT_EQ(argv(bundled("codex").command(call_with("read-only"))),
            "codex exec --json --skip-git-repo-check --sandbox read-only -");
  EXPECT_EQ(argv(bundled("codex").command(call_with("edit"))),
            "codex exec --json --skip-git-repo-check --sandbox workspace-write -");
  EXPECT_EQ(argv(bundled("codex").command(call_with("full"))),
            "codex exec --json --skip-git-repo-check --dangerously-bypass-approvals-and-sandbox -");
}

TEST(Codex, AllowsTheToolsThatAreGiven) {
  DriverCall call = call_with("edit");
  call.tools = {"web_search", "mcp__git_hub__get-issue", "mcp__lab__*"};
  EXPECT_EQ(argv(bundled("codex").command(call)),
            "codex exec --json --skip-git-repo-check --sandbox workspace-write "
            "-c web_search=\"live\" "
            "-c mcp_servers.git_hub.tools.get-issue.approval_mode=\"approve\" "
            "-c mcp_servers.lab.default_tools_approval_mode=\"approve\" -");
  for (const char* name : {"web_search", "mcp__git_hub__get-issue", "mcp__lab__*"}) {
    EXPECT_EQ(refusal_of_tool("codex", name), "") << name;
  }
  for (const char* name : {"WebSearch", "mcp__lab", "mcp__l.b__x", "mcp__lab__x=1", "mcp__*"}) {
    EXPECT_EQ(refusal_of_tool("codex", name),
              "it is not web_search, mcp__SERVER__TOOL or mcp__SERVER__*")
        << name;
  }
}

// Codex refuses to make some files for its sandbox below the folder for temporary files, where its
// own home may be.
TEST(Codex, HasAFolderForTemporaryFilesOfItsOwn) {
  DriverCall call = call_with("edit");
  EXPECT_THAT(bundled("codex").command(call).env,
              testing::ElementsAre(testing::Pair("TMPDIR", "{files}")));
  EXPECT_THAT(bundled("codex").command(call).files, testing::SizeIs(1)) << "so that it is there";
  call.options = {{"env", {{"TMPDIR", "/scratch"}, {"CODEX_HOME", "/srv/codex"}}}};
  EXPECT_THAT(bundled("codex").command(call).env,
              testing::UnorderedElementsAre(testing::Pair("CODEX_HOME", "/srv/codex"),
                                            testing::Pair("TMPDIR", "/scratch")));
}

TEST(Codex, CanDoWithoutItsSandboxWhereThereIsNone) {
  DriverCall call = call_with("edit");
  call.options = {{"sandbox", "none"}};
  EXPECT_EQ(argv(bundled("codex").command(call)),
            "codex exec --json --skip-git-repo-check --dangerously-bypass-approvals-and-sandbox -");
}

TEST(Codex, ContinuesASessionWithTheConfiguredOptions) {
  DriverCall call = call_with("edit");
  call.model = "gpt-5-codex";
  call.session = "01a2:300:60";
  call.schema = {{"type", "object"}};
  call.options = {{"args", {"-c", "model_provider=local"}}};
  DriverCommand command = bundled("codex").command(call);
  EXPECT_EQ(argv(command),
            "codex exec --json --skip-git-repo-check --sandbox workspace-write --model gpt-5-codex "
            "--output-schema {files}/schema.json -c model_provider=local fork 01a2 -");
  EXPECT_EQ(command.input, "Do it.");
  EXPECT_THAT(command.files,
              testing::Contains(testing::Pair("schema.json", R"({"type":"object"})")));
}

TEST(Codex, TellsOfToolsAndEndsWithTheLastMessage) {
  Driver driver = bundled("codex");
  EXPECT_EQ(read(driver, fixture("codex-edit.jsonl")),
            "session 01a20039-ea80-7f21-bcc2-9eb30079d7f5:0:0:0\n"
            "text Model metadata for `gpt-5-codex` not found. Defaulting to fallback metadata; "
            "this can degrade performance and cause issues.\n"
            "tool thinking\n"
            "tool shell: cat > 'hello.txt' <<'END_OF_FILE'\n"
            "end\n"
            "tool shell: echo ran >> ran.txt\n"
            "end\n"
            "text Done number 2\nVERDICT: CODE_APPLIED\n"
            "session 01a20039-ea80-7f21-bcc2-9eb30079d7f5:300:60:0\n"
            "in 300\nout 60\n"
            "result Done number 2\nVERDICT: CODE_APPLIED");
}

TEST(Codex, TellsOfToolsThatWereDeniedOrFailed) {
  Driver driver = bundled("codex");
  const auto ended = [&](const std::string& item) {
    return told(driver.event(R"({"type":"item.completed","item":{"id":"i",)" + item + "}}"));
  };
  EXPECT_EQ(ended(R"("type":"file_change","changes":[{"path":"/w/greet","kind":"add"}],)"
                  R"("status":"failed")"),
            "tool edit: /w/greet\nend\nfailed edit: /w/greet");
  EXPECT_EQ(ended(R"("type":"mcp_tool_call","server":"lab","tool":"look","status":"failed",)"
                  R"("error":{"message":"MCP tool call requires approval, but approval policy is )"
                  R"(never"})"),
            "tool lab: look\nend\ndenied mcp__lab__look");
  EXPECT_EQ(ended(R"("type":"mcp_tool_call","server":"lab","tool":"look","status":"failed",)"
                  R"("error":{"message":"no such thing"})"),
            "tool lab: look\nend\nfailed lab: look: no such thing");
  EXPECT_EQ(ended(R"("type":"mcp_tool_call","server":"lab","tool":"look","status":"completed",)"
                  R"("error":null)"),
            "tool lab: look\nend");
  EXPECT_EQ(ended(R"("type":"command_execution","command":"/bin/bash -lc 'sh test.sh'",)"
                  R"("aggregated_output":"no","exit_code":1,"status":"failed")"),
            "tool shell: sh test.sh\nend");
}

TEST(Codex, CountsAContinuedSessionsEarlierTokensOnce) {
  Driver driver = bundled("codex");
  DriverCall call = call_with("edit");
  call.session = "01a20039-ea80-7f21-bcc2-9eb30079d7f5:300:60";
  driver.command(call);
  EXPECT_THAT(read(driver, fixture("codex-forked.jsonl")),
              testing::HasSubstr("session 01a2003a-58b6-7590-83e6-5e9f7efe842c:600:120:0\n"
                                 "in 300\nout 60\n"));
}

TEST(Codex, FencesTheStructuredAnswer) {
  Driver driver = bundled("codex");
  DriverCall call = call_with("edit");
  call.schema = {{"type", "object"}};
  driver.command(call);
  EXPECT_THAT(read(driver, fixture("codex-structured.jsonl")),
              testing::EndsWith("result ```json\n{\"verdict\":\"OK\"}\n```"));
}

TEST(Codex, TellsOfChangedFiles) {
  Driver driver = bundled("codex");
  EXPECT_EQ(told(driver.event(R"({"type":"item.completed","item":{"id":"1","type":"file_change",)"
                              R"("changes":[{"path":"a.txt","kind":"add"},)"
                              R"({"path":"b.txt","kind":"update"}],"status":"completed"}})")),
            "tool edit: a.txt, b.txt\nend");
}

TEST(Codex, KnowsALostSession) {
  EXPECT_EQ(told(bundled("codex").finish("", 1, fixture("codex-unknown-session.stderr"))),
            "lost\n"
            "error Error: thread/resume: thread/resume failed: no rollout found for thread id "
            "11111111-2222-4333-8444-555555555555 (code -32600)");
}

TEST(Codex, ReconnectsBeforeItGivesUp) {
  Driver driver = bundled("codex");
  const std::string all = read(driver, fixture("codex-refused-key.jsonl"));
  EXPECT_THAT(all, testing::HasSubstr("note Reconnecting... 5/5 (unexpected status 401"));
  EXPECT_THAT(all,
              testing::EndsWith("refused unexpected status 401 Unauthorized: invalid x-api-key, "
                                "url: http://127.0.0.1:8080/v1/responses; "
                                "log in with 'codex login', or check OPENAI_API_KEY"));
}

TEST(Codex, SaysWhatToDoWhereItsSandboxDoesNotWork) {
  Driver driver = bundled("codex");
  EXPECT_THAT(
      read(driver, fixture("codex-no-sandbox.jsonl")),
      testing::EndsWith("error Codex cannot make its sandbox on this machine (bwrap: Creating new "
                        "namespace failed: nesting depth or /proc/sys/user/max_*_namespaces "
                        "exceeded (ENOSPC)); see 'Codex without its sandbox' in "
                        "docs/providers.md"));
}

std::string codex_gives_up(const std::string& says) {
  return told(
      bundled("codex").event(R"({"type":"turn.failed","error":{"message":")" + says + "\"}}"));
}

TEST(Codex, TellsOutagesFromRefusals) {
  for (const char* words :
       {"exceeded retry limit, last status: 429 Too Many Requests",
        "unexpected status 503 Service Unavailable: The server is overloaded, url: http://x",
        "stream disconnected before completion: error sending request",
        "Selected model is at capacity. Please try a different model.",
        "We’re currently experiencing high demand, which may cause temporary errors."}) {
    EXPECT_EQ(codex_gives_up(words), std::string("away ") + words);
  }
  for (const char* words :
       {"You've hit your usage limit. Try again at 5:03 PM.", "Your workspace is out of credits.",
        "Your access token could not be refreshed. Please log out and sign in again."}) {
    EXPECT_EQ(codex_gives_up(words), std::string("refused ") + words);
  }
  EXPECT_EQ(codex_gives_up("stream disconnected before completion: Incomplete response returned, "
                           "reason: content_filter"),
            "error stream disconnected before completion: Incomplete response returned, reason: "
            "content_filter");
  EXPECT_EQ(told(bundled("codex").finish("", 1, "mcp: connection refused")),
            "error mcp: connection refused");
  EXPECT_EQ(codex_gives_up("unexpected status 401 Unauthorized: Incorrect API key provided"),
            "refused unexpected status 401 Unauthorized: Incorrect API key provided; "
            "log in with 'codex login', or check OPENAI_API_KEY");
  EXPECT_EQ(codex_gives_up("Quota exceeded. Check your plan and billing details."),
            "refused Quota exceeded. Check your plan and billing details.; get more of it from the "
            "provider");
  EXPECT_EQ(codex_gives_up("The model 'nosuch' does not exist or you do not have access to it."),
            "refused The model 'nosuch' does not exist or you do not have access to it.; "
            "choose a model that there is, with 'model' in .agneto/config.yaml");
  EXPECT_EQ(codex_gives_up("unexpected status 400 Bad Request: too long"),
            "error unexpected status 400 Bad Request: too long");
}

TEST(Codex, WaitsForANetworkOnlySoLong) {
  Driver driver = bundled("codex");
  const std::string line =
      R"x({"type":"error","message":"Reconnecting... waiting for network (Connection failed)"})x";
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(told(driver.event(line)),
              "note Reconnecting... waiting for network (Connection failed)");
  }
  EXPECT_EQ(told(driver.event(line)),
            "away Reconnecting... waiting for network (Connection failed)");
}

}  // namespace
}  // namespace agneto::script
