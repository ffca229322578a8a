// One process that works on the runs of a folder at which nobody sits: it takes up those that are
// queued, and those that are parked once a message or their time has come.
#pragma once

#include <atomic>
#include <deque>
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
#include "process/process.h"
#include "run/assembly.h"
#include "run/config.h"
#include "run/engine/mailbox.h"
#include "run/engine/workers.h"
#include "run/wakeup.h"
#include "serve/background.h"
#include "serve/scheduler.h"
#include "serve/versions.h"

namespace agneto::serve {

namespace fs = std::filesystem;

// The process that serves the folder, 0 where it cannot be seen from here; nothing: nobody does.
std::optional<int> server_of(const fs::path& folder);
// Since when it does; nothing: that cannot be seen.
std::optional<Time> served_since(const fs::path& folder);
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
  // Does it work on the folder's own runs, and make those of its schedules? Else only on runs that
  // travel through a hub.
  bool is_home = true;
  std::string version = {};              // of the program, as others see it
  std::optional<int> runs = {};          // so many at a time; nothing: as the configuration says
  std::vector<std::string> labels = {};  // beside those that the configuration says
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
  bool look();
  void look_at_programs();
  void look_at_schedules(const run::Config& config);
  void schedule_is_wrong(const std::string& name, const Error& error);
  void make_scheduled();
  bool make(const run::Schedule& schedule, const std::string& origin);
  bool start(const journal::RunRecord& run);
  bool begin(const std::string& what, const std::function<void()>& work);
  void work_on(const journal::RunRecord& run, std::shared_ptr<journal::Hold> hold);
  std::size_t room() const;
  journal::Taker taker() const;
  void be_present();
  void tidy();
  void put_aside(const std::string& run_id, const Error& error);
  void put_off(const std::string& run_id, const std::string& why);
  void look_at_files();
  void stop_engines(bool at_once);
  Millis until_deadline() const;
  bool is_to_look() const;
  void plan_next_look();
  Millis until_next_look() const;

  const Options options_;
  const run::Resources& resources_;
  const std::shared_ptr<journal::Journal> journal_;
  Clock& clock_;
  Watcher& watcher_;
  const fs::path home_;
  const bool is_shared_;  // are there others who look at what it has?
  // When the configuration that was read was changed last; nothing: none was read.
  std::optional<fs::file_time_type> read_;
  std::unique_ptr<journal::RunLock> lock_;

  std::map<fs::path, std::optional<Inode>> files_;  // without which it serves nobody

  run::Mailbox mailbox_;
  run::Workers workers_;  // one a run
  run::Concurrency most_;
  std::vector<std::string> own_labels_;  // that somebody has given it
  std::vector<std::string> labels_;      // those, and the providers that can be called here
  std::map<std::string, std::string> said_versions_;  // by these providers' programs
  Millis look_at_programs_{0};                        // by `elapsed`: whether they can
  std::set<std::string> busy_;                        // the runs that are worked on here
  Scheduler scheduler_;
  std::set<std::string> wrong_schedules_;  // of which it was said
  // Runs with which something went wrong, by their ids.
  struct PutOff {
    int times = 0;
    Millis until{0};  // by `elapsed`
    std::string why = {};
  };
  std::map<std::string, PutOff> put_off_;
  std::deque<journal::RunRecord> due_;  // of those that were found last, the ones not yet tried
  Millis found_{0};                     // by `elapsed`: when that was
  Millis look_again_{0};                // by `elapsed`: what somebody else has now may be free then
  bool is_news_ = true;                 // is there anything since it was looked for runs?
  Millis look_at_{0};                   // by `elapsed`: else they are looked for then
  Time wake_{};                         // or then
  Millis tidy_{0};                      // by `elapsed`: what ended runs have left on this machine
  Millis present_{0};                   // by `elapsed`: when others were told that it is here
  bool is_configured_ = true;           // can the configuration be read?
  std::string lost_;                    // what of its files is not there any more; else empty
  std::atomic<bool> stopping_ = false;
  Millis deadline_{0};  // by `elapsed`: then what is under way is cut off

  std::mutex engines_mutex_;
  std::map<std::string, run::Engine*> engines_;  // by their run

  std::unique_ptr<run::WakeupListener> listener_;  // posts to the mailbox
  std::unique_ptr<journal::Watch> watch_;          // so does this
  const std::string name_;                         // among those who take up runs
  const Time since_;
  std::unique_ptr<Background> background_;  // works on threads of its own; null: not at home
  process::GuardedRunner runner_;           // of programs that are asked for their versions
  Versions versions_;                       // posts to the mailbox
};

}  // namespace agneto::serve
