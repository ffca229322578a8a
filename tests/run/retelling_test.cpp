#include "run/retelling.h"

#include "engine_fixture.h"
#include "run/account.h"

namespace agneto::run {
namespace {

using ::testing::ElementsAre;

const std::string workflow = R"(agneto: 1
name: flow
inputs:
  task: {type: string, main: true}
agents:
  worker: {hooks: hook.lua, access: edit, tries: 2}
initial: WORKING
on: {abort: ABORTED}
states:
  WORKING:
    initial: CODING
    states:
      CODING:
        agent: {name: worker, verdicts: {DONE: {}, AGAIN: {}}}
        on: {DONE: GATE, AGAIN: CODING, error: FAILED}
      GATE:
        ask:
          question: Good?
          options:
            YES: Take it
            NO: {label: Leave it, feedback: required}
        on: {YES: TESTING, NO: CODING}
  TESTING:
    run: {argv: [make, test]}
    on: {ok: COMMITTING, failed: FAILED, error: FAILED}
  COMMITTING:
    workspace: {commit: {message: "done: {{inputs.task}}"}}
    on: {ok: MERGING, failed: FAILED}
  MERGING:
    workspace: {merge: {}}
    on: {ok: FINISHED, any: FINISHED}
  FINISHED: {final: true}
  FAILED: {final: true, status: failed}
  ABORTED: {final: true, status: aborted}
)";

// An event as a line, without what only a live run has.
std::string line(const RunEvent& event) {
  Json data = event.data;
  for (const char* live : {"ms", "worktree", "base", "branch", "line"}) data.erase(live);
  if (event.kind == "transition") data.erase("instance");
  return event.kind + " " + event.path + " " + to_text(data);
}

class RetellingTest : public EngineTest {
 protected:
  std::vector<RunEvent> retold() {
    const journal::RunRecord run = *store->find("r");
    Retelling retelling(run, loaded.system.get());
    std::vector<RunEvent> events;
    for (const auto& entry : store->entries("r")) {
      for (auto& event : retelling.next(entry)) events.push_back(std::move(event));
    }
    return events;
  }

  // Of these kinds; what is never recorded is none of them.
  static std::vector<std::string> lines(const std::vector<RunEvent>& events) {
    static const std::set<std::string> kinds = {
        "run.started",       "transition",         "agent.started",    "agent.finished",
        "question.answered", "command.started",    "command.finished", "workspace.committed",
        "workspace.refused", "workspace.merged",   "run.finished",     "run.suspended",
        "problem",           "workspace.discarded"};
    std::vector<std::string> all;
    for (const auto& event : events) {
      if (kinds.contains(event.kind)) all.push_back(line(event));
    }
    return all;
  }
};

TEST_F(RetellingTest, TellsWhatAnObserverSaw) {
  load(workflow);
  reply("worker", "AGAIN");
  reply("worker", "DONE");
  reply("worker", "DONE");
  human.answers = {{"NO", "make it shorter", {}}, {"YES", "", {}}};
  EXPECT_EQ(start(), ExitStatus::complete);
  EXPECT_EQ(lines(retold()), lines(seen.events));
  EXPECT_EQ(lines(retold()).size(), 22u);
}

TEST_F(RetellingTest, TellsOfASuspensionWithItsQuestion) {
  load(workflow);
  reply("worker", "DONE");
  human.there = false;
  EXPECT_EQ(start(), ExitStatus::suspended);
  EXPECT_EQ(lines(retold()), lines(seen.events));
}

TEST_F(RetellingTest, NamesStagesAndNumbersOfEntries) {
  load(workflow);
  reply("worker", "DONE");
  human.answers = {{"YES", "", {}}};
  start();
  std::vector<std::string> stages;
  journal::Seq last = 0;
  for (const auto& event : retold()) {
    if (event.kind == "state.entered") stages.push_back(event.path);
    EXPECT_GE(event.seq, last);
    last = event.seq;
  }
  EXPECT_THAT(stages, ElementsAre("WORKING", "TESTING", "COMMITTING", "MERGING", "FINISHED"));
  EXPECT_EQ(last, store->entries("r").back().seq);
}

TEST_F(RetellingTest, WithoutTheWorkflowTheStateStandsForTheAgent) {
  load(workflow);
  reply("worker", "DONE");
  human.there = false;
  start();
  const journal::RunRecord run = *store->find("r");
  Retelling retelling(run, nullptr);
  std::vector<std::string> agents;
  for (const auto& entry : store->entries("r")) {
    for (const auto& event : retelling.next(entry)) {
      if (event.data.contains("agent")) agents.push_back(event.data.at("agent"));
    }
  }
  EXPECT_THAT(agents, ElementsAre("CODING", "CODING"));
}

TEST_F(RetellingTest, AfterARewindWhatWasOpenThenIsOpenAgain) {
  load(workflow);
  reply("worker", "DONE");
  human.there = false;
  start();
  const auto entries = store->entries("r");
  Orders orders;
  for (const auto& entry : entries) orders.add(entry);
  EXPECT_EQ(orders.open().size(), 1u);
  EXPECT_TRUE(orders.open().contains("GATE#1"));
  journal::Entry rewound;
  rewound.seq = entries.back().seq + 1;
  rewound.kind = "rewound";
  rewound.body = {{"to", 2}};
  orders.add(rewound);
  EXPECT_EQ(orders.open().size(), 1u);
  EXPECT_TRUE(orders.open().contains("CODING#1"));
}

TEST_F(RetellingTest, TellsOfWordsFromElsewhere) {
  load(workflow);
  reply("worker", "DONE");
  reply("worker", "DONE");
  seen.on["question.asked"] = [&] {
    store->post("r", {"event", {{"name", "idle"}, {"by", "lea"}}});
    store->post(
        "r",
        {"answer", {{"question", "GATE#1"}, {"option", "MAYBE"}, {"feedback", ""}, {"by", "lea"}}});
    store->post(
        "r",
        {"answer", {{"question", "GATE#1"}, {"option", "YES"}, {"feedback", ""}, {"by", "lea"}}});
    engine->wake_up();
  };
  EXPECT_EQ(start(), ExitStatus::complete);
  EXPECT_EQ(lines(retold()), lines(seen.events));
  const auto notes = [](const std::vector<RunEvent>& events) {
    std::vector<std::string> all;
    for (const auto& event : events) {
      if (event.kind == "note") all.push_back(event.path + " " + to_text(event.data));
    }
    return all;
  };
  EXPECT_EQ(notes(retold()), notes(seen.events));
  EXPECT_THAT(
      notes(seen.events),
      ElementsAre(
          R"( {"text":"'idle' was sent by lea, and nothing takes it"})",
          R"(GATE#1 {"text":"answer refused: 'MAYBE' is not offered; choose one of YES, NO"})"));
}

TEST_F(RetellingTest, TellsWhereARunWasTakenBackOrComesFrom) {
  load(workflow);
  journal::RunRecord run;
  run.branch = "agneto/r";
  Retelling retelling(run, loaded.system.get());
  std::vector<std::string> notes;
  const auto retell = [&](const char* kind, Json body) {
    journal::Entry entry;
    entry.kind = kind;
    entry.body = std::move(body);
    for (const auto& event : retelling.next(entry)) notes.push_back(event.data.at("text"));
  };
  retell("rewound", {{"to", 2}});
  retell("restored", {{"kept", {"refs/agneto/r/rescued-1"}}});
  retell("forked", {{"run", "other"}, {"at", 7}});
  EXPECT_THAT(notes, ElementsAre("rewound to entry 2", "the files are those of then",
                                 "what that took away is kept: refs/agneto/r/rescued-1",
                                 "forked from entry 7 of other"));
}

TEST_F(RetellingTest, AnAccountJoinsCallsAnswersCommandsAndCommits) {
  load(workflow);
  reply("worker", "DONE");
  human.answers = {{"YES", "fine", {}}};
  process::Exit tested;
  tested.output = "ok\n";
  runner.exits.push_back(tested);
  start();
  const Account account = account_of(store->entries("r"), agent_names(*loaded.system));
  ASSERT_EQ(account.calls.size(), 1u);
  const Json& call = account.calls[0];
  EXPECT_EQ(call.at("agent"), "worker");
  EXPECT_EQ(call.at("path"), "CODING#1");
  EXPECT_EQ(call.at("outcome"), "DONE");
  ASSERT_EQ(call.at("attempts").size(), 1u);
  EXPECT_TRUE(call.at("attempts")[0].at("prompt").get<std::string>().starts_with("work on it"));
  EXPECT_EQ(call.at("attempts")[0].at("reply").at("text"), "VERDICT: DONE");
  ASSERT_EQ(account.questions.size(), 1u);
  EXPECT_EQ(account.questions[0].at("answer").at("option"), "YES");
  EXPECT_EQ(account.questions[0].at("answer").at("feedback"), "fine");
  EXPECT_EQ(account.questions[0].at("answer").at("by"), "person");
  ASSERT_EQ(account.commands.size(), 1u);
  EXPECT_EQ(account.commands[0].at("outcome"), "ok");
  EXPECT_EQ(account.commands[0].at("data").at("output"), "ok\n");
  ASSERT_EQ(account.operations.size(), 2u);
  EXPECT_EQ(account.operations[0].at("data").at("commit"), "c0ffee");
  EXPECT_EQ(account.operations[1].at("outcome"), "conflict");
}

}  // namespace
}  // namespace agneto::run
