#include "play/simulator.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "chart/path.h"
#include "model/errors.h"
#include "play/activity_end.h"

namespace agneto::play {

namespace {

// As a real run's.
constexpr Millis abort_patience{10'000};

std::string to_words(const std::optional<chart::Refusal>& objection) {
  if (!objection) return {};
  return objection->problem + (objection->help.empty() ? "" : "; " + objection->help);
}

}  // namespace

Simulator::Simulator(const model::System& system, chart::Evaluator& evaluator,
                     const Options& options, Listener listener)
    : chart_(system, evaluator, {options.shallow}),
      instance_(chart_, options.run),
      listener_(std::move(listener)),
      max_macrosteps_(options.max_macrosteps) {}

void Simulator::start(const Json& inputs) {
  chart::start(instance_, inputs, out_);
  note(out_);
  report(0, std::nullopt, true);
  drain(0);
}

void Simulator::input(const Input& input, int number) {
  steps_ = 0;
  if (input.advance) return advance(*input.advance, number);
  if (!input.from.empty()) {
    deliver(input, number);
  } else if (input.event == "abort") {
    abort(number);
  } else {
    if (model::is_error(input.event)) {
      doubt_ = to_words(objection_to_error(input.event, system()));
    }
    step({chart::Event::Kind::external, input.event, input.data, {}}, number);
  }
  drain(number);
}

const chart::Effect& Simulator::activity(const std::string& from) const {
  if (finish_) throw Error("the machine has ended");
  std::vector<const chart::Effect*> whole, inner;
  std::vector<std::string> all;
  for (const chart::Effect* effect : running()) {
    const std::string& path = chart::path_of(*effect);
    const chart::Fit how = chart::fit(from, path);
    if (how != chart::Fit::none) (how == chart::Fit::whole ? whole : inner).push_back(effect);
    all.push_back(path);
  }
  const auto& fitting = whole.empty() ? inner : whole;
  if (fitting.size() > 1) {
    std::vector<std::string> paths;
    for (const chart::Effect* effect : fitting) paths.push_back(chart::path_of(*effect));
    throw Error("'" + from + "' may be any of " + join(paths, ", "));
  }
  if (fitting.empty()) {
    throw Error("no activity runs at '" + from +
                "'; running: " + (all.empty() ? "none" : join(all, ", ")));
  }
  return *fitting.front();
}

void Simulator::deliver(const Input& input, int number) {
  std::string path;
  try {
    const chart::Effect& ended = activity(input.from);
    path = chart::path_of(ended);
    Json data = input.data;
    doubt_ = to_words(objection_to(ended, input.event, data, system()));
  } catch (const Error& error) {
    out_.clear();
    return report(number, input.event, false, error.what());
  }
  ordered_.erase(path);
  step({chart::Event::Kind::outcome, input.event, input.data, path}, number);
}

void Simulator::abort(int number) {
  chart::Effects untaken;
  if (!abort_deadline_) {
    abort_deadline_ = now_ + abort_patience;
    chart::step(instance_, {chart::Event::Kind::external, "abort", {}, {}}, out_);
    note(out_);
    if (out_.handled || finish_) return report(number, "abort", out_.handled);
    std::swap(untaken, out_);
  }
  chart::force_abort(instance_, "aborted by a person", out_);
  note(out_);
  out_.problems.insert(out_.problems.begin(), untaken.problems.begin(), untaken.problems.end());
  report(number, "abort", false);
}

void Simulator::advance(Millis duration, int number) {
  const Millis target = now_ + duration;
  bool fired = false;
  while (!finish_ && !instance_.pending()) {
    const bool gives_up = abort_deadline_ && *abort_deadline_ <= target &&
                          (timers_.empty() || *abort_deadline_ <= timers_.front().due);
    if (!gives_up && (timers_.empty() || timers_.front().due > target)) break;
    const Millis due = gives_up ? *abort_deadline_ : timers_.front().due;
    if (due > now_) steps_ = 0;
    now_ = std::max(now_, due);
    fired = true;
    if (exhausted(number)) break;
    if (gives_up) {
      abort(number);
    } else {
      const std::string path = timers_.front().path;
      timers_.erase(timers_.begin());
      step({chart::Event::Kind::timer, {}, {}, path}, number);
    }
    drain(number);
  }
  now_ = target;
  if (fired) return;
  out_.clear();
  report(number, std::nullopt, false);
}

void Simulator::step(const chart::Event& event, int number) {
  ++steps_;
  chart::step(instance_, event, out_);
  note(out_);
  report(number, out_.event, out_.handled);
}

void Simulator::drain(int number) {
  for (;;) {
    const std::string path = instance_.pending() ? "" : opening_or_joining();
    if (!instance_.pending() && path.empty()) return;
    if (exhausted(number)) return;
    if (path.empty()) {
      step({chart::Event::Kind::queued, {}, {}, {}}, number);
    } else {
      ordered_.erase(path);
      step({chart::Event::Kind::outcome, "ok", {}, path}, number);
    }
  }
}

// Where there is no git, worktrees open and join by themselves.
std::string Simulator::opening_or_joining() const {
  for (const chart::Effect* effect : running()) {
    const bool own = std::holds_alternative<chart::OpenWorkspace>(*effect) ||
                     std::holds_alternative<chart::JoinWorkspaces>(*effect);
    if (own) return chart::path_of(*effect);
  }
  return {};
}

bool Simulator::exhausted(int number) {
  if (steps_ < max_macrosteps_) return false;
  if (steps_ == max_macrosteps_) {
    ++steps_;  // said once
    out_.clear();
    out_.problems.push_back(
        {"", "error.livelock",
         "the machine does not come to rest: " + std::to_string(max_macrosteps_) +
             " events followed at one moment"});
    report(number, std::nullopt, false);
  }
  return true;
}

void Simulator::note(const chart::Effects& out) {
  for (const chart::Effect& effect : out.effects) {
    const std::string& path = chart::path_of(effect);
    if (const auto* timer = std::get_if<chart::StartTimer>(&effect)) {
      const Timer added{path, now_ + timer->delay};
      const auto later = [](const Timer& a, const Timer& b) { return a.due < b.due; };
      timers_.insert(std::upper_bound(timers_.begin(), timers_.end(), added, later), added);
    } else if (std::holds_alternative<chart::Cancel>(effect)) {
      ordered_.erase(path);
      std::erase_if(timers_, [&](const Timer& t) { return t.path == path; });
    } else if (const auto* finish = std::get_if<chart::Finish>(&effect)) {
      finish_ = *finish;
    } else if (!std::holds_alternative<chart::Suspend>(effect)) {
      ordered_.insert_or_assign(path, effect);
    }
  }
}

std::vector<const chart::Effect*> Simulator::running() const {
  std::vector<const chart::Effect*> effects;
  for (const std::string& path : instance_.outstanding()) {
    if (chart::is_timer(path)) continue;
    if (const auto at = ordered_.find(path); at != ordered_.end()) effects.push_back(&at->second);
  }
  return effects;
}

// Adds what the last step did and how everything stands now.
void Simulator::report(int number, std::optional<std::string> event, bool handled,
                       std::string refused) {
  Macrostep step;
  step.input = number;
  step.event = std::move(event);
  step.handled = handled;
  step.refused = std::move(refused);
  step.doubt = std::exchange(doubt_, {});
  step.time = now_;
  step.effects = out_.effects;
  step.transitions = out_.transitions;
  step.moved = out_.moved;
  step.problems = out_.problems;
  step.active = instance_.configuration();
  step.context = instance_.data("").at("ctx");
  step.machines = Json::object();
  for (const chart::ActiveState& state : step.active) {
    if (state.instance.empty() || step.machines.contains(state.instance)) continue;
    const Json data = instance_.data(state.instance);
    if (!data.is_null()) step.machines[state.instance] = data.at("ctx");
  }
  step.finish = finish_;
  listener_(step);
}

}  // namespace agneto::play
