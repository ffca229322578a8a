#include "cli/new_run.h"

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/runnable.h"
#include "model/load.h"

namespace agneto::cli {

void NewRunOptions::add_to(CommandLine& command) {
  request.workflow = "agneto";
  command.add("TASK", &task, "What is to be done, in your words");
  command.add("-f,--file", &file, "Read the task from a file ('-': standard input)");
  command.add("-w,--workflow", &request.workflow,
              "A workflow by name (.agneto/workflows, ~/.config/agneto, bundled) or path",
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

ExitStatus show_inputs(const std::string& workflow, const Context& context) {
  Diagnostics diagnostics;
  const model::Loaded loaded =
      model::load(run::find_workflow(workflow, context.folder, context.resources), Disk(),
                  diagnostics, context.resources.library());
  if (!loaded.system) return printed(ExitStatus::complete);
  fmt::print("\nInputs of the workflow '{}':\n", loaded.system->main().name);
  for (const std::string& line : described(loaded.system->main().inputs)) {
    fmt::print("  {}\n", line);
  }
  return printed(ExitStatus::complete);
}

}  // namespace agneto::cli
