// A run as a readable log, and below it, on a terminal, what the team is doing now.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "record/event.h"
#include "ui/readable.h"
#include "ui/screen.h"
#include "ui/ways_to_answer.h"
#include "workspace/branch_work.h"

namespace agneto::ui {

// More than 25 names: it has a function for each kind of event that it tells, and all write to one
// log and one status.
class Console : public record::Observer {
 public:
  // What a run committed, by its base and branch.
  using Look =
      std::function<workspace::BranchWork(const std::string& base, const std::string& branch)>;

  // `terminal`: questions are asked here, so the log does not repeat them, and where it can redraw,
  // a status below the log says what goes on; else the log says when work starts.
  // `pauses`: Ctrl+C asks a person what now; else it suspends the run.
  Console(Screen& screen, bool terminal, Look look, bool pauses = true)
      : screen_(screen),
        terminal_(terminal),
        live_(terminal && screen.style().redraws),
        pauses_(pauses),
        look_(std::move(look)) {}

  void event(const record::RunEvent& event) override;
  void tick(Time now) override { show_status(now); }
  // A line for what an agent says, or the tool that it uses: `event` shows that in the status
  // alone.
  void words(const record::RunEvent& event);
  // An open question with its material, and how it is answered.
  void gate(const record::Question& question, const record::Spent& spent, const Asking& asking,
            Time now);

 private:
  struct Working {
    std::string who;   // "coder" or the command
    std::string with;  // provider and model
    int attempt = 1;
    std::string doing;  // the last tool, or what it says
    bool tool = false;
    Time since;
    std::set<std::string> troubles = {};  // with its tools, each of which is told once
  };

  using Event = record::RunEvent;
  void tell(const Event& event, const record::RunStarted& started);
  void tell(const Event& event, const record::RunResumed& resumed);
  void tell(const Event& event, const record::AgentStarted& started);
  void tell(const Event& event, const record::AgentFinished& finished);
  void tell(const Event& event, const record::AgentReply& replied);
  void tell(const Event& event, const record::CommandStarted& started);
  void tell(const Event& event, const record::CommandFinished& finished);
  void tell(const Event& event, const record::QuestionAsked& asked);
  void tell(const Event& event, const record::QuestionAnswered& answer);
  void tell(const Event& event, const record::Committed& committed);
  void tell(const Event& event, const record::Merged& merged);
  void tell(const Event& event, const record::Joined& joined);
  void tell(const Event& event, const record::RunQueued& queued);
  void tell(const Event& event, const record::RunSuspended& suspended);
  void tell(const Event&, const record::RunFinished& finished);

  // `run`: what was started or resumed.
  void begin(const Event& event, const std::string& how, const auto& run, const std::string& more);
  void whole(const Event& event, Color color, const std::string& title, const std::string& text);
  // Somebody at work there does or says that.
  void progress(const Event& event, const std::string& doing, bool tool = false);
  // A tool was denied, or failed.
  void trouble(const Event& event, const std::string& words);
  // What is at work there; null: nothing.
  Working* working(const Event& event);
  // " (5s)" for what has ended there, which is at work no more; empty where nothing was.
  std::string took(const Event& event);
  void log(const record::RunEvent& event, const Styled& text);
  std::string whole_error(const std::string& text) const;
  void fact(std::string_view name, std::string_view value);
  void show_status(Time now);

  Screen& screen_;
  bool terminal_;
  bool live_;
  bool pauses_;
  Look look_;
  std::map<std::string, Working, PathOrder> working_;  // by the path of the activity
  std::vector<std::string> journey_;                   // stages, in the order they were entered
  std::string refused_;                                // why the last git operation was not done
  bool going_ = false;
  bool is_parked_ = false;
  Time began_{};
  Time status_shown_{};
  record::Spent spent_;
};

}  // namespace agneto::ui
