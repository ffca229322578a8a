#include "record/totals.h"

#include "chart/path.h"
#include "record/json_fields.h"

namespace agneto::record {
namespace {

// Is it recorded of a run that nobody was at work on until then?
bool begins_work(const Entry& entry) {
  const auto* queued = entry.get<Queued>();
  return (queued && queued->reason.empty()) || entry.get<Started>() || entry.get<Resumed>() ||
         entry.get<Rewound>() || entry.get<Forked>() || entry.get<Restored>() ||
         entry.get<Migrated>();
}

}  // namespace

Json to_json(const Totals& totals) {
  return to_fields(totals);
}

Totals totals_from(const Json& json) {
  return from_fields<Totals>(json);
}

void Tally::add(const Entry& entry) {
  // What an owner that was killed had at work was at work until its last entry, as far as is known.
  if (last_ && begins_work(entry)) all_rest(*last_);
  last_ = entry.time;
  follow(entry);
  pending_.add(entry);
}

void Tally::follow(const Entry& entry) {
  cancelled_.clear();
  if (entry.get<Process>()) count_call(entry);
  if (entry.get<Prompt>() || entry.get<ProgramCall>() || entry.get<Process>()) {
    if (pending_.open().contains(entry.path)) works(entry);
  } else if (const auto* reply = entry.get<Reply>()) {
    rests(entry.path, entry.time);
    if (reply->event != "error.spawn" && reply->event != "stopped") count_call(entry);
    use(entry, [&](Totals& totals) {
      totals.attempts += reply->event != "away";
      totals.usage += reply->usage;
    });
  } else if (const auto* macrostep = entry.get<Macrostep>()) {
    step(entry, *macrostep);
  } else if (entry.get<Suspended>() || entry.get<Queued>()) {
    all_rest(entry.time);
  } else if (const auto* rewound = entry.get<Rewound>()) {
    std::erase_if(counted_, [&](const auto& call) { return call.second > rewound->to; });
  }
}

void Tally::step(const Entry& entry, const Macrostep& step) {
  const auto ended = [&](const std::string& path) {
    rests(path, entry.time);
    begun_.erase(path);
  };
  if (const auto* outcome = step.outcome()) ended(outcome->path);
  for (const auto& effect : step.effects) {
    const std::string& path = chart::path_of(effect);
    if (std::holds_alternative<chart::Cancel>(effect) && begun_.contains(path)) {
      ended(path);
      cancelled_.push_back(path);
    } else if (std::holds_alternative<chart::Finish>(effect)) {
      all_rest(entry.time);
    } else {
      begun_.erase(path);  // it is ordered anew after a rewind
    }
  }
}

// Once, however often it is asked.
void Tally::count_call(const Entry& entry) {
  const auto* effect = pending_.find(entry.path);
  if (!effect || !std::holds_alternative<chart::NamedCall>(*effect)) return;
  if (!counted_.emplace(entry.path, entry.seq).second) return;
  use(entry, [](Totals& totals) { ++totals.calls; });
}

void Tally::use(const Entry& entry, const std::function<void(Totals&)>& add) {
  add(totals_);
  if (!entry.stands) return;
  for (auto& [instance, totals] : inside_) {
    if (chart::is_inside(entry.path, instance)) add(totals);
  }
}

void Tally::works(const Entry& entry) {
  begun_.insert(entry.path);
  at_work_.insert(entry.path);
  use(entry, [&](Totals& totals) { totals.time.start(entry.time); });
}

void Tally::rests(const std::string& path, Time time) {
  if (at_work_.erase(path) == 0) return;
  if (at_work_.empty()) totals_.time.stop(time);
  for (auto& [instance, totals] : inside_) {
    const auto works = std::ranges::find_if(at_work_, [&where = instance](const auto& other) {
      return chart::is_inside(other, where);
    });
    if (works == at_work_.end()) totals.time.stop(time);
  }
}

void Tally::all_rest(Time time) {
  at_work_.clear();
  totals_.time.stop(time);
  for (auto& [instance, totals] : inside_) totals.time.stop(time);
}

Totals totals_of(const std::vector<Entry>& entries, const journal::RunRecord& run, Time now) {
  Tally tally;
  for (const auto& entry : entries) tally.add(entry);
  Totals totals = tally.totals();
  if (!entries.empty()) totals.time.stop(run.status == "running" ? now : entries.back().time);
  return totals;
}

}  // namespace agneto::record
