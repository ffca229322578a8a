// agneto abort

#include <fmt/format.h>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/runs.h"
#include "record/event.h"

namespace agneto::cli {
namespace {

// Says what became of what a cut-off call had changed.
class Notes : public record::Observer {
 public:
  void event(const record::RunEvent& event) override {
    if (const auto* note = event.get<record::Note>()) fmt::print("{}\n", note->text);
  }
};

ExitStatus abort(const Context& context, const std::string& wanted) {
  const auto runs = runs_of(context);
  const journal::RunRecord run = runs->steer(wanted)->run();
  const std::string& id = run.id;
  Notes notes;
  const journal::RunRecord ended = runs->abort(run, notes);
  if (ended.status == "running") {
    fmt::print("run {} is told to end, and does: see 'agneto show {}'\n", id, id);
  } else {
    fmt::print("{}: {} ({})\n", ended.status, id, ended.outcome);
  }
  const auto work = runs->work_of(ended);
  if (!work.log_command.empty()) fmt::print("its work: {}\n", work.log_command);
  for (const auto& command : work.kept) fmt::print("kept: {}\n", command);
  if (!work.left.empty()) fmt::print("left: {}, not committed\n", printable(work.left));
  return printed(ExitStatus::complete);
}

}  // namespace

void add_abort(Program& program) {
  auto wanted = std::make_shared<std::string>();
  CommandLine& command = program.add_command(
      "abort", "End a run for good, wherever it works; its branch and worktree stay");
  command.add("RUN", wanted.get(), "Its id, the start of one, or 'last'", {.required = true});
  program.add_server_options(command);
  command.action = [wanted](const Context& context) { return abort(context, *wanted); };
}

}  // namespace agneto::cli
