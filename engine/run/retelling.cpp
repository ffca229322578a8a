#include "run/retelling.h"

#include <set>

#include "base/text.h"
#include "chart/path.h"

namespace agneto::run {
namespace {

Json described_options(const Json& effect) {
  Json options = Json::array();
  for (const auto& option : effect.at("options")) {
    options.push_back({{"name", option.at("name")},
                       {"label", option.at("label")},
                       {"feedback", option.at("feedback") == "required"},
                       {"edit", option.contains("edit")}});
  }
  return options;
}

// Recorded of a run that nobody was at work on until then.
bool at_rest(const std::string& kind) {
  static const std::set<std::string> kinds = {"started", "resumed",  "rewound",
                                              "forked",  "restored", "migrated"};
  return kinds.contains(kind);
}

}  // namespace

Retelling::Retelling(const journal::RunRecord& line, const model::System* system)
    : line_(line),
      system_(system),
      agents_(system ? agent_names(*system) : AgentNames()),
      began_(line.created) {}

std::vector<RunEvent> Retelling::next(const journal::Entry& entry) {
  told_.clear();
  const Json& body = entry.body;
  if (!at_rest(entry.kind)) worked_ += entry.time - began_;
  began_ = entry.time;
  if (entry.kind == "started") {
    tell("run.started", "",
         {{"workflow", line_.workflow},
          {"task", line_.task},
          {"base", line_.base},
          {"branch", line_.branch},
          {"provider", line_.options.value("provider", "")}});
    if (system_) {
      Json initial = Json::array();
      for (const auto target : system_->main().state(0).start.targets) {
        initial.push_back(system_->main().state(target).name);
      }
      moved({{"instance", ""}, {"from", ""}, {"to", std::move(initial)}});
    }
  } else if (entry.kind == "macrostep") {
    macrostep(entry);
  } else if (entry.kind == "prompt") {
    prompt(entry);
  } else if (entry.kind == "reply") {
    cost_ += body.value("cost", 0.0);
    input_tokens_ += body.value("input_tokens", std::int64_t{0});
    output_tokens_ += body.value("output_tokens", std::int64_t{0});
    const std::string error = body.value("error", "");
    wrong_[entry.path] = error.empty() ? "asked again" : error;
  } else if (entry.kind == "command") {
    tell("command.started", entry.path, {{"argv", body.at("argv")}});
  } else if (entry.kind == "answer") {
    Json answer = body;
    answer.erase("message");
    tell("question.answered", entry.path, std::move(answer));
  } else if (entry.kind == "resumed") {
    tell("run.resumed", "",
         {{"workflow", line_.workflow}, {"task", line_.task}, {"branch", line_.branch}});
    for (const auto& note : body.value("notes", Json::array())) {
      tell("note", "", {{"text", note}});
    }
  } else if (entry.kind == "suspended") {
    suspended(body);
  } else if (entry.kind == "instruction") {
    tell("note", "", {{"text", "a person's instruction: " + body.value("text", "")}});
  } else if (entry.kind == "abort") {
    tell("note", "", {{"text", body.value("reason", "a person asked to abort it")}});
  } else if (entry.kind == "sent") {
    sent(body);
  } else if (entry.kind == "refused") {
    tell("note", entry.path,
         {{"text", body.value("kind", "") + " refused: " + body.value("reason", "")}});
  } else if (entry.kind == "rewound") {
    orders_.add(entry);
    tell("note", "", {{"text", "rewound to entry " + to_text(body.at("to"))}});
  } else if (entry.kind == "forked") {
    tell(
        "note", "",
        {{"text", "forked from entry " + to_text(body.at("at")) + " of " + body.value("run", "")}});
  } else if (entry.kind == "restored") {
    restored(body);
  } else if (entry.kind == "migrated") {
    tell("note", "",
         {{"text", "the journal was brought here from format " + to_text(body.at("format"))}});
  } else if (entry.kind != "process" && entry.kind != "snapshot") {
    tell("note", entry.path, {{"text", entry.kind + " " + to_text(body)}});
  }
  for (auto& event : told_) {
    event.time = entry.time;
    event.run = line_.id;
    event.seq = entry.seq;
    event.undone = !entry.stands;
  }
  return std::move(told_);
}

void Retelling::prompt(const journal::Entry& entry) {
  const Json* effect = orders_.find(entry.path);
  if (const auto wrong = wrong_.find(entry.path); wrong != wrong_.end()) {
    tell("agent.retry", entry.path, {{"reason", wrong->second}});
    wrong_.erase(wrong);
  }
  tell("agent.started", entry.path,
       {{"agent", effect ? agent_of(*effect) : chart::last_name(entry.path)},
        {"provider", entry.body.at("provider")},
        {"model", entry.body.at("model")},
        {"attempt", entry.body.at("attempt")},
        {"state", chart::last_name(entry.path)}});
}

void Retelling::macrostep(const journal::Entry& entry) {
  const Json& body = entry.body;
  if (const Json& event = body.at("event"); event.is_object()) {
    if (event.at("kind") == "outcome") {
      ended(event);
    } else if (event.at("kind") == "external" && body.at("handled") == true &&
               event.value("name", "").starts_with("limit.")) {
      tell("note", "", {{"text", event.at("data").at("message")}});
    }
  }
  for (const auto& taken : body.at("transitions")) {
    const std::string instance = taken.at("instance");
    tell("transition", instance, taken);
    moved(taken);
  }
  for (const auto& problem : body.value("problems", Json::array())) {
    tell("problem", problem.at("path"), problem);
  }
  orders_.add(entry);
  for (const auto& effect : body.at("effects")) ordered(effect);
}

// The outcome of an activity.
void Retelling::ended(const Json& event) {
  const std::string path = event.value("path", "");
  const Json* ordered = orders_.find(path);
  if (!ordered) return;
  const Json& effect = *ordered;
  wrong_.erase(path);
  const std::string kind = effect.at("effect"), name = event.at("name");
  const Json& data = event.at("data");
  if (kind == "agent") {
    ++calls_;
    tell("agent.finished", path,
         {{"agent", agent_of(effect)},
          {"verdict", name},
          {"fields", data},
          {"calls", calls_},
          {"cost", cost_},
          {"input_tokens", input_tokens_},
          {"output_tokens", output_tokens_}});
  } else if (kind == "run") {
    tell("command.finished", path, {{"event", name}, {"message", data.value("message", "")}});
  } else if (kind == "workspace") {
    static const std::map<std::string, std::string> done = {{"commit", "workspace.committed"},
                                                            {"merge", "workspace.merged"},
                                                            {"discard", "workspace.discarded"}};
    const std::string operation = effect.at("operation"), message = effect.at("message");
    Json shown = data.is_object() ? data : Json::object();
    if (name == "ok" && operation != "discard") {
      shown["subject"] = message.substr(0, message.find('\n'));
    }
    if (operation == "merge") {
      shown["into"] = effect.at("into") == "" ? Json(line_.base) : effect.at("into");
    }
    tell(name == "ok" ? done.at(operation) : "workspace.refused", path, std::move(shown));
  } else if (kind == "join workspaces" && !effect.at("completed").empty()) {
    tell("workspace.joined", path,
         {{"items", effect.at("completed")}, {"conflicts", data.at("conflicts")}});
  }
}

void Retelling::ordered(const Json& effect) {
  const std::string kind = effect.at("effect");
  if (kind == "finish") {
    tell("run.finished", "",
         {{"outcome", effect.at("outcome")},
          {"status", effect.at("status")},
          {"outputs", effect.at("outputs")},
          {"reason", effect.at("reason")},
          {"branch", line_.branch},
          {"base", line_.base},
          {"calls", calls_},
          {"cost", cost_},
          {"input_tokens", input_tokens_},
          {"output_tokens", output_tokens_},
          {"ms", worked_.count()}});
  } else if (kind == "ask") {
    tell("question.asked", effect.at("path"),
         {{"question", effect.at("question")},
          {"show", effect.at("show")},
          {"options", described_options(effect)},
          {"default", effect.at("default")},
          {"words", effect.at("text") != "none"}});
  }
}

// The main stages of the run, as far as its transitions name them.
void Retelling::moved(const Json& transition) {
  if (!system_ || transition.at("instance") != "") return;
  const std::string from = stage_of(transition.at("from"));
  for (const auto& target : transition.at("to")) {
    const std::string stage = stage_of(target);
    if (stage.empty() || (stage == from && stage != target)) continue;
    tell("state.entered", stage, {{"state", stage}, {"stage", true}});
  }
}

void Retelling::suspended(const Json& body) {
  Json data = {{"reason", body.at("reason")}};
  for (const auto& [path, seq] : orders_.open()) {
    const Json& effect = *orders_.find(path);
    if (effect.at("effect") != "ask") continue;
    if (data.contains("path")) {
      data["others"].push_back(path);
      continue;
    }
    data["path"] = path;
    data["question"] = effect.at("question");
    data["words"] = effect.at("text") != "none";
    data["options"] = described_options(effect);
  }
  tell("run.suspended", "", std::move(data));
}

void Retelling::sent(const Json& body) {
  const std::string by = body.value("by", "");
  tell("note", "",
       {{"text", "'" + body.value("name", "") + "' was sent" + (by.empty() ? "" : " by " + by) +
                     (body.at("taken") == true ? "" : ", and nothing takes it")}});
}

void Retelling::restored(const Json& body) {
  tell("note", "",
       {{"text",
         line_.branch.empty() ? "the files stay as they are" : "the files are those of then"}});
  for (const auto& ref : body.at("kept")) {
    tell("note", "", {{"text", "what that took away is kept: " + ref.get<std::string>()}});
  }
}

RunEvent& Retelling::tell(std::string kind, std::string path, Json data) {
  RunEvent& event = told_.emplace_back();
  event.kind = std::move(kind);
  event.path = std::move(path);
  event.data = std::move(data);
  return event;
}

std::string Retelling::agent_of(const Json& effect) const {
  const std::string machine = effect.at("machine"), state = effect.at("state");
  const auto found = agents_.find(machine + "/" + state);
  return found == agents_.end() ? state : found->second;
}

// The child of the root that the state is or is in.
std::string Retelling::stage_of(const std::string& state) const {
  const model::Machine& main = system_->main();
  auto id = main.find(state);
  if (id == model::none || id == 0) return "";
  while (main.state(id).parent != 0) id = main.state(id).parent;
  return main.state(id).name;
}

}  // namespace agneto::run
