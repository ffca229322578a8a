#include <gmock/gmock.h>

#include "lsp/client.h"

namespace agneto::lsp {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Strings = std::vector<std::string>;

const std::string flow = R"(agneto: 1
name: flow
description: Writes and sends.
inputs:
  task: {type: string, main: true, description: What is to be written}
context:
  rounds: 0
agents:
  writer: {hooks: ../scripts/writer.lua, session: WORK}
initial: WORK
on:
  abort: STOPPED
states:
  WORK:
    initial: WRITING
    states:
      WRITING:
        description: The writer writes.
        agent: {name: writer, task: draft, verdicts: {WRITTEN: {text: string}, STUCK: {}}}
        entry: |
          ctx.rounds = ctx.rounds + 1
          if ctx.rounds > 3 then raise("TOO_LONG", {why = inputs.task}) end
        on:
          - {event: WRITTEN, target: ASKING}
          - {event: [STUCK, error], target: STOPPED}
      ASKING:
        ask:
          question: "Send {{inputs.task}}?"
          options: {SEND: Send it, AGAIN: Once more}
          default: SEND
        on:
          SEND: SENDING
          AGAIN:
            - {guard: 'not state_in("SENDING")', target: WRITING}
            - STOPPED
        after: {2h: STOPPED}
  SENDING:
    machine: send.yaml
    on: {SENT: DONE, error: STOPPED}
  DONE: {final: true}
  STOPPED: {final: true, status: failed, outcome: GIVEN_UP}
)";
const std::string send =
    "agneto: 1\nname: send\ndescription: Sends it.\ninputs: {to: string}\ninitial: SENT\nstates:\n"
    "  SENT: {final: true}\n";
const std::string writer =
    "local function draft(m) return m.inputs.task end\n"
    "return {tasks = {\n  draft = {prompt = draft},\n  polish = {prompt = draft},\n}}\n";

struct Desk {
  Client client{{{"workflows/flow.yaml", flow},
                 {"workflows/send.yaml", send},
                 {"scripts/writer.lua", writer}}};
  std::string path = "workflows/flow.yaml";
  std::string text = flow;

  Desk() {
    client.open(path);
    client.settle();
  }
  void type(const std::string& typed) {
    text = typed;
    client.type(path, text);
  }

  // At the first occurrence of the word in the place.
  Json ask(const std::string& method, const std::string& place, const std::string& word,
           Json more = Json::object()) {
    const std::size_t begin = text.find(place);
    EXPECT_NE(begin, std::string::npos) << place;
    more["textDocument"] = {{"uri", Client::uri(path)}};
    more["position"] = LineIndex(text, Encoding::utf16).position(text.find(word, begin) + 1);
    return client.request("textDocument/" + method, more);
  }
  Strings definition(const std::string& place, const std::string& word) {
    return brief(ask("definition", place, word));
  }
  static Strings brief(const Json& locations) {
    Strings result;
    for (const Json& one : locations) {
      const std::string uri = one["uri"].get<std::string>();
      result.push_back(uri.substr(uri.rfind('/') + 1) + " " + Client::brief(one["range"]));
    }
    return result;
  }
  std::string hover(const std::string& place, const std::string& word) {
    const Json found = ask("hover", place, word);
    return found.is_null() ? "" : found["contents"]["value"].get<std::string>();
  }
};

TEST(Definition, OfAStateIsItsName) {
  Desk desk;
  const Strings asking = {"flow.yaml 25:6-25:12"};
  EXPECT_EQ(desk.definition("target: ASKING", "ASKING"), asking);
  EXPECT_EQ(desk.definition("  ASKING:", "ASKING"), asking);
  EXPECT_THAT(desk.definition("session: WORK", "WORK"), ElementsAre("flow.yaml 13:2-13:6"));
  EXPECT_THAT(desk.definition("state_in", "SENDING"), ElementsAre("flow.yaml 36:2-36:9"));
  EXPECT_THAT(desk.definition("- STOPPED", "STOPPED"), ElementsAre("flow.yaml 40:2-40:9"));
}

TEST(Definition, OfWhatIsInAnotherFile) {
  Desk desk;
  EXPECT_THAT(desk.definition("machine: send", "send"), ElementsAre("send.yaml 1:6-1:10"));
  EXPECT_THAT(desk.definition("task: draft", "draft"), ElementsAre("writer.lua 2:2-2:7"));
  EXPECT_THAT(desk.definition("hooks: ", "writer.lua"), ElementsAre("writer.lua 2:11-2:17"));
  EXPECT_THAT(desk.definition("SENT: DONE", "SENT"), ElementsAre("send.yaml 6:2-6:6"));
}

TEST(Definition, OfDataAgentsAndEvents) {
  Desk desk;
  EXPECT_THAT(desk.definition("name: writer", "writer"), ElementsAre("flow.yaml 8:2-8:8"));
  EXPECT_THAT(desk.definition("Send {{", "task"), ElementsAre("flow.yaml 4:2-4:6"));
  EXPECT_THAT(desk.definition("if ctx", "rounds"), ElementsAre("flow.yaml 6:2-6:8"));
  EXPECT_THAT(desk.definition("event: WRITTEN", "WRITTEN"), ElementsAre("flow.yaml 18:54-18:61"));
  EXPECT_THAT(desk.definition("event: [", "STUCK"), ElementsAre("flow.yaml 18:79-18:84"));
  EXPECT_THAT(desk.definition("SEND: SENDING", "SEND"), ElementsAre("flow.yaml 28:20-28:24"));
  EXPECT_THAT(desk.definition("event: [", "error"), IsEmpty());
  desk.type(flow + "  X: {on: {TOO_LONG: DONE}}\n");
  EXPECT_THAT(desk.definition("{on: {TOO", "TOO_LONG"), ElementsAre("flow.yaml 21:40-21:48"));
}

TEST(Definition, WorksWhileALineIsHalfTyped) {
  Desk desk;
  desk.type(flow + "  MORE:\n    on: {DONE: {target: ASKING, gua\n");
  EXPECT_THAT(desk.definition("DONE: {target: ASK", "ASKING"), ElementsAre("flow.yaml 25:6-25:12"));
  EXPECT_THAT(desk.definition("name: flow", "flow"), IsEmpty());
}

TEST(References, AreAllMentions) {
  Desk desk;
  const Json with = {{"context", {{"includeDeclaration", true}}}};
  EXPECT_THAT(
      Desk::brief(desk.ask("references", "target: WRITING", "WRITING", with)),
      ElementsAre("flow.yaml 14:13-14:20", "flow.yaml 16:6-16:13", "flow.yaml 33:57-33:64"));
  EXPECT_THAT(Desk::brief(desk.ask("references", "  SENDING:", "SENDING")),
              ElementsAre("flow.yaml 31:16-31:23", "flow.yaml 33:37-33:44"));
  EXPECT_THAT(
      Desk::brief(desk.ask("references", "  rounds", "rounds")),
      ElementsAre("flow.yaml 20:14-20:20", "flow.yaml 20:27-20:33", "flow.yaml 21:17-21:23"));
}

TEST(References, OfWhatIsInAnotherFileAreInAll) {
  Desk desk;
  desk.client.wrote("workflows/other.yaml",
                    "agneto: 1\nname: other\nagents: {w: {hooks: ../scripts/writer.lua}}\n"
                    "initial: A\nstates:\n  A: {agent: {name: w, task: draft}, on: {done: B}}\n"
                    "  B: {machine: ./send.yaml}\n");
  desk.client.settle();
  EXPECT_THAT(Desk::brief(desk.ask("references", "machine: send", "send.yaml")),
              ElementsAre("flow.yaml 37:13-37:22", "other.yaml 6:15-6:26"));
  EXPECT_THAT(Desk::brief(desk.ask("references", "task: draft", "draft")),
              ElementsAre("flow.yaml 18:36-18:41", "other.yaml 5:29-5:34"));

  desk.path = "scripts/writer.lua";
  desk.text = writer;
  desk.client.open(desk.path);
  desk.client.settle();
  EXPECT_THAT(Desk::brief(desk.ask("references", "  draft", "draft")),
              ElementsAre("flow.yaml 18:36-18:41", "other.yaml 5:29-5:34"));
  EXPECT_THAT(Desk::brief(desk.ask("references", "  polish", "polish")), IsEmpty());
}

TEST(Hover, SaysWhatAKeyIs) {
  Desk desk;
  EXPECT_EQ(desk.hover("initial: WORK", "initial"),
            "**initial** of a machine, required\n\nThe state to begin in");
  EXPECT_EQ(desk.hover("status: failed", "status"),
            "**status** of a state\n\nHow the machine ends; complete unless said\n\nOne of "
            "`complete`, `failed`, `aborted`");
  EXPECT_EQ(desk.hover("guard: ", "guard"),
            "**guard** of a transition\n\nTaken only if this is true");
  EXPECT_EQ(desk.hover("name: flow", "flow"), "");
}

TEST(Hover, SaysWhoReachesAState) {
  Desk desk;
  EXPECT_EQ(
      desk.hover("target: WRITING", "WRITING"),
      "**WRITING**: atomic state in `WORK`, calls the agent `writer` with the task "
      "`draft`\n\nThe writer writes.\n\nReached from:\n- line 15: `initial` of `WORK`\n- line "
      "34: `ASKING` on `AGAIN`");
  EXPECT_EQ(
      desk.hover("  STOPPED:", "STOPPED"),
      "**STOPPED**: final state, ends the machine with the outcome `GIVEN_UP`, "
      "failed\n\nReached from:\n- line 12: the machine on `abort`\n- line 25: `WRITING` on "
      "`STUCK, error`\n- line 35: `ASKING` on `AGAIN`\n- line 36: `ASKING` after `2h`\n- line "
      "39: `SENDING` on `error`");
  EXPECT_EQ(desk.hover("  ASKING:", "ASKING"),
            "**ASKING**: atomic state in `WORK`, asks: Send {{inputs.task}}?\n\nReached from:\n- "
            "line 24: `WRITING` on `WRITTEN`");
}

TEST(Hover, SaysWhatOtherWordsAre) {
  Desk desk;
  EXPECT_EQ(desk.hover("name: writer", "writer"),
            "```yaml\nwriter: {hooks: ../scripts/writer.lua, session: WORK}\n```\n\nCalled by:\n- "
            "line 19: `WRITING`");
  EXPECT_EQ(desk.hover("if ctx", "rounds"), "```yaml\nrounds: 0\n```");
  EXPECT_EQ(desk.hover("event: WRITTEN", "WRITTEN"),
            "**WRITTEN**: event\n\nMade by:\n- line 17: `WRITING` ends in `WRITTEN`, with "
            "`text`\n\nTaken by:\n- line 24: `WRITING`");
  EXPECT_EQ(desk.hover("machine: send", "send"),
            "**send**: machine\n\nSends it.\n\nInputs:\n- `to`\n\nOutcomes:\n- `SENT`\n\n---\n\n"
            "**E603/missing-input**\n\nA machine that is delegated to sees only what `with` "
            "passes, and must be given every input that has\nno default and whose type does not "
            "allow null.");
}

TEST(Hover, ExplainsWhatIsUnderlined) {
  Desk desk;
  desk.type(flow + "  LOST: {final: true}\n");
  EXPECT_EQ(desk.hover("  LOST", "LOST"),
            "**LOST**: final state, ends the machine with the outcome `LOST`, complete\n\nNothing "
            "leads to it.");
  desk.type(flow + "  SENDING: {final: true}\n");
  desk.client.settle();
  const std::string said = desk.hover("  SENDING: {", "SENDING");
  EXPECT_NE(said.find("**E110/duplicate-key**"), std::string::npos) << said;
}

TEST(Symbols, AreTheStatesInsideOfEachOther) {
  Desk desk;
  const Json symbols =
      desk.client.request("textDocument/documentSymbol", Client::document(desk.path));
  std::string text;
  const std::function<void(const Json&, int)> add = [&](const Json& list, int depth) {
    for (const Json& one : list) {
      text += fmt::format("{}{} ({}) {}\n", std::string(depth, ' '), one["name"].get<std::string>(),
                          one["detail"].get<std::string>(), Client::brief(one["selectionRange"]));
      add(one.value("children", Json::array()), depth + 1);
    }
  };
  add(symbols, 0);
  EXPECT_EQ(text,
            "task (input) 4:2-4:6\nrounds (context) 6:2-6:8\nwriter (agent) 8:2-8:8\n"
            "WORK (compound) 13:2-13:6\n WRITING (atomic) 16:6-16:13\n ASKING (atomic) "
            "25:6-25:12\nSENDING (atomic) 36:2-36:9\nDONE (final) 39:2-39:6\nSTOPPED (final) "
            "40:2-40:9\n");
  EXPECT_EQ(Client::brief(symbols[3]["range"]), "13:2-35:28");
}

TEST(Requests, AboutWhatIsNoWorkflow) {
  Client client(std::map<std::string, std::string>{{"compose.yaml", "services: {}\n"}});
  client.open("compose.yaml");
  Json params = Client::document("compose.yaml");
  params["position"] = {{"line", 0}, {"character", 1}};
  EXPECT_EQ(client.request("textDocument/hover", params), nullptr);
  EXPECT_EQ(client.request("textDocument/definition", params), Json::array());
  EXPECT_EQ(client.request("textDocument/documentSymbol", params), Json::array());
  client.close("compose.yaml");
  EXPECT_EQ(client.request("textDocument/hover", params)["error"].dump(),
            R"({"code":-32602,"message":"the document is not open"})");
  EXPECT_EQ(client.request("textDocument/hover", Json::object())["error"].dump(),
            R"({"code":-32602,"message":"'uri' must be text"})");
}

}  // namespace
}  // namespace agneto::lsp
