#include "run/engine.h"

#include <algorithm>
#include <set>

#include "chart/called.h"
#include "run/record.h"

namespace agneto::run {

namespace {

template <typename T>
void remove(std::vector<T>& values, const T& value) {
  std::erase(values, value);
}

}  // namespace

Engine::Engine(Setup setup, journal::RunRecord line, chart::Instance instance, RunState state)
    : setup_(setup),
      line_(std::move(line)),
      instance_(std::move(instance)),
      state_(std::move(state)),
      workspaces_(setup.system, setup.workspace),
      time_(setup_.clock, line_.updated),
      last_time_(line_.updated) {
  // A stretch of work that was cut off is over with its last entry.
  state_.totals.stop(line_.updated);
  state_.totals.since = now();
  const auto& machines = setup_.system.machines;
  meters_machines_ = std::any_of(machines.begin() + 1, machines.end(),
                                 [](const auto& machine) { return machine.limits.any(); });
  note_instances();
}

Engine::~Engine() {
  stop_workers();
}

Time Engine::now() {
  return last_time_ = time_.now();
}

void Engine::begin(const Json& inputs, const std::map<std::string, std::string>& sources) {
  chart::Effects out;
  chart::start(instance_, inputs, out);
  note_effects(out);
  std::vector<journal::Entry> entries;
  entries.push_back(entry("", record::Started{line_.workflow, inputs}));
  entries.push_back(entry("", record::macrostep_of(nullptr, out, setup_.system)));
  setup_.journal.create(line_, sources, std::move(entries), saved());
  publish("run.started", "",
          {{"workflow", line_.workflow},
           {"task", line_.task},
           {"base", line_.base},
           {"branch", line_.branch},
           {"worktree", setup_.workspace.path().string()},
           {"provider", line_.options.value("provider", "")}});
  follow(out);
}

void Engine::resume() {
  if (instance_.finished()) {
    throw Error("run " + line_.id + " has ended: " + line_.status,
                "start a new one with 'agneto run'");
  }
  restore_tree();
  for (const auto& [path, effect] : state_.outstanding) ready_.push_back(path);
  for (auto& [id, timer] : state_.timers) {
    if (line_.status == "suspended" && timer.pausable) timer.due = now() + timer.left;
  }
  line_.status = "running";
  line_.outcome.clear();
  drop_old_suspends();
  record({entry("", record::Resumed{notes_})}, true);
  publish("run.resumed", "",
          {{"workflow", line_.workflow},
           {"task", line_.task},
           {"branch", line_.branch},
           {"worktree", setup_.workspace.path().string()}});
  for (const auto& note : notes_) publish("note", "", {{"text", note}});
  finish_joins();
}

journal::Entry Engine::entry(std::string path, record::Body body) const {
  return record::encode({0, last_time_, std::move(path), std::move(body)});
}

// What the world knows an effect by. After a rewind the same path is another effect: what the first
// one left in the world is not its result.
std::string Engine::effect_id(const std::string& path) const {
  const int rewinds = line_.options.value("rewinds", 0);
  return line_.id + "/" + path + (rewinds > 0 ? "~" + std::to_string(rewinds) : "");
}

Json Engine::saved() const {
  Json saved = Json::object();
  saved["instance"] = instance_.save();
  saved["run"] = state_.to_json(setup_.system);
  return saved;
}

// What a message from elsewhere led to says which message it was.
void Engine::record(std::vector<journal::Entry> entries, bool line_changed) {
  if (!handled_.empty()) entries.front().body["message"] = handled_.back();
  setup_.journal.append(line_.id, std::move(entries), saved(), line_changed ? &line_ : nullptr,
                        handled_);
  handled_.clear();
}

void Engine::forget(const std::string& path) {
  state_.outstanding.erase(path);
  state_.call_numbers.erase(path);
  state_.counted.erase(path);
}

void Engine::deliver(chart::Event event, std::vector<journal::Entry> with) {
  now();
  chart::Effects out;
  chart::step(instance_, event, out);
  commit(&event, out, std::move(with));
}

void Engine::take_queued() {
  chart::Event next;
  next.kind = chart::Event::Kind::queued;
  deliver(std::move(next));
}

void Engine::commit(const chart::Event* event, const chart::Effects& out,
                    std::vector<journal::Entry> entries) {
  note_effects(out);
  const bool addressed = event && event->kind != chart::Event::Kind::external;
  entries.push_back(
      entry(addressed ? event->path : "", record::macrostep_of(event, out, setup_.system)));
  bool ended = instance_.finished();
  if (ended) state_.totals.stop(now());
  record(std::move(entries), ended);
  follow(out);
}

// The part of the effects that is state: it is recorded together with the step.
void Engine::note_effects(const chart::Effects& out) {
  note_instances();
  for (const auto& effect : out.effects) {
    const std::string& path = chart::path_of(effect);
    if (const auto* timer = std::get_if<chart::StartTimer>(&effect)) {
      state_.timers[path] = {now() + timer->delay, timer->pausable, Millis(0)};
    } else if (std::holds_alternative<chart::Cancel>(effect)) {
      state_.timers.erase(path);
      forget(path);
    } else if (const auto* end = std::get_if<chart::Finish>(&effect)) {
      line_.status = model::to_text(end->status);
      line_.outcome = end->outcome;
    } else if (!std::holds_alternative<chart::Suspend>(effect)) {
      if (const auto* call = std::get_if<chart::CallAgent>(&effect)) {
        state_.call_numbers[path] = ++state_.nth[agent_of(*call).name];
      }
      state_.outstanding.emplace(path, effect);
    }
  }
}

// What follows from a step that is recorded: tell the observers, order and cancel work.
void Engine::follow(const chart::Effects& out) {
  for (const auto& taken : out.transitions) {
    const auto named = record::transition_of(taken, setup_.system);
    publish("transition", taken.instance,
            {{"event", named.event}, {"from", named.from}, {"to", named.to}, {"line", named.line}});
  }
  for (const auto& move : out.moved) {
    publish(move.entered ? "state.entered" : "state.exited", move.path,
            describe(move, setup_.system));
  }
  for (const auto& problem : out.problems) {
    publish("problem", problem.path, {{"event", problem.event}, {"message", problem.message}});
  }
  std::string suspend_reason;
  for (const auto& effect : out.effects) {
    const std::string& path = chart::path_of(effect);
    if (std::holds_alternative<chart::Cancel>(effect)) {
      remove(ready_, path);
      remove(unanswerable_, path);
      if (std::find(questions_.begin(), questions_.end(), path) != questions_.end()) {
        setup_.human.withdraw(path, "");
        remove(questions_, path);
      }
      if (auto worker = workers_.find(path); worker != workers_.end()) {
        worker->second.cancelled = true;
        worker->second.thread.request_stop();
      }
    } else if (const auto* end = std::get_if<chart::Finish>(&effect)) {
      over_ = true;
      publish("run.finished", "",
              {{"outcome", end->outcome},
               {"status", model::to_text(end->status)},
               {"outputs", end->outputs},
               {"reason", end->reason},
               {"branch", line_.branch},
               {"base", line_.base},
               {"calls", state_.totals.calls},
               {"cost", state_.totals.usage.cost},
               {"input_tokens", state_.totals.usage.input_tokens},
               {"output_tokens", state_.totals.usage.output_tokens},
               {"ms", state_.totals.worked.count()}});
    } else if (const auto* stop = std::get_if<chart::Suspend>(&effect)) {
      suspend_reason = stop->reason;
    } else if (!std::holds_alternative<chart::StartTimer>(effect)) {
      ready_.push_back(path);
    }
  }
  if (!suspend_reason.empty() && !over_) suspend_now(suspend_reason);
}

void Engine::publish(const std::string& kind, const std::string& path, Json data) {
  RunEvent event;
  event.time = now();
  event.run = line_.id;
  event.kind = kind;
  event.path = path;
  event.data = std::move(data);
  setup_.observer.event(event);
}

const model::Agent& Engine::agent_of(const chart::CallAgent& effect) const {
  return chart::agent_of(effect, setup_.system);
}

Json to_json(const RunEvent& event) {
  Json json = event.data.is_object() ? event.data : Json::object();
  json["time"] = format_time(event.time);
  json["run"] = event.run;
  json["type"] = event.kind;
  if (!event.path.empty()) json["path"] = event.path;
  if (event.seq > 0) json["seq"] = event.seq;
  if (event.undone) json["undone"] = true;
  return json;
}

}  // namespace agneto::run
