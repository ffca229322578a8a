// What was done in a run, put together from its entries: each call with its attempts, each question
// with its answer, each program, each operation on the repository.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/machine.h"
#include "record/entry.h"

namespace agneto::record {

// When an activity was ordered, and what became of it.
struct Ordered {
  Seq seq = 0;  // the entry that ordered it
  bool stands = true;
  Time ordered{};
  std::optional<Time> ended = {};           // none: it has not
  std::optional<std::string> outcome = {};  // none: it has not ended; "cancelled" is one, too
  Json data = {};                           // what the outcome carried
};

struct ReplySummary {
  Reply reply;  // with what was used before the provider went away
  Seq seq = 0;
  Time time;
};

struct AttemptSummary {
  Prompt prompt;
  Seq seq = 0;
  bool stands = true;
  Time asked;
  std::optional<ReplySummary> reply = {};  // none: it was cut off
};

struct CallSummary : Ordered {
  chart::NamedCall call;
  std::string agent;
  std::vector<AttemptSummary> attempts = {};
};

struct AnswerSummary {
  Answered answer;
  Time time;
  journal::MessageId message = 0;  // of another process; 0: it was given here
};

struct QuestionSummary : Ordered {
  chart::AskHuman question;
  std::optional<AnswerSummary> answer = {};
};

struct CommandSummary : Ordered {
  chart::RunCommand command;
  std::optional<Time> started = {};
  std::string checkpoint = {};  // of the files before it; may be empty
};

struct OperationSummary : Ordered {
  chart::GitOperation operation;
};

struct StepSummary {
  Macrostep step;  // without its effects, which stand elsewhere
  Seq seq = 0;
  Time time;
  bool stands = true;
};

// All in the order of the record.
struct RunSummary {
  std::vector<CallSummary> calls;
  std::vector<QuestionSummary> questions;
  std::vector<CommandSummary> commands;
  std::vector<OperationSummary> operations;
  std::vector<StepSummary> steps;  // the path taken
};

// {"calls", "questions", "commands", "operations", "steps"}, as `agneto export` writes them;
// docs/export.md says what is in them.
Json to_json(const RunSummary& summary);

// Who is called in a state, by "MACHINE/STATE".
using AgentNames = std::map<std::string, std::string>;
AgentNames agent_names(const model::System& system);
// Where `agents` says nothing, the state stands for the agent.
const std::string& agent_of(const chart::NamedCall& call, const AgentNames& agents);

RunSummary summary_of(const std::vector<Entry>& entries, const AgentNames& agents);

}  // namespace agneto::record
