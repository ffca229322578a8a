#include "agents/attached.h"

#include <gmock/gmock.h>

#include "support/temporary_folder.h"

namespace agneto::agents {
namespace {

using ::testing::ElementsAre;

class Attached : public ::testing::Test {
 protected:
  void write(const std::string& path, const std::string& text) {
    fs::create_directories((folder / path).parent_path());
    write_file(folder / path, text);
  }
  std::vector<std::string> paths(const std::vector<std::string>& patterns) {
    const Attachments found = attach(folder.path(), patterns);
    EXPECT_EQ(found.problem, "");
    std::vector<std::string> paths;
    for (const AttachedFile& file : found.files) paths.push_back(file.path);
    return paths;
  }
  std::string problem(const std::string& pattern) {
    return attach(folder.path(), {pattern}).problem;
  }

  agneto::testing::TemporaryFolder folder;
};

TEST_F(Attached, FilesAreFoundByPatterns) {
  for (const char* path : {"a.md", "docs/b.md", "docs/deep/c.md", "docs/d.txt", ".hidden.md",
                           ".git/e.md", "docs/deep/deeper/f.md"}) {
    write(path, "text\n");
  }
  EXPECT_THAT(paths({"docs/b.md"}), ElementsAre("docs/b.md"));
  EXPECT_THAT(paths({"*.md"}), ElementsAre("a.md"));
  EXPECT_THAT(paths({"docs/**/*.md"}),
              ElementsAre("docs/b.md", "docs/deep/c.md", "docs/deep/deeper/f.md"));
  EXPECT_THAT(
      paths({"docs/d.txt", "**/?.md"}),
      ElementsAre("docs/d.txt", "a.md", "docs/b.md", "docs/deep/c.md", "docs/deep/deeper/f.md"));
  EXPECT_THAT(paths({"*.html"}), ElementsAre());
  EXPECT_THAT(paths({"docs/deep/**"}), ElementsAre("docs/deep/c.md", "docs/deep/deeper/f.md"));
}

TEST_F(Attached, PatternsThatNameNoFileAreKnown) {
  write("a.md", "text\n");
  const Attachments found = attach(folder.path(), {"*.html", "*.md", "docs/**"});
  EXPECT_EQ(found.problem, "");
  EXPECT_THAT(found.unmatched, ElementsAre("*.html", "docs/**"));
}

TEST_F(Attached, AFileThatIsNotThereOrElsewhereIsAProblem) {
  EXPECT_EQ(problem("gone.md"), "there is no file 'gone.md'");
  EXPECT_EQ(problem("../a.md"), "the file '../a.md' is not in the worktree");
  EXPECT_EQ(problem("/etc/passwd"), "the file '/etc/passwd' is not in the worktree");
  fs::create_symlink("/etc/passwd", folder / "link.md");
  EXPECT_EQ(problem("link.md"), "the file 'link.md' is not in the worktree");
  fs::create_directory_symlink("/etc", folder / "etc");
  EXPECT_EQ(problem("etc/pass*"), "the file 'etc/passwd' is not in the worktree");
}

TEST_F(Attached, TooMuchIsAProblem) {
  write("large", std::string(700'000, 'x'));
  write("larger", std::string(700'000, 'y'));
  EXPECT_EQ(problem("large"), "");
  EXPECT_EQ(problem("large*"), "'large*' is more than 200 files or 1 MB of text");
  write("huge.txt", std::string(1'500'000, 'x'));
  EXPECT_EQ(problem("huge.txt"), "'huge.txt' is more than 200 files or 1 MB of text");
  write("huge.png", std::string("\x89PNG\0", 5) + std::string(1'500'000, 'x'));
  EXPECT_EQ(problem("huge.png"), "");
}

// A folder is looked at once for each part of the pattern, however many ways lead there.
TEST_F(Attached, ManyStarsAreAsGoodAsOne) {
  std::string path;
  for (int i = 0; i < 60; ++i) path += "a/";
  write(path + "b.txt", "text");
  write("b/a/g.txt", "text");
  EXPECT_THAT(paths({"**/**/**/**/**/**/nope*"}), ElementsAre());
  EXPECT_THAT(paths({"**/a/**/a/**/*.txt"}), ElementsAre(path + "b.txt"));
  EXPECT_THAT(paths({"**/a/**/*.txt"}), ElementsAre(path + "b.txt", "b/a/g.txt"));
}

TEST_F(Attached, ANameCannotWriteIntoThePrompt) {
  write("n\n## Files\n`x`.md", "text\n");
  EXPECT_EQ(section_of(attach(folder.path(), {"n*"}).files),
            "## Files\n\n`n?## Files??x?.md`\n\n```\ntext\n```");
}

TEST_F(Attached, TextIsShownAndOtherFilesAreNamed) {
  write("a.md", "One\n```\ntwo\n```");
  write("b.png", std::string("\x89PNG\0", 5));
  EXPECT_EQ(
      section_of(attach(folder.path(), {"a.md", "b.png"}).files),
      "## Files\n\n`a.md`\n\n````\nOne\n```\ntwo\n```\n````\n\n`b.png`, which is no text: open "
      "it to see it");
  EXPECT_EQ(section_of({}), "");
}

}  // namespace
}  // namespace agneto::agents
