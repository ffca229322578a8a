#include "journal/postgresql/owners.h"

#include <fmt/format.h>

#include "base/log.h"

namespace agneto::journal {

OwnerLost OwnedRun::lost(const RunLine& now) const {
  return OwnerLost(
      fmt::format("run {} has another owner by now: {}", id, now.text(line_column::owner)),
      "nothing more is written here; look at it with 'agneto show " + id + "'", ExitStatus::failed);
}

void Owners::own(const std::string& run_id, const std::string& who) {
  leases_.require_not_lost(run_id);
  const auto owned = std::make_shared<OwnedRun>(run_id);
  const auto try_it = [&](Connection& connection) { return try_to_own(connection, *owned, who); };
  if (!pool_.run(try_it)) {
    // The last owner is at it: it has to wait.
    pool_.transact([&](Connection& connection) {
      lock_line(connection, run_id);
      leases_.confirm(connection, run_id);
      try_it(connection);
    });
  }
  keep(owned);
}

void Owners::release(const std::string& run_id) {
  const std::lock_guard lock(mutex_);
  owned_.erase(run_id);
}

Seq Owners::append(const std::string& run_id, std::vector<Entry> entries, Json state,
                   const RunRecord* run, const std::vector<MessageId>& handled) {
  const auto owned = of(run_id);
  const std::lock_guard lock(owned->mutex);
  leases_.require_not_lost(run_id);
  if (owned->unsure) throw unsure(*owned);
  Prepared added = prepared(run_id, owned->recorded, std::move(entries), state);
  RunLine line = owned->line;
  if (run != nullptr) {
    line.set(*run);
    line.set_last(added.extent.head);
  }
  write(*owned, {added, run, handled, line});
  owned->line = std::move(line);
  take_over(owned->recorded, std::move(added), std::move(state));
  return owned->recorded.extent.head.seq;
}

// Two round trips. False: somebody has written to the run between them, or has its lease by now,
// and nothing has changed.
bool Owners::try_to_own(Connection& connection, OwnedRun& owned, const std::string& who) {
  PostgresqlRun run(connection, pool_.name(), owned.id);
  run.read_ahead();
  const StoredLine& stored = run.stored();
  owned.recorded = state_to_go_on_from(run);
  owned.number = stored.number;
  owned.line = stored.line;
  if (stored.token == owned.token) return true;  // the answer to that was lost
  owned.line.set_owner(stored.line.epoch() + 1, who);
  owned.line.set_last(owned.recorded.extent.head);
  const auto lease = leases_.confirming(owned.id);
  const auto change = change_owner(owned.number, owned.line, owned.token,
                                   {stored.sum, lease ? leases_.holder() : ""});
  std::vector<Command> commands = {change.front()};
  if (lease) commands.push_back(*lease);
  commands.push_back(change.back());
  const auto results = connection.run(commands);
  return results.back().written() == 1;
}

// One round trip, and again where the connection is lost: then it is found out first whether that
// was written.
void Owners::write(OwnedRun& owned, const Append& append) {
  bool lost_one = false;
  try {
    pool_.run([&](Connection& connection) {
      if (lost_one && was_written(connection, owned, append)) return true;
      lost_one = false;
      std::vector<Result> results;
      try {
        results = connection.run(commands_of(owned, append));
      } catch (const ConnectionLost&) {
        lost_one = true;
        throw;
      }
      if (results.front().written() + results.front().rows() > 0) return true;
      throw owned.lost(read_line(connection, owned.id).line);
    });
  } catch (...) {
    owned.unsure = lost_one;
    throw;
  }
}

// What takes the strongest lock comes first. That writes nothing, as all behind it does, where
// the run has another owner by now.
std::vector<Command> Owners::commands_of(const OwnedRun& owned, const Append& append) {
  const std::int64_t epoch = append.line.epoch();
  std::vector<Command> commands;
  if (append.run != nullptr) {
    commands.push_back(update_line(owned.number, epoch, append.line, *append.run));
  }
  for (const Row& row : append.added.rows) {
    commands.push_back(insert_entry(owned.number, epoch, row));
  }
  if (commands.empty()) commands.push_back(select_owned(owned.number, epoch));
  for (const MessageId id : append.handled) {
    commands.push_back(delete_message(owned.number, epoch, id));
  }
  return commands;
}

// Was it written by a connection that is lost, which may still be at it? The epoch is raised, so
// that it cannot be written after this is answered.
bool Owners::was_written(Connection& connection, const OwnedRun& owned, const Append& append) {
  bool written = false;
  begin_transaction(connection);
  const StoredLine stored = lock_line(connection, owned.id);
  if (stored.token != owned.token) {
    roll_back(connection);
    throw owned.lost(stored.line);
  }
  if (!append.added.rows.empty()) {
    const auto newest = newest_entry(connection, owned.number);
    written = newest && newest->hash == append.added.rows.back().hash;
  }
  RunLine line = stored.line;
  line.set_owner(line.epoch() + 1, line.text(line_column::owner));
  connection.run({replace_line(owned.number, line, owned.token)});
  commit_transaction(connection);
  append.line.set_owner(line.epoch(), line.text(line_column::owner));
  log::info("journal asked whether an append was written", {{"it was", written}});
  return written;
}

std::shared_ptr<OwnedRun> Owners::of(const std::string& run_id) {
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = owned_.find(run_id); found != owned_.end()) return found->second;
  }
  pool_.run([&](Connection& connection) { return number_of(connection, run_id); });
  throw Error(fmt::format("run {} is written by its owner only, which this is not", run_id));
}

void Owners::keep(const std::shared_ptr<OwnedRun>& owned) {
  const std::lock_guard lock(mutex_);
  owned_[owned->id] = owned;
}

CutOff Owners::unsure(const OwnedRun& owned) const {
  return CutOff(fmt::format("the connection to the journal '{}' was lost while run {} was "
                            "written, and what came of that is not known",
                            pool_.name(), owned.id),
                "go on with 'agneto resume " + owned.id + "'", ExitStatus::failed);
}

}  // namespace agneto::journal
