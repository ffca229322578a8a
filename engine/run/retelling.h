// The event stream of a run as its journal has it, so that whatever shows a live run also shows one
// of last week.
//
// What is shown while it happens and never recorded is missing: what an agent says and which tools
// it uses before its reply, what a command prints before it has ended, pauses, discarded notes.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "journal/journal.h"
#include "model/machine.h"
#include "run/account.h"
#include "run/observer.h"
#include "run/orders.h"

namespace agneto::run {

class Retelling {
 public:
  // `system`: the run's workflow, which outlives this; null: names of agents and stages are not
  // known, and the state stands for the agent.
  Retelling(const journal::RunRecord& line, const model::System* system);

  // What the run's next entry tells. Entries come in order, from the first.
  std::vector<RunEvent> next(const journal::Entry& entry);

 private:
  void prompt(const journal::Entry& entry);
  void macrostep(const journal::Entry& entry);
  void ended(const Json& event);
  void ordered(const Json& effect);
  void moved(const Json& transition);
  void suspended(const Json& body);
  void sent(const Json& body);
  void restored(const Json& body);
  RunEvent& tell(std::string kind, std::string path, Json data = Json::object());
  std::string agent_of(const Json& effect) const;
  std::string stage_of(const std::string& state) const;

  const journal::RunRecord& line_;
  const model::System* system_;
  AgentNames agents_;
  Orders orders_;
  std::map<std::string, std::string> wrong_;  // why a call's last attempt failed, by path
  int calls_ = 0;
  double cost_ = 0;
  std::int64_t input_tokens_ = 0, output_tokens_ = 0;
  Millis worked_{0};
  Time began_{};
  std::vector<RunEvent> told_;  // of this entry
};

}  // namespace agneto::run
