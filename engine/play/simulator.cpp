#include "play/simulator.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "chart/path.h"
#include "model/outcomes.h"
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
    : machine_(system, evaluator, options.run, {options.shallow}),
      listener_(std::move(listener)),
      max_macrosteps_(options.max_macrosteps) {}

void Simulator::start(const Json& inputs) {
  machine_.start(inputs);
  report(0, std::nullopt, true, machine_.effects());
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
      doubt_ = to_words(objection_to_error(input.event, machine_.system()));
    }
    step({chart::Event::Kind::external, input.event, input.data, {}}, number);
  }
  drain(number);
}

const chart::Effect& Simulator::activity(const std::string& from) const {
  if (machine_.finish()) throw Error("the machine has ended");
  std::vector<const chart::Effect*> whole, inner;
  std::vector<std::string> all;
  for (const chart::Effect* effect : machine_.running()) {
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
    doubt_ = to_words(objection_to(ended, input.event, data, machine_.system()));
  } catch (const Error& error) {
    return report(number, input.event, false, {}, error.what());
  }
  step({chart::Event::Kind::outcome, input.event, input.data, path}, number);
}

void Simulator::abort(int number) {
  std::vector<chart::Effects::Problem> problems;
  if (!abort_deadline_) {
    abort_deadline_ = machine_.now() + abort_patience;
    machine_.step({chart::Event::Kind::external, "abort", {}, {}});
    const chart::Effects& done = machine_.effects();
    if (done.handled || machine_.finish()) return report(number, "abort", done.handled, done);
    problems = done.problems;
  }
  machine_.force_abort("aborted by a person");
  chart::Effects done = machine_.effects();
  done.problems.insert(done.problems.begin(), problems.begin(), problems.end());
  report(number, "abort", false, std::move(done));
}

void Simulator::advance(Millis duration, int number) {
  const Millis target = machine_.now() + duration;
  const std::vector<Timer>& timers = machine_.timers();
  bool fired = false;
  while (!machine_.finish() && !machine_.instance().pending()) {
    const bool gives_up = abort_deadline_ && *abort_deadline_ <= target &&
                          (timers.empty() || *abort_deadline_ <= timers.front().due);
    if (!gives_up && (timers.empty() || timers.front().due > target)) break;
    const Millis due = gives_up ? *abort_deadline_ : timers.front().due;
    if (due > machine_.now()) steps_ = 0;
    machine_.advance_to(due);
    fired = true;
    if (exhausted(number)) break;
    if (gives_up) {
      abort(number);
    } else {
      step({chart::Event::Kind::timer, {}, {}, timers.front().path}, number);
    }
    drain(number);
  }
  machine_.advance_to(target);
  if (!fired) report(number, std::nullopt, false, {});
}

void Simulator::step(const chart::Event& event, int number) {
  ++steps_;
  machine_.step(event);
  const chart::Effects& done = machine_.effects();
  report(number, done.event, done.handled, done);
}

void Simulator::drain(int number) {
  for (;;) {
    const bool pending = machine_.instance().pending();
    const std::string path = pending ? "" : opening_or_joining();
    if ((!pending && path.empty()) || exhausted(number)) return;
    if (pending) {
      step({chart::Event::Kind::queued, {}, {}, {}}, number);
    } else {
      step({chart::Event::Kind::outcome, "ok", {}, path}, number);
    }
  }
}

// Where there is no git, worktrees open and join by themselves.
std::string Simulator::opening_or_joining() const {
  for (const chart::Effect* effect : machine_.running()) {
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
    chart::Effects done;
    done.problems.push_back(
        {"", "error.livelock",
         "the machine does not come to rest: " + std::to_string(max_macrosteps_) +
             " events followed at one moment"});
    report(number, std::nullopt, false, std::move(done));
  }
  return true;
}

// Tells what was done, and how everything stands now.
void Simulator::report(int number, std::optional<std::string> event, bool handled,
                       chart::Effects done, std::string refused) {
  const chart::Instance& instance = machine_.instance();
  Macrostep step;
  step.input = number;
  step.event = std::move(event);
  step.origin = std::move(done.origin);
  step.item = done.item;
  step.handled = handled;
  step.refused = std::move(refused);
  step.doubt = std::exchange(doubt_, {});
  step.time = machine_.now();
  step.effects = std::move(done.effects);
  step.transitions = std::move(done.transitions);
  step.moved = std::move(done.moved);
  step.problems = std::move(done.problems);
  step.active = instance.configuration();
  step.context = instance.data("").at("ctx");
  step.machines = Json::object();
  for (const chart::ActiveState& state : step.active) {
    if (state.instance.empty() || step.machines.contains(state.instance)) continue;
    const Json data = instance.data(state.instance);
    if (!data.is_null()) step.machines[state.instance] = data.at("ctx");
  }
  step.finish = machine_.finish();
  listener_(step);
}

}  // namespace agneto::play
