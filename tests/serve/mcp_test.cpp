// What clients of agents are answered, in a folder that is no repository and has no server.
#include "serve/mcp.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "run/live.h"
#include "support/temporary_folder.h"

namespace agneto::serve {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::StartsWith;

class McpTest : public ::testing::Test {
 protected:
  McpTest() {
    fs::create_directories(folder_ / ".agneto/workflows");
    write("gate", R"(agneto: 1
name: gate
description: Writes a line, and asks
inputs:
  task: {type: string, main: true, description: What is written}
  times: {type: integer, default: 1, minimum: 1, maximum: 9, description: How often}
  to: {type: "[string]"}
initial: GATE
on: {hurry: DONE}
states:
  GATE:
    ask: {question: "Is that so?", options: {YES: Take it, NO: Leave it}}
    on: {YES: DONE, NO: DONE}
  DONE: {final: true}
)");
    write("plain", "agneto: 1\nname: plain\ninitial: DONE\nstates: {DONE: {final: true}}\n");
    write("wrong", "agneto: 1\nname: wrong\ninitial: NOWHERE\nstates: {DONE: {final: true}}\n");
  }
  void write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / (".agneto/workflows/" + name + ".yaml")) << text;
  }

  Json said(const std::string& line) { return mcp_.answer(line).value_or(Json()); }
  Json answer(const std::string& method, const Json& params = Json::object()) {
    return said(
        to_text(Json{{"jsonrpc", "2.0"}, {"id", 7}, {"method", method}, {"params", params}}));
  }
  Json result(const std::string& method, const Json& params = Json::object()) {
    const Json answered = answer(method, params);
    EXPECT_EQ(answered["id"], 7);
    EXPECT_TRUE(answered.contains("result")) << answered;
    return answered["result"];
  }
  // "CODE: MESSAGE"
  static std::string error_in(const Json& answered) {
    EXPECT_EQ(answered["jsonrpc"], "2.0");
    const Json& error = answered["error"];
    return to_text(error["code"]) + ": " + error["message"].get<std::string>();
  }
  // What the tool found; its text says the same.
  Json call(const std::string& tool, const Json& arguments = Json::object()) {
    const Json result = this->result("tools/call", {{"name", tool}, {"arguments", arguments}});
    EXPECT_FALSE(result.contains("isError")) << result;
    EXPECT_EQ(result["content"][0]["type"], "text");
    return result["structuredContent"];
  }
  // What is wrong with the call; empty where nothing is.
  std::string failure(const std::string& tool, const Json& arguments = Json::object()) {
    const Json result = this->result("tools/call", {{"name", tool}, {"arguments", arguments}});
    return result.value("isError", false) ? result["content"][0]["text"].get<std::string>() : "";
  }
  std::string queued() {
    return call("run_gate", {{"task", "say hello"}, {"inputs", {{"to", {"Ada"}}}}})["run"];
  }
  Json tools() { return result("tools/list")["tools"]; }
  Json tool(const std::string& name) {
    for (const Json& each : tools()) {
      if (each["name"] == name) return each;
    }
    return nullptr;
  }

  testing::TemporaryFolder folder_;
  run::Resources resources_{
      .share = folder_ / "share", .pages = {}, .guard = "guard", .user = folder_ / "user"};
  Mcp mcp_{{folder_.path(), resources_, "1.2"}};
};

TEST_F(McpTest, AgreesOnAVersion) {
  const Json client = {{"name", "tester"}, {"version", "0"}};
  Json begun = result("initialize", {{"protocolVersion", "2025-06-18"}, {"clientInfo", client}});
  EXPECT_THAT(begun["instructions"].get<std::string>(), StartsWith("Agneto runs workflows"));
  begun.erase("instructions");
  EXPECT_EQ(begun, Json::parse(R"({
    "protocolVersion": "2025-06-18",
    "capabilities": {"tools": {}, "resources": {}},
    "serverInfo": {"name": "agneto", "title": "Agneto", "version": "1.2"}})"));
  for (const auto& [asked, agreed] :
       std::map<std::string, std::string>{{"2025-03-26", "2025-03-26"},
                                          {"2024-11-05", "2024-11-05"},
                                          {"2099-01-01", "2025-06-18"},
                                          {"", "2025-06-18"}}) {
    EXPECT_EQ(result("initialize", {{"protocolVersion", asked}})["protocolVersion"], agreed);
  }
}

TEST_F(McpTest, AnswersRequestsAlone) {
  EXPECT_EQ(said(R"({"jsonrpc": "2.0", "id": "a", "method": "ping"})"),
            Json::parse(R"({"jsonrpc": "2.0", "id": "a", "result": {}})"));
  for (const char* line :
       {"", "  \r", R"({"jsonrpc": "2.0", "method": "notifications/initialized"})",
        R"({"jsonrpc": "2.0", "method": "notifications/none"})",
        R"({"jsonrpc": "2.0", "id": 1, "result": {}})"}) {
    EXPECT_EQ(mcp_.answer(line), std::nullopt) << line;
  }
}

TEST_F(McpTest, SaysWhatIsWrongWithAMessage) {
  const Json none = said("{\"jsonrpc\": ");
  EXPECT_EQ(error_in(none), "-32700: the line is not JSON");
  EXPECT_EQ(none["id"], nullptr);
  const std::string no_message =
      "-32600: a message is an object with a 'method', and an 'id' that is a text or a whole "
      "number "
      "where it is a request";
  for (const char* line :
       {"1", "null", "\"ping\"", "[]", R"([{"jsonrpc": "2.0", "id": 1, "method": "ping"}])", "{}",
        R"({"id": 1})", R"({"id": 1, "method": 2})", R"({"id": 1.5, "method": "ping"})",
        R"({"id": null, "method": "ping"})"}) {
    EXPECT_EQ(error_in(said(line)), no_message) << line;
  }
  EXPECT_EQ(error_in(answer("prompts/list")), "-32601: there is no method 'prompts/list'");
  EXPECT_EQ(error_in(answer("ping", {1})), "-32602: 'params' is no object");
  EXPECT_EQ(error_in(Mcp::too_long()), "-32600: a message has at most 4194304 bytes");
  EXPECT_EQ(error_in(said("\xff\xfe")), "-32700: the line is not JSON");
}

TEST_F(McpTest, AnOlderVersionHasSeveralMessagesInOne) {
  result("initialize", {{"protocolVersion", "2025-03-26"}});
  const Json both = said(R"([{"jsonrpc": "2.0", "id": 1, "method": "ping"}, 2,
                             {"jsonrpc": "2.0", "method": "notifications/initialized"}])");
  ASSERT_EQ(both.size(), 2U);
  EXPECT_EQ(both[0]["result"], Json::object());
  EXPECT_THAT(error_in(both[1]), StartsWith("-32600: "));
  EXPECT_EQ(mcp_.answer(R"([{"jsonrpc": "2.0", "method": "notifications/initialized"}])"),
            std::nullopt);
}

TEST_F(McpTest, HasAToolForEachWorkflowThatCanBeRun) {
  std::vector<std::string> all;
  for (const Json& each : tools()) all.push_back(each["name"]);
  EXPECT_THAT(all, ElementsAre("list_runs", "show_run", "read_log", "read_diff", "answer_question",
                               "send_event", "suspend_run", "resume_run", "abort_run", "run_gate",
                               "run_plain"));
  const Json gate = tool("run_gate");
  EXPECT_EQ(gate["title"], "Run gate");
  EXPECT_EQ(gate["description"],
            "Writes a line, and asks\n\nQueues a run of the workflow 'gate', on which a server "
            "('agneto serve') works, and returns its id at once.");
  EXPECT_EQ(gate["annotations"], (Json{{"readOnlyHint", false}, {"destructiveHint", false}}));
  const Json& schema = gate["inputSchema"];
  EXPECT_EQ(schema["required"], Json({"task", "inputs"}));
  EXPECT_EQ(schema["additionalProperties"], false);
  EXPECT_EQ(schema["properties"]["task"],
            Json::parse(R"({"type": "string", "description": "What is written"})"));
  EXPECT_EQ(schema["properties"]["inputs"], Json::parse(R"({
    "type": "object", "additionalProperties": false, "required": ["to"],
    "properties": {
      "times": {"type": "integer", "default": 1, "minimum": 1, "maximum": 9,
                "description": "How often"},
      "to": {"type": "array", "items": {"type": "string"}}}})"));
  const Json plain = tool("run_plain")["inputSchema"];
  EXPECT_EQ(plain["required"], Json::array());
  EXPECT_FALSE(plain["properties"].contains("task"));
  EXPECT_FALSE(plain["properties"].contains("inputs"));
}

TEST_F(McpTest, ItsToolsHaveNamesThatClientsTakeEachOnce) {
  for (const char* name : {"two words", "two_words", "größer"}) {
    write(name, "agneto: 1\nname: flow\ninitial: DONE\nstates: {DONE: {final: true}}\n");
  }
  std::vector<std::string> all;
  for (const Json& each : tools()) all.push_back(each["name"]);
  EXPECT_THAT(all, IsSupersetOf({"run_gr____er", "run_two_words"}));
  EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), all.size());
}

TEST_F(McpTest, SaysWhichToolsChangeThings) {
  std::map<std::string, std::string> kinds;
  for (const Json& each : tools()) {
    const Json& hints = each["annotations"];
    kinds[each["name"]] = hints["readOnlyHint"] == true      ? "looks"
                          : hints["destructiveHint"] == true ? "destroys"
                                                             : "steers";
  }
  EXPECT_EQ(kinds, (std::map<std::string, std::string>{{"list_runs", "looks"},
                                                       {"show_run", "looks"},
                                                       {"read_log", "looks"},
                                                       {"read_diff", "looks"},
                                                       {"answer_question", "destroys"},
                                                       {"send_event", "destroys"},
                                                       {"suspend_run", "steers"},
                                                       {"resume_run", "steers"},
                                                       {"abort_run", "destroys"},
                                                       {"run_gate", "steers"},
                                                       {"run_plain", "steers"}}));
  for (const char* name : {"answer_question", "abort_run"}) {
    EXPECT_THAT(tool(name)["description"].get<std::string>(),
                HasSubstr("A person's consent is needed: "));
  }
}

TEST_F(McpTest, SaysWhatIsWrongWithACall) {
  const auto called = [&](const Json& params) { return error_in(answer("tools/call", params)); };
  EXPECT_EQ(called(Json::object()), "-32602: 'name' is no text");
  EXPECT_EQ(called({{"name", "show_runs"}}),
            "-32602: there is no tool 'show_runs'; did you mean 'show_run'?");
  EXPECT_EQ(called({{"name", "show_run"}, {"arguments", {1}}}), "-32602: 'arguments' is no object");

  EXPECT_EQ(failure("show_run", {{"run", "none"}}),
            "there are no runs here\nqueue one with one of the run_… tools");
  const std::string run = queued();
  EXPECT_EQ(failure("show_run"), "'run' is missing\nit is a run's id, which list_runs has");
  EXPECT_EQ(failure("show_run", {{"run", 1}}), "'run' is no text");
  EXPECT_EQ(failure("show_run", {{"run", "none"}}), "there is no run 'none'");
  EXPECT_EQ(failure("abort_run", {{"run", "say"}}), "there is no run 'say'")
      << "what is steered is named whole";
  EXPECT_EQ(failure("show_run", {{"run", run}, {"rum", 1}}),
            "unknown key 'rum'\ndid you mean 'run'?");
  EXPECT_EQ(failure("list_runs", {{"status", "queued"}}), "'status' is no list of texts");
  EXPECT_EQ(failure("list_runs", {{"limit", 0}}), "'limit' is no whole number from 1 on");
  EXPECT_EQ(failure("list_runs", {{"before", "none"}}),
            "there is no run 'none'\ngive the id of one as `before`");
  EXPECT_EQ(failure("read_log", {{"run", run}, {"after", -1}}),
            "'after' is no whole number from 0 on");
  EXPECT_EQ(failure("answer_question", {{"run", run}, {"option", "YES"}}),
            "run " + run + " has no open question");
  EXPECT_EQ(failure("send_event", {{"run", run}, {"name", "hury"}}),
            "nothing in this workflow takes an event 'hury'\ndid you mean 'hurry'?");
  EXPECT_EQ(
      failure("run_gate", {{"inputs", {{"to", Json::array()}}}}),
      "there is no task\nsay what is to be done: agneto run \"fix the login redirect\", or --file "
      "FILE");
  EXPECT_EQ(
      failure("run_gate", {{"task", "x"}, {"inputs", {{"to", {"a"}}, {"times", 10}}}}),
      "input 'times' must be at most 9, not 10\nworkflow 'gate' takes task (string, required), "
      "times (integer), to ([string], required)");
  EXPECT_EQ(failure("run_plain", {{"task", "x"}}),
            "workflow 'plain' takes no task\ngive inputs with --input k=v");
  EXPECT_EQ(failure("run_plain", {{"interactive", false}}),
            "unknown key 'interactive'\nknown keys: agent, auto_merge, base, inputs, model, needs, "
            "priority, task")
      << "an agent cannot have gates pass by themselves";
  EXPECT_EQ(failure("run_plain", {{"priority", 1000}}), "'priority' is from -100 to 100");
  EXPECT_EQ(failure("run_wrong"),
            (folder_ / ".agneto/workflows/wrong.yaml").string() +
                ":3:10: error: there is no state 'NOWHERE' [E203/undefined-target]\n"
                "initial: NOWHERE\n         ^~~~~~~\n  help: known states: DONE\n");
}

TEST_F(McpTest, QueuesRunsAndTellsOfThem) {
  EXPECT_EQ(call("list_runs"), (Json{{"runs", Json::array()}, {"change", 0}}));
  EXPECT_FALSE(fs::exists(folder_ / ".agneto/runs.db")) << "who only looks makes nothing";
  result("initialize", {{"clientInfo", {{"name", "tester"}}}});
  const Json made = call("run_gate", {{"task", "say hello"},
                                      {"inputs", {{"to", {"Ada", "Bob"}}, {"times", nullptr}}},
                                      {"priority", 3}});
  const std::string run = made["run"];
  EXPECT_THAT(run, StartsWith("say-hello-"));
  EXPECT_EQ(made["status"], "queued");
  EXPECT_EQ(made["priority"], 3);
  EXPECT_EQ(made["served"], false);
  EXPECT_EQ(made["remarks"].back(), "nobody serves this folder, so that it waits: agneto serve");

  const Json listed = call("list_runs", {{"status", {"queued"}}, {"workflow", "gate"}});
  ASSERT_EQ(listed["runs"].size(), 1U);
  EXPECT_EQ(listed["runs"][0]["run"], run);
  EXPECT_EQ(call("list_runs", {{"status", {"complete"}}})["runs"], Json::array());
  const Json shown = call("show_run", {{"run", run}});
  EXPECT_EQ(shown["task"], "say hello");
  EXPECT_EQ(shown["questions"], Json::array());
  const Json log = call("read_log", {{"run", run}});
  ASSERT_EQ(log["events"].size(), 2U);
  EXPECT_EQ(log["events"][0]["type"], "run.queued");
  EXPECT_EQ(log["events"][1]["type"], "note");
  EXPECT_FALSE(log.contains("next"));
  EXPECT_THAT(log["events"][0]["by"].get<std::string>(), HasSubstr(" (tester)"));
  EXPECT_EQ(call("read_diff", {{"run", run}}), (Json{{"run", run}, {"diff", ""}}));
}

TEST_F(McpTest, QueuesARunForAMachineThatHasWhatItNeeds) {
  const Json made = call("run_plain", {{"needs", {"gpu", "linux-arm64"}}});
  EXPECT_EQ(made["needs"], Json({"gpu", "linux-arm64"})) << "its folder goes without saying";
  EXPECT_EQ(call("show_run", {{"run", made["run"]}})["needs"], made["needs"]);
  EXPECT_FALSE(call("run_plain").contains("needs"));
  EXPECT_EQ(failure("run_plain", {{"needs", {"GPU"}}}),
            "a run cannot need 'GPU', which is no label\nwrite a label such as gpu or linux-arm64");
  EXPECT_EQ(failure("run_plain", {{"needs", "gpu"}}), "'needs' is no list of texts");
}

TEST_F(McpTest, ReadsALogPageByPage) {
  const std::string run = queued();
  call("suspend_run", {{"run", run}});
  call("resume_run", {{"run", run}});
  std::vector<std::string> types;
  for (Json arguments = {{"run", run}, {"limit", 1}};;) {
    const Json page = call("read_log", arguments);
    ASSERT_EQ(page["events"].size(), 1U);
    types.push_back(page["events"][0]["type"]);
    if (!page.contains("next")) break;
    arguments["after"] = page["next"];
  }
  EXPECT_THAT(types, ElementsAre("run.queued", "note", "run.suspended", "run.queued"));
}

TEST_F(McpTest, SteersRuns) {
  const std::string run = queued();
  EXPECT_EQ(call("suspend_run", {{"run", run}})["status"], "suspended");
  EXPECT_EQ(call("resume_run", {{"run", run}})["status"], "queued");
  EXPECT_EQ(call("send_event", {{"run", run}, {"name", "hurry"}})["status"], "queued");
  EXPECT_EQ(call("abort_run", {{"run", run}})["status"], "aborted");
  EXPECT_EQ(failure("resume_run", {{"run", run}}),
            "run " + run + " has ended: aborted (aborted by " + run::user_name() +
                ")\n'agneto show " + run + "' shows how; 'agneto rewind' goes back in it");
}

TEST_F(McpTest, HasRunsAsResources) {
  EXPECT_EQ(result("resources/list"), (Json{{"resources", Json::array()}}));
  EXPECT_EQ(result("resources/templates/list"), Json::parse(R"({"resourceTemplates": [
    {"uriTemplate": "agneto://runs/{run}/log", "name": "log",
     "description": "What happened in a run: an event a line, as JSON",
     "mimeType": "application/jsonl"},
    {"uriTemplate": "agneto://runs/{run}/diff", "name": "diff",
     "description": "What a run has changed", "mimeType": "text/x-diff"}]})"));
  const auto read = [&](const std::string& uri) {
    return answer("resources/read", {{"uri", uri}});
  };
  const auto missing = [](const std::string& uri) {
    return "-32002: there is no resource '" + uri +
           "': there are agneto://runs/RUN/log and agneto://runs/RUN/diff";
  };
  EXPECT_EQ(error_in(read("agneto://runs/none/log")), missing("agneto://runs/none/log"));
  const std::string run = queued();
  const std::string log = "agneto://runs/" + run + "/log";
  EXPECT_EQ(result("resources/list")["resources"],
            Json::array({Json{{"uri", log},
                              {"name", run + " log"},
                              {"description", "say hello"},
                              {"mimeType", "application/jsonl"}}}))
      << "what works in the folder itself has no diff";
  const Json contents = read(log)["result"]["contents"];
  ASSERT_EQ(contents.size(), 1U);
  EXPECT_EQ(contents[0]["uri"], log);
  std::istringstream lines(contents[0]["text"].get<std::string>());
  std::vector<std::string> types;
  for (std::string line; std::getline(lines, line);) types.push_back(Json::parse(line)["type"]);
  EXPECT_THAT(types, ElementsAre("run.queued", "note"));
  for (const std::string uri :
       {"", "file:///etc/passwd", "agneto://runs/", "agneto://runs/none/log",
        "agneto://runs/../log", "agneto://runs//log"}) {
    EXPECT_EQ(error_in(read(uri)), missing(uri));
  }
  EXPECT_EQ(error_in(read(log + "s")), missing(log + "s"));
}

TEST_F(McpTest, TheListOfResourcesHasTheNewestRuns) {
  std::string last;
  for (int i = 0; i < 52; ++i) last = queued();
  const Json resources = result("resources/list")["resources"];
  ASSERT_EQ(resources.size(), 50U);
  EXPECT_EQ(resources[0]["uri"], "agneto://runs/" + last + "/log");
}

TEST_F(McpTest, TellsNoSecrets) {
  const std::string secret = std::string("ghp_Zq3vX9bT7mK1sW5yR8dF2gH4jL6nP0cAxYzB");
  const Json made = call("run_gate", {{"task", "use " + secret}, {"inputs", {{"to", {secret}}}}});
  EXPECT_EQ(made["task"], "use [redacted: ghp_…xYzB]");
  const std::string run = made["run"];
  for (const Json& told : {call("list_runs"), call("show_run", {{"run", run}}),
                           call("read_log", {{"run", run}}), result("resources/list")}) {
    EXPECT_EQ(to_text(told).find(secret), std::string::npos) << told;
  }
  EXPECT_EQ(failure("show_run", {{"run", secret}}), "there is no run '[redacted: ghp_…xYzB]'");
}

// What is answered to that input, line by line.
std::string served(Mcp& mcp, const std::string& input) {
  const testing::TemporaryFolder folder;
  const fs::path in = folder / "in";
  const fs::path out = folder / "out";
  std::ofstream(in) << input;
  std::FILE* reader = std::fopen(in.c_str(), "r");
  std::FILE* writer = std::fopen(out.c_str(), "w");
  serve(mcp, fileno(reader), fileno(writer));
  std::fclose(reader);
  std::fclose(writer);
  std::ifstream file(out);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST_F(McpTest, ServesLinesUntilTheyEnd) {
  const std::string ping = R"({"id":1,"jsonrpc":"2.0","method":"ping"})";
  const std::string pong = "{\"id\":1,\"jsonrpc\":\"2.0\",\"result\":{}}\n";
  EXPECT_EQ(served(mcp_, ""), "");
  EXPECT_EQ(served(mcp_, ping + "\r\n\n" + ping), pong + pong) << "the last may have no end";
  EXPECT_EQ(served(mcp_, std::string(Mcp::longest_line + 5, 'x') + "\n" + ping + "\n"),
            to_text(Mcp::too_long()) + "\n" + pong);
  EXPECT_EQ(served(mcp_, std::string("\0\n", 2) + ping + "\n"),
            "{\"error\":{\"code\":-32700,\"message\":\"the line is not JSON\"},\"id\":null,"
            "\"jsonrpc\":\"2.0\"}\n" +
                pong);
}

}  // namespace
}  // namespace agneto::serve
