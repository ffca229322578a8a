// A person at this terminal.
//
// Owns a thread that asks one question at a time; Ctrl+C's choice comes before any question, which
// is then asked again. An answer is only ever an explicit choice: what was typed before a question
// was there to be read is no answer to it. At the end of the input (Ctrl+D, or the terminal is
// gone) the program gets SIGHUP, as from a terminal that closes, and nothing is asked any more.
#pragma once

#include <unistd.h>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "run/human.h"
#include "ui/program.h"
#include "ui/screen.h"

namespace agneto::ui {

class TerminalHuman : public run::Human {
 public:
  // `input`: the terminal, in its usual mode, in which it edits lines itself.
  explicit TerminalHuman(Screen& screen, int input = STDIN_FILENO);
  ~TerminalHuman() override;

  bool present() const override { return true; }
  void ask(const run::Question& question, std::function<void(run::Answer)> answer) override;
  void withdraw(const std::string& path, const std::string& why) override;
  void interrupted(std::function<void(run::Interrupt)> answer) override;

 private:
  struct Pending {
    run::Question question;
    std::function<void(run::Answer)> answer;
  };
  using Option = chart::AskHuman::Option;

  void work();
  void put_question(std::unique_lock<std::mutex>& lock);
  void put_interrupt(std::unique_lock<std::mutex>& lock);
  void show(const run::Question& question);
  void offer(const run::Question& question);
  std::optional<run::Answer> choose(const run::Question& question);
  std::optional<run::Answer> complete(const Option& option);
  std::optional<run::Answer> words_only(const chart::AskHuman& ask);
  std::optional<run::Interrupt> choose_interrupt();

  // These give nothing where the question is to be left.
  std::optional<std::string> read_line(const std::string& prompt);
  std::optional<std::string> read_words(const std::string& what);
  std::optional<std::string> edit(const std::string& text, const std::string& file_name);
  void page(const Styled& text);
  bool more_typed() const;
  bool abandoned();
  void wake();

  Screen& screen_;
  int input_;
  Program program_;
  std::mutex mutex_;
  std::condition_variable news_;
  std::deque<Pending> questions_;
  std::function<void(run::Interrupt)> interrupt_;
  std::string at_hand_;    // the path of the question that is being asked
  std::string withdrawn_;  // why that one is not asked any more, where somebody said
  bool abandon_ = false;   // leave it
  bool over_ = false;      // nothing is asked any more: the input ended, or the run is suspended
  bool stop_ = false;
  int wake_ = -1;  // an eventfd that ends a read
  std::thread thread_;
};

}  // namespace agneto::ui
