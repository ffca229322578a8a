#include "ui/console.h"

#include <fmt/format.h>

#include "base/overloaded.h"
#include "base/text.h"
#include "ui/ending.h"
#include "ui/models_used.h"
#include "ui/open_question.h"
#include "ui/readable.h"

namespace agneto::ui {
namespace {

// A status that follows every word of an agent would only flicker.
constexpr Millis status_interval{100};
constexpr std::size_t gist_columns = 70;
constexpr std::size_t who_columns = 40;  // of a status line, so that it also says what goes on
constexpr std::string_view cancelled = "cancelled";  // how a call ends that is not wanted any more

std::string whole_seconds(Millis duration) {
  return duration < Millis(1000) ? "0s" : format_duration(duration / 1000 * 1000);
}

std::string after_colon(const std::string& words) {
  return words.empty() ? "" : ": " + words;
}

std::string on(const std::string& item) {
  return item.empty() ? "" : " on " + item;
}

// What a call was made with, besides what `is at work` says: "; tools WebSearch; MCP servers docs".
std::string given_with(const record::Prompt& prompt) {
  std::vector<std::string> variables, servers;
  for (const auto& [name, value] : prompt.env) variables.push_back(name);
  for (const auto& [name, server] : prompt.mcp.items()) servers.push_back(name);
  std::string text;
  const auto add = [&](const char* what, const std::vector<std::string>& words,
                       const char* between) {
    if (!words.empty()) text += fmt::format("; {} {}", what, join(words, between));
  };
  add("tools", prompt.tools, ", ");
  add("arguments", prompt.args, " ");
  add("variables", variables, ", ");
  add("MCP servers", servers, ", ");
  return text;
}

}  // namespace

void Console::event(const record::RunEvent& event) {
  // The status may wait a moment before it shows that.
  const bool flicker = event.get<record::AgentText>() || event.get<record::AgentTool>() ||
                       event.get<record::AgentToolEnd>() || event.get<record::CommandOutput>();
  std::visit(
      Overloaded{
          [&](const auto& body) { tell(event, body); },
          [&](const record::StateEntered& entered) {
            if (entered.stage) journey_.push_back(entered.state);
          },
          [&](const record::StateExited&) { working_.erase(event.path); },
          [&](const record::TransitionTaken& taken) {
            // The error is told before that.
            if (taken.event != "error.lua" && taken.event != "error.livelock") return;
            const std::string to = taken.to.empty() ? "(stays)" : join(taken.to, ", ");
            log(event, {Color::dim, fmt::format("{} → {} for {} (line {})", taken.from, to,
                                                taken.event, taken.line)});
          },
          [&](const record::ProblemMet& problem) {
            log(event, {Color::red, problem.event + ": " + problem.message});
          },
          [&](const record::ProblemCaught& problem) {
            log(event, {Color::yellow, problem.event + ": " + problem.message});
          },
          [&](const record::ActivityRefused& refused) {
            log(event, {Color::yellow, "cannot begin: " + refused.event + ": " + refused.message});
          },
          [&](const record::AgentText& said) {
            const Working* now = working(event);
            if (now && !now->tool) progress(event, said.text);
          },
          [&](const record::AgentTool& used) { progress(event, used.tool, true); },
          [&](const record::AgentToolEnd&) {
            if (Working* now = working(event)) now->tool = false;
          },
          [&](const record::AgentToolDenied& denied) {
            trouble(event, fmt::format("denied: {} ({})", denied.tool, tools_advice));
          },
          [&](const record::AgentToolFailed& failed) { trouble(event, "failed: " + failed.tool); },
          [&](const record::CommandOutput& output) { progress(event, output.line); },
          [&](const record::AgentRetry& retry) {
            log(event, {Color::yellow, whole_error(retry.reason)});
            progress(event, retry.reason);
          },
          [&](const record::AgentPrompt& asked) {
            whole(event, Color::cyan,
                  fmt::format("prompt to {}, attempt {}{}", readable_path(event.path),
                              asked.prompt.attempt, given_with(asked.prompt)),
                  asked.prompt.text);
          },
          [&](const record::QuestionAsked& asked) {
            // At a terminal the person who answers it is shown it.
            if (!terminal_) tell(event, asked);
          },
          [&](const record::Discarded&) {
            log(event, {Color::yellow, "uncommitted edits discarded"});
          },
          [&](const record::GitRefused& refused) {
            refused_ = refused.message;
            log(event, {Color::red, refused_});
          },
          [&](const record::Undone& undone) {
            log(event, {Color::yellow, record::describe(undone)});
          },
          [&](const record::Note& note) {
            log(event, {Color::dim, note.text});
          },
          [&](const record::RunQueued& queued) { tell(event, queued); },
          [&](const record::RunParked& parked) {
            going_ = false;
            is_parked_ = true;
            log(event, {Color::dim, "parked: " + parked.reason});
          },
          [&](const record::RunPaused&) {
            const char* call = working_.empty() ? "" : "the call under way may finish, ";
            log(event, {Color::yellow, std::string("paused: ") + call + "nothing new starts"});
          }},
      event.body);
  if (!flicker || event.time - status_shown_ >= status_interval) show_status(event.time);
}

void Console::words(const Event& event) {
  const Working* now = working(event);
  const std::string who = now ? now->who : readable_path(event.path);
  if (const auto* used = event.get<record::AgentTool>()) {
    log(event, {Color::dim, who + " uses " + used->tool});
  }
  const auto* said = event.get<record::AgentText>();
  if (!said || trim(said->text).empty()) return;
  const auto lines = split_lines(trim(said->text));
  log(event, {Color::dim, who + ": " + std::string(lines.front())});
  for (std::size_t i = 1; i < lines.size(); ++i) {
    screen_.line({Color::dim, "          │ " + std::string(lines[i])}, 12);
  }
}

void Console::progress(const Event& event, const std::string& doing, bool tool) {
  Working* now = working(event);
  if (!now) return;
  now->doing = first_line(doing, one_line);
  now->tool = tool;
}

void Console::trouble(const Event& event, const std::string& words) {
  Working* now = working(event);
  if (now && !now->troubles.insert(words).second) return;
  log(event, {Color::yellow, whole_error(words)});
}

void Console::tell(const Event& event, const record::RunStarted& started) {
  std::string more;
  if (!started.branch.empty() && !started.base.empty()) {
    more = " from " + readable_base(started.base);
  }
  if (!started.provider.empty()) more += " · agents: " + started.provider;
  begin(event, "", started, more);
}

void Console::tell(const Event& event, const record::RunResumed& resumed) {
  working_.clear();  // what an owner that was killed had at work begins anew
  // It is told already which run that is.
  if (std::exchange(is_parked_, false)) return log(event, {Color::dim, "goes on"});
  journey_ = {"…"};
  begin(event, "resumed ", resumed, "");
}

void Console::begin(const Event& event, const std::string& how, const auto& run,
                    const std::string& more) {
  going_ = true;
  began_ = event.time;
  Styled title(Color::bold, how + event.run);
  screen_.line(title.add(Color::none, "  " + first_line(run.task, one_line)), 2);
  const std::string branch = run.branch.empty() ? "" : " · branch " + run.branch;
  screen_.line({Color::dim, "  workflow " + run.workflow + branch + more}, 2);
}

void Console::tell(const Event& event, const record::AgentStarted& started) {
  const std::string with = readable_provider(started);
  const Working* before = working(event);
  const Time since = before ? before->since : event.time;
  working_[event.path] = {
      started.agent + on(started.item), with, started.attempt, "", false, since};
  if (live_) return;
  const std::string attempt =
      started.attempt > 1 ? fmt::format(", attempt {}", started.attempt) : "";
  log(event, {Color::dim, fmt::format("{}{} is at work ({}{})", started.agent, on(started.item),
                                      with, attempt)});
}

void Console::tell(const Event& event, const record::AgentFinished& finished) {
  spent_ = finished.spent;
  const Working* now = working(event);
  const std::string& verdict = finished.verdict;
  const bool failed = verdict.starts_with("error");
  const std::string words = failed && finished.fields.is_object()
                                ? whole_error(finished.fields.value("message", ""))
                                : gist(finished.fields, gist_columns);
  Styled text(failed                 ? Color::red
              : verdict == cancelled ? Color::yellow
                                     : Color::none,
              (now ? now->who : finished.agent) + " → " + verdict + after_colon(words));
  log(event, text.add(Color::dim, took(event)));
}

void Console::tell(const Event& event, const record::AgentReply& replied) {
  const record::Reply& reply = replied.reply;
  const std::string whose = fmt::format("{}, attempt {}", readable_path(event.path), reply.attempt);
  whole(event, Color::green, "reply of " + whose + after_colon(reply.error), reply.text);
}

// From its first to its last line.
void Console::whole(const Event& event, Color color, const std::string& title,
                    const std::string& text) {
  screen_.line({Color::bold, fmt::format("{:>5}  {}", event.seq, title)});
  for (const auto line : split_lines(text)) {
    screen_.line(Styled(color, "       │ ") + Styled(line), Screen::as_is);
  }
}

void Console::tell(const Event& event, const record::CommandStarted& started) {
  std::string command = join(started.argv, " ");
  if (command.starts_with("/bin/sh -c ")) command.erase(0, 11);
  command = first_line(command, one_line);
  if (!started.cwd.empty()) command += " (in " + first_line(started.cwd, one_line) + ")";
  working_[event.path] = {command + on(started.item), "", 1, "", false, event.time};
  if (!live_) log(event, {Color::dim, "runs: " + command});
}

void Console::tell(const Event& event, const record::CommandFinished& finished) {
  const Working* now = working(event);
  const std::string what = now ? now->who + " " : "";
  const bool ok = finished.event == "ok";
  const Color color = ok ? Color::green : finished.event == cancelled ? Color::yellow : Color::red;
  Styled text(
      color, what + "→ " + finished.event + (ok ? "" : after_colon(whole_error(finished.message))));
  log(event, text.add(Color::dim, took(event)));
  for (const auto& line : finished.output) {
    screen_.line({Color::dim, "          │ " + shortened(printable(line), one_line)}, 12);
  }
}

void Console::tell(const Event& event, const record::QuestionAsked& asked) {
  log(event, question_in_log(asked.question, event.time));
}

void Console::tell(const Event& event, const record::QuestionAnswered& answer) {
  const std::string by = answer.by == "default"     ? " (the default: nobody to ask)"
                         : answer.by == "elsewhere" ? " (elsewhere, by " + answer.name + ")"
                                                    : "";
  log(event, {Color::magenta, "👤 " + (answer.option.empty() ? "answered" : answer.option) +
                                  after_colon(first_line(answer.feedback, gist_columns)) + by});
}

void Console::tell(const Event& event, const record::Committed& committed) {
  const std::string commit = committed.commit.substr(0, 8);
  const std::string subject = first_line(committed.subject.value_or(""), gist_columns);
  log(event, commit.empty() ? Styled(Color::dim, "nothing to commit")
                            : Styled(Color::green, "committed " + commit + " " + subject));
}

void Console::tell(const Event& event, const record::Merged& merged) {
  const std::string commit = merged.commit.substr(0, 8);
  const std::string into = "into " + merged.into.value_or("");
  log(event, commit.empty() ? Styled(Color::dim, "nothing to merge " + into)
                            : Styled(Color::green, "merged " + into + " as " + commit));
}

void Console::tell(const Event& event, const record::Joined& joined) {
  const auto items = [](std::size_t count) {
    return fmt::format("{} item{}", count, count == 1 ? "" : "s");
  };
  const std::size_t unchanged = joined.unchanged.size();
  const std::size_t count = joined.items.size() - joined.conflicts.size() - unchanged;
  if (count > 0) log(event, {Color::green, "the work of " + items(count) + " brought in"});
  if (unchanged > 0) log(event, {Color::dim, items(unchanged) + " changed nothing"});
  for (const auto& conflict : joined.conflicts) {
    log(event, {Color::red, fmt::format("item {} conflicts in {}; its work is on {}", conflict.item,
                                        join(conflict.files, ", "), conflict.branch)});
  }
}

void Console::tell(const Event& event, const record::RunQueued& queued) {
  if (queued.reason.empty()) {
    return log(event,
               {Color::dim, "queued by " + queued.by + ": " + first_line(queued.task, one_line)});
  }
  going_ = false;
  working_.clear();
  screen_.status({});
  log(event, {Color::dim, "queued: " + queued.reason + ", and the next one goes on with it"});
}

void Console::tell(const Event& event, const record::RunSuspended& suspended) {
  going_ = false;
  working_.clear();
  screen_.status({});
  log(event, {Color::yellow, "suspended: " + suspended.reason});
  const std::string resume = "agneto resume " + event.run;
  screen_.line("");
  if (!suspended.question) return fact("go on", resume);
  const record::Question& question = *suspended.question;
  const auto& others = suspended.others;
  gate(question, suspended.spent, {event.run, others.empty() ? "" : question.path, false},
       event.time);
  if (others.empty()) return;
  fact("open", join(others, ", ") + ", too: agneto show " + event.run);
  fact("go on", resume);
}

void Console::gate(const record::Question& question, const record::Spent& spent,
                   const Asking& asking, Time now) {
  for (auto& line : question_at_stop(question, spent, asking, now, screen_.width())) {
    screen_.line(std::move(line.text), line.indent);
  }
}

void Console::tell(const Event&, const record::RunFinished& finished) {
  going_ = false;
  working_.clear();
  screen_.status({});
  const RunEnding ending{finished, look_(finished.base, finished.branch)};
  screen_.line("");
  screen_.line(headline(ending, !refused_.empty() && ending.why() == refused_), 2);
  fact("path", readable_journey(journey_));
  fact("effort", readable_effort(finished.spent) + " · " + format_duration(finished.worked));
  for (const auto& [name, value] : facts(ending)) fact(name, value);
}

Console::Working* Console::working(const Event& event) {
  const auto found = working_.find(event.path);
  return found == working_.end() ? nullptr : &found->second;
}

std::string Console::took(const Event& event) {
  const auto ended = working_.extract(event.path);
  return ended ? " (" + format_duration(event.time - ended.mapped().since) + ")" : "";
}

// A failure is not cut where a file or a pipe keeps it; a terminal gets its beginning.
std::string Console::whole_error(const std::string& text) const {
  return screen_.style().redraws ? first_line(text, one_line) : text;
}

// Time, state and text in columns, as far as the terminal is wide enough.
void Console::log(const record::RunEvent& event, const Styled& text) {
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
  const std::size_t room = screen_.status_room() - 1;  // the last line tells of the run
  const std::size_t shown = working_.size() > room ? room - 1 : working_.size();
  std::vector<Styled> lines;
  for (const auto& [path, work] : working_) {
    if (lines.size() == shown) break;
    const std::string who = first_line(work.who, who_columns);
    Styled line(Color::blue, "  ▶ " + readable_path(path) + "  " + who);
    if (!work.with.empty()) line.add(Color::blue, " (" + work.with + ")");
    if (work.attempt > 1) line.add(Color::yellow, fmt::format(" · attempt {}", work.attempt));
    line.add(Color::none, " · " + whole_seconds(now - work.since));
    if (!work.doing.empty()) line.add(Color::dim, " · " + work.doing);
    lines.push_back(std::move(line));
  }
  if (shown < working_.size()) {
    lines.emplace_back(Color::blue,
                       fmt::format("  … {} more are at work", working_.size() - shown));
  }
  const record::Spent without_tokens{spent_.calls, {.cost = spent_.usage.cost}};
  lines.emplace_back(Color::dim, "  " + whole_seconds(now - began_) + " · " +
                                     readable_effort(without_tokens) +
                                     (pauses_ ? " · Ctrl+C pauses" : " · Ctrl+C suspends"));
  screen_.status(std::move(lines));
}

}  // namespace agneto::ui
