#include "run/engine/progress.h"

#include <gmock/gmock.h>

#include "chart/effect.h"
#include "run/fakes.h"
#include "run/flow.h"

namespace agneto::run {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ProgressTest : public ::testing::Test {
 protected:
  static journal::RunRecord new_run() {
    journal::RunRecord run;
    run.id = "r";
    run.workflow = "flow";
    run.status = "running";
    return run;
  }
  static chart::Event verdict(const std::string& name, const std::string& path) {
    chart::Event event;
    event.kind = chart::Event::Kind::outcome;
    event.name = name;
    event.path = path;
    return event;
  }
  // The state of a run that has begun to work.
  chart::Effects begin() {
    chart::Effects out = progress.start(Json::object());
    progress.note(out);
    progress.create(Json::object(), {{"/w/flow.yaml", "text"}}, out);
    return out;
  }
  // The step that the event makes, recorded.
  chart::Effects take(const chart::Event& event) {
    chart::Effects out = progress.step(event);
    progress.note(out);
    progress.record({progress.step_entry(&event, out)});
    return out;
  }
  const FakeJournal::Write& last() const { return journal.writes.back(); }

  Flow flow{R"(agneto: 1
name: flow
agents: {worker: {hooks: hook.lua}}
initial: WORKING
states:
  WORKING:
    agent: {name: worker, verdicts: {DONE: {}, AGAIN: {}}}
    after: [{delay: 1h, target: LATE}]
    on: {DONE: END, AGAIN: WORKING}
  END: {final: true}
  LATE: {final: true, status: failed}
)"};
  FakeJournal journal;
  Listening seen;
  TestClock clock;
  Reporter reporter{"r", journal, seen, clock, Time()};
  Progress progress{flow.system,
                    journal,
                    reporter,
                    new_run(),
                    chart::Instance(flow.chart, chart::RunInfo{"r", false, false}),
                    {}};
};

TEST_F(ProgressTest, ANewRunIsRecordedAtOnceWithItsSourcesItsFirstStepAndTheStateAfterIt) {
  const chart::Effects out = progress.start({{"task", "it"}});
  progress.note(out);
  EXPECT_THAT(journal.writes, IsEmpty()) << "it is in memory";
  progress.create({{"task", "it"}}, {{"/w/flow.yaml", "text"}}, out, {"it has no worktree"});
  ASSERT_EQ(journal.writes.size(), 1U);
  EXPECT_EQ(journal.sources.at("/w/flow.yaml"), "text");
  EXPECT_EQ(last().run->workflow, "flow");
  ASSERT_EQ(last().entries.size(), 3U);
  EXPECT_EQ(last().entries[0].kind, "started");
  EXPECT_EQ(last().entries[0].body.at("inputs").at("task"), "it");
  EXPECT_EQ(last().entries[1].kind, "noted");
  EXPECT_EQ(last().entries[1].body.at("text"), "it has no worktree");
  EXPECT_EQ(last().entries[2].kind, "macrostep");
  const auto restored = chart::Instance::restore(flow.chart, last().state.at("instance"));
  EXPECT_EQ(restored.active(), progress.instance().active());
  const RunState state = RunState::from_json(last().state.at("run"), flow.system);
  EXPECT_TRUE(state.outstanding.contains("WORKING#1"));
}

TEST_F(ProgressTest, WhatAStepOrdersIsOutstandingUntilItEndsOrIsCancelled) {
  begin();
  ASSERT_NE(progress.outstanding("WORKING#1"), nullptr);
  ASSERT_EQ(progress.state().timers.size(), 1U);
  const auto timer = *progress.state().timers.begin();
  EXPECT_EQ(timer.second.due, clock.now() + hour);

  chart::Event late;
  late.kind = chart::Event::Kind::timer;
  late.path = timer.first;
  const chart::Effects out = progress.step(late);
  const std::vector<chart::Effect> cancelled = progress.note(out);
  ASSERT_EQ(cancelled.size(), 1U);
  EXPECT_EQ(chart::path_of(cancelled.front()), "WORKING#1");
  EXPECT_EQ(progress.outstanding("WORKING#1"), nullptr);
}

TEST_F(ProgressTest, CallsOfAnAgentAreNumberedThroughTheRun) {
  begin();
  EXPECT_EQ(progress.state().call_numbers.at("WORKING#1"), 1);
  progress.forget("WORKING#1");
  EXPECT_EQ(progress.outstanding("WORKING#1"), nullptr);
  take(verdict("AGAIN", "WORKING#1"));
  EXPECT_EQ(progress.state().call_numbers.at("WORKING#2"), 2);
  EXPECT_EQ(progress.state().call_numbers.size(), 1U);
}

TEST_F(ProgressTest, AStepIsRecordedWhereItsEventWasBehindWhatBelongsToIt) {
  begin();
  const chart::Event done = verdict("DONE", "WORKING#1");
  const chart::Effects out = progress.step(done);
  progress.note(out);
  progress.record(
      {reporter.entry("WORKING#1", record::Said{1, {}}), progress.step_entry(&done, out)});
  ASSERT_EQ(last().entries.size(), 2U);
  EXPECT_EQ(last().entries[0].kind, "said");
  EXPECT_EQ(last().entries[1].kind, "macrostep");
  EXPECT_EQ(last().entries[1].path, "WORKING#1");
  EXPECT_EQ(last().run->status, "complete");
  EXPECT_EQ(last().run->outcome, "END");
}

TEST_F(ProgressTest, AForcedEndIsNobodysEvent) {
  begin();
  const chart::Effects out = progress.force_abort("enough");
  progress.note(out);
  progress.record({progress.step_entry(nullptr, out)});
  EXPECT_EQ(last().entries.back().path, "");
  EXPECT_EQ(last().run->status, "aborted");
  EXPECT_TRUE(progress.instance().finished());
}

TEST_F(ProgressTest, ANewStatusIsRecordedOnceWithTheNextEntries) {
  begin();
  progress.set_status("suspended", "later");
  EXPECT_EQ(journal.writes.size(), 1U) << "not by itself";
  progress.record({reporter.entry("", record::Suspended{"later"})});
  EXPECT_EQ(last().run->status, "suspended");
  EXPECT_FALSE(last().state.is_null());
  progress.record({reporter.entry("", record::Said{})});
  EXPECT_FALSE(last().run) << "it is as it was";
}

// One that was taken and not recorded is taken again by the next owner.
TEST_F(ProgressTest, AMessageLeavesTheInboxWithWhatCameOfIt) {
  begin();
  progress.handle(7);
  progress.set_status("suspended", "later");
  journal.full = true;
  EXPECT_THROW(progress.record({reporter.entry("", record::Said{})}), Error);
  journal.full = false;
  progress.record({reporter.entry("", record::Said{})});
  EXPECT_THAT(last().handled, ElementsAre(7));
  EXPECT_EQ(last().entries.front().body.at("message"), 7);
  EXPECT_EQ(last().run->status, "suspended") << "this was not recorded either";
  progress.record({reporter.entry("", record::Said{})});
  EXPECT_THAT(last().handled, IsEmpty());
}

}  // namespace
}  // namespace agneto::run
