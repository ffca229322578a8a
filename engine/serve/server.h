// One process that works on the runs of a folder at which nobody sits: it takes up those that are
// queued, and those that are parked once a message or their time has come.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "base/clock.h"
#include "base/error.h"
#include "base/inode.h"
#include "journal/journal.h"
#include "journal/lock.h"
#include "run/assembly.h"
#include "run/config.h"
#include "run/engine/mailbox.h"
#include "run/engine/workers.h"
#include "run/wakeup.h"
#include "serve/background.h"
#include "serve/room.h"
#include "serve/scheduler.h"

namespace agneto::serve {

namespace fs = std::filesystem;

// The process that serves the folder, 0 where it cannot be seen from here; nothing: nobody does.
std::optional<int> server_of(const fs::path& folder);
// Does one take up runs there? One that is ending does not.
bool is_served(const fs::path& folder);

// Hears of the runs that are worked on, on the threads that work on them.
class Watcher {
 public:
  virtual ~Watcher() = default;
  // Somebody takes it up. What this returns hears what happens in the run, as long as it is worked
  // on.
  virtual std::unique_ptr<record::Observer> taken(const journal::RunRecord& run) = 0;
  // Nobody works on it any more; as its record is now.
  virtual void left(const journal::RunRecord& run) = 0;
  // The machine does not let anybody work on it now; it is taken up again after that time.
  virtual void put_off(const std::string& run_id, const std::string& why, Millis again) = 0;
  // A person has to mend the configuration, or what a schedule begins. Said once of each mistake,
  // until the configuration changes.
  virtual void is_wrong(const Error& /*what*/) {}
  // The server is not stuck; every few seconds, on its own thread.
  virtual void is_alive() {}
};

struct Options {
  fs::path folder;
  Millis grace{30'000};  // after a stop: until what is under way is cut off
};

// Everything it is given outlives it.
class Server {
 public:
  // Throws Error where another server serves the folder.
  Server(Options options, const run::Resources& resources,
         std::shared_ptr<journal::Journal> journal, Clock& clock, Watcher& watcher);
  ~Server();

  // Works until it is stopped and nobody works on a run any more. What was under way then is queued
  // again. Throws Error, with what was under way cut off, where its files are not those any more
  // that it began with: whatever it would write there nobody would see.
  void work();
  // From any thread. The first time: takes up nothing more, and lets what is under way end, as long
  // as its grace lasts; the second time that is over at once.
  void stop();

 private:
  void read_configuration();
  void take_up();
  void look_at_schedules(const run::Config& config);
  void schedule_is_wrong(const std::string& name, const Error& error);
  void make_scheduled();
  bool make(const run::Schedule& schedule, const std::string& origin);
  void start(const journal::RunRecord& run);
  bool begin(const std::string& what, const std::function<void()>& work);
  void work_on(const journal::RunRecord& run);
  void put_aside(const std::string& run_id, const Error& error);
  void put_off(const std::string& run_id, const std::string& why);
  void look_at_files();
  void stop_engines(bool at_once);
  Millis until_deadline() const;
  Millis until_next();

  const Options options_;
  const run::Resources& resources_;
  const std::shared_ptr<journal::Journal> journal_;
  Clock& clock_;
  Watcher& watcher_;
  const fs::path home_;
  fs::file_time_type read_{};  // that configuration was changed last
  std::unique_ptr<journal::RunLock> lock_;

  std::map<fs::path, std::optional<Inode>> files_;  // without which it serves nobody

  run::Mailbox mailbox_;
  run::Workers workers_;  // one a run
  Room room_;
  Scheduler scheduler_;
  std::set<std::string> wrong_schedules_;  // of which it was said
  // Runs with which something went wrong, by their ids.
  struct PutOff {
    int times = 0;
    Millis until{0};  // by `elapsed`
  };
  std::map<std::string, PutOff> put_off_;
  Millis look_for_cut_off_{0};  // by `elapsed`
  bool is_configured_ = true;   // can the configuration be read?
  bool passed_over_ = false;    // is there a run that somebody else has?
  std::string lost_;            // what of its files is not there any more; else empty
  std::atomic<bool> stopping_ = false;
  Millis deadline_{0};  // by `elapsed`: then what is under way is cut off

  std::mutex engines_mutex_;
  std::map<std::string, run::Engine*> engines_;  // by their run

  std::unique_ptr<run::WakeupListener> listener_;  // posts to the mailbox
  std::unique_ptr<journal::Watch> watch_;          // so does this
  std::unique_ptr<Background> background_;         // works on threads of its own
};

}  // namespace agneto::serve
