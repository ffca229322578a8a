// agneto runs

#include <fmt/format.h>
#include <unistd.h>

#include "cli/commands.h"
#include "ui/readable.h"
#include "ui/screen.h"

namespace agneto::cli {
namespace {

void print_json(const std::vector<journal::Run>& runs) {
  for (const auto& run : runs) {
    fmt::print("{}\n", to_text({{"run", run.id},
                                {"workflow", run.workflow},
                                {"task", run.task},
                                {"status", run.status},
                                {"outcome", run.outcome},
                                {"base", run.base},
                                {"branch", run.branch},
                                {"created", format_time(run.created)},
                                {"updated", format_time(run.updated)}}));
  }
}

// One line a run: at a terminal cut at its width, else with all of the task's first line.
void print_table(const std::vector<journal::Run>& runs) {
  constexpr std::size_t minutes = 16;  // of "2026-11-21 21:02:36"
  ui::Screen screen(stdout, ui::Screen::style_of(stdout));
  std::size_t id_width = 0;
  for (const auto& run : runs) id_width = std::max(id_width, run.id.size());
  for (const auto& run : runs) {
    std::string columns = fmt::format("{:<{}}  {:<11}  {}  ", run.id, id_width, run.status,
                                      ui::local_time(run.updated).substr(0, minutes));
    ui::Styled line(columns + ui::first_line(run.task, ui::any_width));
    screen.line(isatty(STDOUT_FILENO) != 0 ? line.fitted(screen.width()) : line, ui::Screen::as_is);
  }
  for (const auto& run : runs) {
    if (run.status == "interrupted") fmt::print("go on: agneto resume {}\n", run.id);
  }
}

ExitStatus list_runs(const Context& context, bool json) {
  end_with_the_reader();
  auto journal = run::journal_of(context.folder);
  auto runs = journal ? journal->list() : std::vector<journal::Run>();
  for (auto& run : runs) run.status = run::status_of(context.folder, run);
  if (json) {
    print_json(runs);
  } else if (runs.empty()) {
    fmt::print("No runs here yet. Start one: agneto run \"what is to be done\"\n");
  } else {
    print_table(runs);
  }
  return printed(ExitStatus::complete);
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
