// agneto worker and agneto workers

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/runs.h"
#include "cli/working.h"
#include "run/labels.h"
#include "run/prepare.h"
#include "ui/json_lines.h"
#include "ui/readable.h"

namespace agneto::cli {
namespace {

constexpr int most_slots = 1000;

struct WorkerOptions {
  std::string grace = "30s";
  std::vector<std::string> labels;
  int slots = 4;
  std::string cache;
};

ExitStatus work(const Context& context, const WorkerOptions& options) {
  if (!run::is_shared(run::journal_place(context.folder))) {
    throw Error("a worker takes up runs of a shared database, and none is named here",
                "name it: agneto worker --journal postgresql://HOST/DATABASE; where runs are in "
                "a file, 'agneto serve' works on them");
  }
  for (const std::string& label : options.labels) {
    if (run::is_label(label)) continue;
    throw Error("--labels '" + printable(label) + "' is no label",
                "write such as gpu or linux-arm64");
  }
  Context with_cache = context;
  if (!options.cache.empty()) with_cache.resources.cache = fs::absolute(options.cache);
  return work_until_ended(
      with_cache,
      {.folder = context.folder, .is_home = false, .runs = options.slots, .labels = options.labels},
      options.grace, [](journal::Journal&) {});
}

ExitStatus list(const Context& context, bool json) {
  const auto all = runs_of(context)->workers();
  if (json) {
    for (const serve::Worker& worker : all) fmt::print("{}", ui::to_line(worker.to_json()));
    return printed(ExitStatus::complete);
  }
  if (all.empty()) fmt::print("nobody takes up runs: agneto serve, or agneto worker\n");
  for (const serve::Worker& worker : all) {
    fmt::print("{}  {}, {} of {} runs{}{}\n", printable(worker.name), printable(worker.kind),
               worker.runs.size(), worker.slots, worker.ends ? ", takes up nothing more" : "",
               worker.since == Time() ? "" : ", since " + ui::local_time(worker.since));
    std::vector<std::string> has;
    for (const std::string& label : worker.labels) {
      const auto version = worker.versions.find(label);
      has.push_back(label + (version == worker.versions.end() ? "" : " " + version->second));
    }
    fmt::print("  has: {}\n", printable(join(has, ", ")));
    if (!worker.runs.empty()) {
      fmt::print("  works on: {}\n", printable(fmt::format("{}", fmt::join(worker.runs, " "))));
    }
  }
  return printed(ExitStatus::complete);
}

}  // namespace

void add_worker(Program& program) {
  auto options = std::make_shared<WorkerOptions>();
  CommandLine& command = program.add_command(
      "worker", "Work on runs of a shared database that travel through a hub, until it is ended");
  command.add("--labels", &options->labels, "What this machine has that runs may need, such as gpu",
              {.shown_as = "LABEL"});
  command.add("--slots", &options->slots, "How many runs it works on at the same time (default: 4)",
              {.range = {{1, most_slots}}});
  command.add("--cache", &options->cache, "Where the clones of hubs are",
              {.shown_default = "~/.cache/agneto/hubs"});
  command.add("--grace", &options->grace,
              "After the first signal: how long what is under way may take to end",
              {.shown_default = options->grace});
  command.footer = R"(Examples:
  agneto worker --journal postgresql://db.example.com/agneto --slots 2
  agneto workers --journal postgresql://db.example.com/agneto      in another terminal)";
  command.action = [options](const Context& context) { return work(context, *options); };
}

void add_workers(Program& program) {
  auto json = std::make_shared<bool>(false);
  CommandLine& command = program.add_command(
      "workers", "Show who takes up runs: what they have, and what they work on");
  command.add("--json", json.get(), "One JSON object a line");
  program.add_server_options(command);
  command.action = [json](const Context& context) { return list(context, *json); };
}

}  // namespace agneto::cli
