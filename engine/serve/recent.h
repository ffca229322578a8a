// Answers that many ask for at once, such as a page of a list: made once, and given to all as long
// as nothing has changed, for a second at most.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>

#include "base/clock.h"

namespace agneto::serve {

// Its function is called on several threads at a time.
class Recent {
 public:
  explicit Recent(const Clock& clock) : clock_(clock) {}

  // What `make` returns, or has returned for the same question at the same `change` lately.
  std::string answer(const std::string& question, std::int64_t change,
                     const std::function<std::string()>& make);

 private:
  struct Made {
    std::int64_t change = 0;
    Millis at{0};  // by `elapsed`
    std::string text;
  };

  const Clock& clock_;
  std::mutex mutex_;  // of what follows; whoever asks while it is made waits for that
  std::map<std::string, Made> made_;
};

}  // namespace agneto::serve
