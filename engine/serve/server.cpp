#include "serve/server.h"

#include <algorithm>
#include <new>
#include <system_error>

#include "base/files.h"
#include "base/inode.h"
#include "base/log.h"
#include "base/text.h"
#include "journal/lock.h"
#include "record/options.h"
#include "run/human.h"
#include "run/prepare.h"
#include "run/queue.h"
#include "run/wakeup.h"

namespace agneto::serve {

namespace {

// So many runs are looked at for one for which there is room.
constexpr std::size_t most_looked_at = 1000;
// A wake-up that was lost is made up for after this.
constexpr Millis between_looks{30'000};

// Its files are looked at so often.
constexpr Millis between_file_looks{2'000};

// A run that somebody has just queued, or works on elsewhere, is looked at again after this.
constexpr Millis while_locked{500};

// After this something that went wrong is tried again; each time after twice that.
constexpr Millis until_again{1'000};
constexpr Millis longest_until_again{300'000};

// What cannot be read of a run is said once it is worked on.
bool is_for_servers(const journal::RunRecord& run) {
  try {
    return record::options_of(run).served;
  } catch (const Error&) {
    return false;
  }
}

// Whoever serves a folder holds it.
fs::path lock_of(const fs::path& home) {
  return home / "server.lock";
}

std::unique_ptr<journal::RunLock> lock_server(const fs::path& home) {
  try {
    return std::make_unique<journal::RunLock>(lock_of(home), "");
  } catch (const journal::Locked&) {
    throw Error(
        home.parent_path().string() + " is served already, by " +
            std::string(trim(Disk().read(lock_of(home)).value_or("a process"))),
        "one server is enough: it takes up whatever 'agneto submit' queues; to start one with "
        "other options, end it first: agneto serve --stop");
  }
}

// Is it the machine's, which may let one work later, and no mistake that a person has to mend?
bool is_of_machine(const Error& error) {
  return error.status() == ExitStatus::suspended || dynamic_cast<const CutOff*>(&error) != nullptr;
}

}  // namespace

std::optional<int> server_of(const fs::path& folder) {
  return journal::owner_of(lock_of(run::home_of(folder) / ".agneto"));
}

bool is_served(const fs::path& folder) {
  return server_of(folder) &&
         run::is_listened_to(run::server_wakeup_of(run::home_of(folder) / ".agneto"));
}

Server::Server(Options options, const run::Resources& resources,
               std::shared_ptr<journal::Journal> journal, Clock& clock, Watcher& watcher)
    : options_(std::move(options)),
      resources_(resources),
      journal_(std::move(journal)),
      clock_(clock),
      watcher_(watcher),
      home_(run::home_of(options_.folder) / ".agneto"),
      lock_(lock_server(home_)),
      scheduler_(home_.parent_path().string()),
      listener_(std::make_unique<run::WakeupListener>(run::server_wakeup_of(home_),
                                                      [this] { mailbox_.post([] {}); })),
      watch_(journal_->watch("", [this] { mailbox_.post([] {}); })),
      background_(std::make_unique<Background>(options_.folder, resources_.guard, clock_)) {
  for (const fs::path& file : {home_, home_ / "runs.db", lock_of(home_)}) {
    files_[file] = inode_of(file);
  }
}

Server::~Server() {
  background_.reset();
  watch_.reset();
  listener_.reset();
  stopping_ = true;
  stop_engines(true);
  workers_.stop();  // they use all that is left
}

void Server::work() {
  while (!stopping_ || !room_.empty()) {
    look_at_files();
    watcher_.is_alive();
    Millis wait = until_deadline();
    // What is at work goes on where the journal is away for a moment.
    try {
      if (!stopping_) {
        take_up();
        wait = until_next();
      }
    } catch (const Error& error) {
      log::error("journal cannot be read", {{"error", error.what()}});
      wait = between_looks;
    }
    if (stopping_ && clock_.elapsed() >= deadline_) stop_engines(true);
    if (const auto task = mailbox_.wait(clock_, std::min(wait, between_file_looks))) task();
  }
  if (!lost_.empty()) {
    throw Error(lost_ + ", so that this server has ended",
                "what is there now is served by a new one: agneto serve", ExitStatus::failed);
  }
}

void Server::stop() {
  mailbox_.post([this] {
    const bool again = stopping_.exchange(true);
    listener_.reset();  // by which others see that nothing is taken up any more
    deadline_ = clock_.elapsed() + (again ? Millis(0) : options_.grace);
    if (!again) stop_engines(false);
  });
}

// Somebody else's server may be there already.
void Server::look_at_files() {
  if (!lost_.empty()) return;
  for (const auto& [file, inode] : files_) {
    const auto now = inode_of(file);
    if (now == inode) continue;
    lost_ = file.string() + (now ? " was replaced" : " was removed or moved");
    log::error("server has lost its files", {{"file", file.string()}, {"error", lost_}});
    stopping_ = true;
    deadline_ = clock_.elapsed();
    listener_.reset();
    return;
  }
}

// Where it cannot be read, nothing is taken up: each run would meet the same mistake.
void Server::read_configuration() {
  const fs::path checkout = run::checkout_of(options_.folder);
  std::error_code none;
  const auto changed = fs::last_write_time(run::config_file(checkout), none);
  const auto now = none ? fs::file_time_type() : changed;
  if (now == read_) return;
  read_ = now;
  is_configured_ = false;
  try {
    run::Config config = run::current_config(options_.folder, resources_);
    look_at_schedules(config);
    room_.set(std::move(config.concurrency));
    scheduler_.set(std::move(config.schedules));
    background_->set(std::move(config.ways), std::move(config.url), config.keep);
  } catch (const Error& error) {
    log::error("configuration cannot be read", {{"error", error.what()}});
    watcher_.is_wrong(error);
    return;
  }
  is_configured_ = true;
}

void Server::look_at_schedules(const run::Config& config) {
  wrong_schedules_.clear();
  for (const auto& [name, why] :
       run::wrong_schedules(config, options_.folder, resources_, Disk())) {
    schedule_is_wrong(name, Error(why, "'agneto lint .agneto/config.yaml' shows where"));
  }
}

void Server::schedule_is_wrong(const std::string& name, const Error& error) {
  if (!wrong_schedules_.insert(name).second) return;
  watcher_.is_wrong(Error("schedule '" + name + "' makes no run: " + error.what(), error.help()));
}

void Server::take_up() {
  read_configuration();
  passed_over_ = !is_configured_;
  if (!is_configured_) return;
  make_scheduled();
  if (clock_.elapsed() >= look_for_cut_off_) {
    look_for_cut_off_ = clock_.elapsed() + between_looks;
    // Whoever worked on them was killed, such as a server before this one.
    for (const auto& run : journal_->list({.status = {"running"}})) {
      if (is_for_servers(run) && !room_.is_busy(run.id)) start(run);
    }
  }
  if (!room_.any()) return;
  for (const auto& run : journal_->awake(clock_.now(), most_looked_at)) start(run);
  if (!room_.any()) return;
  for (const auto& run : journal_->queued(most_looked_at)) start(run);
}

// Each on a thread of its own: its workflow is read, and git is asked.
void Server::make_scheduled() {
  for (const auto& due : scheduler_.take_due(*journal_, clock_)) {
    const std::string origin = run::origin_of(due.schedule.name, due.time);
    const bool begun = begin(origin, [this, due, origin] {
      const bool well = make(due.schedule, origin);
      mailbox_.post([this, origin, name = due.schedule.name, well] {
        workers_.finish(origin);
        if (well) wrong_schedules_.erase(name);
        scheduler_.made(name, well, clock_);
      });
    });
    if (!begun) scheduler_.made(due.schedule.name, false, clock_);
  }
}

// False: it cannot be made.
bool Server::make(const run::Schedule& schedule, const std::string& origin) {
  run::Request request;
  request.folder = options_.folder;
  request.workflow = schedule.workflow;
  request.task = schedule.task;
  request.inputs = schedule.inputs;
  try {
    const auto made = run::Assembly::enqueue(request, resources_, schedule.priority,
                                             "schedule " + schedule.name, origin);
    log::info("scheduled run queued", {{"run", made.run}, {"of", origin}});
  } catch (const journal::OriginTaken& error) {
    log::info("scheduled run is there", {{"what", error.what()}});
  } catch (const Error& error) {
    log::error("scheduled run cannot be queued", {{"of", origin}, {"error", error.what()}});
    mailbox_.post([this, name = schedule.name, error] { schedule_is_wrong(name, error); });
    return false;
  } catch (const std::exception& error) {
    log::error("scheduled run cannot be queued", {{"of", origin}, {"error", error.what()}});
    return false;
  }
  return true;
}

void Server::start(const journal::RunRecord& run) {
  if (room_.is_busy(run.id) || !room_.obstacle(run).empty()) return;
  const auto off = put_off_.find(run.id);
  if (off != put_off_.end() && clock_.elapsed() < off->second.until) return;
  if (journal_->is_held(run.id)) {
    passed_over_ = true;
    return;
  }
  room_.take(run);
  const bool begun = begin(run.id, [this, run] {
    work_on(run);
    mailbox_.post([this, id = run.id] {
      workers_.finish(id);
      room_.leave(id);
    });
  });
  if (begun) return;
  room_.leave(run.id);
  put_off(run.id, "there is no thread for it");
}

// False: the machine has no thread for it now.
bool Server::begin(const std::string& what, const std::function<void()>& work) {
  try {
    workers_.start(what, what, true, [work](const std::stop_token&) { work(); });
    return true;
  } catch (const std::system_error& error) {
    log::error("thread cannot be started", {{"for", what}, {"error", error.what()}});
    return false;
  }
}

void Server::work_on(const journal::RunRecord& run) {
  if (stopping_) return;
  const log::Scope scope(run.id);
  run::Elsewhere people;
  run::Nobody nobody;
  try {
    const bool asks = record::options_of(run).interactive;
    run::Human& human = asks ? static_cast<run::Human&>(people) : nobody;
    const auto observer = watcher_.taken(run);
    const auto assembly = run::Assembly::reopen(
        {.folder = options_.folder, .run = run.id, .journal = journal_, .parks = true}, resources_,
        human, *observer);
    const auto forget = [&](run::Engine*) {
      const std::lock_guard lock(engines_mutex_);
      engines_.erase(run.id);
    };
    const std::unique_ptr<run::Engine, decltype(forget)> known(&assembly->engine(), forget);
    {
      const std::lock_guard lock(engines_mutex_);
      engines_[run.id] = known.get();
    }
    if (stopping_) known->hand_over(false);
    assembly->engine().work();
    mailbox_.post([this, id = run.id] { put_off_.erase(id); });
  } catch (const journal::Locked& somebody) {
    log::info("run is worked on elsewhere", {{"by", somebody.what()}});
  } catch (const journal::OwnerLost& error) {
    log::warning("run has another owner", {{"error", error.what()}});
  } catch (const Error& error) {
    if (is_of_machine(error)) return put_off(run.id, error.what());
    put_aside(run.id, error);
  } catch (const std::system_error& error) {
    return put_off(run.id, error.what());
  } catch (const std::bad_alloc&) {
    return put_off(run.id, "there is not enough memory");
  } catch (const std::exception& error) {
    put_aside(run.id, Error(error.what()));
  }
  try {
    if (const auto now = journal_->find(run.id)) watcher_.left(*now);
  } catch (const std::exception& error) {
    log::error("what became of a run cannot be told", {{"error", error.what()}});
  }
}

// It cannot be worked on as things are: a person must look at it.
void Server::put_aside(const std::string& run_id, const Error& error) {
  log::error("run cannot go on", {{"error", error.what()}});
  try {
    const auto run = journal_->find(run_id);
    if (!run || run::has_ended(*run)) return;
    std::string reason = error.what();
    if (!error.help().empty()) reason += "; " + error.help();
    run::set_aside(*journal_, run_id, "suspended", reason);
  } catch (const Error& again) {
    // It would be taken up again at once, and for ever.
    log::error("run cannot be suspended", {{"error", again.what()}});
    put_off(run_id, again.what());
  }
}

// It stays as it is, and is taken up again later.
void Server::put_off(const std::string& run_id, const std::string& why) {
  mailbox_.post([this, run_id, why] {
    PutOff& off = put_off_[run_id];
    Millis again = until_again;
    for (int i = 0; i < off.times && again < longest_until_again; ++i) again *= 2;
    again = std::min(again, longest_until_again);
    ++off.times;
    off.until = clock_.elapsed() + again;
    look_for_cut_off_ = std::min(look_for_cut_off_, off.until);
    const log::Scope scope(run_id);
    log::warning("run cannot go on now", {{"error", why}, {"again_in", format_duration(again)}});
    watcher_.put_off(run_id, why, again);
  });
}

void Server::stop_engines(bool at_once) {
  const std::lock_guard lock(engines_mutex_);
  for (const auto& [run, engine] : engines_) {
    engine->hand_over(at_once);
  }
}

Millis Server::until_deadline() const {
  return std::clamp(deadline_ - clock_.elapsed(), Millis(20), Millis(1000));
}

// What is due already and finds no room is looked at again when somebody leaves.
Millis Server::until_next() {
  if (passed_over_) return while_locked;
  Millis wait = between_looks;
  for (const auto& [run, off] : put_off_) {
    const Millis left = off.until - clock_.elapsed();
    if (left > Millis(0)) wait = std::min(wait, left);  // else it was looked at just now
  }
  const Time now = clock_.now();
  auto next = room_.any() ? journal_->next_wake(now) : std::nullopt;
  const auto scheduled = scheduler_.next(now);
  if (scheduled && (!next || *scheduled < *next)) next = scheduled;
  return next ? std::clamp(std::chrono::duration_cast<Millis>(*next - now), Millis(1), wait) : wait;
}

}  // namespace agneto::serve
