// agneto show

#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "base/text.h"
#include "chart/path.h"
#include "cli/commands.h"
#include "run/questions.h"
#include "run/reader.h"
#include "run/totals.h"
#include "ui/answers.h"
#include "ui/ending.h"
#include "ui/json_lines.h"
#include "ui/readable.h"
#include "ui/screen.h"
#include "workspace/branch_work.h"

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
    if (entry.kind != "macrostep" || !entry.stands) continue;
    std::string time = ui::local_time(entry.time);
    if (time.substr(0, 10) != day) fact(screen, day.empty() ? "path" : "", time.substr(0, 10));
    day = time.substr(0, 10);
    std::string start = "  " + time.substr(11) + "  ";
    for (const auto& taken : entry.body.at("transitions")) {
      auto targets = taken.at("to").get<std::vector<std::string>>();
      std::string instance = ui::readable_path(taken.at("instance").get<std::string>());
      std::string event = taken.at("event");
      screen.line(start + chart::within(instance, taken.at("from").get<std::string>()) + " → " +
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

// An open question.
Json question_of(const std::string& path, const Json& effect) {
  Json options = Json::array();
  for (const auto& option : effect.at("options")) {
    options.push_back({{"name", option.at("name")},
                       {"label", option.at("label")},
                       {"feedback", option.at("feedback")},
                       {"edit", option.contains("edit")}});
  }
  return {{"id", path},
          {"question", effect.at("question")},
          {"show", effect.at("show")},
          {"options", std::move(options)},
          {"default", effect.at("default")},
          {"words", effect.at("text") != "none"}};
}

// While somebody works on the run, another question may be open by the time that one is answered:
// so it is named then.
ui::Asking asking_of(const journal::RunRecord& run, const Json& questions, const Json& question) {
  const std::string id = question.at("id");
  const bool live = run.status == "running";
  return {run.id, live || questions.size() > 1 ? id : "", live};
}

// `answered`: what somebody answered elsewhere and nobody has taken yet.
Json questions_of(const journal::RunRecord& run, const Json& outstanding,
                  const std::vector<journal::Message>& inbox) {
  Json questions = Json::array();
  for (const auto& [path, effect] : outstanding.items()) {
    if (effect.at("effect") == "ask") questions.push_back(question_of(path, effect));
  }
  for (auto& question : questions) {
    question["answer"] = ui::answer_command(asking_of(run, questions, question));
    const auto* posted = run::posted_to(inbox, question.at("id"));
    if (!posted) continue;
    question["answered"] = posted->body;
    question["answered"].erase("question");
    question["answered"]["time"] = format_time(posted->time);
  }
  return questions;
}

void show_question(Screen& screen, const ui::Asking& asking, const Json& question,
                   const journal::Message* posted) {
  fact(screen, "question", question.at("question"));
  fact(screen, "  id", question.at("id"));
  if (posted) {
    fact(screen, "  answer",
         fmt::format("{} by {} at {}", run::describe(record::posted_answer(posted->body)),
                     posted->body.value("by", ""), ui::local_time(posted->time)));
    fact(screen, "  go on", "agneto resume " + asking.run);
    return;
  }
  std::vector<ui::Choice> choices;
  for (const auto& option : question.at("options")) {
    choices.push_back({option.at("name"), option.at("label"), option.at("feedback") == "required",
                       option.at("edit")});
  }
  for (auto& line : ui::answer_commands(asking, choices, question.at("words"), screen.width())) {
    screen.line(std::move(line), Screen::as_is);
  }
}

// The states that it is in, without those around them: "TASK_EXECUTING/CODE_REVIEW".
void add_states(const Json& machine, const std::string& place, const model::System* system,
                std::vector<std::string>& all) {
  const Json& children = member(machine, "children");
  const model::Machine* known = nullptr;
  if (system) {
    const auto found =
        std::find_if(system->machines.begin(), system->machines.end(),
                     [&](const auto& each) { return each.name == machine.at("machine"); });
    if (found != system->machines.end()) known = &*found;
  }
  for (const std::string name : machine.at("active")) {
    const auto id = known ? known->find(name) : model::none;
    const bool around = id != model::none && !known->state(id).children.empty();
    const bool delegates =
        std::any_of(children.items().begin(), children.items().end(),
                    [&](const auto& child) { return chart::last_name(child.key()) == name; });
    if (!around && !delegates) all.push_back(place + name);
  }
  for (const auto& [name, child] : children.items()) {
    add_states(child, place + name + "/", system, all);
  }
}

std::vector<std::string> states_of(const Json& instance, const model::System* system) {
  std::vector<std::string> all;
  if (instance.at("root").is_object()) add_states(instance.at("root"), "", system, all);
  return all;
}

// How a run ended, as the last of its steps has it; nothing while it has not.
std::optional<ui::Ending> ending_of(const Context& context, const journal::RunRecord& run,
                                    const std::vector<journal::Entry>& entries) {
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
    if (entry->kind != "macrostep" || !entry->stands) continue;
    for (const auto& effect : entry->body.at("effects")) {
      if (effect.at("effect") != "finish") continue;
      return ui::Ending{run.outcome,
                        run.status,
                        effect.at("reason"),
                        effect.at("outputs"),
                        run.branch,
                        run.base,
                        workspace::branch_work(context.folder, run.base, run.branch)};
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

struct Shown {
  journal::RunRecord run;
  Json state;
  std::vector<std::string> states;
  std::vector<journal::Entry> entries;
  Json totals;
  std::vector<journal::Message> inbox;

  Json outstanding() const { return state.at("run").value("outstanding", Json::object()); }
};

Json described(const Shown& shown) {
  const journal::RunRecord& run = shown.run;
  Json path = Json::array();
  for (const auto& entry : shown.entries) {
    if (entry.kind != "macrostep" || !entry.stands) continue;
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
               {"states", shown.states},
               {"totals", shown.totals},
               {"outstanding", shown.outstanding()},
               {"questions", questions_of(run, shown.outstanding(), shown.inbox)},
               {"path", std::move(path)}};
  if (run.status == "interrupted") json["resume"] = "agneto resume " + run.id;
  return json;
}

void print(const Context& context, const Shown& shown) {
  const journal::RunRecord& run = shown.run;
  Screen screen(stdout, Screen::style_of(stdout));
  fact(screen, "run", run.id);
  fact(screen, "task", ui::first_line(run.task, task_columns));
  auto ending = ending_of(context, run, shown.entries);
  std::string why = ending ? ending->why() : "";
  fact(screen, "status",
       run.status + (run.outcome.empty() ? "" : " (" + run.outcome + ")") +
           (why.empty() ? "" : ": " + why));
  if (!run.branch.empty()) {
    fact(screen, "branch", run.branch + " from " + ui::readable_base(run.base));
  }
  fact(screen, "agents", run.options.value("provider", ""));
  fact(screen, "effort", effort(shown.totals));
  fact(screen, "started", ui::local_time(run.created));
  fact(screen, "updated", ui::local_time(run.updated));
  if (run.status == "interrupted") fact(screen, "go on", "agneto resume " + run.id);
  if (ending) {
    for (const auto& [name, value] : ui::facts(*ending)) fact(screen, name, value);
  }
  if (!shown.states.empty()) fact(screen, "state", join(shown.states, ", "));
  const Json outstanding = shown.outstanding();
  for (const auto& [path, effect] : outstanding.items()) {
    fact(screen, "open", ui::readable_path(path));
  }
  const Json questions = questions_of(run, outstanding, shown.inbox);
  for (const auto& question : questions) {
    show_question(screen, asking_of(run, questions, question), question,
                  run::posted_to(shown.inbox, question.at("id")));
  }
  show_path(screen, shown.entries);
}

ExitStatus show(const Context& context, const run::Reader& reader, bool json) {
  Shown shown{reader.line(), reader.state(), {}, reader.entries(), {}, reader.inbox()};
  shown.totals = run::totals_of(shown.state, shown.run, shown.entries, SystemClock().now());
  const auto workflow = reader.workflow();
  shown.states = states_of(shown.state.at("instance"), workflow ? workflow->system.get() : nullptr);
  if (json) {
    fmt::print("{}", ui::to_line(described(shown)));
  } else {
    print(context, shown);
  }
  return printed(ExitStatus::complete);
}

}  // namespace

void add_show(Program& program) {
  struct Options {
    std::string run;
    bool json = false;
  };
  auto options = std::make_shared<Options>();
  Command& command =
      program.add_command("show", "Show how a run stands: state, path taken, cost, open question");
  command.add("RUN", &options->run, "Its id, the start of one, or 'last'", {.required = true});
  command.add("--json", &options->json, "As one JSON object");
  command.action = [options](const Context& context) {
    end_with_the_reader();
    const run::Reader reader(context.folder, options->run);
    return reader.telling([&] { return show(context, reader, options->json); });
  };
}

}  // namespace agneto::cli
