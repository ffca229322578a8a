#include "workspace/history.h"

#include <gmock/gmock.h>

#include "base/text.h"
#include "support/errors.h"
#include "workspace/throwaway.h"

namespace agneto::workspace {
namespace {

using History = Throwaway;
using agneto::testing::error_of;
using ::testing::ElementsAre;

TEST_F(History, TellsChangesAsTheyWereAtACheckpoint) {
  auto workspace = start();
  write(workspace->path() / "greet.sh", "echo hi\n");
  const std::string first = workspace->checkpoint("A#1");
  const Changes base = workspace->since_base(), commit = workspace->since_last_commit();
  workspace->commit("Say hi", "run1/C#1");
  write(workspace->path() / "new.txt", "new\n");
  const std::string second = workspace->checkpoint("A#2");
  const Changes later = workspace->since_last_commit();
  workspace.reset();
  fs::remove_all(repository / ".agneto/worktrees/run1");

  const ChangesAt then = changes_at(repository, "run1", first);
  EXPECT_EQ(then.since_base.diff, base.diff);
  EXPECT_EQ(then.since_base.base, base.base);
  EXPECT_EQ(then.since_base.head, base.head);
  EXPECT_EQ(then.since_last_commit.diff, commit.diff);
  const ChangesAt now = changes_at(repository, "run1", second);
  EXPECT_THAT(now.since_base.files, ElementsAre("greet.sh", "new.txt"));
  EXPECT_THAT(now.since_last_commit.files, ElementsAre("new.txt"));
  EXPECT_EQ(now.since_last_commit.diff, later.diff);
  EXPECT_EQ(now.since_last_commit.base, later.base);
}

TEST_F(History, APatchMakesOneTreeIntoTheOther) {
  auto workspace = start();
  const fs::path tree = workspace->path();
  write(tree / "place", "caf\xe9\n");
  const std::string before = workspace->checkpoint("A#1");
  fs::remove(tree / "place");
  write(tree / "greet.sh", "echo hi \n");
  write(tree / "binary", std::string("\0\1\2\xff", 4));
  write(tree / "latin1.txt", "caf\xe9\n");
  write(tree / "crlf.txt", "a\r\nb\r\n");
  write(tree / "no-end.txt", "no line end");
  fs::remove(tree / "docs/guide.md");
  fs::permissions(tree / "greet.sh", fs::perms::owner_all);
  fs::create_symlink("greet.sh", tree / "link");
  write(tree / "place/[a]*.txt", "a folder now\n");
  const std::string after = workspace->checkpoint("A#2");
  const std::string patched = patch(repository, before, after);
  EXPECT_EQ(valid_utf8(patched), patched);
  // Only what is no text is encoded: in the rest secrets must be found.
  EXPECT_THAT(patched, ::testing::HasSubstr("+echo hi \n"));

  workspace->restore(before);
  const process::Captured applied =
      process::capture({"git", "apply", "--binary", "--whitespace=nowarn", "-"}, tree, {}, patched);
  EXPECT_EQ(applied.status, 0) << applied.error;
  EXPECT_FALSE(workspace->changed_since(after));
  EXPECT_EQ(read(tree / "latin1.txt"), "caf\xe9\n");
  EXPECT_EQ(patch(repository, after, after), "");
}

TEST_F(History, SaysWhatIsGone) {
  auto workspace = start();
  const std::string checkpoint = workspace->checkpoint("A#1");
  const std::string never = "0123456789012345678901234567890123456789";
  EXPECT_EQ(error_of([&] { patch(repository, checkpoint, never); }),
            "the checkpoint 012345678901 is not in this repository any more\n"
            "'agneto clean' takes a run's checkpoints away");
  EXPECT_EQ(error_of([&] { changes_at(repository, "run2", checkpoint); }),
            "what run run2 started from is not in this repository any more\n"
            "'agneto clean' takes a run's checkpoints away");
  EXPECT_EQ(start_of(repository, "run2"), "");
  EXPECT_EQ(start_of(repository, "run1"), git("rev-parse HEAD"));
}

}  // namespace
}  // namespace agneto::workspace
