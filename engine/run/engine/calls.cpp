#include "run/engine/calls.h"

#include "base/text.h"
#include "chart/effect.h"
#include "chart/path.h"
#include "record/entry.h"
#include "run/conversation.h"
#include "run/request.h"

namespace agneto::run {
namespace {

constexpr std::size_t item_bytes = 60;

}  // namespace

Calls::Calls(const model::System& system, const Config& config, journal::Entries& record,
             std::string run_id, const chart::Instance& machines, RunState& state)
    : system_(system),
      config_(config),
      record_(record),
      run_id_(std::move(run_id)),
      machines_(machines),
      state_(state) {}

std::string Calls::conversation_of(const chart::CallAgent& call) const {
  return call.scope.empty() ? "" : call.scope + "|" + chart::agent_of(call, system_).name;
}

std::string Calls::item_name(const std::string& path) const {
  auto part = chart::Path::parse(path);
  while (part && !part->parts.empty() && part->parts.back().item == 0) part->parts.pop_back();
  const auto at = part ? chart::state_at(system_, *part) : std::nullopt;
  if (!at) return {};
  const auto& state = system_.machine(at->machine).state(at->state);
  const auto* items = std::get_if<model::ForEach>(&state.activity);
  const Json data = items ? machines_.data(part->text()) : Json();
  if (data.is_null()) return {};
  const model::Machine& machine = system_.machine(items->each.machine);
  const auto named_by = [&](const model::Variable& input) {
    const Json& value = data.at("inputs").at(input.name);
    if (value.is_number()) return to_text(value);
    if (!value.is_string()) return std::string();
    const auto lines = split_lines(trim(value.get_ref<const std::string&>()));
    return lines.empty() ? "" : shortened(lines.front(), item_bytes);
  };
  if (const model::Variable* main = machine.main_input()) return named_by(*main);
  for (const model::Variable& input : machine.inputs) {
    if (std::string name = named_by(input); !name.empty()) return name;
  }
  return {};
}

agents::Request Calls::request(const chart::CallAgent& call, int nth) {
  agents::Request request = request_of(call, system_, machines_, config_);
  request.nth = nth;
  for (const auto& entry : record::decode(record_.entries_of(run_id_, call.path))) {
    if (const auto* prompt = entry.get<record::Prompt>()) {
      request.recorded_prompts.push_back(*prompt);
    } else if (const auto* reply = entry.get<record::Reply>()) {
      request.recorded_replies.push_back(*reply);
    }
  }
  // What was asked once is asked again as it was: an instruction that came later is for the next
  // call.
  for (auto& instruction : state_.instructions) {
    if (instruction.taken_by.empty() && request.recorded_prompts.empty()) {
      instruction.taken_by = call.path;
    }
    if (instruction.taken_by == call.path) request.instructions.push_back(instruction.text);
  }
  if (const auto found = state_.conversations.find(conversation_of(call));
      found != state_.conversations.end()) {
    const Conversation& conversation = found->second;
    request.conversation = {conversation.provider, conversation.session};
    request.follows = conversation.last;
    request.recall = [this, conversation] { return recall(record_, run_id_, conversation); };
  }
  const auto absence = state_.absences.find(call.path);
  if (absence != state_.absences.end()) request.absence = absence->second;
  return request;
}

void Calls::ended(const chart::CallAgent& call, const agents::Conversation& held, bool failed) {
  if (!call.scope.empty() && !failed) {
    Conversation& conversation = state_.conversations[conversation_of(call)];
    conversation.provider = held.provider;
    conversation.session = held.session;
    conversation.last = call.path;
  }
  std::erase_if(state_.instructions,
                [&](const Instruction& given) { return given.taken_by == call.path; });
}

}  // namespace agneto::run
