#include "run/checkup.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/temporary_folder.h"

namespace agneto::run {
namespace {

// Every program says the same of itself.
class Says : public process::Runner {
 public:
  explicit Says(std::string text) : text_(std::move(text)) {}
  process::Exit run(const process::Spec& spec, process::Listener&, std::stop_token) override {
    EXPECT_EQ(spec.argv.at(1), "--version");
    process::Exit exit;
    exit.output = text_;
    return exit;
  }

 private:
  std::string text_;
};

std::string of_git(const std::string& says) {
  const testing::TemporaryFolder folder;
  Says runner(says);
  const auto nothing = [](const std::string&) -> std::optional<std::string> { return {}; };
  const auto findings = check_up(folder / "", {folder / "", folder / "guard", folder / ""},
                                 {runner, nothing, folder / ""});
  const auto git = std::find_if(findings.begin(), findings.end(),
                                [](const Finding& finding) { return finding.about == "git"; });
  return git->what + (git->wrong ? "; " + git->help : "");
}

TEST(Checkup, KnowsWhichGitIsNewEnough) {
  EXPECT_EQ(of_git("git version 2.38.0\n"), "2.38.0");
  EXPECT_EQ(of_git("git version 3.1 (Apple Git-1)\n"), "3.1");
  EXPECT_EQ(of_git("git version 2.37.7\n"), "2.37.7, and 2.38 is needed; install a newer one");
  EXPECT_EQ(of_git("git version 1.99.3\n"), "1.99.3, and 2.38 is needed; install a newer one");
  EXPECT_EQ(of_git("gut\n"), "says no version, and 2.38 is needed; install a newer one");
}

}  // namespace
}  // namespace agneto::run
