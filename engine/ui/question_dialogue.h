// What is shown to a person at a terminal, and what is typed there. An answer is only ever an
// explicit choice: what was typed before a question was there to be read is no answer to it.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>

#include "process/fd.h"
#include "run/human.h"
#include "ui/program.h"
#include "ui/screen.h"

namespace agneto::ui {

// Used by one thread, but for `abandon`. At the end of the input (Ctrl+D, or the terminal is gone)
// the program gets SIGHUP, as from a terminal that closes; what is asked then waits to be
// abandoned.
class Dialogue {
 public:
  // `over`: an editor or a pager that is open is told to end.
  Dialogue(Screen& screen, int input, std::function<bool()> over);

  // Forgets what was abandoned; to be called before each of the two below.
  void begin();
  // Leaves what is being asked. Any thread may call it.
  void abandon();
  // Both return nothing where they were abandoned.
  std::optional<run::Answer> ask(const run::Question& question);
  std::optional<run::Interrupt> interrupt();
  // Has the input ended?
  bool ended() const { return ended_; }

 private:
  using Option = chart::AskHuman::Option;

  void show(const run::Question& question);
  void offer(const run::Question& question);
  std::optional<run::Answer> choose(const run::Question& question);
  std::optional<run::Answer> complete(const chart::AskHuman& ask, const Option& option);
  std::optional<run::Answer> words_only(const chart::AskHuman& ask);

  // These give nothing where the question is to be left.
  std::optional<std::string> read_line(const std::string& prompt);
  std::optional<std::string> read_words(const std::string& what);
  std::optional<std::string> edit(const std::string& text, const std::string& file_name);
  void page(const Styled& text);
  bool more_typed() const;

  Screen& screen_;
  const int input_;
  Program program_;
  const process::Fd wake_ = process::make_event();  // ends a read
  std::atomic<bool> abandoned_ = false;
  std::atomic<bool> ended_ = false;
};

}  // namespace agneto::ui
