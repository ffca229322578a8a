// Tells people of runs that need them, in the ways that the configuration says.
#pragma once

#include <filesystem>
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

// Brings one thing to somebody.
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
  // Looks at what has changed, and tells what is to be told by now.
  void step(const std::stop_token& stop);
  // Does so again and again until it is stopped.
  void work(const std::stop_token& stop);

 private:
  struct Settings {
    std::vector<run::Way> ways;
    std::string url;
  };
  void look(const Settings& settings);
  void tell(const Settings& settings, const std::stop_token& stop);
  bool still_so(const journal::Notice& notice) const;
  void failed(const journal::Notice& notice, const run::Way& way, const Error& error);

  const World world_;
  std::mutex mutex_;
  std::optional<Settings> settings_;    // nothing: the configuration was not read yet
  std::map<std::string, Millis> held_;  // ways that have just failed, until then by `elapsed`
};

}  // namespace agneto::serve
