#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <stdexcept>

#include "base/error.h"
#include "journal/change.h"
#include "journal/diagnosis.h"
#include "journal/journal.h"
#include "journal/lock.h"
#include "journal/parcel.h"
#include "journal/recorded_state.h"
#include "journal/sqlite/group_commit.h"
#include "journal/sqlite/run_table.h"
#include "journal/sqlite/schema.h"
#include "journal/stores.h"

namespace agneto::journal {

namespace {

constexpr Millis while_queued{500};

// More than 25 names: it implements each function of Journal, and all share one database and its
// lock.
class SqliteJournal : public Journal {
 public:
  explicit SqliteJournal(const std::string& path) : database_(path) { prepare(database_); }

  void create(const RunRecord& run, const std::map<std::string, std::string>& sources,
              std::vector<Entry> entries, Json state) override {
    const auto owned = std::make_shared<Owned>(run.id);
    owned->epoch = 1;
    Prepared added = prepared(owned->id, owned->recorded, std::move(entries), state);
    group_.run([&] {
      owned->number = runs_.insert(run);
      sources_.set(owned->number, sources);
      for (const Row& row : added.rows) entries_.insert(owned->number, row);
      runs_.set_owner(owned->number, {owned->epoch, ""});
      runs_.seal(owned->number, added.extent.head);
    });
    take_over(owned->recorded, std::move(added), std::move(state));
    const std::lock_guard lock(owners_mutex_);
    owned_[run.id] = owned;
  }

  void own(const std::string& run_id, const std::string& who) override {
    const auto owned = std::make_shared<Owned>(run_id);
    group_.run([&] {
      SqliteRun run = run_of(run_id);
      owned->number = run.number();
      RecordedState recorded = state_to_go_on_from(run);
      owned->epoch = runs_.owner(owned->number).epoch + 1;
      owned->recorded = std::move(recorded);
      runs_.set_owner(owned->number, {owned->epoch, who});
      runs_.seal(owned->number, owned->recorded.extent.head);
    });
    const std::lock_guard lock(owners_mutex_);
    owned_[run_id] = owned;
  }

  void release(const std::string& run_id) override {
    const std::lock_guard lock(owners_mutex_);
    owned_.erase(run_id);
  }

  Seq append(const std::string& run_id, std::vector<Entry> entries, Json state,
             const RunRecord* run, const std::vector<MessageId>& handled) override {
    const auto owned = owner_of(run_id);
    const std::lock_guard lock(owned->mutex);
    Prepared added = prepared(owned->id, owned->recorded, std::move(entries), state);
    group_.run([&] {
      require_owner(*owned);
      for (const Row& row : added.rows) entries_.insert(owned->number, row);
      if (run != nullptr) {
        runs_.update(owned->number, *run);
        runs_.seal(owned->number, added.extent.head);
      }
      for (const MessageId id : handled) {
        delete_message_.start().bind(id).bind(owned->number).run();
      }
    });
    take_over(owned->recorded, std::move(added), std::move(state));
    return owned->recorded.extent.head.seq;
  }

  Seq rewind(const std::string& run_id, Seq to, Entry note, const RunRecord* run) override {
    note.kind = "rewound";
    note.body["to"] = to;
    return append(run_id, {std::move(note)}, state_at(run_id, to), run, {});
  }

  void fork(const std::string& run_id, Seq at, const RunRecord& fork, Entry note) override {
    group_.run([&] {
      SqliteRun from = run_of(run_id);
      required_state(from, at);
      const std::int64_t to = runs_.insert(fork);
      sources_.copy(from.number(), to);
      const auto insert = [&](const Row& row) { entries_.insert(to, row); };
      const Row last = note_of_fork(copy_entries(from, at, fork.id, insert), fork.id, note);
      insert(last);
      runs_.seal(to, last.head());
    });
  }

  Parcel pack(const std::string& run_id) override {
    const std::lock_guard lock(mutex_);
    SqliteRun run = run_of(run_id);
    journal::check(run);
    return {*runs_.find(run_id), sources_.all(run.number()), all_rows(run), messages_of(run_id)};
  }

  void unpack(const Parcel& parcel) override {
    const Head last = last_of(parcel);
    group_.run([&] {
      const std::int64_t run = runs_.insert(parcel.run);
      sources_.set(run, parcel.sources);
      for (const Row& row : parcel.rows) entries_.insert(run, row);
      for (const Message& message : parcel.inbox) insert(run, message);
      runs_.seal(run, last);
    });
  }

  void replace_sources(const std::string& run_id,
                       const std::map<std::string, std::string>& sources) override {
    const auto owned = owner_of(run_id);
    const std::lock_guard lock(owned->mutex);
    group_.run([&] {
      require_owner(*owned);
      sources_.set(owned->number, sources);
      runs_.seal(owned->number, owned->recorded.extent.head);
    });
  }

  void remove(const std::string& run_id) override {
    group_.run([&] {
      runs_.number(run_id);  // which throws where there is none
      const RunRecord run = runs_.find(run_id).value();
      require_ended(run);
      if (runs_.list({.most = 2}).size() == 1) {
        throw Error("the record of run " + run_id + " is the only one there is, and stays",
                    "remove its journal where nobody needs that any more");
      }
      runs_.remove(run);
    });
  }

  std::optional<RunRecord> find(const std::string& run_id) override {
    const std::lock_guard lock(mutex_);
    return runs_.find(run_id);
  }

  std::vector<RunRecord> list(const Wanted& wanted) override {
    const std::lock_guard lock(mutex_);
    return runs_.list(wanted);
  }

  Due due(const Taker& taker, Time now, std::size_t most) override {
    const Bounds full = taker.bounds.any() ? reached(taker.bounds, worked_on()) : Bounds();
    Due due;
    const std::lock_guard lock(mutex_);
    runs_.due(taker, full, now, [&](RunRecord run) {
      if (holder_of(lock_of(run.id))) {
        // Who has just queued it still has it.
        if (run.status == "queued") due.again = while_queued;
      } else {
        due.runs.push_back(std::move(run));
      }
      return due.runs.size() < most;
    });
    return due;
  }

  // A run's lock is there for as long as somebody works on it.
  std::vector<RunRecord> worked_on() override {
    std::vector<RunRecord> runs;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(locks_, none)) {
      if (entry.path().extension() != ".lock" || !holder_of(entry.path())) continue;
      if (auto run = find(entry.path().stem())) runs.push_back(std::move(*run));
    }
    return runs;
  }

  std::optional<Time> next_wake(Time after) override {
    const std::lock_guard lock(mutex_);
    return runs_.next_wake(after);
  }

  std::optional<RunRecord> newest_of(const std::string& origins) override {
    const std::lock_guard lock(mutex_);
    return runs_.newest_of(origins);
  }

  std::int64_t count(const std::string& status) override {
    const std::lock_guard lock(mutex_);
    return runs_.count(status);
  }

  std::vector<Changed> changes(std::int64_t after, std::size_t most) override {
    const std::lock_guard lock(mutex_);
    return runs_.changes(after, most);
  }

  std::int64_t newest_change() override {
    const std::lock_guard lock(mutex_);
    return runs_.newest_change();
  }

  Json state(const std::string& run_id) override {
    const std::lock_guard lock(mutex_);
    SqliteRun run = run_of(run_id);
    return state_after(run, last_seq).state;
  }

  Json state_at(const std::string& run_id, Seq at) override {
    const std::lock_guard lock(mutex_);
    SqliteRun run = run_of(run_id);
    return required_state(run, at);
  }

  std::map<std::string, std::string> sources(const std::string& run_id) override {
    const std::lock_guard lock(mutex_);
    const std::int64_t number = runs_.number(run_id);
    for (const std::string& path : sources_.altered(number)) {
      throw damaged(database_.path(), run_id, altered_source(run_id, path));
    }
    return sources_.all(number);
  }

  Seq newest(const std::string& run_id) override {
    const std::lock_guard lock(mutex_);
    return entries_.head(runs_.number(run_id)).seq;
  }

  std::vector<Entry> entries(const std::string& run_id, Seq after, Seq to) override {
    const std::lock_guard lock(mutex_);
    SqliteRun run = run_of(run_id);
    return journal::entries_of(run, after, to);
  }

  std::vector<Entry> entries_of(const std::string& run_id, const std::string& path) override {
    const std::lock_guard lock(mutex_);
    SqliteRun run = run_of(run_id);
    return standing(run, entries_.of_path(run.number(), path));
  }

  void check(const std::string& run_id) override {
    const std::lock_guard lock(mutex_);
    SqliteRun run = run_of(run_id);
    journal::check(run);
  }

  Diagnosis diagnose(const std::string& run_id) override {
    const std::lock_guard lock(mutex_);
    SqliteRun run = run_of(run_id);
    Diagnosis diagnosis = examine(run);
    for (std::string& fault : database_.faults()) {
      diagnosis.file_damaged = true;
      diagnosis.faults.push_back({0, "the database itself is damaged: " + std::move(fault)});
    }
    return diagnosis;
  }

  MessageId post(const std::string& run_id, const Message& message) override {
    MessageId id = 0;
    group_.run([&] {
      insert(runs_.number(run_id), message);
      id = sqlite3_last_insert_rowid(database_.handle());
    });
    return id;
  }

  std::int64_t written_by_others() override {
    const std::lock_guard lock(mutex_);
    return select_version_.start().only_number();
  }

  std::unique_ptr<Watch> watch(const std::string&, std::function<void()>) override {
    return nullptr;
  }

  std::vector<Grant> grants() override {
    const std::lock_guard lock(mutex_);
    std::vector<Grant> all;
    select_grants_.start();
    while (select_grants_.step()) {
      all.push_back({select_grants_.text(0), select_grants_.text(1), select_grants_.text(2),
                     select_grants_.time(3)});
    }
    return all;
  }

  void grant(const Grant& grant) override {
    group_.run([&] {
      if (select_grant_.start().bind(grant.name).only_number() != 0) {
        throw Error(fmt::format("there is a token '{}' already", grant.name),
                    "take another name, or revoke that one: agneto token revoke " + grant.name);
      }
      insert_grant_.start().bind(grant.name).bind(grant.scope).bind(grant.hash);
      insert_grant_.bind(grant.created).run();
    });
  }

  bool revoke(const std::string& name) override {
    bool there = false;
    group_.run([&] {
      there = select_grant_.start().bind(name).only_number() != 0;
      delete_grant_.start().bind(name).run();
    });
    return there;
  }

  void present(const Worker&) override {}
  void leave(const std::string&) override {}
  std::vector<Worker> workers() override { return {}; }

  std::unique_ptr<Hold> hold(const std::string& run_id, const Bounds& bounds) override {
    if (const auto run = bounds.any() ? find(run_id) : std::nullopt) {
      if (auto why = obstacle(bounds, *run, worked_on()); !why.empty()) throw NoRoom(why);
    }
    std::error_code told_by_the_lock;
    std::filesystem::create_directories(locks_, told_by_the_lock);
    return std::make_unique<RunLock>(lock_of(run_id), run_id);
  }

  std::optional<std::string> holder(const std::string& run_id) override {
    return holder_of(lock_of(run_id));
  }

  std::vector<Message> inbox(const std::string& run_id) override {
    const std::lock_guard lock(mutex_);
    return messages_of(run_id);
  }

 private:
  // A run that this object may write, and where it stands.
  struct Owned {
    explicit Owned(std::string run_id) : id(std::move(run_id)) {}

    std::string id;
    std::int64_t number = 0;
    std::int64_t epoch = 0;
    std::mutex mutex;  // one append after the other
    RecordedState recorded;
  };

  std::filesystem::path lock_of(const std::string& run_id) const {
    return locks_ / (run_id + ".lock");
  }

  SqliteRun run_of(const std::string& run_id) {
    return {database_, runs_, sources_, entries_, run_id};
  }

  std::vector<Message> messages_of(const std::string& run_id) {
    std::vector<Message> messages;
    select_messages_.start().bind(runs_.number(run_id)).each([&](Statement& row) {
      Message message{row.text(2), Json::parse(row.text(3), nullptr, false), row.time(1),
                      row.number(0)};
      if (message.body.is_discarded()) {
        throw damaged(database_.path(), run_id,
                      fmt::format("message {} to run {} is {}", message.id, run_id, altered));
      }
      messages.push_back(std::move(message));
      return true;
    });
    return messages;
  }

  void insert(std::int64_t run, const Message& message) {
    insert_message_.start().bind(run).bind(message.time);
    insert_message_.bind(message.kind).bind(to_text(message.body)).run();
  }

  std::shared_ptr<Owned> owner_of(const std::string& run_id) {
    {
      const std::lock_guard lock(owners_mutex_);
      if (const auto found = owned_.find(run_id); found != owned_.end()) return found->second;
    }
    const std::lock_guard lock(mutex_);
    runs_.number(run_id);
    throw Error(fmt::format("run {} is written by its owner only, which this is not", run_id));
  }

  void require_owner(const Owned& owned) {
    const Owner now = runs_.owner(owned.number);
    if (now.epoch == owned.epoch) return;
    throw OwnerLost(fmt::format("run {} has another owner by now: {}", owned.id, now.who),
                    "nothing more is written here; look at it with 'agneto show " + owned.id + "'",
                    ExitStatus::failed);
  }

  std::mutex mutex_;  // of all that follows, but for what says otherwise
  Database database_;
  const std::filesystem::path locks_ =
      std::filesystem::path(database_.path()).parent_path() / "worktrees";
  EntryTable entries_{database_};
  SourceTable sources_{database_};
  RunTable runs_{database_, entries_, sources_};
  Statement insert_message_{database_,
                            "INSERT INTO inbox (run, time, kind, body) VALUES (?, ?, ?, ?)"};
  Statement select_messages_{database_,
                             "SELECT id, time, kind, body FROM inbox WHERE run = ? ORDER BY id"};
  Statement delete_message_{database_, "DELETE FROM inbox WHERE id = ? AND run = ?"};
  Statement select_version_{database_, "PRAGMA data_version"};
  Statement select_grants_{database_,
                           "SELECT name, scope, hash, created FROM grants ORDER BY name"};
  Statement select_grant_{database_, "SELECT count(*) FROM grants WHERE name = ?"};
  Statement insert_grant_{database_,
                          "INSERT INTO grants (name, scope, hash, created) VALUES (?, ?, ?, ?)"};
  Statement delete_grant_{database_, "DELETE FROM grants WHERE name = ?"};
  GroupCommit group_{database_, mutex_};  // thread-safe

  std::mutex owners_mutex_;
  std::map<std::string, std::shared_ptr<Owned>> owned_;
};

}  // namespace

std::unique_ptr<Journal> open_sqlite_journal(const std::string& path) {
  return std::make_unique<SqliteJournal>(path);
}

}  // namespace agneto::journal
