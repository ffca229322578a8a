// Two machines, which are two caches here, work on runs through a bare repository.
#include "workspace/hub/hub.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <functional>
#include <stop_token>
#include <string>

#include "base/clock.h"
#include "workspace/inspect.h"
#include "workspace/locks.h"
#include "workspace/throwaway.h"

namespace agneto::workspace {
namespace {

// Time passes only while somebody sleeps.
class PassingClock : public Clock {
 public:
  Time now() const override { return Time(elapsed_); }
  Millis elapsed() const override { return elapsed_; }
  bool sleep(Millis duration, std::stop_token) override {
    elapsed_ += duration;
    if (while_asleep) while_asleep();
    return !is_stopped;
  }
  bool is_stopped = false;
  std::function<void()> while_asleep;

 private:
  Millis elapsed_{0};
};

class HubTest : public Throwaway {
 protected:
  HubTest() {
    git("clone --quiet --bare " + repository.string() + " " + hub.string(), root);
    git("remote add hub " + hub.string());
  }

  Hub at(const std::string& machine) { return Hub(root / machine, hub.string(), clock); }

  // What a repository has of the run, but for whose turn it is.
  std::string refs_in(const fs::path& folder, const std::string& run = "run1") const {
    std::string found;
    for (const std::string& line :
         lines(git("for-each-ref --format=%(refname)=%(objectname)", folder))) {
      const bool is_its =
          line.find("refs/agneto/" + run) == 0 || line.find("refs/heads/agneto/" + run) == 0;
      if (is_its && line.find("/turn=") == std::string::npos) found += line + "\n";
    }
    return found;
  }
  static std::vector<std::string> lines(const std::string& text) {
    std::vector<std::string> found;
    for (std::string_view line : split_lines(text)) found.emplace_back(line);
    return found;
  }
  std::string turn(const std::string& run = "run1") const {
    return git("rev-parse refs/agneto/" + run + "/turn", hub);
  }

  // Somebody commits that file to a branch of the hub.
  void push(const std::string& branch, const std::string& file, const std::string& text) {
    const bool is_new = git("for-each-ref refs/heads/" + branch, hub).empty();
    git("fetch --quiet hub " + (is_new ? "main" : branch));
    git("checkout --quiet --detach FETCH_HEAD");
    write(repository / file, text);
    git("add -A");
    git("commit --quiet -m Other");
    git("push --quiet hub HEAD:refs/heads/" + branch);
    git("checkout --quiet main");
  }

  void hook(const std::string& name, const std::string& script) const {
    write(hub / "hooks" / name, "#!/bin/sh\n" + script);
    ::chmod((hub / "hooks" / name).c_str(), 0755);
  }
  // The git that pushes is killed when the hub has taken what it brought.
  void lose_answers() const {
    hook("post-receive",
         "pid=$PPID\n"
         "while [ $pid -gt 1 ]; do\n"
         "  case \" $(tr '\\0' ' ' < /proc/$pid/cmdline)\" in\n"
         "    *' push '*) rm hooks/post-receive; kill -9 $pid; exit;;\n"
         "  esac\n"
         "  pid=$(sed 's/.*) . //' /proc/$pid/stat | cut -d' ' -f1)\n"
         "done\n");
  }

  MergeRequest into_main(const std::string& effect = "MERGE#1") const {
    return {"", "Greet louder", true, effect};
  }

  fs::path hub = root / "hub.git";
  PassingClock clock;
};

TEST_F(HubTest, ARunBegunHereGoesOnThereWithWhatWasNotCommitted) {
  std::string checkpoint;
  {
    const auto files = at("a").create("run1", "");
    EXPECT_EQ(files->base(), "main");
    EXPECT_EQ(files->branch(), "agneto/run1");
    EXPECT_EQ(files->path(), at("a").clone() / ".agneto/worktrees/run1");
    write(files->path() / "greet.sh", "echo HELLO\n");
    write(files->path() / "new/file.txt", "new\n");
    EXPECT_EQ(files->commit("Greet louder", "COMMIT#1").message, "");
    write(files->path() / "greet.sh", "echo HELLO!\n");
    write(files->path() / "untracked.txt", "kept\n");
    fs::remove(files->path() / "docs/guide.md");
    checkpoint = files->checkpoint("CODE#1");
    EXPECT_EQ(refs_in(hub), refs_in(at("a").clone()));
  }
  const auto files = at("b").open("run1");
  EXPECT_EQ(files->base(), "main");
  EXPECT_FALSE(files->intact());
  files->restore(checkpoint);
  EXPECT_TRUE(files->intact());
  EXPECT_EQ(read(files->path() / "greet.sh"), "echo HELLO!\n");
  EXPECT_EQ(read(files->path() / "untracked.txt"), "kept\n");
  EXPECT_EQ(read(files->path() / "new/file.txt"), "new\n");
  EXPECT_FALSE(fs::exists(files->path() / "docs/guide.md"));
  EXPECT_EQ(files->checkpoint("CODE#1"), checkpoint);
  EXPECT_EQ(refs_in(at("b").clone()), refs_in(at("a").clone()));
  EXPECT_EQ(refs_in(hub), refs_in(at("b").clone()));
  EXPECT_FALSE(files->changed_since(checkpoint));
}

TEST_F(HubTest, NothingIsPushedWhereNothingMoved) {
  const auto files = at("a").create("run1", "main");
  files->checkpoint("A");
  const std::string before = turn();
  files->checkpoint("B");
  files->put_right();
  EXPECT_EQ(turn(), before);
  write(files->path() / "greet.sh", "echo 2\n");
  files->checkpoint("C");
  EXPECT_NE(turn(), before);
}

TEST_F(HubTest, WhoLostARunIsRefusedAndChangesNothing) {
  const auto frozen = at("a").create("run1", "main");
  const auto files = at("b").open("run1");
  files->restore("");
  write(files->path() / "greet.sh", "echo from b\n");
  files->checkpoint("B");
  const std::string in_hub = refs_in(hub), whose = turn();

  write(frozen->path() / "greet.sh", "echo from a\n");
  const std::string taken =
      "run run1 was taken by another machine | what was done to it here since is not in the hub";
  EXPECT_EQ(thrown([&] { frozen->checkpoint("A"); }), taken);
  EXPECT_THROW(frozen->commit("Late", "COMMIT#1"), HubTaken);
  EXPECT_THROW(frozen->merge(into_main()), HubTaken);
  EXPECT_EQ(refs_in(hub), in_hub);
  EXPECT_EQ(turn(), whose);
  write(files->path() / "greet.sh", "echo more from b\n");
  EXPECT_EQ(files->commit("Of b", "COMMIT#1").message, "");
  EXPECT_EQ(refs_in(hub), refs_in(at("b").clone()));
}

TEST_F(HubTest, ALostRunIsNotMergedEvenWhereNothingElseIsPushed) {
  const auto frozen = at("a").create("run1", "main");
  write(frozen->path() / "greet.sh", "echo from a\n");
  frozen->commit("Of a", "COMMIT#1");
  const auto files = at("b").open("run1");
  const std::string main = git("rev-parse main", hub);
  EXPECT_THROW(frozen->merge(into_main()), HubTaken);
  EXPECT_EQ(git("rev-parse main", hub), main);
}

TEST_F(HubTest, WhatIsLeftOfAKilledWorkerStaysOnItsMachine) {
  at("a").create("run1", "main");
  const fs::path tree = at("a").clone() / ".agneto/worktrees/run1";
  write(tree / "greet.sh", "echo not recorded\n");
  // It was killed before it could push.
  git("update-ref refs/agneto/run1/checkpoints/X@1 refs/heads/main", at("a").clone());

  const auto files = at("a").open("run1");
  EXPECT_TRUE(files->intact());
  EXPECT_EQ(read(files->path() / "greet.sh"), "echo not recorded\n");
  EXPECT_NE(refs_in(hub).find("refs/agneto/run1/checkpoints/X@1="), std::string::npos);
  EXPECT_EQ(refs_in(hub), refs_in(at("a").clone()));
}

TEST_F(HubTest, AnOlderWorktreeIsThrownAway) {
  at("a").create("run1", "main");
  write(at("a").clone() / ".agneto/worktrees/run1/old.txt", "old\n");
  git("update-ref refs/agneto/run1/checkpoints/X@1 refs/heads/main", at("a").clone());
  {
    const auto files = at("b").open("run1");
    files->restore("");
    write(files->path() / "new.txt", "new\n");
    files->commit("New", "COMMIT#1");
  }
  const auto files = at("a").open("run1");
  EXPECT_FALSE(files->intact());
  EXPECT_FALSE(fs::exists(files->path() / "old.txt"));
  EXPECT_EQ(read(files->path() / "new.txt"), "new\n");
  EXPECT_EQ(refs_in(at("a").clone()), refs_in(hub));
  EXPECT_EQ(refs_in(hub).find("X@1"), std::string::npos);
}

TEST_F(HubTest, APushWhoseAnswerIsLostWasDone) {
  const auto files = at("a").create("run1", "main");
  write(files->path() / "greet.sh", "echo 2\n");
  lose_answers();
  files->checkpoint("A");
  EXPECT_FALSE(fs::exists(hub / "hooks/post-receive"));
  EXPECT_EQ(refs_in(hub), refs_in(at("a").clone()));
  write(files->path() / "greet.sh", "echo 3\n");
  files->checkpoint("B");
  EXPECT_EQ(refs_in(hub), refs_in(at("a").clone()));
}

TEST_F(HubTest, AHubThatIsAwayIsTriedAgainAndThenSaid) {
  const auto files = at("a").create("run1", "main");
  write(files->path() / "greet.sh", "echo 2\n");
  const fs::path away = root / "away.git";
  fs::rename(hub, away);
  const Millis begun = clock.elapsed();
  try {
    files->checkpoint("A");
    FAIL() << "nothing thrown";
  } catch (const HubAway& error) {
    const std::string there = hub.string();
    EXPECT_EQ(std::string(error.what()),
              "cannot reach " + there + ": '" + there +
                  "' does not appear to be a git repository; Could not read from remote "
                  "repository.; Please make sure you have the correct access rights; and the "
                  "repository exists.");
    EXPECT_EQ(error.help(), "try it by hand: git ls-remote " + there);
    EXPECT_EQ(error.status(), ExitStatus::suspended);
  }
  EXPECT_GT(clock.elapsed() - begun, Millis(15'000));
  EXPECT_LT(clock.elapsed() - begun, Millis(31'000));

  // Who is to stop does not wait for it.
  const Millis asked = clock.elapsed();
  clock.is_stopped = true;
  EXPECT_THROW(files->checkpoint("A"), HubAway);
  EXPECT_EQ(clock.elapsed() - asked, Millis(500));
  clock.is_stopped = false;

  // It comes back while it is waited for.
  clock.while_asleep = [&] { fs::rename(away, hub), clock.while_asleep = nullptr; };
  files->checkpoint("A");
  EXPECT_EQ(refs_in(hub), refs_in(at("a").clone()));
}

TEST_F(HubTest, MergesThoughSomebodyElsePushesMeanwhile) {
  const auto files = at("a").create("run1", "");
  write(files->path() / "greet.sh", "echo HELLO\n");
  files->commit("Greet louder", "COMMIT#1");
  push("main", "before.txt", "before\n");
  // Somebody else is quicker, once.
  push("side", "docs/quicker.md", "quicker\n");
  hook("pre-receive",
       "while read old new ref; do\n"
       "  [ $ref = refs/heads/main ] || continue\n"
       "  rm hooks/pre-receive\n"
       "  env -u GIT_QUARANTINE_PATH git update-ref refs/heads/main refs/heads/side\n"
       "done\n");
  const Result merged = files->merge(into_main());
  EXPECT_EQ(merged.message, "merged agneto/run1 into 'main'");
  EXPECT_EQ(merged.commit, git("rev-parse main", hub));
  EXPECT_EQ(git("show main:greet.sh", hub), "echo HELLO");
  EXPECT_EQ(git("show main:before.txt", hub), "before");
  EXPECT_EQ(git("show main:docs/quicker.md", hub), "quicker");
  EXPECT_EQ(git("rev-parse main~1", hub), git("rev-parse side", hub));
  EXPECT_EQ(git("rev-parse main", at("a").clone()), merged.commit);
}

TEST_F(HubTest, ABranchThatKeepsMovingIsNotMergedInto) {
  const auto files = at("a").create("run1", "");
  write(files->path() / "greet.sh", "echo HELLO\n");
  files->commit("Greet louder", "COMMIT#1");
  hook("pre-receive",
       "unset GIT_QUARANTINE_PATH GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES\n"
       "while read old new ref; do\n"
       "  [ $ref = refs/heads/main ] || continue\n"
       "  next=$(git -c user.name=x -c user.email=x@y commit-tree -m x -p main main^{tree})\n"
       "  git update-ref refs/heads/main $next\n"
       "done\n");
  const Result merged = files->merge(into_main());
  EXPECT_EQ(merged.kind, Result::Kind::busy) << "it is tried again a moment later";
  EXPECT_EQ(merged.message, "branch 'main' of " + hub.string() + " keeps moving");
  EXPECT_EQ(git("log --format=%s -1 main", at("a").clone()), "x");
}

TEST_F(HubTest, AMergeIsFoundDoneFromAnotherMachineAndAfterALostAnswer) {
  std::string commit;
  {
    const auto files = at("a").create("run1", "");
    write(files->path() / "greet.sh", "echo HELLO\n");
    files->commit("Greet louder", "COMMIT#1");
    lose_answers();
    const Result merged = files->merge(into_main());
    EXPECT_EQ(merged.message, "merged agneto/run1 into 'main'");
    EXPECT_FALSE(fs::exists(hub / "hooks/post-receive"));
    commit = merged.commit;
    EXPECT_EQ(commit, git("rev-parse main", hub));
  }
  for (const char* machine : {"a", "b"}) {
    const Result again = at(machine).open("run1")->merge(into_main());
    EXPECT_EQ(again.message, "merged already") << machine;
    EXPECT_EQ(again.commit, commit);
  }
  EXPECT_EQ(git("rev-parse main", hub), commit);
}

TEST_F(HubTest, AMergeThatNeverReachedTheHubIsMadeAgain) {
  const auto files = at("a").create("run1", "");
  write(files->path() / "greet.sh", "echo HELLO\n");
  files->commit("Greet louder", "COMMIT#1");
  const std::string began = git("rev-parse main", hub);
  // So a merge is left here by one that was killed before it pushed.
  workspace::open({at("a").clone(), files->path(), "run1", ""})->merge(into_main());
  EXPECT_NE(git("rev-parse main", at("a").clone()), began);
  push("main", "before.txt", "before\n");
  EXPECT_EQ(files->merge(into_main()).message, "merged agneto/run1 into 'main'");
  EXPECT_EQ(git("rev-parse main~2", hub), began);
  EXPECT_EQ(git("show main:before.txt", hub), "before");
  EXPECT_EQ(git("show main:greet.sh", hub), "echo HELLO");
}

TEST_F(HubTest, AProtectedBranchIsSaidInTheHubsWords) {
  const auto files = at("a").create("run1", "");
  write(files->path() / "greet.sh", "echo HELLO\n");
  files->commit("Greet louder", "COMMIT#1");
  hook("update", "[ $1 != refs/heads/main ] || { echo 'main is protected'; exit 1; }\n");
  const std::string main = git("rev-parse main", hub);
  const Result merged = files->merge(into_main());
  EXPECT_EQ(merged.kind, Result::Kind::failed);
  EXPECT_EQ(merged.message, hub.string() +
                                " does not let its branch 'main' be moved: main is protected; "
                                "hook declined to update refs/heads/main; the work stays "
                                "on agneto/run1");
  EXPECT_EQ(git("rev-parse main", at("a").clone()), main);
  write(files->path() / "greet.sh", "echo AGAIN\n");
  files->checkpoint("A");
  EXPECT_EQ(refs_in(hub), refs_in(at("a").clone()));
}

TEST_F(HubTest, AConflictIsOneAndPushesNothing) {
  const auto files = at("a").create("run1", "");
  write(files->path() / "greet.sh", "echo HELLO\n");
  files->commit("Greet louder", "COMMIT#1");
  push("main", "greet.sh", "echo other\n");
  const std::string main = git("rev-parse main", hub);
  EXPECT_EQ(files->merge(into_main()).kind, Result::Kind::conflict);
  EXPECT_EQ(git("rev-parse main", hub), main);
}

TEST_F(HubTest, ForksTravelAndAreRemoved) {
  const auto begun = at("a").create("run1", "main");
  write(begun->path() / "greet.sh", "echo before\n");
  std::string inner;
  {
    const auto fork = begun->fork("PANEL#1[1]");
    write(fork->path() / "one.txt", "one\n");
    inner = fork->checkpoint("CODE#1");
  }
  EXPECT_NE(refs_in(hub).find("refs/heads/agneto/run1.PANEL.1.1="), std::string::npos);
  EXPECT_EQ(refs_in(hub), refs_in(at("a").clone()));

  const auto files = at("b").open("run1");
  files->restore("");
  const auto fork = files->fork("PANEL#1[1]");
  EXPECT_FALSE(fork->intact());
  fork->restore(inner);
  EXPECT_EQ(read(fork->path() / "one.txt"), "one\n");
  EXPECT_EQ(read(fork->path() / "greet.sh"), "echo before\n");
  const Joined joined = files->join({{"PANEL#1[1]"}, {"PANEL#1[1]"}, {}, "PANEL#1"});
  EXPECT_TRUE(joined.conflicts.empty());
  EXPECT_EQ(read(files->path() / "one.txt"), "one\n");
  EXPECT_EQ(refs_in(hub).find("run1.PANEL"), std::string::npos);
  EXPECT_EQ(refs_in(hub), refs_in(at("b").clone()));

  write(begun->path() / "late.txt", "late\n");
  EXPECT_THROW(begun->checkpoint("LATE"), HubTaken);
}

TEST_F(HubTest, RewindingIsSeenEverywhere) {
  std::string checkpoint;
  {
    const auto files = at("a").create("run1", "main");
    write(files->path() / "greet.sh", "echo 1\n");
    checkpoint = files->checkpoint("A");
    write(files->path() / "greet.sh", "echo 2\n");
    files->commit("Two", "COMMIT#1");
  }
  const auto files = at("b").open("run1");
  files->restore("");
  EXPECT_EQ(files->rewind(checkpoint), std::vector<std::string>{"refs/agneto/run1/rescued-1"});
  EXPECT_EQ(read(files->path() / "greet.sh"), "echo 1\n");
  EXPECT_EQ(git("rev-parse agneto/run1", hub), git("rev-parse main", hub));
  EXPECT_EQ(refs_in(hub), refs_in(at("b").clone()));
}

TEST_F(HubTest, ACopyKnowsTheCheckpointsOfTheOther) {
  std::string checkpoint;
  {
    const auto files = at("a").create("run1", "main");
    write(files->path() / "greet.sh", "echo 1\n");
    checkpoint = files->checkpoint("A");
  }
  const auto files = at("b").copy("run1", "run2");
  files->restore(checkpoint);
  EXPECT_EQ(read(files->path() / "greet.sh"), "echo 1\n");
  EXPECT_EQ(refs_in(hub, "run2"), refs_in(at("b").clone(), "run2"));
  EXPECT_NE(refs_in(hub, "run2").find("refs/agneto/run2/checkpoints/A@"), std::string::npos);
  EXPECT_EQ(thrown([&] { at("a").copy("run1", "run2"); }),
            hub.string() + ": this hub has a run 'run2' already");
}

TEST_F(HubTest, RemovingLeavesNothing) {
  const std::string before = git("for-each-ref", hub);
  {
    const auto files = at("a").create("run1", "main");
    write(files->path() / "greet.sh", "echo 1\n");
    files->commit("One", "COMMIT#1");
    files->fork("PANEL#1[1]")->checkpoint("X");
  }
  const auto other = at("b").open("run1");
  at("a").remove("run1");
  EXPECT_EQ(git("for-each-ref", hub), before);
  EXPECT_EQ(refs_in(at("a").clone()), "");
  EXPECT_TRUE(fs::is_empty(at("a").clone() / ".agneto/worktrees"));
  EXPECT_TRUE(fs::is_empty(at("a").clone() / ".git/agneto-hub"));
  write(other->path() / "greet.sh", "echo late\n");
  EXPECT_EQ(thrown([&] { other->checkpoint("LATE"); }),
            "run run1 was removed from " + hub.string() +
                " | what was done to it here since is not in the hub");
  EXPECT_EQ(git("for-each-ref", hub), before);
  at("a").remove("run1");  // done again, it ends the same
  EXPECT_EQ(thrown([&] { at("a").open("run1"); }),
            hub.string() +
                ": this repository knows no run 'run1' | its branch and refs were removed, as by "
                "'agneto clean --force'; start a new run, and end this one: agneto abort run1");
  EXPECT_EQ(refs_in(at("a").clone()), "");
}

TEST_F(HubTest, WhatAMachineForgetsIsInTheHub) {
  Hub machine = at("a");
  std::string checkpoint;
  {
    const auto files = machine.create("run1", "main");
    write(files->path() / "new.txt", "new\n");
    checkpoint = files->checkpoint("CODE#1");
    files->fork("PANEL#1[1]");
    machine.forget("run1");
    EXPECT_TRUE(fs::exists(files->path() / "new.txt")) << "somebody has it open";
  }
  const std::string before = git("for-each-ref", hub);
  machine.forget("run1");
  EXPECT_EQ(refs_in(machine.clone()), "");
  EXPECT_TRUE(fs::is_empty(machine.clone() / ".agneto/worktrees"));
  EXPECT_TRUE(fs::is_empty(machine.clone() / ".git/agneto-hub"));
  EXPECT_EQ(git("for-each-ref", hub), before);
  machine.forget("run1");
  machine.pack();
  const auto files = machine.open("run1");
  files->restore(checkpoint);
  EXPECT_EQ(read(files->path() / "new.txt"), "new\n");
}

TEST_F(HubTest, LookingBringsWhatTheHubHasAndDisturbsNobody) {
  const auto files = at("a").create("run1", "main");
  write(files->path() / "greet.sh", "echo 1\n");
  files->checkpoint("A");
  const std::string before = refs_in(at("a").clone()), whose = turn();

  // On another machine, again and again.
  at("b").look("run1");
  EXPECT_EQ(refs_in(at("b").clone()), before);
  write(files->path() / "greet.sh", "echo 2\n");
  files->commit("Two", "COMMIT#1");
  at("b").look("run1");
  EXPECT_EQ(refs_in(at("b").clone()), refs_in(at("a").clone()));
  const fs::path none = at("b").clone() / ".agneto/worktrees/run1";
  EXPECT_NE(diff_of({at("b").clone(), none, "run1"}, false).find("+echo 2"), std::string::npos);
  EXPECT_FALSE(fs::exists(none));

  // On the worker's own, where the clone has what the hub has not.
  git("update-ref refs/agneto/run1/checkpoints/X@1 refs/heads/main", at("a").clone());
  const std::string ahead = refs_in(at("a").clone());
  at("a").look("run1");
  EXPECT_EQ(refs_in(at("a").clone()), ahead);
  write(files->path() / "greet.sh", "echo 3\n");
  files->checkpoint("B");
  EXPECT_EQ(refs_in(hub), refs_in(at("a").clone()));
  EXPECT_EQ(thrown([&] { at("b").look("run9"); }),
            hub.string() +
                ": this repository knows no run 'run9' | its branch and refs were removed, as by "
                "'agneto clean --force'; start a new run, and end this one: agneto abort run9");
}

TEST_F(HubTest, ALookAfterAKilledWorkerKeepsWhatItLeft) {
  at("a").create("run1", "main");
  git("update-ref refs/agneto/run1/checkpoints/X@1 refs/heads/main", at("a").clone());
  write(at("a").clone() / ".agneto/worktrees/run1/left.txt", "left\n");
  at("a").look("run1");
  EXPECT_NE(refs_in(at("a").clone()).find("X@1"), std::string::npos);
  EXPECT_TRUE(at("a").open("run1")->intact());
  EXPECT_TRUE(fs::exists(at("a").clone() / ".agneto/worktrees/run1/left.txt"));
}

TEST_F(HubTest, ARunIsOpenOnceOnAMachine) {
  const auto files = at("a").create("run1", "main");
  EXPECT_EQ(thrown([&] { at("a").open("run1"); }),
            "run run1 is open in another process of this machine | wait until that has ended");
  at("a").create("run2", "main");  // another one is not disturbed
  write(files->path() / "greet.sh", "echo 1\n");
  files->checkpoint("A");
}

TEST_F(HubTest, WhatSomebodyPutsOnTheRunsBranchIsKept) {
  auto files = at("a").create("run1", "main");
  push("agneto/run1", "by-hand.txt", "by hand\n");
  const std::string by_hand = git("rev-parse agneto/run1", hub);
  write(files->path() / "greet.sh", "echo 1\n");
  EXPECT_EQ(thrown([&] { files->commit("One", "COMMIT#1"); }),
            hub.string() +
                ": somebody else has moved refs of run run1: refs/heads/agneto/run1 [rejected] "
                "(stale info) | when the run goes on, what they have put there on its branch is "
                "kept under refs/agneto/run1/rescued-N");
  EXPECT_EQ(git("rev-parse agneto/run1", hub), by_hand);
  files.reset();
  files = at("a").open("run1");
  EXPECT_EQ(git("rev-parse refs/agneto/run1/rescued-1", hub), by_hand);
  EXPECT_EQ(git("log --format=%s -1 agneto/run1", hub), "One");
  EXPECT_EQ(refs_in(hub), refs_in(at("a").clone()));
}

TEST_F(HubTest, TheCloneFollowsTheHub) {
  Hub machine = at("a");
  machine.bring_up();
  const fs::path clone = machine.clone();
  EXPECT_EQ(clone.parent_path(), root / "a");
  EXPECT_EQ(clone.filename().string().substr(0, 4), "hub-");
  EXPECT_EQ(git("rev-parse HEAD", clone), git("rev-parse main"));
  EXPECT_EQ(git("rev-parse --abbrev-ref HEAD", clone), "HEAD");
  write(clone / ".agneto/worktrees/note", "stays\n");
  git("update-ref refs/heads/agneto/other main", clone);
  git("update-ref refs/heads/mine main", clone);
  push("main", ".agneto/config.yaml", "team: yes\n");
  machine.bring_up();
  EXPECT_EQ(read(clone / ".agneto/config.yaml"), "team: yes\n");
  EXPECT_EQ(read(clone / ".agneto/worktrees/note"), "stays\n");
  EXPECT_EQ(git("for-each-ref --format=%(refname) refs/heads", clone),
            "refs/heads/agneto/other\nrefs/heads/main");
  EXPECT_EQ(git("status --porcelain", clone), "");

  // What a killed git has left is no obstacle.
  write(clone / ".git/index.lock", "");
  push("main", "more.txt", "more\n");
  machine.bring_up();
  EXPECT_EQ(read(clone / "more.txt"), "more\n");
}

TEST_F(HubTest, ACloneThatWasCutOffIsMadeAgain) {
  write(at("a").clone().string() + ".new/half", "half");
  at("a").bring_up();
  EXPECT_FALSE(fs::exists(at("a").clone().string() + ".new"));
  EXPECT_EQ(read(at("a").clone() / "greet.sh"), "echo hello\n");
}

TEST_F(HubTest, ABranchThatAnAgentHasCheckedOutDoesNotStopTheOthers) {
  const auto files = at("a").create("run1", "main");
  git("checkout --quiet main", files->path());
  push("main", "more.txt", "more\n");
  at("a").bring_up();
  EXPECT_EQ(git("rev-parse main", at("a").clone()), git("rev-parse main", hub));
}

TEST_F(HubTest, OfBranchesThatMovedMeanwhileOnlyThoseAreToldThatWereNotBroughtFromTheHub) {
  push("side", "side.txt", "side\n");
  push("old", "old.txt", "old\n");
  const auto files = at("a").create("run1", "main");
  files->lend(true);
  push("main", "more.txt", "more\n");
  push("topic", "topic.txt", "topic\n");
  git("branch -D old", hub);
  at("a").bring_up();
  EXPECT_EQ(files->put_right(), std::vector<std::string>());
  files->lend(true);
  const std::string side = git("rev-parse side", hub).substr(0, 12);
  const std::string main = git("rev-parse main", hub).substr(0, 12);
  git("update-ref refs/heads/side main", files->path());
  EXPECT_EQ(files->put_right(),
            std::vector<std::string>{"was at work while 'side' moved from " + side + " to " + main +
                                     "; nobody has put that back"});
  files->give_back();
}

TEST_F(HubTest, ADefaultBranchThatWasNeverPushedIsTheOnlyOneThereIs) {
  git("symbolic-ref HEAD refs/heads/master", hub);
  EXPECT_EQ(at("a").create("run1", "")->base(), "main");
  git("branch side main", hub);
  EXPECT_EQ(thrown([&] { at("a").create("run2", ""); }),
            hub.string() +
                ": this hub has no default branch | name the branch to start from, or set it "
                "there: git symbolic-ref HEAD refs/heads/main");
}

TEST_F(HubTest, WhoFetchesIsWaitedFor) {
  Hub machine = at("a");
  machine.bring_up();
  push("main", "more.txt", "more\n");
  process::Fd other = try_lock(machine.clone().string() + ".lock");
  clock.while_asleep = [&] { other.reset(); };
  machine.bring_up();
  EXPECT_EQ(read(machine.clone() / "more.txt"), "more\n");

  other = try_lock(machine.clone().string() + ".lock");
  clock.while_asleep = nullptr;
  EXPECT_EQ(thrown([&] { machine.bring_up(); }),
            machine.clone().string() +
                ": another process is fetching into this clone | wait until it has ended");
}

TEST_F(HubTest, AnAddressMayBeAUrl) {
  // It goes nowhere, and does what is to be done there.
  write(root / "ssh", "#!/bin/sh\nfor last; do :; done\nexec sh -c \"$last\"\n");
  ::chmod((root / "ssh").c_str(), 0755);
  setenv("GIT_SSH_COMMAND", (root / "ssh").c_str(), 1);
  for (const std::string& address :
       {"file://" + hub.string(), "ssh://git@example.org" + hub.string(),
        "example.org:" + hub.string()}) {
    Hub machine(root / "a", address, clock);
    const std::string run = "run" + std::to_string(address.size());
    const auto files = machine.create(run, "");
    write(files->path() / "greet.sh", "echo 1\n");
    files->checkpoint("A");
    EXPECT_EQ(refs_in(hub, run), refs_in(machine.clone(), run)) << address;
    EXPECT_NE(refs_in(hub, run), "") << address;
  }
  unsetenv("GIT_SSH_COMMAND");
}

TEST_F(HubTest, WhatGitFindsWrongInObjectsIsRefused) {
  at("a").bring_up();
  const std::string tree = git("rev-parse main^{tree}", hub);
  write(root / "commit", "tree " + tree + "\n\nNobody made it.\n");
  const std::string bad =
      git("hash-object --literally -t commit -w " + (root / "commit").string(), hub);
  git("update-ref refs/heads/bad " + bad, hub);
  EXPECT_EQ(thrown([&] { at("a").bring_up(); }),
            hub.string() + ": git does not take what this hub has: object " + bad +
                ": missingAuthor: invalid format - expected 'author' line; fsck error in packed "
                "object; index-pack failed | to find it, in a clone: git fsck");
}

TEST_F(HubTest, AnEmptyHubSaysSo) {
  const fs::path empty = root / "empty.git";
  git("init --quiet --bare " + empty.string(), root);
  Hub machine(root / "a", empty.string(), clock);
  EXPECT_EQ(
      thrown([&] { machine.create("run1", ""); }),
      empty.string() + ": this hub has no branch yet | push one there first: git push HUB main");
  EXPECT_FALSE(fs::exists(machine.clone()));
}

TEST_F(HubTest, WhatIsNoAddressIsSaid) {
  const auto problem = [&](const std::string& address) {
    return thrown([&] { Hub(root / "a", address, clock); });
  };
  const std::string form =
      " is no address of a git repository | a hub is a path, or an address such as "
      "ssh://HOST/PATH, HOST:PATH or https://HOST/PATH";
  EXPECT_EQ(problem(""), "''" + form);
  EXPECT_EQ(problem("--upload-pack=sh"), "'--upload-pack=sh'" + form);
  EXPECT_EQ(problem("ext::sh -c x"), "'ext::sh -c x'" + form);
  EXPECT_EQ(problem("a\nb"), "'a\nb'" + form);
  EXPECT_EQ(problem("https://ada:secret@example.org/kit"),
            "the address of the hub has a password in it, which others could read | leave it out, "
            "and give it to git: git help credentials");
  EXPECT_EQ(problem("git@example.org:team/kit.git"), "nothing thrown");
  EXPECT_EQ(thrown([&] { at("a").create("../x", ""); }), "'../x' is no name of a run");
  EXPECT_EQ(thrown([&] { at("a").look("run*"); }), "'run*' is no name of a run");

  // Two hubs of one name have a clone each.
  const auto clone_of = [&](const std::string& address) {
    return Hub(root / "a", address, clock).clone();
  };
  EXPECT_NE(clone_of("one/kit.git"), clone_of("two/kit.git"));
  EXPECT_EQ(clone_of(hub.string()), clone_of(hub.string() + "/"));
  EXPECT_EQ(clone_of("h:kit.git").filename().string().substr(0, 4), "kit-");
}

TEST_F(HubTest, SubmodulesAndLargeFilesDoNotTravel) {
  push("main", "greet.sh", "echo ok\n");
  push("modules", ".gitmodules", "[submodule \"kit\"]\n\tpath = lib/kit\n\turl = ../kit\n");
  EXPECT_EQ(thrown([&] { at("a").create("run1", "modules"); }),
            hub.string() +
                ": it has submodules (lib/kit), whose files do not travel through a hub | work on "
                "this repository on one machine, or put these files into it");
  push("large", "art/.gitattributes", "*.png filter=lfs\n");
  EXPECT_EQ(thrown([&] { at("a").create("run1", "large"); }),
            hub.string() +
                ": it has files in git LFS (art/.gitattributes), which do not travel through a hub "
                "| work on this repository on one machine");
  EXPECT_EQ(refs_in(hub), "");
  EXPECT_EQ(thrown([&] { at("a").create("run1", "mian"); }),
            "there is no branch, tag or commit 'mian' to start from | did you mean 'main'?");
}

TEST_F(HubTest, FilesWhereRunsWorkAreRefused) {
  at("a").bring_up();
  push("main", ".agneto/worktrees/run1/x", "x\n");
  EXPECT_EQ(thrown([&] { at("a").bring_up(); }),
            hub.string() +
                ": '.agneto/worktrees' is committed there, where runs work | take it out of the "
                "repository: git rm -r --cached .agneto/worktrees");
}

}  // namespace
}  // namespace agneto::workspace
