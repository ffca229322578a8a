// News for the engine's thread from workers, people and signals.
#pragma once

#include <deque>
#include <mutex>
#include <optional>
#include <stop_token>
#include <utility>

#include "base/clock.h"

namespace agneto::run {

// `post` from any thread; `wait` from the owner's only.
template <typename Message>
class Mailbox {
 public:
  void post(Message message) {
    std::lock_guard lock(mutex_);
    messages_.push_back(std::move(message));
    sleep_.request_stop();
  }

  // The next message; waits for at most `patience` on `clock`.
  std::optional<Message> wait(Clock& clock, Millis patience) {
    std::stop_token token;
    {
      std::lock_guard lock(mutex_);
      if (!messages_.empty() || patience <= Millis(0)) return take();
      sleep_ = std::stop_source();
      token = sleep_.get_token();
    }
    clock.sleep(patience, token);
    std::lock_guard lock(mutex_);
    return take();
  }

 private:
  std::optional<Message> take() {
    if (messages_.empty()) return std::nullopt;
    std::optional<Message> message(std::move(messages_.front()));
    messages_.pop_front();
    return message;
  }

  std::mutex mutex_;
  std::deque<Message> messages_;
  std::stop_source sleep_;
};

}  // namespace agneto::run
