#include "play/played_machine.h"

#include <algorithm>

#include "chart/path.h"

namespace agneto::play {

PlayedMachine::PlayedMachine(const model::System& system, chart::Evaluator& evaluator,
                             const chart::RunInfo& run, chart::Chart::Options options)
    : chart_(system, evaluator, options), instance_(chart_, run) {}

void PlayedMachine::start(const Json& inputs) {
  chart::start(instance_, inputs, effects_);
  note();
}

void PlayedMachine::step(const chart::Event& event) {
  if (event.kind == chart::Event::Kind::timer) {
    const auto timer = std::find_if(timers_.begin(), timers_.end(),
                                    [&](const Timer& t) { return t.path == event.path; });
    if (timer != timers_.end()) {
      advance_to(timer->due);
      timers_.erase(timer);
    }
  }
  chart::step(instance_, event, effects_);
  note();
}

void PlayedMachine::force_abort(const std::string& reason) {
  chart::force_abort(instance_, reason, effects_);
  note();
}

void PlayedMachine::advance_to(Millis time) {
  now_ = std::max(now_, time);
}

void PlayedMachine::go_on_as(const std::string& run) {
  Json saved = instance_.save();
  saved.at("run").at("id") = run;
  instance_ = chart::Instance::restore(chart_, saved);
}

const chart::Effect* PlayedMachine::ordered(const std::string& path) const {
  const auto found = ordered_.find(path);
  return found == ordered_.end() ? nullptr : &found->second;
}

std::vector<const chart::Effect*> PlayedMachine::running() const {
  std::vector<const chart::Effect*> activities;
  for (const std::string& path : instance_.outstanding()) {
    if (chart::is_timer(path)) continue;
    if (const chart::Effect* activity = ordered(path)) activities.push_back(activity);
  }
  return activities;
}

void PlayedMachine::note() {
  for (const chart::Effect& effect : effects_.effects) {
    const std::string& path = chart::path_of(effect);
    if (std::holds_alternative<chart::Cancel>(effect)) {
      ordered_.erase(path);
      std::erase_if(timers_, [&](const Timer& t) { return t.path == path; });
      continue;
    }
    if (const auto* timer = std::get_if<chart::StartTimer>(&effect)) {
      const Timer added{path, now_ + timer->delay};
      const auto later = [](const Timer& a, const Timer& b) { return a.due < b.due; };
      timers_.insert(std::upper_bound(timers_.begin(), timers_.end(), added, later), added);
    } else if (const auto* finish = std::get_if<chart::Finish>(&effect)) {
      finish_ = *finish;
    }
    ordered_.insert_or_assign(path, effect);
  }
}

}  // namespace agneto::play
