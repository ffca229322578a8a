// Answers that cost something and that many ask for at once, such as a page of a list or a picture:
// each is made once, and given to all as long as it is good.
#pragma once

#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "base/clock.h"
#include "serve/turns.h"

namespace agneto::serve {

// Its function is called on several threads at a time.
class Recent {
 public:
  // An answer is good for so long; so many are kept.
  Recent(const Clock& clock, Millis good_for, std::size_t most)
      : clock_(clock), good_for_(good_for), most_(most) {}

  // What `make` returns, or has returned for the same question lately; `question` says all that the
  // answer depends on. What it throws is an answer, too, but for NotYet. Throws NotYet where others
  // are making it, and are not done within a moment: who waits keeps a thread from others.
  std::string answer(const std::string& question, const std::function<std::string()>& make);

 private:
  struct Answer {
    Turns making;  // of what follows
    bool made = false;
    Millis at{0};  // by `elapsed`
    std::string text;
    std::exception_ptr failure;
  };
  struct Kept {
    std::shared_ptr<Answer> answer;
    Millis asked{0};  // when last, by `elapsed`
  };
  std::shared_ptr<Answer> find(const std::string& question);

  const Clock& clock_;
  const Millis good_for_;
  const std::size_t most_;
  std::mutex mutex_;  // of what follows
  std::map<std::string, Kept> kept_;
};

}  // namespace agneto::serve
