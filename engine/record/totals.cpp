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

bool asked_somebody(const agents::ReplyRecord& reply) {
  return reply.event != "error.spawn" || reply.attempt > 1;
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
  if (entry.get<Prompt>() || entry.get<ProgramCall>() || entry.get<Process>()) {
    if (pending_.open().contains(entry.path)) works(entry.path, entry.time);
  } else if (const auto* reply = entry.get<Reply>()) {
    rests(entry.path, entry.time);
    totals_.attempts += reply->event != "away";
    totals_.usage += reply->usage;
    if (!asked_somebody(*reply)) begun_.erase(entry.path);
  } else if (const auto* macrostep = entry.get<Macrostep>()) {
    step(entry, *macrostep);
  } else if (entry.get<Suspended>()) {
    all_rest(entry.time);
  }
}

void Tally::step(const Entry& entry, const Macrostep& step) {
  const auto ended = [&](const std::string& path) {
    rests(path, entry.time);
    const auto* effect = pending_.open().contains(path) ? pending_.find(path) : nullptr;
    const bool was_begun = begun_.erase(path) > 0;
    if (was_begun && effect && std::holds_alternative<chart::NamedCall>(*effect)) ++totals_.calls;
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

void Tally::works(const std::string& path, Time time) {
  begun_.insert(path);
  at_work_.insert(path);
  totals_.time.start(time);
}

void Tally::rests(const std::string& path, Time time) {
  if (at_work_.erase(path) > 0 && at_work_.empty()) totals_.time.stop(time);
}

void Tally::all_rest(Time time) {
  at_work_.clear();
  totals_.time.stop(time);
}

Totals totals_of(const std::vector<Entry>& entries, const journal::RunRecord& run, Time now) {
  Tally tally;
  for (const auto& entry : entries) tally.add(entry);
  Totals totals = tally.totals();
  if (!entries.empty()) totals.time.stop(run.status == "running" ? now : entries.back().time);
  return totals;
}

}  // namespace agneto::record
