#include "lint/report/collect.h"

#include <gmock/gmock.h>

#include <fstream>

#include "base/error.h"
#include "base/files.h"
#include "lint/report/glob.h"
#include "support/errors.h"
#include "support/temporary_folder.h"

namespace agneto::lint {
namespace {

TEST(Glob, MatchesPartsAndFolders) {
  for (const char* pattern :
       {"a/b/c.yaml", "a/*/c.yaml", "a/b/*.yaml", "a/b/?.yaml", "**/c.yaml", "**", "a/**",
        "a/**/c.yaml", "a/b/**/c.yaml", "**/b/*", "a/b/[a-c].*"}) {
    EXPECT_TRUE(glob_matches(pattern, "a/b/c.yaml")) << pattern;
  }
  for (const char* pattern :
       {"a/*.yaml", "*", "*.yaml", "b/**", "a/b", "a/b/c.yaml/*", "", "**/d", "a/b/[d-f].*"}) {
    EXPECT_FALSE(glob_matches(pattern, "a/b/c.yaml")) << pattern;
  }
}

class Collecting : public ::testing::Test {
 protected:
  void SetUp() override {
    add("flows/b.yaml", "agneto: 1\n");
    add("flows/deep/a.yml", "# first\nagneto: 1\n");
    add("flows/other.yaml", "services: {agneto: 1}\n");
    add("quoted/mark.yaml", "\xEF\xBB\xBF\"agneto\" : 1\n");
    add("flows/notes.md", "agneto: 1\n");
    add("flows/.agneto/workflows/own.yaml", "agneto: 1\n");
    add("flows/.agneto/worktrees/run/b.yaml", "agneto: 1\n");
    add("flows/node_modules/b.yaml", "agneto: 1\n");
  }

  void add(const std::string& name, const std::string& text) {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
  }

  // Relative to the folder, and so are the arguments.
  std::vector<std::string> files(std::vector<std::string> arguments) const {
    for (std::string& argument : arguments) argument = (folder_ / argument).string();
    std::vector<std::string> result;
    for (const fs::path& file : workflow_files(arguments)) {
      result.push_back(file.lexically_relative(folder_.path()).string());
    }
    return result;
  }

  testing::TemporaryFolder folder_;
};

using ::testing::ElementsAre;

TEST_F(Collecting, OfAFolderEveryWorkflow) {
  EXPECT_THAT(files({"flows"}),
              ElementsAre("flows/.agneto/workflows/own.yaml", "flows/b.yaml", "flows/deep/a.yml"));
}

TEST_F(Collecting, HoweverItsKeyIsWritten) {
  EXPECT_THAT(files({"quoted"}), ElementsAre("quoted/mark.yaml"));
}

TEST_F(Collecting, AWorkflowOfOneFlowMapping) {
  add("flow/a.yaml", "{agneto: 1, name: a}\n");
  add("flow/b.yaml", "# First.\n---\n{ name: b,\n  'agneto' : 1}\n");
  add("flow/broken.yaml", "{agneto: 1, name: [}\n");
  add("flow/inner.yaml", "{services: {agneto: 1}}\n");
  add("flow/list.yaml", "[{agneto: 1}]\n");
  add("flow/other.yaml", "{name: \"{agneto: 1}\"}\n");
  EXPECT_THAT(files({"flow"}), ElementsAre("flow/a.yaml", "flow/b.yaml", "flow/broken.yaml"));
}

// As a shell gives them for *.yaml.
TEST_F(Collecting, OfSeveralFilesNoTests) {
  add("flows/b.test.yaml", "agneto-test: 1\n");
  add("flows/c.test.yaml", "agneto: 1\n");
  EXPECT_THAT(files({"flows/b.test.yaml", "flows/b.yaml", "flows/c.test.yaml"}),
              ElementsAre("flows/b.yaml", "flows/c.test.yaml"));
  const std::string at = folder_.path().string() + "/";
  const std::string is_test = at + "flows/b.test.yaml is a test, and no workflow\n" +
                              "play it: agneto test " + at + "flows/b.test.yaml";
  EXPECT_EQ(testing::error_of([&] { files({"flows/b.test.yaml"}); }), is_test);
  add("flows/d.test.yaml", "agneto-test: 1\n");
  EXPECT_EQ(testing::error_of([&] { files({"flows/b.test.yaml", "flows/d.test.yaml"}); }), is_test);
}

TEST_F(Collecting, WhatAPackageSaysOfItselfIsNoWorkflow) {
  add("kit/package.yaml", "agneto: 1\ndescription: Kit\n");
  add("kit/a.yaml", "agneto: 1\n");
  add("kit/other/package.yaml", "name: of another program\n");
  add("only/package.yaml", "agneto: 1\n");
  const auto packages = [&](const std::string& argument) {
    std::vector<std::string> result;
    for (const fs::path& file : package_files({(folder_ / argument).string()})) {
      result.push_back(file.lexically_relative(folder_.path()).string());
    }
    return result;
  };
  EXPECT_THAT(files({"kit"}), ElementsAre("kit/a.yaml"));
  EXPECT_THAT(packages("kit"), ElementsAre("kit/package.yaml"));
  EXPECT_THAT(files({"kit/package.yaml"}), ElementsAre());
  EXPECT_THAT(packages("kit/other/package.yaml"), ElementsAre("kit/other/package.yaml"));
  EXPECT_THAT(packages("kit/*.yaml"), ElementsAre("kit/package.yaml"));
  EXPECT_THAT(files({"only"}), ElementsAre());
}

TEST_F(Collecting, OfAPatternWhatMatches) {
  EXPECT_THAT(files({"flows/*.y*ml"}), ElementsAre("flows/b.yaml"));
  EXPECT_THAT(files({"**/a.*"}), ElementsAre("flows/deep/a.yml"));
}

TEST_F(Collecting, AFileAsItIsAndOnce) {
  EXPECT_THAT(files({"flows/other.yaml", "flows/deep/../b.yaml", "flows/*.yaml", "flows/b.yaml"}),
              ElementsAre("flows/b.yaml", "flows/other.yaml"));
}

TEST_F(Collecting, NamesTheFoldersInWhichAnotherMayComeToBe) {
  const auto folders = [&](const std::string& argument) {
    std::vector<std::string> result;
    for (const fs::path& path : workflow_folders({(folder_ / argument).string()})) {
      result.push_back(path.lexically_relative(folder_.path()).string());
    }
    return result;
  };
  const std::vector<std::string> inside = {"flows", "flows/.agneto", "flows/.agneto/workflows",
                                           "flows/deep"};
  EXPECT_EQ(folders("flows"), inside);
  EXPECT_EQ(folders("flows/**/*.yaml"), inside);
  EXPECT_THAT(folders("flows/b.yaml"), ElementsAre("flows"));
  EXPECT_THAT(folders("gone/b.yaml"), ElementsAre("gone"));
}

TEST_F(Collecting, SaysWhatLeadsNowhere) {
  const std::string at = folder_.path().string() + "/";
  EXPECT_EQ(testing::error_of([&] { files({"none.yaml"}); }),
            "there is no file " + at +
                "none.yaml\ngive a file, a folder, or a pattern such as 'workflows/**/*.yaml'");
  EXPECT_EQ(testing::error_of([&] { files({"flows/*.txt"}); }),
            "no workflow's path matches " + at +
                "flows/*.txt\n'*' stays within a folder, '**' goes through folders; a workflow is "
                "a .yaml file with 'agneto: 1' in it");
  agneto::write_file(folder_ / "flows/b.test.yaml", "agneto-test: 1\n");
  EXPECT_EQ(testing::error_of([&] { files({"flows/b.test.yaml"}); }),
            at + "flows/b.test.yaml is a test, and no workflow\nplay it: agneto test " + at +
                "flows/b.test.yaml");
  fs::create_directory(folder_ / "empty");
  EXPECT_EQ(testing::error_of([&] { files({"empty"}); }),
            "there is no workflow in the folder " + at +
                "empty\na workflow is a .yaml file with 'agneto: 1' in it");
}

}  // namespace
}  // namespace agneto::lint
