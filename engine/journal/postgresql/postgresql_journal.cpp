#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <set>

#include "base/log.h"
#include "base/text.h"
#include "journal/diagnosis.h"
#include "journal/parcel.h"
#include "journal/postgresql/leases.h"
#include "journal/postgresql/listening.h"
#include "journal/postgresql/run_lines.h"
#include "journal/postgresql/tables.h"
#include "journal/recorded_state.h"
#include "journal/stores.h"

namespace agneto::journal {

namespace {

const Sql select_by_id(select_records("WHERE r.id = $1"));
const Sql select_queued(
    select_records("WHERE r.status = 'queued' ORDER BY r.priority DESC, r.number LIMIT $1"));
// Found by two indexes: with OR, all parked ones would be looked at.
const Sql select_awake(
    select_records("WHERE r.status = 'parked' AND r.number IN (SELECT number FROM agneto.runs "
                   "WHERE status = 'parked' AND wake <= $1 UNION SELECT run FROM agneto.inbox) "
                   "ORDER BY r.number LIMIT $2"));
const Sql select_wake(
    "SELECT wake FROM agneto.runs WHERE status = 'parked' AND wake > $1 ORDER BY wake LIMIT 1");
const Sql select_newest_of(
    select_records("WHERE r.origin >= $1 AND r.origin < $2 ORDER BY r.origin DESC LIMIT 1"));
const Sql count_status("SELECT count(*) FROM agneto.runs WHERE status = $1");
const Sql select_settled("SELECT agneto.settled_change()");
const Sql select_changes(
    select_records("WHERE r.change > $1 AND r.change <= $2 ORDER BY r.change LIMIT $3"));
const Sql select_newest_change(
    "SELECT coalesce(max(change), 0) FROM agneto.runs WHERE change <= $1");
// What is seen of a database's transactions is another text whenever one more was committed.
const Sql select_committed("SELECT hashtextextended(pg_current_snapshot()::text, 0)");
const Sql select_newest_entry(
    "SELECT seq, hash FROM agneto.entries WHERE run = $1 ORDER BY seq DESC LIMIT 1");
const Sql copy_sources(
    "INSERT INTO agneto.sources (run, path, hash) "
    "SELECT $2, path, hash FROM agneto.sources WHERE run = $1");
const Sql delete_sources("DELETE FROM agneto.sources WHERE run = $1");
const Sql insert_message(
    "INSERT INTO agneto.inbox (run, time, kind, body) "
    "SELECT number, $2, $3, $4 FROM agneto.runs WHERE id = $1 RETURNING id");
const Sql select_messages(
    "SELECT id, time, kind, body FROM agneto.inbox WHERE run = $1 ORDER BY id");
const Sql select_grants("SELECT name, scope, hash, created FROM agneto.grants ORDER BY name");
const Sql insert_grant(
    "INSERT INTO agneto.grants (name, scope, hash, created) VALUES ($1, $2, $3, $4) "
    "ON CONFLICT (name) DO NOTHING");
const Sql delete_grant("DELETE FROM agneto.grants WHERE name = $1");

// A list, and how many of it there may be at most.
std::int64_t at_most(std::size_t most) {
  return static_cast<std::int64_t>(most);
}

std::vector<RunRecord> records(const Result& result) {
  std::vector<RunRecord> all;
  for (int row = 0; row < result.rows(); ++row) all.push_back(read_record(result, row));
  return all;
}

// More than 25 names: it implements each function of Journal.
class PostgresqlJournal : public Journal {
  template <typename Look>
  auto read(const std::string& run_id, Look look) {
    return pool_->run([&](Connection& connection) {
      PostgresqlRun run(connection, pool_->name(), run_id);
      return look(run);
    });
  }

 public:
  PostgresqlJournal(const std::string& uri, const PostgresqlOptions& options)
      : pool_(std::make_shared<Pool>(Address(uri), options.connections, options.patience)),
        leases_(std::make_shared<Leases>(pool_, options.lease)),
        listening_(std::make_shared<Listening>(pool_->address())) {
    prepare(*pool_);
  }

  // One round trip. It is done once however often it is sent, since one run alone has its token.
  void create(const RunRecord& run, const std::map<std::string, std::string>& sources,
              std::vector<Entry> entries, Json state) override {
    const auto owned = std::make_shared<Owned>(run.id);
    Prepared added = prepared(run.id, owned->recorded, std::move(entries), state);
    owned->line = RunLine(run, hashes_of(sources));
    owned->line.set_owner(1, "");
    owned->line.set_last(added.extent.head);
    std::vector<Command> commands = {insert_line(owned->line, run, owned->token)};
    for (const auto& [hash, text] : unknown_texts(sources)) {
      commands.push_back(insert_text(hash, text));
    }
    for (const auto& [path, hash] : hashes_of(sources)) {
      commands.push_back(insert_source(run.id, path, hash));
    }
    for (const Row& row : added.rows) {
      commands.push_back(insert_entry_of_new(run.id, owned->token, row));
    }
    pool_->run([&](Connection& connection) {
      try {
        owned->number = connection.run(commands).front().number(0, 0);
      } catch (const Refused& refused) {
        if (refused.constraint() == "runs_by_origin") throw origin_taken(run.origin);
        if (refused.constraint() != "runs_by_id") throw;
        const StoredLine there = read_line(connection, run.id);
        if (there.token != owned->token) {
          throw Error(fmt::format("run '{}' exists already", run.id));
        }
        owned->number = there.number;
      }
      return true;
    });
    know_texts(sources);
    take_over(owned->recorded, std::move(added), std::move(state));
    keep(owned);
    if (run.status == "queued") tell("");
  }

  void own(const std::string& run_id, const std::string& who) override {
    leases_->require_not_lost(run_id);
    const auto owned = std::make_shared<Owned>(run_id);
    pool_->transact([&](Connection& connection) {
      const StoredLine stored = lock_line(connection, run_id);
      PostgresqlRun run(connection, pool_->name(), run_id, stored);
      owned->recorded = state_to_go_on_from(run);
      owned->number = stored.number;
      owned->line = stored.line;
      owned->line.set_owner(stored.line.epoch() + 1, who);
      owned->line.set_last(owned->recorded.extent.head);
      connection.run({replace_line(owned->number, owned->line, owned->token)});
    });
    keep(owned);
  }

  void release(const std::string& run_id) override {
    const std::lock_guard lock(owners_mutex_);
    owned_.erase(run_id);
  }

  Seq append(const std::string& run_id, std::vector<Entry> entries, Json state,
             const RunRecord* run, const std::vector<MessageId>& handled) override {
    const auto owned = owner_of(run_id);
    const std::lock_guard lock(owned->mutex);
    leases_->require_not_lost(run_id);
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
    if (run != nullptr && run->status == "queued") tell("");
    return owned->recorded.extent.head.seq;
  }

  Seq rewind(const std::string& run_id, Seq to, Entry note, const RunRecord* run) override {
    note.kind = "rewound";
    note.body["to"] = to;
    return append(run_id, {std::move(note)}, state_at(run_id, to), run, {});
  }

  void fork(const std::string& run_id, Seq at, const RunRecord& fork, Entry note) override {
    pool_->transact([&](Connection& connection) {
      PostgresqlRun from(connection, pool_->name(), run_id);
      required_state(from, at);
      const std::string token = new_token();
      std::vector<Command> commands;
      const auto insert = [&](const Row& row) {
        commands.push_back(insert_entry_of_new(fork.id, token, row));
      };
      const Row last = note_of_fork(copy_entries(from, at, fork.id, insert), fork.id, note);
      insert(last);
      RunLine line(fork, from.hashes());
      line.set_last(last.head());
      try {
        const std::int64_t to = connection.run({insert_line(line, fork, token)}).at(0).number(0, 0);
        connection.run(copy_sources, Values().number(from.number()).number(to));
      } catch (const Refused& refused) {
        refuse(fork, refused);
      }
      connection.run(commands);
    });
  }

  Parcel pack(const std::string& run_id) override {
    auto [sources, rows] = read(run_id, [](PostgresqlRun& run) {
      journal::check(run);
      return std::pair(run.sources(), all_rows(run));
    });
    return {*find(run_id), std::move(sources), std::move(rows), inbox(run_id)};
  }

  void unpack(const Parcel& parcel) override {
    const RunRecord& run = parcel.run;
    RunLine line(run, hashes_of(parcel.sources));
    line.set_last(last_of(parcel));
    const std::string token = new_token();
    std::vector<Command> commands = {insert_line(line, run, token)};
    for (const auto& [hash, text] : by_hash(parcel.sources)) {
      commands.push_back(insert_text(hash, text));
    }
    for (const auto& [path, hash] : hashes_of(parcel.sources)) {
      commands.push_back(insert_source(run.id, path, hash));
    }
    for (const Row& row : parcel.rows) commands.push_back(insert_entry_of_new(run.id, token, row));
    for (const Message& message : parcel.inbox) commands.push_back(insert(run.id, message));
    pool_->transact([&](Connection& connection) {
      try {
        connection.run(commands);
      } catch (const Refused& refused) {
        refuse(run, refused);
      }
    });
    if (run.status == "queued" || !parcel.inbox.empty()) tell("");
  }

  void replace_sources(const std::string& run_id,
                       const std::map<std::string, std::string>& sources) override {
    const auto owned = owner_of(run_id);
    const std::lock_guard lock(owned->mutex);
    leases_->require_not_lost(run_id);
    RunLine line;
    pool_->transact([&](Connection& connection) {
      const StoredLine stored = lock_line(connection, run_id);
      if (stored.token != owned->token) throw lost(*owned, stored.line);
      line = stored.line;
      line.set_sources(hashes_of(sources));
      line.set_last(owned->recorded.extent.head);
      std::vector<Command> commands = {{delete_sources, Values().number(owned->number)}};
      for (const auto& [hash, text] : by_hash(sources)) {
        commands.push_back(insert_text(hash, text));
      }
      for (const auto& [path, hash] : hashes_of(sources)) {
        commands.push_back(insert_source(run_id, path, hash));
      }
      commands.push_back(replace_line(owned->number, line, owned->token));
      connection.run(commands);
    });
    owned->line = std::move(line);
  }

  std::optional<RunRecord> find(const std::string& run_id) override {
    const auto found = select(select_by_id, Values().text(run_id));
    return found.empty() ? std::nullopt : std::optional(found.front());
  }

  std::vector<RunRecord> list(const Wanted& wanted) override {
    return pool_->run([&](Connection& connection) {
      Values values;
      std::string conditions = "WHERE TRUE";
      int given = 0;
      if (!wanted.status.empty() || wanted.asking) {
        conditions += " AND (FALSE";
        for (const std::string& status : wanted.status) {
          conditions += fmt::format(" OR r.status = ${}", ++given);
          values.text(status);
        }
        if (wanted.asking) {
          conditions +=
              " OR r.questions <> 0 AND r.status NOT IN ('complete', 'failed', 'aborted')";
        }
        conditions += ")";
      }
      if (wanted.resting) conditions += " AND (r.status <> 'parked' OR r.questions = 0)";
      if (!wanted.workflow.empty()) {
        conditions += fmt::format(" AND r.workflow = ${}", ++given);
        values.text(wanted.workflow);
      }
      if (!wanted.before.empty()) {
        conditions += fmt::format(" AND r.number < ${}", ++given);
        values.number(number_of(connection, wanted.before));
      }
      conditions += " ORDER BY r.number DESC";
      if (wanted.most > 0) {
        conditions += fmt::format(" LIMIT ${}", ++given);
        values.number(at_most(wanted.most));
      }
      return records(connection.run(Sql(select_records(conditions)), std::move(values)));
    });
  }

  std::vector<RunRecord> queued(std::size_t most) override {
    return select(select_queued, Values().number(at_most(most)));
  }

  std::vector<RunRecord> awake(Time now, std::size_t most) override {
    return select(select_awake, Values().time(now).number(at_most(most)));
  }

  std::optional<Time> next_wake(Time after) override {
    const Result result = ask(select_wake, Values().time(after));
    return result.rows() == 0 ? std::nullopt : std::optional(result.time(0, 0));
  }

  std::optional<RunRecord> newest_of(const std::string& origins) override {
    std::string end = origins;  // the first text behind all that begin so
    end.back() = static_cast<char>(end.back() + 1);
    const auto found = select(select_newest_of, Values().text(origins).text(end));
    return found.empty() ? std::nullopt : std::optional(found.front());
  }

  std::int64_t count(const std::string& status) override {
    return ask(count_status, Values().text(status)).number(0, 0);
  }

  std::vector<Changed> changes(std::int64_t after, std::size_t most) override {
    const std::int64_t settled = ask(select_settled).number(0, 0);
    const Result result =
        ask(select_changes, Values().number(after).number(settled).number(at_most(most)));
    std::vector<Changed> changes;
    for (int row = 0; row < result.rows(); ++row) {
      changes.push_back({change_of(result, row), read_record(result, row)});
    }
    return changes;
  }

  std::int64_t newest_change() override {
    const std::int64_t settled = ask(select_settled).number(0, 0);
    return ask(select_newest_change, Values().number(settled)).number(0, 0);
  }

  Json state(const std::string& run_id) override {
    return read(run_id, [](PostgresqlRun& run) { return state_after(run, last_seq).state; });
  }

  Json state_at(const std::string& run_id, Seq at) override {
    return read(run_id, [at](PostgresqlRun& run) { return required_state(run, at); });
  }

  std::map<std::string, std::string> sources(const std::string& run_id) override {
    return read(run_id, [this](PostgresqlRun& run) {
      for (const std::string& path : run.altered_sources()) {
        throw damaged(pool_->name(), run.id(), altered_source(run.id(), path));
      }
      return run.sources();
    });
  }

  Seq newest(const std::string& run_id) override {
    return pool_->run([&](Connection& connection) {
      const std::int64_t number = number_of(connection, run_id);
      const Result result = connection.run(select_newest_entry, Values().number(number));
      return result.rows() == 0 ? 0 : result.number(0, 0);
    });
  }

  std::vector<Entry> entries(const std::string& run_id, Seq after, Seq to) override {
    return read(run_id, [&](PostgresqlRun& run) { return journal::entries_of(run, after, to); });
  }

  std::vector<Entry> entries_of(const std::string& run_id, const std::string& path) override {
    return read(run_id, [&](PostgresqlRun& run) { return standing(run, run.of_path(path)); });
  }

  void check(const std::string& run_id) override {
    read(run_id, [](PostgresqlRun& run) {
      journal::check(run);
      return true;
    });
  }

  Diagnosis diagnose(const std::string& run_id) override {
    return read(run_id, [](PostgresqlRun& run) { return examine(run); });
  }

  MessageId post(const std::string& run_id, const Message& message) override {
    MessageId id = 0;
    pool_->transact([&](Connection& connection) {
      const std::vector<Result> results = connection.run({insert(run_id, message)});
      const Result& result = results.front();
      if (result.rows() == 0) number_of(connection, run_id);  // which throws
      id = result.number(0, 0);
    });
    tell(run_id);
    return id;
  }

  std::vector<Message> inbox(const std::string& run_id) override {
    return pool_->run([&](Connection& connection) {
      const std::int64_t number = number_of(connection, run_id);
      const Result result = connection.run(select_messages, Values().number(number));
      std::vector<Message> messages;
      for (int row = 0; row < result.rows(); ++row) {
        Message message{result.text(row, 2), Json::parse(result.text(row, 3), nullptr, false),
                        result.time(row, 1), result.number(row, 0)};
        if (message.body.is_discarded()) {
          throw damaged(pool_->name(), run_id,
                        fmt::format("message {} to run {} is {}", message.id, run_id, altered));
        }
        messages.push_back(std::move(message));
      }
      return messages;
    });
  }

  std::int64_t written_by_others() override { return ask(select_committed).number(0, 0); }

  std::unique_ptr<Watch> watch(const std::string& run_id, std::function<void()> heard) override {
    return listening_->watch(run_id, std::move(heard));
  }

  std::vector<Grant> grants() override {
    const Result result = ask(select_grants);
    std::vector<Grant> all;
    for (int row = 0; row < result.rows(); ++row) {
      all.push_back(
          {result.text(row, 0), result.text(row, 1), result.text(row, 2), result.time(row, 3)});
    }
    return all;
  }

  void grant(const Grant& grant) override {
    pool_->transact([&](Connection& connection) {
      const Result result = connection.run(
          insert_grant,
          Values().text(grant.name).text(grant.scope).text(grant.hash).time(grant.created));
      if (result.written() == 1) return;
      throw Error(fmt::format("there is a token '{}' already", grant.name),
                  "take another name, or revoke that one: agneto token revoke " + grant.name);
    });
  }

  bool revoke(const std::string& name) override {
    bool there = false;
    pool_->transact([&](Connection& connection) {
      there = connection.run(delete_grant, Values().text(name)).written() == 1;
    });
    return there;
  }

  std::unique_ptr<Hold> hold(const std::string& run_id) override { return leases_->hold(run_id); }
  std::optional<std::string> holder(const std::string& run_id) override {
    return leases_->holder(run_id);
  }

 private:
  // A run that this object may write, and where it stands.
  struct Owned {
    explicit Owned(std::string run_id) : id(std::move(run_id)) {}

    const std::string id;
    const std::string token =
        new_token();  // nobody else's, nor this object's when it owns it again
    std::int64_t number = 0;
    std::mutex mutex;  // one append after the other
    RunLine line;
    RecordedState recorded;
    bool unsure = false;  // whether its last append was written is not known
  };

  struct Append {
    const Prepared& added;
    const RunRecord* run;
    const std::vector<MessageId>& handled;
    RunLine& line;  // as it is then
  };

  Result ask(const Sql& sql, const Values& values = {}) {
    return pool_->run([&](Connection& connection) { return connection.run(sql, values); });
  }

  std::vector<RunRecord> select(const Sql& sql, const Values& values) {
    return records(ask(sql, values));
  }

  // One round trip, and again where the connection is lost: then it is found out first whether that
  // was written.
  void write(Owned& owned, const Append& append) {
    bool lost_one = false;
    try {
      pool_->run([&](Connection& connection) {
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
        throw lost(owned, read_line(connection, owned.id).line);
      });
    } catch (const ConnectionLost&) {
      owned.unsure = lost_one;
      throw;
    }
  }

  // What takes the strongest lock comes first. That writes nothing, as all behind it does, where
  // the run has another owner by now.
  static std::vector<Command> commands_of(const Owned& owned, const Append& append) {
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
  bool was_written(Connection& connection, const Owned& owned, const Append& append) {
    bool written = false;
    begin_transaction(connection);
    const StoredLine stored = lock_line(connection, owned.id);
    if (stored.token != owned.token) {
      roll_back(connection);
      throw lost(owned, stored.line);
    }
    if (!append.added.rows.empty()) {
      const Result newest = connection.run(select_newest_entry, Values().number(owned.number));
      written = newest.rows() == 1 && newest.text(0, 1) == append.added.rows.back().hash;
    }
    RunLine line = stored.line;
    line.set_owner(line.epoch() + 1, line.text(line_column::owner));
    connection.run({replace_line(owned.number, line, owned.token)});
    commit_transaction(connection);
    append.line.set_owner(line.epoch(), line.text(line_column::owner));
    log::info("journal asked whether an append was written", {{"it was", written}});
    return written;
  }

  // In a transaction of its own, since those that notify wait for each other. Who does not hear it
  // looks by himself.
  void tell(const std::string& run_id) {
    try {
      pool_->run(Millis(0), [&](Connection& connection) {
        connection.run({without_waiting_for_the_disk(), tell_listeners(run_id)});
        return true;
      });
    } catch (const Error& error) {
      log::warning("nobody is told", {{"run", run_id}, {"error", error.what()}});
    }
  }

  std::shared_ptr<Owned> owner_of(const std::string& run_id) {
    {
      const std::lock_guard lock(owners_mutex_);
      if (const auto found = owned_.find(run_id); found != owned_.end()) return found->second;
    }
    pool_->run([&](Connection& connection) { return number_of(connection, run_id); });
    throw Error(fmt::format("run {} is written by its owner only, which this is not", run_id));
  }

  void keep(const std::shared_ptr<Owned>& owned) {
    const std::lock_guard lock(owners_mutex_);
    owned_[owned->id] = owned;
  }

  static OwnerLost lost(const Owned& owned, const RunLine& now) {
    return OwnerLost(
        fmt::format("run {} has another owner by now: {}", owned.id, now.text(line_column::owner)),
        "nothing more is written here; look at it with 'agneto show " + owned.id + "'",
        ExitStatus::failed);
  }

  Error unsure(const Owned& owned) const {
    return CutOff(fmt::format("the connection to the journal '{}' was lost while run {} was "
                              "written, and what came of that is not known",
                              pool_->name(), owned.id),
                  "go on with 'agneto resume " + owned.id + "'", ExitStatus::failed);
  }

  // Throws what a new run was refused for.
  [[noreturn]] static void refuse(const RunRecord& run, const Refused& refused) {
    if (refused.constraint() == "runs_by_origin") throw origin_taken(run.origin);
    if (refused.constraint() != "runs_by_id") throw refused;
    throw Error(fmt::format("run '{}' exists already", run.id));
  }

  static Command insert(const std::string& run_id, const Message& message) {
    return {
        insert_message,
        Values().text(run_id).time(message.time).text(message.kind).text(to_text(message.body))};
  }

  static OriginTaken origin_taken(const std::string& origin) {
    return OriginTaken(fmt::format("there is a run of '{}' already", origin));
  }

  // In the order of their hashes, in which all lock them.
  static std::map<std::string, std::string> by_hash(
      const std::map<std::string, std::string>& sources) {
    std::map<std::string, std::string> texts;
    for (const auto& [path, text] : sources) texts.emplace(sha256(text), text);
    return texts;
  }

  // Those that this object has not stored yet: many runs have the same.
  std::map<std::string, std::string> unknown_texts(
      const std::map<std::string, std::string>& sources) {
    auto texts = by_hash(sources);
    const std::lock_guard lock(owners_mutex_);
    std::erase_if(texts, [this](const auto& text) { return known_texts_.contains(text.first); });
    return texts;
  }

  void know_texts(const std::map<std::string, std::string>& sources) {
    const std::lock_guard lock(owners_mutex_);
    for (const auto& [hash, text] : by_hash(sources)) known_texts_.insert(hash);
  }

  const std::shared_ptr<Pool> pool_;
  const std::shared_ptr<Leases> leases_;
  const std::shared_ptr<Listening> listening_;
  std::mutex owners_mutex_;  // of what follows
  std::map<std::string, std::shared_ptr<Owned>> owned_;
  std::set<std::string> known_texts_;
};

}  // namespace

std::unique_ptr<Journal> open_postgresql_journal(const std::string& uri,
                                                 const PostgresqlOptions& options) {
  return std::make_unique<PostgresqlJournal>(uri, options);
}

}  // namespace agneto::journal
