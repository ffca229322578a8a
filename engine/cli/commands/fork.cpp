// agneto fork

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/resume.h"
#include "run/travel.h"

namespace agneto::cli {
namespace {

struct Options {
  run::Travel travel;
  bool stay = false;
};

ExitStatus fork(const Context& context, const Options& options) {
  const run::Arrival arrival = run::fork(options.travel, context.resources);
  fmt::print("{} is a run of its own, from entry {} on\n", arrival.run, options.travel.seq);
  if (options.stay) fmt::print("go on: agneto resume {}\n", arrival.run);
  const ExitStatus done = printed(ExitStatus::complete);
  return options.stay ? done : resume(context, arrival.run);
}

}  // namespace

void add_fork(Program& program) {
  auto options = std::make_shared<Options>();
  Command& command = program.add_command(
      "fork", "Go on from an earlier entry of a run's log in a new run, with a branch of its own");
  command.add("RUN", &options->travel.run, "Its id, the start of one, or 'last'",
              {.required = true});
  command.add("--at", &options->travel.seq, "The entry, by its number in 'agneto log RUN'",
              {.required = true, .shown_as = "SEQ REQUIRED"});
  command.add("--no-start", &options->stay, "Make the run, and leave it to 'agneto resume'");
  command.action = [options](const Context& context) {
    options->travel.folder = context.folder;
    return fork(context, *options);
  };
}

}  // namespace agneto::cli
