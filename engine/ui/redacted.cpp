#include "ui/redacted.h"

namespace agneto::ui {

void RedactedObserver::event(const record::RunEvent& event) {
  record::RunEvent shown = event;
  shown.body = record::event_body(event.kind(), redactor_.json(record::body_json(event.body)));
  observer_->event(shown);
}

run::Question redacted(run::Question question, const Redactor& redactor) {
  for (auto* text : {&question.ask.question, &question.ask.show, &question.diff}) {
    *text = redactor.text(std::move(*text));
  }
  for (auto& option : question.ask.options) option.label = redactor.text(std::move(option.label));
  return question;
}

void RedactedHuman::ask(const run::Question& question, std::function<void(run::Answer)> answer) {
  human_->ask(redacted(question, redactor_), std::move(answer));
}

}  // namespace agneto::ui
