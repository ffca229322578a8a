#include <fmt/format.h>

#include <mutex>
#include <set>

#include "base/log.h"
#include "base/text.h"
#include "journal/diagnosis.h"
#include "journal/parcel.h"
#include "journal/postgresql/leases.h"
#include "journal/postgresql/listening.h"
#include "journal/postgresql/owners.h"
#include "journal/postgresql/run_lines.h"
#include "journal/postgresql/tables.h"
#include "journal/postgresql/taking.h"
#include "journal/recorded_state.h"
#include "journal/stores.h"

namespace agneto::journal {

namespace {

const Sql select_by_id(select_records("WHERE r.id = $1"));
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
const Sql copy_sources(
    "INSERT INTO agneto.sources (run, path, hash) "
    "SELECT $2, path, hash FROM agneto.sources WHERE run = $1");
const Sql delete_sources("DELETE FROM agneto.sources WHERE run = $1");
const Sql delete_notices("DELETE FROM agneto.notices WHERE key >= $1 AND key < $2");
const Sql delete_messages("DELETE FROM agneto.inbox WHERE run = $1");
const Sql delete_entries("DELETE FROM agneto.entries WHERE run = $1");
// A message that comes meanwhile waits, and there is no run for it then.
const Sql lock_to_delete("SELECT FROM agneto.runs WHERE id = $1 FOR UPDATE");
const Sql delete_run("DELETE FROM agneto.runs WHERE number = $1");
const Sql insert_message(
    "INSERT INTO agneto.inbox (run, time, kind, body) "
    "SELECT number, $2, $3, $4 FROM agneto.runs WHERE id = $1 RETURNING id");
// One row that is empty where there is none for the run.
const Sql select_messages(
    "SELECT i.id, i.time, i.kind, i.body FROM agneto.runs r "
    "LEFT JOIN agneto.inbox i ON i.run = r.number WHERE r.id = $1 ORDER BY i.id");
const Sql select_grants("SELECT name, scope, hash, created FROM agneto.grants ORDER BY name");
const Sql insert_grant(
    "INSERT INTO agneto.grants (name, scope, hash, created) VALUES ($1, $2, $3, $4) "
    "ON CONFLICT (name, tenant) DO NOTHING");
const Sql delete_grant("DELETE FROM agneto.grants WHERE name = $1");

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
        taking_(*pool_, *leases_),
        owners_(*pool_, *leases_),
        listening_(std::make_shared<Listening>(pool_->address())) {
    prepare(*pool_);
  }

  // One round trip. It is done once however often it is sent, since one run alone has its token.
  void create(const RunRecord& run, const std::map<std::string, std::string>& sources,
              std::vector<Entry> entries, Json state) override {
    const auto owned = std::make_shared<OwnedRun>(run.id);
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
    owners_.keep(owned);
  }

  void own(const std::string& run_id, const std::string& who) override { owners_.own(run_id, who); }
  void release(const std::string& run_id) override { owners_.release(run_id); }

  Seq append(const std::string& run_id, std::vector<Entry> entries, Json state,
             const RunRecord* run, const std::vector<MessageId>& handled) override {
    return owners_.append(run_id, std::move(entries), std::move(state), run, handled);
  }

  Seq rewind(const std::string& run_id, Seq to, Entry note, const RunRecord* run) override {
    note.kind = "rewound";
    note.body["to"] = to;
    return append(run_id, {std::move(note)}, state_at(run_id, to), run, {});
  }

  void fork(const std::string& run_id, Seq at, const RunRecord& fork, Entry note) override {
    pool_->transact([&](Connection& connection) {
      PostgresqlRun from(connection, pool_->name(), run_id);
      const StoredLine& stored = from.stored();
      required_state(from, at);
      const std::string token = new_token();
      std::vector<Command> commands;
      const auto insert = [&](const Row& row) {
        commands.push_back(insert_entry_of_new(fork.id, token, row));
      };
      const Row last = note_of_fork(copy_entries(from, at, fork.id, insert), fork.id, note);
      insert(last);
      RunLine line(fork, stored.line.sources());
      line.set_last(last.head());
      try {
        const std::int64_t to = connection.run({insert_line(line, fork, token)}).at(0).number(0, 0);
        connection.run(copy_sources, Values().number(stored.number).number(to));
      } catch (const Refused& refused) {
        refuse(fork, refused);
      }
      connection.run(commands);
    });
    tell("");
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
    const auto owned = owners_.of(run_id);
    const std::lock_guard lock(owned->mutex);
    leases_->require_not_lost(run_id);
    RunLine line;
    pool_->transact([&](Connection& connection) {
      const StoredLine stored = lock_line(connection, run_id);
      if (stored.token != owned->token) throw owned->lost(stored.line);
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

  // Its line is locked first: who goes on with it at this time has ended it by then, or waits.
  void remove(const std::string& run_id) override {
    pool_->transact([&](Connection& connection) {
      connection.run(lock_to_delete, Values().text(run_id));
      const std::int64_t number = number_of(connection, run_id);
      require_ended(read_records(connection.run(select_by_id, Values().text(run_id))).at(0));
      connection.run({{delete_notices, Values().text(run_id + " ").text(behind(run_id + " "))},
                      {delete_messages, Values().number(number)},
                      {delete_sources, Values().number(number)},
                      {delete_entries, Values().number(number)},
                      {delete_run, Values().number(number)}});
    });
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
      if (!wanted.id.empty()) {
        conditions += fmt::format(" AND r.id >= ${} AND r.id < ${}", given + 1, given + 2);
        given += 2;
        values.text(wanted.id).text(behind(wanted.id));
      }
      if (!wanted.before.empty()) {
        conditions += fmt::format(" AND r.number < ${}", ++given);
        values.number(number_of(connection, wanted.before));
      }
      conditions += " ORDER BY r.number DESC";
      if (wanted.most > 0) {
        conditions += fmt::format(" LIMIT ${}", ++given);
        values.number(number_of_rows(wanted.most));
      }
      return read_records(connection.run(Sql(select_records(conditions)), std::move(values)));
    });
  }

  Due due(const Taker& taker, Time now, std::size_t most) override {
    return taking_.due(taker, now, most);
  }
  std::vector<RunRecord> worked_on() override { return taking_.worked_on(); }

  std::optional<Time> next_wake(Time after) override {
    const Result result = ask(select_wake, Values().time(after));
    return result.rows() == 0 ? std::nullopt : std::optional(result.time(0, 0));
  }

  std::optional<RunRecord> newest_of(const std::string& origins) override {
    const auto found = select(select_newest_of, Values().text(origins).text(behind(origins)));
    return found.empty() ? std::nullopt : std::optional(found.front());
  }

  std::int64_t count(const std::string& status) override {
    return ask(count_status, Values().text(status)).number(0, 0);
  }

  std::vector<Changed> changes(std::int64_t after, std::size_t most) override {
    const std::int64_t settled = ask(select_settled).number(0, 0);
    const Result result =
        ask(select_changes, Values().number(after).number(settled).number(number_of_rows(most)));
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
    return read(run_id, [](PostgresqlRun& run) { return run.sources(); });
  }

  Seq newest(const std::string& run_id) override {
    return pool_->run([&](Connection& connection) {
      const auto newest = newest_entry(connection, number_of(connection, run_id));
      return newest ? newest->seq : 0;
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
      const Result result = connection.run(select_messages, Values().text(run_id));
      if (result.rows() == 0) number_of(connection, run_id);  // which throws
      std::vector<Message> messages;
      for (int row = 0; row < result.rows() && !result.is_null(row, 0); ++row) {
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

  void present(const Worker& worker) override { taking_.present(worker); }
  void leave(const std::string& worker) override { taking_.leave(worker); }
  std::vector<Worker> workers() override { return taking_.workers(); }

  std::unique_ptr<Hold> hold(const std::string& run_id, const Bounds& bounds) override {
    return taking_.hold(run_id, bounds);
  }
  std::optional<std::string> holder(const std::string& run_id) override {
    return leases_->holder(run_id);
  }

 private:
  Result ask(const Sql& sql, const Values& values = {}) {
    return pool_->run([&](Connection& connection) { return connection.run(sql, values); });
  }

  std::vector<RunRecord> select(const Sql& sql, const Values& values) {
    return read_records(ask(sql, values));
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
    const std::lock_guard lock(texts_mutex_);
    std::erase_if(texts, [this](const auto& text) { return known_texts_.contains(text.first); });
    return texts;
  }

  void know_texts(const std::map<std::string, std::string>& sources) {
    const std::lock_guard lock(texts_mutex_);
    for (const auto& [hash, text] : by_hash(sources)) known_texts_.insert(hash);
  }

  const std::shared_ptr<Pool> pool_;
  const std::shared_ptr<Leases> leases_;
  Taking taking_;
  Owners owners_;
  const std::shared_ptr<Listening> listening_;
  std::mutex texts_mutex_;
  std::set<std::string> known_texts_;
};

}  // namespace

std::unique_ptr<Journal> open_postgresql_journal(const std::string& uri,
                                                 const PostgresqlOptions& options) {
  return std::make_unique<PostgresqlJournal>(uri, options);
}

}  // namespace agneto::journal
