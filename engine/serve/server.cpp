#include "serve/server.h"

#include <algorithm>

#include "base/files.h"
#include "base/log.h"
#include "base/text.h"
#include "journal/lock.h"
#include "record/options.h"
#include "run/human.h"
#include "run/prepare.h"
#include "run/queue.h"

namespace agneto::serve {

namespace {

// So many queued runs are looked at for one for which there is room.
constexpr std::size_t most_looked_at = 1000;
// A wake-up that was lost is made up for after this.
constexpr Millis between_looks{30'000};

// A run that somebody has just queued, or works on elsewhere, is looked at again after this.
constexpr Millis while_locked{500};

constexpr const char* stopped = "the server was stopped";

std::unique_ptr<journal::RunLock> lock_server(const fs::path& home) {
  try {
    return std::make_unique<journal::RunLock>(lock_of(home), "");
  } catch (const journal::Locked&) {
    throw Error(home.parent_path().string() + " is served already, by " +
                    std::string(trim(Disk().read(lock_of(home)).value_or("a process"))),
                "one server is enough: it takes up whatever 'agneto submit' queues");
  }
}

}  // namespace

fs::path lock_of(const fs::path& home) {
  return home / "server.lock";
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
      listener_(std::make_unique<run::WakeupListener>(run::server_wakeup_of(home_),
                                                      [this] { mailbox_.post([] {}); })) {}

Server::~Server() {
  listener_.reset();
  stop_engines(true);
}

void Server::work() {
  take_back_cut_off();
  while (!stopping_ || !room_.empty()) {
    if (!stopping_) take_up();
    if (stopping_ && clock_.elapsed() >= deadline_) stop_engines(true);
    if (const auto task = mailbox_.wait(clock_, patience())) task();
  }
}

void Server::stop() {
  mailbox_.post([this] {
    deadline_ = clock_.elapsed() + (stopping_ ? Millis(0) : options_.grace);
    if (!stopping_) stop_engines(false);
    stopping_ = true;
  });
}

// Where it cannot be read, what it said before goes on.
void Server::read_configuration() {
  const fs::path checkout = run::checkout_of(options_.folder);
  std::error_code none;
  const auto changed = fs::last_write_time(run::config_file(checkout), none);
  if (none || changed == read_) return;
  read_ = changed;
  try {
    room_.set(run::read_config(checkout, Disk(), run::provider_folders(checkout, resources_))
                  .concurrency);
  } catch (const Error& error) {
    log::warning("configuration cannot be read", {{"error", error.what()}});
  }
}

// A server that was killed has left them.
void Server::take_back_cut_off() {
  for (const auto& run : journal_->list({.status = {"running"}})) {
    const bool is_ours = record::options_of(run).served;
    if (is_ours && run::status_of(options_.folder, run) == "interrupted") cut_off_.insert(run.id);
  }
}

void Server::take_up() {
  read_configuration();
  while (room_.any() && !cut_off_.empty()) {
    if (const auto run = journal_->find(cut_off_.extract(cut_off_.begin()).value())) start(*run);
  }
  passed_over_ = false;
  if (!room_.any()) return;
  for (const auto& run : journal_->awake(clock_.now(), room_.at_most())) start(run);
  if (!room_.any()) return;
  for (const auto& run : journal_->queued(most_looked_at)) start(run);
}

void Server::start(const journal::RunRecord& run) {
  if (room_.is_busy(run.id) || !room_.has(run)) return;
  if (journal::is_locked(run::lock_of(home_, run.id))) {
    passed_over_ = true;
    return;
  }
  room_.take(run);
  workers_.start(run.id, run.id, true, [this, run](const std::stop_token&) {
    work_on(run);
    mailbox_.post([this, id = run.id] {
      workers_.finish(id);
      room_.leave(id);
    });
  });
}

void Server::work_on(const journal::RunRecord& run) {
  const log::Scope scope(run.id);
  run::Elsewhere people;
  run::Nobody nobody;
  run::Human& human =
      record::options_of(run).interactive ? static_cast<run::Human&>(people) : nobody;
  try {
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
    assembly->engine().work();
  } catch (const journal::Locked& somebody) {
    log::info("run is worked on elsewhere", {{"by", somebody.what()}});
  } catch (const journal::OwnerLost& error) {
    log::warning("run has another owner", {{"error", error.what()}});
  } catch (const Error& error) {
    put_aside(run.id, error);
  } catch (const std::exception& error) {
    put_aside(run.id, Error(error.what()));
  }
  try {
    journal::RunRecord now = *journal_->find(run.id);
    if (now.status == "suspended" && now.outcome == stopped) {
      run::enqueue_again(*journal_, home_, run.id, stopped);
      now = *journal_->find(run.id);
    }
    watcher_.left(now);
  } catch (const Error& error) {
    log::error("journal cannot be used", {{"error", error.what()}});
  }
}

// It cannot be worked on as things are: a person must look at it.
void Server::put_aside(const std::string& run_id, const Error& error) {
  log::error("run cannot go on", {{"error", error.what()}});
  try {
    if (run::has_ended(*journal_->find(run_id))) return;
    std::string reason = error.what();
    if (!error.help().empty()) reason += "; " + error.help();
    run::set_aside(*journal_, home_, run_id, "suspended", reason);
  } catch (const Error& again) {
    log::error("run cannot be suspended", {{"error", again.what()}});
  }
}

void Server::stop_engines(bool at_once) {
  const std::lock_guard lock(engines_mutex_);
  for (const auto& [run, engine] : engines_) {
    at_once ? engine->suspend(stopped) : engine->finish(stopped);
  }
}

Millis Server::patience() {
  if (stopping_) return std::clamp(deadline_ - clock_.elapsed(), Millis(1), Millis(1000));
  if (passed_over_) return while_locked;
  const auto next = journal_->next_wake();
  if (!next || !room_.any()) return between_looks;
  return std::clamp(std::chrono::duration_cast<Millis>(*next - clock_.now()), Millis(1),
                    between_looks);
}

}  // namespace agneto::serve
