// Providers that answer without a program: the offline one of the demo and the tests.
#include "agents/edits.h"
#include "agents/support.h"
#include "base/error.h"

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
  request.tries = 1;
  answers({{{"text", reply_of("STUCK")}, {"edits", {{{"path", "../escape"}, {"text", "x"}}}}}});
  const Result result = call();
  EXPECT_EQ(result.event, "error.exit");
  EXPECT_EQ(message(result),
            "agent 'coder' (answering) failed: the edit of '../escape' is refused: it leaves the "
            "working folder");
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
