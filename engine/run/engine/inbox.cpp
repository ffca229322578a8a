// Words from other processes: each is acted on and leaves the inbox in the append that records what
// came of it, so that it is taken once, even where its owner dies.
#include "base/log.h"
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
  const Json& body = message.body;
  const std::string& kind = message.kind;
  std::string text, by;
  chart::Event event;
  Answer answer;
  try {
    by = body.value("by", "");
    if (kind == "answer") {
      const record::PostedAnswer posted = record::posted_answer(body);
      text = posted.question;
      answer = posted;
    } else if (kind == "event") {
      event.name = body.at("name");
      event.data = body.value("data", Json());
    } else if (kind == "stop" || kind == "suspend" || kind == "abort") {
      text = body.at("reason");
    } else if (kind == "instruct") {
      text = body.at("text");
    } else {
      return refuse(kind, "", "no message of the kind '" + kind + "' is known here");
    }
  } catch (const std::exception&) {
    return refuse(kind, "", "it cannot be read");
  }
  if (kind == "event") return take_event(event, by);
  if (kind == "stop") return stop_after(text);
  if (kind == "suspend") return suspend_now(text);
  if (kind == "abort") return abort(text);
  if (kind == "instruct") return instruct(text);
  const chart::AskHuman* question = desk_.find(text);
  const std::string why = question ? refusal(*question, answer) : why_not_open(text);
  if (!why.empty()) return refuse("answer", text, why);
  take_answer(text, answer, "elsewhere", by);
}

void Engine::take_event(const chart::Event& event, const std::string& by) {
  const chart::Effects out = progress_.step(event);
  const record::Sent sent{event.name, out.handled, by};
  reporter_.note("", describe(sent));
  commit(&event, out, {reporter_.entry("", sent)});
}

void Engine::refuse(const std::string& kind, const std::string& path, const std::string& why) {
  log::warning("message refused", {{"kind", kind}});
  progress_.record({reporter_.entry(path, record::Refused{kind, why})});
  reporter_.note(path, kind + " refused: " + why);
}

}  // namespace agneto::run
