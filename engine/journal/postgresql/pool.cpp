#include "journal/postgresql/pool.h"

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
  static const Sql sql("SELECT pg_current_xact_id()::text");
  return sql;
}
const Sql& fate_of_transaction() {
  static const Sql sql("SELECT pg_xact_status($1::text::xid8)");
  return sql;
}

// What was prepared is not there: another connection of the server has it.
bool is_about_preparing(const Refused& refused) {
  return refused.state() == "26000" || refused.state() == "42P05";
}

// What came of a transaction whose commit was not answered: was it committed?
bool was_committed(Connection& connection, const std::string& transaction) {
  for (;;) {
    const std::string fate =
        connection.run(fate_of_transaction(), Values().text(transaction)).text(0, 0);
    log::info("journal asked what came of a commit", {{"it was", fate}});
    if (fate != "in progress") return fate == "committed";
    std::this_thread::sleep_for(shortest_pause);
  }
}

}  // namespace

std::string begin_transaction(Connection& connection) {
  return connection.run({{begin()}, {patience_with_us()}, {number_of_transaction()}})
      .back()
      .text(0, 0);
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

Pool::Pool(Address address, std::size_t most, Millis patience)
    : address_(std::move(address)), most_(most), patience_(patience) {
  idle_.push_back(std::make_unique<Connection>(address_));  // who cannot be reached is told at once
}

void Pool::transact(const std::function<void(Connection&)>& write) {
  std::string unanswered;
  run([&](Connection& connection) {
    if (!unanswered.empty() && was_committed(connection, unanswered)) return true;
    unanswered.clear();
    const std::string transaction = begin_transaction(connection);
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
    const std::lock_guard lock(pool_.mutex_);
    if (!std::exchange(pool_.prepares_, false)) throw;
    pool_.idle_.clear();
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
  if (connection_) return;
  try {
    connection_ = std::make_unique<Connection>(pool_.address_);
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
