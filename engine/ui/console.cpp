#include "ui/console.h"

#include <fmt/format.h>

#include <ctime>

#include "base/text.h"

namespace agneto::ui {
namespace {

std::string clock_text(Time time) {
  std::time_t seconds =
      std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count();
  std::tm local{};
  localtime_r(&seconds, &local);
  return fmt::format("{:02}:{:02}:{:02}", local.tm_hour, local.tm_min, local.tm_sec);
}

std::string first_line(std::string_view text, std::size_t limit) {
  std::string clean = printable(trim(text));
  bool more = clean.find('\n') != std::string::npos;
  clean.resize(std::min(clean.size(), clean.find('\n')));
  if (clean.size() <= limit) return clean + (more ? " …" : "");
  return valid_utf8(std::string_view(clean).substr(0, clean.find_last_of(' ', limit))) + " …";
}

std::string text_of(const Json& data, const char* key) {
  auto found = data.find(key);
  return found != data.end() && found->is_string() ? found->get<std::string>() : "";
}

// What a verdict says in words: its first text field.
std::string gist(const Json& fields) {
  if (!fields.is_object()) return "";
  for (const char* key : {"message", "title", "summary", "reason", "feedback"}) {
    if (auto text = text_of(fields, key); !text.empty()) return first_line(text, 70);
  }
  for (const auto& value : fields) {
    if (value.is_string()) return first_line(value.get<std::string>(), 70);
  }
  return "";
}

// At most `width` characters, so that the line stays one.
std::string fitted(const std::string& text, std::size_t width) {
  std::size_t characters = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    bool starts = (static_cast<unsigned char>(text[i]) & 0xC0) != 0x80;
    if (starts && ++characters > width) return text.substr(0, i);
  }
  return text;
}

std::string money(double cost) {
  return cost > 0 ? fmt::format(" · ${:.2f}", cost) : "";
}

}  // namespace

std::string readable_path(std::string_view path) {
  std::string text;
  std::string entry;
  while (!path.empty()) {
    auto slash = path.find('/');
    std::string_view part = path.substr(0, slash);
    auto hash = part.find('#');
    if (!text.empty()) text += '/';
    text += part.substr(0, hash);
    entry = hash == std::string_view::npos ? "" : std::string(part.substr(hash));
    path = slash == std::string_view::npos ? "" : path.substr(slash + 1);
  }
  return entry.empty() || entry == "#1" ? text : text + " " + entry;
}

std::string readable_journey(const std::vector<std::string>& states) {
  std::string text;
  for (std::size_t i = 0; i < states.size();) {
    std::size_t j = i;
    while (j < states.size() && states[j] == states[i]) ++j;
    if (!text.empty()) text += " → ";
    text += states[i];
    if (j - i > 1) text += fmt::format(" ×{}", j - i);
    i = j;
  }
  return text;
}

void Console::event(const run::RunEvent& event) {
  run_ = event.run;
  const std::string& kind = event.kind;
  const Json& data = event.data;
  if (kind == "run.started" || kind == "run.resumed") {
    started(event);
  } else if (kind == "state.entered") {
    note_state(event);
  } else if (kind == "state.exited") {
    working_.erase(event.path);
  } else if (kind == "agent.started") {
    Working& now = working_[event.path];
    if (now.who.empty()) now.since = event.time;
    now.who = text_of(data, "agent");
    now.with = text_of(data, "provider");
    if (auto model = text_of(data, "model"); !model.empty()) now.with += " " + model;
    now.attempt = data.value("attempt", 1);
    if (!live_) {
      log(event, Color::dim, fmt::format("{} is at work ({})", now.who, now.with));
    }
  } else if (kind == "agent.text") {
    Working& now = working_[event.path];
    if (!now.tool) now.doing = first_line(text_of(data, "text"), 200);
  } else if (kind == "agent.tool") {
    working_[event.path].doing = first_line(text_of(data, "tool"), 200);
    working_[event.path].tool = true;
  } else if (kind == "agent.tool_end") {
    working_[event.path].tool = false;
  } else if (kind == "agent.retry") {
    log(event, Color::yellow, first_line(text_of(data, "reason"), 300));
  } else if (kind == "agent.finished") {
    agent_finished(event);
  } else if (kind == "command.started") {
    std::string command;
    for (const auto& part : data.at("argv"))
      command += (command.empty() ? "" : " ") + part.get<std::string>();
    if (command.starts_with("/bin/sh -c ")) command.erase(0, 11);
    working_[event.path] = {first_line(command, 100), "", 1, "", false, event.time};
    if (!live_) log(event, Color::dim, "runs: " + first_line(command, 100));
  } else if (kind == "command.finished") {
    working_.erase(event.path);
    bool ok = text_of(data, "event") == "ok";
    log(event, ok ? Color::green : Color::red,
        ok ? "passed" : text_of(data, "event") + ": " + first_line(text_of(data, "message"), 200));
  } else if (kind == "command.output") {
    working_[event.path].doing = first_line(text_of(data, "line"), 200);
  } else if (kind == "question.asked") {
    question(event);
  } else if (kind == "question.answered") {
    std::string what = text_of(data, "option");
    if (what.empty()) what = "answered";
    std::string words = first_line(text_of(data, "feedback"), 70);
    log(event, Color::magenta,
        "👤 " + what + (words.empty() ? "" : ": " + words) +
            (text_of(data, "by") == "default" ? " (default: nobody to ask)" : ""));
  } else if (kind == "workspace.committed") {
    std::string commit = text_of(data, "commit").substr(0, 8);
    log(event, Color::green,
        commit.empty() ? "nothing to commit"
                       : "committed " + commit + " " + first_line(text_of(data, "subject"), 70));
  } else if (kind == "workspace.merged") {
    log(event, Color::green,
        "merged into " + text_of(data, "into") + " as " + text_of(data, "commit").substr(0, 8));
  } else if (kind == "workspace.discarded") {
    log(event, Color::yellow, "uncommitted edits discarded");
  } else if (kind == "workspace.refused") {
    log(event, Color::red, first_line(text_of(data, "message"), 300));
  } else if (kind == "workspace.undone") {
    log(event, Color::yellow, text_of(data, "agent") + " may only read, but changed files: undone");
  } else if (kind == "note") {
    log(event, Color::dim, text_of(data, "text"));
  } else if (kind == "problem") {
    log(event, Color::red, text_of(data, "event") + ": " + printable(text_of(data, "message")));
  } else if (kind == "run.paused") {
    log(event, Color::yellow, "paused: the call under way may finish, nothing new starts");
  } else if (kind == "run.suspended") {
    suspended(event);
  } else if (kind == "run.finished") {
    finished(event);
  }
  show_status(event.time);
}

void Console::tick(Time now) {
  show_status(now);
}

void Console::log(const run::RunEvent& event, Color color, std::string_view text) {
  std::string where = readable_path(event.path);
  std::string head = screen_.paint(Color::dim, clock_text(event.time));
  if (!where.empty()) head += "  " + screen_.paint(Color::cyan, where);
  screen_.line(head + "  " + screen_.paint(color, text));
}

void Console::note_state(const run::RunEvent& event) {
  if (event.data.value("stage", false)) path_.push_back(text_of(event.data, "state"));
}

void Console::show_status(Time now) {
  if (!live_) return;
  std::vector<std::string> lines;
  auto width = static_cast<std::size_t>(std::max(20, screen_.width() - 1));
  auto seconds = [&](Time since) { return format_duration((now - since) / 1000 * 1000); };
  for (const auto& [path, work] : working_) {
    std::string text = "  ▶ " + readable_path(path) + "  " + work.who;
    if (!work.with.empty()) text += " (" + work.with + ")";
    if (work.attempt > 1) text += fmt::format(" attempt {}", work.attempt);
    text += "  " + seconds(work.since);
    if (!work.doing.empty()) text += "  " + work.doing;
    lines.push_back(screen_.paint(Color::blue, fitted(text, width)));
  }
  if (began_ != Time{} && !working_.empty()) {
    std::string text = "  " + seconds(began_) + fmt::format(" elapsed · {} calls", calls_) +
                       money(cost_) + " · Ctrl+C to pause";
    lines.push_back(screen_.paint(Color::dim, fitted(text, width)));
  }
  screen_.status(std::move(lines));
}

void Console::started(const run::RunEvent& event) {
  began_ = event.time;
  const Json& data = event.data;
  std::string verb = event.kind == "run.resumed" ? "resumed " : "";
  screen_.line(screen_.paint(Color::bold, verb + event.run) + "  " +
               first_line(text_of(data, "task"), 100));
  std::string facts = "  workflow " + text_of(data, "workflow");
  if (auto branch = text_of(data, "branch"); !branch.empty()) {
    facts += " · branch " + branch;
    if (auto base = text_of(data, "base"); !base.empty()) facts += " from " + base;
  }
  if (auto provider = text_of(data, "provider"); !provider.empty()) {
    facts += " · agents: " + provider;
  }
  screen_.line(screen_.paint(Color::dim, facts));
}

void Console::agent_finished(const run::RunEvent& event) {
  const Json& data = event.data;
  Millis took{0};
  if (auto found = working_.find(event.path); found != working_.end()) {
    took = event.time - found->second.since;
    working_.erase(found);
  }
  calls_ = data.value("calls", 0);
  cost_ = data.value("cost", 0.0);
  std::string verdict = text_of(data, "verdict");
  bool failed = verdict.starts_with("error");
  std::string words = gist(data.value("fields", Json::object()));
  log(event, failed ? Color::red : Color::none,
      fmt::format("{} → {}{} {}", text_of(data, "agent"), verdict,
                  words.empty() ? "" : ": " + words,
                  screen_.paint(Color::dim, "(" + format_duration(took) + ")")));
}

void Console::question(const run::RunEvent& event) {
  if (live_) return;  // whoever asks it shows it
  log(event, Color::magenta, "❓ " + printable(text_of(event.data, "question")));
}

void Console::suspended(const run::RunEvent& event) {
  working_.clear();
  const Json& data = event.data;
  screen_.status({});
  log(event, Color::yellow, "suspended: " + text_of(data, "reason"));
  std::string resume = "agneto resume " + event.run;
  if (data.contains("question")) {
    screen_.line("");
    screen_.line("  " + printable(text_of(data, "question")));
    if (data.value("words", false)) {
      screen_.line("    " + resume + " --feedback \"…\"");
    }
    for (const auto& option : data.value("options", Json::array())) {
      screen_.line(fmt::format("    {} --answer {}{}   {}", resume, text_of(option, "name"),
                               option.value("feedback", false) ? " --feedback \"…\"" : "",
                               screen_.paint(Color::dim, text_of(option, "label"))));
    }
  } else {
    screen_.line("  go on with: " + resume);
  }
}

void Console::finished(const run::RunEvent& event) {
  working_.clear();
  screen_.status({});
  const Json& data = event.data;
  std::string status = text_of(data, "status");
  Color color = status == "complete"  ? Color::green
                : status == "aborted" ? Color::yellow
                                      : Color::red;
  std::string reason = text_of(data, "reason");
  const Json outputs = data.value("outputs", Json::object());
  if (reason.empty()) reason = text_of(outputs, "reason");
  screen_.line("");
  screen_.line(screen_.paint(color, text_of(data, "outcome") + " (" + status + ")") +
               (reason.empty() ? "" : ": " + printable(reason)));
  screen_.line("  path    " + readable_journey(path_));
  screen_.line(fmt::format("  effort  {} agent calls{} · {}", data.value("calls", 0),
                           money(data.value("cost", 0.0)),
                           format_duration(Millis(data.value("ms", std::int64_t{0})))));
  std::string branch = text_of(data, "branch");
  if (branch.empty()) return;
  std::string base = text_of(data, "base");
  if (outputs.value("merged", false)) {
    screen_.line("  merged  " + branch + " into " + base);
  } else {
    screen_.line("  look    git log -p " + base + ".." + branch);
    if (status == "complete") screen_.line("  merge   git merge --squash " + branch);
  }
}

}  // namespace agneto::ui
