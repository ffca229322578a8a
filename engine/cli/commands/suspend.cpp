// agneto suspend

#include <fmt/format.h>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/runs.h"

namespace agneto::cli {
namespace {

struct SuspendOptions {
  std::string run;
  bool after_call = false;
};

ExitStatus suspend(const Context& context, const SuspendOptions& options) {
  const auto runs = runs_of(context);
  const journal::RunRecord run = runs->steer(options.run)->run();
  const std::string& id = run.id;
  if (!runs->suspend(run, options.after_call)) {
    fmt::print("nobody works on run {}{}\n", id,
               run.outcome.empty() ? "" : ": " + printable(run.outcome));
  } else if (options.after_call && run.status == "running") {
    fmt::print("{} is suspended once what is under way has ended\n", id);
  } else {
    fmt::print("suspended: {}\n", id);
  }
  fmt::print("go on: agneto resume {}\n", id);
  return printed(ExitStatus::complete);
}

}  // namespace

void add_suspend(Program& program) {
  auto options = std::make_shared<SuspendOptions>();
  CommandLine& command = program.add_command(
      "suspend", "Stop a run that works in another terminal, so that it can be resumed");
  command.add("RUN", &options->run, "Its id, the start of one, or 'last'", {.required = true});
  command.add("--after-call", &options->after_call, "Let what is under way end first");
  program.add_server_options(command);
  command.action = [options](const Context& context) { return suspend(context, *options); };
}

}  // namespace agneto::cli
