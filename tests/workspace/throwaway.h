// A throwaway repository with a user's checkout in it, and git as that user would run it.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "process/process.h"
#include "workspace/workspace.h"

namespace agneto::workspace {

inline std::string read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void write(const fs::path& file, std::string_view text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

class Throwaway : public ::testing::Test {
 protected:
  Throwaway() {
    setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
    setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
    std::string name = fs::canonical(fs::temp_directory_path()) / "agneto-workspace-XXXXXX";
    root = mkdtemp(name.data());
    repository = root / "project";
    fs::create_directories(repository);
    git("init --quiet --initial-branch=main");
    git("config user.name Ada");
    git("config user.email ada@example.org");
    write(repository / "greet.sh", "echo hello\n");
    write(repository / "docs/guide.md", "# Guide\n");
    write(repository / ".gitignore", "*.o\n/cache/\n");
    git("add -A");
    git("commit --quiet -m First");
  }
  ~Throwaway() override {
    std::error_code code;
    fs::remove_all(root, code);
  }

  // The output of a git command in `folder` (split at spaces), which must succeed.
  std::string git(const std::string& command, const fs::path& folder) const {
    std::vector<std::string> argv = {"git"};
    std::string word;
    for (char c : command + " ") {
      if (c != ' ')
        word += c;
      else
        argv.push_back(std::exchange(word, {}));
    }
    const process::Captured result = process::capture(argv, folder);
    EXPECT_EQ(result.status, 0) << command << "\n" << result.error;
    std::string output = result.output;
    if (!output.empty() && output.back() == '\n') output.pop_back();
    return output;
  }
  std::string git(const std::string& command) const { return git(command, repository); }

  Create request(const std::string& run = "run1", const std::string& base = "") const {
    return {repository, repository / ".agneto/worktrees" / run, run, base};
  }
  std::unique_ptr<Workspace> start(const std::string& run = "run1", const std::string& base = "") {
    prepare_home(repository);
    return create(request(run, base));
  }

  // Everything of the user's that a run must not touch: checkout, index, branches, HEAD, config.
  std::string users_things() const {
    return git("status --porcelain --ignored=no --untracked-files=all") + "\n" +
           git("ls-files --stage") + "\n" + git("branch --list --verbose --no-abbrev main* side*") +
           "\n" + git("symbolic-ref HEAD") + "\n" + git("stash list") + "\n" +
           read(repository / ".git/config");
  }

  fs::path root, repository;
};

// What was thrown: "message | help".
template <typename Action>
std::string thrown(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return std::string(error.what()) + (error.help().empty() ? "" : " | " + error.help());
  }
  return "nothing thrown";
}

}  // namespace agneto::workspace
