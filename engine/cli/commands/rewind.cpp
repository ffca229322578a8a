// agneto rewind

#include <fmt/format.h>

#include "cli/commands.h"
#include "run/travel.h"

namespace agneto::cli {
namespace {

ExitStatus go_back(const Context& context, const run::Travel& travel) {
  const run::Arrival arrival = run::rewind(travel, context.resources);
  fmt::print(
      "{} is again as it was after entry {}{}\n", arrival.run, travel.seq,
      arrival.files ? ", files and all" : "; it has no worktree, so the files stay as they are");
  for (const auto& ref : arrival.kept) fmt::print("what that took away is kept: {}\n", ref);
  fmt::print("go on: agneto resume {}\n", arrival.run);
  return printed(ExitStatus::complete);
}

}  // namespace

void add_rewind(Program& program) {
  auto travel = std::make_shared<run::Travel>();
  Command& command = program.add_command(
      "rewind", "Take a run back to an earlier entry of its log: its state and its files");
  command.add("RUN", &travel->run, "Its id, the start of one, or 'last'", {.required = true});
  command.add("--to", &travel->seq, "The entry, by its number in 'agneto log RUN'",
              {.required = true, .shown_as = "SEQ REQUIRED"});
  command.action = [travel](const Context& context) {
    travel->folder = context.folder;
    return go_back(context, *travel);
  };
}

}  // namespace agneto::cli
