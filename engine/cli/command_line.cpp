#include "cli/command_line.h"

#include <algorithm>

#include "base/text.h"

namespace agneto::cli {

void describe(CLI::App& app, Context& context) {
  app.name("agneto");
  app.description("Runs a team of AI coding agents on your repository, under rules that are data.");
  app.set_version_flag("--version", "agneto " AGNETO_VERSION);
  app.set_help_flag("-h,--help", "Show this help");
  app.require_subcommand(1);
  app.footer(R"(Examples:
  agneto run "fix the login redirect"        refine, plan, build, review; asks at the gates
  agneto run --file task.md --auto-merge     a longer task, merged into your branch at the end
  agneto run "..." --agent codex             with Codex (claude, codex, opencode, gemini, command)
  agneto runs                                what has run here, and how it stands
  agneto resume last                         go on after a suspension, a crash, a reboot
  agneto lint .agneto/workflows/mine.yaml    every mistake in a workflow, at once
  agneto simulate .agneto/workflows/mine.yaml  try it by hand, without an agent

Exit status: 0 complete, 1 failed or abandoned, 2 usage or invalid workflow, 3 suspended,
4 aborted.)");
  add_run(app, context);
  add_resume(app, context);
  add_runs(app, context);
  add_show(app, context);
  add_lint(app, context);
  add_simulate(app, context);
}

Error usage_error(const CLI::App& app, const CLI::ParseError& error,
                  const std::vector<std::string>& arguments) {
  std::vector<std::string> commands;
  for (const auto* command : app.get_subcommands({})) commands.push_back(command->get_name());
  if (arguments.empty()) {
    return Error("no command was given",
                 "the commands are " + join(commands, ", ") + "; 'agneto --help' has examples");
  }
  const std::string& first = arguments.front();
  bool known = std::find(commands.begin(), commands.end(), first) != commands.end();
  if (!known && !first.starts_with("-")) {
    return Error("there is no command '" + first + "'", suggestion(first, commands, "commands"));
  }
  return Error(error.what(), "see 'agneto " + (known ? first + " " : std::string()) + "--help'");
}

}  // namespace agneto::cli
