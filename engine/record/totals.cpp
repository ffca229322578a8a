#include "record/totals.h"

#include "record/json_fields.h"

namespace agneto::record {
namespace {

// Is it recorded of a run that nobody was at work on until then?
bool begins_work(const Entry& entry) {
  return entry.get<Started>() || entry.get<Resumed>() || entry.get<Rewound>() ||
         entry.get<Forked>() || entry.get<Restored>() || entry.get<Migrated>();
}

}  // namespace

Json to_json(const Totals& totals) {
  return to_fields(totals);
}

Totals totals_from(const Json& json) {
  return from_fields<Totals>(json);
}

void Tally::add(const Entry& entry) {
  if (last_ && !begins_work(entry)) totals_.worked += entry.time - *last_;
  last_ = entry.time;
  if (entry.get<Prompt>()) asked_.insert(entry.path);
  if (const auto* reply = entry.get<Reply>()) {
    totals_.attempts += reply->event != "away";
    totals_.usage += reply->usage;
  }
  if (const auto* step = entry.get<Macrostep>()) {
    if (const auto* outcome = step->outcome()) totals_.calls += is_open_call(outcome->path);
    for (const auto& effect : step->effects) {
      const std::string& path = chart::path_of(effect);
      if (std::holds_alternative<chart::Cancel>(effect)) {
        totals_.calls += is_open_call(path) && asked_.contains(path);
      } else if (std::holds_alternative<chart::NamedCall>(effect)) {
        asked_.erase(path);
      }
    }
  }
  pending_.add(entry);
}

bool Tally::is_open_call(const std::string& path) const {
  return pending_.open().contains(path) &&
         std::holds_alternative<chart::NamedCall>(*pending_.find(path));
}

Totals totals_of(const std::vector<Entry>& entries, const journal::RunRecord& run, Time now) {
  Tally tally;
  for (const auto& entry : entries) tally.add(entry);
  Totals totals = tally.totals();
  if (run.status == "running" && !entries.empty()) {
    totals.worked += std::max(Millis(0), now - entries.back().time);
  }
  return totals;
}

}  // namespace agneto::record
