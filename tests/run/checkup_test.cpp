#include "run/checkup.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "base/text.h"
#include "model/packages.h"
#include "support/temporary_folder.h"

namespace agneto::run {
namespace {

// Every program says the same of itself, and some do not answer.
class Says : public process::Runner {
 public:
  explicit Says(std::string text, std::string late = "")
      : text_(std::move(text)), late_(std::move(late)) {}
  process::Exit run(const process::Spec& spec, process::Listener&, std::stop_token) override {
    EXPECT_EQ(spec.timeout, Millis(10'000));
    process::Exit exit;
    if (join(spec.argv, " ") == late_) {
      exit.kind = process::Exit::Kind::timed_out;
    } else {
      exit.output = text_;
    }
    return exit;
  }

 private:
  std::string text_, late_;
};

std::string finding(Says runner, const std::string& about) {
  const testing::TemporaryFolder folder;
  const auto nothing = [](const std::string&) -> std::optional<std::string> { return {}; };
  const auto findings =
      check_up(folder / "",
               {.share = folder / "", .pages = {}, .guard = folder / "guard", .user = folder / ""},
               {runner, nothing, folder / ""});
  const auto found = std::find_if(findings.begin(), findings.end(),
                                  [&](const Finding& each) { return each.about == about; });
  if (found == findings.end()) return "";
  return found->what + (found->wrong ? "; " + found->help : "");
}

std::string of_git(const std::string& says) {
  return finding(Says(says), "git");
}

TEST(Checkup, KnowsWhichGitIsNewEnough) {
  EXPECT_EQ(of_git("git version 2.38.0\n"), "2.38.0");
  EXPECT_EQ(of_git("git version 3.1 (Apple Git-1)\n"), "3.1");
  EXPECT_EQ(of_git("git version 2.37.7\n"), "2.37.7, and 2.38 is needed; install a newer one");
  EXPECT_EQ(of_git("git version 1.99.3\n"), "1.99.3, and 2.38 is needed; install a newer one");
  EXPECT_EQ(of_git("gut\n"), "says no version, and 2.38 is needed; install a newer one");
}

TEST(Checkup, WaitsTenSecondsForAnAnswer) {
  const Says deaf("", "git --version");
  EXPECT_EQ(finding(deaf, "git"),
            "'git --version' did not answer in 10 s; try it by hand: git --version");
  EXPECT_EQ(finding(deaf, "repository"), "");
  EXPECT_EQ(
      finding(Says("git version 2.40", "git rev-parse HEAD"), "repository"),
      "'git rev-parse HEAD' did not answer in 10 s; try it by hand; the file system may hang");
}

// The test makes one of the programs of agents, so that it is there.
TEST(Checkup, AnAgentThatDoesNotAnswerIsNotBroken) {
  const testing::TemporaryFolder folder;
  const fs::path program = folder / "codex";
  write_file(program, "");
  fs::permissions(program, fs::perms::owner_all);
  const std::string before = std::getenv("PATH");
  ::setenv("PATH", ((folder / "").string() + ":" + before).c_str(), 1);
  const std::string found = finding(Says("codex 1", "codex --version"), "codex");
  ::setenv("PATH", before.c_str(), 1);
  EXPECT_EQ(found, "'codex --version' did not answer in 10 s; try it by hand: codex --version");
}

TEST(Checkup, LooksAtThePackagesOfTheTeamAndWhatTheyNeed) {
  const testing::TemporaryFolder folder;
  const fs::path root = folder / ".agneto";
  fs::create_directories(root / "packages/reviews");
  write_file(root / "packages/reviews/package.yaml",
             "agneto: 1\ndescription: Reviews.\nneeds: {programs: [sh, no-such-program]}\n");
  const auto lock = [&](const std::string& tree) {
    write_file(root / "agneto.lock",
               model::to_yaml({{"reviews", "../kit", "", "v1", std::string(40, 'a'), tree}}));
  };
  const auto told = [&] {
    Says runner("");
    std::vector<std::string> all;
    const auto nothing = [](const std::string&) -> std::optional<std::string> { return {}; };
    for (const Finding& each : check_up(
             folder / "",
             {.share = folder / "", .pages = {}, .guard = folder / "guard", .user = folder / ""},
             {runner, nothing, folder / ""})) {
      if (each.about.starts_with("package")) all.push_back(each.about + ": " + each.what);
    }
    return all;
  };
  EXPECT_EQ(told(), std::vector<std::string>());
  lock(Disk().tree_hash(root / "packages/reviews").value());
  EXPECT_EQ(told(), (std::vector<std::string>{
                        "package reviews: needs 'no-such-program', which is not on PATH",
                        "packages: reviews"}));
  lock("another");
  EXPECT_EQ(told().front(), "package reviews: the package 'reviews' is not what " +
                                (root / "agneto.lock").string() + " says it is");
}

}  // namespace
}  // namespace agneto::run
