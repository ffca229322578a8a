#include "record/event.h"

#include <algorithm>

#include "base/text.h"
#include "record/json_fields.h"

namespace agneto::record {

void fields(auto& field, Of<RunStarted> auto& e) {
  field("workflow", e.workflow);
  field("task", e.task);
  field("base", e.base);
  field("branch", e.branch);
  field.sparse("worktree", e.worktree);
  field("provider", e.provider);
}

void fields(auto& field, Of<RunResumed> auto& e) {
  field("workflow", e.workflow);
  field("task", e.task);
  field("branch", e.branch);
  field.sparse("worktree", e.worktree);
}

template <typename Moved>
requires Of<Moved, StateEntered> || Of<Moved, StateExited>
void fields(auto& field, Moved& e) {
  field("state", e.state);
  field("stage", e.stage);
}

void fields(auto& field, Of<TransitionTaken> auto& e) {
  transition_fields(field, e);
}

template <typename Met>
requires Of<Met, ProblemMet> || Of<Met, ProblemCaught> || Of<Met, ActivityRefused>
void fields(auto& field, Met& e) {
  field("event", e.event);
  field("message", e.message);
}

void fields(auto& field, Of<AgentStarted> auto& e) {
  field("agent", e.agent);
  field("provider", e.provider);
  field("model", e.model);
  field("attempt", e.attempt);
  field("state", e.state);
  field.sparse("item", e.item);
  field.sparse("effort", e.effort);
}

void fields(auto& field, Of<AgentText> auto& e) {
  field("text", e.text);
}

void fields(auto& field, Of<AgentTool> auto& e) {
  field("tool", e.tool);
}

void fields(auto&, Of<AgentToolEnd> auto&) {}

void fields(auto& field, Of<AgentToolDenied> auto& e) {
  field("tool", e.tool);
}

void fields(auto& field, Of<AgentToolFailed> auto& e) {
  field("tool", e.tool);
}

void fields(auto& field, Of<AgentRetry> auto& e) {
  field("reason", e.reason);
}

void spent_fields(auto& field, Of<Spent> auto& spent) {
  field("calls", spent.calls);
  usage_fields(field, spent.usage);
}

void fields(auto& field, Of<AgentFinished> auto& e) {
  field("agent", e.agent);
  field("verdict", e.verdict);
  field("fields", e.fields);
  spent_fields(field, e.spent);
}

void fields(auto& field, Of<AgentPrompt> auto& e) {
  fields(field, e.prompt);
}

void fields(auto& field, Of<AgentReply> auto& e) {
  fields(field, e.reply);
}

void fields(auto& field, Of<QuestionAsked> auto& e) {
  field.newer("path", e.question.path);
  fields(field, e.question);
  spent_fields(field, e.spent);
}

void fields(auto& field, Of<QuestionAnswered> auto& e) {
  given_answer_fields(field, e);
}

void fields(auto& field, Of<CommandStarted> auto& e) {
  field("argv", e.argv);
  field.sparse("item", e.item);
  field.sparse("cwd", e.cwd);
}

void fields(auto& field, Of<CommandOutput> auto& e) {
  field("line", e.line);
}

void fields(auto& field, Of<CommandFinished> auto& e) {
  field("event", e.event);
  field("message", e.message);
  field.sparse("output", e.output);
}

template <typename Result>
requires std::derived_from<Result, GitResult>
void fields(auto& field, Result& e) {
  field.newer("commit", e.commit);
  field.newer("message", e.message);
  field.newer("files", e.files);
  field.sparse("subject", e.subject);
  field.sparse("into", e.into);
}

void fields(auto& field, Of<Joined::Conflict> auto& conflict) {
  field("item", conflict.item);
  field("branch", conflict.branch);
  field("files", conflict.files);
}

void fields(auto& field, Of<Joined> auto& e) {
  field("items", e.items);
  field("conflicts", e.conflicts);
  field.newer("unchanged", e.unchanged);
}

void fields(auto& field, Of<Undone> auto& e) {
  field("agent", e.agent);
}

void fields(auto& field, Of<Note> auto& e) {
  field("text", e.text);
  field.sparse("fault", e.fault);
}

void fields(auto&, Of<RunPaused> auto&) {}

void fields(auto& field, Of<RunQueued> auto& e) {
  field("task", e.task);
  field("by", e.by);
  field.sparse("reason", e.reason);
}

void fields(auto& field, Of<RunParked> auto& e) {
  field("reason", e.reason);
}

void fields(auto& field, Of<RunFinished> auto& e) {
  field("outcome", e.outcome);
  field("status", e.status);
  field("outputs", e.outputs);
  field("reason", e.reason);
  field("branch", e.branch);
  field("base", e.base);
  spent_fields(field, e.spent);
  field("ms", e.worked);
}

// The question's fields stand beside the others; they are there where its `path` is.
void fields(FieldWriter& field, const RunSuspended& e) {
  field("reason", e.reason);
  if (e.question) {
    field("path", e.question->path);
    fields(field, *e.question);
  }
  field.sparse("others", e.others);
  spent_fields(field, e.spent);
}

void fields(FieldReader& field, RunSuspended& e) {
  field("reason", e.reason);
  std::string path;
  field.sparse("path", path);
  if (!path.empty()) {
    e.question.emplace().path = path;
    fields(field, *e.question);
  }
  field.sparse("others", e.others);
  spent_fields(field, e.spent);
}

CommandFinished command_finished(const std::string& event, const Json& data) {
  constexpr std::size_t most_lines = 5, most_bytes = 1000;
  const auto text = [&](const char* name) {
    const Json& value = member(data, name);
    return value.is_string() ? value.get<std::string>() : std::string();
  };
  CommandFinished finished{event, text("message")};
  if (event == "ok") return finished;
  const std::string output = text("output");
  for (const auto line : split_lines(output)) {
    if (!trim(line).empty()) finished.output.push_back(shortened(line, most_bytes));
  }
  const std::size_t more = finished.output.size() - std::min(most_lines, finished.output.size());
  finished.output.erase(finished.output.begin(),
                        finished.output.begin() + static_cast<std::ptrdiff_t>(more));
  return finished;
}

EventBody move_event(const chart::Effects::Moved& moved, const model::System& system) {
  const auto& state = system.machine(moved.machine).state(moved.state);
  const bool stage = moved.instance.empty() && state.parent == 0;
  if (moved.entered) return StateEntered{state.name, stage};
  return StateExited{state.name, stage};
}

EventBody git_event(const chart::GitOperation& operation, const std::string& message, bool done,
                    const Json& data, const std::string& base) {
  using Operation = model::WorkspaceOperation::Kind;
  GitResult result;
  if (data.is_object()) from_fields(data, result);
  if (done && operation.kind != Operation::discard) {
    result.subject = message.substr(0, message.find('\n'));
  }
  if (operation.kind == Operation::merge) {
    result.into = operation.into.empty() ? base : operation.into;
  }
  if (!done) return GitRefused{std::move(result)};
  if (operation.kind == Operation::commit) return Committed{std::move(result)};
  if (operation.kind == Operation::merge) return Merged{std::move(result)};
  return Discarded{std::move(result)};
}

Joined joined(std::vector<std::uint32_t> items, const Json& data) {
  Joined event{std::move(items), {}, data.value("unchanged", std::vector<std::uint32_t>())};
  from_fields(data.at("conflicts"), event.conflicts);
  return event;
}

std::string describe(const StopAsked& stop) {
  return "stops once what is under way has ended: " + stop.reason;
}

std::string describe(const Sent& sent) {
  return "'" + sent.name + "' was sent" + (sent.by.empty() ? "" : " by " + sent.by) +
         (sent.taken ? "" : ", and nothing takes it");
}

std::string describe(const Undone& undone) {
  return undone.agent + " may only read, but changed files: undone";
}

std::string_view RunEvent::kind() const {
  return kind_in(body);
}

Json body_json(const EventBody& body) {
  return std::visit([](const auto& each) { return to_fields(each); }, body);
}

Json to_json(const RunEvent& event) {
  Json json = body_json(event.body);
  json["time"] = format_time(event.time);
  json["run"] = event.run;
  json["type"] = event.kind();
  if (!event.path.empty()) json["path"] = event.path;
  if (event.seq > 0) json["seq"] = event.seq;
  if (event.undone) json["undone"] = true;
  return json;
}

EventBody event_body(std::string_view kind, const Json& json) {
  EventBody body;
  if (!become(body, kind)) throw Error("an event '" + std::string(kind) + "' is not known");
  std::visit([&](auto& each) { from_fields(json, each); }, body);
  return body;
}

}  // namespace agneto::record
