#include <gmock/gmock.h>

#include "lsp/client.h"

namespace agneto::lsp {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Not;
using Strings = std::vector<std::string>;

// What is suggested where `@` stands in a machine that begins with this.
const std::string head = R"(agneto: 1
name: flow
inputs: {task: {type: string, description: What is to be done}}
context: {rounds: 0, label: ""}
agents:
  coder: {hooks: ../scripts/coder.lua}
  critic: {hooks: ../scripts/coder.lua}
)";
const std::string tail = R"(
  WORKING:
    agent: {name: coder, verdicts: {DONE: {summary: string}, STUCK: {}}}
    entry: raise("EXTRA")
    on: {DONE: END}
  END: {final: true, description: It is over}
)";
const std::string other =
    "agneto: 1\nname: other\ninputs: {plan: string}\nagents: {x: {hooks: "
    "../scripts/coder.lua}}\ninitial: OUT\nstates:\n  OUT: {final: true}\n"
    "outputs: {found: inputs.plan}\n";
const std::string coder = "return {tasks = {plan = {prompt = f}, apply = {prompt = f}}}\n";

struct Desk {
  Client client{{{"workflows/other.yaml", other},
                 {"workflows/flow.yaml", "agneto: 1\n" + tail},
                 {"scripts/coder.lua", coder}}};

  Json items(std::string text, const std::string& path = "workflows/flow.yaml") {
    const std::size_t at = text.find('@');
    EXPECT_NE(at, std::string::npos) << text;
    text.erase(at, 1);
    client.open(path, text);
    client.settle();
    Json params = Client::document(path);
    params["position"] = LineIndex(text, Encoding::utf16).position(at);
    return client.request("textDocument/completion", params);
  }
  Strings labels(const std::string& text, const std::string& path = "workflows/flow.yaml") {
    Strings result;
    for (const Json& one : items(text, path)) result.push_back(one["label"].get<std::string>());
    return result;
  }
  // What is offered inside a state with these lines.
  Strings in_state(const std::string& lines) {
    return labels(head + "initial: WORKING\nstates:\n  A:\n" + lines + tail);
  }
};

TEST(Completion, OfKeysHasThoseThatAreNotThere) {
  Desk desk;
  EXPECT_THAT(desk.labels("agneto: 1\n@\nname: x\n"),
              ElementsAre("extends", "description", "inputs", "context", "agents", "verdicts",
                          "functions", "limits", "initial", "on", "always", "after", "entry",
                          "exit", "states", "outputs", "invariants", "workspace"));
  const Strings keys = desk.in_state("    en@\n    run: {argv: [make]}\n");
  EXPECT_THAT(keys, IsSupersetOf({"entry", "exit", "on", "agent", "final"}));
  EXPECT_THAT(keys, Not(Contains("run")));
  EXPECT_THAT(desk.in_state("    run: {argv: [make], @}\n"),
              ElementsAre("shell", "command", "env", "cwd", "timeout", "retry", "once", "access"));
  EXPECT_THAT(desk.in_state("    on:\n      DONE: {guard: x, @\n"),
              ElementsAre("target", "do", "internal", "description"));
  EXPECT_THAT(desk.labels("@"), Contains("agneto"));
}

TEST(Completion, OfAKeySaysWhatItIs) {
  Desk desk;
  const Json items = desk.items(head + "init@\n");
  const auto item = [&](const std::string& label) {
    for (const Json& one : items) {
      if (one["label"] == label) return one;
    }
    return Json();
  };
  EXPECT_EQ(item("initial")["documentation"], "The state to begin in");
  EXPECT_EQ(item("initial")["detail"], "required");
  EXPECT_EQ(item("initial")["textEdit"]["newText"], "initial: ");
  EXPECT_EQ(Client::brief(item("initial")["textEdit"]["range"]), "7:0-7:4");
  EXPECT_EQ(item("states")["textEdit"]["newText"], "states:");
  for (const Json& one : desk.items(head + "ini@: A\n")) {
    EXPECT_EQ(one["textEdit"]["newText"], one["label"]) << "the colon is there";
  }
}

TEST(Completion, OfWhatTheFileDefinesOnce) {
  Desk desk;
  const std::string shared = head +
                             "  tester: {extends: @}\nverdicts: {review: {GOOD: {}}}\n"
                             "functions: {is_small: function(n) return n < 3 end}\n"
                             "initial: WORKING\nstates:" +
                             tail;
  EXPECT_EQ(desk.labels(shared), (Strings{"coder", "critic", "tester"}));
  const auto without_mark = [&] {
    std::string text = shared;
    text.erase(text.find('@'), 1);
    return text;
  };
  std::string text = without_mark();
  text.insert(text.find("verdicts: {DONE"), "verdicts: @}}\n    x: {y: {");
  EXPECT_EQ(desk.labels(text), Strings{"review"});
  text = without_mark();
  text.insert(text.find("entry: raise"), "always: {guard: is@}\n    ");
  EXPECT_THAT(desk.labels(text), Contains("is_small"));
}

TEST(Completion, OfATargetHasTheStates) {
  Desk desk;
  const Strings states = {"A", "WORKING", "END"};
  EXPECT_EQ(desk.in_state("    on: {DONE: {target: @}}\n"), states);
  EXPECT_EQ(desk.in_state("    on: {DONE: {target: W@"), states);
  EXPECT_EQ(desk.in_state("    on:\n      - {event: x, target: [END, @]}\n"), states);
  EXPECT_EQ(desk.labels(head + "initial: @\nstates:" + tail), (Strings{"WORKING", "END"}));
  EXPECT_EQ(desk.in_state("    on:\n      DONE: W@\n"), states) << "no key can stand there";
  EXPECT_THAT(
      desk.in_state("    on:\n      DONE:\n        W@\n"),
      ElementsAre("A", "WORKING", "END", "target", "guard", "do", "internal", "description"));
  EXPECT_THAT(desk.in_state("    always:\n      - @\n"), IsSupersetOf({"WORKING", "guard"}));
  EXPECT_EQ(desk.in_state("    entry: ctx.rounds = state_in(\"@\n"), states);
}

TEST(Completion, OfWhomAnEventIsSentToHasWhoCanBe) {
  Desk desk;
  const std::string lines =
      "    machine: other.yaml\n    on: {go: {do: 'send(\"x\", {}, {to = \"@\"})'}}\n";
  EXPECT_EQ(desk.in_state(lines), (Strings{"parent", "A"}));
}

TEST(Completion, OfAnEventHasWhatTheStateEndsIn) {
  Desk desk;
  const auto first = [](Strings all, std::size_t count) {
    all.resize(std::min(all.size(), count));
    return all;
  };
  EXPECT_EQ(first(desk.in_state(
                      "    agent: {name: coder, verdicts: {YES: {}, NO: {}}}\n    on:\n      @\n"),
                  4),
            (Strings{"YES", "NO", "EXTRA", "error"}));
  EXPECT_EQ(
      first(desk.in_state("    ask: {question: Q, options: {OK: Ok, KO: Ko}}\n    on: {O@\n"), 2),
      (Strings{"OK", "KO"}));
  EXPECT_EQ(first(desk.in_state("    workspace: {merge: {}}\n    on:\n      - event: @\n"), 3),
            (Strings{"ok", "failed", "conflict"}));
  EXPECT_EQ(first(desk.in_state("    machine: other.yaml\n    on:\n      O@"), 1),
            (Strings{"OUT"}));
  EXPECT_THAT(desk.labels(head + "on:\n  @\nstates:" + tail),
              IsSupersetOf({"DONE", "STUCK", "EXTRA", "abort", "limit.calls", "any"}));
  EXPECT_EQ(first(desk.in_state("    entry: raise(\"@\n"), 1), (Strings{"DONE"}));
}

TEST(Completion, OfNamesThatAreDeclaredElsewhere) {
  Desk desk;
  EXPECT_THAT(desk.in_state("    agent: {name: @}\n"), ElementsAre("coder", "critic"));
  EXPECT_THAT(desk.in_state("    agent: c@\n"), ElementsAre("coder", "critic"));
  EXPECT_THAT(desk.in_state("    agent: {name: coder, task: @}\n"), ElementsAre("plan", "apply"));
  EXPECT_THAT(desk.in_state("    agent: {name: coder, access: @"),
              ElementsAre("read-only", "edit", "full"));
  EXPECT_THAT(desk.in_state("    ask:\n      options: {YES: y, NO: n}\n      default: @\n"),
              ElementsAre("YES", "NO"));
  EXPECT_THAT(desk.in_state("    machine: @\n"), ElementsAre("other.yaml"));
  EXPECT_THAT(desk.in_state("    machine: other.yaml\n    with: {@}\n"), ElementsAre("plan"));
  EXPECT_THAT(desk.in_state("    final: @\n"), ElementsAre("true", "false"));
  EXPECT_THAT(desk.labels("agneto: 1\nagents: {x: {hooks: @}}\n"),
              ElementsAre("../scripts/coder.lua"));
  EXPECT_THAT(desk.labels("agneto: 1\nagents: {x: {session: @}}\nstates: {S: {}}\n"),
              ElementsAre("fresh", "machine", "run", "S"));
  EXPECT_THAT(desk.labels("agneto: 1\ninputs: {x: @}\n"),
              IsSupersetOf({"string", "integer", "boolean", "enum"}));
}

TEST(Completion, InLuaHasTheData) {
  Desk desk;
  EXPECT_THAT(desk.in_state("    entry: |\n      ctx.rounds = ctx.@\n"),
              ElementsAre("rounds", "label"));
  EXPECT_THAT(desk.in_state("    always: [{guard: inputs.t@ > 3}]\n"), ElementsAre("task"));
  EXPECT_THAT(desk.in_state("    agent: {name: coder, verdicts: {OK: {text: string}}}\n"
                            "    on: {OK: {do: ctx.label = event.@}}\n"),
              ElementsAre("text", "name", "data", "source", "origin", "item"));
  EXPECT_THAT(desk.in_state("    machine: other.yaml\n    on:\n      - event: [OUT, error]\n"
                            "        do: ctx.label = event.@\n"),
              ElementsAre("found", "message", "name", "data", "source", "origin", "item"));
  EXPECT_THAT(desk.in_state("    ask: {question: 'Shall {{inputs.@}} be?'}\n"),
              ElementsAre("task"));
  EXPECT_THAT(desk.in_state("    ask: {question: 'Shall inputs.@ be?'}\n"), IsEmpty());
  EXPECT_THAT(desk.in_state("    entry: ctx.label = string.@\n"), IsSupersetOf({"format", "rep"}));
  EXPECT_THAT(desk.in_state("    entry: @\n"),
              IsSupersetOf({"ctx", "raise", "state_in", "tostring"}));
  EXPECT_THAT(desk.in_state("    always: [{guard: @}]\n"), Not(Contains("raise")));
  EXPECT_THAT(desk.in_state(
                  "    for_each: {items: ctx.x, as: one, machine: other.yaml, with: {plan: @}}\n"),
              IsSupersetOf({"one", "index"}));
}

TEST(Completion, InAHookModuleHasTheDataOfItsMachines) {
  Desk desk;
  desk.client.open("workflows/flow.yaml", head + "initial: END\nstates:" + tail);
  const std::string path = "scripts/coder.lua";
  EXPECT_THAT(desk.labels("return {prompt = function(m) return m.ctx.@", path),
              ElementsAre("rounds", "label"));
  EXPECT_THAT(desk.labels("return {prompt = function(m) return m.@ end}", path),
              ElementsAre("inputs", "ctx", "run", "state", "task", "attempt", "last_error",
                          "verdicts", "workspace"));
  EXPECT_THAT(desk.labels("local x = m.workspace.@", path),
              ElementsAre("diff", "files", "base", "head"));
}

}  // namespace
}  // namespace agneto::lsp
