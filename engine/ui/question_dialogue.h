// What is shown to a person at a terminal, and what is typed there. An answer is only ever an
// explicit choice: what was typed before a question was there to be read is no answer to it.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>

#include "base/clock.h"
#include "process/fd.h"
#include "run/human.h"
#include "ui/open_question.h"
#include "ui/program.h"
#include "ui/screen.h"

namespace agneto::ui {

// More than 25 names: a question is shown, chosen from and answered in words or in an editor, and
// each of these can be abandoned.
//
// Used by one thread, but for `abandon`.
class Dialogue {
 public:
  // `over`: an editor that is open is told to end. A pager is also told so by `abandon`.
  Dialogue(Screen& screen, int input, const Clock& clock, std::function<bool()> over);

  // Forgets what was abandoned; to be called before each of the two below.
  void begin();
  // Leaves what is being asked; an editor that is open is left to the person. Any thread may call
  // it. What was typed and not entered yet is taken from the terminal, so that nobody else gets it.
  void abandon();
  // Both return nothing where they were abandoned, and at the end of the input (Ctrl+D, or the
  // terminal is gone).
  std::optional<run::Answer> ask(const run::Question& question);
  std::optional<run::Interrupt> interrupt();
  // Has the input ended?
  bool ended() const { return ended_; }
  // Was something typed or written that was not taken, as what was asked was abandoned?
  bool typed() const { return typed_; }

 private:
  using Option = chart::AskHuman::Option;

  void print(const QuestionLines& lines);
  std::optional<run::Answer> choose(const run::Question& question);
  bool abort_confirmed(const run::Question& question, const Option& option,
                       const std::string& typed);
  std::optional<run::Answer> complete(const chart::AskHuman& ask, const Option& option);
  std::optional<run::Answer> words_only(const chart::AskHuman& ask);

  bool left() const { return abandoned_ || ended_; }

  // These give nothing where the question is to be left.
  std::optional<std::string> read_line(const std::string& prompt);
  std::optional<std::string> read_words(const std::string& what);
  std::optional<std::string> edit(const std::string& text, const std::string& file_name);
  void page(const Styled& text);
  bool more_typed() const;
  void take_back();

  Screen& screen_;
  const int input_;
  const Clock& clock_;
  const Program editor_;
  const Program pager_;
  const process::Fd wake_ = process::make_event();  // ends a read
  std::atomic<bool> abandoned_ = false;
  std::atomic<bool> ended_ = false;
  bool typed_ = false;
};

}  // namespace agneto::ui
