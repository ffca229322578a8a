#include "replay/cassette.h"

#include "record/cassette_file.h"
#include "replay/recorded_scenario.h"
#include "run/engine_fixture.h"

namespace agneto::replay {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string taped_flow = R"(agneto: 1
name: flow
inputs: {task: {type: string, main: true}}
context: {note: ""}
agents: {worker: {hooks: hook.lua, access: edit}, judge: {hooks: hook.lua}}
initial: WORKING
on: {abort: STOPPED}
states:
  WORKING:
    agent: {name: worker, verdicts: {DONE: {}, MORE: {}}}
    on: {DONE: JUDGING, MORE: WORKING, error: STOPPED}
  JUDGING:
    agent: {name: judge, verdicts: {OK: {why: string}}}
    on: {OK: {target: GATE, do: ctx.note = event.why}, error: STOPPED}
  GATE:
    ask: {question: Is it good, options: {YES: Take it, NO: {label: Again, feedback: required}}}
    on: {YES: FINE, NO: WORKING}
    after: {1h: STOPPED}
  FINE: {final: true}
  STOPPED: {final: true, status: failed}
)";

class CassetteTest : public run::EngineTest {
 protected:
  Cassette cassette() { return cassette(recorded()); }
  Cassette cassette(const std::vector<record::Entry>& entries) {
    return to_cassette(
        store->find("r").value(), entries, *loaded.system,
        [](const std::string& from, const std::string& to) {
          return from == to ? std::string() : "from " + from + " to " + to + "\n";
        },
        "c0ffee", "/repository");
  }
  // The record of a run whose only call fails after ten seconds, in which it did that.
  std::vector<record::Entry> failed_call(const std::vector<agents::Output>& output) {
    load(taped_flow);
    calls = Json::array({{{"agent", "worker"}, {"error", "broken"}, {"event", "error.spawn"}}});
    EXPECT_EQ(start(), ExitStatus::failed);
    auto entries = recorded();
    for (auto& entry : entries) {
      auto* reply = std::get_if<record::Reply>(&entry.body);
      if (!reply) continue;
      reply->duration = Millis(10'000);
      reply->output = output;
    }
    return entries;
  }
  std::string scenario() {
    return to_scenario(store->find("r").value(), recorded(), *loaded.system, *evaluator, "");
  }
};

TEST_F(CassetteTest, HoldsWhatWasSaidAndChanged) {
  load(taped_flow);
  calls = Json::array(
      {{{"agent", "worker"}, {"reply", "VERDICT: MORE"}, {"edits", Json::object()}},
       {{"agent", "worker"},
        {"attempts",
         {{{"error", "busy"}, {"event", "error.timeout"}},
          {{"reply", "Hm."}},
          {{"reply", "VERDICT: DONE"}}}}},
       {{"agent", "judge"}, {"reply", "```json\n{\"verdict\": \"OK\", \"why\": \"so\"}\n```"}}});
  human.answers = {{"YES", "", {}}};
  workspace.edited_behind_our_back = true;
  ASSERT_EQ(start(), ExitStatus::complete);
  const Cassette made = cassette();
  EXPECT_THAT(made.notes, IsEmpty());
  const auto calls_at = made.yaml.find("agneto-cassette: 1");
  EXPECT_THAT(made.yaml.substr(0, calls_at),
              HasSubstr("# What was said and changed in run r of workflow 'flow',\n"
                        "# which began at commit c0ffee."));
  const std::string body = made.yaml.substr(calls_at);
  EXPECT_THAT(body, HasSubstr("answers: [{state: GATE, option: 'YES'}]"));
  EXPECT_THAT(body, HasSubstr("  - agent: worker\n    state: WORKING\n    prompt: |\n"
                              "      work on it\n\n      ## How to end your reply\n"));
  EXPECT_THAT(body, HasSubstr("    reply: 'VERDICT: MORE'\n    patch: |\n      from "));
  EXPECT_THAT(body, HasSubstr("        error: busy\n        event: error.timeout\n"));
  EXPECT_THAT(body, HasSubstr("        reply: Hm.\n"));
  EXPECT_THAT(body, HasSubstr("  - agent: judge\n    state: JUDGING\n    prompt: |\n"));
  EXPECT_THAT(body, HasSubstr("    reply: |-\n      ```json\n"));
}

TEST_F(CassetteTest, HoldsWhatWasSaidMeanwhileAndWhen) {
  const Cassette made =
      cassette(failed_call({{Millis(1000), "text", "Let me see."},
                            {Millis(2000), "tool", "make"},
                            {Millis(9000), "tool_end", ""},
                            {Millis(9100), "tool_denied", "WebFetch"},
                            {Millis(9200), "tool_failed", "edit: greet"},
                            {Millis(9250), "note", "the model server answered 529; trying again"},
                            {Millis(9500), "cut", ""}}));
  EXPECT_THAT(made.yaml, HasSubstr("    output:\n"
                                   "      - {at: 1000ms, text: Let me see.}\n"
                                   "      - {at: 2000ms, tool: make}\n"
                                   "      - {at: 9000ms, tool_end: true}\n"
                                   "      - {at: 9100ms, tool_denied: WebFetch}\n"
                                   "      - {at: 9200ms, tool_failed: 'edit: greet'}\n"
                                   "    took: 10000ms\n"
                                   "    error: broken\n"));
  EXPECT_THAT(made.notes,
              ElementsAre("of what worker said at WORKING#1 only the beginning was kept"));
}

TEST_F(CassetteTest, HoldsWhatWasRecordedBeforeTheReply) {
  load(taped_flow);
  calls = Json::array({{{"agent", "worker"}, {"error", "broken"}, {"event", "error.spawn"}}});
  ASSERT_EQ(start(), ExitStatus::failed);
  std::vector<record::Entry> entries;
  const auto said = [&](const record::Entry& at, Millis when, const std::string& text) {
    entries.push_back(at);
    entries.back().body = record::Said{1, {{when, "text", text}}};
  };
  for (const auto& entry : recorded()) {
    const bool is_prompt = entry.get<record::Prompt>() != nullptr;
    // An owner that was killed had asked, too.
    if (is_prompt) {
      entries.push_back(entry);
      said(entry, Millis(1500), "Nobody reads this.");
    }
    entries.push_back(entry);
    if (is_prompt) said(entry, Millis(2000), "Let me see.");
    auto* reply = std::get_if<record::Reply>(&entries.back().body);
    if (reply) reply->output = {{Millis(3000), "tool", "make"}};
  }
  EXPECT_THAT(
      cassette(entries).yaml,
      HasSubstr("    output: [{at: 2000ms, text: Let me see.}, {at: 3000ms, tool: make}]\n"));
}

// What it had said did not count, and must not come before it is cancelled again.
TEST_F(CassetteTest, OfACancelledCallNothingComes) {
  load(taped_flow);
  reply("worker", "DONE");
  calls.push_back({{"agent", "judge"}, {"error", "broken"}, {"event", "error.spawn"}});
  ASSERT_EQ(start(), ExitStatus::failed);
  auto entries = recorded();
  for (auto& entry : entries) {
    auto* step = std::get_if<record::Macrostep>(&entry.body);
    if (!step || !step->event || step->event->path != "JUDGING#1") continue;
    step->event = chart::Event{chart::Event::Kind::external, "abort", {}, ""};
    step->effects.push_back(chart::Cancel{"JUDGING#1"});
  }
  const Cassette made = cassette(entries);
  EXPECT_THAT(made.yaml, HasSubstr("  - {agent: judge, state: JUDGING, error: it was "
                                   "cancelled in the run, delay: 1h}\n"));
}

TEST_F(CassetteTest, WhatWasSaidInPiecesIsLeftOutWhereItHasASecret) {
  const Cassette made =
      cassette(failed_call({{Millis(1), "text", "-----BEGIN RSA PRIVATE KEY-----"},
                            {Millis(2), "tool", "cat"},
                            {Millis(3), "text", "MIIEowIBAAKCAQEAxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"},
                            {Millis(4), "text", "-----END RSA PRIVATE KEY-----"}}));
  EXPECT_THAT(made.yaml, HasSubstr("    output: [{at: 2ms, tool: cat}]\n"));
  EXPECT_THAT(made.yaml, ::testing::Not(HasSubstr("MIIE")));
  EXPECT_THAT(made.notes,
              ElementsAre("what worker said meanwhile at WORKING#1 has a secret, and is "
                          "left out"));
}

TEST_F(CassetteTest, PlaysTheSamePathAgain) {
  load(taped_flow);
  calls = Json::array({{{"agent", "worker"}, {"reply", "VERDICT: MORE"}},
                       {{"agent", "worker"}, {"error", "broken"}, {"event", "error.spawn"}}});
  ASSERT_EQ(start(), ExitStatus::failed);
  const auto before = recorded();
  MemoryFiles made({{"/c.yaml", cassette().yaml}});
  calls = record::load_cassette("/c.yaml", made).at("calls");
  renew_journal();
  ASSERT_EQ(start(), ExitStatus::failed);
  const auto again = recorded();
  ASSERT_EQ(again.size(), before.size());
  for (std::size_t i = 0; i < again.size(); ++i) {
    if (again[i].get<record::Macrostep>()) {
      EXPECT_EQ(body_json(again[i].body), body_json(before[i].body));
    }
  }
}

TEST_F(CassetteTest, SaysWhatIsNotInIt) {
  load(taped_flow);
  reply("worker", "DONE");
  calls.push_back(
      {{"agent", "judge"}, {"reply", "```json\n{\"verdict\": \"OK\", \"why\": \"so\"}\n```"}});
  seen.on["question.asked"] = [this] { clock.advance(Millis(3'600'000)); };
  ASSERT_EQ(start(), ExitStatus::failed);
  EXPECT_THAT(cassette().notes,
              ElementsAre("nothing in it makes the timer GATE#1/after:1 come due"));
}

TEST_F(CassetteTest, OfARunThatAskedNobodyAsksNobody) {
  load(taped_flow);
  human.there = false;
  reply("worker", "DONE");
  calls.push_back(
      {{"agent", "judge"}, {"reply", "```json\n{\"verdict\": \"OK\", \"why\": \"so\"}\n```"}});
  journal::RunRecord line;
  line.options = {{"interactive", false}};
  make().begin({{"task", "it"}}, {});
  engine->work();
  journal::RunRecord run = store->find("r").value();
  run.options["interactive"] = false;
  const Cassette made = to_cassette(
      run, recorded(), *loaded.system,
      [](const std::string&, const std::string&) { return std::string(); }, "", "/repository");
  EXPECT_THAT(made.yaml, HasSubstr("agneto-cassette: 1\ninteractive: false\ncalls:\n"));
}

TEST_F(CassetteTest, AScenarioHasRepliesAnswersTimeAndWhatCameOfIt) {
  load(taped_flow);
  calls = Json::array(
      {{{"agent", "worker"}, {"reply", "VERDICT: MORE"}},
       {{"agent", "worker"}, {"attempts", {{{"error", "busy"}}, {{"reply", "VERDICT: DONE"}}}}},
       {{"agent", "judge"}, {"reply", "```json\n{\"verdict\": \"OK\", \"why\": \"so\"}\n```"}},
       {{"agent", "worker"}, {"reply", "VERDICT: DONE"}},
       {{"agent", "judge"}, {"reply", "```json\n{\"verdict\": \"OK\", \"why\": \"so\"}\n```"}}});
  human.answers = {{"NO", "not yet", {}}};
  seen.on["question.answered"] = [this] {
    seen.on["question.asked"] = [this] { clock.advance(Millis(3'600'000)); };
  };
  ASSERT_EQ(start(), ExitStatus::failed);
  EXPECT_EQ(scenario(), R"yaml(# Recorded from run r.
agneto-test: 1
cases:
  - name: r
    inputs: {task: it}
    steps:
      - {at: WORKING, reply: 'VERDICT: MORE'}
      - {at: WORKING, reply: 'VERDICT: DONE'}
      - at: JUDGING
        reply: |-
          ```json
          {"verdict": "OK", "why": "so"}
          ```
      - {at: GATE, answer: 'NO', feedback: not yet}
      - {at: WORKING, reply: 'VERDICT: DONE'}
      - at: JUDGING
        reply: |-
          ```json
          {"verdict": "OK", "why": "so"}
          ```
      - {advance: 3600000ms}
    expect:
      outcome: STOPPED
      status: failed
      path: [WORKING, WORKING, JUDGING, GATE, WORKING, JUDGING, GATE, STOPPED]
      context: {note: so}
)yaml");
}

}  // namespace
}  // namespace agneto::replay
