// Work in a folder itself, where nothing can be undone.
#include <gmock/gmock.h>

#include "workspace/throwaway.h"

namespace agneto::workspace {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class Plain : public Throwaway {
 protected:
  // What is told of those who may only read, and whose work is `work`.
  template <typename Work>
  static std::vector<std::string> told_of(Workspace& place, const Work& work) {
    place.lend(false);
    work();
    return place.left_changed();
  }

  static std::string told(const std::string& files) {
    return "may only read, but while it was at work there were changes to " + files +
           "; nothing can be undone here, where the run has no worktree";
  }
};

TEST_F(Plain, ChangesOfThoseWhoMayOnlyReadAreTold) {
  const auto place = plain(repository);
  EXPECT_THAT(place->left_changed(), IsEmpty()) << "nobody was at work";
  EXPECT_THAT(told_of(*place, [] {}), IsEmpty());
  EXPECT_THAT(told_of(*place,
                      [&] {
                        write(repository / "new.txt", "new\n");
                        write(repository / "docs/guide.md", "# guide\n");
                        fs::remove(repository / "greet.sh");
                      }),
              ElementsAre(told("docs/guide.md, greet.sh, new.txt")));
  EXPECT_THAT(place->left_changed(), IsEmpty()) << "each change is told once";
}

TEST_F(Plain, AChangeThatHidesItsTimeAndSizeIsSeen) {
  const auto place = plain(repository);
  const fs::path file = repository / "greet.sh";
  EXPECT_THAT(told_of(*place,
                      [&] {
                        const auto time = fs::last_write_time(file);
                        write(file, "echo HELLO\n");
                        fs::last_write_time(file, time);
                      }),
              ElementsAre(told("greet.sh")));
  EXPECT_THAT(
      told_of(*place, [&] { fs::permissions(file, fs::perms::owner_exec, fs::perm_options::add); }),
      ElementsAre(told("greet.sh")));
}

TEST_F(Plain, WhatIsChangedBeforeItIsLentIsNobodys) {
  const auto place = plain(repository);
  EXPECT_THAT(told_of(*place, [] {}), IsEmpty());
  write(repository / "new.txt", "a person's\n");
  EXPECT_THAT(told_of(*place, [] {}), IsEmpty());
}

TEST_F(Plain, OfThoseWhoMayEditNothingIsLookedAt) {
  const auto place = plain(repository);
  place->lend(false);
  place->lend(true);
  write(repository / "new.txt", "new\n");
  EXPECT_THAT(place->left_changed(), IsEmpty());
}

// As in a worktree.
TEST_F(Plain, WhatGitIgnoresIsNotLookedAt) {
  const auto place = plain(repository);
  prepare_home(repository);
  EXPECT_THAT(told_of(*place,
                      [&] {
                        write(repository / "cache/a", "a");
                        write(repository / "a.o", "a");
                        write(repository / ".agneto/runs.db", "a");
                        git("commit --quiet --allow-empty -m Second");
                      }),
              IsEmpty());
}

TEST_F(Plain, AFolderWithoutARepositoryIsLookedAtAsItIs) {
  const fs::path folder = root / "loose";
  write(folder / "a.txt", "a");
  prepare_home(folder);
  const auto place = plain(folder);
  EXPECT_THAT(told_of(*place,
                      [&] {
                        write(folder / "deep/er/b.txt", "b");
                        write(folder / ".agneto/runs.db", "a");
                        write(folder / ".agneto/log/agneto.log", "a");
                        write(folder / ".agneto/workflows/own.yaml", "a");
                      }),
              ElementsAre(told(".agneto/workflows/own.yaml, deep/er/b.txt")));
}

TEST_F(Plain, OfAHugeFolderAPartIsLookedAtAndThatIsTold) {
  const fs::path folder = root / "huge";
  for (const char* name : {"a.txt", "b.txt", "in/c.txt", "in/d.txt"}) write(folder / name, "x");
  const auto place = plain(folder, 3);
  const std::string part =
      "may only read; whether it does is seen in 3 files here, and there are more";
  EXPECT_THAT(told_of(*place, [&] { write(folder / "a.txt", "changed"); }),
              ElementsAre(told("a.txt"), part));
  EXPECT_THAT(told_of(*place, [&] { write(folder / "e.txt", "new"); }), IsEmpty())
      << "what is not seen any more is no change";
}

TEST_F(Plain, WhatIsDoneToGitIsToldAndLeft) {
  const auto place = plain(repository);
  place->lend(false);
  EXPECT_THAT(place->put_right(), IsEmpty());
  const std::string first = git("rev-parse main").substr(0, 12);
  git("branch goes");
  git("update-ref refs/remotes/origin/main main");
  start("run1");
  place->lend(false);

  git("checkout --quiet -b feature");
  git("commit --quiet --allow-empty -m Second");
  git("branch --quiet -D goes");
  git("update-ref refs/heads/main HEAD");
  git("update-ref refs/remotes/origin/main HEAD");
  git("update-ref -d refs/agneto/run1/last");
  git("config core.pager tee");
  git("config user.name Eve");
  const fs::path common = repository / ".git";
  write(common / "hooks/post-checkout", "#!/bin/sh\n");
  write(common / "info/exclude", "*\n");
  const std::string second = git("rev-parse HEAD").substr(0, 12);
  EXPECT_THAT(
      place->put_right(),
      ElementsAre("was at work while core.pager, user.name changed in " +
                      (common / "config").string() + "; nobody has put that back",
                  "was at work while " + (common / "info/exclude").string() +
                      " changed; nobody has put that back",
                  "changed the hook " + (common / "hooks/post-checkout").string() +
                      ", which is left so: your own git would run it",
                  "was at work while HEAD moved from branch 'main' to branch 'feature', 'goes' was "
                  "deleted (it was " +
                      first + "), 'main' moved from " + first + " to " + second +
                      ", 'feature' was made, at " + second +
                      ", 'refs/agneto/run1/last' was deleted; nobody has put that back"));
  EXPECT_THAT(place->put_right(), IsEmpty()) << "each change is told once";
  EXPECT_EQ(git("symbolic-ref HEAD"), "refs/heads/feature");
  EXPECT_EQ(git("config core.pager"), "tee");

  place->lend(false);
  git("checkout --quiet --detach");
  EXPECT_THAT(place->put_right(),
              ElementsAre("was at work while HEAD moved from branch 'feature' to commit " + second +
                          "; nobody has put that back"));
}

TEST_F(Plain, ADamagedConfigurationOfGitIsToldAndLeft) {
  const auto place = plain(repository);
  place->lend(false);
  const fs::path config = repository / ".git/config";
  write(config, "[core\n");
  EXPECT_THAT(place->put_right(),
              ElementsAre("was at work while " + config.string() +
                          " changed, which git cannot read any more; nobody has put that back"));
  EXPECT_EQ(read(config), "[core\n");
  place->lend(false);
  fs::remove(config);
  EXPECT_THAT(place->put_right(), ElementsAre("was at work while " + config.string() +
                                              " was deleted; nobody has put that back"));
}

TEST_F(Plain, InALinkedWorktreeItsOwnHeadIsLookedAt) {
  const fs::path linked = root / "linked";
  git("worktree add --quiet " + linked.string());
  const auto place = plain(linked);
  place->lend(false);
  git("checkout --quiet --detach", repository);
  EXPECT_THAT(place->put_right(), IsEmpty());
  place->lend(false);
  git("checkout --quiet --detach", linked);
  EXPECT_THAT(place->put_right(),
              ElementsAre("was at work while HEAD moved from branch 'linked' to commit " +
                          git("rev-parse HEAD").substr(0, 12) + "; nobody has put that back"));
}

}  // namespace
}  // namespace agneto::workspace
