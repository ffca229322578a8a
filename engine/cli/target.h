// The run that a command from another terminal is about.
#pragma once

#include <memory>
#include <string>

#include "cli/commands.h"
#include "journal/journal.h"
#include "run/live.h"
#include "run/steer.h"

namespace agneto::cli {

struct Target {
  std::shared_ptr<journal::Journal> journal;
  journal::RunRecord run;  // its status is that of run::status_of
  fs::path home;           // the .agneto folder

  // Does a process work on it?
  bool is_alive() const { return run.status == "running"; }
  // Who sits here steers it. Both outlive what this returns.
  run::Helm helm(const Context& context, record::Observer& observer) const;
  // Returns how the message was taken; `stored` if no process works on the run. Throws Error if the
  // run has ended without having read it, or its owner has not answered in time.
  run::Delivery tell(const record::Message& message) const;
};

// Throws Error if there is no such run, or it has ended.
Target find_unended(const Context& context, const std::string& wanted);

}  // namespace agneto::cli
