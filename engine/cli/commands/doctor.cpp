// agneto doctor

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "cli/commands.h"
#include "run/checkup.h"
#include "run/examination.h"
#include "ui/json_lines.h"
#include "ui/screen.h"

namespace agneto::cli {
namespace {

using ui::Color;
using ui::Styled;

using Findings = std::vector<run::Finding>;

// `title`: a line above them, or of JSON the members beside them.
ExitStatus report(const Findings& findings, const std::string& title, Json members, bool json) {
  const bool wrong = std::ranges::any_of(findings, &run::Finding::wrong);
  const ExitStatus status = wrong ? ExitStatus::failed : ExitStatus::complete;
  if (json) {
    Json list = Json::array();
    for (const auto& each : findings) {
      list.push_back(
          {{"about", each.about}, {"wrong", each.wrong}, {"what", each.what}, {"help", each.help}});
    }
    members["wrong"] = wrong;
    members["findings"] = std::move(list);
    fmt::print("{}", ui::to_line(members));
    return printed(status);
  }
  std::size_t indent = 14;  // behind "checkpoints"
  for (const auto& each : findings) indent = std::max(indent, each.about.size() + 4);
  ui::Screen screen(stdout, ui::Screen::style_of(stdout));
  if (!title.empty()) screen.line({Color::bold, title});
  for (const auto& each : findings) {
    const std::string about = fmt::format("  {:<{}}", each.about, indent - 2);
    screen.line(Styled(about) + Styled(each.wrong ? Color::red : Color::none, each.what), indent);
    if (!each.help.empty()) screen.line(std::string(indent, ' ') + "help: " + each.help, indent);
  }
  screen.line(wrong ? Styled(Color::red, "something is wrong")
                    : Styled(Color::green, "all is well"));
  return printed(status);
}

ExitStatus check_up(const Context& context, bool json) {
  process::GuardedRunner runner(context.resources.guard);
  const auto variable = [](const std::string& name) -> std::optional<std::string> {
    const char* value = std::getenv(name.c_str());
    return value ? std::optional<std::string>(value) : std::nullopt;
  };
  const auto findings = run::check_up(context.folder, context.resources,
                                      {runner, variable, variable("HOME").value_or("")});
  return report(findings, "", Json::object(), json);
}

ExitStatus examine(const Context& context, const std::string& wanted, bool json) {
  auto journal = run::required_journal(context.folder);
  const journal::RunRecord run = run::find_run(*journal, wanted);
  process::GuardedRunner runner(context.resources.guard);
  run::require_git_answers(context.folder, runner);
  return report(run::examine(context.folder, *journal, run), run.id, {{"run", run.id}}, json);
}

}  // namespace

void add_doctor(Program& program) {
  struct Options {
    std::string run;
    bool json = false;
  };
  auto options = std::make_shared<Options>();
  CommandLine& command = program.add_command(
      "doctor", "Examine what runs need here; or a run: its record, worktree, branch, owner");
  command.add("RUN", &options->run, "Its id, the start of one, or 'last'");
  command.add("--json", &options->json, "As one JSON object");
  command.footer =
      "Without RUN: git, the repository, the agents' CLIs, the configuration, the journal and the "
      "disk.\nNothing is changed, and no model is asked. Exit status: 0 all is well, 1 something "
      "is wrong.";
  command.action = [options](const Context& context) {
    end_with_the_reader();
    if (options->run.empty()) return check_up(context, options->json);
    return examine(context, options->run, options->json);
  };
}

}  // namespace agneto::cli
