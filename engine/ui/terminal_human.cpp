#include "ui/terminal_human.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <termios.h>

#include <algorithm>
#include <csignal>

#include "base/error.h"
#include "base/text.h"
#include "ui/material.h"
#include "ui/options.h"
#include "ui/readable.h"

namespace agneto::ui {
namespace {

// What a question needs of the screen besides its material.
constexpr std::size_t question_lines = 14;
constexpr std::size_t least_preview = 10;
// Lines that are pasted arrive within this time of each other.
constexpr int paste_ms = 30;
// A run that is aborted withdraws its questions within this time, or means to ask them still.
constexpr std::chrono::milliseconds abort_patience{500};

}  // namespace

TerminalHuman::TerminalHuman(Screen& screen, int input)
    : screen_(screen),
      input_(input),
      program_(input, screen.descriptor(),
               [this] {
                 std::lock_guard lock(mutex_);
                 return stop_;
               }),
      wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      thread_([this] { work(); }) {}

TerminalHuman::~TerminalHuman() {
  {
    std::lock_guard lock(mutex_);
    stop_ = true;
    abandon_ = true;
    wake();
  }
  thread_.join();
  close(wake_);
}

void TerminalHuman::ask(const run::Question& question, std::function<void(run::Answer)> answer) {
  std::lock_guard lock(mutex_);
  questions_.push_back({question, std::move(answer)});
  news_.notify_all();
}

void TerminalHuman::withdraw(const std::string& path, const std::string& why) {
  std::lock_guard lock(mutex_);
  std::erase_if(questions_, [&](const Pending& p) { return p.question.ask.path == path; });
  if (at_hand_ == path) {
    abandon_ = true;
    withdrawn_ = why;
  }
  wake();
}

void TerminalHuman::interrupted(std::function<void(run::Interrupt)> answer) {
  std::lock_guard lock(mutex_);
  interrupt_ = std::move(answer);
  abandon_ = true;
  wake();
}

void TerminalHuman::wake() {
  std::uint64_t one = 1;
  [[maybe_unused]] auto written = write(wake_, &one, sizeof one);
  news_.notify_all();
}

void TerminalHuman::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    news_.wait(lock, [&] { return stop_ || (!over_ && (interrupt_ || !questions_.empty())); });
    if (stop_) return;
    std::uint64_t drained = 0;
    [[maybe_unused]] auto got = read(wake_, &drained, sizeof drained);
    abandon_ = false;
    if (interrupt_) {
      put_interrupt(lock);
    } else {
      put_question(lock);
    }
  }
}

void TerminalHuman::put_question(std::unique_lock<std::mutex>& lock) {
  run::Question question = questions_.front().question;
  at_hand_ = question.ask.path;
  withdrawn_.clear();
  lock.unlock();
  screen_.hold();
  tcflush(input_, TCIFLUSH);
  show(question);
  auto answer =
      question.ask.text != model::Need::none ? words_only(question.ask) : choose(question);
  lock.lock();
  at_hand_.clear();
  bool still_asked =
      !questions_.empty() && questions_.front().question.ask.path == question.ask.path;
  if (!still_asked && !over_ && !stop_) {
    const std::string why = withdrawn_.empty() ? "this question is not asked any more" : withdrawn_;
    screen_.write({Color::dim, "  (" + why + ")\n"});
  }
  screen_.release();
  if (!answer || !still_asked) return;
  auto give = std::move(questions_.front().answer);
  questions_.pop_front();
  give(std::move(*answer));
}

void TerminalHuman::put_interrupt(std::unique_lock<std::mutex>& lock) {
  auto give = std::exchange(interrupt_, nullptr);
  lock.unlock();
  screen_.hold();
  tcflush(input_, TCIFLUSH);
  auto chosen = choose_interrupt();
  // The log says so too, but a question may hold it back for long.
  if (chosen && chosen->kind == run::Interrupt::Kind::instruct) {
    screen_.write("  The next agent will be told.\n");
  }
  screen_.release();
  lock.lock();
  if (!chosen) return;
  over_ = chosen->kind == run::Interrupt::Kind::suspend;
  bool aborts = chosen->kind == run::Interrupt::Kind::abort;
  give(std::move(*chosen));
  if (aborts) {  // most likely the questions are withdrawn at once
    news_.wait_for(lock, abort_patience, [&] { return stop_ || interrupt_ || questions_.empty(); });
  }
}

// The material and the question.
void TerminalHuman::show(const run::Question& question) {
  std::size_t width = screen_.width();
  std::size_t height = std::max(screen_.height(), question_lines + least_preview) - question_lines;
  std::string where = readable_path(question.ask.path);
  screen_.write({Color::dim, "\n── " + where + " ──\n"});
  for (std::string_view part :
       {std::string_view(question.ask.show), std::string_view(question.diff)}) {
    Material material = summarise(part, width, height);
    for (const auto& line : material.lines) screen_.write(line + "\n");
    if (!material.lines.empty()) screen_.write("\n");
  }
  for (const auto& line : Styled(Color::magenta, "👤 " + question.ask.question).wrapped(width, 3)) {
    screen_.write(line + "\n");
  }
}

void TerminalHuman::offer(const run::Question& question) {
  const chart::AskHuman& ask = question.ask;
  auto keys = option_keys(ask);
  std::size_t column = 0;
  for (const auto& option : ask.options) column = std::max(column, Styled(option.label).width());
  auto line = [&](const std::string& key, const Styled& text) {
    Styled whole("  ");
    whole.add(Color::bold, "[" + key + "]").add(Color::none, "  ") += text;
    for (const auto& part : whole.wrapped(screen_.width(), 7)) screen_.write(part + "\n");
  };
  for (std::size_t i = 0; i < ask.options.size(); ++i) {
    Styled label = Styled(ask.options[i].label).joined();
    std::string gap(column + 2 - std::min(label.width(), column), ' ');
    line(keys[i], label + gap + Styled(Color::dim, ask.options[i].name));
  }
  if (!ask.show.empty()) line("v", "View all of it");
  if (!question.diff.empty()) line("d", "View the diff");
}

std::optional<run::Answer> TerminalHuman::choose(const run::Question& question) {
  const chart::AskHuman& ask = question.ask;
  while (true) {
    offer(question);
    auto line = read_line("> ");
    if (!line) return std::nullopt;
    std::string typed(trim(*line));
    if (const Option* option = chosen_option(ask, typed)) {
      auto answer = complete(*option);
      if (answer || abandoned()) return answer;
    } else if ((typed == "v" || typed == "V") && !ask.show.empty()) {
      page(ask.show);
    } else if ((typed == "d" || typed == "D") && !question.diff.empty()) {
      page(coloured_diff(question.diff));
    } else if (!typed.empty()) {
      screen_.write("  '" + typed + "' is none of these; type a key or a name.\n");
    }
  }
}

// The option with what it asks for; nothing where that was not given.
std::optional<run::Answer> TerminalHuman::complete(const Option& option) {
  run::Answer answer{option.name, "", std::nullopt};
  if (option.edit) {
    answer.edited = edit(*option.edit, "edit.md");
    if (!answer.edited) return std::nullopt;
    if (*answer.edited == *option.edit || trim(*answer.edited).empty()) {
      screen_.write("  Nothing was edited, so nothing was chosen.\n");
      return std::nullopt;
    }
  }
  if (option.feedback == model::Need::none) return answer;
  bool required = option.feedback == model::Need::required;
  auto words = read_words(required ? "What should change" : "Anything to say, may be empty");
  if (!words) return std::nullopt;
  if (required && words->empty()) {
    screen_.write("  " + option.name + " needs words.\n");
    return std::nullopt;
  }
  answer.feedback = *words;
  return answer;
}

std::optional<run::Answer> TerminalHuman::words_only(const chart::AskHuman& ask) {
  bool required = ask.text == model::Need::required;
  while (true) {
    auto words = read_words(required ? "Your answer" : "Your answer, may be empty");
    if (words && (!required || !words->empty())) return run::Answer{"", *words, std::nullopt};
    if (abandoned()) return std::nullopt;
    if (words) screen_.write("  This needs an answer in words.\n");
  }
}

std::optional<run::Interrupt> TerminalHuman::choose_interrupt() {
  using Kind = run::Interrupt::Kind;
  while (true) {
    screen_.write(
        Styled("\n") + Styled(Color::yellow, "Paused. What now?") +
        "\n  [c]  Continue\n  [i]  Instruct: add words for the next agent\n"
        "  [s]  Suspend: stop here, resume later\n  [a]  Abort: end the run, keep the branch\n");
    auto line = read_line("> ");
    if (!line) return std::nullopt;
    std::string_view typed = trim(*line);
    if (typed == "c" || typed == "continue") return run::Interrupt{Kind::resume, ""};
    if (typed == "s" || typed == "suspend") return run::Interrupt{Kind::suspend, ""};
    if (typed == "a" || typed == "abort") return run::Interrupt{Kind::abort, ""};
    if (typed == "i" || typed == "instruct") {
      auto words = read_words("Tell the next agent");
      if (words && !words->empty()) return run::Interrupt{Kind::instruct, *words};
      if (abandoned()) return std::nullopt;
    } else if (!typed.empty()) {
      screen_.write("  '" + std::string(typed) + "' is none of these; type a key.\n");
    }
  }
}

// A line as the terminal edits it.
std::optional<std::string> TerminalHuman::read_line(const std::string& prompt) {
  screen_.write(prompt);
  std::string line;
  while (true) {
    pollfd wait[] = {{input_, POLLIN, 0}, {wake_, POLLIN, 0}};
    if (poll(wait, 2, -1) < 0) continue;
    if (wait[1].revents) {
      std::lock_guard lock(mutex_);
      if (abandon_) {
        screen_.write("\n");
        return std::nullopt;
      }
      std::uint64_t drained = 0;
      [[maybe_unused]] auto got = read(wake_, &drained, sizeof drained);
      continue;
    }
    char buffer[4096];
    ssize_t got = read(input_, buffer, sizeof buffer);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got <= 0) {
      screen_.write("\n");
      std::unique_lock lock(mutex_);
      over_ = true;
      kill(getpid(), SIGHUP);
      news_.wait(lock, [&] { return abandon_; });
      return std::nullopt;
    }
    line.append(buffer, static_cast<std::size_t>(got));
    if (line.ends_with('\n')) {
      line.pop_back();
      return valid_utf8(line);
    }
  }
}

bool TerminalHuman::more_typed() const {
  pollfd wait{input_, POLLIN, 0};
  return poll(&wait, 1, paste_ms) > 0 && (wait.revents & POLLIN) != 0;
}

// Trimmed; all the lines where several were pasted.
std::optional<std::string> TerminalHuman::read_words(const std::string& what) {
  auto words = read_line(fmt::format("  {} (one line; 'e' opens your editor): ", what));
  if (!words) return std::nullopt;
  if (trim(*words) == "e") words = edit("", "words.md").value_or("");
  while (!trim(*words).empty() && more_typed()) {
    auto more = read_line("");
    if (!more) return std::nullopt;
    *words += "\n" + *more;
  }
  return std::string(trim(*words));
}

std::optional<std::string> TerminalHuman::edit(const std::string& text,
                                               const std::string& file_name) {
  try {
    return valid_utf8(program_.edit(text, file_name));
  } catch (const Error& error) {
    screen_.write(fmt::format("  {}; {}.\n", error.what(), error.help()));
    return std::nullopt;
  }
}

void TerminalHuman::page(const Styled& text) {
  bool own_pager = variable({"PAGER"}, "").empty();
  try {
    if (program_.page(text.render(own_pager && screen_.style().colors))) return;
  } catch (const Error& error) {
    screen_.write(fmt::format("  {}; {}.\n", error.what(), error.help()));
  }
  screen_.write(text + "\n");  // better here than not at all
}

bool TerminalHuman::abandoned() {
  std::lock_guard lock(mutex_);
  return abandon_;
}

}  // namespace agneto::ui
