#include "record/totals.h"

#include <gtest/gtest.h>

#include "record/event_replay.h"
#include "record/run_summary.h"

namespace agneto::record {
namespace {

class TotalsTest : public ::testing::Test {
 protected:
  void add(std::string path, Body body, Millis later = Millis(1000)) {
    now_ += later;
    entries_.push_back(
        {static_cast<Seq>(entries_.size()) + 1, now_, std::move(path), std::move(body)});
  }
  void order(const std::vector<std::string>& paths) {
    Macrostep step;
    for (const auto& path : paths) {
      step.effects.push_back(chart::NamedCall{path, "flow", "CODING", "", 1, ""});
    }
    add("", step);
  }
  void ask(const std::string& path, int attempt = 1) {
    Prompt prompt;
    prompt.attempt = attempt;
    add(path, prompt);
  }
  void process(const std::string& path) { add(path, Process{}); }
  void reply(const std::string& path, double cost) {
    Reply reply;
    reply.usage = {cost, 10, 1};
    add(path, reply);
  }
  void end(const std::string& path, const std::vector<std::string>& cancelled = {}) {
    Macrostep step;
    step.event = chart::Event{chart::Event::Kind::outcome, "DONE", {}, path};
    for (const auto& each : cancelled) step.effects.push_back(chart::Cancel{each});
    add(path, step);
  }
  Totals totals(const std::string& status = "suspended", Millis later = Millis(0)) const {
    journal::RunRecord run;
    run.status = status;
    return totals_of(entries_, run, now_ + later);
  }

  std::vector<Entry> entries_;
  Time now_{};
};

TEST_F(TotalsTest, ACancelledCallIsCountedOnceWithWhatItCost) {
  add("", Started{});
  order({"A#1", "B#1", "C#1"});
  ask("A#1");
  ask("B#1");
  reply("A#1", 0.05);
  ask("A#1", 2);
  reply("B#1", 0.08);
  end("B#1", {"A#1", "C#1"});
  EXPECT_EQ(totals().calls, 2) << "C was never made";
  reply("A#1", 0.03);  // of a process that had answered when it was ended
  const Totals all = totals();
  EXPECT_EQ(all.calls, 2);
  EXPECT_EQ(all.attempts, 3);
  EXPECT_DOUBLE_EQ(all.usage.cost, 0.16);
  EXPECT_EQ(all.usage.input_tokens, 30);
  EXPECT_EQ(all.usage.output_tokens, 3);
}

// Its hook failed, or it was stopped before its program was started.
TEST_F(TotalsTest, ACallThatWasMadeOfNobodyDoesNotCount) {
  add("", Started{});
  order({"A#1", "B#1", "C#1"});
  end("A#1");
  ask("B#1");
  Reply stopped;
  stopped.event = "stopped";
  add("B#1", stopped);
  EXPECT_EQ(totals().calls, 0);
  ask("C#1");
  EXPECT_EQ(totals().calls, 0);
  process("C#1");
  EXPECT_EQ(totals().calls, 1) << "while it is under way";
  add("C#1", stopped);
  process("C#1");
  reply("C#1", 0.25);
  end("C#1");
  EXPECT_EQ(totals().calls, 1) << "once, however often it is asked";
}

TEST_F(TotalsTest, WhatIsUsedInAMachineIsCountedForItUnlessItIsUndone) {
  Tally tally;
  tally.watch("M#1");
  add("", Started{});
  order({"M#1/A#1", "M#2/A#1", "M#1/B#1"});
  for (const char* path : {"M#1/A#1", "M#2/A#1", "M#1/B#1"}) {
    ask(path);
    process(path);
    reply(path, 0.25);
    end(path);
  }
  for (auto& entry : entries_) {
    if (entry.path == "M#1/B#1") entry.stands = false;
    tally.add(entry);
  }
  EXPECT_EQ(tally.totals().calls, 3);
  EXPECT_EQ(tally.totals().time.worked, Millis(6000));
  EXPECT_EQ(tally.totals("M#1").calls, 1);
  EXPECT_EQ(tally.totals("M#1").attempts, 1);
  EXPECT_EQ(tally.totals("M#1").usage.cost, 0.25);
  EXPECT_EQ(tally.totals("M#1").time.worked, Millis(2000));
}

TEST_F(TotalsTest, ACallWhoseProgramCannotBeStartedDoesNotCount) {
  add("", Started{});
  order({"A#1", "B#1"});
  Reply unstarted;
  unstarted.event = "error.spawn";
  ask("A#1");
  add("A#1", unstarted);
  end("A#1");
  EXPECT_EQ(totals().calls, 0);
  ask("B#1");
  reply("B#1", 0.25);
  ask("B#1", 2);
  unstarted.attempt = 2;
  add("B#1", unstarted);
  end("B#1");
  EXPECT_EQ(totals().calls, 1) << "somebody was asked before";
}

TEST_F(TotalsTest, TheLogAndTheExportSayTheSame) {
  add("", Started{});
  order({"A#1", "B#1"});
  ask("A#1");
  ask("B#1");
  reply("B#1", 0.08);
  Macrostep last;
  last.event = chart::Event{chart::Event::Kind::outcome, "DONE", {}, "B#1"};
  last.effects = {chart::Cancel{"A#1"}, chart::Finish{"DONE", {}, {}, ""}};
  add("B#1", last);
  reply("A#1", 0.05);
  const journal::RunRecord run;
  EventReplay replay(run, nullptr);
  for (const auto& entry : entries_) {
    for (const auto& event : replay.next(entry)) EXPECT_FALSE(event.get<RunFinished>());
  }
  const auto rest = replay.rest();
  ASSERT_EQ(rest.size(), 1U);
  EXPECT_EQ(rest[0].seq, 6);
  const auto& finished = *rest[0].get<RunFinished>();
  EXPECT_EQ(finished.spent.calls, totals().calls);
  EXPECT_DOUBLE_EQ(finished.spent.usage.cost, totals().usage.cost);
  EXPECT_EQ(finished.worked, totals().time.worked);
  double exported = 0;
  for (const CallSummary& call : summary_of(entries_, {}).calls) {
    for (const AttemptSummary& attempt : call.attempts) exported += attempt.reply->reply.usage.cost;
  }
  EXPECT_DOUBLE_EQ(exported, totals().usage.cost);
}

TEST_F(TotalsTest, TimeGoesOnWhileSomebodyWorks) {
  add("", Started{});
  order({"A#1"});
  ask("A#1");
  EXPECT_EQ(totals("running", Millis(500)).time.worked, Millis(500));
  add("A#1", Process{});
  EXPECT_EQ(totals("interrupted", Millis(500)).time.worked, Millis(1000)) << "to the last entry";
  add("", Suspended{"for the night"});
  add("", Resumed{}, Millis(3'600'000));
  ask("A#1", 2);
  EXPECT_EQ(totals().time.worked, Millis(2000));
}

// A killed owner says nothing of its end: what it had at work was so until its last word.
TEST_F(TotalsTest, TheTimeAfterAKillIsNobodys) {
  add("", Started{});
  order({"A#1"});
  ask("A#1");
  add("A#1", Process{});
  add("", Resumed{}, Millis(3'600'000));
  EXPECT_EQ(totals("running", Millis(500)).time.worked, Millis(1000)) << "it is not asked yet";
  ask("A#1");
  EXPECT_EQ(totals("running", Millis(500)).time.worked, Millis(1500));
}

TEST_F(TotalsTest, TheTimeInTheQueueIsNobodys) {
  add("", Queued{"lea"});
  add("", Started{}, Millis(3'600'000));
  order({"A#1"});
  ask("A#1");
  add("A#1", Process{});
  add("", Queued{"", "the server was stopped"});
  add("", Resumed{}, Millis(3'600'000));
  EXPECT_EQ(totals("running").time.worked, Millis(2000)) << "until it was handed over";
  ask("A#1");
  add("", Queued{"lea"}, Millis(3'600'000));
  EXPECT_EQ(totals("queued").time.worked, Millis(2000)) << "until the last word of a killed owner";
}

TEST_F(TotalsTest, ThinkingTakesNoTimeAndSeveralAtOnceTakeItOnce) {
  add("", Started{});
  Macrostep step;
  chart::AskHuman question;
  question.path = "Q#1";
  chart::RunCommand program;
  program.path = "P#1";
  step.effects = {question, chart::NamedCall{"A#1", "flow", "CODING", "", 1, ""}, program};
  add("", step);
  add("P#1", ProgramCall{}, Millis(60'000));
  ask("A#1");
  add("P#1", Process{});
  end("P#1");
  EXPECT_EQ(totals().time.worked, Millis(3000));
  reply("A#1", 0);
  EXPECT_EQ(totals().time.worked, Millis(4000));
  end("A#1");
  add("Q#1", Answered{}, Millis(60'000));
  EXPECT_EQ(totals("running", Millis(60'000)).time.worked, Millis(4000));
}

// Only while somebody asks it; not between its words.
TEST_F(TotalsTest, WaitingForAProviderTakesNoTime) {
  add("", Started{});
  order({"A#1"});
  ask("A#1");
  Reply away;
  away.event = "away";
  add("A#1", away);
  add("A#1", Process{}, Millis(60'000));
  reply("A#1", 0);
  EXPECT_EQ(totals().time.worked, Millis(2000));
}

TEST_F(TotalsTest, WhatIsCancelledIsAtWorkUntilThen) {
  add("", Started{});
  order({"A#1", "B#1"});
  ask("A#1");
  ask("B#1");
  end("B#1", {"A#1"});
  add("A#1", Process{});  // it was about to begin
  reply("A#1", 0.5);
  EXPECT_EQ(totals("running", Millis(60'000)).time.worked, Millis(2000));
}

TEST_F(TotalsTest, WhatNobodyKnowsIsCounted) {
  add("", Started{});
  order({"A#1"});
  ask("A#1");
  Reply stopped;
  stopped.event = "stopped";
  stopped.usage = {0.25, 10, 1, 1, 1};
  add("A#1", stopped);
  ask("A#1", 2);
  reply("A#1", 0.5);
  EXPECT_EQ(to_json(totals()),
            Json::parse(R"({"calls": 1, "attempts": 2, "cost": 0.75, "input_tokens": 20,
                            "output_tokens": 2, "unpriced": 1, "uncounted": 1, "worked": 2000})"));
}

// What was spent is spent; what is asked anew is another call.
TEST_F(TotalsTest, WhatARewindHasUndoneCounts) {
  add("", Started{});
  order({"A#1"});
  ask("A#1");
  reply("A#1", 0.5);
  add("", Rewound{1});
  order({"A#1"});
  ask("A#1");
  reply("A#1", 0.25);
  end("A#1");
  EXPECT_EQ(totals().calls, 2);
  EXPECT_EQ(totals().attempts, 2);
  EXPECT_DOUBLE_EQ(totals().usage.cost, 0.75);
  add("", Rewound{6});  // it is open again, as it was after it was ordered
  ask("A#1");
  reply("A#1", 0.25);
  end("A#1");
  EXPECT_EQ(totals().calls, 3);
}

}  // namespace
}  // namespace agneto::record
