#include "record/totals.h"

#include "record/fields.h"

namespace agneto::record {
namespace {

// Is it recorded of a run that nobody was at work on until then?
bool begins_work(const Entry& entry) {
  return entry.get<Started>() || entry.get<Resumed>() || entry.get<Rewound>() ||
         entry.get<Forked>() || entry.get<Restored>() || entry.get<Migrated>();
}

}  // namespace

void fields(auto& field, Of<Totals> auto& totals) {
  field("calls", totals.calls);
  field("attempts", totals.attempts);
  usage_fields(field, totals.usage);
  field("worked", totals.worked);
  field.sparse("since", totals.since);
}

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
    ++totals_.attempts;
    totals_.usage += reply->usage;
  }
  const auto* step = entry.get<Macrostep>();
  if (!step) return;
  if (const auto* outcome = step->outcome()) totals_.calls += open_.erase(outcome->path);
  for (const auto& effect : step->effects) {
    if (const auto* call = std::get_if<chart::NamedCall>(&effect)) {
      open_.insert(call->path);
      asked_.erase(call->path);
    } else if (const auto* cancel = std::get_if<chart::Cancel>(&effect)) {
      if (open_.erase(cancel->path) > 0 && asked_.contains(cancel->path)) ++totals_.calls;
    }
  }
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
