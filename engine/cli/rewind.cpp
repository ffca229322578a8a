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

void add_rewind(CLI::App& app, Context& context) {
  auto travel = std::make_shared<run::Travel>();
  CLI::App* command = app.add_subcommand(
      "rewind", "Take a run back to an earlier entry of its log: its state and its files");
  command->add_option("RUN", travel->run, "Its id, the start of one, or 'last'")->required();
  command->add_option("--to", travel->seq, "The entry, by its number in 'agneto log RUN'")
      ->required()
      ->option_text("SEQ REQUIRED");
  command->callback([travel, &context] {
    context.action = [travel, &context] {
      travel->folder = context.folder;
      return go_back(context, *travel);
    };
  });
}

}  // namespace agneto::cli
