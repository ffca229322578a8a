// The event stream of a run as its journal has it, so that what shows a live run also shows one
// of last week.
//
// What is shown while it happens and never recorded is missing: what a program prints before it has
// ended, pauses, discarded notes.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "journal/journal.h"
#include "model/machine.h"
#include "record/event.h"
#include "record/options.h"
#include "record/run_summary.h"
#include "record/timer_history.h"
#include "record/totals.h"

namespace agneto::record {

class EventReplay {
 public:
  // `system`: the run's workflow; null: names of agents and stages are not known, and the state
  // stands for the agent. Both outlive this.
  EventReplay(const journal::RunRecord& run, const model::System* system);
  EventReplay(journal::RunRecord&& run, const model::System* system) = delete;
  // As far as that one has come; `run`: the same run, and what its next entries are told of.
  EventReplay(const EventReplay& so_far, const journal::RunRecord& run) : EventReplay(so_far) {
    run_ = &run;
  }
  EventReplay(const EventReplay& so_far, journal::RunRecord&& run) = delete;

  // What the run's next entry tells. Entries come in order, from the first.
  std::vector<RunEvent> next(const Entry& entry);
  // What is left to be told once there are no more entries: that the run has finished, with all
  // that it has used.
  std::vector<RunEvent> rest();
  // By the run, up to there.
  Spent spent() const { return {tally_.totals().calls, tally_.totals().usage}; }

 private:
  EventReplay(const EventReplay&) = default;

  void tell_step(const Entry& entry, const Macrostep& step);
  void tell_prompt(const Entry& entry, const Prompt& prompt);
  std::string agent_at(const std::string& path) const;
  void tell_output(const Entry& entry, const std::vector<agents::Output>& output, Millis now);
  void tell_reply(const Entry& entry, const Reply& reply);
  void tell_suspension(const Entry& entry, const Suspended& suspended);
  void tell(const Entry& entry, std::string path, EventBody body);
  Question question(const chart::AskHuman& ask, Time time) const;
  void note(const Entry& entry, std::string text);
  void tell_end(const Entry& entry, const std::string& path, const std::string& outcome,
                const Json& data);
  void tell_stages(const Entry& entry, const std::string& from, const std::vector<std::string>& to);
  std::vector<std::string> initial_states() const;
  std::string stage_of(const std::string& state) const;

  const journal::RunRecord* run_;
  const model::System* system_;
  bool ended_ = false;  // that it has is told; of one that was just ended no step says so
  AgentNames agents_;
  Tally tally_;
  TimerHistory timers_;
  // Why a call's last attempt failed, by path; empty where the next prompt says what was wrong.
  std::map<std::string, std::string> wrong_;
  std::vector<RunEvent> told_;      // of this entry
  std::optional<RunEvent> finish_;  // not told yet
};

}  // namespace agneto::record
