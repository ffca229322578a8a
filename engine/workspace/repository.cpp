// The user's repository: finding it, and the run's home inside it.
#include <system_error>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "workspace/git.h"
#include "workspace/workspace.h"

namespace agneto::workspace {

namespace {

constexpr std::string_view ignored =
    "# Written by agneto. What runs leave here belongs to this machine; config.yaml, lint/,\n"
    "# scripts/ and workflows/ beside it are the team's, to be committed.\n"
    "/.gitignore*\n"
    "/runs.db*\n"
    "/worktrees/\n"
    "/homes/\n"
    "*.lock\n"
    "!/agneto.lock\n"
    "*.log\n";
// What older versions did not write.
constexpr std::string_view newer[] = {"!/agneto.lock\n", "/homes/\n"};

}  // namespace

fs::path find_repository(const fs::path& folder) {
  forget_caller_repository();
  if (!process::find_program("git")) {
    throw Error("git is not installed", "install it, on Debian or Ubuntu: sudo apt install git");
  }
  std::error_code code;
  if (!fs::is_directory(folder, code)) throw Error(folder.string() + ": no such folder");

  // Answers come line by line up to the first question that fails.
  const process::Captured result =
      Git(folder).run({"rev-parse", "--is-bare-repository", "--is-inside-git-dir",
                       "--show-toplevel", "HEAD^{commit}", "--"});
  const std::vector<std::string> answers = split(result.output, '\n');
  if (answers.size() < 2) {
    if (!is_repository(folder)) {
      throw Error(folder.string() + ": not a git repository",
                  "go to your project's folder, or make this one a repository: "
                  "git init && git add -A && git commit -m 'First commit'");
    }
    throw Error(folder.string() + ": git cannot use this repository: " + complaint(result));
  }
  if (answers[0] == "true") {
    throw Error(folder.string() + ": a bare repository has no files to work on",
                "run agneto in a clone of it");
  }
  if (answers[1] == "true") {
    throw Error(folder.string() + ": this is the inside of a .git folder",
                "run agneto in the repository's working tree");
  }
  if (answers.size() < 3) {
    throw Error(folder.string() + ": git cannot use this repository: " + complaint(result));
  }
  // The rest is the folder, whose name may have line ends in it; then the commit, and "--".
  const std::size_t before = answers[0].size() + answers[1].size() + 2;
  std::size_t behind = 1;
  if (result.status == 0) behind += (answers.end() - 2)->size() + answers.back().size() + 2;
  const std::string top = result.output.substr(before, result.output.size() - before - behind);
  if (result.status != 0) {
    throw Error(top + ": the current branch has no commits yet",
                "a run needs a commit to start from: git add -A && git commit -m 'First commit'");
  }
  return top;
}

// A `.git` or a bare repository is looked for as git does, so that a repository without git's
// program is one, too.
bool is_repository(const fs::path& folder) {
  std::error_code none;
  for (fs::path up = fs::absolute(folder).lexically_normal();; up = up.parent_path()) {
    if (fs::exists(up / ".git", none)) return true;
    if (fs::exists(up / "HEAD", none) && fs::is_directory(up / "objects", none) &&
        fs::is_directory(up / "refs", none)) {
      return true;
    }
    if (up == up.root_path()) return false;
  }
}

fs::path prepare_home(const fs::path& root) {
  const fs::path home = root / ".agneto";
  std::error_code code;
  fs::create_directories(home, code);
  if (!code && !fs::is_directory(home)) code = std::make_error_code(std::errc::not_a_directory);
  if (is_disk_full(code.value())) throw DiskFull("cannot make " + home.string());
  if (code) {
    throw Error(home.string() + ": cannot make this folder: " + code.message(),
                "agneto keeps its journal and worktrees there");
  }
  const fs::path ignore = home / ".gitignore";
  const auto text = Disk().read(ignore);
  if (!fs::exists(fs::symlink_status(ignore))) {
    write_file(ignore, ignored);
  } else if (text && text->starts_with(ignored.substr(0, ignored.find('.')))) {
    std::string all = *text;
    for (const std::string_view line : newer) {
      if (all.find(line) == all.npos) all += line;
    }
    if (all != *text) write_file(ignore, all);
  }
  return home;
}

}  // namespace agneto::workspace
