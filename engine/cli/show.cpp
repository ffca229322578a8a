// agneto show

#include <fmt/format.h>

#include "base/text.h"
#include "cli/commands.h"
#include "ui/console.h"
#include "ui/screen.h"

namespace agneto::cli {
namespace {

// The path that a run took, as its journal has it: every transition, then where it stands.
void show_path(const std::vector<journal::Entry>& entries) {
  for (const auto& entry : entries) {
    if (entry.kind != "macrostep") continue;
    for (const auto& taken : entry.body.at("transitions")) {
      std::string targets;
      for (const auto& target : taken.at("to")) {
        targets += (targets.empty() ? "" : ", ") + target.get<std::string>();
      }
      std::string instance = ui::readable_path(taken.at("instance").get<std::string>());
      std::string event = taken.at("event");
      fmt::print("  {}  {}{} → {}{}\n", format_time(entry.time).substr(11, 8),
                 instance.empty() ? "" : instance + "/", taken.at("from").get<std::string>(),
                 targets.empty() ? "(stays)" : targets, event.empty() ? "" : "  " + event);
    }
  }
}

void show_question(const std::string& run, const Json& outstanding) {
  for (const auto& [path, effect] : outstanding.items()) {
    if (!effect.contains("question")) continue;
    fmt::print("question  {}\n", printable(effect.at("question").get<std::string>()));
    for (const auto& option : effect.value("options", Json::array())) {
      fmt::print("          agneto resume {} --answer {}   {}\n", run,
                 option.at("name").get<std::string>(),
                 printable(option.value("label", std::string())));
    }
  }
}

Json described(const journal::Run& run, const Json& state,
               const std::vector<journal::Entry>& entries) {
  Json path = Json::array();
  for (const auto& entry : entries) {
    if (entry.kind != "macrostep") continue;
    for (const auto& taken : entry.body.at("transitions")) path.push_back(taken);
  }
  Json json = {{"run", run.id},
               {"workflow", run.workflow},
               {"task", run.task},
               {"status", run.status},
               {"outcome", run.outcome},
               {"base", run.base},
               {"branch", run.branch},
               {"created", format_time(run.created)},
               {"updated", format_time(run.updated)},
               {"totals", state.at("run").at("totals")},
               {"outstanding", state.at("run").at("outstanding")},
               {"path", std::move(path)}};
  if (run.status == "interrupted") json["resume"] = "agneto resume " + run.id;
  return json;
}

ExitStatus show(const Context& context, const std::string& wanted, bool json) {
  auto journal = run::journal_of(context.folder);
  if (!journal) throw Error("there are no runs here", "start one with 'agneto run TASK'");
  journal::Run run = run::find_run(*journal, wanted);
  run.status = run::status_of(context.folder, run);
  Json state = journal->state(run.id);
  auto entries = journal->entries(run.id);
  if (json) {
    fmt::print("{}\n", to_text(described(run, state, entries)));
    return ExitStatus::complete;
  }
  const Json& totals = state.at("run").at("totals");
  fmt::print("run       {}\ntask      {}\nstatus    {}{}\n", run.id,
             shortened(printable(run.task), 200), run.status,
             run.outcome.empty() ? "" : " (" + run.outcome + ")");
  if (!run.branch.empty()) fmt::print("branch    {} from {}\n", run.branch, run.base);
  fmt::print("agents    {}\n", run.options.value("provider", ""));
  fmt::print("effort    {} agent calls, {} attempts, {} tokens, ${:.2f}, {}\n",
             totals.at("calls").get<int>(), totals.at("attempts").get<int>(),
             totals.at("input_tokens").get<std::int64_t>() +
                 totals.at("output_tokens").get<std::int64_t>(),
             totals.at("cost").get<double>(),
             format_duration(Millis(totals.at("worked").get<std::int64_t>())));
  fmt::print("started   {}\nupdated   {}\n", format_time(run.created), format_time(run.updated));
  if (run.status == "interrupted") fmt::print("go on     agneto resume {}\n", run.id);
  const Json& outstanding = state.at("run").at("outstanding");
  for (const auto& [path, effect] : outstanding.items()) {
    fmt::print("open      {}\n", ui::readable_path(path));
  }
  show_question(run.id, outstanding);
  fmt::print("path\n");
  show_path(entries);
  return ExitStatus::complete;
}

}  // namespace

void add_show(CLI::App& app, Context& context) {
  struct Options {
    std::string run;
    bool json = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("show", "Show how a run stands: state, path taken, cost, open question");
  command->add_option("RUN", options->run, "Its id, the start of one, or 'last'")->required();
  command->add_flag("--json", options->json, "As one JSON object");
  command->callback([options, &context] {
    context.action = [options, &context] { return show(context, options->run, options->json); };
  });
}

}  // namespace agneto::cli
