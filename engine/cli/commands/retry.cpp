// agneto retry
#include <fmt/format.h>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/work.h"

namespace agneto::cli {
namespace {

struct RetryOptions {
  std::string run;
  bool non_interactive = false;
  bool json = false;
  LimitOptions limits;
};

run::Moment before_end(const Context& context, const std::string& wanted) {
  const auto journal = run::journal_to_steer(context.folder);
  const journal::RunRecord run = run::find_run(*journal, wanted);
  if (!journal::has_ended(run)) {
    throw Error("run " + run.id + " has not ended", "go on with 'agneto resume " + run.id + "'");
  }
  const journal::Seq seq = run::before_end(*journal, run.id);
  if (run.status == "complete") {
    throw Error(
        "run " + run.id + " is complete (" + run.outcome + "), so that nothing failed in it",
        seq == 0 ? "start a new one with 'agneto run'"
                 : fmt::format("to do its last step again: agneto rewind {} --to {}, then "
                               "agneto resume {}",
                               run.id, seq, run.id));
  }
  if (seq == 0) {
    throw Error("run " + run.id + " ended with its first step, so that there is nothing before it",
                "start a new one with 'agneto run'");
  }
  return {context.folder, run.id, seq};
}

}  // namespace

void add_retry(Program& program) {
  auto options = std::make_shared<RetryOptions>();
  CommandLine& command = program.add_command(
      "retry", "Take a run that has ended back to before what ended it, and go on");
  command.add("RUN", &options->run, "Its id, the start of one, or 'last'", {.required = true});
  options->limits.add_to(command);
  command.add("--non-interactive", &options->non_interactive,
              "Ask nobody: gates take their default, or the run suspends");
  command.add("--json", &options->json, "Print events as JSON lines");
  command.action = [options](const Context& context) {
    const model::Limits limits = options->limits.limits();
    const run::Restored restored =
        rewind(context, before_end(context, options->run), options->json);
    return resume(context, {.folder = context.folder, .run = restored.run, .limits = limits},
                  {.json = options->json, .interactive = !options->non_interactive});
  };
}

}  // namespace agneto::cli
