#include "record/run_summary.h"

namespace agneto::record {
namespace {

class Summariser {
 public:
  explicit Summariser(const AgentNames& agents) : agents_(agents) {}

  void add(const Entry& entry) {
    Json* record = last(entry.path);
    if (const auto* step = entry.get<Macrostep>()) {
      macrostep(entry, *step);
    } else if (record && entry.get<Prompt>()) {
      prompt(entry, *record);
    } else if (record && entry.get<Reply>() && !(*record)["attempts"].empty()) {
      Json reply = body_json(entry.body);
      reply["seq"] = entry.seq;
      reply["time"] = format_time(entry.time);
      reply.erase("attempt");
      Json& attempt = (*record)["attempts"].back();
      // What was spent before the provider went away is spent, too.
      if (const auto before = attempt.find("reply");
          before != attempt.end() && before->is_object()) {
        reply["cost"] = reply.at("cost").get<double>() + before->at("cost").get<double>();
        for (const char* spent : {"input_tokens", "output_tokens", "ms", "unpriced", "uncounted"}) {
          const auto sum = reply.value(spent, 0LL) + before->value(spent, 0LL);
          if (sum > 0 || reply.contains(spent)) reply[spent] = sum;
        }
      }
      attempt["reply"] = std::move(reply);
    } else if (const auto* command = entry.get<ProgramCall>(); record && command) {
      (*record)["started"] = format_time(entry.time);
      (*record)["checkpoint"] = command->checkpoint;
    } else if (record && entry.get<Answered>()) {
      Json& answer = (*record)["answer"] = body_json(entry.body);
      answer["time"] = format_time(entry.time);
      if (entry.message > 0) answer["message"] = entry.message;
    }
  }

  RunSummary take() {
    for (auto& [list, record] : records_) list->push_back(std::move(record));
    return std::move(summary_);
  }

 private:
  void macrostep(const Entry& entry, const Macrostep& made) {
    Json step = body_json(entry.body);
    for (const char* elsewhere : {"effects", "handled"}) step.erase(elsewhere);
    step["seq"] = entry.seq;
    step["time"] = format_time(entry.time);
    step["stands"] = entry.stands;
    summary_.steps.push_back(std::move(step));

    if (const auto* event = made.outcome()) end(entry, event->path, event->name, event->data);
    for (const auto& effect : made.effects) {
      const std::string& path = chart::path_of(effect);
      if (std::holds_alternative<chart::Cancel>(effect)) {
        const Json* record = last(path);
        if (record && record->at("outcome").is_null()) end(entry, path, "cancelled", nullptr);
      } else if (auto* list = list_of(effect)) {
        latest_[path] = records_.size();
        records_.emplace_back(list, ordered(entry, effect));
      }
    }
  }

  void end(const Entry& entry, const std::string& path, const std::string& outcome, Json data) {
    Json* record = last(path);
    if (!record) return;
    (*record)["ended"] = format_time(entry.time);
    (*record)["outcome"] = outcome;
    (*record)["data"] = std::move(data);
  }

  std::vector<Json>* list_of(const chart::NamedEffect& effect) {
    if (std::holds_alternative<chart::NamedCall>(effect)) return &summary_.calls;
    if (std::holds_alternative<chart::AskHuman>(effect)) return &summary_.questions;
    if (std::holds_alternative<chart::RunCommand>(effect)) return &summary_.commands;
    if (std::holds_alternative<chart::GitOperation>(effect)) return &summary_.operations;
    return nullptr;
  }

  Json ordered(const Entry& entry, const chart::NamedEffect& effect) const {
    Json record = to_fields(effect);
    record.erase("effect");
    record["seq"] = entry.seq;
    record["stands"] = entry.stands;
    record["ordered"] = format_time(entry.time);
    record["ended"] = nullptr;
    record["outcome"] = nullptr;
    record["data"] = nullptr;
    if (const auto* call = std::get_if<chart::NamedCall>(&effect)) {
      record["agent"] = agent_of(*call, agents_);
      record["attempts"] = Json::array();
      for (const char* internal : {"instance", "entry", "scope"}) record.erase(internal);
    } else if (std::holds_alternative<chart::AskHuman>(effect)) {
      record["answer"] = nullptr;
    }
    return record;
  }

  static void prompt(const Entry& entry, Json& call) {
    Json attempt = body_json(entry.body);
    attempt["seq"] = entry.seq;
    attempt["stands"] = entry.stands;
    attempt["asked"] = format_time(entry.time);
    attempt["prompt"] = attempt.at("text");
    attempt["reply"] = nullptr;
    attempt.erase("text");
    call["attempts"].push_back(std::move(attempt));
  }

  // The record of what was ordered last under that path; null: none.
  Json* last(const std::string& path) {
    const auto found = latest_.find(path);
    return found == latest_.end() ? nullptr : &records_[found->second].second;
  }

  const AgentNames& agents_;
  RunSummary summary_;
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

const std::string& agent_of(const chart::NamedCall& call, const AgentNames& agents) {
  const auto found = agents.find(call.machine + "/" + call.state);
  return found == agents.end() ? call.state : found->second;
}

RunSummary summary_of(const std::vector<Entry>& entries, const AgentNames& agents) {
  Summariser summariser(agents);
  for (const auto& entry : entries) summariser.add(entry);
  return summariser.take();
}

}  // namespace agneto::record
