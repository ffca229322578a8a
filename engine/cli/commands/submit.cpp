// agneto submit

#include "cli/commands.h"
#include "cli/new_run.h"
#include "cli/served.h"
#include "run/queue.h"

namespace agneto::cli {

void add_submit(Program& program) {
  struct Options {
    NewRunOptions run;
    Handover how;
    bool non_interactive = false;
  };
  auto options = std::make_shared<Options>();
  CommandLine& command = program.add_command(
      "submit", "Queue a task for the server of this repository, and return at once");
  options->run.add_to(command);
  command.add("-p,--priority", &options->how.priority,
              "Tasks with more are taken up before those with less (default: 0)",
              {.range = {{run::least_priority, run::greatest_priority}}});
  command.add("--needs", &options->run.request.needs,
              "A label that whoever takes it up is to have, such as gpu", {.shown_as = "LABEL"});
  command.add("--non-interactive", &options->non_interactive,
              "Ask nobody: gates take their default, or the run suspends");
  command.add("--json", &options->how.json, "Print one JSON object");
  command.footer = R"(Examples:
  agneto submit "add a --shout flag"
  agneto submit --file task.md --auto-merge --priority 10
  run=$(agneto submit "..." --json | jq -r .run); agneto wait "$run")";
  command.more_help = [options](const Context& context) {
    return show_workflow(options->run.request.workflow, context);
  };
  program.add_server_options(command);
  command.action = [options](const Context& context) {
    run::Request request = options->run.wanted(context);
    request.interactive = !options->non_interactive;
    return submit(context, request, options->how);
  };
}

}  // namespace agneto::cli
