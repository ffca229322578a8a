#include "serve/scheduler.h"

#include <algorithm>
#include <filesystem>

#include "run/assembly.h"
#include "run/reader.h"

namespace agneto::serve {

namespace {

// What cannot be made is tried again so often, as long as it is not too late, and then rarely.
constexpr int soon_tries = 3;
constexpr Millis soon{20'000};
constexpr Millis rarely{3'600'000};

// The system's has no name of its own.
std::string name_of(const cctz::time_zone& zone, const std::string& said) {
  if (!said.empty()) return said;
  const std::string name = zone.name();
  if (name != "localtime" && !name.starts_with('/')) return name;
  std::error_code none;
  const std::string file = fs::read_symlink("/etc/localtime", none).string();
  const std::string folder = "zoneinfo/";
  const auto at = file.find(folder);
  return at == std::string::npos ? "the system's" : file.substr(at + folder.size());
}

}  // namespace

void Scheduler::set(std::vector<run::Schedule> schedules) {
  schedules_ = std::move(schedules);
  trouble_.clear();
}

std::vector<Scheduler::Due> Scheduler::take_due(journal::Queue& journal, const Clock& clock) {
  std::vector<Due> all;
  for (const run::Schedule& schedule : schedules_) {
    if (in_hand_.contains(schedule.name)) continue;
    const auto last = run::made_last(journal, schedule.name);
    const auto due = run::due_now(schedule, last, clock.now(), folder_);
    if (!due) continue;
    const auto trouble = trouble_.find(schedule.name);
    const bool is_late = trouble != trouble_.end() && trouble->second.due == *due &&
                         clock.elapsed() < trouble->second.not_before;
    if (is_late) continue;
    in_hand_[schedule.name] = *due;
    all.push_back({schedule, *due});
  }
  return all;
}

void Scheduler::made(const std::string& schedule, bool well, const Clock& clock) {
  const auto taken = in_hand_.extract(schedule);
  if (well || taken.empty()) {
    trouble_.erase(schedule);
    return;
  }
  Trouble& trouble = trouble_[schedule];
  if (trouble.due != taken.mapped()) trouble = {.due = taken.mapped()};
  trouble.not_before = clock.elapsed() + (++trouble.tries < soon_tries ? soon : rarely);
}

std::optional<Time> Scheduler::next(Time now) const {
  std::optional<Time> next;
  for (const run::Schedule& schedule : schedules_) {
    const auto its = run::next_run(schedule, now, folder_);
    if (its && (!next || *its < *next)) next = its;
  }
  return next;
}

Json described(const std::vector<run::Schedule>& schedules,
               const std::map<std::string, std::string>& wrong, journal::Journal* journal,
               const std::string& folder, Time now) {
  Json all = Json::array();
  for (const run::Schedule& schedule : schedules) {
    Json json = {{"name", schedule.name},
                 {"workflow", schedule.workflow},
                 {"task", schedule.task.value_or("")},
                 {"cron", schedule.cron},
                 {"timezone", name_of(schedule.zone, schedule.timezone)}};
    const auto last = journal ? run::made_last(*journal, schedule.name) : std::nullopt;
    auto next = run::due_now(schedule, last, now, folder);
    if (!next) next = run::next_run(schedule, now, folder);
    if (next) json["next"] = format_time(*next);
    if (const auto why = wrong.find(schedule.name); why != wrong.end()) json["wrong"] = why->second;
    if (last) {
      const journal::RunRecord made = run::shown(last->run, *journal, Redactor());
      json["last"] = {{"run", made.id}, {"due", format_time(last->due)}, {"status", made.status}};
      const auto waiting =
          run::readable([&] { return run::waiting_of(*journal, made, Redactor()); });
      if (waiting.for_person) json["last"]["waits_for"] = "person";
    }
    all.push_back(std::move(json));
  }
  return all;
}

}  // namespace agneto::serve
