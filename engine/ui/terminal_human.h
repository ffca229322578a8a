// A person at this terminal.
//
// Owns a thread that asks one question at a time; Ctrl+C's choice comes before any question, which
// is then asked again. An answer is only ever an explicit choice.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>

#include "run/human.h"
#include "ui/screen.h"

namespace agneto::ui {

class TerminalHuman : public run::Human {
 public:
  explicit TerminalHuman(Screen& screen);
  ~TerminalHuman() override;

  bool present() const override { return true; }
  void ask(const run::Question& question, std::function<void(run::Answer)> answer) override;
  void withdraw(const std::string& path) override;
  void interrupted(std::function<void(run::Interrupt)> answer) override;

 private:
  struct Pending {
    run::Question question;
    std::function<void(run::Answer)> answer;
  };

  void work();
  std::optional<run::Answer> put(const run::Question& question);
  std::optional<run::Answer> choose(const run::Question& question);
  std::optional<run::Answer> complete(const chart::AskHuman::Option& option);
  std::optional<run::Answer> words_only(const chart::AskHuman& ask);
  void offer(char key, const std::string& text);
  bool abandoned();
  std::optional<run::Interrupt> put_interrupt();
  std::optional<std::string> read_line(const std::string& prompt);
  std::optional<std::string> read_words(const std::string& what);
  std::optional<std::string> edit(const std::string& text, const std::string& name);
  void page(const std::string& text);
  void wake();

  Screen& screen_;
  std::mutex mutex_;
  std::condition_variable news_;
  std::deque<Pending> questions_;
  std::function<void(run::Interrupt)> interrupt_;
  bool stop_ = false;
  bool abandon_ = false;  // leave the question at hand
  int wake_ = -1;         // an eventfd that ends a read
  std::thread thread_;
};

}  // namespace agneto::ui
