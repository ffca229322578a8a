// Takes the secrets out of what a person sees of a run while it goes on.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/redact.h"
#include "record/event.h"
#include "run/human.h"

namespace agneto::ui {

class RedactedObserver : public record::Observer {
 public:
  RedactedObserver(std::unique_ptr<record::Observer> observer, Redactor redactor)
      : observer_(std::move(observer)), redactor_(std::move(redactor)) {}

  void event(const record::RunEvent& event) override;
  void tick(Time now) override { observer_->tick(now); }

 private:
  std::unique_ptr<record::Observer> observer_;
  Redactor redactor_;
};

// A text that a person edits stays as it is, since the edited one replaces it.
run::Question redacted(run::Question question, const Redactor& redactor);

class RedactedHuman : public run::Human {
 public:
  RedactedHuman(std::unique_ptr<run::Human> human, Redactor redactor)
      : human_(std::move(human)), redactor_(std::move(redactor)) {}

  bool present() const override { return human_->present(); }
  void ask(const run::Question& question, std::function<void(run::Answer)> answer) override;
  void withdraw(const std::string& path, const std::string& why) override {
    human_->withdraw(path, redactor_.text(why));
  }
  void interrupted(std::function<void(run::Interrupt)> answer) override {
    human_->interrupted(std::move(answer));
  }

 private:
  std::unique_ptr<run::Human> human_;
  Redactor redactor_;
};

}  // namespace agneto::ui
