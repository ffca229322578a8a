// The run that a command from another terminal is about.
#pragma once

#include <memory>
#include <string>

#include "cli/commands.h"
#include "journal/journal.h"
#include "run/live.h"

namespace agneto::cli {

struct Target {
  std::unique_ptr<journal::Journal> journal;
  journal::RunRecord run;  // its status as run::status_of has it
  fs::path home;           // the .agneto folder

  // Does a process work on it?
  bool is_alive() const { return run.status == "running"; }
  // The message was taken or refused, or nobody works on the run (`stored`). Throws Error where the
  // run has ended without having read it, and where its owner has not answered in time.
  run::Delivery tell(journal::Message message) const;
};

// Throws Error where there is none.
Target find_target(const Context& context, const std::string& wanted);
// Throws Error where it has ended: so there is nobody to tell anything.
Target find_unended(const Context& context, const std::string& wanted);

}  // namespace agneto::cli
