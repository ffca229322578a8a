// agneto rewind

#include "run/rewind.h"

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/work.h"

namespace agneto::cli {
namespace {

ExitStatus go_back(const Context& context, const run::Moment& moment) {
  const run::Restored restored = rewind(context, moment);
  fmt::print("go on: agneto resume {}\n", restored.run);
  return printed(ExitStatus::complete);
}

}  // namespace

void add_rewind(Program& program) {
  auto moment = std::make_shared<run::Moment>();
  CommandLine& command = program.add_command(
      "rewind", "Take a run back to an earlier entry of its log: its state and its files");
  command.add("RUN", &moment->run, "Its id, the start of one, or 'last'", {.required = true});
  command.add("--to", &moment->seq, "The entry, by its number in 'agneto log RUN'",
              {.required = true, .shown_as = "SEQ REQUIRED"});
  command.action = [moment](const Context& context) {
    moment->folder = context.folder;
    return go_back(context, *moment);
  };
}

}  // namespace agneto::cli
