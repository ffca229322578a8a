#include "ui/console.h"

#include <fmt/format.h>

#include <ctime>

#include "base/text.h"

namespace agneto::ui {
namespace {

// A status that follows every word of an agent would only flicker.
constexpr Millis status_interval{100};
constexpr std::size_t gist_columns = 70;
constexpr std::size_t one_line = 200;

std::string clock_text(Time time) {
  std::time_t seconds =
      std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count();
  std::tm local{};
  localtime_r(&seconds, &local);
  return fmt::format("{:02}:{:02}:{:02}", local.tm_hour, local.tm_min, local.tm_sec);
}

std::string whole_seconds(Millis duration) {
  return duration < Millis(1000) ? "0s" : format_duration(duration / 1000 * 1000);
}

std::string text_of(const Json& data, const char* key) {
  auto found = data.find(key);
  return found != data.end() && found->is_string() ? found->get<std::string>() : "";
}

// What a verdict says in words: its first text field.
std::string gist(const Json& fields) {
  if (!fields.is_object()) return "";
  std::string text;
  for (const char* key : {"message", "title", "summary", "reason", "feedback"}) {
    if (text.empty()) text = text_of(fields, key);
  }
  for (const auto& value : fields) {
    if (text.empty() && value.is_string()) text = value.get<std::string>();
  }
  text.erase(0, text.find_first_not_of("#-* \n"));  // Markdown's marks of a heading or a list
  return first_line(text, gist_columns);
}

std::string calls_text(int calls) {
  return fmt::format("{} agent call{}", calls, calls == 1 ? "" : "s");
}

std::string money(double cost) {
  return cost > 0 ? fmt::format(" · ${:.2f}", cost) : "";
}

std::string tokens_text(std::int64_t tokens) {
  if (tokens == 0) return "";
  return tokens < 10'000 ? fmt::format(" · {} tokens", tokens)
                         : fmt::format(" · {}k tokens", tokens / 1000);
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
    log(event, {Color::yellow, first_line(text_of(event.data, "reason"), one_line)});
  } else if (event.kind == "note") {
    log(event, {Color::dim, text_of(event.data, "text")});
  } else if (event.kind == "problem") {
    log(event, {Color::red, text_of(event.data, "event") + ": " + text_of(event.data, "message")});
  } else if (event.kind == "run.paused") {
    log(event, {Color::yellow, "paused: the call under way may finish, nothing new starts"});
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
    if (auto base = text_of(data, "base"); !base.empty()) facts += " from " + base;
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
  std::string words = gist(data.value("fields", Json::object()));
  Styled text(verdict.starts_with("error") ? Color::red : Color::none,
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
                  (ok ? "" : after_colon(first_line(text_of(event.data, "message"), one_line))));
  log(event, text.add(Color::dim, took));
}

void Console::asked(const run::RunEvent& event) {
  if (live_) return;  // whoever asks it shows it
  log(event, {Color::magenta, "❓ " + text_of(event.data, "question")});
}

void Console::answered(const run::RunEvent& event) {
  std::string option = text_of(event.data, "option");
  std::string by = text_of(event.data, "by") == "default" ? " (the default: nobody to ask)" : "";
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
    log(event, {Color::green, "merged into " + text_of(data, "into") + " as " + commit});
  } else if (event.kind == "workspace.discarded") {
    log(event, {Color::yellow, "uncommitted edits discarded"});
  } else if (event.kind == "workspace.undone") {
    log(event,
        {Color::yellow, text_of(data, "agent") + " may only read, but changed files: undone"});
  } else {
    log(event, {Color::red, text_of(data, "message")});
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
  if (data.value("words", false))
    screen_.line("    " + resume + " --feedback \"…\"", Screen::as_is);
  for (const auto& option : data.value("options", Json::array())) {
    Styled command("    " + resume + " --answer " + text_of(option, "name"));
    if (option.value("feedback", false)) command += " --feedback \"…\"";
    screen_.line(command.add(Color::dim, "   # " + text_of(option, "label")), Screen::as_is);
  }
}

void Console::finished(const run::RunEvent& event) {
  going_ = false;
  working_.clear();
  screen_.status({});
  const Json& data = event.data;
  Json outputs = data.value("outputs", Json::object());
  if (!outputs.is_object()) outputs = Json::object();
  std::string status = text_of(data, "status");
  Color color = status == "complete"  ? Color::green
                : status == "aborted" ? Color::yellow
                                      : Color::red;
  std::string reason = text_of(data, "reason");
  if (reason.empty()) reason = text_of(outputs, "reason");
  Styled end(color, text_of(data, "outcome") + " (" + status + ")");
  screen_.line("");
  screen_.line(end.add(Color::none, after_colon(reason)), 2);
  fact("path", readable_journey(journey_));
  fact("effort", calls_text(data.value("calls", 0)) + money(data.value("cost", 0.0)) +
                     tokens_text(data.value("input_tokens", std::int64_t{0}) +
                                 data.value("output_tokens", std::int64_t{0})) +
                     " · " + format_duration(Millis(data.value("ms", std::int64_t{0}))));
  std::string branch = text_of(data, "branch");
  for (const auto& [name, value] : outputs.items()) {
    bool told = name == "reason" ||
                (!branch.empty() && (name == "branch" || name == "merged" || name == "commit"));
    std::string text = value.is_string() ? value.get<std::string>() : to_text(value);
    if (!told && !text.empty()) fact(name, first_line(text, one_line));
  }
  if (branch.empty()) return;
  std::string base = text_of(data, "base");
  auto merged = outputs.find("merged");
  if (merged != outputs.end() && *merged == true) {
    fact("merged", branch + " into " + base);
  } else {
    fact("look", "git log -p " + base + ".." + branch);
    if (status == "complete") fact("merge", "git merge --squash " + branch);
  }
}

// Time, state and text in columns, as far as the terminal is wide enough.
void Console::log(const run::RunEvent& event, const Styled& text) {
  bool terminal = screen_.style().redraws;
  std::size_t width = screen_.width();
  std::size_t column = !terminal || width >= 120 ? 32 : width >= 70 ? 20 : 0;
  Styled line(Color::dim, clock_text(event.time) + "  ");
  std::string where =
      terminal && column > 0 ? readable_path(event.path, column) : readable_path(event.path);
  std::size_t used = display_width(where);
  if (used < column) where.append(column - used, ' ');
  if (!where.empty()) line.add(Color::cyan, where + "  ");
  line += text;
  screen_.line(line, column > 0 ? 10 + column + 2 : 2);
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
  lines.emplace_back(Color::dim, "  " + whole_seconds(now - began_) + " · " + calls_text(calls_) +
                                     money(cost_) + " · Ctrl+C pauses");
  screen_.status(std::move(lines));
}

}  // namespace agneto::ui
