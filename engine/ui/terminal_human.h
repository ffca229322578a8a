// A person at this terminal, who is asked one question at a time, on a thread of this object's own.
// Ctrl+C's choice comes before any question, which is then asked again. The bell rings when a
// question is put for the first time. At the end of the input (ui/question_dialogue.h) the program
// gets SIGHUP, as from a terminal that closes. After that, and once the run is suspended, nothing
// is asked any more.
#pragma once

#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>

#include "run/human.h"
#include "ui/question_dialogue.h"
#include "ui/screen.h"

namespace agneto::ui {

class TerminalHuman : public run::Human {
 public:
  // `input`: the terminal, in its usual mode, in which it edits lines itself.
  TerminalHuman(Screen& screen, const Clock& clock, int input = STDIN_FILENO);
  ~TerminalHuman() override;

  bool present() const override { return true; }
  void ask(const run::Question& question, std::function<void(run::Answer)> answer) override;
  void withdraw(const std::string& path, const std::string& why) override;
  void interrupted(std::function<void(run::Interrupt)> answer) override;

 private:
  struct Pending {
    run::Question question;
    std::function<void(run::Answer)> answer;
    bool was_put = false;
  };

  void work();
  void put_question(std::unique_lock<std::mutex>& lock);
  void put_interrupt(std::unique_lock<std::mutex>& lock);
  bool over() const { return suspended_ || dialogue_.ended(); }

  Screen& screen_;
  Dialogue dialogue_;
  std::mutex mutex_;  // guards all that follows
  std::condition_variable news_;
  std::deque<Pending> questions_;
  std::function<void(run::Interrupt)> interrupt_;
  std::string at_hand_;    // the path of the question that is being asked
  std::string withdrawn_;  // why that one is not asked any more; may be empty
  bool suspended_ = false;
  std::atomic<bool> stop_ = false;  // read without the lock, too
  std::thread thread_;
};

}  // namespace agneto::ui
