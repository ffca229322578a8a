#include "run/engine/progress.h"

#include <algorithm>

#include "chart/effect.h"

namespace agneto::run {

Progress::Progress(const model::System& system, journal::Writer& journal, Reporter& reporter,
                   journal::RunRecord run, chart::Instance instance, RunState state)
    : system_(system),
      journal_(journal),
      reporter_(reporter),
      run_(std::move(run)),
      instance_(std::move(instance)),
      state_(std::move(state)) {}

chart::Effects Progress::start(const Json& inputs) {
  chart::Effects out;
  chart::start(instance_, inputs, out);
  return out;
}

void Progress::create(const Json& inputs, const std::map<std::string, std::string>& sources,
                      const chart::Effects& started, const std::vector<std::string>& notes) {
  std::vector<record::Entry> entries = {
      reporter_.entry("", record::Started{run_.workflow, inputs})};
  for (const auto& note : notes) entries.push_back(reporter_.entry("", record::Noted{note}));
  entries.push_back(step_entry(nullptr, started));
  count_questions();
  journal_.create(run_, sources, record::encode(entries), saved());
}

void Progress::begin(const Json& inputs, const chart::Effects& started) {
  run_changed_ = true;
  record(
      {reporter_.entry("", record::Started{run_.workflow, inputs}), step_entry(nullptr, started)});
}

chart::Effects Progress::step(const chart::Event& event) {
  chart::Effects out;
  chart::step(instance_, event, out);
  return out;
}

chart::Effects Progress::force_abort(const std::string& reason) {
  chart::Effects out;
  chart::force_abort(instance_, reason, out);
  return out;
}

void Progress::put_back(const Json& saved) {
  instance_.put_back(saved.at("instance"));
  state_ = RunState::from_json(saved.at("run"), system_);
  handled_.clear();
}

std::vector<chart::Effect> Progress::note(const chart::Effects& out) {
  std::vector<chart::Effect> cancelled;
  for (const auto& effect : out.effects) {
    const std::string& path = chart::path_of(effect);
    if (const auto* timer = std::get_if<chart::StartTimer>(&effect)) {
      state_.timers[path] = {reporter_.now() + timer->delay, timer->pausable, Millis(0)};
    } else if (std::holds_alternative<chart::Cancel>(effect)) {
      state_.timers.erase(path);
      if (const auto* activity = outstanding(path)) cancelled.push_back(*activity);
      forget(path);
    } else if (const auto* end = std::get_if<chart::Finish>(&effect)) {
      set_status(std::string(model::to_text(end->status)), end->outcome);
    } else if (!std::holds_alternative<chart::Suspend>(effect)) {
      if (const auto* call = std::get_if<chart::CallAgent>(&effect)) {
        state_.call_numbers[path] = ++state_.nth[chart::agent_of(*call, system_).name];
      }
      state_.outstanding.emplace(path, effect);
    }
  }
  return cancelled;
}

record::Entry Progress::step_entry(const chart::Event* event, const chart::Effects& out) {
  const bool addressed = event && event->kind != chart::Event::Kind::external;
  return reporter_.entry(addressed ? event->path : "", record::macrostep_of(event, out, system_));
}

void Progress::record(std::vector<record::Entry> entries) {
  count_questions();
  if (!handled_.empty()) entries.front().message = handled_.back();
  journal_.append(run_.id, record::encode(entries), saved(), run_changed_ ? &run_ : nullptr,
                  handled_);
  handled_.clear();
  run_changed_ = false;
}

// Lists of runs need not look into states for them.
void Progress::count_questions() {
  const auto asks = [](const auto& each) {
    return std::holds_alternative<chart::AskHuman>(each.second);
  };
  const auto open = instance_.finished() ? 0 : std::ranges::count_if(state_.outstanding, asks);
  if (open == run_.questions) return;
  run_.questions = static_cast<int>(open);
  run_changed_ = true;
}

void Progress::set_status(std::string status, std::string outcome, std::optional<Time> wake) {
  run_.status = std::move(status);
  run_.outcome = std::move(outcome);
  run_.wake = wake;
  run_changed_ = true;
}

const chart::Effect* Progress::outstanding(const std::string& path) const {
  const auto found = state_.outstanding.find(path);
  return found == state_.outstanding.end() ? nullptr : &found->second;
}

void Progress::forget(const std::string& path) {
  state_.outstanding.erase(path);
  state_.call_numbers.erase(path);
  state_.absences.erase(path);
}

Json Progress::saved() const {
  Json saved = Json::object();
  saved["instance"] = instance_.save();
  saved["run"] = state_.to_json(system_);
  return saved;
}

}  // namespace agneto::run
