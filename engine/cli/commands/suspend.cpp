// agneto suspend

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/run_log.h"
#include "cli/target.h"
#include "run/steer.h"

namespace agneto::cli {
namespace {

struct Options {
  std::string run;
  bool after_call = false;
};

ExitStatus suspend(const Context& context, const Options& options) {
  const Target target = find_unended(context, options.run);
  const std::string& id = target.run.id;
  record::NoObserver nobody;
  RunLog observer(nobody);
  const bool is_alive = target.is_alive();
  if (!run::suspend(target.helm(context, observer), target.run, options.after_call)) {
    fmt::print("nobody works on run {}{}\n", id,
               target.run.outcome.empty() ? "" : ": " + target.run.outcome);
  } else if (options.after_call && is_alive) {
    fmt::print("{} is suspended once what is under way has ended\n", id);
  } else {
    fmt::print("suspended: {}\n", id);
  }
  fmt::print("go on: agneto resume {}\n", id);
  return printed(ExitStatus::complete);
}

}  // namespace

void add_suspend(Program& program) {
  auto options = std::make_shared<Options>();
  CommandLine& command = program.add_command(
      "suspend", "Stop a run that works in another terminal, so that it can be resumed");
  command.add("RUN", &options->run, "Its id, the start of one, or 'last'", {.required = true});
  command.add("--after-call", &options->after_call, "Let what is under way end first");
  command.action = [options](const Context& context) { return suspend(context, *options); };
}

}  // namespace agneto::cli
