#include <gmock/gmock.h>

#include "lsp/client.h"

namespace agneto::lsp {
namespace {

const std::string inner = R"(agneto: 1
name: inner
initial: {target: WORK, do: ctx.n = 1}
context: {n: 0}
agents:
  coder: {hooks: coder.lua, session: WORK}
on:
  done.state.WORK: GOOD
states:
  WORK:
    initial: "CODING"
    states:
      CODING:
        agent: {name: coder, verdicts: {OK: {}, BAD: {}}}
        on:
          OK: ENDED
          BAD: [{guard: 'state_in("CODING") and ctx.n < 3', target: CODING}, BAD]
          error: {target: [BAD]}
        after: {1h: {target: BAD, do: "ctx.n = state_in(\"CODING\") and 1 or 2"}}
      ENDED: {final: true}
  GOOD: {final: true}
  BAD: {final: true}
  NEUTRAL: {final: true, outcome: SO_SO}
)";
const std::string outer = R"(agneto: 1
name: outer
initial: A
states:
  A:
    machine: inner.yaml
    on: {GOOD: DONE, BAD: DONE, SO_SO: DONE, error: DONE}
  B:
    machine: inner.yaml
    on:
      - {event: [BAD, error], target: DONE}
  C: {run: {argv: [make]}, on: {ok: DONE, GOOD: A}}
  DONE: {final: true}
)";

struct Desk {
  Client client;
  std::string path = "inner.yaml";
  std::string text;

  explicit Desk(std::string typed = inner, const std::string& parent = outer)
      : client({{"inner.yaml", inner},
                {"outer.yaml", parent},
                {"coder.lua", "return {prompt = function() return 'x' end}"}}),
        text(std::move(typed)) {
    client.open(path, text);
    client.settle();
  }

  Json params(const std::string& place, const std::string& word) {
    Json params = Client::document(path);
    const std::size_t at = text.find(word, text.find(place));
    params["position"] = LineIndex(text, Encoding::utf16).position(at);
    return params;
  }
  Json rename(const std::string& place, const std::string& word, const std::string& name) {
    Json all = params(place, word);
    all["newName"] = name;
    return client.request("textDocument/rename", all);
  }
  // The files after it, the first with its name in front; or why not.
  std::string renamed(const std::string& place, const std::string& word, const std::string& name,
                      const std::string& file) {
    const Json edit = rename(place, word, name);
    if (edit.contains("error")) return edit["error"]["message"];
    std::string result = file == path ? text : *client.files().read("/team/" + file);
    const Json edits = edit["changes"].value(Client::uri(file), Json::array());
    std::map<std::size_t, std::pair<std::size_t, std::string>> by_place;
    const LineIndex lines(result, Encoding::utf16);
    for (const Json& one : edits) {
      by_place[lines.offset(one["range"]["start"])] = {lines.offset(one["range"]["end"]),
                                                       one["newText"]};
    }
    EXPECT_EQ(by_place.size(), edits.size());
    for (auto it = by_place.rbegin(); it != by_place.rend(); ++it) {
      result.replace(it->first, it->second.first - it->first, it->second.second);
    }
    return result;
  }
};

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

TEST(Rename, ReachesEveryMention) {
  Desk desk;
  EXPECT_EQ(desk.renamed("  CODING:", "CODING", "TYPING", "inner.yaml"),
            replaced(inner, "CODING", "TYPING"));
  EXPECT_EQ(desk.renamed("session: ", "WORK", "JOB", "inner.yaml"), replaced(inner, "WORK", "JOB"));
  EXPECT_EQ(desk.renamed("done.state.", "WORK", "JOB", "inner.yaml"),
            replaced(inner, "WORK", "JOB"));
  EXPECT_EQ(desk.renamed("state_in", "CODING", "TYPING", "outer.yaml"), outer);
}

TEST(Rename, ReachesWhomAnEventIsSentTo) {
  const std::string talking = R"text(agneto: 1
name: inner
initial: SUB
on:
  go: {do: 'send("x", {}, {to = "SUB", after = "1s"})'}
  stop: {do: "send(\"y\", {}, {to=\"SUB\"})"}
states:
  SUB: {machine: outer.yaml, on: {DONE: END}}
  END: {final: true}
)text";
  Desk desk(talking);
  EXPECT_EQ(desk.renamed("  SUB:", "SUB", "PART", "inner.yaml"), replaced(talking, "SUB", "PART"));
}

// Neither in CODING_2 nor in a test of another machine.
TEST(Rename, SaysWhichTestsNameTheStateStill) {
  Desk desk;
  desk.client.write("inner.test.yaml",
                    "agneto-test: 1\n# CODING_2, UNCODING\ncases:\n  - {at: CODING}\n"
                    "  - {path: [A/CODING#1, GOOD]}\n");
  desk.client.write("outer.test.yaml", "agneto-test: 1\ncases: [{at: A/CODING}]\n");
  desk.client.write("other.test.yaml", "agneto-test: 1\ncases: [{at: CODING}]\n");
  desk.client.others.clear();
  desk.rename("  CODING:", "CODING", "TYPING");
  std::vector<std::string> told;
  for (const Json& message : desk.client.others) {
    EXPECT_EQ(message["method"], "window/showMessage");
    told.push_back(message["params"]["message"]);
  }
  EXPECT_THAT(told, testing::ElementsAre(
                        "inner.test.yaml still names 'CODING', on lines 4, 5: change it there too",
                        "outer.test.yaml still names 'CODING', on line 2: change it there too"));
  desk.client.others.clear();
  desk.rename("  CODING:", "CODING", "CODING");
  EXPECT_THAT(desk.client.others, testing::IsEmpty());
}

TEST(Rename, OfAFinalStateReachesThoseWhoTakeTheOutcome) {
  Desk desk;
  const std::string mine =
      replaced(replaced(inner, "BAD", "WORSE"), "WORSE: [", "BAD: [");  // the verdict stays
  EXPECT_EQ(desk.renamed("  BAD: {final", "BAD", "WORSE", "inner.yaml"),
            replaced(mine, "OK: {}, WORSE: {}", "OK: {}, BAD: {}"));
  EXPECT_EQ(desk.renamed("  BAD: {final", "BAD", "WORSE", "outer.yaml"),
            replaced(outer, "BAD", "WORSE"));
  EXPECT_EQ(desk.renamed("  GOOD: {final", "GOOD", "FINE", "outer.yaml"),
            replaced(outer, "{GOOD: DONE, BAD", "{FINE: DONE, BAD"));
  EXPECT_EQ(desk.renamed("  NEUTRAL", "NEUTRAL", "MEH", "outer.yaml"), outer);
}

TEST(Rename, LeavesNoEventWithoutItsTaker) {
  const std::string around =
      "agneto: 1\nname: outer\ninitial: A\non: {GOOD: DONE}\nstates:\n  A: {machine: inner.yaml}\n"
      "  B:\n    ask: {question: Q, options: {GOOD: Good, NO: No}}\n  DONE: {final: true}\n";
  Desk desk(inner, around);
  EXPECT_EQ(desk.renamed("  GOOD: {final", "GOOD", "FINE", "outer.yaml"),
            "outer.yaml takes 'GOOD' as an outcome of this machine and as an event of B; give the "
            "final state `outcome: GOOD` first, then only the state is renamed");
  Desk alone(inner, replaced(around, "GOOD: Good", "YES: Yes"));
  EXPECT_EQ(alone.renamed("  GOOD: {final", "GOOD", "FINE", "outer.yaml"),
            replaced(replaced(around, "GOOD: Good", "YES: Yes"), "GOOD", "FINE"));
}

TEST(Rename, RefusesANameThatCannotBe) {
  Desk desk;
  const auto why = [&](const std::string& name) {
    return desk.renamed("  CODING:", "CODING", name, "inner.yaml");
  };
  EXPECT_EQ(why("GOOD"), "there is a state 'GOOD' already in this file, on line 21");
  EXPECT_EQ(
      why("A.B"),
      "'A.B' is no state's name: write letters, digits, '_' and '-', not first a digit or '-'");
  EXPECT_EQ(why(""),
            "'' is no state's name: write letters, digits, '_' and '-', not first a digit or '-'");
  EXPECT_EQ(why("CODING"), inner) << "nothing to do";
  EXPECT_EQ(desk.renamed("OK: {}", "OK", "YES", "inner.yaml"),
            "there is no state here; only states can be renamed");
  EXPECT_EQ(desk.renamed("done.state.", "done", "YES", "inner.yaml"),
            "there is no state here; only states can be renamed");
}

TEST(Rename, WantsFilesThatCanBeRead) {
  Desk desk(inner + "  X: {on: {OK: GOOD\n");
  EXPECT_EQ(desk.renamed("  CODING:", "CODING", "TYPING", "inner.yaml"),
            "inner.yaml is not YAML at the moment: line 24: this '{' is never closed");
  Desk other(replaced(inner, "OK: ENDED", "OK: ENDE"));
  EXPECT_EQ(other.renamed("OK: ENDE", "ENDE", "TYPING", "inner.yaml"), "there is no state 'ENDE'");
}

TEST(Rename, IsPreparedWithTheName) {
  Desk desk;
  const Json ready =
      desk.client.request("textDocument/prepareRename", desk.params("done.state.", "WORK"));
  EXPECT_EQ(ready["placeholder"], "WORK");
  EXPECT_EQ(Client::brief(ready["range"]), "7:13-7:17");
  const Json not_here =
      desk.client.request("textDocument/prepareRename", desk.params("name: inner", "inner"));
  EXPECT_EQ(not_here["error"].dump(),
            R"({"code":-32803,"message":"there is no state here; only states can be renamed"})");
  EXPECT_EQ(desk.client.initialized["capabilities"]["renameProvider"].dump(),
            R"({"prepareProvider":true})");
}

TEST(Rename, WaitsForTheWorkflowsToBeKnown) {
  Client client({{"inner.yaml", inner}, {"outer.yaml", outer}});
  client.open("inner.yaml");
  Json params = Client::document("inner.yaml");
  params["newName"] = "JOB";
  params["position"] = LineIndex(inner, Encoding::utf16).position(inner.find("  WORK:") + 2);
  EXPECT_EQ(client.request("textDocument/rename", params)["error"]["message"],
            "the workflows that it may be a part of are still being looked for; try again in a "
            "moment");
  client.settle();
  EXPECT_EQ(client.request("textDocument/rename", params)["changes"].size(), 1U);
}

}  // namespace
}  // namespace agneto::lsp
