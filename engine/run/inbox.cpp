// Words from other processes: each is acted on and leaves the inbox in the append that records what
// came of it, so that it is taken once, whenever the owner dies.

#include <algorithm>

#include "run/engine.h"
#include "run/questions.h"

namespace agneto::run {
namespace {

// A message is posted with a wake-up, which is lost where somebody has removed the FIFO.
constexpr Millis between_looks{2000};

}  // namespace

void Engine::take_inbox() {
  look_again_ = now() + between_looks;
  for (const auto& message : setup_.journal.inbox(line_.id)) {
    if (over_) return;
    take(message);
  }
}

void Engine::take(const journal::Message& message) {
  handled_.push_back(message.id);
  std::function<void()> act;
  try {
    act = action_of(message);
  } catch (const std::exception&) {
    act = [&] { refuse(message.kind, "", "it cannot be read"); };
  }
  act();
}

// Reads all of the message before anything follows from it.
std::function<void()> Engine::action_of(const journal::Message& message) {
  const Json& body = message.body;
  const std::string& kind = message.kind;
  const std::string by = body.value("by", "");
  if (kind == "answer") {
    const std::string path = body.at("question");
    return
        [=, this, answer = record::posted_answer(body)] { take_posted_answer(path, answer, by); };
  }
  if (kind == "event") {
    chart::Event event;
    event.name = body.at("name");
    event.data = body.value("data", Json());
    return [=, this] { take_posted_event(event, by); };
  }
  if (kind == "suspend") {
    return [this, reason = body.at("reason").get<std::string>()] { suspend_now(reason); };
  }
  if (kind == "abort") {
    return [this, reason = body.at("reason").get<std::string>()] { abort(reason); };
  }
  if (kind == "instruct") {
    return [this, text = body.at("text").get<std::string>()] { instruct(text); };
  }
  return [=, this] { refuse(kind, "", "no message of the kind '" + kind + "' is known here"); };
}

void Engine::take_posted_answer(const std::string& path, const Answer& answer,
                                const std::string& by) {
  const auto found = state_.outstanding.find(path);
  const auto* question =
      found == state_.outstanding.end() ? nullptr : std::get_if<chart::AskHuman>(&found->second);
  const std::string why = question ? refusal(*question, answer) : why_not_open(path);
  if (!why.empty()) return refuse("answer", path, why);
  take_answer(path, answer, "elsewhere", by);
}

void Engine::take_posted_event(const chart::Event& event, const std::string& by) {
  now();
  chart::Effects out;
  chart::step(instance_, event, out);
  const bool taken = out.handled;
  publish("note", "",
          {{"text", "'" + event.name + "' was sent" + (by.empty() ? "" : " by " + by) +
                        (taken ? "" : ", and nothing takes it")}});
  commit(&event, out, {entry("", record::Sent{event.name, taken, by})});
}

// A run that was stopped since has done what they asked for.
void Engine::drop_old_suspends() {
  for (const auto& message : setup_.journal.inbox(line_.id)) {
    if (message.kind == "suspend") handled_.push_back(message.id);
  }
}

void Engine::refuse(const std::string& kind, const std::string& path, const std::string& why) {
  record({entry(path, record::Refused{kind, why})}, false);
  publish("note", path, {{"text", kind + " refused: " + why}});
}

std::string Engine::why_not_open(const std::string& path) {
  for (const auto& old : setup_.journal.entries_of(line_.id, path)) {
    if (const auto entry = record::decode(old); const auto* given = entry.get<record::Answered>()) {
      return path + " was answered at " + format_time(old.time) + ": " + describe(*given);
    }
  }
  return path + " is not asked any more";
}

}  // namespace agneto::run
