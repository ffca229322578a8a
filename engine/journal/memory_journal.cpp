#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <mutex>
#include <stdexcept>

#include "base/error.h"
#include "journal/journal.h"
#include "journal/standing.h"

namespace agneto::journal {

namespace {

// One object is all there is, so it is the owner of every run.
class MemoryJournal : public Journal {
 public:
  void create(const RunRecord& run, const std::map<std::string, std::string>& sources,
              std::vector<Entry> entries, Json state) override {
    const std::lock_guard lock(mutex_);
    add(insert(run, sources), std::move(entries), std::move(state));
  }

  void own(const std::string& run_id, const std::string&) override {
    const std::lock_guard lock(mutex_);
    get(run_id);
  }

  Seq append(const std::string& run_id, std::vector<Entry> entries, Json state,
             const RunRecord* run, const std::vector<MessageId>& handled) override {
    const std::lock_guard lock(mutex_);
    Record& record = get(run_id);
    add(record, std::move(entries), std::move(state));
    if (run != nullptr) update(record.run, *run);
    std::erase_if(record.inbox, [&](const Message& message) {
      return std::find(handled.begin(), handled.end(), message.id) != handled.end();
    });
    return newest(record);
  }

  Seq rewind(const std::string& run_id, Seq to, Entry note, const RunRecord* run) override {
    const std::lock_guard lock(mutex_);
    Record& record = get(run_id);
    Json state = recorded_state(record, to);
    note.kind = "rewound";
    note.body["to"] = to;
    add(record, {std::move(note)}, std::move(state));
    record.rewinds.push_back({newest(record), to});
    if (run != nullptr) update(record.run, *run);
    return newest(record);
  }

  void fork(const std::string& run_id, Seq at, const RunRecord& fork, Entry note) override {
    const std::lock_guard lock(mutex_);
    const Record& from = get(run_id);
    const Json state = recorded_state(from, at);
    const Standing standing(from.rewinds, at);
    std::vector<Entry> entries;
    std::vector<Json> states;
    for (Seq seq = 1; seq <= at; ++seq) {
      const auto place = static_cast<std::size_t>(seq) - 1;
      if (!standing.stands(seq) || from.entries[place].kind == "rewound") continue;
      entries.push_back(from.entries[place]);
      states.push_back(from.states[place]);
    }
    Record& to = insert(fork, from.sources);
    for (std::size_t i = 0; i < entries.size(); ++i) add(to, {entries[i]}, states[i]);
    add(to, {std::move(note)}, nullptr);
  }

  void replace_sources(const std::string& run_id,
                       const std::map<std::string, std::string>& sources) override {
    const std::lock_guard lock(mutex_);
    get(run_id).sources = sources;
  }

  std::optional<RunRecord> find(const std::string& run_id) override {
    const std::lock_guard lock(mutex_);
    const auto place = places_.find(run_id);
    return place == places_.end() ? std::nullopt : std::optional(records_[place->second]->run);
  }

  std::vector<RunRecord> list() override {
    const std::lock_guard lock(mutex_);
    std::vector<RunRecord> runs;
    for (auto record = records_.rbegin(); record != records_.rend(); ++record) {
      runs.push_back((*record)->run);
    }
    return runs;
  }

  Json state(const std::string& run_id) override {
    const std::lock_guard lock(mutex_);
    const Record& record = get(run_id);
    return record.states.empty() ? Json() : record.states.back();
  }

  Json state_at(const std::string& run_id, Seq at) override {
    const std::lock_guard lock(mutex_);
    return recorded_state(get(run_id), at);
  }

  std::map<std::string, std::string> sources(const std::string& run_id) override {
    const std::lock_guard lock(mutex_);
    return get(run_id).sources;
  }

  Seq newest(const std::string& run_id) override {
    const std::lock_guard lock(mutex_);
    return newest(get(run_id));
  }

  std::vector<Entry> entries(const std::string& run_id, Seq after, Seq to) override {
    const std::lock_guard lock(mutex_);
    const Record& record = get(run_id);
    const Standing standing(record.rewinds, newest(record));
    std::vector<Entry> later;
    for (const Entry& entry : record.entries) {
      if (entry.seq <= after || entry.seq > to) continue;
      later.push_back(entry);
      later.back().stands = standing.stands(entry.seq);
    }
    return later;
  }

  std::vector<Entry> entries_of(const std::string& run_id, const std::string& path) override {
    const std::lock_guard lock(mutex_);
    const Record& record = get(run_id);
    const Standing standing(record.rewinds, newest(record));
    std::vector<Entry> found;
    std::copy_if(record.entries.begin(), record.entries.end(), std::back_inserter(found),
                 [&](const Entry& entry) {
                   return !path.empty() && entry.path == path && standing.stands(entry.seq);
                 });
    return found;
  }

  void check(const std::string& run_id) override {
    const std::lock_guard lock(mutex_);
    get(run_id);
  }

  Diagnosis diagnose(const std::string& run_id) override {
    const std::lock_guard lock(mutex_);
    const Seq last = newest(get(run_id));
    return {last, last, last, false, false, {}};
  }

  MessageId post(const std::string& run_id, const Message& message) override {
    const std::lock_guard lock(mutex_);
    Record& record = get(run_id);
    record.inbox.push_back(message);
    return record.inbox.back().id = ++messages_;
  }

  std::vector<Message> inbox(const std::string& run_id) override {
    const std::lock_guard lock(mutex_);
    return get(run_id).inbox;
  }

 private:
  struct Record {
    RunRecord run;
    std::map<std::string, std::string> sources;
    std::vector<Entry> entries;
    std::vector<Json> states;  // after each of them
    std::vector<Rewind> rewinds;
    std::vector<Message> inbox;
  };

  Record& get(const std::string& run_id) {
    const auto place = places_.find(run_id);
    if (place == places_.end()) {
      throw Error(fmt::format("there is no run '{}'", run_id));
    }
    return *records_[place->second];
  }

  Record& insert(const RunRecord& run, const std::map<std::string, std::string>& sources) {
    if (places_.contains(run.id)) {
      throw Error(fmt::format("run '{}' exists already", run.id));
    }
    places_[run.id] = records_.size();
    return *records_.emplace_back(std::make_unique<Record>(Record{run, sources, {}, {}, {}, {}}));
  }

  static Seq newest(const Record& record) { return static_cast<Seq>(record.entries.size()); }

  static Json recorded_state(const Record& record, Seq at) {
    if (at < 1 || at > newest(record)) {
      throw Error(fmt::format("run {} has no entry {}", record.run.id, at));
    }
    Json state = record.states[static_cast<std::size_t>(at) - 1];
    if (state.is_null()) {
      throw Error(
          fmt::format("the state of run {} after entry {} was not recorded", record.run.id, at),
          "choose a later entry");
    }
    return state;
  }

  static void update(RunRecord& run, const RunRecord& line) {
    const RunRecord before = run;
    run = line;
    run.id = before.id;
    run.created = before.created;
    run.updated = std::max(before.updated, line.updated);
  }

  static void add(Record& record, std::vector<Entry> entries, Json state) {
    if (entries.empty() && !state.is_null()) {
      throw std::logic_error("a state is that after an entry");
    }
    for (Entry& entry : entries) {
      if (!record.entries.empty()) {
        entry.time = std::max(entry.time, record.entries.back().time);
      }
      entry.seq = newest(record) + 1;
      record.run.updated = std::max(record.run.updated, entry.time);
      record.states.push_back(record.states.empty() ? Json() : record.states.back());
      record.entries.push_back(std::move(entry));
    }
    if (!state.is_null()) record.states.back() = std::move(state);
  }

  std::mutex mutex_;
  std::vector<std::unique_ptr<Record>> records_;
  std::map<std::string, std::size_t> places_;
  MessageId messages_ = 0;
};

}  // namespace

std::unique_ptr<Journal> memory_journal() {
  return std::make_unique<MemoryJournal>();
}

}  // namespace agneto::journal
