#include "cli/run_log.h"

namespace agneto::cli {
namespace {

struct Told {
  log::Level level;
  const char* message;
  // Members of the event's data. Those that hold what an agent or a person says are not among them.
  std::vector<std::string> fields = {};
};

const std::map<std::string, Told, std::less<>> told = {
    {"run.started", {log::Level::info, "run started", {"workflow", "branch", "base", "provider"}}},
    {"run.resumed", {log::Level::info, "run resumed"}},
    {"run.paused", {log::Level::info, "run paused"}},
    {"run.suspended", {log::Level::info, "run suspended", {"reason"}}},
    {"run.finished",
     {log::Level::info,
      "run ended",
      {"status", "outcome", "calls", "cost", "input_tokens", "output_tokens", "ms"}}},
    {"state.entered", {log::Level::debug, "state entered"}},
    {"state.exited", {log::Level::debug, "state left"}},
    {"transition", {log::Level::debug, "transition", {"event", "from", "to"}}},
    {"agent.started",
     {log::Level::info, "agent called", {"agent", "provider", "model", "attempt"}}},
    {"agent.retry", {log::Level::warning, "agent called again"}},
    {"agent.finished",
     {log::Level::info,
      "agent ended",
      {"agent", "verdict", "calls", "cost", "input_tokens", "output_tokens"}}},
    {"question.asked", {log::Level::info, "question asked"}},
    {"question.answered", {log::Level::info, "question answered", {"by", "name"}}},
    {"command.started", {log::Level::info, "program called"}},
    {"command.finished", {log::Level::info, "program ended", {"event", "message"}}},
    {"workspace.committed", {log::Level::info, "work committed", {"commit"}}},
    {"workspace.merged", {log::Level::info, "work merged", {"commit", "into"}}},
    {"workspace.joined", {log::Level::info, "work joined", {"items", "conflicts"}}},
    {"workspace.discarded", {log::Level::info, "work discarded", {"commit"}}},
    {"workspace.refused", {log::Level::warning, "git operation refused", {"message"}}},
    {"workspace.undone", {log::Level::warning, "what an agent wrote was undone", {"agent"}}},
    {"problem", {log::Level::warning, "problem", {"event", "message"}}},
};

}  // namespace

void RunLog::event(const record::RunEvent& event) {
  const std::string_view kind = event.kind();
  if (const auto found = told.find(kind); found != told.end()) {
    const Json data = record::body_json(event.body);
    const log::Scope scope(event.run, event.path);
    log::Fields fields;
    for (const auto& name : found->second.fields) {
      const auto value = data.find(name);
      if (value != data.end() && *value != "") fields.emplace_back(name, *value);
    }
    // The message of an outcome that no transition takes quotes what an agent said.
    if (data.value("event", "") == "error.unhandled") fields.resize(1);
    if (kind == "agent.started" || kind == "command.started") {
      started_.emplace(event.path, event.time);
    } else if (const auto began = started_.find(event.path);
               began != started_.end() && kind.ends_with(".finished")) {
      fields.emplace_back("ms", (event.time - began->second).count());
      started_.erase(began);
    }
    log::write(found->second.level, found->second.message, fields);
  }
  next_.event(event);
}

}  // namespace agneto::cli
