// Providers that answer without a program: the offline one of the demo and the tests.
#include "agents/edits.h"
#include "agents/support.h"
#include "base/error.h"
#include "support/errors.h"

namespace agneto::agents {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class Answer : public CallTest {
 protected:
  Answer() { request.provider = "answering"; }
  void answers(Json list) { request.options = {{"answers", std::move(list)}}; }
};

TEST_F(Answer, IsTheReply) {
  answers({{{"text", reply_of("STUCK")}}});
  EXPECT_EQ(call().event, "STUCK");
  EXPECT_THAT(recorder.log, ElementsAre("prepare 1", "prompt 1", "reply 1"));
  EXPECT_THAT(runner.specs, IsEmpty());
}

TEST_F(Answer, EditsTheFolder) {
  std::ofstream(folder / "old.txt") << "old";
  answers({{{"text", reply_of("STUCK")},
            {"edits",
             {{{"path", "src/new.txt"}, {"text", "new\n"}},
              {{"path", "old.txt"}, {"text", nullptr}},
              {{"path", "never-there.txt"}, {"text", nullptr}}}}}});
  EXPECT_EQ(call().event, "STUCK");
  EXPECT_EQ(read_file(folder / "src/new.txt"), "new\n");
  EXPECT_FALSE(std::filesystem::exists(folder / "old.txt"));
}

TEST_F(Answer, MayTakeItsTime) {
  answers({{{"text", reply_of("STUCK")}, {"delay", "2s"}}});
  EXPECT_EQ(call().event, "STUCK");
  EXPECT_THAT(clock.slept, ElementsAre(Millis(2000)));
  EXPECT_EQ(recorder.replies.at(0).duration, Millis(2000));
}

TEST_F(Answer, AStopCutsItShort) {
  clock.before_sleep = [&] { stop.request_stop(); };
  answers({{{"text", reply_of("STUCK")},
            {"delay", "2s"},
            {"edits", {{{"path", "new.txt"}, {"text", "new"}}}}}});
  EXPECT_TRUE(call().cancelled);
  EXPECT_FALSE(std::filesystem::exists(folder / "new.txt"));
}

TEST_F(Answer, MayFailAndBeTriedAgain) {
  answers({{{"error", "boom"}}, {{"text", reply_of("STUCK")}}});
  EXPECT_EQ(call().event, "STUCK");
  EXPECT_EQ(recorder.replies.at(0).error, "boom");
}

TEST_F(Answer, AnEditThatIsRefusedFailsTheTry) {
  request.retry.tries = 1;
  answers({{{"text", reply_of("STUCK")}, {"edits", {{{"path", "../escape"}, {"text", "x"}}}}}});
  const Result result = call();
  EXPECT_EQ(result.event, "error.exit");
  EXPECT_EQ(message(result),
            "agent 'coder' (answering) failed: the edit of '../escape' is refused: it leaves the "
            "working folder");
}

// What it says meanwhile, and when.

const Json said = {{{"at", "1s"}, {"text", "Let me see."}},
                   {{"at", "2s"}, {"tool", "make"}},
                   {{"at", "9s"}, {"tool_end", true}}};

TEST_F(Answer, SaysAtOnceWhatWasSaidMeanwhile) {
  answers({{{"text", reply_of("STUCK")}, {"output", said}, {"took", "10s"}}});
  EXPECT_EQ(call().event, "STUCK");
  EXPECT_THAT(recorder.progressed, ElementsAre("text: Let me see.", "tool: make", "tool_end"));
  EXPECT_THAT(clock.slept, IsEmpty());
}

TEST_F(Answer, TellsOfToolsThatWereDeniedOrFailed) {
  answers({{{"text", reply_of("STUCK")},
            {"output", {{{"tool_denied", "WebFetch"}}, {{"tool_failed", "edit: greet"}}}}}});
  EXPECT_EQ(call().event, "STUCK");
  EXPECT_THAT(recorder.progressed,
              ElementsAre("tool_denied: WebFetch", "tool_failed: edit: greet"));
  const ReplyRecord& reply = recorder.replies.at(0);
  ASSERT_EQ(reply.output.size(), 2u);
  EXPECT_EQ(reply.output[0].kind, "tool_denied");
  EXPECT_EQ(reply.output[1].text, "edit: greet");
}

TEST_F(Answer, TakesTheRecordedTimeAtTheSpeedThatIsAskedFor) {
  answers({{{"text", reply_of("STUCK")}, {"output", said}, {"took", "10s"}, {"speed", 2}}});
  EXPECT_EQ(call().event, "STUCK");
  EXPECT_THAT(clock.slept, ElementsAre(Millis(500), Millis(500), Millis(3500), Millis(500)));
  const ReplyRecord& reply = recorder.replies.at(0);
  EXPECT_EQ(reply.duration, Millis(5000));
  EXPECT_THAT(recorder.told,
              ElementsAre("1: 500ms text Let me see.", "1: 1s tool make", "1: 4.5s tool_end "));
  EXPECT_THAT(reply.output, IsEmpty()) << "it is recorded already";
}

TEST_F(Answer, WhatWasSaidInTheFirstMomentsIsRecordedWithTheReplyIfThatHasCome) {
  answers({{{"text", reply_of("STUCK")}, {"output", said}, {"took", "9s"}, {"speed", 10}}});
  EXPECT_EQ(call().event, "STUCK");
  EXPECT_THAT(recorder.told, IsEmpty());
  EXPECT_EQ(recorder.replies.at(0).output.size(), 3u);
}

TEST_F(Answer, IsHeldToTheTimeoutsOfTheCall) {
  request.retry.tries = 1;
  request.timeout = Millis(60'000);
  request.idle = Millis(5'000);
  answers({{{"text", reply_of("STUCK")}, {"took", "6s"}, {"speed", 1}}});
  Result result = call();
  EXPECT_EQ(result.event, "error.timeout");
  EXPECT_EQ(message(result), "agent 'coder' (answering) failed: no output for 5s");

  request.idle = Millis(0);
  answers({{{"text", reply_of("STUCK")}, {"took", "2m"}, {"speed", 1}}});
  result = call();
  EXPECT_EQ(message(result), "agent 'coder' (answering) failed: not done after 1m");
  EXPECT_THAT(clock.slept, ElementsAre(Millis(5'000), Millis(60'000)));
}

TEST_F(Answer, MayBeDelayedForAsLongAsItPleases) {
  request.timeout = request.idle = Millis(5'000);
  answers({{{"text", reply_of("STUCK")}, {"took", "4s"}, {"speed", 1}, {"delay", "6s"}}});
  EXPECT_EQ(call().event, "STUCK");
  EXPECT_THAT(clock.slept, ElementsAre(Millis(4'000), Millis(2'000)));
}

TEST_F(Answer, SpeaksOfTheRunThatItIsPlayedIn) {
  request.verdicts.clear();
  answers({{{"text", "see {agneto.run} in {agneto.repository}"},
            {"output", {{{"text", "{agneto.run}"}}}},
            {"edits", {{{"path", "a.txt"}, {"text", "{agneto.run}"}}}}}});
  EXPECT_EQ(call().data, Json({{"reply", "see r1 in " + folder.path().string()}}));
  EXPECT_THAT(recorder.progressed, ElementsAre("text: r1"));
  EXPECT_EQ(read_file(folder / "a.txt"), "r1");
}

TEST_F(Answer, WhosePatchDoesNotApplyEndsAllWork) {
  answers({{{"text", reply_of("STUCK")},
            {"patch", "--- a/none.txt\n+++ b/none.txt\n@@ -1 +1 @@\n-a\n+b\n"}}});
  EXPECT_EQ(testing::error_of([&] { call(); }),
            "CODING#1, call 1 of 'coder' in the cassette: the patch does not apply: "
            "none.txt: No such file or directory\n"
            "play it at the commit at which it was recorded, which its first lines say");
}

// What the user's configuration says of patches is for the user's own.
TEST_F(Answer, WhosePatchIsAppliedToTheLetter) {
  const auto git = [&](const std::vector<std::string>& arguments) {
    EXPECT_EQ(process::capture(arguments, folder.path()).status, 0);
  };
  git({"git", "init", "--quiet"});
  git({"git", "config", "apply.ignoreWhitespace", "change"});
  git({"git", "config", "apply.whitespace", "error"});
  const std::string text = "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1,2 @@\n a\tb\n+c \n";
  answers({{{"text", reply_of("STUCK")}, {"patch", text}}});
  std::ofstream(folder / "a.txt") << "a  b\n";
  EXPECT_EQ(testing::error_of([&] { call(); }),
            "CODING#1, call 1 of 'coder' in the cassette: the patch does not apply: patch failed: "
            "a.txt:1; a.txt: patch does not apply\n"
            "play it at the commit at which it was recorded, which its first lines say");
  std::ofstream(folder / "a.txt") << "a\tb\n";
  EXPECT_EQ(call().event, "STUCK");
  EXPECT_EQ(read_file(folder / "a.txt"), "a\tb\nc \n");
}

TEST_F(Answer, IsNotSilentWhileAToolIsAtWork) {
  request.idle = Millis(5'000);
  answers({{{"text", reply_of("STUCK")}, {"output", said}, {"took", "10s"}, {"speed", 1}}});
  EXPECT_EQ(call().event, "STUCK");
}

TEST_F(Answer, MayEditAndNeverCome) {
  request.retry.tries = 1;
  request.idle = Millis(5'000);
  answers({{{"edits", {{{"path", "new.txt"}, {"text", "new"}}}}, {"stuck", true}}});
  EXPECT_EQ(message(call()), "agent 'coder' (answering) failed: no output for 5s");
  EXPECT_EQ(read_file(folder / "new.txt"), "new");
}

TEST_F(Answer, MayTellWhoeverWatches) {
  answers({{{"text", reply_of("STUCK")}, {"note", "injected: slow"}}});
  call();
  EXPECT_THAT(recorder.progressed, ElementsAre("note: injected: slow"));
}

TEST_F(Answer, OfAnotherPromptEndsAllWork) {
  request.verdicts.clear();
  answers({{{"text", "well"}, {"prompt", "Do the work (attempt 1).\n"}}});
  EXPECT_EQ(call().event, "done");
  answers({{{"text", "well"}, {"prompt", "Do no work (attempt 1).\n"}}});
  EXPECT_EQ(testing::error_of([&] { call(); }),
            "the prompt of CODING#1 is not the one that the cassette answers in call 1 of 'coder' "
            "(- recorded, + now)\n"
            "  - Do no work (attempt 1).\n"
            "  + Do the work (attempt 1).\n"
            "accept it with --fuzzy, which 'resume' takes too, or record the run anew");
}

TEST_F(Answer, OfAProviderThatIsAskedForItsVerdictInAnotherWayIsOne) {
  answers({{{"text", reply_of("STUCK")},
            {"prompt", "Do the work (attempt 1).\n\n" + format("Give it with a tool.") + "\n"}}});
  EXPECT_EQ(call().event, "STUCK");
}

TEST_F(Answer, KeepsOnlyTheBeginningOfAFlood) {
  Json flood = Json::array();
  for (int i = 0; i < 5; ++i) flood.push_back({{"text", std::string(100'000, 'x')}});
  answers({{{"text", reply_of("STUCK")}, {"output", flood}}});
  call();
  EXPECT_EQ(recorder.progressed.size(), 5u);
  const auto& kept = recorder.replies.at(0).output;
  ASSERT_EQ(kept.size(), 3u);
  EXPECT_EQ(kept[1].kind, "text");
  EXPECT_EQ(kept[2].kind, "cut");
}

// Edits stay inside.

class Edit : public ::testing::Test {
 protected:
  std::string refusal(const std::string& path) {
    try {
      apply({{path, "text"}}, folder.path());
    } catch (const Error& error) {
      return error.what();
    }
    return "none";
  }
  TemporaryFolder folder, outside;
};

TEST_F(Edit, PathsThatLeaveTheFolderAreRefused) {
  EXPECT_EQ(refusal("../x"), "the edit of '../x' is refused: it leaves the working folder");
  EXPECT_EQ(refusal("a/../../x"),
            "the edit of 'a/../../x' is refused: it leaves the working folder");
  EXPECT_EQ(refusal("/etc/x"),
            "the edit of '/etc/x' is refused: it is not a relative path of a file");
  EXPECT_EQ(refusal(""), "the edit of '' is refused: it is not a relative path of a file");
  EXPECT_EQ(refusal("a/"), "the edit of 'a/' is refused: it is not a relative path of a file");
}

TEST_F(Edit, GitsOwnFilesAreRefused) {
  EXPECT_EQ(refusal(".git/config"), "the edit of '.git/config' is refused: it is git's own");
  EXPECT_EQ(refusal("sub/.git"), "the edit of 'sub/.git' is refused: it is git's own");
  EXPECT_EQ(refusal(".gitignore"), "none");
}

TEST_F(Edit, SymbolicLinksAreNotFollowed) {
  std::filesystem::create_symlink(outside.path(), folder / "link");
  EXPECT_EQ(refusal("link/x"), "the edit of 'link/x' is refused: it leads through a symbolic link");
  EXPECT_EQ(refusal("link"), "the edit of 'link' is refused: it leads through a symbolic link");
  EXPECT_TRUE(std::filesystem::is_empty(outside.path()));
}

TEST_F(Edit, AFileThatCannotBeWrittenIsNamed) {
  std::filesystem::create_directory(folder / "a");
  EXPECT_EQ(refusal("a"), "the edit of 'a' is refused: it cannot be written");
  EXPECT_EQ(refusal("a/b/c"), "none");
}

}  // namespace
}  // namespace agneto::agents
