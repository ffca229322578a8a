#include "run/sandbox/sandbox.h"

#include <gmock/gmock.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <optional>

#include "support/errors.h"
#include "support/temporary_folder.h"

namespace agneto::run {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using testing::error_of;
using ::testing::Not;
using testing::TemporaryFolder;

// One of the environment of this process, for the time of a test.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    if (const char* old = ::getenv(name)) old_ = old;
    ::setenv(name, value.c_str(), 1);
  }
  ~Variable() {
    if (old_) {
      ::setenv(name_, old_->c_str(), 1);
    } else {
      ::unsetenv(name_);
    }
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> old_;
};

class SandboxTest : public ::testing::Test {
 protected:
  SandboxTest() {
    for (const char* folder : {"home/.cargo", "home/project/.git", "home/project/.agneto/homes/r1",
                               "home/project/.agneto/worktrees/r1", "tools/node_modules/.bin",
                               "tools/bin", "tools/lib", "cache", "scratch"}) {
      fs::create_directories(folder_ / folder);
    }
    std::ofstream(tree() / ".git") << "gitdir: x\n";
  }
  fs::path project() const { return folder_ / "home/project"; }
  fs::path tree() const { return project() / ".agneto/worktrees/r1"; }
  SandboxPlaces places() const {
    return {project(), project() / ".git", project() / ".agneto/homes/r1"};
  }
  process::Spec spec(bool writes = true) const {
    process::Spec spec;
    spec.argv = {"sh"};
    spec.cwd = tree();
    spec.reach = {.tree = tree(), .writes = writes, .own = folder_ / "scratch"};
    return spec;
  }
  // "PATH=FROM", and "!" where it may be written; below the test's folder.
  std::vector<std::string> mounts(const process::Spec& spec,
                                  const SandboxSettings& settings = {}) const {
    std::vector<std::string> all;
    const std::string in = folder_.path().string() + "/";
    const auto shown = [&](const std::string& path) {
      return path.starts_with(in) ? path.substr(in.size()) : path;
    };
    for (const auto& mount : confinement_of(spec, settings, places()).mounts) {
      if (!mount.path.starts_with(in)) continue;
      all.push_back(shown(mount.path) + "=" + shown(mount.from) + (mount.writes ? "!" : ""));
    }
    return all;
  }

  TemporaryFolder folder_;
  const Variable home_{"HOME", (folder_ / "home").string()};
  const Variable path_{"PATH", "/usr/bin:/no/such/folder:/bin"};
};

TEST_F(SandboxTest, AProgramHasItsWorktreeAndAHomeOfItsOwn) {
  EXPECT_THAT(mounts(spec()),
              ElementsAre("home=home/project/.agneto/homes/r1!", "scratch=scratch!",
                          "home/project=", "home/project/.git=home/project/.git",
                          "home/project/.agneto/worktrees/r1=home/project/.agneto/worktrees/r1!",
                          "home/project/.agneto/worktrees/r1/.git="
                          "home/project/.agneto/worktrees/r1/.git"));
  EXPECT_THAT(mounts(spec(false)),
              Contains("home/project/.agneto/worktrees/r1=home/project/.agneto/worktrees/r1"));
}

TEST_F(SandboxTest, WhereARunWorksInTheCheckoutItsRecordsAreHidden) {
  process::Spec in_place = spec();
  in_place.reach->tree = in_place.cwd = project();
  EXPECT_THAT(mounts(in_place),
              ElementsAre("home=home/project/.agneto/homes/r1!", "scratch=scratch!",
                          "home/project=home/project!",
                          "home/project/.agneto=", "home/project/.git=home/project/.git"));
}

// Else what it leads to would be mounted.
TEST_F(SandboxTest, ALinkInPlaceOfThatToTheRepositoryIsNotFollowed) {
  fs::remove(tree() / ".git");
  fs::create_symlink(folder_ / "home", tree() / ".git");
  EXPECT_EQ(error_of([&] { mounts(spec()); }),
            (tree() / ".git").string() +
                " is a link, which a program could replace\nput what it leads to in its place");
}

TEST_F(SandboxTest, SettingsNameWhatElseItHas) {
  const SandboxSettings settings{.reads = {"~/.cargo/", "/nowhere"},
                                 .writes = {(folder_ / "cache").string()}};
  const auto all = mounts(spec(false), settings);
  EXPECT_THAT(all, Contains("home/.cargo=home/.cargo"));
  EXPECT_THAT(all, Contains("cache=cache!"));
}

TEST_F(SandboxTest, SettingsNameNothingThatProgramsAreKeptFrom) {
  for (const std::string& path :
       {project().string(), project().string() + "/", (project() / ".git/hooks").string(),
        folder_.path().string(), std::string("~/"), std::string("~/..")}) {
    EXPECT_EQ(error_of([&] { require_apart({.reads = {path}}, places()); }),
              "'" + path +
                  "' in 'sandbox' of .agneto/config.yaml has, or is in, what programs are kept "
                  "from\nname folders beside the repository and below HOME");
  }
  require_apart({.reads = {"~/.cargo"}, .writes = {"/srv"}}, places());
}

// Else a program could put a link in place of a folder on the way while another one is started.
TEST_F(SandboxTest, FoldersOnTheWayToAMountInHomeAreMountsThemselves) {
  fs::create_directories(folder_ / "home/.cache/a/ccache");
  const auto all = mounts(spec(), {.writes = {"~/.cache/a/ccache"}});
  EXPECT_THAT(all, Contains("home/.cache=home/project/.agneto/homes/r1/.cache!"));
  EXPECT_THAT(all, Contains("home/.cache/a=home/project/.agneto/homes/r1/.cache/a!"));
  EXPECT_THAT(all, Contains("home/.cache/a/ccache=home/.cache/a/ccache!"));
}

// The engine reads its configuration there.
TEST_F(SandboxTest, AWorktreeOfThePersonsOwnHasItsRecordsHiddenToo) {
  fs::create_directories(folder_ / "linked/.agneto");
  process::Spec in_place = spec();
  in_place.reach->tree = in_place.cwd = folder_ / "linked";
  const auto all = mounts(in_place);
  EXPECT_THAT(all, Contains("linked/.agneto="));
  EXPECT_THAT(all, Contains("home/project/.agneto="));
}

TEST_F(SandboxTest, ProgramsOnThePathAreThereWithTheirLibraries) {
  const Variable path("PATH", (folder_ / "tools/bin").string() + ":" +
                                  (folder_ / "tools/node_modules/.bin").string() +
                                  ":/usr/bin:.:" + (folder_ / "home").string() + ":" +
                                  (project() / "bin").string() + ":" + folder_.path().string());
  const auto all = mounts(spec());
  for (const char* folder : {"tools/bin", "tools/lib", "tools/node_modules"}) {
    EXPECT_THAT(all, Contains(std::string(folder) + "=" + folder));
  }
  EXPECT_THAT(all, Contains("home=home/project/.agneto/homes/r1!")) << "nobody's HOME is mounted";
  EXPECT_THAT(all, Not(Contains("home/project/bin=home/project/bin")));
}

// A link there may lead anywhere by the next call.
TEST_F(SandboxTest, AProgramOfTheWorktreeBringsNothingAlong) {
  std::ofstream(folder_ / "home/.cargo/credentials") << "x";
  fs::create_symlink(folder_ / "home/.cargo/credentials", tree() / "run");
  process::Spec own = spec();
  own.argv = {"./run"};
  EXPECT_THAT(mounts(own), Not(Contains(::testing::HasSubstr(".cargo"))));
}

TEST_F(SandboxTest, ItsEnvironmentIsWhatIsNamed) {
  const Variable secret("SECRET_OF_PERSON", "x"), key("ANTHROPIC_API_KEY", "y"), own("CI_JOB", "z");
  process::Spec asked = spec();
  asked.env = {{"AGNETO_EFFECT_ID", "e"}};
  asked.reach->passes = {"ANTHROPIC_*"};
  std::map<std::string, std::string> all;
  for (const auto& [name, value] : environment_of(asked, {.passes = {"CI_JOB"}})) all[name] = value;
  EXPECT_EQ(all["ANTHROPIC_API_KEY"], "y");
  EXPECT_EQ(all["CI_JOB"], "z");
  EXPECT_EQ(all["AGNETO_EFFECT_ID"], "e");
  EXPECT_EQ(all["PATH"], "/usr/bin:/bin") << "what is not there could be made";
  EXPECT_FALSE(all.contains("SECRET_OF_PERSON"));
}

// Runs nothing, and remembers what was to be run.
class Told : public process::Runner {
 public:
  process::Exit run(const process::Spec& spec, process::Listener&, std::stop_token) override {
    specs.push_back(spec);
    return exit;
  }
  std::vector<process::Spec> specs;
  process::Exit exit;
};

class SandboxedRunnerTest : public SandboxTest {
 protected:
  SandboxedRunnerTest() {
    files_.add("sandboxes/box.lua",
               "return {command = function(call, argv)\n"
               "  return {argv = {'box', argv[1], table.unpack(call.variables)}} end}");
    settings_.driver = "box";
  }
  SandboxedRunner sandboxed() {
    return SandboxedRunner(told_, settings_, places(), files_, {"sandboxes"});
  }

  MemoryFiles files_;
  Told told_;
  SandboxSettings settings_;
};

TEST_F(SandboxedRunnerTest, ProgramsWithAReachAreStartedInItAndOthersAreNot) {
  process::Listener quiet;
  auto runner = sandboxed();
  process::Spec trusted;
  trusted.argv = {"git"};
  runner.run(trusted, quiet, {});
  EXPECT_THAT(told_.specs.back().argv, ElementsAre("git"));
  EXPECT_TRUE(told_.specs.back().inherits);
  process::Spec asked = spec(false);
  asked.reach->home = {".mycli/login"};
  fs::create_directories(folder_ / "home/.mycli");
  std::ofstream(folder_ / "home/.mycli/login") << "me";
  runner.run(asked, quiet, {});
  const process::Spec& confined = told_.specs.back();
  EXPECT_EQ(confined.argv.at(0), "box");
  EXPECT_EQ(confined.argv.at(1), "sh");
  EXPECT_THAT(confined.argv, Contains("PATH"));
  EXPECT_FALSE(confined.inherits);
  EXPECT_EQ(Disk().read(places().private_home / ".mycli/login"), "me");
}

TEST_F(SandboxedRunnerTest, AProgramThatCannotBePutIntoItIsNotStarted) {
  process::Listener quiet;
  auto runner = sandboxed();
  const auto why = [&](const process::Spec& spec) {
    const process::Exit exit = runner.run(spec, quiet, {});
    EXPECT_EQ(exit.kind, process::Exit::Kind::not_started);
    return exit.error;
  };
  const std::size_t before = told_.specs.size();
  process::Spec nothing = spec();
  nothing.argv = {"no-such-program"};
  EXPECT_EQ(why(nothing), "cannot run 'no-such-program': there is no such program on PATH");
  nothing.argv = {"./nothing"};
  EXPECT_EQ(why(nothing), "cannot run './nothing': there is no such file");
  fs::create_symlink(folder_ / "elsewhere", places().private_home / ".mycli");
  process::Spec asked = spec(false);
  asked.reach->home = {".mycli/login"};
  fs::create_directories(folder_ / "home/.mycli");
  std::ofstream(folder_ / "home/.mycli/login") << "me";
  EXPECT_EQ(why(asked),
            "cannot write '" + (places().private_home / ".mycli").string() + "': Not a directory");
  EXPECT_EQ(told_.specs.size(), before);
}

TEST_F(SandboxedRunnerTest, ASandboxThatCannotBeMadeIsSaid) {
  told_.exit.status = 1;
  told_.exit.error = "box: no permissions\n";
  EXPECT_EQ(error_of([&] { sandboxed(); }),
            "the sandbox 'box' cannot be had here: box: no permissions\n"
            "see docs/security.md for what it needs, or write 'sandbox: none' into "
            ".agneto/config.yaml: agents have your rights then");
  files_.add("sandboxes/box.lua", "return {program = 'no-such-box', command = function() end}");
  EXPECT_EQ(error_of([&] { sandboxed(); }),
            "the sandbox 'box' cannot be had here: there is no program 'no-such-box' on PATH\n"
            "see docs/security.md for what it needs, or write 'sandbox: none' into "
            ".agneto/config.yaml: agents have your rights then");
}

}  // namespace
}  // namespace agneto::run
