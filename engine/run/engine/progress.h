// How far a run is: its machines, what it remembers besides, and its record in the journal.
#pragma once

#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "chart/step.h"
#include "journal/journal.h"
#include "run/engine/reporter.h"
#include "run/state.h"

namespace agneto::run {

// Steps the machines in memory, and records each step with the state after it. Nothing may follow
// from a step that is not recorded. On the engine's thread only; throws Error where the journal
// cannot be written.
class Progress {
 public:
  Progress(const model::System& system, journal::Writer& journal, Reporter& reporter,
           journal::RunRecord run, chart::Instance instance, RunState state);

  // The first step of a new run, in memory.
  chart::Effects start(const Json& inputs);
  // Records the run with its sources, what people are to know of its start, and that step.
  void create(const Json& inputs, const std::map<std::string, std::string>& sources,
              const chart::Effects& started, const std::vector<std::string>& notes = {});

  // Records the first step of a run that was queued, and so is recorded already.
  void begin(const Json& inputs, const chart::Effects& started);

  // In memory: what follows when the event happens; when the run is ended by force.
  chart::Effects step(const chart::Event& event);
  chart::Effects force_abort(const std::string& reason);
  // From now on a stop ends the machines' code, and `step` throws Stopped; until `put_back` nothing
  // here can be used then.
  void heed(std::stop_token stop) { instance_.heed(std::move(stop)); }
  // All is again as it was recorded last, with this state.
  void put_back(const Json& saved);
  // Remembers what the step orders and cancels; returns what was outstanding of the latter.
  std::vector<chart::Effect> note(const chart::Effects& out);
  // What says of the step, to be recorded; of now. `event` is null for a forced end.
  record::Entry step_entry(const chart::Event* event, const chart::Effects& out);
  // Records the entries with the state as it is now.
  void record(std::vector<record::Entry> entries);
  // The run's record says so from the next append on. `wake`: of a parked run, when it goes on.
  void set_status(std::string status, std::string outcome, std::optional<Time> wake = {});
  // The message leaves the inbox with the next record, which names it.
  void handle(journal::MessageId message) { handled_.push_back(message); }

  // The activity that was ordered and has not ended; null: there is none.
  const chart::Effect* outstanding(const std::string& path) const;
  void forget(const std::string& path);

  const chart::Instance& instance() const { return instance_; }
  const journal::RunRecord& run() const { return run_; }
  // The parts of an engine keep theirs up to date; it is recorded with the next step.
  RunState& state() { return state_; }

 private:
  Json saved() const;
  void count_questions();

  const model::System& system_;
  journal::Writer& journal_;
  Reporter& reporter_;
  journal::RunRecord run_;
  chart::Instance instance_;
  RunState state_;
  bool run_changed_ = false;
  std::vector<journal::MessageId> handled_;
};

}  // namespace agneto::run
