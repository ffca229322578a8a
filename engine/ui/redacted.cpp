#include "ui/redacted.h"

namespace agneto::ui {

void RedactedObserver::event(const run::RunEvent& event) {
  run::RunEvent shown = event;
  shown.data = redactor_.json(std::move(shown.data));
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
