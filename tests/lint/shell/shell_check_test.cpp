#include "lint/shell/shell_check.h"

#include <gmock/gmock.h>

#include "lint/report/report.h"

namespace agneto::lint {
namespace {

// The state A runs the text, of which the checker says something; its line is the sixth.
std::string said_of(const std::string& run, const ShellChecker& check) {
  MemoryFiles files;
  files.add(
      "/team/flow.yaml",
      "agneto: 1\nname: flow\ninputs: {n: integer, dir: string}\ninitial: A\nstates:\n  A:\n" +
          run + "    on: {ok: END, failed: END}\n  END: {final: true}\n" +
          "outputs: {n: inputs.n, dir: inputs.dir}\n");
  const Report all = report({"/team/flow.yaml"}, files, "/lib", Policy(), false, {}, check);
  std::string text;
  for (const Finding& finding : all.findings) {
    if (!finding.suppressed) text += render(finding.diagnostic);
  }
  return text;
}

ShellChecker saying(std::vector<ShellRemark> remarks) {
  return [remarks](const std::vector<std::string>&) { return remarks; };
}

constexpr const char* unquoted = "Double quote to prevent globbing and word splitting.";

TEST(ShellCheck, PointsToTheWordsInABlock) {
  EXPECT_EQ(
      said_of("    run:\n      shell: |\n        set -e\n          echo \"é\" $HOME\n",
              saying({{0, 2, 12, 2, 17, 2086, unquoted}})),
      R"text(/team/flow.yaml:10:21: warning: shellcheck says: Double quote to prevent globbing and word splitting (SC2086) [W438/shellcheck]
          echo "é" $HOME
                   ^~~~~
  help: https://www.shellcheck.net/wiki/SC2086 says what to do
)text");
}

TEST(ShellCheck, PointsToAllOfATextThatYamlWritesDifferently) {
  EXPECT_EQ(
      said_of("    run: {shell: \"echo \\x24HOME\"}\n", saying({{0, 1, 6, 1, 11, 2086, unquoted}})),
      R"text(/team/flow.yaml:7:18: warning: shellcheck says: Double quote to prevent globbing and word splitting (SC2086) [W438/shellcheck]
    run: {shell: "echo \x24HOME"}
                 ^~~~~~~~~~~~~~~
  help: https://www.shellcheck.net/wiki/SC2086 says what to do
)text");
}

TEST(ShellCheck, KnowsWhatEnvHas) {
  const std::string run =
      "    run: {shell: head -n $n $dir, env: {n: inputs.n, dir: inputs.dir}}\n";
  const auto of = [&](int column, int end, int code) {
    return said_of(run, saying({{0, 1, column, 1, end, code, "Something."}}));
  };
  EXPECT_EQ(of(9, 11, 2154), "");
  EXPECT_EQ(of(9, 11, 2086), "") << "a number is one word";
  EXPECT_EQ(of(12, 16, 2154), "");
  EXPECT_THAT(of(12, 16, 2086), testing::HasSubstr("flow.yaml:7:29: warning: shellcheck says"));
}

TEST(ShellCheck, IsAskedOnceForAllTexts) {
  std::vector<std::string> asked;
  said_of(
      "    run: {shell: make}\n    on: {ok: B, failed: B, error: B}\n  B:\n    run: {shell: "
      "make}\n",
      [&](const std::vector<std::string>& scripts) {
        asked.insert(asked.end(), scripts.begin(), scripts.end());
        return std::nullopt;
      });
  EXPECT_THAT(asked, testing::ElementsAre("make"));
}

TEST(ShellCheck, IsNotAskedWhereThereIsNoText) {
  EXPECT_EQ(said_of("    run: {argv: [make]}\n",
                    [](const std::vector<std::string>&) -> std::optional<std::vector<ShellRemark>> {
                      ADD_FAILURE();
                      return std::nullopt;
                    }),
            "");
}

TEST(ShellCheck, IsSuppressedAlsoWhereItIsNotInstalled) {
  const std::string run = "    run: {shell: ls $HOME} # lint: ignore W438 -- it has no blanks\n";
  EXPECT_EQ(said_of(run, saying({{0, 1, 4, 1, 9, 2086, unquoted}})), "");
  EXPECT_EQ(said_of(run, [](const auto&) { return std::nullopt; }), "");
  EXPECT_EQ(
      said_of(run, saying({})),
      R"text(/team/flow.yaml:7:28: warning: there is no W438/shellcheck on line 7 [W132/unused-suppression]
    run: {shell: ls $HOME} # lint: ignore W438 -- it has no blanks
                           ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
  help: remove it, or leave the reason as a plain comment
)text");
}

}  // namespace
}  // namespace agneto::lint
