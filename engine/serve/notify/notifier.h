// Tells people of runs that need them, in the ways that the configuration says.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/json.h"
#include "journal/journal.h"
#include "journal/notices.h"
#include "run/notify.h"

namespace agneto::serve {

// Brings one thing to somebody. Called on several threads at a time, but for one way on one of
// them.
class Courier {
 public:
  virtual ~Courier() = default;
  // `told`: as Happening has it. May take some seconds. Throws Error where it may not have arrived,
  // which says why without a secret.
  virtual void bring(const run::Way& way, const Json& told, std::stop_token stop) = 0;
};

// What there is to tell is read from the journal, and what was told is written there: nothing is
// left out, and what was brought is brought again only where this process is killed before that is
// written. Everything that it is given outlives it.
class Notifier {
 public:
  struct World {
    std::filesystem::path folder;
    journal::Journal& journal;
    journal::Notices& notices;
    Courier& courier;
    Clock& clock;
  };
  explicit Notifier(World world) : world_(world) {}

  // From any thread. What happened before there was any way is not told. `url`: where people reach
  // the server; may be empty.
  void set(std::vector<run::Way> ways, std::string url);
  // Looks at what has changed, and tells what is to be told by now, in one way after the other.
  void step(const std::stop_token& stop);
  // Does so again and again until it is stopped, or `may` says no, and tells in each way on a
  // thread of its own, so that one that hangs delays nothing but itself.
  void work(const std::stop_token& stop, const std::function<bool()>& may);
  // Does the configuration say how people are told? From any thread.
  bool has_ways() const;

 private:
  struct Settings {
    std::vector<run::Way> ways;
    std::string url;
  };
  std::vector<run::Way> ways_due();
  void look(const Settings& settings);
  void hold(const std::string& way);
  std::optional<Millis> held(const std::string& way);
  void tell(const run::Way& way, const std::stop_token& stop);
  void attempt(const std::function<void()>& work);
  bool still_so(const journal::Notice& notice) const;
  void failed(const journal::Notice& notice, const run::Way& way, const Error& error);
  // What is done with the notices is done by one thread at a time.
  template <class Use>
  auto with_notices(Use use) {
    const std::lock_guard lock(notices_mutex_);
    return use(world_.notices);
  }

  const World world_;
  std::mutex notices_mutex_;
  mutable std::mutex mutex_;            // of what follows
  std::optional<Settings> settings_;    // nothing: the configuration was not read yet
  std::map<std::string, Millis> held_;  // ways that have just failed, until then by `elapsed`
  std::atomic<bool> is_failing_ = false;
};

}  // namespace agneto::serve
