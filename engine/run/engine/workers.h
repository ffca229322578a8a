// The threads on which activities work.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <stop_token>
#include <string>
#include <thread>

namespace agneto::run {

// An activity is known by its path, the workspace where it works by its item (worktrees.h). For the
// engine's thread only.
class Workers {
 public:
  using Work = std::function<void(std::stop_token)>;

  // `work` runs on a thread of its own and must not throw. Its last deed is to have `finish` called
  // on the engine's thread.
  void start(const std::string& path, const std::string& item, bool writes, Work work);
  // Its result is not wanted any more, and it is asked to stop; nothing where it does not work.
  void cancel(const std::string& path);
  // Waits for its thread's end; true: its result is wanted.
  bool finish(const std::string& path);
  // Asks all to stop and waits for them; returns the paths of those that were not cancelled.
  std::set<std::string> stop();

  // Must an activity wait for those that work in that workspace? Those that only read wait for
  // those that write.
  bool is_busy(const std::string& item, bool to_write) const;
  bool is_wanted(const std::string& path) const;
  std::size_t count() const { return workers_.size(); }
  // Does any work whose path begins so?
  bool any(const std::string& beginning) const;

 private:
  struct Worker {
    std::string item;
    bool writes = false;
    bool cancelled = false;
    std::jthread thread;
  };

  std::map<std::string, Worker> workers_;
};

}  // namespace agneto::run
