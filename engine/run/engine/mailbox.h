// What other threads have for the engine's thread to do.
#pragma once

#include <deque>
#include <functional>
#include <mutex>
#include <stop_token>
#include <utility>

#include "base/clock.h"

namespace agneto::run {

// `post` from any thread; `wait` from the owner's only.
class Mailbox {
 public:
  using Task = std::function<void()>;

  void post(Task task) {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
    sleep_.request_stop();
  }

  // The oldest task; waits for one for at most `patience` on `clock`. Empty: none came.
  Task wait(Clock& clock, Millis patience) {
    std::stop_token token;
    {
      const std::lock_guard lock(mutex_);
      if (!tasks_.empty() || patience <= Millis(0)) return take();
      sleep_ = std::stop_source();
      token = sleep_.get_token();
    }
    clock.sleep(patience, token);
    const std::lock_guard lock(mutex_);
    return take();
  }

 private:
  Task take() {
    if (tasks_.empty()) return {};
    Task task = std::move(tasks_.front());
    tasks_.pop_front();
    return task;
  }

  std::mutex mutex_;
  std::deque<Task> tasks_;
  std::stop_source sleep_;
};

}  // namespace agneto::run
