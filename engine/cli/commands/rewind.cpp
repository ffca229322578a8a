// agneto rewind

#include "run/rewind.h"

#include <fmt/format.h>

#include "cli/commands.h"

namespace agneto::cli {
namespace {

ExitStatus go_back(const Context& context, const run::Moment& moment) {
  const run::Restored restored = run::rewind(moment, context.resources);
  fmt::print(
      "{} is again as it was after entry {}{}\n", restored.run, moment.seq,
      restored.files ? ", files and all" : "; it has no worktree, so the files stay as they are");
  for (const auto& ref : restored.kept) fmt::print("what that took away is kept: {}\n", ref);
  fmt::print("go on: agneto resume {}\n", restored.run);
  return printed(ExitStatus::complete);
}

}  // namespace

void add_rewind(Program& program) {
  auto moment = std::make_shared<run::Moment>();
  Command& command = program.add_command(
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
