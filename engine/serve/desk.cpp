// How runs stand.
#include "serve/desk.h"

#include <algorithm>

#include "base/clock.h"
#include "base/text.h"
#include "record/event_replay.h"
#include "run/labels.h"
#include "run/prepare.h"
#include "run/questions.h"
#include "run/reader.h"
#include "run/secrets.h"
#include "run/told.h"

namespace agneto::serve {

namespace {

constexpr journal::Seq entries_at_a_time = 1000;

}  // namespace

Desk::Desk(World world)
    : world_(std::move(world)),
      home_(run::home_of(world_.folder) / ".agneto"),
      configuration_(run::config_file(run::checkout_of(world_.folder))) {}

Redactor Desk::redactor() const {
  std::error_code none;
  const auto changed = fs::last_write_time(configuration_, none);
  const std::lock_guard lock(mutex_);
  if (!redactor_ || changed != configured_) redactor_ = run::redactor_for(world_.folder);
  configured_ = changed;
  return *redactor_;
}

Json Desk::workers() const {
  Json all = Json::array();
  for (const Worker& each : serve::workers(*world_.journal, world_.folder, world_.resources)) {
    all.push_back(each.to_json());
  }
  return {{"workers", redactor().json(all)}};
}

Lack Desk::lack_of(const journal::RunRecord& run) const {
  Lack lack = serve::lack_of(run, *world_.journal, world_.folder, world_.resources);
  lack.what = redactor().text(lack.what);
  return lack;
}

journal::RunRecord Desk::find(const std::string& run) const {
  auto found = world_.journal->find(run);
  if (!found) throw NotFound("there is no run '" + printable(run) + "'");
  return *found;
}

Json Desk::described(const journal::RunRecord& run) const {
  return described(run, redactor());
}

Json Desk::described(journal::RunRecord run, const Redactor& redactor) const {
  run.options = nullptr;  // nothing of them is told, and they are long
  const journal::RunRecord shown = run::shown(std::move(run), *world_.journal, redactor);
  Json json = run::described(shown);
  // That a run is of its folder goes without saying.
  auto needs = shown.needs;
  std::erase_if(needs, run::is_of_folder);
  if (!needs.empty()) json["needs"] = redactor.json(needs);
  const run::Waiting waiting =
      run::readable([&] { return run::waiting_of(*world_.journal, shown, redactor); });
  if (waiting.for_person) json["waits_for"] = "person";
  if (!waiting.away.empty()) json["away"] = run::described(waiting.away);
  return json;
}

const std::vector<std::string>& Listing::known_statuses() {
  static const std::vector<std::string> all = {"queued",      "running",   "parked",
                                               "interrupted", "suspended", "waiting",
                                               "complete",    "failed",    "aborted"};
  return all;
}

journal::Wanted Listing::of_journal() const {
  journal::Wanted wanted;
  for (const std::string& status : statuses) {
    if (status == "waiting") {
      wanted.asking = true;
    } else {
      wanted.status.push_back(status == "interrupted" ? "running" : status);
    }
  }
  // Who asks for parked ones means those that wait for nobody.
  wanted.resting = !statuses.empty() && !wanted.asking;
  wanted.workflow = workflow;
  wanted.before = before;
  return wanted;
}

Json Desk::described(const run::Queued& queued) const {
  Json json = described(*world_.journal->find(queued.run));
  json["remarks"] = redactor().json(queued.remarks);
  return json;
}

Json Desk::questions_of(const journal::RunRecord& run) const {
  const run::Reader reader(*world_.journal, redactor(), run.id, world_.folder);
  Json questions = Json::array();
  if (journal::has_ended(run)) return questions;
  const auto inbox = reader.inbox();
  for (const auto& question : reader.questions(SystemClock().now())) {
    if (run::answer_waiting(inbox, question.path)) continue;
    Json json = record::to_json(question);
    json["run"] = run.id;
    json["id"] = question.path;
    questions.push_back(std::move(json));
  }
  return questions;
}

Json Desk::list(const Listing& listing) const {
  const std::int64_t change = world_.journal->newest_change();
  const std::size_t limit = std::min(listing.limit, Listing::longest);
  const std::string text = lower(listing.text);
  const Redactor redactor = this->redactor();
  if (!listing.before.empty() && !world_.journal->find(listing.before)) {
    throw Unusable("there is no run '" + printable(listing.before) + "'",
                   "give the id of one as `before`");
  }
  const auto& statuses = listing.statuses;
  journal::Wanted wanted = listing.of_journal();
  wanted.most = text.empty() ? limit + 1 : 0;
  Json runs = Json::array();
  journal::each_run(*world_.journal, wanted, [&](const journal::RunRecord& run) {
    const auto contains = [&](const std::string& where) {
      return lower(where).find(text) != std::string::npos;
    };
    if (!contains(run.id) && !contains(redactor.text(run.task))) return true;
    Json json = described(run, redactor);
    const bool is_wanted =
        std::ranges::find(statuses, json["status"].get<std::string>()) != statuses.end() ||
        (wanted.asking && json.contains("waits_for"));
    if (statuses.empty() || is_wanted) runs.push_back(std::move(json));
    return runs.size() <= limit;
  });
  Json body = {{"change", change}};
  if (runs.size() > limit) {
    runs.erase(runs.end() - 1);
    body["next"] = runs.back()["run"];
  }
  body["runs"] = std::move(runs);
  return body;
}

Json Desk::shown(const journal::RunRecord& run) const {
  const journal::RunRecord shown = run::shown(run, *world_.journal, redactor());
  Json body = described(run);
  body["newest"] = world_.journal->newest(run.id);
  if (auto why = why_queued(*world_.journal, world_.folder, world_.resources, run); !why.empty()) {
    body["why_queued"] = redactor().text(why);
  }
  body["totals"] = record::to_json(totals_of(shown));
  body["limits"] = limits_told(run);
  body["questions"] = questions_of(run);
  body["outstanding"] = Json::array();
  const Json outstanding = record::outstanding_of(world_.journal->state(run.id));
  for (const auto& [path, effect] : outstanding.items()) body["outstanding"].push_back(path);
  return body;
}

// While somebody works on it only its entries say that, all of them.
record::Totals Desk::totals_of(const journal::RunRecord& run) const {
  const Time now = clock_.now();
  if (run.status != "running" && run.status != "interrupted") {
    return run::totals_of(*world_.journal, run, now);
  }
  return counted_.look(run.id, [&](Counted& counted) {
    for (;;) {
      const auto entries = record::decode(
          world_.journal->entries(run.id, counted.seen, counted.seen + entries_at_a_time));
      if (entries.empty()) break;
      for (const auto& entry : entries) counted.tally.add(entry);
      counted.seen = entries.back().seq;
      counted.last = entries.back().time;
    }
    record::Totals totals = counted.tally.totals();
    totals.time.stop(run.status == "running" ? now : counted.last);
    return totals;
  });
}

// Those that it has if it goes on now: the command line's, the configuration's, its workflow's.
model::Limits Desk::limits_of(const journal::RunRecord& run,
                              const record::RunOptions& options) const {
  const run::Reader reader(*world_.journal, redactor(), run.id, world_.folder);
  const auto workflow = run::readable([&] { return reader.workflow(); });
  const auto configured = run::readable([&] {
    const fs::path begun = options.root;
    const fs::path& folder = fs::exists(begun) ? begun : world_.folder;
    return run::current_config(folder, world_.resources).limits;
  });
  const auto limits = options.limits.before(configured);
  return workflow ? limits.before(workflow->system->main().limits) : limits;
}

// Files are read for that, and it is asked for whenever something happens in a run.
Json Desk::limits_told(const journal::RunRecord& run) const {
  const auto options = run::readable([&] { return record::options_of(run); });
  return Json::parse(limits_.answer(run.id + " " + model::to_text(options.limits), [&] {
    const auto limits = run::readable([&] { return limits_of(run, options); });
    Json told = Json::object();
    if (limits.calls > 0) told["calls"] = limits.calls;
    if (limits.cost > 0) told["cost"] = limits.cost;
    if (limits.tokens > 0) told["tokens"] = limits.tokens;
    if (limits.time.count() > 0) told["time"] = limits.time.count();
    return to_text(told);
  }));
}

Json Desk::entries(const journal::RunRecord& run, journal::Seq after, std::size_t limit) const {
  const run::Reader reader(*world_.journal, redactor(), run.id, world_.folder);
  after = std::min(after, journal::last_seq - static_cast<journal::Seq>(limit));
  Json entries = Json::array();
  for (const auto& entry : reader.entries(after, after + static_cast<journal::Seq>(limit))) {
    entries.push_back(run::told::to_json(entry));
  }
  return {{"entries", std::move(entries)}, {"newest", world_.journal->newest(run.id)}};
}

Json Desk::events(const journal::RunRecord& run, journal::Seq after, std::size_t limit) const {
  const run::Reader reader(*world_.journal, redactor(), run.id, world_.folder);
  const journal::RunRecord shown = reader.run();
  const auto workflow = reader.workflow();
  record::EventReplay replay(shown, workflow ? workflow->system.get() : nullptr);
  Json events = Json::array();
  journal::Seq last = after;
  // What comes later depends on what came before, so that is told again, to nobody.
  for (const auto& entry : reader.entries()) {
    if (events.size() >= limit) return {{"events", std::move(events)}, {"next", last}};
    for (const auto& event : replay.next(entry)) {
      if (entry.seq > after) events.push_back(record::to_json(event));
    }
    last = std::max(last, entry.seq);
  }
  if (last > after) {
    for (const auto& event : replay.rest()) events.push_back(record::to_json(event));
  }
  return {{"events", std::move(events)}};
}

}  // namespace agneto::serve
