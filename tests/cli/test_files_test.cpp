#include "cli/test_files.h"

#include <gmock/gmock.h>
#include <unistd.h>

namespace agneto::cli {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAre;

constexpr const char* flow = R"yaml(agneto: 1
name: flow
agents: {worker: {hooks: ../scripts/flow/worker.lua}}
initial: A
states: {A: {agent: worker, on: {done: B, error: B}}, B: {final: true}}
)yaml";

// A repository in which one stands.
class TestFilesTest : public testing::Test {
 protected:
  TestFilesTest() : before_(fs::current_path()) {
    std::string name = fs::temp_directory_path() / "agneto-test-files-XXXXXX";
    root_ = fs::canonical(::mkdtemp(name.data()));
    fs::create_directory(root_ / ".git");
    stand(".");
  }
  ~TestFilesTest() override {
    fs::current_path(before_);
    fs::remove_all(root_);
  }

  void write(const fs::path& path, const std::string& text = "") {
    fs::create_directories((root_ / path).parent_path());
    write_file(root_ / path, text);
  }
  void stand(const fs::path& folder) {
    fs::create_directories(root_ / folder);
    fs::current_path(root_ / folder);
    context_.folder = fs::current_path();
  }
  std::vector<std::string> found(const std::vector<std::string>& wanted) {
    searched_.clear();
    std::vector<std::string> names;
    for (const fs::path& path : test_files(wanted, context_, Disk(), searched_)) {
      names.push_back(path.string());
    }
    return names;
  }
  std::string refusal(const std::vector<std::string>& wanted) {
    try {
      found(wanted);
    } catch (const Error& error) {
      return std::string(error.what()) + "\n" + error.help();
    }
    return "";
  }

  const fs::path before_;
  fs::path root_;
  Context context_;
  std::set<fs::path> searched_;
};

TEST_F(TestFilesTest, WithoutArgumentsThoseBelow) {
  write("b.test.yaml");
  write("a/x.test.lua");
  write("node_modules/n.test.yaml");
  write(".hidden/h.test.yaml");
  write(".agneto/workflows/flow.test.yaml");
  write(".agneto/worktrees/w/w.test.yaml");
  EXPECT_THAT(found({}),
              ElementsAre(".agneto/workflows/flow.test.yaml", "a/x.test.lua", "b.test.yaml"));
  EXPECT_THAT(searched_, UnorderedElementsAre(".", "./.agneto/workflows", "./a"));
}

TEST_F(TestFilesTest, OfARepositoryWhereNoneAreBelow) {
  stand("src/deep");
  EXPECT_EQ(refusal({}), "there are no test files in " + root_.string() +
                             "/src/deep/\na workflow NAME.yaml is tested by NAME.test.yaml beside "
                             "it; see docs/testing.md");
  write("other.test.yaml");
  write(".agneto/workflows/flow.test.yaml");
  write(".agneto/scripts/flow/worker.test.lua");
  write("workflows/team.test.yaml");
  EXPECT_THAT(found({}), ElementsAre("../../.agneto/workflows/flow.test.yaml",
                                     "../../.agneto/scripts/flow/worker.test.lua",
                                     "../../workflows/team.test.yaml"));
  write("src/deep/own.test.yaml");
  EXPECT_THAT(found({}), ElementsAre("own.test.yaml"));
}

TEST_F(TestFilesTest, OfAWorkflowAreThoseOfItsHooksToo) {
  write(".agneto/workflows/flow.yaml", flow);
  write(".agneto/scripts/flow/worker.lua", "return {prompt = function() return '' end}");
  EXPECT_EQ(
      refusal({"flow"}),
      "there is no test file .agneto/workflows/flow.test.yaml\nwrite one beside the workflow; "
      "see docs/testing.md");
  write(".agneto/scripts/flow/worker.test.lua");
  write(".agneto/scripts/other/other.test.lua");
  EXPECT_THAT(found({"flow"}), ElementsAre(".agneto/scripts/flow/worker.test.lua"));
  write(".agneto/workflows/flow.test.yaml");
  const auto both =
      ElementsAre(".agneto/workflows/flow.test.yaml", ".agneto/scripts/flow/worker.test.lua");
  EXPECT_THAT(found({"flow"}), both);
  EXPECT_THAT(found({".agneto/workflows/flow.yaml"}), both);
  EXPECT_THAT(found({".agneto/workflows/flow.yaml", "flow", ".agneto/workflows"}), both);
  EXPECT_THAT(found({".agneto/workflows/flow.test.yaml"}),
              ElementsAre(".agneto/workflows/flow.test.yaml"));
  stand("src");
  EXPECT_THAT(found({"flow"}), ElementsAre("../.agneto/workflows/flow.test.yaml",
                                           "../.agneto/scripts/flow/worker.test.lua"));
  stand(".");
  // One that cannot be read is told of when it is played.
  write(".agneto/workflows/flow.yaml", "agneto: 1\n");
  EXPECT_THAT(found({"flow"}), ElementsAre(".agneto/workflows/flow.test.yaml"));
}

}  // namespace
}  // namespace agneto::cli
