#include <gtest/gtest.h>

#include "embed/support.h"

namespace agneto::embed {
namespace {

constexpr const char* kFlawed = R"yaml(agneto: 1
name: flawed
initial: A
states:
  A:
    on: {go: B, back: A}
  B: {final: true}
  C: {final: true}
  # lint: ignore unreachable-state -- the next version has a way there
  D: {final: true}
)yaml";

constexpr const char* kBroken = R"yaml(agneto: 1
name: broken
initial: WORK
states:
  WORK:
    on: {go: DON, stop: DONE, back: WORKS}
  DONE: {final: true}
)yaml";

TEST(Workflow, FindingsAreData) {
  const Folder folder{{"broken.yaml", kBroken}};
  const auto findings = lint(folder / "broken.yaml", library);
  ASSERT_EQ(findings.size(), 2u);
  const Finding& first = findings[0];
  EXPECT_EQ(first.severity, Finding::Severity::error);
  EXPECT_EQ(first.path, (folder / "broken.yaml").string());
  EXPECT_EQ(first.line, 6);
  EXPECT_EQ(first.column, 14);
  EXPECT_EQ(first.rule, "E203/undefined-target");
  EXPECT_EQ(first.message, "there is no state 'DON'");
  EXPECT_EQ(first.help, "did you mean 'DONE'?");
  EXPECT_EQ(first.text, (folder / "broken.yaml").string() +
                            ":6:14: error: there is no state 'DON' "
                            "[E203/undefined-target]\n"
                            "    on: {go: DON, stop: DONE, back: WORKS}\n"
                            "             ^~~\n"
                            "  help: did you mean 'DONE'?\n");
  EXPECT_EQ(findings[1].message, "there is no state 'WORKS'");
}

TEST(Workflow, LintFindsWhatAgnetoLintFinds) {
  const Folder folder{{"flawed.yaml", kFlawed}};
  std::string found;
  for (const auto& finding : lint(folder / "flawed.yaml", library)) {
    EXPECT_EQ(finding.severity, Finding::Severity::warning);
    found += std::to_string(finding.line) + " " + finding.rule + "\n";
  }
  EXPECT_EQ(found, "8 W210/unreachable-state\n");
  const Folder clean{
      {"clean.yaml", "agneto: 1\nname: clean\ninitial: END\nstates: {END: {final: true}}\n"}};
  EXPECT_TRUE(lint(clean / "clean.yaml", library).empty());
}

TEST(Workflow, OnesThatCannotBeUsedAreRefusedWithAllThatIsWrong) {
  const Folder folder{{"broken.yaml", kBroken}};
  const auto file = folder / "broken.yaml";
  try {
    const Workflow workflow(file, library);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.where(), file.string() + ":6:14");
    EXPECT_EQ(error.what(), file.string() + ":6:14: there is no state 'DON'");
    EXPECT_EQ(error.help(), "did you mean 'DONE'?");
    EXPECT_EQ(error.findings().size(), 2u);
  }
}

TEST(Workflow, NoFileIsRefused) {
  const testing::TemporaryFolder folder;
  const std::string file = folder / "none.yaml";
  EXPECT_EQ(error_of([&] { Workflow(file, library); }), "cannot read the file '" + file + "' | ");
  const auto findings = lint(file, library);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].message, "cannot read the file '" + file + "'");
  EXPECT_EQ(findings[0].line, 0);
  EXPECT_EQ(findings[0].path, "");
}

TEST(Workflow, ItsHooksAreChecked) {
  const Folder folder{{"ship.yaml", kShip}, {"coder.lua", "return {"}};
  const std::string file = folder / "coder.lua";
  EXPECT_EQ(error_of([&] { folder.ship(); }), file + ":1:1: unexpected symbol near <eof> | ");
}

TEST(Workflow, NeedsTheHookLibrary) {
  const Folder folder;
  const std::string wrong = folder / "lib";
  const std::string expected =
      wrong +
      ": this is not the folder of the hook library: it has no agneto.lua | give "
      "share/agneto/scripts/lib of where Agneto is installed; CMake's target agneto::agneto "
      "defines it as AGNETO_LIBRARY";
  EXPECT_EQ(error_of([&] { Workflow(folder / "ship.yaml", wrong); }), expected);
  EXPECT_EQ(error_of([&] { lint(folder / "ship.yaml", wrong); }), expected);
}

TEST(Workflow, HasAName) {
  EXPECT_EQ(Folder().ship().name(), "ship");
}

}  // namespace
}  // namespace agneto::embed
