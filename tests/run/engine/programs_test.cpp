// How a run's programs are tried, and where they run.
#include <filesystem>

#include "run/engine_fixture.h"

namespace agneto::run {
namespace {

using ::testing::ElementsAre;

class ProgramTest : public EngineTest {
 protected:
  ProgramTest() : real(folder.path()) { place = &real; }

  void load_program(const std::string& keys) {
    load(
        "agneto: 1\nname: flow\ncontext: {said: \"\"}\ninitial: TESTING\nstates:\n"
        "  TESTING:\n    run: {argv: [make, test]" +
        keys +
        "}\n    on:\n      ok: DONE\n      failed: {target: BROKEN, do: ctx.said = event.message}\n"
        "      error: {target: BROKEN, do: ctx.said = event.message}\n"
        "  DONE: {final: true}\n  BROKEN: {final: true, status: failed}\n"
        "outputs: {said: ctx.said}\n");
  }
  // It fails so many times, and then goes well.
  void fails(int times) {
    runner.doing = [this, times](const process::Spec& spec, std::stop_token) {
      folders.push_back(spec.cwd);
      ++real.tree;
      process::Exit exit;
      exit.status = static_cast<int>(folders.size()) <= times ? 2 : 0;
      runner.exits.push_back(exit);
    };
  }
  std::string said() const { return seen.events.back().data.at("outputs").at("said"); }
  std::vector<std::string> notes() const {
    std::vector<std::string> notes;
    for (const Heard& note : seen.of("note")) notes.push_back(note.data.at("text"));
    return notes;
  }

  agneto::testing::TemporaryFolder folder;
  FakeWorkspace real;
  std::vector<fs::path> folders;
};

TEST_F(ProgramTest, IsRunOnceUnlessItSaysSo) {
  load_program("");
  fails(1);
  EXPECT_EQ(start(), ExitStatus::failed);
  EXPECT_EQ(said(), "exit status 2");
  EXPECT_EQ(folders.size(), 1u);
}

TEST_F(ProgramTest, IsTriedAgainOnTheFilesAsTheyWere) {
  load_program(", retry: {tries: 3, backoff: 2s}");
  fails(2);
  EXPECT_EQ(start(), ExitStatus::complete);
  EXPECT_EQ(folders.size(), 3u);
  EXPECT_EQ(real.tree, 2) << "what the tries before did is undone";
  EXPECT_GE(clock.elapsed(), Millis(2000 + 4000));
  EXPECT_THAT(notes(), ElementsAre("try 1 of 3: exit status 2; again in 2s",
                                   "try 2 of 3: exit status 2; again in 4s"));
}

TEST_F(ProgramTest, SaysHowOftenItFailed) {
  load_program(", retry: {tries: 2}");
  fails(9);
  EXPECT_EQ(start(), ExitStatus::failed);
  EXPECT_EQ(said(), "failed 2 times; the last time: exit status 2");
}

TEST_F(ProgramTest, IsTriedAgainForWhatItsRetryNames) {
  load_program(", retry: {on: error.timeout}");
  fails(1);
  EXPECT_EQ(start(), ExitStatus::failed);
  EXPECT_EQ(folders.size(), 1u);
}

TEST_F(ProgramTest, RunsInAFolderOfTheWorktree) {
  fs::create_directories(folder.path() / "web");
  load_program(", cwd: web");
  fails(0);
  EXPECT_EQ(start(), ExitStatus::complete);
  EXPECT_THAT(folders, ElementsAre(folder.path() / "web"));
  EXPECT_EQ(seen.of("command.started").at(0).data.at("cwd"), "web");
}

TEST_F(ProgramTest, DoesNotRunElsewhere) {
  load_program(", cwd: web");
  EXPECT_EQ(start(), ExitStatus::failed);
  EXPECT_EQ(said(), "there is no folder 'web'");

  fs::create_directory_symlink("/", folder.path() / "away");
  load_program(", cwd: away");
  renew_journal();
  EXPECT_EQ(start(), ExitStatus::failed);
  EXPECT_EQ(said(), "a symbolic link in 'away' leads out of the worktree");
}

TEST_F(ProgramTest, ACwdThatIsComputedStaysInside) {
  load_program(", cwd: \"{{'..'}}\"");
  EXPECT_EQ(start(), ExitStatus::failed);
  EXPECT_EQ(said(), "/w/flow.yaml:7: 'cwd' must give a folder below the worktree, found \"..\"");
}

// Its program was ended because the lease was nearly over; a stop that comes with that changes
// nothing.
TEST_F(ProgramTest, WhatAProgramLeftWhoseRunIsLostStaysAsItIs) {
  load_program(", retry: {tries: 3, backoff: 2s}");
  for (const bool stopped : {false, true}) {
    std::size_t written = 0;
    renew_journal();
    clock.endless = hour;
    runner.doing = [&](const process::Spec&, const std::stop_token& stop) {
      ++real.tree;
      written = recorded().size();
      failing.lost = true;
      if (stopped) {
        engine->suspend("by a person");
        clock.sleep(hour, stop);
      }
      throw journal::OwnerLost("run r is left alone");
    };
    try {
      start();
      ADD_FAILURE() << "it went on";
    } catch (const journal::OwnerLost&) {
    }
    EXPECT_EQ(recorded().size(), written);
    EXPECT_EQ(real.restored, 0);
    EXPECT_EQ(real.given_back, 0);
    failing.lost = false;
  }
}

}  // namespace
}  // namespace agneto::run
