#include "ui/redacted.h"

#include <gmock/gmock.h>

namespace agneto::ui {
namespace {

const Redactor redactor(std::map<std::string, std::string>{{"hunter-22", "PASSWORD"}});

class Heard : public record::Observer {
 public:
  explicit Heard(std::vector<record::RunEvent>& events) : events_(events) {}
  void event(const record::RunEvent& event) override { events_.push_back(event); }

 private:
  std::vector<record::RunEvent>& events_;
};

class Asked : public run::Human {
 public:
  explicit Asked(run::Question& question) : question_(question) {}
  bool present() const override { return true; }
  void ask(const run::Question& question, std::function<void(run::Answer)> answer) override {
    question_ = question;
    answer({"EDIT", "hunter-22", "hunter-22"});
  }
  void withdraw(const std::string&, const std::string&) override {}
  void interrupted(std::function<void(run::Interrupt)>) override {}

 private:
  run::Question& question_;
};

TEST(Redacted, AnObserverHearsOfNoSecret) {
  std::vector<record::RunEvent> heard;
  RedactedObserver observer(std::make_unique<Heard>(heard), redactor);
  observer.event({Time(), "r", "A#1", record::AgentText{"it is hunter-22"}});
  ASSERT_EQ(heard.size(), 1u);
  EXPECT_EQ(heard[0].path, "A#1");
  EXPECT_EQ(heard[0].get<record::AgentText>()->text, "it is [redacted: PASSWORD]");
}

TEST(Redacted, APersonIsShownNoSecretButEditsTheRealText) {
  run::Question shown;
  RedactedHuman human(std::make_unique<Asked>(shown), redactor);
  run::Question question;
  question.ask.question = "Use hunter-22?";
  question.ask.show = "say hunter-22";
  question.ask.options = {{"EDIT", "Edit hunter-22", model::Need::none, "edit hunter-22"}};
  question.diff = "+hunter-22";
  run::Answer given;
  human.ask(question, [&](const run::Answer& answer) { given = answer; });
  EXPECT_EQ(shown.ask.question, "Use [redacted: PASSWORD]?");
  EXPECT_EQ(shown.ask.show, "say [redacted: PASSWORD]");
  EXPECT_EQ(shown.ask.options[0].label, "Edit [redacted: PASSWORD]");
  EXPECT_EQ(shown.ask.options[0].edit, "edit hunter-22");
  EXPECT_EQ(shown.diff, "+[redacted: PASSWORD]");
  EXPECT_EQ(given.feedback, "hunter-22");
}

}  // namespace
}  // namespace agneto::ui
