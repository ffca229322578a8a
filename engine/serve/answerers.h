// The threads that answer requests.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace agneto::serve {

// Its functions are called on several threads at a time, but for `stop`.
class Answerers {
 public:
  explicit Answerers(unsigned threads);

  // It is done once a thread is free, in the order in which they came. Must not throw.
  void post(std::function<void()> task);
  // What waits is not done any more; what is being done is waited for.
  void stop() { threads_.clear(); }

 private:
  void work(const std::stop_token& stop);

  std::mutex mutex_;
  std::condition_variable_any news_;
  std::deque<std::function<void()>> tasks_;
  std::vector<std::jthread> threads_;
};

// Requests that only look, requests that do something and those of agents' clients are answered on
// different threads. So an abort does not wait until others have been shown what they asked for.
struct Lanes {
  Answerers looking{16};
  Answerers doing{8};
  Answerers clients{4};  // all that they send is a POST

  Answerers& of(const std::string& method, const std::string& path) {
    if (path == "/mcp") return clients;
    return method == "GET" || method == "HEAD" ? looking : doing;
  }
  void stop() {
    looking.stop();
    doing.stop();
    clients.stop();
  }
};

}  // namespace agneto::serve
