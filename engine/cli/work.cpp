#include "cli/work.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "cli/fault_report.h"
#include "cli/record.h"
#include "cli/run_log.h"
#include "cli/signals.h"
#include "run/secrets.h"
#include "ui/cassette_human.h"
#include "ui/console.h"
#include "ui/json_lines.h"
#include "ui/redacted.h"
#include "ui/terminal_human.h"
#include "workspace/branch_work.h"

namespace agneto::cli {

bool somebody_there() {
  return isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0;
}

ExitStatus work(
    const Manner& manner,
    const std::function<std::unique_ptr<run::Assembly>(run::Human&, record::Observer&)>& assemble) {
  Signals signals;
  bool terminal = isatty(STDOUT_FILENO) != 0;
  ui::Screen screen(stdout, ui::Screen::style_of(stdout));
  std::unique_ptr<record::Observer> observer;
  if (manner.json) {
    observer = std::make_unique<ui::JsonLines>(stdout);
  } else {
    auto look = [folder = manner.folder](const std::string& base, const std::string& branch) {
      return workspace::branch_work(folder, base, branch);
    };
    observer = std::make_unique<ui::Console>(screen, terminal, look);
  }
  std::unique_ptr<run::Human> human;
  if (!manner.answers.is_null()) {
    human = std::make_unique<ui::CassetteHuman>(manner.answers);
  } else if (manner.interactive && !manner.json && somebody_there()) {
    human = std::make_unique<ui::TerminalHuman>(screen);
  } else {
    human = std::make_unique<run::Nobody>();
  }
  const Redactor redactor = run::redactor_for(manner.folder);
  ui::RedactedObserver watching(std::move(observer), redactor);
  ui::RedactedHuman asked(std::move(human), redactor);
  FaultReport faults(watching, manner.faults);
  RunLog watched(faults);
  auto assembly = assemble(asked, watched);
  const log::Scope scope(assembly->run_id());
  signals.attach(assembly->engine());
  ExitStatus status = assembly->engine().work();
  signals.release();
  if (status != ExitStatus::suspended) {
    for (const auto& fault : faults.left()) {
      std::fflush(stdout);
      fmt::print(stderr, "agneto: --fault {} struck nothing: there was no such try\n", fault);
    }
  }
  const std::string& file = assembly->record_file();
  return file.empty() ? status : recorded(manner.folder, assembly->run_id(), file, status);
}

}  // namespace agneto::cli
