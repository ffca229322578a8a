#include "serve/server.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <new>
#include <system_error>
#include <utility>

#include "base/files.h"
#include "base/inode.h"
#include "base/log.h"
#include "base/text.h"
#include "journal/lock.h"
#include "record/options.h"
#include "run/checkup.h"
#include "run/hub.h"
#include "run/human.h"
#include "run/labels.h"
#include "run/prepare.h"
#include "run/queue.h"
#include "run/wakeup.h"
#include "serve/worker.h"

namespace agneto::serve {

namespace {

// A wake-up that was lost is made up for after this.
constexpr Millis between_looks{30'000};

// Where others are quicker each time, so often at once.
constexpr int most_looks = 10;

// So many runs are found beyond those for which there is room. They are tried for so long as places
// get free: a run that came meanwhile waits no longer, whatever its priority is.
constexpr std::size_t most_ahead = 32;
constexpr Millis good_for{200};

// Its files are looked at so often.
constexpr Millis between_file_looks{2'000};

// It says so often that it is there.
constexpr Millis between_signs{3'000};

// Programs are asked for their versions one after another, with so much time for what is at work.
constexpr Millis between_questions{2'000};

// What ended runs have left on this machine is looked for so often.
constexpr Millis between_tidyings{3'600'000};
const std::string tidying = "what ended runs have left";  // among its work

// After this something that went wrong is tried again; each time after twice that.
constexpr Millis until_again{1'000};
constexpr Millis longest_until_again{300'000};

// Whoever serves a folder holds it.
fs::path lock_of(const fs::path& home) {
  return home / "server.lock";
}

std::unique_ptr<journal::RunLock> lock_server(const fs::path& home, bool is_home) {
  try {
    return std::make_unique<journal::RunLock>(lock_of(home), "");
  } catch (const journal::Locked&) {
    throw Error(
        home.parent_path().string() + " is served already, by " +
            std::string(trim(Disk().read(lock_of(home)).value_or("a process"))),
        is_home
            ? "one server is enough: it takes up whatever 'agneto submit' queues; to start one "
              "with "
              "other options, end it first: agneto serve --stop"
            : "one is enough: give that more --slots, or start another worker in another folder");
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

std::optional<Time> served_since(const fs::path& folder) {
  std::error_code unseen;
  const auto locked = fs::last_write_time(lock_of(run::home_of(folder) / ".agneto"), unseen);
  if (unseen) return std::nullopt;
  return std::chrono::time_point_cast<Millis>(std::chrono::file_clock::to_sys(locked));
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
      is_shared_(run::is_shared(run::journal_place(options_.folder))),
      lock_(lock_server(home_, options_.is_home)),
      scheduler_(home_.parent_path().string()),
      listener_(std::make_unique<run::WakeupListener>(run::server_wakeup_of(home_),
                                                      [this] { mailbox_.post([] {}); })),
      watch_(journal_->watch("", [this] { mailbox_.post([] {}); })),
      name_(fmt::format("{}/{}", journal::this_host(), ::getpid())),
      since_(clock_.now()),
      background_(options_.is_home
                      ? std::make_unique<Background>(options_.folder, resources_.guard, clock_)
                      : nullptr),
      runner_(resources_.guard),
      versions_(
          [this](const fs::path& program, const std::stop_token& stop) {
            const bool goes_on = clock_.sleep(between_questions, stop);
            return goes_on ? run::version_of(program, options_.folder, runner_, stop) : "";
          },
          [this] { mailbox_.post([this] { look_at_programs_ = Millis(0); }); }) {
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
  while (!stopping_ || !busy_.empty()) {
    look_at_files();
    watcher_.is_alive();
    be_present();
    Millis wait = until_deadline();
    // What is at work goes on where the journal is away for a moment.
    try {
      if (!stopping_) {
        read_configuration();
        if (is_configured_) look_at_programs();
        if (is_to_look()) {
          take_up();
          plan_next_look();
        }
        tidy();
        wait = until_next_look();
      }
    } catch (const Error& error) {
      log::error("journal cannot be read", {{"error", error.what()}});
      wait = between_looks;
    }
    if (stopping_ && clock_.elapsed() >= deadline_) stop_engines(true);
    for (auto task = mailbox_.wait(clock_, std::min(wait, between_file_looks)); task;
         task = mailbox_.wait(clock_, Millis(0))) {
      task();
      is_news_ = true;
    }
  }
  try {
    journal_->leave(name_);
  } catch (const Error& error) {
    log::warning("it is not told that this process has ended", {{"error", error.what()}});
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
  is_news_ = true;
  is_configured_ = false;
  try {
    run::Config config = run::current_config(options_.folder, resources_);
    if (options_.is_home) look_at_schedules(config);
    own_labels_ = run::labels_of(config, options_.folder, resources_);
    own_labels_.insert(own_labels_.end(), options_.labels.begin(), options_.labels.end());
    if (options_.is_home) own_labels_.push_back(run::label_of_folder(home_.parent_path()));
    look_at_programs_ = Millis(0);
    most_ = std::move(config.concurrency);
    scheduler_.set(std::move(config.schedules));
    if (background_) background_->set(std::move(config.ways), std::move(config.url), config.keep);
  } catch (const Error& error) {
    log::error("configuration cannot be read", {{"error", error.what()}});
    watcher_.is_wrong(error);
    return;
  }
  is_configured_ = true;
}

// Somebody may install an agent's program meanwhile.
void Server::look_at_programs() {
  if (clock_.elapsed() < look_at_programs_) return;
  look_at_programs_ = clock_.elapsed() + between_looks;
  const auto programs = run::callable_providers(options_.folder, resources_);
  std::vector<std::string> labels;
  for (const auto& [name, program] : programs) labels.push_back(name);
  labels.insert(labels.end(), own_labels_.begin(), own_labels_.end());
  auto versions = is_shared_ ? versions_.of(programs) : std::map<std::string, std::string>();
  if (labels != labels_) is_news_ = true;
  if (labels != labels_ || versions != said_versions_) present_ = Millis(0);
  labels_ = std::move(labels);
  said_versions_ = std::move(versions);
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

// Others see what it can do, and that it is there.
void Server::be_present() {
  if (clock_.elapsed() < present_) return;
  present_ = clock_.elapsed() + between_signs;
  Worker worker;
  worker.name = name_;
  worker.kind = options_.is_home ? "server" : "worker";
  worker.folder = home_.parent_path().string();
  worker.version = options_.version;
  worker.since = since_;
  worker.slots = options_.runs.value_or(most_.runs);
  worker.runs.assign(busy_.begin(), busy_.end());
  worker.labels = labels_;
  worker.versions = said_versions_;
  for (const auto& [run, off] : put_off_) worker.put_off[run] = off.why;
  worker.ends = stopping_;
  try {
    journal_->present({worker.name, worker.to_json()});
  } catch (const Error& error) {
    log::warning("nobody is told that this process takes up runs", {{"error", error.what()}});
  }
}

// What has ended on other machines, or was left by a process that was killed, is taken away here.
void Server::tidy() {
  if (clock_.elapsed() < tidy_) return;
  tidy_ = clock_.elapsed() + between_tidyings;
  begin(tidying, [this] {
    try {
      run::tidy_clones(*journal_, resources_);
    } catch (const std::exception& error) {
      log::warning("clones of hubs cannot be tidied", {{"error", error.what()}});
    }
    mailbox_.post([this] { workers_.finish(tidying); });
  });
}

void Server::take_up() {
  if (!is_configured_) return;
  if (options_.is_home) make_scheduled();
  if (clock_.elapsed() - found_ >= good_for) due_.clear();
  bool may_be_more = true;
  for (int looks = 0; room() > 0;) {
    if (due_.empty()) {
      if (!may_be_more || looks++ == most_looks) return;
      may_be_more = look();
      if (due_.empty()) return;
    }
    const journal::RunRecord run = std::move(due_.front());
    due_.pop_front();
    // Where somebody was quicker, others of these may not be free any more either.
    if (start(run)) continue;
    due_.clear();
    may_be_more = true;
  }
}

// Where many runs end soon, they are not looked for anew for each place that is free. False: these
// are all that there are.
bool Server::look() {
  const std::size_t most = room() + most_ahead;
  journal::Due due = journal_->due(taker(), clock_.now(), most);
  const bool may_be_more = due.runs.size() == most;
  found_ = clock_.elapsed();
  // Of those who have some now, one may be killed on this machine, which nobody is told.
  const Millis again = due.again ? std::min(*due.again, between_file_looks) : between_looks;
  look_again_ = found_ + again;
  due_.assign(std::make_move_iterator(due.runs.begin()), std::make_move_iterator(due.runs.end()));
  return may_be_more;
}

std::size_t Server::room() const {
  const auto most = static_cast<std::size_t>(options_.runs.value_or(most_.runs));
  return most - std::min(most, busy_.size());
}

journal::Taker Server::taker() const {
  // One that has just left a thread of ours is ours until that is known to have ended.
  journal::Taker taker{labels_, most_.bounds, {busy_.begin(), busy_.end()}};
  for (const auto& [run, off] : put_off_) {
    if (clock_.elapsed() < off.until) taker.except.push_back(run);
  }
  return taker;
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
  request.journal = journal_;
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

// False: somebody was quicker.
bool Server::start(const journal::RunRecord& run) {
  std::shared_ptr<journal::Hold> hold;
  try {
    hold = journal_->hold(run.id, most_.bounds);
  } catch (const journal::Locked&) {
    return false;
  } catch (const journal::NoRoom&) {
    return false;
  }
  busy_.insert(run.id);
  const bool begun = begin(run.id, [this, run, hold = std::move(hold)]() mutable {
    work_on(run, std::move(hold));
    mailbox_.post([this, id = run.id] {
      workers_.finish(id);
      busy_.erase(id);
    });
  });
  if (begun) return true;
  busy_.erase(run.id);
  put_off(run.id, "there is no thread for it");
  return true;
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

void Server::work_on(const journal::RunRecord& run, std::shared_ptr<journal::Hold> hold) {
  if (stopping_) return;
  const log::Scope scope(run.id);
  run::Elsewhere people;
  run::Nobody nobody;
  try {
    // Somebody may have worked on it between.
    const auto now = journal_->find(run.id);
    if (!now || now->status != run.status || now->updated != run.updated) return;
    const bool asks = record::options_of(run).interactive;
    run::Human& human = asks ? static_cast<run::Human&>(people) : nobody;
    const auto observer = watcher_.taken(run);
    const auto assembly = run::Assembly::reopen({.folder = options_.folder,
                                                 .run = run.id,
                                                 .journal = journal_,
                                                 .hold = std::move(hold),
                                                 .record = now,
                                                 .parks = true},
                                                resources_, human, *observer);
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
    mailbox_.post([this, id = run.id] {
      if (put_off_.erase(id) > 0) present_ = Millis(0);
    });
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
    if (const auto now = journal_->find(run.id)) {
      run::tidy_clone(*now, resources_);
      watcher_.left(*now);
    }
  } catch (const std::exception& error) {
    log::error("what became of a run cannot be told", {{"error", error.what()}});
  }
}

// It cannot be worked on as things are: a person must look at it.
void Server::put_aside(const std::string& run_id, const Error& error) {
  log::error("run cannot go on", {{"error", error.what()}});
  try {
    const auto run = journal_->find(run_id);
    if (!run || journal::has_ended(*run)) return;
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
    off.why = why;
    present_ = Millis(0);
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

// Where nothing is heard of a journal, it is looked at now and then.
bool Server::is_to_look() const {
  return is_news_ || !watch_ || clock_.elapsed() >= look_at_ || clock_.now() >= wake_;
}

Millis Server::until_next_look() const {
  const Time now = clock_.now();
  const Millis until_look = look_at_ - clock_.elapsed();
  return std::max(Millis(1), wake_ - now < until_look ? wake_ - now : until_look);
}

// What is due already and finds no room is looked at again when somebody leaves.
void Server::plan_next_look() {
  const Millis elapsed = clock_.elapsed();
  const Time now = clock_.now();
  look_at_ = elapsed + between_looks;
  if (room() > 0 && is_configured_) look_at_ = std::min(look_at_, look_again_);
  for (const auto& [run, off] : put_off_) {
    if (off.until > elapsed) look_at_ = std::min(look_at_, off.until);  // else it was just now
  }
  if (scheduler_.has_trouble()) look_at_ = std::min(look_at_, elapsed + between_file_looks);
  const auto next = room() > 0 ? journal_->next_wake(now) : std::nullopt;
  wake_ = next.value_or(Time::max());
  if (const auto scheduled = scheduler_.next(now)) wake_ = std::min(wake_, *scheduled);
  is_news_ = false;
}

}  // namespace agneto::serve
