// What was done in a run, put together from its entries: each call with its attempts, each question
// with its answer, each program, each operation on the repository.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/machine.h"
#include "record/entry.h"

namespace agneto::record {

// Lists of JSON objects, as `agneto export` writes them; docs/export.md says what is in them.
struct RunSummary {
  std::vector<Json> calls;
  std::vector<Json> questions;
  std::vector<Json> commands;
  std::vector<Json> operations;
  std::vector<Json> steps;  // the path taken
};

// Who is called in a state, by "MACHINE/STATE".
using AgentNames = std::map<std::string, std::string>;
AgentNames agent_names(const model::System& system);
// Where `agents` says nothing, the state stands for the agent.
const std::string& agent_of(const chart::NamedCall& call, const AgentNames& agents);

RunSummary summary_of(const std::vector<Entry>& entries, const AgentNames& agents);

}  // namespace agneto::record
