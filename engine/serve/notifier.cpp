#include "serve/notifier.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/error.h"
#include "base/log.h"
#include "run/secrets.h"
#include "serve/happenings.h"

namespace agneto::serve {

namespace {

constexpr Millis between_change_looks{250};
constexpr std::size_t changes_at_a_time = 100;

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
// How long after each try that came to nothing the next one is made; behind them there is none.
constexpr std::array<Millis, 7> waits = {seconds(10), minutes(1), minutes(5), minutes(15),
                                         hours(1),    hours(3),   hours(6)};

bool wants(const run::Way& way, const Happening& happening, const std::string& workflow) {
  return (way.on.empty() || way.on.contains(happening.occasion)) &&
         (way.workflows.empty() || way.workflows.contains(workflow));
}

}  // namespace

void Notifier::set(std::vector<run::Way> ways, std::string url) {
  const std::lock_guard lock(mutex_);
  settings_ = {std::move(ways), std::move(url)};
}

void Notifier::work(const std::stop_token& stop) {
  bool failed = false;
  do {
    try {
      step(stop);
      failed = false;
    } catch (const std::exception& error) {
      if (!std::exchange(failed, true)) {
        log::error("notifications cannot be looked for", {{"error", error.what()}});
      }
    }
  } while (world_.clock.sleep(between_change_looks, stop));
}

void Notifier::step(const std::stop_token& stop) {
  std::optional<Settings> settings;
  {
    const std::lock_guard lock(mutex_);
    settings = settings_;
  }
  if (!settings) return;
  if (settings->ways.empty()) {
    if (world_.notices.noticed()) world_.notices.forget();
    return;
  }
  look(*settings);
  tell(*settings, stop);
}

void Notifier::look(const Settings& settings) {
  const auto noticed = world_.notices.noticed();
  if (!noticed) {
    world_.notices.notice(world_.journal.newest_change(), {}, world_.clock.now());
    return;
  }
  std::optional<Redactor> redactor;
  for (std::int64_t after = *noticed;;) {
    const auto changes = world_.journal.changes(after, changes_at_a_time);
    if (changes.empty()) return;
    if (!redactor) redactor = run::redactor_for(world_.folder);
    std::vector<journal::Notice> found;
    for (const auto& [number, run] : changes) {
      after = number;
      try {
        for (const Happening& each : happenings(world_.journal, run, *redactor, settings.url)) {
          for (const run::Way& way : settings.ways) {
            if (!wants(way, each, run.workflow)) continue;
            found.push_back({each.key, way.id(), run.id, to_text(each.told)});
          }
        }
      } catch (const std::exception& error) {
        log::error("run cannot be told of", {{"run", run.id}, {"error", error.what()}});
      }
    }
    world_.notices.notice(after, found, world_.clock.now());
    if (changes.size() < changes_at_a_time) return;
  }
}

void Notifier::tell(const Settings& settings, const std::stop_token& stop) {
  for (const journal::Notice& notice : world_.notices.due(world_.clock.now())) {
    if (stop.stop_requested()) return;
    const auto way = std::ranges::find(settings.ways, notice.way, &run::Way::id);
    if (way == settings.ways.end() || !still_so(notice)) {
      world_.notices.settle(notice);
      continue;
    }
    if (const auto held = held_.find(notice.way); held != held_.end()) {
      const Millis left = held->second - world_.clock.elapsed();
      if (left > Millis(0)) {
        world_.notices.put_off(notice, world_.clock.now() + left, notice.tries);
        continue;
      }
      held_.erase(held);
    }
    try {
      world_.courier.bring(*way, Json::parse(notice.body), stop);
      world_.notices.settle(notice);
    } catch (const Error& error) {
      if (stop.stop_requested()) return;
      failed(notice, *way, error);
    }
  }
}

// What was answered, or went on, meanwhile needs nobody any more.
bool Notifier::still_so(const journal::Notice& notice) const {
  const auto run = world_.journal.find(notice.run);
  if (!run) return false;
  try {
    const auto now = happenings(world_.journal, *run, Redactor(), "");
    return std::ranges::find(now, notice.key, &Happening::key) != now.end();
  } catch (const std::exception&) {
    return true;  // people had better be told
  }
}

void Notifier::failed(const journal::Notice& notice, const run::Way& way, const Error& error) {
  const auto tries = static_cast<std::size_t>(notice.tries);
  const log::Fields fields = {{"by", way.name()}, {"what", notice.key}, {"error", error.what()}};
  if (tries >= waits.size()) {
    log::error("notification given up", fields);
    world_.notices.settle(notice);
    return;
  }
  log::warning("notification failed, and is tried again", fields);
  held_[notice.way] = world_.clock.elapsed() + waits.front();
  world_.notices.put_off(notice, world_.clock.now() + waits[tries], notice.tries + 1);
}

}  // namespace agneto::serve
