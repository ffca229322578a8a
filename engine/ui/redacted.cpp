#include "ui/redacted.h"

namespace agneto::ui {

void RedactedObserver::event(const record::RunEvent& event) {
  record::RunEvent shown = event;
  shown.body = record::event_body(event.kind(), redactor_.json(record::body_json(event.body)));
  observer_->event(shown);
}

void RedactedHuman::ask(const run::Question& question, std::function<void(run::Answer)> answer) {
  run::Question shown = question;
  for (auto* text : {&shown.ask.question, &shown.ask.show, &shown.diff}) {
    *text = redactor_.text(std::move(*text));
  }
  for (auto& option : shown.ask.options) option.label = redactor_.text(std::move(option.label));
  human_->ask(shown, std::move(answer));
}

}  // namespace agneto::ui
