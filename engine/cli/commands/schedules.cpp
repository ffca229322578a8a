// agneto schedules

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "cli/commands.h"
#include "run/prepare.h"
#include "run/secrets.h"
#include "serve/scheduler.h"
#include "ui/json_lines.h"
#include "ui/readable.h"

namespace agneto::cli {
namespace {

std::string time_of(const Json& json, const char* key) {
  const auto time = parse_time(json.value(key, ""));
  return time ? ui::local_time(*time) : "never";
}

// What a server that is there does at once has come already.
std::string next_of(const Json& schedule) {
  const auto next = parse_time(schedule.value("next", ""));
  return next && *next <= SystemClock().now() ? "now" : time_of(schedule, "next");
}

std::string lines_of(const Json& schedule, std::size_t width) {
  std::string lines = printable(fmt::format(
      "{:<{}}  next {}  {} ({})  {}", schedule["name"].get<std::string>(), width, next_of(schedule),
      schedule["cron"].get<std::string>(), schedule["timezone"].get<std::string>(),
      schedule["workflow"].get<std::string>()));
  if (schedule.contains("wrong")) {
    lines += "\n" + printable(fmt::format("{:<{}}  makes no run: {}", "", width,
                                          schedule["wrong"].get<std::string>()));
  }
  if (schedule.contains("last")) {
    const Json& last = schedule["last"];
    lines += "\n" +
             printable(fmt::format("{:<{}}  last {}  {}  {}", "", width, time_of(last, "due"),
                                   last["run"].get<std::string>(),
                                   last.contains("waits_for") ? "waiting for you"
                                                              : last["status"].get<std::string>()));
  }
  return lines + "\n";
}

ExitStatus list(const Context& context, bool as_json) {
  end_with_the_reader();
  const run::Config config = run::current_config(context.folder, context.resources);
  const auto journal = run::journal_of(context.folder);
  const Json schedules =
      run::redactor_for(context.folder)
          .json(serve::described(
              config.schedules,
              run::wrong_schedules(config, context.folder, context.resources, Disk()),
              journal.get(), run::home_of(context.folder).string(), SystemClock().now()));
  std::size_t width = 0;
  for (const Json& schedule : schedules) {
    width = std::max(width, schedule["name"].get_ref<const std::string&>().size());
  }
  for (const Json& schedule : schedules) {
    fmt::print("{}", as_json ? ui::to_line(schedule) : lines_of(schedule, width));
  }
  if (schedules.empty() && !as_json) {
    fmt::print("There are no schedules here: 'schedules' in .agneto/config.yaml makes some\n");
  }
  return printed(ExitStatus::complete);
}

}  // namespace

void add_schedules(Program& program) {
  auto json = std::make_shared<bool>(false);
  CommandLine& command = program.add_command(
      "schedules", "What the server of this repository begins by itself, and when");
  command.add("--json", json.get(), "Print a line of JSON for each");
  command.footer = R"(They are in .agneto/config.yaml:
  schedules:
    nightly: {cron: "30 2 * * mon-fri", task: "update the dependencies"}

Examples:
  agneto schedules
  agneto schedules --json | jq -r .next)";
  command.action = [json](const Context& context) { return list(context, *json); };
}

}  // namespace agneto::cli
