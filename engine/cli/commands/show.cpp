// agneto show

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/json.h"
#include "base/text.h"
#include "chart/path.h"
#include "cli/commands.h"
#include "cli/runs.h"
#include "record/event_replay.h"
#include "record/options.h"
#include "record/totals.h"
#include "run/questions.h"
#include "run/reader.h"
#include "ui/ending.h"
#include "ui/json_lines.h"
#include "ui/models_used.h"
#include "ui/open_question.h"
#include "ui/readable.h"
#include "ui/screen.h"
#include "ui/standing.h"
#include "ui/ways_to_answer.h"
#include "workspace/branch_work.h"

namespace agneto::cli {
namespace {

using ui::Screen;
using ui::Styled;

constexpr std::size_t indent = 10;

void fact(Screen& screen, const std::string& name, const std::string& value) {
  screen.line(fmt::format("{:<{}}{}", name + " ", indent, value), indent);
}

// What went wrong: what could not begin in a step, its errors, taken or not, and the message of an
// event that is a failure.
std::vector<std::string> failures(const record::Macrostep& step) {
  std::vector<std::string> all;
  for (const auto* errors : {&step.caught, &step.refused, &step.problems}) {
    for (const auto& error : *errors) all.push_back(error.event + ": " + error.message);
  }
  if (!step.event) return all;
  const std::string& name = step.event->name;
  const bool failed = starts_with_word(name, "error") || name == "failed" || name == "conflict";
  const Json& message = member(step.event->data, "message");
  if (!failed || !message.is_string()) return all;
  const auto says_it = [&](const std::string& told) {
    return told.ends_with(message.get_ref<const std::string&>());
  };
  if (std::ranges::none_of(all, says_it)) all.push_back(message);
  return all;
}

// What people were told on the way, why agents were asked again, and what was cancelled; by the
// entry that has it.
using ToldSteps = std::map<record::Seq, std::vector<record::RunEvent>>;

// The agent of a call, or the program, that was not wanted any more; empty: it was.
std::string cancelled(const record::RunEvent& event) {
  if (const auto* agent = event.get<record::AgentFinished>()) {
    return agent->verdict == "cancelled" ? agent->agent : "";
  }
  const auto* program = event.get<record::CommandFinished>();
  return program && program->event == "cancelled" ? "the program" : "";
}

// What an agent's program says of its own tries is for the log alone.
bool is_told(const record::RunEvent& event, const record::Entry& entry) {
  if (!cancelled(event).empty()) return true;
  if (event.get<record::AgentRetry>() || event.get<record::Undone>()) return true;
  const auto* note = event.get<record::Note>();
  if (!note || entry.get<record::Said>()) return false;
  const auto* reply = entry.get<record::Reply>();
  return !reply || note->text == reply->kept ||
         std::ranges::find(reply->put_right, note->text) != reply->put_right.end();
}

// A provider that is away will be asked again; else the next prompt has done it.
std::string words_of(const record::RunEvent& event, bool is_asked) {
  std::string words = event.path.empty() ? "" : ui::readable_path(event.path) + ": ";
  if (const auto* note = event.get<record::Note>()) return words + note->text;
  if (const std::string who = cancelled(event); !who.empty()) return words + who + " was cancelled";
  if (const auto* undone = event.get<record::Undone>()) return words + record::describe(*undone);
  return words + (is_asked ? "asked again: " : "") + event.get<record::AgentRetry>()->reason;
}

// The path that a run took, as its journal has it: every transition, what went wrong on it, and
// what people were told.
void show_path(Screen& screen, const std::vector<record::Entry>& entries, const ToldSteps& told) {
  std::string day;
  for (const auto& entry : entries) {
    const auto* step = entry.get<record::Macrostep>();
    const auto notes = told.find(entry.seq);
    if (!entry.stands || (!step && notes == told.end())) continue;
    std::string time = ui::local_time(entry.time);
    if (time.substr(0, 10) != day) fact(screen, day.empty() ? "path" : "", time.substr(0, 10));
    day = time.substr(0, 10);
    std::string start = "  " + time.substr(11) + "  ";
    const auto put = [&](const Styled& text, std::size_t more) {
      screen.line(Styled(start) + text, start.size() + more);
      start.assign(start.size(), ' ');
    };
    if (notes != told.end()) {
      for (const auto& note : notes->second) {
        const std::string words = words_of(note, entry.get<record::Prompt>() != nullptr);
        put({ui::Color::yellow, ui::first_line(words, ui::any_width)}, 2);
      }
    }
    if (!step) continue;
    for (const auto& taken : step->transitions) {
      put(ui::readable_path(chart::within(taken.instance, taken.from)) + " → " +
              (taken.to.empty() ? "(stays)" : join(taken.to, ", ")) +
              (taken.event.empty() ? "" : "  " + taken.event),
          2);
    }
    for (const auto& failure : failures(*step)) put({ui::Color::red, failure}, 0);
  }
}

// An open question, and what somebody answered elsewhere that nobody has taken yet.
struct Open {
  record::Question question;
  ui::Asking asking;
  std::optional<run::WaitingAnswer> answer;
};

// While somebody works on the run, another question may be open by the time that one is answered:
// so it is named then.
std::vector<Open> questions_of(const journal::RunRecord& run,
                               std::vector<record::Question> questions,
                               const std::vector<journal::Message>& inbox) {
  const bool live = run.status == "running" || run.status == "parked";
  const bool named = live || questions.size() > 1;
  std::vector<Open> all;
  for (auto& question : questions) {
    auto& open = all.emplace_back();
    open.question = std::move(question);
    const std::string& path = open.question.path;
    open.asking = {run.id, named ? path : "", live};
    open.answer = run::answer_waiting(inbox, path);
  }
  return all;
}

Json described(const Open& open) {
  Json json = record::to_json(open.question);
  json["id"] = open.question.path;
  json["answer"] = ui::answer_command(open.asking);
  if (open.answer) {
    json["answered"] = record::to_json(open.answer->answer);
    json["answered"].erase("question");
    json["answered"]["time"] = format_time(open.answer->posted);
  }
  return json;
}

void show_question(Screen& screen, const Open& open) {
  const auto [facts, lines] = ui::question_in_show(open.question, open.asking, open.answer,
                                                   SystemClock().now(), screen.width());
  for (const auto& [name, value] : facts) fact(screen, name, value);
  for (const auto& line : lines) screen.line(line, Screen::as_is);
}

// The states that it is in, without those around them: "TASK_EXECUTING/CODE_REVIEW".
void add_states(const Json& machine, const std::string& place, const model::System* system,
                std::vector<std::string>& all) {
  const Json& children = member(machine, "children");
  const model::Machine* known = nullptr;
  if (system) {
    const auto found = std::ranges::find(system->machines, machine.at("machine").get<std::string>(),
                                         &model::Machine::name);
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

// How a run ended, as the last of its steps has it; null while it has not.
const chart::Finish* ending_of(const std::vector<record::Entry>& entries) {
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
    const auto* step = entry->get<record::Macrostep>();
    if (!step || !entry->stands) continue;
    for (const auto& effect : step->effects) {
      if (const auto* end = std::get_if<chart::Finish>(&effect)) return end;
    }
  }
  return nullptr;
}

std::string effort(const record::Totals& totals) {
  return ui::readable_effort({totals.calls, totals.usage}) +
         (totals.attempts > totals.calls
              ? fmt::format(" · {} attempt{}", totals.attempts, totals.attempts == 1 ? "" : "s")
              : "") +
         " · " + format_duration(totals.time.worked);
}

// How often an agent was denied a tool, or one came to nothing, in all that stands.
struct ToolTroubles {
  using Counts = std::map<std::string, std::map<std::string, int>>;  // by agent and tool
  Counts denied, failed;
};

struct Replayed {
  ToolTroubles troubles;
  ui::ModelsUsed models;
  ToldSteps told;
};

Replayed replayed(const journal::RunRecord& run, const std::vector<record::Entry>& entries,
                  const model::System* system) {
  Replayed all;
  std::map<std::string, std::string> agents;  // by the path of their call
  record::EventReplay replay(run, system);
  for (const auto& entry : entries) {
    for (auto& event : replay.next(entry)) {
      if (event.undone) continue;
      if (const auto* started = event.get<record::AgentStarted>()) {
        agents[event.path] = started->agent;
        all.models.note(*started);
      } else if (const auto* denied = event.get<record::AgentToolDenied>()) {
        ++all.troubles.denied[agents[event.path]][denied->tool];
      } else if (const auto* failed = event.get<record::AgentToolFailed>()) {
        ++all.troubles.failed[agents[event.path]][failed->tool];
      } else if (is_told(event, entry)) {
        all.told[entry.seq].push_back(std::move(event));
      }
    }
  }
  return all;
}

Json to_json(const ToolTroubles::Counts& troubles) {
  Json list = Json::array();
  for (const auto& [agent, tools] : troubles) {
    for (const auto& [tool, times] : tools) {
      list.push_back({{"agent", agent}, {"tool", tool}, {"times", times}});
    }
  }
  return list;
}

// "coder: WebFetch, WebSearch (2 times)"
void show_troubles(Screen& screen, const std::string& name, const ToolTroubles::Counts& troubles) {
  std::string label = name;
  for (const auto& [agent, tools] : troubles) {
    std::vector<std::string> all;
    for (const auto& [tool, times] : tools) {
      all.push_back(ui::first_line(tool, ui::one_line) +
                    (times == 1 ? "" : fmt::format(" ({} times)", times)));
    }
    fact(screen, std::exchange(label, ""), agent + ": " + join(all, ", "));
  }
}

struct Shown {
  journal::RunRecord run;
  Json state;
  std::vector<std::string> states;
  std::vector<record::Entry> entries;
  record::Totals totals;
  std::vector<Open> questions;
  Replayed replayed;
  run::Waiting waiting;
  std::string why_queued;

  Json outstanding() const { return record::outstanding_of(state); }
};

Json described(const Shown& shown) {
  const journal::RunRecord& run = shown.run;
  Json path = Json::array();
  for (const auto& entry : shown.entries) {
    const auto* step = entry.get<record::Macrostep>();
    if (!step || !entry.stands) continue;
    for (const auto& taken : step->transitions) path.push_back(record::to_json(taken));
  }
  Json notes = Json::array();
  for (const auto& [seq, events] : shown.replayed.told) {
    for (const auto& event : events) notes.push_back(record::to_json(event));
  }
  Json questions = Json::array();
  for (const auto& open : shown.questions) questions.push_back(described(open));
  Json json = run::described(run);
  if (shown.waiting.for_person) json["waits_for"] = "person";
  if (!shown.waiting.away.empty()) json["away"] = run::described(shown.waiting.away);
  if (!shown.why_queued.empty()) json["why_queued"] = shown.why_queued;
  json["states"] = shown.states;
  json["totals"] = record::to_json(shown.totals);
  json["models"] = shown.replayed.models.json();
  json["denied"] = to_json(shown.replayed.troubles.denied);
  json["failed"] = to_json(shown.replayed.troubles.failed);
  json["outstanding"] = shown.outstanding();
  json["questions"] = std::move(questions);
  json["path"] = std::move(path);
  json["notes"] = std::move(notes);
  if (const chart::Finish* end = ending_of(shown.entries)) {
    json["outputs"] = end->outputs;
    json["reason"] = end->reason;
  }
  if (run.status == "interrupted") json["resume"] = "agneto resume " + run.id;
  return json;
}

void print(const Shown& shown, const workspace::BranchWork& work) {
  const journal::RunRecord& run = shown.run;
  Screen screen(stdout, Screen::style_of(stdout));
  fact(screen, "run", run.id);
  fact(screen, "task", ui::first_line(run.task, ui::one_line));
  std::optional<ui::RunEnding> ending;
  if (const chart::Finish* end = ending_of(shown.entries)) {
    ending = {{end->outcome, end->status, end->outputs, end->reason, run.branch, run.base, {}},
              work};
  }
  const std::string why = ending ? ending->why() : "";
  fact(screen, "status",
       ui::standing(run, shown.waiting, SystemClock().now()) +
           (run.outcome.empty() ? "" : " (" + run.outcome + ")") + (why.empty() ? "" : ": " + why));
  if (!shown.why_queued.empty()) fact(screen, "waits", shown.why_queued);
  if (!run.branch.empty()) {
    fact(screen, "branch", run.branch + " from " + ui::readable_base(run.base));
  }
  fact(screen, "agents", record::options_of(run).provider);
  std::string models = "models";
  for (const auto& line : shown.replayed.models.lines()) {
    fact(screen, std::exchange(models, ""), line);
  }
  fact(screen, "effort", effort(shown.totals));
  show_troubles(screen, "denied", shown.replayed.troubles.denied);
  if (!shown.replayed.troubles.denied.empty()) fact(screen, "", std::string(ui::tools_advice));
  show_troubles(screen, "failed", shown.replayed.troubles.failed);
  fact(screen, "started", ui::local_time(run.created));
  fact(screen, "updated", ui::local_time(run.updated));
  if (run.status == "interrupted") fact(screen, "go on", "agneto resume " + run.id);
  if (ending) {
    for (const auto& [name, value] : ui::facts(*ending)) fact(screen, name, value);
  } else {
    for (const auto& command : work.kept) fact(screen, "kept", command);
  }
  if (!shown.states.empty()) fact(screen, "state", join(shown.states, ", "));
  const Json outstanding = shown.outstanding();
  for (const auto& [path, effect] : outstanding.items()) {
    fact(screen, "open", ui::readable_path(path));
  }
  for (const auto& [path, reason, until] : shown.waiting.away) {
    fact(screen, "waits",
         fmt::format("{}: {}; it is asked again at {}", ui::readable_path(path),
                     ui::first_line(reason, ui::one_line), ui::local_time(until)));
  }
  for (const auto& open : shown.questions) show_question(screen, open);
  show_path(screen, shown.entries, shown.replayed.told);
}

ExitStatus show(Runs& runs, const run::Reader& reader, bool json) {
  Shown shown{reader.run(), reader.state(), {}, reader.entries(), {}, {}, {}, {}, {}};
  const Time now = SystemClock().now();
  shown.totals = record::totals_of(shown.entries, shown.run, now);
  const auto workflow = reader.workflow();
  if (!shown.state.is_null()) {
    shown.states =
        states_of(shown.state.at("instance"), workflow ? workflow->system.get() : nullptr);
  }
  shown.replayed = replayed(shown.run, shown.entries, workflow ? workflow->system.get() : nullptr);
  shown.questions = questions_of(shown.run, reader.questions(now), reader.inbox());
  shown.waiting = reader.waiting();
  if (!journal::has_ended(shown.run)) shown.why_queued = runs.why_queued(shown.run);
  if (json) {
    fmt::print("{}", ui::to_line(described(shown)));
  } else {
    print(shown, runs.work_of(shown.run));
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
  CommandLine& command =
      program.add_command("show", "Show how a run stands: state, path taken, cost, open question");
  command.add("RUN", &options->run, "Its id, the start of one, or 'last'", {.required = true});
  command.add("--json", &options->json, "As one JSON object");
  program.add_server_options(command);
  command.action = [options](const Context& context) {
    end_with_the_reader();
    const auto runs = runs_of(context);
    const auto reader = runs->look(options->run);
    return reader->telling([&] { return show(*runs, *reader, options->json); });
  };
}

}  // namespace agneto::cli
