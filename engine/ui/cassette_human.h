// A person whose answers were written down beforehand: for the demo and for tests.
#pragma once

#include <deque>

#include "base/json.h"
#include "run/human.h"

namespace agneto::ui {

// `answers`: [{"state": NAME, "option": NAME, "feedback": TEXT, "edited": TEXT}]. A question takes
// the first answer left for its state; a question without one throws Error, which ends the work.
class CassetteHuman : public run::Human {
 public:
  explicit CassetteHuman(const Json& answers);
  // Somebody is there only while there are answers left.
  bool present() const override { return !answers_.empty(); }
  void ask(const run::Question& question, std::function<void(run::Answer)> answer) override;
  void withdraw(const std::string&, const std::string&) override {}
  void interrupted(std::function<void(run::Interrupt)> answer) override;

 private:
  struct Scripted {
    std::string state;
    run::Answer answer;
  };
  std::deque<Scripted> answers_;
};

}  // namespace agneto::ui
