// agneto show

#include <fmt/format.h>

#include "base/text.h"
#include "cli/commands.h"
#include "ui/answers.h"
#include "ui/ending.h"
#include "ui/readable.h"
#include "ui/screen.h"
#include "workspace/look.h"

namespace agneto::cli {
namespace {

using ui::Screen;
using ui::Styled;

constexpr std::size_t indent = 10;
constexpr std::size_t task_columns = 200;

void fact(Screen& screen, const std::string& name, const std::string& value) {
  screen.line(fmt::format("{:<{}}{}", name, indent, value), indent);
}

// What went wrong: the problems of a step, or the message of an event that is a failure.
std::vector<std::string> failures(const Json& macrostep) {
  std::vector<std::string> all;
  for (const auto& problem : macrostep.value("problems", Json::array())) {
    all.push_back(problem.at("event").get<std::string>() + ": " +
                  problem.at("message").get<std::string>());
  }
  const Json& event = macrostep.at("event");
  if (!event.is_object()) return all;
  std::string name = event.at("name");
  bool failed = starts_with_word(name, "error") || name == "failed" || name == "conflict";
  const Json& data = event.at("data");
  if (failed && data.is_object() && data.contains("message") && data["message"].is_string()) {
    all.push_back(data["message"]);
  }
  return all;
}

// The path that a run took, as its journal has it: every transition, and what went wrong on it.
void show_path(Screen& screen, const std::vector<journal::Entry>& entries) {
  std::string day;
  for (const auto& entry : entries) {
    if (entry.kind != "macrostep") continue;
    std::string time = ui::local_time(entry.time);
    if (time.substr(0, 10) != day) fact(screen, day.empty() ? "path" : "", time.substr(0, 10));
    day = time.substr(0, 10);
    std::string start = "  " + time.substr(11) + "  ";
    for (const auto& taken : entry.body.at("transitions")) {
      auto targets = taken.at("to").get<std::vector<std::string>>();
      std::string instance = ui::readable_path(taken.at("instance").get<std::string>());
      std::string event = taken.at("event");
      screen.line(start + (instance.empty() ? "" : instance + "/") +
                      taken.at("from").get<std::string>() + " → " +
                      (targets.empty() ? "(stays)" : join(targets, ", ")) +
                      (event.empty() ? "" : "  " + event),
                  start.size() + 2);
      start.replace(0, start.size(), start.size(), ' ');
    }
    for (const auto& failure : failures(entry.body)) {
      screen.line(Styled(start) + Styled(ui::Color::red, failure), start.size());
      start.replace(0, start.size(), start.size(), ' ');
    }
  }
}

void show_question(Screen& screen, const std::string& run, const Json& outstanding) {
  for (const auto& [path, effect] : outstanding.items()) {
    if (!effect.contains("question")) continue;
    fact(screen, "question", effect.at("question"));
    std::vector<ui::Choice> choices;
    for (const auto& option : effect.at("options")) {
      choices.push_back({option.at("name"), option.at("label"), option.at("feedback") == "required",
                         option.contains("edit")});
    }
    bool words = effect.at("text") != "none";
    for (auto& line : ui::answer_commands(run, choices, words, screen.width())) {
      screen.line(std::move(line), Screen::as_is);
    }
  }
}

// How a run ended, as the last of its steps has it; nothing while it has not.
std::optional<ui::Ending> ending_of(const Context& context, const journal::Run& run,
                                    const std::vector<journal::Entry>& entries) {
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
    if (entry->kind != "macrostep") continue;
    for (const auto& effect : entry->body.at("effects")) {
      if (effect.at("effect") != "finish") continue;
      return ui::Ending{run.outcome,
                        run.status,
                        effect.at("reason"),
                        effect.at("outputs"),
                        run.branch,
                        run.base,
                        workspace::look_command(context.folder, run.base, run.branch)};
    }
  }
  return std::nullopt;
}

std::string effort(const Json& totals) {
  int calls = totals.at("calls");
  int attempts = totals.at("attempts");
  std::int64_t tokens = totals.at("input_tokens").get<std::int64_t>() +
                        totals.at("output_tokens").get<std::int64_t>();
  return ui::readable_effort(calls, totals.at("cost"), tokens) +
         (attempts > calls ? fmt::format(" · {} attempts", attempts) : "") + " · " +
         format_duration(Millis(totals.at("worked").get<std::int64_t>()));
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
  end_with_the_reader();
  auto journal = run::journal_of(context.folder);
  if (!journal) throw Error("there are no runs here", "start one with 'agneto run TASK'");
  journal::Run run = run::find_run(*journal, wanted);
  run.status = run::status_of(context.folder, run);
  Json state = journal->state(run.id);
  auto entries = journal->entries(run.id);
  if (json) {
    fmt::print("{}\n", to_text(described(run, state, entries)));
    return printed(ExitStatus::complete);
  }
  Screen screen(stdout, Screen::style_of(stdout));
  fact(screen, "run", run.id);
  fact(screen, "task", ui::first_line(run.task, task_columns));
  auto ending = ending_of(context, run, entries);
  std::string why = ending ? ending->why() : "";
  fact(screen, "status",
       run.status + (run.outcome.empty() ? "" : " (" + run.outcome + ")") +
           (why.empty() ? "" : ": " + why));
  if (!run.branch.empty()) {
    fact(screen, "branch", run.branch + " from " + ui::readable_base(run.base));
  }
  fact(screen, "agents", run.options.value("provider", ""));
  fact(screen, "effort", effort(state.at("run").at("totals")));
  fact(screen, "started", ui::local_time(run.created));
  fact(screen, "updated", ui::local_time(run.updated));
  if (run.status == "interrupted") fact(screen, "go on", "agneto resume " + run.id);
  if (ending) {
    for (const auto& [name, value] : ui::facts(*ending)) fact(screen, name, value);
  }
  const Json& outstanding = state.at("run").at("outstanding");
  for (const auto& [path, effect] : outstanding.items()) {
    fact(screen, "open", ui::readable_path(path));
  }
  show_question(screen, run.id, outstanding);
  show_path(screen, entries);
  return printed(ExitStatus::complete);
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
