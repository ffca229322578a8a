#include "ui/console.h"

#include <fmt/format.h>

#include "base/text.h"
#include "ui/answers.h"
#include "ui/ending.h"

namespace agneto::ui {
namespace {

// A status that follows every word of an agent would only flicker.
constexpr Millis status_interval{100};
constexpr std::size_t gist_columns = 70;
constexpr std::size_t one_line = 200;

std::string whole_seconds(Millis duration) {
  return duration < Millis(1000) ? "0s" : format_duration(duration / 1000 * 1000);
}

std::string text_of(const Json& data, const char* key) {
  auto found = data.find(key);
  return found != data.end() && found->is_string() ? found->get<std::string>() : "";
}

std::string after_colon(const std::string& words) {
  return words.empty() ? "" : ": " + words;
}

}  // namespace

void Console::event(const run::RunEvent& event) {
  if (progress(event)) {
    if (event.time - status_shown_ >= status_interval) show_status(event.time);
    return;
  }
  using Handler = void (Console::*)(const run::RunEvent&);
  static const std::map<std::string_view, Handler> handlers = {
      {"run.started", &Console::started},
      {"run.resumed", &Console::started},
      {"state.entered", &Console::entered},
      {"agent.started", &Console::agent_started},
      {"agent.finished", &Console::agent_finished},
      {"command.started", &Console::command_started},
      {"command.finished", &Console::command_finished},
      {"question.asked", &Console::asked},
      {"question.answered", &Console::answered},
      {"workspace.committed", &Console::workspace},
      {"workspace.merged", &Console::workspace},
      {"workspace.joined", &Console::joined},
      {"workspace.discarded", &Console::workspace},
      {"workspace.refused", &Console::workspace},
      {"workspace.undone", &Console::workspace},
      {"run.suspended", &Console::suspended},
      {"run.finished", &Console::finished},
  };
  if (auto handler = handlers.find(event.kind); handler != handlers.end()) {
    (this->*handler->second)(event);
  } else if (event.kind == "state.exited") {
    working_.erase(event.path);
  } else if (event.kind == "agent.retry") {
    log(event, {Color::yellow, whole_error(text_of(event.data, "reason"))});
  } else if (event.kind == "note") {
    log(event, {Color::dim, text_of(event.data, "text")});
  } else if (event.kind == "problem") {
    log(event, {Color::red, text_of(event.data, "event") + ": " + text_of(event.data, "message")});
  } else if (event.kind == "run.paused") {
    const char* call = working_.empty() ? "" : "the call under way may finish, ";
    log(event, {Color::yellow, std::string("paused: ") + call + "nothing new starts"});
  }
  show_status(event.time);
}

bool Console::progress(const run::RunEvent& event) {
  auto found = working_.find(event.path);
  bool known = found != working_.end();
  if (event.kind == "agent.text") {
    if (known && !found->second.tool) {
      found->second.doing = first_line(text_of(event.data, "text"), one_line);
    }
  } else if (event.kind == "agent.tool") {
    if (known) found->second.doing = first_line(text_of(event.data, "tool"), one_line);
    if (known) found->second.tool = true;
  } else if (event.kind == "agent.tool_end") {
    if (known) found->second.tool = false;
  } else if (event.kind == "command.output") {
    if (known) found->second.doing = first_line(text_of(event.data, "line"), one_line);
  } else {
    return false;
  }
  return true;
}

void Console::started(const run::RunEvent& event) {
  bool resumed = event.kind == "run.resumed";
  going_ = true;
  began_ = event.time;
  if (resumed) journey_ = {"…"};
  const Json& data = event.data;
  Styled title(Color::bold, (resumed ? "resumed " : "") + event.run);
  screen_.line(title.add(Color::none, "  " + first_line(text_of(data, "task"), one_line)), 2);
  std::string facts = "  workflow " + text_of(data, "workflow");
  if (auto branch = text_of(data, "branch"); !branch.empty()) {
    facts += " · branch " + branch;
    if (auto base = text_of(data, "base"); !base.empty()) facts += " from " + readable_base(base);
  }
  if (auto provider = text_of(data, "provider"); !provider.empty()) {
    facts += " · agents: " + provider;
  }
  screen_.line({Color::dim, facts}, 2);
}

void Console::entered(const run::RunEvent& event) {
  if (event.data.value("stage", false)) journey_.push_back(text_of(event.data, "state"));
}

void Console::agent_started(const run::RunEvent& event) {
  Working& now = working_[event.path];
  if (now.who.empty()) now.since = event.time;
  now.who = text_of(event.data, "agent");
  now.with = text_of(event.data, "provider");
  if (auto model = text_of(event.data, "model"); !model.empty()) now.with += " " + model;
  now.attempt = event.data.value("attempt", 1);
  now.doing.clear();
  now.tool = false;
  if (live_) return;
  std::string attempt = now.attempt > 1 ? fmt::format(", attempt {}", now.attempt) : "";
  log(event, {Color::dim, fmt::format("{} is at work ({}{})", now.who, now.with, attempt)});
}

void Console::agent_finished(const run::RunEvent& event) {
  const Json& data = event.data;
  std::string took;
  if (auto found = working_.find(event.path); found != working_.end()) {
    took = " (" + format_duration(event.time - found->second.since) + ")";
    working_.erase(found);
  }
  calls_ = data.value("calls", 0);
  cost_ = data.value("cost", 0.0);
  std::string verdict = text_of(data, "verdict");
  Json fields = data.value("fields", Json::object());
  bool failed = verdict.starts_with("error");
  std::string words = failed ? whole_error(text_of(fields, "message")) : gist(fields, gist_columns);
  Styled text(failed ? Color::red : Color::none,
              text_of(data, "agent") + " → " + verdict + after_colon(words));
  log(event, text.add(Color::dim, took));
}

void Console::command_started(const run::RunEvent& event) {
  std::string command;
  for (const auto& part : event.data.value("argv", std::vector<std::string>())) {
    command += (command.empty() ? "" : " ") + part;
  }
  if (command.starts_with("/bin/sh -c ")) command.erase(0, 11);
  command = first_line(command, one_line);
  working_[event.path] = {command, "", 1, "", false, event.time};
  if (!live_) log(event, {Color::dim, "runs: " + command});
}

void Console::command_finished(const run::RunEvent& event) {
  std::string what, took;
  if (auto found = working_.find(event.path); found != working_.end()) {
    what = found->second.who + " ";
    took = " (" + format_duration(event.time - found->second.since) + ")";
    working_.erase(found);
  }
  bool ok = text_of(event.data, "event") == "ok";
  Styled text(ok ? Color::green : Color::red,
              what + "→ " + text_of(event.data, "event") +
                  (ok ? "" : after_colon(whole_error(text_of(event.data, "message")))));
  log(event, text.add(Color::dim, took));
}

void Console::asked(const run::RunEvent& event) {
  if (terminal_) return;  // whoever asks it shows it
  log(event, {Color::magenta, "❓ " + text_of(event.data, "question")});
}

void Console::answered(const run::RunEvent& event) {
  std::string option = text_of(event.data, "option");
  std::string by = text_of(event.data, "by");
  by = by == "default"     ? " (the default: nobody to ask)"
       : by == "elsewhere" ? " (elsewhere, by " + text_of(event.data, "name") + ")"
                           : "";
  log(event, {Color::magenta,
              "👤 " + (option.empty() ? "answered" : option) +
                  after_colon(first_line(text_of(event.data, "feedback"), gist_columns)) + by});
}

void Console::workspace(const run::RunEvent& event) {
  const Json& data = event.data;
  std::string commit = text_of(data, "commit").substr(0, 8);
  if (event.kind == "workspace.committed") {
    std::string subject = first_line(text_of(data, "subject"), gist_columns);
    log(event, commit.empty() ? Styled(Color::dim, "nothing to commit")
                              : Styled(Color::green, "committed " + commit + " " + subject));
  } else if (event.kind == "workspace.merged") {
    std::string into = "into " + text_of(data, "into");
    log(event, commit.empty() ? Styled(Color::dim, "nothing to merge " + into)
                              : Styled(Color::green, "merged " + into + " as " + commit));
  } else if (event.kind == "workspace.discarded") {
    log(event, {Color::yellow, "uncommitted edits discarded"});
  } else if (event.kind == "workspace.undone") {
    log(event,
        {Color::yellow, text_of(data, "agent") + " may only read, but changed files: undone"});
  } else {
    refused_ = text_of(data, "message");
    log(event, {Color::red, refused_});
  }
}

void Console::joined(const run::RunEvent& event) {
  const Json& conflicts = event.data.at("conflicts");
  const std::size_t count = event.data.at("items").size() - conflicts.size();
  log(event, {Color::green,
              fmt::format("the work of {} item{} brought in", count, count == 1 ? "" : "s")});
  for (const Json& conflict : conflicts) {
    log(event,
        {Color::red,
         fmt::format("item {} conflicts in {}; its work is on {}", to_text(conflict.at("item")),
                     join(conflict.at("files").get<std::vector<std::string>>(), ", "),
                     text_of(conflict, "branch"))});
  }
}

void Console::suspended(const run::RunEvent& event) {
  going_ = false;
  working_.clear();
  screen_.status({});
  const Json& data = event.data;
  log(event, {Color::yellow, "suspended: " + text_of(data, "reason")});
  std::string resume = "agneto resume " + event.run;
  screen_.line("");
  if (!data.contains("question")) {
    fact("go on", resume);
    return;
  }
  screen_.line("  " + text_of(data, "question"), 2);
  std::vector<Choice> choices;
  for (const auto& option : data.value("options", Json::array())) {
    choices.push_back({text_of(option, "name"), text_of(option, "label"),
                       option.value("feedback", false), option.value("edit", false)});
  }
  const auto others = data.value("others", std::vector<std::string>());
  const Asking asking{event.run, others.empty() ? "" : text_of(data, "path"), false};
  const bool words = data.value("words", false);
  for (auto& line : answer_commands(asking, choices, words, screen_.width())) {
    screen_.line(std::move(line), Screen::as_is);
  }
  if (others.empty()) return;
  fact("open", join(others, ", ") + ", too: agneto show " + event.run);
  fact("go on", resume);
}

void Console::finished(const run::RunEvent& event) {
  going_ = false;
  working_.clear();
  screen_.status({});
  const Json& data = event.data;
  Ending ending{text_of(data, "outcome"),
                text_of(data, "status"),
                text_of(data, "reason"),
                data.value("outputs", Json()),
                text_of(data, "branch"),
                text_of(data, "base"),
                {}};
  if (!ending.branch.empty()) ending.work = look_(ending.base, ending.branch);
  screen_.line("");
  screen_.line(headline(ending, !refused_.empty() && ending.why() == refused_), 2);
  fact("path", readable_journey(journey_));
  fact("effort", readable_effort(data.value("calls", 0), data.value("cost", 0.0),
                                 data.value("input_tokens", std::int64_t{0}) +
                                     data.value("output_tokens", std::int64_t{0})) +
                     " · " + format_duration(Millis(data.value("ms", std::int64_t{0}))));
  for (const auto& [name, value] : facts(ending)) fact(name, value);
}

// A failure is not cut where a file or a pipe keeps it; a terminal gets its beginning.
std::string Console::whole_error(const std::string& text) const {
  return screen_.style().redraws ? first_line(text, one_line) : text;
}

// Time, state and text in columns, as far as the terminal is wide enough.
void Console::log(const run::RunEvent& event, const Styled& text) {
  bool terminal = screen_.style().redraws;
  std::size_t width = screen_.width();
  std::size_t column = !terminal || width >= 120 ? 32 : width >= 70 ? 20 : 0;
  Styled line;
  std::size_t indent = 10;
  if (event.seq > 0) {
    const std::string number = fmt::format("{:>5}  ", event.seq);
    line.add(Color::dim, number);
    indent += number.size();
  }
  line.add(Color::dim, local_time(event.time).substr(11) + "  ");
  std::string where =
      terminal && column > 0 ? readable_path(event.path, column) : readable_path(event.path);
  std::size_t used = display_width(where);
  if (used < column) where.append(column - used, ' ');
  if (!where.empty()) line.add(Color::cyan, where + "  ");
  line += text;
  if (event.undone) line.add(Color::yellow, "  (undone)");
  screen_.line(line, column > 0 ? indent + column + 2 : 2);
}

void Console::fact(std::string_view name, std::string_view value) {
  screen_.line(fmt::format("  {:<7} {}", name, value), 10);
}

void Console::show_status(Time now) {
  if (!live_ || !going_) return;
  status_shown_ = now;
  std::vector<Styled> lines;
  for (const auto& [path, work] : working_) {
    Styled line(Color::blue, "  ▶ " + readable_path(path) + "  " + work.who);
    if (!work.with.empty()) line.add(Color::blue, " (" + work.with + ")");
    if (work.attempt > 1) line.add(Color::yellow, fmt::format(" · attempt {}", work.attempt));
    line.add(Color::none, " · " + whole_seconds(now - work.since));
    if (!work.doing.empty()) line.add(Color::dim, " · " + work.doing);
    lines.push_back(std::move(line));
  }
  lines.emplace_back(Color::dim, "  " + whole_seconds(now - began_) + " · " +
                                     readable_effort(calls_, cost_, 0) + " · Ctrl+C pauses");
  screen_.status(std::move(lines));
}

}  // namespace agneto::ui
