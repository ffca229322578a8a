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

void add_fork(CLI::App& app, Context& context) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "fork", "Go on from an earlier entry of a run's log in a new run, with a branch of its own");
  command->add_option("RUN", options->travel.run, "Its id, the start of one, or 'last'")
      ->required();
  command->add_option("--at", options->travel.seq, "The entry, by its number in 'agneto log RUN'")
      ->required()
      ->option_text("SEQ REQUIRED");
  command->add_flag("--no-start", options->stay, "Make the run, and leave it to 'agneto resume'");
  command->callback([options, &context] {
    context.action = [options, &context] {
      options->travel.folder = context.folder;
      return fork(context, *options);
    };
  });
}

}  // namespace agneto::cli
