// agneto diff

#include <unistd.h>

#include <cstring>

#include "cli/commands.h"
#include "run/assembly.h"
#include "run/queue.h"
#include "workspace/inspect.h"

namespace agneto::cli {
namespace {

struct Options {
  std::string run;
  std::vector<std::string> git;  // its own options, and paths
};

// Becomes git, so that colours, pager and exit status are as with `git diff`.
[[noreturn]] void become_git(const fs::path& folder, const std::vector<std::string>& arguments) {
  std::vector<char*> argv;
  for (const auto& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  fs::current_path(folder);
  end_with_the_reader();
  execvp("git", argv.data());
  throw Error(std::string("git cannot be started: ") + std::strerror(errno), "is it on PATH?");
}

ExitStatus diff(const Context& context, const Options& options) {
  auto journal = run::required_journal(context.folder);
  const journal::RunRecord run = run::find_run(*journal, options.run);
  if (!run::has_begun(*journal, run.id)) {
    throw Error("run " + run.id + " has not begun, so that it has changed nothing",
                "'agneto show " + run.id + "' shows how it stands");
  }
  if (run.branch.empty()) {
    throw Error("run " + run.id + " works in the folder itself, so what it changed is not known",
                "runs of workflows that need a repository can be compared");
  }
  const fs::path root = run::home_of(context.folder);
  const fs::path worktrees = root / ".agneto" / "worktrees";
  const workspace::Range range =
      workspace::changes_of({root, worktrees / run.id, run.id}, run.status == "complete");
  std::vector<std::string> arguments = {"git", "diff"};
  std::vector<std::string> paths;
  for (const auto& word : options.git) {
    (word.starts_with("-") ? arguments : paths).push_back(word);
  }
  arguments.insert(arguments.end(), {range.from, range.to, "--"});
  arguments.insert(arguments.end(), paths.begin(), paths.end());
  journal.reset();
  become_git(root, arguments);
}

}  // namespace

void add_diff(Program& program) {
  auto options = std::make_shared<Options>();
  CommandLine& command = program.add_command(
      "diff", "Show what a run has changed since it started, as 'git diff' does");
  command.add("RUN", &options->run, "Its id, the start of one, or 'last'", {.required = true});
  command.add("GIT", &options->git, "Paths, and options of git diff, as it takes them");
  command.rest = &options->git;
  command.footer = R"(Examples:
  agneto diff last                   what is not committed yet is part of it
  agneto diff last --stat
  agneto diff last src/ docs/)";
  command.action = [options](const Context& context) { return diff(context, *options); };
}

}  // namespace agneto::cli
