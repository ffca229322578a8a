#include "run/engine/recorder.h"

#include <gmock/gmock.h>

#include "run/fakes.h"

namespace agneto::run {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class RecorderTest : public ::testing::Test {
 protected:
  RecorderTest() {
    request.agent = "worker";
    request.access = model::Access::edit;
  }
  Recorder recorder() { return {job, request}; }
  static agents::ReplyRecord reply(const std::string& text) {
    agents::ReplyRecord record;
    record.text = text;
    return record;
  }
  static agents::ReplyRecord failure(const std::string& event) {
    agents::ReplyRecord record;
    record.event = event;
    record.error = "it went wrong";
    return record;
  }
  std::vector<std::string> kinds() const {
    std::vector<std::string> all;
    for (const auto& write : journal.writes) all.push_back(write.entries.front().kind);
    return all;
  }
  const Json& last() const { return journal.writes.back().entries.front().body; }

  FakeTree<> files;
  SharedTree tree{files, "/nowhere"};
  FakeJournal journal;
  Listening seen;
  TestClock clock;
  Reporter reporter{"r", journal, seen, clock, Time()};
  std::atomic<std::size_t> untold = 0;
  std::atomic<bool> disowned = false;
  std::vector<std::string> told;  // the engine: kinds of entries
  const Job job{"A#1",
                "first",
                tree,
                reporter,
                [this](record::EventBody body) { reporter.publish("A#1", std::move(body)); },
                untold,
                [this](const record::Entry& entry) {
                  told.emplace_back(entry.kind());
                  EXPECT_EQ(kinds().back(), told.back()) << "it is durable before";
                },
                disowned};
  agents::Request request;
};

TEST_F(RecorderTest, EachAttemptThatDoesTheWorkBeginsWithTheTreeBeforeTheCall) {
  Recorder call = recorder();
  EXPECT_EQ(call.prepare(1), "1");
  EXPECT_EQ(files.restored, 0);
  files.tree = 5;
  EXPECT_EQ(call.prepare(2), "1");
  EXPECT_EQ(files.tree, 1);
}

TEST_F(RecorderTest, WhatAnAttemptHadChangedThatFailedIsKept) {
  Recorder call = recorder();
  call.prepare(1);
  call.reply(failure("error.timeout"));
  call.prepare(2);
  EXPECT_THAT(kinds(), ElementsAre("reply")) << "it had changed nothing";
  files.tree = 5;
  call.reply(failure("error.timeout"));
  call.prepare(3);
  const std::string kept =
      "what worker had changed is undone, and kept; to have it back: git diff --binary 1 "
      "refs/agneto/r/rescued-1 | git apply";
  EXPECT_THAT(kinds(), ElementsAre("reply", "reply", "noted"));
  EXPECT_EQ(last().at("text"), kept);
  ASSERT_EQ(seen.of("note").size(), 1U);
  EXPECT_EQ(seen.of("note")[0].data.at("text"), kept);
}

TEST_F(RecorderTest, AnAttemptThatOnlyAnswersAnewKeepsWhatIsThere) {
  Recorder call = recorder();
  call.prepare(1);
  files.tree = 5;
  EXPECT_EQ(call.keep(2), "5");
  files.tree = 9;
  EXPECT_EQ(call.prepare(3), "5") << "the last good point";
  EXPECT_EQ(files.tree, 5);
  EXPECT_EQ(call.before(), "1");
  EXPECT_EQ(call.good(), "5");
}

TEST_F(RecorderTest, ACallThatMayNotEditPutsBackOnlyAFolderThatIsGone) {
  request.access = model::Access::read_only;
  Recorder call = recorder();
  call.prepare(1);
  files.tree = 5;
  EXPECT_EQ(call.prepare(2), "1");
  EXPECT_EQ(files.tree, 5) << "somebody else's work";
  files.there = false;
  call.keep(3);
  EXPECT_EQ(files.tree, 1);
}

TEST_F(RecorderTest, WhatAnInterruptedOwnerRecordedSaysWhichTreeWasThereBefore) {
  request.recorded_prompts = {{.checkpoint = "3"}, {.checkpoint = "4"}};
  Recorder call = recorder();
  EXPECT_EQ(call.before(), "3");
  EXPECT_EQ(call.prepare(2), "4");
  EXPECT_EQ(files.tree, 4);
}

TEST_F(RecorderTest, APromptIsDurableAndTheCallIsAtWorkUntilItsReplyIs) {
  Recorder call = recorder();
  call.prompt({.provider = "offline", .text = "do it"});
  EXPECT_EQ(last().at("text"), "do it");
  EXPECT_EQ(last().at("item"), "first");
  ASSERT_EQ(seen.of("agent.started").size(), 1U);
  EXPECT_EQ(seen.of("agent.started")[0].data.at("agent"), "worker");
  call.process({});
  call.reply(reply("VERDICT: DONE"));
  EXPECT_THAT(kinds(), ElementsAre("prompt", "process", "reply"));
  EXPECT_EQ(told, kinds());
}

// Else a crash behind the reply would lose what it says was made.
TEST_F(RecorderTest, AReplyIsRecordedWithTheTreeThatItsCallHasLeft) {
  Recorder call = recorder();
  call.prepare(1);
  files.tree = 5;
  call.reply(reply("done"));
  EXPECT_EQ(last().at("tree"), "5");
  EXPECT_EQ(call.after(), "5");
  call.reply(failure("error.exit"));
  EXPECT_FALSE(last().contains("tree"));
  EXPECT_EQ(call.after(), "") << "what a failure has left counts for nothing";
}

TEST_F(RecorderTest, WhatTheAgentDidToGitIsPutRightAndRecordedWithItsReply) {
  Recorder call = recorder();
  files.misdeeds = {"moved HEAD"};
  call.reply(reply("done"));
  EXPECT_THAT(seen.events, IsEmpty()) << "nothing has run";
  call.edits();
  call.reply(reply("done"));
  EXPECT_EQ(last().at("put_right"), Json::array({"worker moved HEAD"}));
  EXPECT_EQ(seen.of("note").front().data.at("text"), "worker moved HEAD");
  EXPECT_EQ(files.lent, 1) << "for its next attempt";
}

TEST_F(RecorderTest, AStoppedAttemptIsNotRecordedHere) {
  Recorder call = recorder();
  call.reply(failure("stopped"));
  EXPECT_THAT(journal.writes, IsEmpty());
  EXPECT_THAT(told, IsEmpty());
  ASSERT_TRUE(call.stopped());
  EXPECT_EQ(call.stopped()->event, "stopped");
}

TEST_F(RecorderTest, AFolderThatIsGoneIsDamageOfACallThatEdits) {
  EXPECT_EQ(recorder().damage(), "");
  files.there = false;
  EXPECT_EQ(recorder().damage(),
            "the worktree /nowhere was deleted or moved during the call, and the work with it");
  request.access = model::Access::read_only;
  EXPECT_EQ(recorder().damage(), "");
}

TEST_F(RecorderTest, WhatCannotBeCommittedIsToldToThoseWhoMayHaveWrittenIt) {
  files.obstacle = "a.git is a repository of its own";
  Recorder call = recorder();
  EXPECT_EQ(call.obstacle(), "") << "nothing has run";
  EXPECT_FALSE(call.may_have_written());
  call.process({});
  EXPECT_TRUE(call.may_have_written());
  EXPECT_EQ(call.obstacle(), "a.git is a repository of its own");
  disowned = true;
  EXPECT_EQ(call.obstacle(), "") << "it is another owner's business";
}

TEST_F(RecorderTest, WhatAnAgentDoesIsShown) {
  Recorder call = recorder();
  for (const char* kind :
       {"text", "tool", "tool_end", "tool_denied", "tool_failed", "note", "fault", "retry"}) {
    call.progress(kind, "words");
  }
  std::vector<std::string> shown;
  for (const Heard& event : seen.events) shown.push_back(event.kind);
  EXPECT_THAT(shown, ElementsAre("agent.text", "agent.tool", "agent.tool_end", "agent.tool_denied",
                                 "agent.tool_failed", "note", "note", "agent.retry"));
  EXPECT_EQ(seen.events[6].data.at("text"), "injected: words");
}

}  // namespace
}  // namespace agneto::run
