// agneto fork

#include <fmt/format.h>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/work.h"
#include "run/rewind.h"

namespace agneto::cli {
namespace {

struct ForkOptions {
  run::Moment moment;
  bool stay = false;
};

ExitStatus fork(const Context& context, const ForkOptions& options) {
  const run::Restored restored = run::fork(options.moment, context.resources);
  fmt::print("{} is a run of its own, from entry {} on\n", restored.run, options.moment.seq);
  for (const auto& note : restored.notes) fmt::print("{}\n", printable(note));
  if (options.stay) fmt::print("go on: agneto resume {}\n", restored.run);
  const ExitStatus done = printed(ExitStatus::complete);
  return options.stay ? done : resume(context, {.folder = context.folder, .run = restored.run});
}

}  // namespace

void add_fork(Program& program) {
  auto options = std::make_shared<ForkOptions>();
  CommandLine& command = program.add_command(
      "fork", "Go on from an earlier entry of a run's log in a new run, with a branch of its own");
  command.add("RUN", &options->moment.run, "Its id, the start of one, or 'last'",
              {.required = true});
  command.add("--at", &options->moment.seq, "The entry, by its number in 'agneto log RUN'",
              {.required = true, .shown_as = "SEQ REQUIRED"});
  command.add("--no-start", &options->stay, "Make the run, and leave it to 'agneto resume'");
  command.action = [options](const Context& context) {
    options->moment.folder = context.folder;
    return fork(context, *options);
  };
}

}  // namespace agneto::cli
