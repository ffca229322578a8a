#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <mutex>

#include "base/error.h"
#include "journal/journal.h"

namespace agneto::journal {

namespace {

class MemoryJournal : public Journal {
 public:
  void create(const Run& run, const std::map<std::string, std::string>& sources,
              std::vector<Entry> entries, const Json& state) override {
    const std::lock_guard lock(mutex_);
    if (places_.contains(run.id)) {
      throw Error(fmt::format("run '{}' exists already", run.id));
    }
    places_[run.id] = records_.size();
    Record& record = records_.emplace_back(Record{run, sources, state, {}});
    add(record, std::move(entries));
  }

  Seq append(const std::string& run_id, std::vector<Entry> entries, const Json& state,
             const Run* run) override {
    const std::lock_guard lock(mutex_);
    Record& record = get(run_id);
    if (run != nullptr) {
      const Time created = record.run.created;
      const Time updated = std::max(record.run.updated, run->updated);
      record.run = *run;
      record.run.id = run_id;
      record.run.created = created;
      record.run.updated = updated;
    }
    if (!state.is_null()) {
      record.state = state;
    }
    add(record, std::move(entries));
    return static_cast<Seq>(record.entries.size());
  }

  std::optional<Run> find(const std::string& run_id) override {
    const std::lock_guard lock(mutex_);
    const auto place = places_.find(run_id);
    return place == places_.end() ? std::nullopt : std::optional(records_[place->second].run);
  }

  std::vector<Run> list() override {
    const std::lock_guard lock(mutex_);
    std::vector<Run> runs;
    for (auto record = records_.rbegin(); record != records_.rend(); ++record) {
      runs.push_back(record->run);
    }
    std::stable_sort(runs.begin(), runs.end(),
                     [](const Run& a, const Run& b) { return a.created > b.created; });
    return runs;
  }

  Json state(const std::string& run_id) override {
    const std::lock_guard lock(mutex_);
    return get(run_id).state;
  }

  std::map<std::string, std::string> sources(const std::string& run_id) override {
    const std::lock_guard lock(mutex_);
    return get(run_id).sources;
  }

  void replace_sources(const std::string& run_id,
                       const std::map<std::string, std::string>& sources) override {
    const std::lock_guard lock(mutex_);
    get(run_id).sources = sources;
  }

  std::vector<Entry> entries(const std::string& run_id, Seq after) override {
    const std::lock_guard lock(mutex_);
    const std::vector<Entry>& all = get(run_id).entries;
    const auto skipped = std::clamp<Seq>(after, 0, static_cast<Seq>(all.size()));
    return {all.begin() + skipped, all.end()};
  }

  void check(const std::string& run_id) override {
    const std::lock_guard lock(mutex_);
    get(run_id);
  }

  std::vector<Entry> entries_of(const std::string& run_id, const std::string& path) override {
    const std::lock_guard lock(mutex_);
    std::vector<Entry> found;
    const std::vector<Entry>& all = get(run_id).entries;
    std::copy_if(all.begin(), all.end(), std::back_inserter(found),
                 [&](const Entry& entry) { return !path.empty() && entry.path == path; });
    return found;
  }

 private:
  struct Record {
    Run run;
    std::map<std::string, std::string> sources;
    Json state;
    std::vector<Entry> entries;
  };

  Record& get(const std::string& run_id) {
    const auto place = places_.find(run_id);
    if (place == places_.end()) {
      throw Error(fmt::format("there is no run '{}'", run_id));
    }
    return records_[place->second];
  }

  static void add(Record& record, std::vector<Entry> entries) {
    for (Entry& entry : entries) {
      if (!record.entries.empty()) {
        entry.time = std::max(entry.time, record.entries.back().time);
      }
      entry.seq = static_cast<Seq>(record.entries.size()) + 1;
      record.run.updated = std::max(record.run.updated, entry.time);
      record.entries.push_back(std::move(entry));
    }
  }

  std::mutex mutex_;
  std::vector<Record> records_;
  std::map<std::string, std::size_t> places_;
};

}  // namespace

std::unique_ptr<Journal> memory_journal() {
  return std::make_unique<MemoryJournal>();
}

}  // namespace agneto::journal
