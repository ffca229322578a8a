// agneto runs

#include "cli/runs.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>

#include "base/clock.h"
#include "base/text.h"
#include "cli/commands.h"
#include "serve/desk.h"
#include "ui/json_lines.h"
#include "ui/readable.h"
#include "ui/screen.h"
#include "ui/standing.h"

namespace agneto::cli {
namespace {

struct RunsOptions {
  RunFilter wanted;
  std::string since;
  bool json = false;
};

// "7d" before now, or midnight of "2026-11-21" by this machine's clock.
Time time_of(const std::string& since) {
  if (const auto ago = parse_duration(since)) return SystemClock().now() - *ago;
  std::tm day{};
  const char* end = strptime(since.c_str(), "%Y-%m-%d", &day);
  if (!end || *end != '\0') {
    throw Error("--since '" + since + "' is no time",
                "write how long ago, such as 12h or 7d, or a day, such as 2026-11-21");
  }
  day.tm_isdst = -1;
  return Time(std::chrono::seconds(std::mktime(&day)));
}

// "$1.50", "at least $0.03", "no price"; empty: it has cost nothing.
std::string cost_of(const Listed& listed) {
  const agents::Usage& usage = listed.totals.usage;
  if (usage.cost == 0) return usage.unpriced > 0 ? "no price" : "";
  return fmt::format("{}${:.2f}", usage.unpriced > 0 ? "at least " : "", usage.cost);
}

// One line a run: at a terminal cut at its width, else with the beginning of the task.
void print_table(const std::vector<Listed>& runs, Time now) {
  constexpr std::size_t minutes = 16;  // of "2026-11-21 21:02:36"
  ui::Screen screen(stdout, ui::Screen::style_of(stdout));
  std::size_t id_width = 0, status_width = std::string_view("interrupted").size();
  std::size_t cost_width = 0;
  for (const auto& listed : runs) {
    id_width = std::max(id_width, listed.run.id.size());
    status_width = std::max(status_width, ui::standing(listed.run, listed.waiting, now).size());
    cost_width = std::max(cost_width, cost_of(listed).size());
  }
  for (const auto& listed : runs) {
    const journal::RunRecord& run = listed.run;
    std::string columns = fmt::format("{:<{}}  {:<{}}  {}  ", run.id, id_width,
                                      ui::standing(listed.run, listed.waiting, now), status_width,
                                      ui::local_time(run.updated).substr(0, minutes));
    if (cost_width > 0) columns += fmt::format("{:>{}}  ", cost_of(listed), cost_width);
    ui::Styled line(columns + ui::first_line(run.task, ui::one_line));
    screen.line(isatty(STDOUT_FILENO) != 0 ? line.fitted(screen.width()) : line, ui::Screen::as_is);
  }
  for (const auto& [run, waiting, totals] : runs) {
    if (run.status == "interrupted") fmt::print("go on: agneto resume {}\n", run.id);
  }
}

ExitStatus list_runs(const Context& context, const RunsOptions& options) {
  end_with_the_reader();
  const auto there = runs_of(context);
  RunFilter wanted = options.wanted;
  if (!options.since.empty()) wanted.since = time_of(options.since);
  auto runs = there->list(wanted);
  const Time now = SystemClock().now();
  there->count(runs, now);
  if (options.json) {
    for (const auto& [run, waiting, totals] : runs) {
      Json json = run::described(run);
      json["totals"] = record::to_json(totals);
      if (waiting.for_person) json["waits_for"] = "person";
      if (!waiting.away.empty()) json["away"] = run::described(waiting.away);
      fmt::print("{}", ui::to_line(json));
    }
  } else if (!runs.empty()) {
    print_table(runs, now);
  } else if (!there->list({.most = 1}).empty()) {
    fmt::print("No run here is like that.\n");
  } else {
    fmt::print("No runs here yet. Start one: agneto run \"what is to be done\"\n");
  }
  return printed(ExitStatus::complete);
}

}  // namespace

bool RunFilter::fits(const Listed& listed) const {
  const auto contains = [this](const std::string& where) {
    return lower(where).find(lower(text)) != std::string::npos;
  };
  const auto wanted = [this](const std::string& one) {
    return std::ranges::find(status, one) != status.end();
  };
  const journal::RunRecord& run = listed.run;
  const bool asks = listed.waiting.for_person;
  const bool chosen =
      (asks && wanted("waiting")) || (wanted(run.status) && !(asks && run.status == "parked"));
  return (status.empty() || chosen) && (workflow.empty() || run.workflow == workflow) &&
         (contains(run.id) || contains(run.task)) && run.updated >= since;
}

void add_runs(Program& program) {
  auto options = std::make_shared<RunsOptions>();
  CommandLine& command =
      program.add_command("runs", "List the runs of this repository, newest first");
  command.add(
      "-s,--status", &options->wanted.status,
      "Only those: queued, running, parked, interrupted, suspended, waiting (for you, with a "
      "question), complete, failed, aborted",
      {.choices = serve::Listing::known_statuses()});
  command.add("-w,--workflow", &options->wanted.workflow, "Only those of this workflow");
  command.add("-t,--text", &options->wanted.text, "Only those whose task or id contains this");
  command.add("--since", &options->since,
              "Only those that something happened in since: 12h, 7d, 2026-11-21");
  command.add("-n,--limit", &options->wanted.most, "At most so many", {.range = {{1, 1'000'000}}});
  command.add("--json", &options->json, "One JSON object a line");
  command.footer = R"(Examples:
  agneto runs --status waiting
  agneto runs --text login --since 7d
  agneto runs --json | jq -r 'select(.status == "failed").run')";
  program.add_server_options(command);
  command.action = [options](const Context& context) { return list_runs(context, *options); };
}

}  // namespace agneto::cli
