// What the thread of an activity has of its run.
#pragma once

#include <atomic>
#include <functional>
#include <string>

#include "process/process.h"
#include "run/engine/reporter.h"
#include "run/engine/shared_workspace.h"

namespace agneto::run {

struct Job {
  std::string path;       // the activity's
  std::string item;       // what the item of a for_each that it is in is called; may be empty
  SharedWorkspace& tree;  // where it works
  Reporter& reporter;     // to record with; not to publish
  // Tells the observer, soon, where the activity's result is wanted still.
  std::function<void(record::EventBody)> show;
  // Tells the engine, soon, that the activity is at work since then, or is not any more.
  std::function<void(bool works, Time since)> work;
  // True: what is in the tree is another owner's business by now.
  const std::atomic<bool>& disowned;

  // Records a process, so that a next owner can end it. Throws Error.
  void record(process::ProcessId guard) const {
    work(true, reporter.append(path, record::Process{guard}));
  }
};

// Records the process of a program; shows its output where that is wanted.
class ProgramListener : public process::Listener {
 public:
  ProgramListener(const Job& job, bool shows_output) : job_(job), shows_output_(shows_output) {}

  void started(process::ProcessId guard) override { job_.record(guard); }
  bool line(std::string_view text) override {
    if (shows_output_) job_.show(record::CommandOutput{std::string(text)});
    return true;
  }
  void error_line(std::string_view text) override { line(text); }

 private:
  const Job& job_;
  const bool shows_output_;
};

}  // namespace agneto::run
