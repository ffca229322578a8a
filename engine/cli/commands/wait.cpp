// agneto wait

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/runs.h"
#include "cli/served.h"
#include "ui/json_lines.h"

namespace agneto::cli {
namespace {

constexpr Millis between_run_looks{100};

struct WaitOptions {
  std::vector<std::string> runs;
  std::string timeout;
  bool json = false;
};

ExitStatus status_of(const std::string& status) {
  if (status == "complete") return ExitStatus::complete;
  if (status == "aborted") return ExitStatus::aborted;
  return status == "failed" ? ExitStatus::failed : ExitStatus::suspended;
}

// Has the run ended, or does it need a person?
bool is_over(const run::Reader& reader, const journal::RunRecord& run) {
  if (run.status == "interrupted") return !is_for_server(run);
  if (journal::has_ended(run) || run.status == "suspended") return true;
  const run::Waiting waiting = reader.waiting();
  return waiting.for_person && !waiting.at_work;
}

void tell(const run::Reader& reader, const journal::RunRecord& run, bool json) {
  if (json) {
    Json told = run::described(run);
    if (reader.waiting().for_person) told["waits_for"] = "person";
    fmt::print("{}", ui::to_line(told));
  } else if (journal::has_ended(run)) {
    fmt::print("{}: {} ({})\n", run.id, run.status, printable(run.outcome));
  } else if (run.status == "parked" || run.status == "running") {
    fmt::print("{}: waiting for you: agneto answer {}\n", run.id, run.id);
  } else {
    fmt::print("{}: {}{}{}\n", run.id, run.status, run.outcome.empty() ? "" : ": ",
               printable(run.outcome));
  }
  printed(ExitStatus::complete);
}

ExitStatus wait(const Context& context, const WaitOptions& options) {
  std::optional<Millis> timeout;
  if (!options.timeout.empty()) {
    timeout = parse_duration(options.timeout);
    if (!timeout) {
      throw Error("--timeout '" + options.timeout + "' is no time", "write such as 30s or 2h");
    }
  }
  const auto runs = runs_of(context);
  std::vector<std::unique_ptr<run::Reader>> open;
  for (const std::string& wanted : options.runs) open.push_back(runs->look(wanted));
  SystemClock clock;
  const Millis begun = clock.elapsed();
  bool told = false;
  ExitStatus worst = ExitStatus::complete;
  while (true) {
    std::erase_if(open, [&](const std::unique_ptr<run::Reader>& reader) {
      const journal::RunRecord run = reader->run();
      if (!is_over(*reader, run)) {
        if (!told) told = says_what_is_missing(*runs, run);
        return false;
      }
      tell(*reader, run, options.json);
      worst = std::max(worst, status_of(run.status));
      return true;
    });
    if (open.empty()) return worst;
    if (timeout && clock.elapsed() - begun >= *timeout) {
      throw Error(
          fmt::format("after {} {} of {} runs {} not come to an end or a question", options.timeout,
                      open.size(), options.runs.size(), open.size() == 1 ? "has" : "have"),
          "'agneto runs' shows how they stand", ExitStatus::failed);
    }
    clock.sleep(between_run_looks, {});
  }
}

}  // namespace

void add_wait(Program& program) {
  auto options = std::make_shared<WaitOptions>();
  CommandLine& command = program.add_command(
      "wait", "Wait until runs have ended, or need you: with an answer, or to go on");
  command.add("RUN", &options->runs, "Its id, the start of one, or 'last'; several are waited for",
              {.required = true});
  command.add("--timeout", &options->timeout, "Wait no longer than this: 30s, 2h");
  command.add("--json", &options->json, "One JSON object a run");
  command.footer =
      R"(Exit status: 0 all complete; else 1 one failed, 3 one needs you, 4 one was aborted; of several the
greatest.

Examples:
  agneto wait last
  agneto wait fix-a-3f2a fix-b-91d0 --timeout 1h && git push)";
  program.add_server_options(command);
  command.action = [options](const Context& context) { return wait(context, *options); };
}

}  // namespace agneto::cli
