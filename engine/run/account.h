// What was done in a run, put together from its entries: each call with its attempts, each question
// with its answer, each command, each operation on the repository.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "journal/journal.h"
#include "model/machine.h"

namespace agneto::run {

// Lists of JSON objects, as `agneto export` writes them; docs/export.md says what is in them.
struct Account {
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
Account account_of(const std::vector<journal::Entry>& entries, const AgentNames& agents);

}  // namespace agneto::run
