#include "serve/notify/notifier.h"

#include <algorithm>
#include <array>
#include <thread>
#include <utility>

#include "base/error.h"
#include "base/log.h"
#include "run/secrets.h"
#include "serve/lookout.h"
#include "serve/notify/happenings.h"

namespace agneto::serve {

namespace {

constexpr Lookout::Pauses between_change_looks = {Millis(250), Millis(5'000)};
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

// Tells in one way.
struct Line {
  std::atomic<bool> is_done = false;
  std::jthread thread;
};

}  // namespace

void Notifier::set(std::vector<run::Way> ways, std::string url) {
  const std::lock_guard lock(mutex_);
  settings_ = {std::move(ways), std::move(url)};
}

// Says once that something goes wrong, until nothing does any more.
void Notifier::attempt(const std::function<void()>& work) {
  try {
    work();
    is_failing_ = false;
  } catch (const std::exception& error) {
    if (is_failing_.exchange(true)) return;
    log::error("notifications cannot be looked for", {{"error", error.what()}});
  }
}

bool Notifier::has_ways() const {
  const std::lock_guard lock(mutex_);
  return settings_ && !settings_->ways.empty();
}

void Notifier::work(const std::stop_token& stop, const std::function<bool()>& may) {
  std::map<std::string, std::unique_ptr<Line>> lines;  // by their way's id
  JournalLookout lookout(between_change_looks, world_.journal, world_.clock);
  do {
    std::erase_if(lines, [](const auto& line) { return line.second->is_done.load(); });
    attempt([&] {
      for (const run::Way& way : ways_due()) {
        if (lines.contains(way.id()) || held(way.id())) continue;
        auto line = std::make_unique<Line>();
        line->thread = std::jthread([this, way, its = line.get()](const std::stop_token& ended) {
          try {
            tell(way, ended);
          } catch (const std::exception& error) {
            log::error("notification failed", {{"by", way.name()}, {"error", error.what()}});
            hold(way.id());
          }
          its->is_done = true;
        });
        lines.emplace(way.id(), std::move(line));
      }
    });
  } while (lookout.wait(stop) && may());
  for (const auto& [way, line] : lines) line->thread.request_stop();
}

void Notifier::step(const std::stop_token& stop) {
  for (const run::Way& way : ways_due()) tell(way, stop);
}

// Those in which something is to be told by now.
std::vector<run::Way> Notifier::ways_due() {
  std::optional<Settings> settings;
  {
    const std::lock_guard lock(mutex_);
    settings = settings_;
  }
  if (!settings) return {};
  if (settings->ways.empty()) {
    with_notices([](journal::Notices& notices) {
      if (notices.noticed()) notices.forget();
    });
    return {};
  }
  look(*settings);
  return with_notices([&](journal::Notices& notices) {
    std::vector<run::Way> due;
    for (const std::string& id : notices.ways_due(world_.clock.now())) {
      const auto way = std::ranges::find(settings->ways, id, &run::Way::id);
      if (way != settings->ways.end()) {
        due.push_back(*way);
        continue;
      }
      for (const auto& notice : notices.due(id, world_.clock.now())) notices.settle(notice);
    }
    return due;
  });
}

void Notifier::look(const Settings& settings) {
  const auto noticed = with_notices([](journal::Notices& notices) { return notices.noticed(); });
  if (!noticed) {
    const std::int64_t newest = world_.journal.newest_change();
    with_notices(
        [&](journal::Notices& notices) { notices.notice(newest, {}, world_.clock.now()); });
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
    with_notices(
        [&](journal::Notices& notices) { notices.notice(after, found, world_.clock.now()); });
    if (changes.size() < changes_at_a_time) return;
  }
}

// How long nothing more is told in that way, since it has just failed.
// Nothing is told in that way for a moment.
void Notifier::hold(const std::string& way) {
  const std::lock_guard lock(mutex_);
  held_[way] = world_.clock.elapsed() + waits.front();
}

std::optional<Millis> Notifier::held(const std::string& way) {
  const std::lock_guard lock(mutex_);
  const auto held = held_.find(way);
  if (held == held_.end()) return std::nullopt;
  const Millis left = held->second - world_.clock.elapsed();
  if (left > Millis(0)) return left;
  held_.erase(held);
  return std::nullopt;
}

void Notifier::tell(const run::Way& way, const std::stop_token& stop) {
  const auto due = with_notices(
      [&](journal::Notices& notices) { return notices.due(way.id(), world_.clock.now()); });
  const auto settle = [this](const journal::Notice& notice) {
    with_notices([&](journal::Notices& notices) { notices.settle(notice); });
  };
  for (const journal::Notice& notice : due) {
    if (stop.stop_requested()) return;
    if (!still_so(notice)) {
      settle(notice);
      continue;
    }
    if (const auto left = held(notice.way)) {
      with_notices([&](journal::Notices& notices) {
        notices.put_off(notice, world_.clock.now() + *left, notice.tries);
      });
      continue;
    }
    try {
      world_.courier.bring(way, Json::parse(notice.body), stop);
    } catch (const Error& error) {
      if (stop.stop_requested()) return;
      failed(notice, way, error);
      continue;
    }
    settle(notice);
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
    with_notices([&](journal::Notices& notices) { notices.settle(notice); });
    return;
  }
  log::warning("notification failed, and is tried again", fields);
  hold(notice.way);
  with_notices([&](journal::Notices& notices) {
    notices.put_off(notice, world_.clock.now() + waits[tries], notice.tries + 1);
  });
}

}  // namespace agneto::serve
