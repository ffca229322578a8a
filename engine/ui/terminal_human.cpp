#include "ui/terminal_human.h"

#include <csignal>
#include <utility>

namespace agneto::ui {
namespace {

// A run that is aborted withdraws its questions within this time, or means to ask them still.
constexpr std::chrono::milliseconds abort_patience{500};

}  // namespace

TerminalHuman::TerminalHuman(Screen& screen, const Clock& clock, int input)
    : screen_(screen),
      dialogue_(screen, input, clock, [this] { return stop_.load(); }),
      thread_([this] { work(); }) {}

TerminalHuman::~TerminalHuman() {
  {
    std::lock_guard lock(mutex_);
    stop_ = true;
    dialogue_.abandon();
    news_.notify_all();
  }
  thread_.join();
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
    withdrawn_ = why;
    dialogue_.abandon();
  }
  news_.notify_all();
}

void TerminalHuman::interrupted(std::function<void(run::Interrupt)> answer) {
  std::lock_guard lock(mutex_);
  interrupt_ = std::move(answer);
  dialogue_.abandon();
  news_.notify_all();
}

void TerminalHuman::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    news_.wait(lock, [&] { return stop_ || (!over() && (interrupt_ || !questions_.empty())); });
    if (stop_) return;
    dialogue_.begin();
    if (interrupt_) {
      put_interrupt(lock);
    } else {
      put_question(lock);
    }
    if (dialogue_.ended()) kill(getpid(), SIGHUP);
  }
}

void TerminalHuman::put_question(std::unique_lock<std::mutex>& lock) {
  run::Question question = questions_.front().question;
  const bool was_put = std::exchange(questions_.front().was_put, true);
  at_hand_ = question.ask.path;
  withdrawn_.clear();
  lock.unlock();
  screen_.hold();
  if (!was_put) screen_.ring();
  auto answer = dialogue_.ask(question);
  lock.lock();
  at_hand_.clear();
  bool still_asked =
      !questions_.empty() && questions_.front().question.ask.path == question.ask.path;
  if (!still_asked && !over()) {
    std::string why = withdrawn_.empty() ? "this question is not asked any more" : withdrawn_;
    if (answer || dialogue_.typed()) why += "; what you have typed is not taken";
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
  auto chosen = dialogue_.interrupt();
  // The log says so too, but a question may hold it back for long.
  if (chosen && chosen->kind == run::Interrupt::Kind::instruct) {
    screen_.write("  The next agent will be told.\n");
  }
  screen_.release();
  lock.lock();
  if (!chosen) return;
  suspended_ = chosen->kind == run::Interrupt::Kind::suspend;
  bool aborts = chosen->kind == run::Interrupt::Kind::abort;
  give(std::move(*chosen));
  if (aborts) {  // most likely the questions are withdrawn at once
    news_.wait_for(lock, abort_patience, [&] { return stop_ || interrupt_ || questions_.empty(); });
  }
}

}  // namespace agneto::ui
