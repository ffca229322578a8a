// agneto diff

#include "cli/commands.h"
#include "cli/runs.h"

namespace agneto::cli {
namespace {

struct DiffOptions {
  std::string run;
  std::vector<std::string> git;  // its own options, and paths
};

}  // namespace

void add_diff(Program& program) {
  auto options = std::make_shared<DiffOptions>();
  CommandLine& command = program.add_command(
      "diff", "Show what a run has changed since it started, as 'git diff' does");
  command.add("RUN", &options->run, "Its id, the start of one, or 'last'", {.required = true});
  command.add("GIT", &options->git, "Paths, and options of git diff, as it takes them");
  command.rest = &options->git;
  command.footer = R"(Examples:
  agneto diff last                   what is not committed yet is part of it
  agneto diff last --stat
  agneto diff last src/ docs/)";
  program.add_server_options(command);
  command.action = [options](const Context& context) {
    runs_of(context)->print_diff(options->run, options->git);
    return ExitStatus::complete;
  };
}

}  // namespace agneto::cli
