#include "journal/postgresql/leases.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "base/log.h"
#include "journal/live_process.h"
#include "journal/postgresql/listening.h"

namespace agneto::journal {

namespace {

const Sql& take_lease() {
  static const Sql sql(
      "INSERT INTO agneto.leases AS l (run, holder, owner, process, until) "
      "VALUES ($1, $2, $3, $4, clock_timestamp() + $5::bigint * interval '1 millisecond') "
      "ON CONFLICT (run, tenant) DO UPDATE SET holder = excluded.holder, owner = excluded.owner, "
      "process = excluded.process, until = excluded.until "
      "WHERE l.until <= clock_timestamp() OR l.holder = excluded.holder OR l.process = $6");
  return sql;
}
const Sql& select_lease() {
  static const Sql sql(
      "SELECT owner, process FROM agneto.leases WHERE run = $1 AND until > clock_timestamp()");
  return sql;
}
const Sql& renew_leases() {
  static const Sql sql(
      "UPDATE agneto.leases SET until = clock_timestamp() + $2::bigint * interval '1 millisecond' "
      "WHERE holder = $1 AND until > clock_timestamp() RETURNING run");
  return sql;
}
const Sql& end_lease() {
  static const Sql sql("DELETE FROM agneto.leases WHERE run = $1 AND holder = $2");
  return sql;
}

// It goes on while the machine sleeps, and whatever somebody sets the clock to.
Millis now() {
  timespec time{};
  ::clock_gettime(CLOCK_BOOTTIME, &time);
  return std::chrono::floor<Millis>(std::chrono::seconds(time.tv_sec) +
                                    std::chrono::nanoseconds(time.tv_nsec));
}

}  // namespace

// It keeps what renews it, also where the journal is closed before.
class Leases::Held : public Hold {
 public:
  Held(std::shared_ptr<Leases> leases, std::string run_id, std::string owner)
      : leases_(std::move(leases)), run_id_(std::move(run_id)), owner_(std::move(owner)) {}
  ~Held() override { leases_->release(run_id_); }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

  const std::string& owner() const override { return owner_; }
  std::optional<Millis> lasts() const override { return leases_->left(run_id_); }

 private:
  const std::shared_ptr<Leases> leases_;
  const std::string run_id_, owner_;
};

Leases::Leases(std::shared_ptr<Pool> pool, Millis lease)
    : pool_(std::move(pool)), lease_(lease), holder_(new_token()), process_(this_process()) {}

Leases::~Leases() = default;

std::unique_ptr<Hold> Leases::hold(const std::string& run_id) {
  const std::string owner = this_owner(SystemClock().now());
  {
    const std::lock_guard lock(mutex_);
    const auto [held, is_new] = held_.try_emplace(run_id, Lease{owner});
    if (!is_new) throw held_by(run_id, held->second.owner);
    if (!renewing_.joinable()) {
      renewing_ = std::jthread([this](const std::stop_token& stop) { renew_now_and_then(stop); });
    }
  }
  try {
    take(run_id, owner);
  } catch (...) {
    const std::lock_guard lock(mutex_);
    held_.erase(run_id);
    throw;
  }
  return std::make_unique<Held>(shared_from_this(), run_id, owner);
}

void Leases::take(const std::string& run_id, const std::string& owner) {
  std::string dead;  // the process that has it
  for (;;) {
    Millis asked{};
    // Whoever takes a run up writes that down next, and waits for the disk then.
    const bool taken = pool_->run([&](Connection& connection) {
      asked = now();  // the last time, where a server that is away was waited for
      return connection
                 .run({without_waiting_for_the_disk(),
                       {take_lease(), values_of(run_id, owner, dead)}})
                 .at(1)
                 .written() == 1;
    });
    if (taken) {
      const std::lock_guard lock(mutex_);
      held_[run_id] = {owner, true, asked};
      log::debug("run leased", {{"run", run_id}});
      return;
    }
    const auto other = look_at(run_id);
    if (!other) continue;  // it has ended just now
    if (has_died(other->process) && dead != other->process) {
      dead = other->process;
      continue;
    }
    log::warning("run is leased", {{"run", run_id}, {"owner", other->owner}});
    throw held_by(run_id, other->owner);
  }
}

std::optional<Leases::Other> Leases::look_at(const std::string& run_id) {
  return pool_->run([&](Connection& connection) {
    const Result row = connection.run(select_lease(), Values().text(run_id));
    return row.rows() == 0 ? std::nullopt : std::optional(Other{row.text(0, 0), row.text(0, 1)});
  });
}

std::optional<std::string> Leases::holder(const std::string& run_id) {
  const auto other = look_at(run_id);
  return other && !has_died(other->process) ? std::optional(other->owner) : std::nullopt;
}

void Leases::require_not_lost(const std::string& run_id) {
  const std::lock_guard lock(mutex_);
  const auto held = held_.find(run_id);
  if (held == held_.end() || left(held->second) > Millis(0)) return;
  throw lost(run_id);
}

std::optional<Command> Leases::confirming(const std::string& run_id) {
  const std::lock_guard lock(mutex_);
  const auto held = held_.find(run_id);
  if (held == held_.end()) return std::nullopt;
  return Command{take_lease(), values_of(run_id, held->second.owner, "")};
}

void Leases::confirm(Connection& connection, const std::string& run_id) {
  const auto command = confirming(run_id);
  if (command && connection.run({*command}).at(0).written() != 1) throw lost(run_id);
}

OwnerLost Leases::lost(const std::string& run_id) const {
  return OwnerLost(fmt::format("run {} is not this process's any more: its lease in the journal "
                               "'{}' could not be renewed in time",
                               run_id, pool_->name()),
                   "nothing more is written here; look at it with 'agneto show " + run_id + "'",
                   ExitStatus::failed);
}

// Of take_lease(). `dead`: the process that has it.
Values Leases::values_of(const std::string& run_id, const std::string& owner,
                         const std::string& dead) const {
  Values values;
  values.text(run_id).text(holder_).text(owner).text(process_);
  values.number(lease_.count()).text(dead);
  return values;
}

void Leases::release(const std::string& run_id) {
  {
    const std::lock_guard lock(mutex_);
    held_.erase(run_id);
  }
  try {
    pool_->run(Millis(0), [&](Connection& connection) {
      connection.run({without_waiting_for_the_disk(),
                      {end_lease(), Values().text(run_id).text(holder_)},
                      tell_listeners("")});
      return true;
    });
  } catch (const std::exception& error) {
    log::warning("lease ends by itself only", {{"run", run_id}, {"error", error.what()}});
  }
}

Millis Leases::left(const std::string& run_id) {
  const std::lock_guard lock(mutex_);
  const auto held = held_.find(run_id);
  return held == held_.end() ? Millis(0) : left(held->second);
}

Millis Leases::left(const Lease& lease) const {
  return lease.lost ? Millis(0) : std::max(Millis(0), lease.renewed + lease_ - now());
}

// The connection is its own, so that renewing waits for nobody.
void Leases::renew_now_and_then(const std::stop_token& stop) {
  std::unique_ptr<Connection> connection;
  Millis pause = lease_ / 3;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      ended_.wait_for(lock, stop, pause, [] { return false; });
      if (stop.stop_requested()) return;
      if (held_.empty()) continue;
    }
    try {
      if (!connection || !connection->seems_alive()) {
        connection = std::make_unique<Connection>(pool_->address());
        connection->prepare_nothing();
        connection->answer_within(lease_);
      }
      renew(*connection);
      pause = lease_ / 3;
    } catch (const std::exception& error) {
      log::warning("leases cannot be renewed", {{"error", error.what()}});
      connection.reset();
      pause = lease_ / 50;
    }
  }
}

void Leases::renew(Connection& connection) {
  std::map<std::string, bool> renewed;  // of those that were taken before that is asked for
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [run, lease] : held_) {
      if (lease.taken) renewed[run] = false;
    }
  }
  const Millis asked = now();
  const Result rows = connection.run(renew_leases(), Values().text(holder_).number(lease_.count()));
  for (int row = 0; row < rows.rows(); ++row) renewed[rows.text(row, 0)] = true;
  const std::lock_guard lock(mutex_);
  for (auto& [run, lease] : held_) {
    const auto known = renewed.find(run);
    if (known == renewed.end() || lease.renewed > asked) continue;  // taken anew since
    // One that is over here stays so, though nobody else has taken it.
    if (known->second && left(lease) > Millis(0)) {
      lease.renewed = asked;
    } else if (!lease.lost) {
      lease.lost = true;
      log::error("lease lost", {{"run", run}});
    }
  }
}

}  // namespace agneto::journal
