// Files that extend others: what stands in one is declared in another.
#include <gmock/gmock.h>

#include "lsp/client.h"

namespace agneto::lsp {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;
using Strings = std::vector<std::string>;

const std::string base = R"(agneto: 1
name: base
inputs: {task: {type: string, main: true}}
context: {rounds: 0}
agents:
  coder: {hooks: coder.lua}
initial: CODING
states:
  CODING:
    agent: {name: coder, verdicts: {CODED: {summary: string}, STUCK: {}}}
    on: {CODED: DONE, STUCK: FAILED, error: FAILED}
  DONE: {final: true}
  FAILED: {final: true, status: failed}
)";
const std::string mine = R"(agneto: 1
extends: base.yaml
name: mine
states:
  CODING:
    on:
      CODED: {target: TESTING, do: ctx.rounds = 1}
  TESTING:
    run: {argv: [make]}
    on: {ok: DONE, failed: CODING, error: FAILED}
)";
const std::string outer = R"(agneto: 1
name: outer
initial: A
states:
  A: {machine: mine.yaml, on: {DONE: END, FAILED: END, error: END}}
  END: {final: true}
)";

struct Desk {
  Client client{{{"mine.yaml", mine},
                 {"base.yaml", base},
                 {"outer.yaml", outer},
                 {"../workflows/agneto.yaml", base},
                 {"coder.lua", "return {prompt = function() return 'x' end}"}}};

  Json ask(const std::string& method, const std::string& path, const std::string& text,
           const std::string& place, const std::string& word, Json more = Json::object()) {
    client.open(path, text);
    client.settle();
    const std::size_t at = text.find(word, text.find(place));
    more["textDocument"] = {{"uri", Client::uri(path)}};
    more["position"] = LineIndex(text, Encoding::utf16).position(at + 1);
    return client.request("textDocument/" + method, more);
  }
  Strings definition(const std::string& place, const std::string& word) {
    Strings result;
    for (const Json& one : ask("definition", "mine.yaml", mine, place, word)) {
      const std::string uri = one["uri"].get<std::string>();
      result.push_back(uri.substr(uri.rfind('/') + 1) + " " + Client::brief(one["range"]));
    }
    return result;
  }
  Strings labels(std::string text) {
    const std::size_t at = text.find('@');
    text.erase(at, 1);
    client.open("mine.yaml", text);
    client.settle();
    Json params = Client::document("mine.yaml");
    params["position"] = LineIndex(text, Encoding::utf16).position(at);
    Strings result;
    for (const Json& one : client.request("textDocument/completion", params)) {
      result.push_back(one["label"].get<std::string>());
    }
    return result;
  }
  // Which places have the new name; or why there is none.
  Strings renamed(const std::string& path, const std::string& text, const std::string& place,
                  const std::string& word, const std::string& name) {
    const Json edit = ask("rename", path, text, place, word, {{"newName", name}});
    if (edit.contains("error")) return {edit["error"]["message"]};
    Strings result;
    for (const auto& [uri, edits] : edit["changes"].items()) {
      for (const Json& one : edits) {
        result.push_back(uri.substr(uri.rfind('/') + 1) + " " + Client::brief(one["range"]));
      }
    }
    return result;
  }
};

TEST(Extending, DefinitionsAreInTheFileThatIsExtended) {
  Desk desk;
  EXPECT_THAT(desk.definition("ok: DONE", "DONE"), ElementsAre("base.yaml 11:2-11:6"));
  EXPECT_THAT(desk.definition("  CODING:", "CODING"), ElementsAre("base.yaml 8:2-8:8"))
      << "from a change to what is changed";
  EXPECT_THAT(desk.definition("failed: CODING", "CODING"),
              ElementsAre("mine.yaml 4:2-4:8", "base.yaml 8:2-8:8"));
  EXPECT_THAT(desk.definition("CODED:", "CODED"), ElementsAre("base.yaml 9:36-9:41"));
  EXPECT_THAT(desk.definition("ctx.rounds", "rounds"), ElementsAre("base.yaml 3:10-3:16"));
  EXPECT_THAT(desk.definition("extends:", "base"), ElementsAre("base.yaml 1:6-1:10"));
}

TEST(Extending, ReferencesAreInAllFilesOfTheMachine) {
  Desk desk;
  Strings found;
  for (const Json& one : desk.ask("references", "mine.yaml", mine, "ok: DONE", "DONE",
                                  {{"context", {{"includeDeclaration", true}}}})) {
    const std::string uri = one["uri"].get<std::string>();
    found.push_back(uri.substr(uri.rfind('/') + 1) + " " + Client::brief(one["range"]));
  }
  EXPECT_THAT(found,
              ElementsAre("base.yaml 10:16-10:20", "base.yaml 11:2-11:6", "mine.yaml 9:13-9:17"));
}

TEST(Extending, HoveringShowsWhatTheOtherFileHas) {
  Desk desk;
  const auto hover = [&](const std::string& place, const std::string& word) {
    const Json found = desk.ask("hover", "mine.yaml", mine, place, word);
    return found.is_null() ? "" : found["contents"]["value"].get<std::string>();
  };
  EXPECT_EQ(hover("ok: DONE", "DONE"),
            "In `base.yaml`:\n\n"
            "**DONE**: final state, ends the machine with the outcome `DONE`, complete\n\n"
            "Reached from:\n- line 11: `CODING` on `CODED`");
  EXPECT_THAT(hover("  CODING:", "CODING"),
              HasSubstr("In `base.yaml`:\n\n**CODING**: atomic state, calls the agent `coder`"));
}

TEST(Extending, CompletionHasWhatTheOtherFileHas) {
  Desk desk;
  const std::string head = "agneto: 1\nextends: base.yaml\nname: mine\n";
  EXPECT_THAT(desk.labels(head + "states:\n  @\n"), IsSupersetOf({"CODING", "DONE", "FAILED"}));
  EXPECT_THAT(desk.labels(head + "states:\n  NEW: {always: @}\n"),
              IsSupersetOf({"CODING", "DONE", "FAILED", "NEW"}));
  EXPECT_THAT(desk.labels(head + "states:\n  CODING:\n    on:\n      @\n"),
              IsSupersetOf({"CODED", "STUCK"}));
  EXPECT_THAT(desk.labels(head + "states:\n  NEW:\n    agent: @\n"), Contains("coder"));
  EXPECT_THAT(desk.labels(head + "agents:\n  @\n"), Contains("coder"));
  EXPECT_THAT(desk.labels(head + "context:\n  @\n"), Contains("rounds"));
  EXPECT_THAT(desk.labels(head + "inputs:\n  @\n"), Contains("task"));
  EXPECT_THAT(desk.labels(head + "states:\n  CODING: {on: {CODED: {guard: ctx.@}}}\n"),
              Contains("rounds"));
  EXPECT_THAT(desk.labels("agneto: 1\nextends: agneto\nstates:\n  @\n"), Contains("CODING"));
}

TEST(Extending, ANewNameReachesTheFilesThatExtend) {
  Desk desk;
  EXPECT_THAT(desk.renamed("base.yaml", base, "  CODING:", "CODING", "TYPING"),
              ElementsAre("base.yaml 6:9-6:15", "base.yaml 8:2-8:8", "mine.yaml 4:2-4:8",
                          "mine.yaml 9:27-9:33"));
  EXPECT_THAT(desk.renamed("base.yaml", base, "  DONE:", "DONE", "FINISHED"),
              ElementsAre("base.yaml 10:16-10:20", "base.yaml 11:2-11:6", "mine.yaml 9:13-9:17",
                          "outer.yaml 4:31-4:35"));
  EXPECT_THAT(desk.renamed("base.yaml", base, "  DONE:", "DONE", "TESTING"),
              ElementsAre("there is a state 'TESTING' already in mine.yaml, on line 8"));
}

TEST(Extending, AStateIsRenamedWhereItComesFrom) {
  Desk desk;
  const std::string why = " is a state of base.yaml, which this file extends; rename it there";
  EXPECT_THAT(desk.renamed("mine.yaml", mine, "  CODING:", "CODING", "TYPING"),
              ElementsAre("'CODING'" + why));
  EXPECT_THAT(desk.renamed("mine.yaml", mine, "ok: DONE", "DONE", "FINISHED"),
              ElementsAre("'DONE'" + why));
  EXPECT_THAT(desk.renamed("mine.yaml", mine, "  TESTING:", "TESTING", "DONE"),
              ElementsAre("there is a state 'DONE' already in base.yaml, on line 12"));
  EXPECT_THAT(desk.renamed("mine.yaml", mine, "  TESTING:", "TESTING", "CHECKING"),
              ElementsAre("mine.yaml 6:22-6:29", "mine.yaml 7:2-7:9"));
}

}  // namespace
}  // namespace agneto::lsp
