// The ways that git may go to repositories of others.
#include "process/git_address.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <fstream>
#include <iterator>
#include <string>

#include "support/temporary_folder.h"

namespace agneto::process {
namespace {

// A program that notes what it was started with, and fails.
class GitAddress : public ::testing::Test {
 protected:
  GitAddress() {
    const char* path = getenv("PATH");
    path_ = path ? path : "";
    setenv("PATH", ((folder_ / "").string() + ":" + path_).c_str(), 1);
    setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
    setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
    unsetenv("GIT_SSH_COMMAND");
    unsetenv("GIT_SSH");
    for (const char* name : {"ssh", "own-ssh"}) {
      const auto file = folder_ / name;
      std::ofstream(file) << "#!/bin/sh\necho \"$0 $*\" >> " << (folder_ / "started").string()
                          << "\nexit 1\n";
      chmod(file.c_str(), 0755);
    }
  }
  ~GitAddress() override {
    setenv("PATH", path_.c_str(), 1);
    unsetenv("GIT_SSH_COMMAND");
  }

  Captured go(const std::string& address) const {
    return on_its_way(Git(folder_.path()), address).run({"ls-remote", "--", address});
  }
  std::string started() const {
    std::ifstream in(folder_ / "started");
    return {std::istreambuf_iterator<char>(in), {}};
  }

  testing::TemporaryFolder folder_;
  std::string path_;
};

TEST_F(GitAddress, SshAsksNobodyAndDoesNotWaitForEver) {
  go("git@example.org:kit.git");
  const std::string options =
      "/ssh -o BatchMode=yes -o ConnectTimeout=20 -o ServerAliveInterval=15 "
      "-o ServerAliveCountMax=4 ";
  EXPECT_NE(started().find(options), std::string::npos) << started();
}

TEST_F(GitAddress, TheUsersOwnSshIsTaken) {
  setenv("GIT_SSH_COMMAND", "own-ssh -i key", 1);
  go("ssh://example.org/kit.git");
  EXPECT_NE(started().find("own-ssh -i key"), std::string::npos);
  EXPECT_EQ(started().find("BatchMode"), std::string::npos);
}

TEST_F(GitAddress, TheUsersConfigurationCountsAndARepositorysDoesNot) {
  const Git git(folder_.path());
  git.text({"init", "--quiet"});
  git.text({"config", "core.sshCommand", "own-ssh"});
  go("ssh://example.org/kit.git");
  EXPECT_EQ(started().find("own-ssh"), std::string::npos);
  std::ofstream(folder_ / "config") << "[core]\nsshCommand = own-ssh\n";
  setenv("GIT_CONFIG_GLOBAL", (folder_ / "config").c_str(), 1);
  git.text({"config", "--unset", "core.sshCommand"});
  go("ssh://example.org/kit.git");
  EXPECT_NE(started().find("own-ssh"), std::string::npos);
  setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
}

TEST_F(GitAddress, NoOtherProgramIsStarted) {
  const Captured result = go("ext::ssh x");
  EXPECT_EQ(result.status, 128);
  EXPECT_EQ(complaint(result), "transport 'ext' not allowed");
  EXPECT_EQ(started(), "");
}

}  // namespace
}  // namespace agneto::process
