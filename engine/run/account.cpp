#include "run/account.h"

namespace agneto::run {
namespace {

class Accountant {
 public:
  explicit Accountant(const AgentNames& agents) : agents_(agents) {}

  void add(const journal::Entry& entry) {
    if (entry.kind == "prompt") {
      prompt(entry);
    } else if (entry.kind == "reply") {
      reply(entry);
    } else if (entry.kind == "command") {
      if (Json* command = last(entry.path)) {
        (*command)["started"] = format_time(entry.time);
        (*command)["checkpoint"] = entry.body.value("checkpoint", "");
      }
    } else if (entry.kind == "answer") {
      if (Json* question = last(entry.path)) {
        (*question)["answer"] = entry.body;
        (*question)["answer"]["time"] = format_time(entry.time);
      }
    } else if (entry.kind == "macrostep") {
      macrostep(entry);
    }
  }

  Account take() {
    for (auto& [list, record] : records_) list->push_back(std::move(record));
    return std::move(account_);
  }

 private:
  void macrostep(const journal::Entry& entry) {
    const Json& body = entry.body;
    Json step = {{"seq", entry.seq},
                 {"time", format_time(entry.time)},
                 {"stands", entry.stands},
                 {"event", body.at("event")},
                 {"transitions", body.at("transitions")}};
    if (body.contains("problems")) step["problems"] = body.at("problems");
    account_.steps.push_back(std::move(step));

    if (const Json& event = body.at("event"); event.is_object() && event.at("kind") == "outcome") {
      if (Json* record = last(event.at("path"))) {
        (*record)["ended"] = format_time(entry.time);
        (*record)["outcome"] = event.at("name");
        (*record)["data"] = event.at("data");
      }
    }
    for (const auto& effect : body.at("effects")) {
      const std::string kind = effect.at("effect");
      if (kind == "cancel") {
        if (Json* record = last(effect.at("path")); record && (*record)["outcome"].is_null()) {
          (*record)["ended"] = format_time(entry.time);
          (*record)["outcome"] = "cancelled";
        }
      }
      if (auto* list = list_of(kind)) order(*list, entry, effect);
    }
  }

  std::vector<Json>* list_of(const std::string& kind) {
    if (kind == "agent") return &account_.calls;
    if (kind == "ask") return &account_.questions;
    if (kind == "run") return &account_.commands;
    if (kind == "workspace") return &account_.operations;
    return nullptr;
  }

  void order(std::vector<Json>& list, const journal::Entry& entry, const Json& effect) {
    Json record = effect;
    record.erase("effect");
    record["seq"] = entry.seq;
    record["stands"] = entry.stands;
    record["ordered"] = format_time(entry.time);
    record["ended"] = nullptr;
    record["outcome"] = nullptr;
    record["data"] = nullptr;
    const std::string path = effect.at("path");
    if (&list == &account_.calls) {
      const std::string machine = effect.at("machine"), state = effect.at("state");
      const auto agent = agents_.find(machine + "/" + state);
      record["agent"] = agent == agents_.end() ? state : agent->second;
      record["attempts"] = Json::array();
      for (const char* internal : {"instance", "entry", "scope"}) record.erase(internal);
    } else if (&list == &account_.questions) {
      record["answer"] = nullptr;
    }
    latest_[path] = records_.size();
    records_.emplace_back(&list, std::move(record));
  }

  void prompt(const journal::Entry& entry) {
    Json* call = last(entry.path);
    if (!call) return;
    Json attempt = entry.body;
    attempt["seq"] = entry.seq;
    attempt["stands"] = entry.stands;
    attempt["asked"] = format_time(entry.time);
    attempt["prompt"] = entry.body.at("text");
    attempt["reply"] = nullptr;
    attempt.erase("text");
    (*call)["attempts"].push_back(std::move(attempt));
  }

  void reply(const journal::Entry& entry) {
    Json* call = last(entry.path);
    if (!call || (*call)["attempts"].empty()) return;
    Json reply = entry.body;
    reply["seq"] = entry.seq;
    reply["time"] = format_time(entry.time);
    reply.erase("attempt");
    (*call)["attempts"].back()["reply"] = std::move(reply);
  }

  // The record of what was ordered last under that path.
  Json* last(const std::string& path) {
    const auto found = latest_.find(path);
    return found == latest_.end() ? nullptr : &records_[found->second].second;
  }

  const AgentNames& agents_;
  Account account_;
  std::vector<std::pair<std::vector<Json>*, Json>> records_;  // with the list each belongs to
  std::map<std::string, std::size_t> latest_;                 // by path
};

}  // namespace

AgentNames agent_names(const model::System& system) {
  AgentNames names;
  for (const auto& machine : system.machines) {
    for (const auto& state : machine.states) {
      const auto* call = std::get_if<model::AgentCall>(&state.activity);
      if (call) names[machine.name + "/" + state.name] = machine.agents[call->agent].name;
    }
  }
  return names;
}

Account account_of(const std::vector<journal::Entry>& entries, const AgentNames& agents) {
  Accountant accountant(agents);
  for (const auto& entry : entries) accountant.add(entry);
  return accountant.take();
}

}  // namespace agneto::run
