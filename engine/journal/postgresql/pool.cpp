#include "journal/postgresql/pool.h"

#include <fmt/format.h>

#include <optional>
#include <random>
#include <thread>

#include "base/log.h"

namespace agneto::journal {

namespace {

constexpr Millis shortest_pause{20}, longest_pause{1000};  // before the server is tried again
constexpr int most_times_in_the_way = 20;

const Sql& begin() {
  static const Sql sql("BEGIN");
  return sql;
}
const Sql& commit() {
  static const Sql sql("COMMIT");
  return sql;
}
const Sql& rollback() {
  static const Sql sql("ROLLBACK");
  return sql;
}
const Sql& patience_with_us() {
  static const Sql sql("SELECT set_config('idle_in_transaction_session_timeout', '10000', true)");
  return sql;
}
const Sql& number_of_transaction() {
  static const Sql sql(
      "SELECT pg_current_xact_id()::text, extract(epoch FROM pg_postmaster_start_time())::text");
  return sql;
}
const Sql& fate_of_transaction() {
  static const Sql sql(
      "SELECT CASE WHEN extract(epoch FROM pg_postmaster_start_time())::text = $2 "
      "THEN pg_xact_status($1::text::xid8) ELSE 'gone' END");
  return sql;
}
constexpr std::string_view start_of_mark = "commit ";
// A mark is a lease that is over as soon as it is written, so it keeps nobody from anything.
const Sql& leave_mark() {
  static const Sql sql(
      "INSERT INTO agneto.leases (run, holder, owner, process, until) "
      "VALUES ($1, $1, '', '', clock_timestamp())");
  return sql;
}
const Sql& find_mark() {
  static const Sql sql("UPDATE agneto.leases SET until = clock_timestamp() WHERE run = $1");
  return sql;
}
const Sql& remove_mark() {
  static const Sql sql("DELETE FROM agneto.leases WHERE run = $1");
  return sql;
}

// What was prepared is not there: another connection of the server has it.
bool is_about_preparing(const Refused& refused) {
  return refused.state() == "26000" || refused.state() == "42P05";
}

// By which a transaction is found again whose commit was not answered.
struct Transaction {
  std::string number;
  std::string server;  // whose number it is: since when that runs
  std::string mark;    // that it leaves in the database
};

Transaction begin_with_mark(Connection& connection) {
  const std::string mark = std::string(start_of_mark) + new_token();
  const auto results = connection.run({{begin()},
                                       {patience_with_us()},
                                       {number_of_transaction()},
                                       {leave_mark(), Values().text(mark)}});
  return {results.at(2).text(0, 0), results.at(2).text(0, 1), mark};
}

// Only once its commit was answered. Where it stays it does no harm.
void remove_mark_of(const Transaction& transaction, Connection& connection) {
  try {
    connection.run(
        {without_waiting_for_the_disk(), {remove_mark(), Values().text(transaction.mark)}});
  } catch (const Error& error) {
    log::warning("mark of a commit stays", {{"error", error.what()}});
  }
}

// What came of a transaction whose commit was not answered: was it committed? Its number says only
// whether the same server is still at it: another one may have given that number to somebody else,
// or restarted from what had come to its disk. So it is found by its mark, which is written once
// more: when that is durable, so is all that was committed before. Where the transaction is still
// in progress, it ends as soon as any other one may: when its commit is durable, or ten seconds
// after the last that came of it (begin_transaction).
bool was_committed(Connection& connection, const Transaction& transaction) {
  const auto fate = [&] {
    return connection
        .run(fate_of_transaction(), Values().text(transaction.number).text(transaction.server))
        .text(0, 0);
  };
  while (fate() == "in progress") std::this_thread::sleep_for(shortest_pause);
  const bool was = connection.run(find_mark(), Values().text(transaction.mark)).written() == 1;
  log::info("journal asked what came of a commit", {{"it was done", was}});
  return was;
}

}  // namespace

std::string new_token() {
  std::random_device device;
  return fmt::format("{:08x}{:08x}{:08x}{:08x}", device(), device(), device(), device());
}

void begin_transaction(Connection& connection) {
  connection.run({{begin()}, {patience_with_us()}});
}

void commit_transaction(Connection& connection) {
  connection.run(commit());
}

void roll_back(Connection& connection) {
  connection.run(rollback());
}

Command without_waiting_for_the_disk() {
  static const Sql sql("SELECT set_config('synchronous_commit', 'off', true)");
  return {sql};
}

Command remove_old_marks() {
  static const Sql sql(
      fmt::format("DELETE FROM agneto.leases WHERE run LIKE '{}%' AND until < clock_timestamp() - "
                  "interval '1 day'",
                  start_of_mark));
  return {sql};
}

Pool::Pool(Address address, std::size_t most, Millis patience)
    : address_(std::move(address)), most_(most), patience_(patience) {
  idle_.push_back(std::make_unique<Connection>(address_));  // who cannot be reached is told at once
}

void Pool::transact(const std::function<void(Connection&)>& write) {
  std::optional<Transaction> unanswered;
  run([&](Connection& connection) {
    if (unanswered && was_committed(connection, *unanswered)) {
      remove_mark_of(*unanswered, connection);
      return true;
    }
    unanswered.reset();
    const Transaction transaction = begin_with_mark(connection);
    try {
      write(connection);
    } catch (const ConnectionLost&) {
      throw;
    } catch (...) {
      roll_back(connection);
      throw;
    }
    unanswered = transaction;
    commit_transaction(connection);
    remove_mark_of(transaction, connection);
    return true;
  });
}

void Pool::Attempts::after(const ConnectionLost& lost) {
  const Millis now = SystemClock().elapsed();
  if (times_++ == 0) begun_ = now;
  log::warning("journal's connection lost", {{"error", lost.what()}, {"time", times_}});
  {
    const std::lock_guard lock(pool_.mutex_);
    pool_.idle_.clear();  // what happened to one has happened to all, or they are soon made anew
  }
  if (times_ == 1) return;
  if (now - begun_ >= patience_) throw;
  std::this_thread::sleep_for(std::min(longest_pause, shortest_pause * (1 << std::min(times_, 6))));
}

void Pool::Attempts::after(const Refused& refused) {
  if (is_about_preparing(refused)) {
    // Several threads may find out at the same time.
    if (++times_ > most_times_in_the_way) throw;
    const std::lock_guard lock(pool_.mutex_);
    if (!std::exchange(pool_.prepares_, false)) return;
    log::info("journal's statements are not prepared any more", {{"since", refused.what()}});
    return;
  }
  if (!refused.is_passing() || ++times_ > most_times_in_the_way) throw;
}

Pool::Borrowed::Borrowed(Pool& pool) : pool_(pool) {
  std::unique_lock lock(pool_.mutex_);
  pool_.freed_.wait(lock, [this] { return pool_.out_ < pool_.most_; });
  ++pool_.out_;
  const bool prepares = pool_.prepares_;
  while (!connection_ && !pool_.idle_.empty()) {
    connection_ = std::move(pool_.idle_.back());
    pool_.idle_.pop_back();
    if (!connection_->seems_alive()) connection_.reset();
  }
  lock.unlock();
  try {
    if (!connection_) connection_ = std::make_unique<Connection>(pool_.address_);
    if (!prepares) connection_->prepare_nothing();
  } catch (...) {
    lock.lock();
    --pool_.out_;
    pool_.freed_.notify_one();
    throw;
  }
}

Pool::Borrowed::~Borrowed() {
  const std::lock_guard lock(pool_.mutex_);
  --pool_.out_;
  if (connection_->seems_alive()) pool_.idle_.push_back(std::move(connection_));
  pool_.freed_.notify_one();
}

}  // namespace agneto::journal
