// Work in a folder itself, where nothing can be undone.
#include <gmock/gmock.h>

#include "throwaway.h"

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

}  // namespace
}  // namespace agneto::workspace
