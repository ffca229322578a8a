// Words from other processes: each is acted on and leaves the inbox in the append that records what
// came of it, so that it is taken once, even where its owner dies.
#include "base/log.h"
#include "base/overloaded.h"
#include "run/engine/engine.h"
#include "run/questions.h"

namespace agneto::run {
namespace {

// A message is posted with a wake-up, which is lost where somebody has removed the FIFO.
constexpr Millis between_looks{2000};

}  // namespace

void Engine::take_inbox() {
  look_again_ = reporter_.now() + between_looks;
  for (const auto& message : setup_.record.inbox(progress_.run().id)) {
    if (over_) return;
    take(message);
  }
}

// All of the message is read before anything follows from it.
void Engine::take(const journal::Message& message) {
  progress_.handle(message.id);
  log::info("message taken", {{"kind", message.kind}, {"message", message.id}});
  std::optional<record::Message> read;
  try {
    read = record::decode(message);
  } catch (const Error& error) {
    return refuse(message.kind, "", error.what());
  }
  std::visit(Overloaded{
                 [&](const record::PostedAnswer& answer) { take_answer(answer); },
                 [&](const record::PostedEvent& event) { take_event(event); },
                 [&](const record::PostedStop& stop) { stop_after(stop.reason); },
                 [&](const record::PostedSuspend& suspend) { suspend_now(suspend.reason); },
                 [&](const record::PostedAbort& asked) { abort(asked.reason); },
                 [&](const record::PostedInstruction& given) { instruct(given.text); },
             },
             *read);
}

void Engine::take_answer(const record::PostedAnswer& answer) {
  const chart::AskHuman* question = desk_.find(answer.question);
  const std::string why = question ? refusal(*question, answer) : why_not_open(answer.question);
  if (!why.empty()) return refuse(std::string(record::PostedAnswer::kind), answer.question, why);
  take_answer(answer.question, answer, "elsewhere", answer.by);
}

void Engine::take_event(const record::PostedEvent& posted) {
  chart::Event event;
  event.name = posted.name;
  event.data = posted.data;
  const chart::Effects out = progress_.step(event);
  const record::Sent sent{event.name, out.handled, posted.by};
  reporter_.note("", describe(sent));
  commit(&event, out, {reporter_.entry("", sent)});
}

void Engine::refuse(const std::string& kind, const std::string& path, const std::string& why) {
  log::warning("message refused", {{"kind", kind}});
  record({reporter_.entry(path, record::Refused{kind, why})});
  reporter_.note(path, kind + " refused: " + why);
}

}  // namespace agneto::run
