// A run as a readable log, and below it, on a terminal, what the team is doing now.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "run/observer.h"
#include "ui/readable.h"
#include "ui/screen.h"
#include "workspace/branch_work.h"

namespace agneto::ui {

class Console : public run::Observer {
 public:
  // What a run committed, by its base and branch.
  using Look =
      std::function<workspace::BranchWork(const std::string& base, const std::string& branch)>;

  // `terminal`: questions are asked here, so the log does not repeat them, and where it can redraw,
  // a status below the log says what goes on; else the log says when work starts.
  Console(Screen& screen, bool terminal, Look look)
      : screen_(screen),
        terminal_(terminal),
        live_(terminal && screen.style().redraws),
        look_(std::move(look)) {}

  void event(const run::RunEvent& event) override;
  void tick(Time now) override { show_status(now); }

 private:
  struct Working {
    std::string who;   // "coder" or the command
    std::string with;  // provider and model
    int attempt = 1;
    std::string doing;  // the last tool, or what it says
    bool tool = false;
    Time since;
  };

  // True where the event was only progress: the status may wait a moment before it tells.
  bool progress(const run::RunEvent& event);
  void started(const run::RunEvent& event);
  void entered(const run::RunEvent& event);
  void agent_started(const run::RunEvent& event);
  void agent_finished(const run::RunEvent& event);
  void command_started(const run::RunEvent& event);
  void command_finished(const run::RunEvent& event);
  void asked(const run::RunEvent& event);
  void answered(const run::RunEvent& event);
  void workspace(const run::RunEvent& event);
  void joined(const run::RunEvent& event);
  void suspended(const run::RunEvent& event);
  void finished(const run::RunEvent& event);

  void log(const run::RunEvent& event, const Styled& text);
  std::string whole_error(const std::string& text) const;
  void fact(std::string_view name, std::string_view value);
  void show_status(Time now);

  Screen& screen_;
  bool terminal_;
  bool live_;
  Look look_;
  std::map<std::string, Working> working_;  // by the path of the activity
  std::vector<std::string> journey_;        // stages, in the order they were entered
  std::string refused_;                     // why the last git operation was not done
  bool going_ = false;
  Time began_{};
  Time status_shown_{};
  double cost_ = 0;
  int calls_ = 0;
};

}  // namespace agneto::ui
