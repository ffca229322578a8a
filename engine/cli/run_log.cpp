#include "cli/run_log.h"

#include <optional>

#include "base/fields.h"
#include "base/overloaded.h"
#include "chart/path.h"

namespace agneto::cli {
namespace {

using log::Level;

struct Told {
  Level level;
  const char* message;
  log::Fields fields = {};  // nothing that an agent or a person says
};

void add_spent(log::Fields& fields, const record::Spent& spent) {
  fields.emplace_back("calls", spent.calls);
  fields.emplace_back("cost", spent.usage.cost);
  fields.emplace_back("input_tokens", spent.usage.input_tokens);
  fields.emplace_back("output_tokens", spent.usage.output_tokens);
}

Told told_of(const record::AgentFinished& e) {
  Told told{Level::info, "agent ended", {{"agent", e.agent}, {"verdict", e.verdict}}};
  add_spent(told.fields, e.spent);
  return told;
}

Told told_of(const record::RunFinished& e) {
  Told told{Level::info, "run ended", {{"status", to_fields(e.status)}, {"outcome", e.outcome}}};
  add_spent(told.fields, e.spent);
  told.fields.emplace_back("ms", e.worked.count());
  return told;
}

Told told_of(const record::Joined& e) {
  Json conflicts = Json::array();
  for (const auto& [item, branch, files] : e.conflicts) {
    conflicts.push_back({{"item", item}, {"branch", branch}, {"files", files}});
  }
  return {Level::info,
          "work joined",
          {{"items", e.items}, {"conflicts", std::move(conflicts)}, {"unchanged", e.unchanged}}};
}

// The message of an outcome that no transition takes quotes what an agent said.
Told told_of(const record::ProblemMet& e) {
  const bool quotes = e.event == "error.unhandled";
  return {Level::warning, "problem", {{"event", e.event}, {"message", quotes ? "" : e.message}}};
}

// None where the log is not told of events of that kind.
std::optional<Told> told_of(const record::EventBody& body) {
  using Maybe = std::optional<Told>;
  return std::visit(
      Overloaded{
          [](const record::RunStarted& e) -> Maybe {
            return Told{Level::info,
                        "run started",
                        {{"workflow", e.workflow},
                         {"branch", e.branch},
                         {"base", e.base},
                         {"provider", e.provider}}};
          },
          [](const record::RunResumed&) -> Maybe {
            return Told{Level::info, "run resumed"};
          },
          [](const record::RunQueued& e) -> Maybe {
            if (e.by.empty()) return Told{Level::info, "run queued", {{"reason", e.reason}}};
            return Told{Level::info, "run queued", {{"by", e.by}}};
          },
          [](const record::RunParked& e) -> Maybe {
            return Told{Level::info, "run parked", {{"reason", e.reason}}};
          },
          [](const record::RunPaused&) -> Maybe {
            return Told{Level::info, "run paused"};
          },
          [](const record::RunSuspended& e) -> Maybe {
            return Told{Level::info, "run suspended", {{"reason", e.reason}}};
          },
          [](const record::RunFinished& e) -> Maybe { return told_of(e); },
          [](const record::StateEntered&) -> Maybe {
            return Told{Level::debug, "state entered"};
          },
          [](const record::StateExited&) -> Maybe {
            return Told{Level::debug, "state left"};
          },
          [](const record::TransitionTaken& e) -> Maybe {
            return Told{Level::debug,
                        "transition",
                        {{"event", e.event},
                         {"origin", chart::sender_of(e.origin, e.item)},
                         {"from", e.from},
                         {"to", e.to}}};
          },
          [](const record::AgentStarted& e) -> Maybe {
            return Told{Level::info,
                        "agent called",
                        {{"agent", e.agent},
                         {"provider", e.provider},
                         {"model", e.model},
                         {"effort", e.effort},
                         {"attempt", e.attempt}}};
          },
          [](const record::AgentRetry&) -> Maybe {
            return Told{Level::warning, "agent called again"};
          },
          [](const record::AgentFinished& e) -> Maybe { return told_of(e); },
          [](const record::QuestionAsked&) -> Maybe {
            return Told{Level::info, "question asked"};
          },
          [](const record::QuestionAnswered& e) -> Maybe {
            return Told{Level::info, "question answered", {{"by", e.by}, {"name", e.name}}};
          },
          [](const record::CommandStarted&) -> Maybe {
            return Told{Level::info, "program called"};
          },
          [](const record::CommandFinished& e) -> Maybe {
            return Told{Level::info, "program ended", {{"event", e.event}, {"message", e.message}}};
          },
          [](const record::Committed& e) -> Maybe {
            return Told{Level::info, "work committed", {{"commit", e.commit}}};
          },
          [](const record::Merged& e) -> Maybe {
            return Told{
                Level::info, "work merged", {{"commit", e.commit}, {"into", e.into.value_or("")}}};
          },
          [](const record::Joined& e) -> Maybe { return told_of(e); },
          [](const record::Discarded& e) -> Maybe {
            return Told{Level::info, "work discarded", {{"commit", e.commit}}};
          },
          [](const record::GitRefused& e) -> Maybe {
            return Told{Level::warning, "git operation refused", {{"message", e.message}}};
          },
          [](const record::Undone& e) -> Maybe {
            return Told{Level::warning, "what an agent wrote was undone", {{"agent", e.agent}}};
          },
          [](const record::ProblemMet& e) -> Maybe { return told_of(e); },
          [](const record::ProblemCaught& e) -> Maybe {
            return Told{Level::warning, "problem caught", {{"event", e.event}}};
          },
          [](const record::ActivityRefused& e) -> Maybe {
            return Told{Level::warning, "activity cannot begin", {{"event", e.event}}};
          },
          [](const auto&) -> Maybe { return std::nullopt; },
      },
      body);
}

}  // namespace

void RunLog::event(const record::RunEvent& event) {
  if (auto told = told_of(event.body)) {
    const log::Scope scope(event.run, event.path);
    std::erase_if(told->fields, [](const auto& field) { return field.second == ""; });
    if (event.get<record::AgentStarted>() || event.get<record::CommandStarted>()) {
      started_.emplace(event.path, event.time);
    } else if (event.get<record::AgentFinished>() || event.get<record::CommandFinished>()) {
      if (const auto began = started_.find(event.path); began != started_.end()) {
        told->fields.emplace_back("ms", (event.time - began->second).count());
        started_.erase(began);
      }
    }
    log::write(told->level, told->message, told->fields);
  }
  next_.event(event);
}

}  // namespace agneto::cli
