#include "cli/working.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <mutex>
#include <thread>
#include <utility>

#include "base/text.h"
#include "cli/run_log.h"
#include "cli/service.h"
#include "cli/signals.h"
#include "run/secrets.h"
#include "ui/readable.h"
#include "workspace/workspace.h"

namespace agneto::cli {
namespace {

constexpr std::size_t text_columns = 100;

// Prints what becomes of the runs, a line each. Several threads tell at once.
class Lines {
 public:
  explicit Lines(Redactor redactor) : redactor_(std::move(redactor)) {}

  void say(const std::string& run, const std::string& what, const std::string& words = {}) {
    const std::string text = ui::first_line(printable(redactor_.text(words)), text_columns);
    const std::string line = fmt::format("{}  {}  {}{}{}\n", ui::local_time(SystemClock().now()),
                                         run, what, text.empty() ? "" : ": ", text);
    const std::lock_guard lock(mutex_);
    // The runs go on where nobody reads that any more.
    if (std::fputs(line.c_str(), stdout) >= 0) std::fflush(stdout);
  }

 private:
  std::mutex mutex_;
  const Redactor redactor_;
};

// What a person who looks at a server wants to know of a run: whom it waits for.
class ServedRun : public record::Observer {
 public:
  ServedRun(Lines& lines, std::string run) : lines_(lines), run_(std::move(run)), log_(nobody_) {}

  void event(const record::RunEvent& event) override {
    log_.event(event);
    if (const auto* asked = event.get<record::QuestionAsked>()) {
      lines_.say(run_, "asks", asked->question.question);
    }
  }

 private:
  Lines& lines_;
  const std::string run_;
  record::NoObserver nobody_;
  RunLog log_;
};

class Served : public serve::Watcher {
 public:
  explicit Served(Redactor redactor) : lines_(std::move(redactor)) {}

  std::unique_ptr<record::Observer> taken(const journal::RunRecord& run) override {
    lines_.say(run.id, run.status == "queued" ? "begins" : "goes on", run.task);
    return std::make_unique<ServedRun>(lines_, run.id);
  }
  void left(const journal::RunRecord& run) override { lines_.say(run.id, run.status, run.outcome); }
  void is_alive() override { watchdog_.is_alive(); }
  void is_wrong(const Error& what) override { print(what, stderr); }
  void put_off(const std::string& run_id, const std::string& why, Millis again) override {
    lines_.say(run_id, "cannot go on now, and is tried again in " + format_duration(again), why);
  }

 private:
  Lines lines_;
  Watchdog watchdog_;
};

}  // namespace

ExitStatus work_until_ended(const Context& context, serve::Options options,
                            const std::string& grace,
                            const std::function<void(journal::Journal&)>& ready) {
  const auto time = parse_duration(grace);
  if (!time) throw Error("--grace '" + grace + "' is no time", "write such as 30s or 5m");
  options.grace = *time;
  options.version = AGNETO_VERSION;
  EndSignals signals;
  const fs::path home = workspace::prepare_home(run::home_of(context.folder));
  const std::shared_ptr<journal::Journal> journal = run::open_journal(context.folder);
  run::require_person(*journal);
  SystemClock clock;
  Served watcher(run::redactor_for(context.folder));
  const bool is_home = options.is_home;
  serve::Server server(std::move(options), context.resources, journal, clock, watcher);
  ready(*journal);
  if (is_home) {
    fmt::print("serving the runs of {}; Ctrl+C ends that\n", home.parent_path().string());
  } else {
    fmt::print("working on runs that travel through a hub; Ctrl+C ends that\n");
  }
  printed(ExitStatus::complete);
  const std::jthread listening([&](const std::stop_token& stop) {
    constexpr int patience_ms = 50;
    while (!stop.stop_requested()) {
      pollfd wait{signals.descriptor(), POLLIN, 0};
      signalfd_siginfo info;
      if (poll(&wait, 1, patience_ms) <= 0) continue;
      if (read(signals.descriptor(), &info, sizeof info) != sizeof info) continue;
      say_stopping();
      server.stop();
      fmt::print("nothing more is taken up; what is under way may end within {}\n", grace);
      std::fflush(stdout);
    }
  });
  say_ready();
  server.work();
  return printed(ExitStatus::complete);
}

}  // namespace agneto::cli
