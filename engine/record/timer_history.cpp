#include "record/timer_history.h"

#include <algorithm>

namespace agneto::record {

void TimerHistory::add(const Entry& entry) {
  times_.push_back(entry.time);
  if (const auto* step = entry.get<Macrostep>()) {
    change(*step, entry.time);
  } else if (entry.get<Suspended>() || entry.get<Queued>()) {
    stand_still(entry.time);
  } else if (entry.get<Started>()) {
    suspended_ = false;
  } else if (const auto* rewound = entry.get<Rewound>()) {
    while (!snapshots_.empty() && snapshots_.back().first > rewound->to) snapshots_.pop_back();
    timers_ = snapshots_.empty() ? Timers() : snapshots_.back().second;
    const auto to = static_cast<std::size_t>(rewound->to);
    stand_still(to > 0 && to <= times_.size() ? times_[to - 1] : entry.time);
  } else if (entry.get<Forked>() && times_.size() > 1) {
    stand_still(times_[times_.size() - 2]);
  } else if (entry.get<Restored>()) {
    for (auto& [path, timer] : timers_) timer.due = entry.time + timer.left;
  } else if (entry.get<Resumed>() && suspended_) {
    suspended_ = false;
    for (auto& [path, timer] : timers_) {
      if (timer.pausable) timer.due = entry.time + timer.left;
    }
  } else {
    return;
  }
  snapshots_.emplace_back(static_cast<Seq>(times_.size()), timers_);
}

void TimerHistory::change(const Macrostep& step, Time time) {
  if (step.event && step.event->kind == chart::Event::Kind::timer) timers_.erase(step.event->path);
  for (const auto& effect : step.effects) {
    if (const auto* timer = std::get_if<chart::StartTimer>(&effect)) {
      timers_[timer->path] = {time + timer->delay, timer->pausable, Millis(0)};
    } else if (std::holds_alternative<chart::Cancel>(effect)) {
      timers_.erase(chart::path_of(effect));
    }
  }
}

void TimerHistory::stand_still(Time time) {
  suspended_ = true;
  for (auto& [path, timer] : timers_) timer.left = std::max(Millis(0), timer.due - time);
}

}  // namespace agneto::record
