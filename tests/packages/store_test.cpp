#include "packages/store.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdlib>
#include <functional>

#include "base/error.h"
#include "base/files.h"
#include "process/git.h"

namespace agneto::packages {
namespace {

fs::path new_folder() {
  setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
  setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
  std::string name = fs::canonical(fs::temp_directory_path()) / "agneto-packages-XXXXXX";
  return mkdtemp(name.data());
}

// A repository with a package in `reviews`, and a folder of workflows that takes it.
class PackageStore : public ::testing::Test {
 protected:
  PackageStore() {
    fs::create_directories(kit);
    fs::create_directories(root);
    git({"init", "--quiet", "--initial-branch=main"});
    write("reviews/package.yaml", "agneto: 1\ndescription: Reviews\n");
    write("reviews/flow.yaml", "one\n");
    commit("v1");
  }
  ~PackageStore() override {
    std::error_code none;
    fs::remove_all(top, none);
  }

  std::string git(const process::Arguments& arguments) const {
    return process::Git(kit)
        .setting("user.name=Ada")
        .setting("user.email=ada@example.org")
        .text(arguments);
  }
  void write(const fs::path& path, const std::string& text) const {
    fs::create_directories((kit / path).parent_path());
    write_file(kit / path, text);
  }
  std::string commit(const std::string& tag) const {
    git({"add", "-A"});
    git({"commit", "--quiet", "-m", "Change"});
    git({"tag", tag});
    return git({"rev-parse", "HEAD"});
  }
  model::Package add(const std::string& rev = "v1", const std::string& name = "") {
    return store.add({"../kit", "reviews", rev}, name, top / "project");
  }
  std::string here(const fs::path& path) const { return Disk().read(root / path).value_or("none"); }
  // Without the folder of this test.
  std::string error(const std::function<void()>& act) const {
    try {
      act();
    } catch (const Error& problem) {
      std::string text = std::string(problem.what()) + "\n" + problem.help();
      for (auto at = text.find(top.string()); at != std::string::npos;
           at = text.find(top.string())) {
        text.replace(at, top.string().size(), "TOP");
      }
      return text;
    }
    return "no error";
  }

  const fs::path top = new_folder();
  const fs::path kit = top / "kit";
  const fs::path root = top / "project/.agneto";
  Store store{root};
};

TEST_F(PackageStore, WhatIsAddedIsThereAndLocked) {
  write("reviews/tool.sh", "#!/bin/sh\n");
  fs::permissions(kit / "reviews/tool.sh", fs::perms::owner_exec, fs::perm_options::add);
  write("other.yaml", "not of the package\n");
  const std::string head = commit("v1.1");
  const model::Package package = add("v1.1");
  EXPECT_EQ(package.name, "reviews");
  EXPECT_EQ(package.url, "../../kit");
  EXPECT_EQ(package.commit, head);
  EXPECT_EQ(here("packages/reviews/flow.yaml"), "one\n");
  EXPECT_FALSE(fs::exists(root / "packages/reviews/other.yaml"));
  EXPECT_NE(fs::status(root / "packages/reviews/tool.sh").permissions() & fs::perms::owner_exec,
            fs::perms::none);
  EXPECT_EQ(here("agneto.lock"),
            "# The packages beside this file; 'agneto add', 'update' and 'remove' change it.\n"
            "agneto: 1\n"
            "packages:\n"
            "  reviews:\n"
            "    url: '../../kit'\n"
            "    folder: reviews\n"
            "    rev: v1.1\n"
            "    commit: " +
                head + "\n    tree: " + package.tree + "\n");
  EXPECT_EQ(store.state_of(store.packages().at(0)), Store::State::good);
}

TEST_F(PackageStore, BranchesAndCommitsAreRevisionsToo) {
  const std::string first = git({"rev-parse", "HEAD"});
  write("reviews/flow.yaml", "two\n");
  const std::string second = commit("v2");
  EXPECT_EQ(add("main", "newest").commit, second);
  EXPECT_EQ(add(first, "first").commit, first);
  EXPECT_EQ(add(first.substr(0, 8), "short").commit, first);
  EXPECT_EQ(here("packages/first/flow.yaml"), "one\n");
  EXPECT_EQ(here("packages/newest/flow.yaml"), "two\n");
}

TEST_F(PackageStore, WhatCannotBeAddedChangesNothing) {
  EXPECT_EQ(error([&] { add("v3"); }),
            "../../kit has no branch, tag or commit 'v3'\ndid you mean 'v1'?");
  EXPECT_EQ(error([&] {
              store.add({"../kit", "", "v1"}, "", top / "project");
            }),
            "../../kit@v1 is no package: it has no package.yaml\n"
            "who keeps it adds one: agneto: 1, and a description; or name the folder that is the "
            "package: URL//FOLDER@REV");
  write("reviews/package.yaml", "agneto: 1\n");
  commit("plain");
  EXPECT_EQ(error([&] { add("plain"); }),
            "../../kit//reviews@plain: package.yaml:1: package.yaml needs the key 'description'\n"
            "who keeps that package mends it: 'agneto: 1' and a 'description'");
  write("reviews/package.yaml", "agneto: 2\nwants: more\n");
  commit("newer");
  EXPECT_EQ(error([&] { add("newer"); }),
            "../../kit//reviews@newer: package.yaml:1: this file is in version 2 of the language, "
            "and this program knows version 1\ninstall a newer agneto");
  fs::create_symlink("/etc/passwd", kit / "reviews/users.md");
  const std::string linked = commit("linked");
  EXPECT_EQ(error([&] { add("linked"); }),
            "../../kit//reviews@" + linked.substr(0, 12) +
                ": 'users.md' is a symbolic link, and a package has files alone\n"
                "who keeps that package takes it out, or puts the file itself there");
  EXPECT_FALSE(fs::exists(root / "agneto.lock"));
  EXPECT_FALSE(fs::exists(root / "packages/reviews"));
  add();
  EXPECT_EQ(error([&] { add(); }),
            "there is a package 'reviews' already\n"
            "to have another revision: agneto update reviews@REV; to have both, give this one "
            "another name: agneto add URL@REV NAME");
}

TEST_F(PackageStore, ARepositoryThatIsNotThereIsSaid) {
  EXPECT_THAT(error([&] {
                store.add({"../kid", "", "v1"}, "", root.parent_path());
              }),
              ::testing::StartsWith("cannot fetch ../../kid: "));
}

TEST_F(PackageStore, AFolderInARepositoryIsDividedFromIt) {
  const auto said = [&](const std::string& url, const fs::path& from) {
    return error([&] { store.add({url, "", "v1"}, "", from); });
  };
  const std::string help = "write // between repository and folder: agneto add ";
  const fs::path project = top / "project";
  EXPECT_EQ(
      said("../kit/reviews", project),
      "'../kit/reviews' is in a git repository, and none itself\n" + help + "../kit//reviews@v1");
  EXPECT_EQ(said("../kit/parts/one/", project),
            "'../kit/parts/one/' is in a git repository, and none itself\n" + help +
                "../kit//parts/one@v1");
  EXPECT_EQ(
      said(kit / "reviews", project),
      "'TOP/kit/reviews' is in a git repository, and none itself\n" + help + "TOP/kit//reviews@v1");
  EXPECT_EQ(said("reviews", kit),
            "'reviews' is in a git repository, and none itself\n" + help + ".//reviews@v1");
  git({"clone", "--quiet", "--bare", kit, top / "bare.git"});
  EXPECT_EQ(said("../bare.git/reviews", project),
            "'../bare.git/reviews' is in a git repository, and none itself\n" + help +
                "../bare.git//reviews@v1");
  EXPECT_THAT(said("file://" + (top / "bare.git/reviews").string(), project),
              ::testing::EndsWith("\ntry it by hand: git ls-remote file://TOP/bare.git/reviews; a "
                                  "folder in a repository stands behind //: "
                                  "file://TOP/bare.git//reviews@v1"));
  EXPECT_EQ(store.add({"../bare", "reviews", "v1"}, "", project).name, "reviews");
}

TEST_F(PackageStore, WhatWasChangedHereIsKept) {
  add();
  write_file(root / "packages/reviews/flow.yaml", "mine\n");
  EXPECT_EQ(store.state_of(store.packages().at(0)), Store::State::changed);
  const std::string refused =
      "the package 'reviews' is not what agneto.lock says it is, and what was changed would be "
      "lost\nto see it: git status --short TOP/project/.agneto/packages/reviews, or where it was "
      "committed git log -p TOP/project/.agneto/packages/reviews; else remove that folder first, "
      "or "
      "move it away";
  EXPECT_EQ(error([&] { store.update("reviews", "main"); }), refused);
  EXPECT_EQ(error([&] { store.remove("reviews"); }), refused);
  EXPECT_EQ(error([&] { store.vendor(store.packages().at(0)); }), refused);
  EXPECT_EQ(here("packages/reviews/flow.yaml"), "mine\n");
}

TEST_F(PackageStore, ABranchIsFollowed) {
  add("main");
  EXPECT_EQ(store.update("reviews", "").now.commit, git({"rev-parse", "HEAD"}));
  write("reviews/flow.yaml", "two\n");
  const std::string second = commit("v2");
  const auto [before, now] = store.update("reviews", "");
  EXPECT_EQ(now.commit, second);
  EXPECT_NE(before.commit, second);
  EXPECT_EQ(here("packages/reviews/flow.yaml"), "two\n");
  EXPECT_EQ(store.update("reviews", "v1").now.rev, "v1");
  EXPECT_EQ(here("packages/reviews/flow.yaml"), "one\n");
}

TEST_F(PackageStore, AMovedTagAndARewrittenHistoryAreRefused) {
  const std::string first = git({"rev-parse", "HEAD"});
  add("v1", "by_tag");
  add("main", "by_branch");
  write("reviews/flow.yaml", "two\n");
  git({"add", "-A"});
  git({"commit", "--quiet", "--amend", "-m", "Other"});
  git({"tag", "--force", "v1"});
  const std::string second = git({"rev-parse", "HEAD"});
  EXPECT_EQ(error([&] { store.update("by_tag", ""); }),
            "the tag 'v1' of ../../kit was " + first.substr(0, 12) + " and is " +
                second.substr(0, 12) +
                " now: somebody has moved it\nif that is right: agneto update by_tag@v1");
  EXPECT_EQ(error([&] { store.update("by_branch", ""); }),
            first.substr(0, 12) +
                " is not in the history of 'main' of ../../kit any more: it was rewritten\n"
                "if that is right: agneto update by_branch@main");
  EXPECT_EQ(here("packages/by_tag/flow.yaml"), "one\n");
  EXPECT_EQ(store.update("by_tag", "v1").now.commit, second);
}

TEST_F(PackageStore, WhatIsNotHereIsBroughtAtItsCommit) {
  add();
  write("reviews/flow.yaml", "two\n");
  commit("v2");
  fs::remove_all(root / "packages");
  EXPECT_EQ(store.state_of(store.packages().at(0)), Store::State::gone);
  EXPECT_TRUE(store.vendor(store.packages().at(0)));
  EXPECT_EQ(here("packages/reviews/flow.yaml"), "one\n");
  EXPECT_FALSE(store.vendor(store.packages().at(0)));
}

TEST_F(PackageStore, ACommitThatIsGoneIsSaid) {
  const std::string lost = add().commit;
  fs::remove_all(root / "packages");
  fs::remove_all(kit);
  fs::create_directories(kit);
  git({"init", "--quiet", "--initial-branch=main"});
  write("reviews/package.yaml", "agneto: 1\ndescription: Reviews\n");
  commit("v1");
  EXPECT_EQ(error([&] { store.vendor(store.packages().at(0)); }),
            "../../kit does not have the commit " + lost +
                " any more\nits history was rewritten; take what it has now: agneto remove, and "
                "agneto add ../../kit//reviews@v1");
}

TEST_F(PackageStore, APackageBringsThoseThatItNeeds) {
  Store inner(kit / "checks");
  write("checks/package.yaml", "agneto: 1\ndescription: Checks\n");
  inner.add({"../kit", "reviews", "v1"}, "", top / "kit");
  fs::remove_all(kit / "checks/packages");
  commit("checks");
  store.add({"../kit", "checks", "checks"}, "", top / "project");
  EXPECT_EQ(here("packages/checks/packages/reviews/flow.yaml"), "one\n");
  EXPECT_EQ(store.state_of(store.packages().at(0)), Store::State::good);
}

TEST_F(PackageStore, TheLastOneTakesTheLockAlong) {
  add();
  add("v1", "other");
  store.remove("reviews");
  EXPECT_FALSE(fs::exists(root / "packages/reviews"));
  EXPECT_EQ(store.packages().size(), 1u);
  EXPECT_EQ(error([&] { store.remove("otter"); }),
            "there is no package 'otter' here\ndid you mean 'other'?");
  store.remove("other");
  EXPECT_FALSE(fs::exists(root / "agneto.lock"));
  EXPECT_FALSE(fs::exists(root / "packages"));
}

TEST(PackageOrigin, IsWhatGitFetchesAFolderAndARevision) {
  const auto parts = [](const std::string& text) {
    const Origin origin = origin_of(text);
    return origin.url + " | " + origin.folder + " | " + origin.rev + " | " + name_of(origin);
  };
  EXPECT_EQ(parts("https://example.org/kit.git@v1.2"),
            "https://example.org/kit.git |  | v1.2 | kit");
  EXPECT_EQ(parts("https://ada@example.org/kit//a/b@feature/x"),
            "https://ada@example.org/kit | a/b | feature/x | b");
  EXPECT_EQ(parts("git@example.org:team/kit.git//reviews/@v1"),
            "git@example.org:team/kit.git | reviews | v1 | reviews");
  EXPECT_EQ(parts("ssh://git@example.org/kit@1a2b3c4"),
            "ssh://git@example.org/kit |  | 1a2b3c4 | kit");
  EXPECT_EQ(parts("../kit@v1"), "../kit |  | v1 | kit");
}

TEST(PackageOrigin, WhatIsNoneIsSaid) {
  const auto problem = [](const std::string& text) -> std::string {
    try {
      origin_of(text);
    } catch (const Error& error) {
      return std::string(error.what()) + "\n" + error.help();
    }
    return "no error";
  };
  const std::string add_it =
      "\nadd it: @v1.2.0 for a tag, @main for a branch, @1a2b3c4 for a commit";
  for (const char* text : {"../kit", "git@example.org:team/kit.git", "ssh://git@example.org/kit",
                           "../kit@", "../kit@-x", "../kit@a..b"}) {
    EXPECT_EQ(problem(text), "'" + std::string(text) + "' does not say which revision" + add_it);
  }
  const std::string as_written =
      "\nwrite URL@REV, or URL//FOLDER@REV; REV is a tag, a branch or a commit";
  EXPECT_EQ(problem("--upload-pack=sh@v1"),
            "'--upload-pack=sh' is no URL of a git repository" + as_written);
  EXPECT_EQ(problem("ext::sh -c x@v1"),
            "'ext::sh -c x' is no URL of a git repository" + as_written);
  EXPECT_EQ(problem("../kit//../x@v1"), "'../x' is no folder of a repository" + as_written);
  EXPECT_EQ(problem("https://ada:secret@example.org/kit@v1"),
            "that URL has a password in it, and agneto.lock is for everybody to read\n"
            "leave it out, and give it to git: git help credentials");
}

}  // namespace
}  // namespace agneto::packages
