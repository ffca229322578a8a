// agneto doctor

#include <fmt/format.h>

#include <algorithm>

#include "cli/commands.h"
#include "run/examination.h"
#include "ui/json_lines.h"
#include "ui/screen.h"

namespace agneto::cli {
namespace {

using ui::Color;
using ui::Styled;

ExitStatus examine(const Context& context, const std::string& wanted, bool json) {
  end_with_the_reader();
  auto journal = run::journal_of(context.folder);
  if (!journal) throw Error("there are no runs here", "start one with 'agneto run TASK'");
  const journal::Run run = run::find_run(*journal, wanted);
  const auto findings = run::examine(context.folder, *journal, run);
  const bool wrong = std::any_of(findings.begin(), findings.end(),
                                 [](const auto& finding) { return finding.wrong; });
  const ExitStatus status = wrong ? ExitStatus::failed : ExitStatus::complete;
  if (json) {
    Json list = Json::array();
    for (const auto& each : findings) {
      list.push_back(
          {{"about", each.about}, {"wrong", each.wrong}, {"what", each.what}, {"help", each.help}});
    }
    fmt::print("{}", ui::to_line({{"run", run.id}, {"wrong", wrong}, {"findings", list}}));
    return printed(status);
  }
  constexpr std::size_t indent = 14;  // behind "checkpoints"
  ui::Screen screen(stdout, ui::Screen::style_of(stdout));
  screen.line({Color::bold, run.id});
  for (const auto& each : findings) {
    const std::string about = fmt::format("  {:<{}}", each.about, indent - 2);
    screen.line(Styled(about) + Styled(each.wrong ? Color::red : Color::none, each.what), indent);
    if (!each.help.empty()) screen.line(std::string(indent, ' ') + "help: " + each.help, indent);
  }
  screen.line(wrong ? Styled(Color::red, "something is wrong")
                    : Styled(Color::green, "all is well"));
  return printed(status);
}

}  // namespace

void add_doctor(CLI::App& app, Context& context) {
  struct Options {
    std::string run;
    bool json = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "doctor", "Examine a run: its record, worktree, branch, owner, processes left over");
  command->add_option("RUN", options->run, "Its id, the start of one, or 'last'")->required();
  command->add_flag("--json", options->json, "As one JSON object");
  command->footer("Nothing is changed. Exit status: 0 all is well, 1 something is wrong.");
  command->callback([options, &context] {
    context.action = [options, &context] { return examine(context, options->run, options->json); };
  });
}

}  // namespace agneto::cli
