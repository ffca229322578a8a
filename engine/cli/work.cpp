#include "cli/work.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "base/text.h"
#include "cli/export_formats.h"
#include "cli/run_log.h"
#include "cli/signals.h"
#include "run/assembly.h"
#include "run/secrets.h"
#include "ui/cassette_human.h"
#include "ui/console.h"
#include "ui/json_lines.h"
#include "ui/redacted.h"
#include "ui/terminal_human.h"
#include "workspace/branch_work.h"

namespace agneto::cli {
namespace {

// Passes everything on, and notes which of the faults of a cassette were injected.
class FaultReport : public record::Observer {
 public:
  FaultReport(record::Observer& next, std::vector<std::string> faults)
      : next_(next), left_(std::move(faults)) {}

  void event(const record::RunEvent& event) override {
    if (const auto* note = event.get<record::Note>()) {
      const auto injected = std::find(left_.begin(), left_.end(), note->fault);
      if (injected != left_.end()) left_.erase(injected);
    }
    next_.event(event);
  }
  void tick(Time now) override { next_.tick(now); }

  // Those that were not injected, as they were given.
  const std::vector<std::string>& left() const { return left_; }

 private:
  record::Observer& next_;
  std::vector<std::string> left_;
};

}  // namespace

bool somebody_there() {
  return isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0;
}

ExitStatus work(
    const Context& context, const Manner& manner,
    const std::function<std::unique_ptr<run::Assembly>(run::Human&, record::Observer&)>& assemble) {
  Signals signals;
  const SystemClock clock;
  bool terminal = isatty(STDOUT_FILENO) != 0;
  ui::Screen screen(stdout, ui::Screen::style_of(stdout));
  const bool asks =
      manner.answers.is_null() && manner.interactive && !manner.json && somebody_there();
  std::unique_ptr<record::Observer> observer;
  if (manner.json) {
    observer = std::make_unique<ui::JsonLines>(stdout);
  } else {
    observer = std::make_unique<ui::Console>(
        screen, terminal, std::bind_front(workspace::branch_work, run::home_of(context.folder)),
        asks);
  }
  std::unique_ptr<run::Human> human;
  if (!manner.answers.is_null()) {
    human = std::make_unique<ui::CassetteHuman>(manner.answers);
  } else if (asks) {
    human = std::make_unique<ui::TerminalHuman>(screen, clock);
  } else {
    human = std::make_unique<run::Nobody>();
  }
  const Redactor redactor = run::redactor_for(context.folder);
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
      fmt::print(stderr, "agneto: --fault {} was not injected: no attempt that it names was made\n",
                 fault);
    }
  }
  const std::string& file = assembly->record_file();
  return file.empty() ? status : recorded(context.folder, assembly->run_id(), file, status);
}

run::Restored rewind(const Context& context, const run::Moment& moment, bool json) {
  run::Restored restored = run::rewind(moment, context.resources);
  std::FILE* out = json ? stderr : stdout;
  fmt::print(
      out, "{} is again as it was after entry {}{}\n", restored.run, moment.seq,
      restored.files ? ", files and all" : "; it has no worktree, so the files stay as they are");
  for (const auto& note : restored.notes) fmt::print(out, "{}\n", printable(note));
  for (const auto& ref : restored.kept) fmt::print(out, "what that took away is kept: {}\n", ref);
  std::fflush(out);
  return restored;
}

ExitStatus resume(const Context& context, const run::Reopen& request, const Manner& manner) {
  return work(context, manner, [&](run::Human& human, record::Observer& observer) {
    return run::Assembly::reopen(request, context.resources, human, observer);
  });
}

}  // namespace agneto::cli
