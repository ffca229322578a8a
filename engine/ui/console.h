// A run as a readable log, and below it, on a terminal, what the team is doing now.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "run/observer.h"
#include "ui/screen.h"

namespace agneto::ui {

class Console : public run::Observer {
 public:
  // `live`: a status below the log says what goes on; else the log says when an agent starts.
  Console(Screen& screen, bool live) : screen_(screen), live_(live && screen.style().redraws) {}

  void event(const run::RunEvent& event) override;
  void tick(Time now) override;

 private:
  struct Working {
    std::string who;   // "coder" or the command
    std::string with;  // provider and model
    int attempt = 1;
    std::string doing;  // the last tool, or what it says
    bool tool = false;
    Time since;
  };

  void log(const run::RunEvent& event, Color color, std::string_view text);
  void note_state(const run::RunEvent& event);
  void show_status(Time now);
  void started(const run::RunEvent& event);
  void agent_finished(const run::RunEvent& event);
  void question(const run::RunEvent& event);
  void suspended(const run::RunEvent& event);
  void finished(const run::RunEvent& event);

  Screen& screen_;
  bool live_;
  std::string run_;
  std::map<std::string, Working> working_;
  std::vector<std::string> path_;  // states of the main machine, in the order they were entered
  double cost_ = 0;
  int calls_ = 0;
  Time began_{};
};

// "TASK_EXECUTING#1/CODE_REVIEW#3" -> "TASK_EXECUTING/CODE_REVIEW #3"
std::string readable_path(std::string_view path);
// Each state once with how often it was entered in a row: "A → B ×2 → A".
std::string readable_journey(const std::vector<std::string>& states);

}  // namespace agneto::ui
