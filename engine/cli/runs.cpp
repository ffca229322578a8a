// agneto runs

#include <fmt/format.h>

#include "base/text.h"
#include "cli/commands.h"

namespace agneto::cli {
namespace {

ExitStatus list_runs(const Context& context, bool json) {
  auto journal = run::journal_of(context.folder);
  auto runs = journal ? journal->list() : std::vector<journal::Run>();
  for (auto& run : runs) run.status = run::status_of(context.folder, run);
  if (json) {
    for (const auto& run : runs) {
      Json line = {{"run", run.id},
                   {"workflow", run.workflow},
                   {"task", run.task},
                   {"status", run.status},
                   {"outcome", run.outcome},
                   {"base", run.base},
                   {"branch", run.branch},
                   {"created", format_time(run.created)},
                   {"updated", format_time(run.updated)}};
      if (run.status == "interrupted") line["resume"] = "agneto resume " + run.id;
      fmt::print("{}\n", to_text(line));
    }
    return ExitStatus::complete;
  }
  if (runs.empty()) {
    fmt::print("No runs here yet. Start one: agneto run \"what is to be done\"\n");
    return ExitStatus::complete;
  }
  std::size_t width = 3;
  for (const auto& run : runs) width = std::max(width, run.id.size());
  for (const auto& run : runs) {
    fmt::print("{:<{}}  {:<11}  {}  {}\n", run.id, width, run.status,
               format_time(run.updated).substr(0, 16), shortened(printable(run.task), 60));
  }
  for (const auto& run : runs) {
    if (run.status == "interrupted") fmt::print("go on: agneto resume {}\n", run.id);
  }
  return ExitStatus::complete;
}

}  // namespace

void add_runs(CLI::App& app, Context& context) {
  auto json = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand("runs", "List the runs of this repository, newest first");
  command->add_flag("--json", *json, "One JSON object a line");
  command->callback([json, &context] {
    context.action = [json, &context] { return list_runs(context, *json); };
  });
}

}  // namespace agneto::cli
