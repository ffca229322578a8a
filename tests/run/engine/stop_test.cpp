// Calls and programs that are cut off: what they had done is kept, and what they have used counts.
#include "record/event_replay.h"
#include "record/totals.h"
#include "run/engine_fixture.h"

namespace agneto::run {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;

constexpr const char* kept =
    "what worker had changed is undone, and kept; to have it back: git diff --binary 1 "
    "refs/agneto/r/rescued-1 | git apply";

class StopTest : public EngineTest {
 protected:
  // A program that edits, says what it has used and works until it is stopped; asked again, it is
  // done at once.
  void load_worker(const std::string& states) {
    load(R"(agneto: 1
name: flow
inputs: {task: {type: string, main: true}}
agents: {worker: {hooks: hook.lua, access: edit}}
context: {seen: 0}
initial: WORKING
on: {abort: ABORTED}
states:
)" + states +
         R"(
  DONE: {final: true}
  LATE: {final: true, status: failed}
  ABORTED: {final: true, status: aborted}
)");
    files.memory.add(AGNETO_SOURCE_DIR "/scripts/providers/offline.lua", R"lua(
return {
  command = function(call) return {argv = {call.state}} end,
  event = function(line)
    if line == "done" then return {result = "VERDICT: DONE", cost = 0.5, input_tokens = 10, output_tokens = 1} end
    return {text = "Reading.", cost = 0.25, input_tokens = 10, output_tokens = 1}
  end,
})lua");
    runner.prints = {"reading"};
    runner.doing = [this](const process::Spec&, std::stop_token stop) {
      workspace.tree = 7;
      while (!stop.stop_requested()) std::this_thread::yield();
    };
  }
  void answers_at_once() {
    runner.prints = {"done"};
    runner.doing = {};
  }
  std::vector<std::string> notes() const {
    std::vector<std::string> all;
    for (const Heard& event : seen.of("note")) all.push_back(event.data.at("text"));
    return all;
  }
  // As the log tells it afterwards.
  template <typename Value = std::string>
  std::vector<Value> told(const std::string& kind, const char* field) const {
    const journal::RunRecord run = *store->find("r");
    record::EventReplay replay(run, loaded.system.get());
    std::vector<Value> all;
    for (const auto& entry : recorded()) {
      for (const auto& event : replay.next(entry)) {
        if (event.kind() == kind) all.push_back(record::body_json(event.body).at(field));
      }
    }
    return all;
  }
  // What the state says of the run's use is what the record says.
  Json totals() const {
    const journal::RunRecord run = *store->find("r");
    const Json all = record::to_json(record::totals_of(recorded(), run, run.updated));
    Json saved = store->state("r").at("run").at("totals");
    saved["worked"] = all.at("worked");  // to the millisecond of each entry
    EXPECT_EQ(saved, all);
    return all;
  }
};

constexpr const char* worker =
    "  WORKING: {agent: {name: worker, verdicts: {DONE: {}}}, on: {DONE: DONE, error: LATE}}";

TEST_F(StopTest, ASuspendedCallIsKeptAndCounted) {
  load_worker(worker);
  seen.on["agent.started"] = [&] { engine->suspend("for the night"); };
  EXPECT_EQ(start(), ExitStatus::suspended);
  EXPECT_EQ(workspace.tree, 1);
  EXPECT_THAT(notes(), ElementsAre(kept));
  EXPECT_THAT(told("note", "text"), ElementsAre(kept));
  const auto entries = recorded();
  const auto* stopped = entries.at(entries.size() - 2).get<record::Reply>();
  ASSERT_NE(stopped, nullptr);
  EXPECT_EQ(stopped->event, "stopped");
  EXPECT_EQ(stopped->output.at(0).text, "Reading.");
  EXPECT_EQ(totals().at("calls"), 1);
  EXPECT_EQ(totals().at("cost"), 0.25);
  EXPECT_EQ(totals().at("unpriced"), 1) << "what it cost after its last word is not known";

  answers_at_once();
  EXPECT_EQ(reopen().work(), ExitStatus::complete);
  EXPECT_EQ(totals().at("cost"), 0.75);
  EXPECT_EQ(totals().at("calls"), 1);
  EXPECT_EQ(totals().at("attempts"), 2);
}

TEST_F(StopTest, WhatACallThatIsCutOffDidToGitIsToldWhereverTheRunIs) {
  load_worker(worker);
  runner.doing = [this](const process::Spec&, std::stop_token stop) {
    while (!stop.stop_requested()) std::this_thread::yield();
    workspace.misdeeds = {"changed core.pager"};
  };
  seen.on["agent.started"] = [&] { engine->suspend("for the night"); };
  EXPECT_EQ(start(), ExitStatus::suspended);
  EXPECT_THAT(notes(), Contains("worker changed core.pager").Times(1));
  EXPECT_THAT(told("note", "text"), Contains("worker changed core.pager").Times(1));
}

TEST_F(StopTest, WhatACommandThatIsCutOffDidToGitIsToldWhereverTheRunIs) {
  load_worker("  WORKING: {run: {argv: [make]}, on: {ok: DONE, failed: LATE, error: LATE}}");
  runner.doing = [this](const process::Spec&, std::stop_token stop) {
    while (!stop.stop_requested()) std::this_thread::yield();
    workspace.misdeeds = {"changed core.pager"};
  };
  seen.on["command.started"] = [&] { engine->suspend("for the night"); };
  EXPECT_EQ(start(), ExitStatus::suspended);
  EXPECT_THAT(notes(), Contains("the command changed core.pager").Times(1));
  EXPECT_THAT(told("note", "text"), Contains("the command changed core.pager").Times(1));
}

// It may not have written anything; what it did is undone, as an edit is, and kept all the same.
TEST_F(StopTest, WhatAReadOnlyCallHadWrittenIsKept) {
  load_worker(worker);
  files.memory.add("/w/flow.yaml", std::string(R"(agneto: 1
name: flow
inputs: {task: {type: string, main: true}}
agents: {worker: {hooks: hook.lua, access: read-only}}
initial: WORKING
states:
)") + worker + "\n  DONE: {final: true}\n  LATE: {final: true, status: failed}\n");
  loaded = load_workflow("/w/flow.yaml", files, {});
  evaluator = check_scripts(*loaded.system, files, modules);
  chart.emplace(*loaded.system, *evaluator);
  seen.on["agent.started"] = [&] { engine->suspend("for the night"); };
  EXPECT_EQ(start(), ExitStatus::suspended);
  EXPECT_EQ(workspace.tree, 1);
  EXPECT_THAT(notes(), ElementsAre(kept));
  EXPECT_THAT(told("note", "text"), ElementsAre(kept));
  answers_at_once();
  EXPECT_EQ(reopen().work(), ExitStatus::complete);
}

TEST_F(StopTest, AnAbortedCallIsKeptAndCounted) {
  load_worker(worker);
  human.interrupts = {{Interrupt::Kind::abort, ""}};
  seen.on["agent.started"] = [&] { engine->interrupt(); };
  EXPECT_EQ(start(), ExitStatus::aborted);
  EXPECT_THAT(notes(), Contains(kept));
  EXPECT_EQ(totals().at("cost"), 0.25);
  EXPECT_EQ(totals().at("calls"), 1);
  EXPECT_EQ(seen.of("run.finished").at(0).data.at("cost"), 0.25);
}

// The workflow cancels it; an observer sees that, and so does a reader of the record.
TEST_F(StopTest, ACancelledCallIsShownAsSuch) {
  load_worker(R"(  WORKING:
    agent: {name: worker, verdicts: {DONE: {}}}
    on: {DONE: DONE, error: LATE, hurry: NEXT}
  NEXT: {agent: {name: worker, verdicts: {DONE: {}}}, on: {DONE: DONE, error: LATE}})");
  runner.doing = [&](const process::Spec& spec, std::stop_token stop) {
    if (spec.argv.front() == "NEXT") {
      runner.prints = {"done"};
      return;
    }
    workspace.tree = 7;
    while (!stop.stop_requested()) std::this_thread::yield();
  };
  seen.on["agent.started"] = [&] {
    store->post("r", {"event", {{"name", "hurry"}, {"by", "ada"}}});
    engine->wake_up();
  };
  EXPECT_EQ(start(), ExitStatus::complete);
  std::vector<std::string> verdicts;
  for (const Heard& event : seen.of("agent.finished")) verdicts.push_back(event.data.at("verdict"));
  EXPECT_THAT(verdicts, ElementsAre("cancelled", "DONE"));
  EXPECT_EQ(told("agent.finished", "verdict"), verdicts);
  EXPECT_THAT(notes(), Contains(kept));
  EXPECT_EQ(totals().at("cost"), 0.75);
  EXPECT_EQ(totals().at("calls"), 2);
}

// Nothing is cut off: the call comes to its end, and what follows waits for a resume.
TEST_F(StopTest, AStopAfterTheCallLetsItEnd) {
  for (const bool from_outside : {false, true}) {
    renew_journal();
    seen = {};
    load_worker(
        R"(  WORKING: {agent: {name: worker, verdicts: {DONE: {}}}, on: {DONE: NEXT, error: LATE}}
  NEXT: {agent: {name: worker, verdicts: {DONE: {}}}, on: {DONE: DONE, error: LATE}})");
    std::atomic<bool> asked = false;
    runner.prints = {"done"};
    runner.doing = [&](const process::Spec&, std::stop_token) {
      while (!asked) std::this_thread::yield();
    };
    human.interrupts = {{Interrupt::Kind::finish, ""}};
    seen.on["agent.started"] = [&] {
      if (!from_outside) return engine->interrupt();
      store->post("r", {"stop", {{"reason", "suspended by ada"}}});
      engine->wake_up();
    };
    seen.on["note"] = [&] { asked = true; };
    const std::string reason = from_outside ? "suspended by ada" : "suspended by a person";
    EXPECT_EQ(start(), ExitStatus::suspended);
    EXPECT_EQ(store->find("r")->outcome, reason);
    EXPECT_THAT(notes(), ElementsAre("stops once what is under way has ended: " + reason));
    EXPECT_EQ(told("note", "text"), notes());
    EXPECT_EQ(count("reply"), 1);
    EXPECT_TRUE(store->inbox("r").empty());
    EXPECT_EQ(reopen().work(), ExitStatus::complete);
    EXPECT_EQ(totals().at("calls"), 2);
  }
}

TEST_F(StopTest, AProgramsWorkIsKeptToo) {
  load_worker("  WORKING: {run: {argv: [make]}, on: {ok: DONE, failed: LATE}}");
  seen.on["command.started"] = [&] { engine->suspend("for the night"); };
  EXPECT_EQ(start(), ExitStatus::suspended);
  EXPECT_EQ(workspace.tree, 1);
  EXPECT_THAT(notes(),
              ElementsAre("what the program had changed is undone, and kept; to have it "
                          "back: git diff --binary 1 refs/agneto/r/rescued-1 | git apply"));
}

// What it answered and what it has left is there when the hook reads it again.
TEST_F(StopTest, AHookIsCutOffAndTheReplyIsReadAgain) {
  load_worker(worker);
  answers_at_once();
  const std::string reads = "parse = function(reply, m) return 'DONE', {} end}";
  const std::string hook = "return {prompt = function() return 'work' end, ";
  // It takes so long that the time limit is far away when the engine has heard of the stop.
  files.memory.add("/w/hook.lua", hook + R"(
    parse = function(reply, m)
      local diff, text = m.workspace.diff, string.rep('x', 4000000)
      local a, b = text .. 'a', text .. 'b'
      while a < b do end
    end})");
  class Watched : public FakeWorkspace {
   public:
    using FakeWorkspace::FakeWorkspace;
    workspace::Changes since_base() override {
      looked();
      return FakeWorkspace::since_base();
    }
    std::function<void()> looked;
  } watched;
  place = &watched;
  runner.doing = [&](const process::Spec&, std::stop_token) { watched.tree = 7; };
  watched.looked = [this] { engine->suspend("for the night"); };
  EXPECT_EQ(start(), ExitStatus::suspended);
  EXPECT_EQ(watched.tree, 7) << "its work stands, as its reply does";
  EXPECT_THAT(notes(), ElementsAre());
  EXPECT_EQ(count("reply"), 1);
  EXPECT_EQ(count("macrostep"), 1) << "nothing has come of it yet";
  EXPECT_EQ(totals().at("calls"), 1) << "its agent was asked";
  EXPECT_EQ(seen.of("run.suspended").at(0).data.at("calls"), 1);
  EXPECT_EQ(told<int>("run.suspended", "calls"), std::vector{1});

  EXPECT_EQ(reopen().work(), ExitStatus::suspended) << "once more, of the recorded reply";
  EXPECT_EQ(watched.tree, 7);
  EXPECT_THAT(notes(), ElementsAre());

  files.memory.add("/w/hook.lua", hook + reads);
  EXPECT_EQ(reopen().work(), ExitStatus::complete);
  EXPECT_EQ(watched.tree, 7);
  EXPECT_EQ(count("reply"), 1);
  EXPECT_EQ(totals().at("calls"), 1);
}

// The reply is in, and the step that it makes is in the machine's code when the stop comes.
TEST_F(StopTest, CodeOfAMachineIsCutOffAndItsStepHasNotHappened) {
  const auto workflow = [](const std::string& way, const std::string& delay) {
    return R"(  WORKING:
    agent: {name: worker, verdicts: {DONE: {}}}
    exit: ctx.seen = ctx.seen + 1
    on: {DONE: {target: NEXT, )" +
           way + "}, error: LATE}\n  NEXT: {after: {" + delay + ": DONE}}";
  };
  const std::string code = "'(function() while true do end end)()'";
  for (const std::string& wrong : {workflow("guard: " + code, "1h"), workflow("do: " + code, "1h"),
                                   workflow("do: ctx.seen = 7", code)}) {
    renew_journal();
    seen = {};
    load_worker(wrong);
    answers_at_once();
    seen.on["agent.finished"] = [&] { engine->suspend("for the night"); };
    EXPECT_EQ(start(), ExitStatus::suspended) << wrong;
    EXPECT_EQ(store->find("r")->outcome, "for the night");
    EXPECT_EQ(store->state("r").at("instance").at("root").at("data").at("ctx").at("seen"), 0);
    EXPECT_EQ(count("macrostep"), 1);
    EXPECT_TRUE(seen.of("problem").empty());

    load_worker(workflow("do: ctx.seen = ctx.seen + 1", "1ms"));
    EXPECT_EQ(reopen().work(), ExitStatus::complete) << wrong;
    EXPECT_EQ(store->state("r").at("instance").at("root").at("data").at("ctx").at("seen"), 2);
    EXPECT_EQ(count("reply"), 1) << "it was not asked again";
    EXPECT_EQ(totals().at("calls"), 1);
  }
}

// A person's first press asks what next, which waits for the code; nobody has to wait for a second
// one, or for the other ways to suspend the run.
TEST_F(StopTest, WhateverSuspendsTheRunEndsTheCode) {
  const auto press = [this] { engine->interrupt(); };
  const std::vector<std::pair<std::string, std::function<void()>>> ways = {
      {"suspended by a person",
       [&] {
         press();
         press();
       }},
      {"interrupted",
       [&] {
         human.there = false;
         press();
       }},
      {"suspended by ada",
       [&] {
         store->post("r", {"suspend", {{"reason", "suspended by ada"}}});
         engine->wake_up();
       }},
  };
  for (const auto& [reason, way] : ways) {
    renew_journal();
    seen = {};
    load_worker(R"(  WORKING:
    agent: {name: worker, verdicts: {DONE: {}}}
    on: {DONE: {target: DONE, do: "while true do end"}, error: LATE})");
    answers_at_once();
    seen.on["agent.finished"] = way;
    EXPECT_EQ(start(), ExitStatus::suspended);
    EXPECT_EQ(store->find("r")->outcome, reason);
    EXPECT_EQ(count("macrostep"), 1);
    EXPECT_TRUE(store->inbox("r").empty());
  }
}

TEST_F(StopTest, AnEventWhoseStepIsCutOffIsStillThereWhenTheRunIsResumed) {
  const auto workflow = [](const std::string& code) {
    return "  WORKING: {on: {hurry: {target: DONE, do: '" + code + "'}}, after: {1h: LATE}}";
  };
  load_worker(workflow("while true do end"));
  seen.on["run.started"] = [&] {
    store->post("r", {"event", {{"name", "hurry"}, {"by", "ada"}}});
    engine->wake_up();
    store->post("r", {"suspend", {{"reason", "suspended by ada"}}});
    engine->wake_up();
  };
  EXPECT_EQ(start(), ExitStatus::suspended);
  EXPECT_EQ(store->find("r")->outcome, "suspended by ada");
  EXPECT_EQ(count("sent"), 0);
  load_worker(workflow("ctx.seen = 1"));
  EXPECT_EQ(reopen().work(), ExitStatus::complete);
  EXPECT_EQ(count("sent"), 1);
}

}  // namespace
}  // namespace agneto::run
