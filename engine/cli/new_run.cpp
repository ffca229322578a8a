#include "cli/new_run.h"

#include <fmt/format.h>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/packages.h"
#include "cli/runnable.h"

namespace agneto::cli {

void NewRunOptions::add_to(CommandLine& command) {
  request.workflow = "agneto";
  command.add("TASK", &task, "What is to be done, in your words");
  command.add("-f,--file", &file, "Read the task from a file ('-': standard input)");
  command.add(
      "-w,--workflow", &request.workflow,
      "A workflow by name (.agneto/workflows, ~/.config/agneto, bundled, PACKAGE/NAME) or path",
      {.shown_default = request.workflow});
  command.add("-i,--input", &inputs, "Another input of the workflow: NAME=VALUE");
  command.add("-a,--agent", &request.provider,
              "Who works: auto, claude, codex, opencode, gemini, command, offline");
  command.add("-m,--model", &request.model, "The model they use, by its provider's name");
  command.add("-b,--base", &request.base, "Start from this branch (default: the current)");
  command.add("--cassette", &cassette, "Replay scripted replies instead of calling anybody",
              {.excludes = {"--agent", "--model"}});
  command.add("--auto-merge", &request.auto_merge, "Merge into the base branch at the end");
  limits.add_to(command);
}

run::Request NewRunOptions::wanted(const Context& context) const {
  run::Request wanted = request;
  wanted.folder = context.folder;
  if (!task.empty()) wanted.task = task;
  if (!file.empty()) {
    if (wanted.task) throw Error("both TASK and --file were given", "give one of them");
    wanted.task = read_text(file, "task file", "--file");
  }
  wanted.inputs = parse_inputs(inputs);
  wanted.limits = limits.limits();
  wanted.cassette = cassette.empty() ? fs::path() : fs::absolute(cassette);
  return wanted;
}

ExitStatus show_workflow(const std::string& name, const Context& context) {
  Runnable one{name, "", run::find_workflow(name, context.folder, context.resources)};
  read(one, context);
  fmt::print("\nThe workflow '{}':\n", printable(name));
  if (!one.problem.empty()) {
    fmt::print("  It cannot be run: {}\n  See: agneto lint {}\n", printable(one.problem),
               shown_from(context, one.file));
    return printed(ExitStatus::complete);
  }
  if (!one.description.empty()) fmt::print("  {}\n", printable(one.description));
  fmt::print("{}\n", one.inputs.empty() ? "  It has no inputs." : "  Its inputs:");
  for (const std::string& line : described(one.inputs)) fmt::print("    {}\n", line);
  return printed(ExitStatus::complete);
}

}  // namespace agneto::cli
