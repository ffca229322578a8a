#include "ui/question_dialogue.h"

#include <fmt/format.h>
#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>

#include "base/error.h"
#include "base/text.h"
#include "chart/answer.h"
#include "ui/material.h"
#include "ui/open_question.h"
#include "ui/ways_to_answer.h"

namespace agneto::ui {
namespace {

// Lines that are pasted arrive within this time of each other.
constexpr int paste_ms = 30;
// Somebody who types pauses no longer, and goes on no longer once the question has gone.
constexpr int pause_ms = 300;
constexpr Millis longest_typing{2000};

}  // namespace

Dialogue::Dialogue(Screen& screen, int input, const Clock& clock, std::function<bool()> over)
    : screen_(screen),
      input_(input),
      clock_(clock),
      editor_(input, screen.descriptor(), over),
      pager_(input, screen.descriptor(), [this, over] { return over() || abandoned_; }) {}

void Dialogue::begin() {
  std::uint64_t drained = 0;
  [[maybe_unused]] auto got = read(wake_.get(), &drained, sizeof drained);
  abandoned_ = false;
  typed_ = false;
}

void Dialogue::abandon() {
  abandoned_ = true;
  std::uint64_t one = 1;
  [[maybe_unused]] auto written = write(wake_.get(), &one, sizeof one);
}

std::optional<run::Answer> Dialogue::ask(const run::Question& question) {
  tcflush(input_, TCIFLUSH);
  print(question_at_terminal(question, clock_.now(), screen_.width(), screen_.height()));
  return question.ask.text != model::Need::none ? words_only(question.ask) : choose(question);
}

void Dialogue::print(const QuestionLines& lines) {
  for (const auto& [text, indent] : lines) {
    if (indent == Screen::as_is) {
      screen_.write(text + "\n");
    } else {
      for (const auto& part : text.wrapped(screen_.width(), indent)) screen_.write(part + "\n");
    }
  }
}

std::optional<run::Answer> Dialogue::choose(const run::Question& question) {
  const chart::AskHuman& ask = question.ask;
  while (!left()) {
    print(options_at_terminal(question));
    auto line = read_line("> ");
    if (!line) return std::nullopt;
    std::string typed(trim(*line));
    if (const Option* option = chosen_option(ask, typed)) {
      if (!abort_confirmed(question, *option, typed)) continue;
      if (auto answer = complete(ask, *option)) return answer;
    } else if ((typed == "v" || typed == "V") && !ask.show.empty()) {
      page(ask.show);
    } else if ((typed == "d" || typed == "D") && !question.diff.empty()) {
      page(coloured_diff(question.diff));
    } else if (!typed.empty()) {
      screen_.write("  '" + typed + "' is none of these; type a key or a name.\n");
    }
  }
  return std::nullopt;
}

// What ends the run for good is not chosen by a key alone; who writes its name out means it.
bool Dialogue::abort_confirmed(const run::Question& question, const Option& option,
                               const std::string& typed) {
  const auto& aborting = question.around.aborting;
  if (typed == option.name) return true;
  if (std::ranges::find(aborting, option.name) == aborting.end()) return true;
  const auto line = read_line("  That ends the run for good. Abort it? [y/N] ");
  const std::string sure = line ? lower(trim(*line)) : "";
  return sure == "y" || sure == "yes";
}

// The option with what it asks for; nothing where that was not given.
std::optional<run::Answer> Dialogue::complete(const chart::AskHuman& ask, const Option& option) {
  run::Answer answer{option.name, "", std::nullopt};
  if (option.edit) {
    answer.edited = edit(*option.edit, "edit.md");
    if (!answer.edited) return std::nullopt;
    if (!chart::is_edited(option, *answer.edited)) {
      screen_.write("  Nothing was edited, so nothing was chosen.\n");
      return std::nullopt;
    }
  }
  if (option.feedback == model::Need::none) return answer;
  bool required = option.feedback == model::Need::required;
  auto words = read_words(required ? "What should change" : "Anything to say, may be empty");
  if (!words) return std::nullopt;
  answer.feedback = *words;
  if (const auto refused = chart::refusal(ask, answer, {})) {
    screen_.write("  " + refused->problem + ".\n");
    return std::nullopt;
  }
  return answer;
}

std::optional<run::Answer> Dialogue::words_only(const chart::AskHuman& ask) {
  bool required = ask.text == model::Need::required;
  while (!left()) {
    auto words = read_words(required ? "Your answer" : "Your answer, may be empty");
    const run::Answer answer{"", words.value_or(""), std::nullopt};
    if (words && !chart::refusal(ask, answer, {})) return answer;
    if (words) screen_.write("  This needs an answer in words.\n");
  }
  return std::nullopt;
}

std::optional<run::Interrupt> Dialogue::interrupt() {
  using Kind = run::Interrupt::Kind;
  tcflush(input_, TCIFLUSH);
  while (!left()) {
    screen_.write(Styled("\n") + Styled(Color::yellow, "Paused. What now?") +
                  "\n  [c]  Continue\n  [i]  Instruct: add words for the next agent\n"
                  "  [f]  Finish: let what is under way end, then stop\n"
                  "  [s]  Suspend: stop here, resume later (as a second Ctrl+C does)\n"
                  "  [a]  Abort: end the run, keep the branch\n");
    auto line = read_line("> ");
    if (!line) return std::nullopt;
    std::string_view typed = trim(*line);
    if (typed == "c" || typed == "continue") return run::Interrupt{Kind::resume, ""};
    if (typed == "f" || typed == "finish") return run::Interrupt{Kind::finish, ""};
    if (typed == "s" || typed == "suspend") return run::Interrupt{Kind::suspend, ""};
    if (typed == "a") {
      line = read_line("  That ends the run for good. Type 'abort' to do it: ");
      if (!line) return std::nullopt;
      typed = trim(*line);
      if (typed != "abort") continue;
    }
    if (typed == "abort") return run::Interrupt{Kind::abort, ""};
    if (typed == "i" || typed == "instruct") {
      auto words = read_words("Tell the next agent");
      if (words && !words->empty()) return run::Interrupt{Kind::instruct, *words};
    } else if (!typed.empty()) {
      screen_.write("  '" + std::string(typed) + "' is none of these; type a key.\n");
    }
  }
  return std::nullopt;
}

// A line as the terminal edits it.
std::optional<std::string> Dialogue::read_line(const std::string& prompt) {
  screen_.write(prompt);
  std::string line;
  while (true) {
    pollfd wait[] = {{input_, POLLIN, 0}, {wake_.get(), POLLIN, 0}};
    if (poll(wait, 2, -1) < 0) continue;
    if (wait[1].revents) {
      take_back();
      screen_.write("\n");
      return std::nullopt;
    }
    char buffer[4096];
    ssize_t got = read(input_, buffer, sizeof buffer);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got <= 0) {
      screen_.write("\n");
      ended_ = true;
      return std::nullopt;
    }
    line.append(buffer, static_cast<std::size_t>(got));
    if (line.ends_with('\n')) {
      line.pop_back();
      return valid_utf8(line);
    }
  }
}

bool Dialogue::more_typed() const {
  pollfd wait{input_, POLLIN, 0};
  return poll(&wait, 1, paste_ms) > 0 && (wait.revents & POLLIN) != 0;
}

// Takes what is typed and not entered yet, and what follows from somebody who has not seen yet that
// the question has gone. A terminal gives that away only where it does not edit lines.
void Dialogue::take_back() {
  termios usual{};
  if (tcgetattr(input_, &usual) != 0) return;
  termios at_once = usual;
  at_once.c_lflag &= ~static_cast<tcflag_t>(ICANON);
  at_once.c_cc[VMIN] = 0;
  at_once.c_cc[VTIME] = 0;
  tcsetattr(input_, TCSANOW, &at_once);
  const Millis until = clock_.elapsed() + longest_typing;
  pollfd wait{input_, POLLIN, 0};
  char buffer[4096];
  while (poll(&wait, 1, typed_ ? pause_ms : 0) > 0 && clock_.elapsed() < until) {
    if (read(input_, buffer, sizeof buffer) <= 0) break;
    typed_ = true;
  }
  tcsetattr(input_, TCSANOW, &usual);
}

// Trimmed; all the lines where several were pasted.
std::optional<std::string> Dialogue::read_words(const std::string& what) {
  auto words = read_line(fmt::format("  {} (one line; 'e' opens your editor): ", what));
  if (!words) return std::nullopt;
  if (trim(*words) == "e") {
    words = edit("", "words.md");
    if (!words) return std::nullopt;
  }
  while (!trim(*words).empty() && more_typed()) {
    auto more = read_line("");
    if (!more) return std::nullopt;
    *words += "\n" + *more;
  }
  return std::string(trim(*words));
}

std::optional<std::string> Dialogue::edit(const std::string& text, const std::string& file_name) {
  try {
    std::string edited = valid_utf8(editor_.edit(text, file_name));
    if (!abandoned_) return edited;
    typed_ = edited != text;
    if (!typed_) return std::nullopt;
    screen_.write("\n");
    for (const auto line : split_lines(edited)) screen_.write("  │ " + std::string(line) + "\n");
    return std::nullopt;
  } catch (const Error& error) {
    screen_.write(fmt::format("  {}; {}.\n", error.what(), error.help()));
    return std::nullopt;
  }
}

void Dialogue::page(const Styled& text) {
  bool own_pager = variable({"PAGER"}, "").empty();
  try {
    if (pager_.page(text.render(own_pager && screen_.style().colors))) {
      if (left()) screen_.write("\n");  // behind what it has left of its last line
      return;
    }
  } catch (const Error& error) {
    screen_.write(fmt::format("  {}; {}.\n", error.what(), error.help()));
  }
  screen_.write(text + "\n");  // better here than not at all
}

}  // namespace agneto::ui
